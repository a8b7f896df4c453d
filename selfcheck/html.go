package selfcheck

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/plumbkit/plumb/host/fault"
)

//go:embed handoff.gohtml
var page string

// HTML renders the hand-off as one page that needs nothing else: no script, no
// network. Text from elsewhere is escaped.
func (h *Handoff) HTML() ([]byte, error) {
	t, err := template.New("handoff").Funcs(template.FuncMap{"counts": counts, "limit": limit}).Parse(page)
	if err != nil {
		return nil, fault.From(err, "selfcheck.html", "report this: the page's template is broken")
	}
	var b bytes.Buffer
	if err := t.Execute(&b, h); err != nil {
		return nil, fault.From(err, "selfcheck.html", "report this: the page's template is broken")
	}
	return b.Bytes(), nil
}
