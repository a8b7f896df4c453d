package secrets

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// A Veil hides credentials in texts about one change, in the diff of it for one.
// It knows what Rule would find in that change, also what goes by the name that it
// is assigned to and what is split or encoded; of the last two the whole lines are
// hidden. The zero value hides what Mask does. It may be used by several
// goroutines once nothing is added any more.
type Veil struct{ pieces []string }

// AddText adds the credentials that stand in a text, such as a patch. Faults:
// canceled, environment.
func (v *Veil) AddText(ctx context.Context, text string) error {
	return v.add(ctx, "", "", text, quoted(text))
}

// quoted are the places of what looks like string literals in a text of no known
// language: what stands between two like quotes of one line.
func quoted(text string) []index.Range {
	var out []index.Range
	open := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			open = -1
		case c == '\\':
			i++
		case open >= 0 && c == text[open]:
			out = append(out, index.Range{Start: uint32(open), End: uint32(i + 1)})
			open = -1
		case open < 0 && (c == '"' || c == '\'' || c == '`'):
			open = i
		}
	}
	return out
}

// AddSet adds the credentials of a Set's files, those that it brings and those
// that it takes away. A Snapshot that is nil leaves out credentials that are split
// over several literals. Faults: canceled, environment.
func (v *Veil) AddSet(ctx context.Context, before, after *index.Snapshot, set *patch.Set) error {
	if set == nil {
		return nil
	}
	for i := range set.Files {
		f := &set.Files[i]
		old, now := string(f.Old), string(f.New)
		if f.Op == patch.Created || f.Op == patch.Copied {
			old = ""
		}
		if err := v.add(ctx, f.Path, old, now, literals(after, f.Path, len(now))); err != nil {
			return err
		}
		from := cmp.Or(f.From, f.Path)
		if err := v.add(ctx, from, now, old, literals(before, from, len(old))); err != nil {
			return err
		}
	}
	return nil
}

func (v *Veil) add(ctx context.Context, path, before, text string, strings []index.Range) error {
	if text == "" || text == before {
		return nil
	}
	found, err := find(ctx, path, before, text, strings)
	if err != nil {
		return err
	}
	for i := range found {
		v.pieces = append(v.pieces, found[i].pieces(text)...)
	}
	slices.SortFunc(v.pieces, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	v.pieces = slices.Compact(v.pieces)
	return nil
}

// shortest is the length of the shortest text that is hidden wherever it stands.
const shortest = 4

// pieces are what must not be shown of a text that holds the hit: the credential,
// line by line, or the lines on which it stands in another form.
func (h *hit) pieces(text string) []string {
	lines := strings.Split(h.secret, "\n")
	if !strings.Contains(text, h.secret) {
		all := strings.Split(text, "\n")
		lines = all[min(h.at-1, len(all)):min(max(h.at, h.last), len(all))]
	}
	var out []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); len(l) >= shortest && strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			out = append(out, l)
		}
	}
	return out
}

// Hide replaces every credential that the Veil knows, and every one that Mask
// knows, by "[redacted]".
func (v *Veil) Hide(text string) string {
	for _, p := range v.pieces {
		text = strings.ReplaceAll(text, p, "[redacted]")
	}
	return Mask(text)
}

// HideJSON is Hide for every string of a valid JSON document; all other bytes stay.
func (v *Veil) HideJSON(doc []byte) []byte { return ledger.RedactJSON(doc, v.Hide) }
