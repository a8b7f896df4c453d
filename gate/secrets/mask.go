package secrets

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/ledger"
)

// Mask replaces every credential whose form gitleaks' rules know by "[redacted]",
// beside what ledger.MaskSecrets replaces, which goes by names too. It is a Log's
// Redact. A credential that stands encoded is not cut out of its encoding. Safe
// for concurrent use.
func Mask(text string) string {
	d, err := formed()
	if err != nil {
		return ledger.MaskSecrets(text)
	}
	found, err := findWith(context.Background(), d, "", "", text, nil)
	if err != nil {
		return ledger.MaskSecrets(text)
	}
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(len(b.secret), len(a.secret)) })
	for _, h := range found {
		if h.secret != "" {
			text = strings.ReplaceAll(text, h.secret, "[redacted]")
		}
	}
	return ledger.MaskSecrets(text)
}
