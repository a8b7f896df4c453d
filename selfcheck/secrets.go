package selfcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
)

// masked returns the hand-off without what looks like a credential (SEC-3): the
// requirement, a sentence, a test's output or a changed line may hold one, and a
// hand-off is passed on and stored.
func (t *Ten) masked(h *Handoff) (*Handoff, error) {
	doc, err := json.Marshal(h)
	if err != nil {
		return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
	}
	var tree any
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
	}
	redact := t.Redact
	if redact == nil {
		redact = ledger.MaskSecrets
	}
	n := 0
	tree = maskStrings(tree, redact, &n)
	if n == 0 {
		return h, nil
	}
	if doc, err = json.Marshal(tree); err != nil {
		return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
	}
	clean := new(Handoff)
	if err := json.Unmarshal(doc, clean); err != nil {
		return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
	}
	clean.Warnings = append(clean.Warnings, fmt.Sprintf("%d texts of this hand-off held what looks like a credential; it is left out", n))
	return clean, nil
}

// maskStrings masks every string of a decoded JSON value; n counts those changed.
func maskStrings(v any, redact func(string) string, n *int) any {
	switch v := v.(type) {
	case string:
		clean := redact(v)
		if clean != v {
			*n++
		}
		return clean
	case []any:
		key := false // between the lines of a private key
		for i := range v {
			line, _ := v[i].(string)
			key = key || strings.Contains(line, "-----BEGIN ") && strings.Contains(line, "PRIVATE KEY")
			if key && line != "" {
				v[i] = "[redacted]"
				*n++
			}
			key = key && !strings.Contains(line, "-----END ")
			v[i] = maskStrings(v[i], redact, n)
		}
	case map[string]any:
		for k := range v {
			v[k] = maskStrings(v[k], redact, n)
		}
	}
	return v
}
