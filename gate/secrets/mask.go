package secrets

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/ledger"
)

// Mask replaces what gitleaks' rules find in a text by "[redacted]", beside what
// ledger.MaskSecrets replaces. It is a Log's Redact for hosts that want more than
// the default's patterns and can spend more time on it. A credential that stands
// encoded is not cut out of its encoding. Safe for concurrent use.
func Mask(text string) string {
	found, err := find(context.Background(), "", "", text, nil)
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
