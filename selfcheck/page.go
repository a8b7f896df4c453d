package selfcheck

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

//go:embed page.html
var page string

// HTML renders the hand-off as one self-contained page: no script, no address
// outside, light and dark, usable with the keyboard alone. Errors are faults of
// class environment when the page cannot be rendered.
func (h *Handoff) HTML() ([]byte, error) {
	t, err := template.New("hand-off").Funcs(template.FuncMap{
		"place": index.Span.String, "counts": countsText, "or": orText, "summary": h.plainSummary, "by": h.hunksByCapability, "share": share, "checkedBy": checkedBy, "limit": limitText,
	}).Parse(page)
	if err != nil {
		return nil, fault.From(err, "selfcheck.html", "report this: the page's template is broken")
	}
	var b bytes.Buffer
	if err := t.Execute(&b, h); err != nil {
		return nil, fault.From(err, "selfcheck.html", "report this: the page could not be rendered")
	}
	return b.Bytes(), nil
}

// plainSummary is the outcome of the checks.
func (h *Handoff) plainSummary() map[string]int {
	out := map[string]int{"all": len(checkups())}
	for _, c := range h.Checks {
		switch {
		case c.Passed:
			out["passed"]++
		case !c.Judged:
			out["open"]++
		default:
			out["failed"]++
		}
	}
	return out
}

// A hunkGroup is the hunks of one capability point.
type hunkGroup struct {
	Capability string
	Hunks      []patch.Hunk
}

// hunksByCapability groups the hunks in the order of Changed.
func (h *Handoff) hunksByCapability() []hunkGroup {
	var out []hunkGroup
	at := map[string]int{}
	for _, k := range h.Hunks {
		i, ok := at[k.Capability]
		if !ok {
			i = len(out)
			at[k.Capability] = i
			out = append(out, hunkGroup{Capability: k.Capability})
		}
		out[i].Hunks = append(out[i].Hunks, k)
	}
	return out
}

// checkedBy lists the first tests of a capability point and how many more there
// are, "" for none; the hand-off in JSON names each.
func checkedBy(tests []string) string {
	const shown = 8
	if len(tests) <= shown {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(tests[:shown], ", "), len(tests)-shown)
}

// share is used ÷ limit in percent, at most 100; 0 without a limit.
func share(used, limit int64) int64 {
	if limit <= 0 {
		return 0
	}
	return min(100, 100*used/limit)
}
