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
// hidden, which are no text of the credential's own and so hide no key of a JSON
// document. The zero value hides what Mask does. It may be used by several
// goroutines once nothing is added any more.
type Veil struct {
	pieces []string // all that is hidden, longest first
	own    []string // those of them that are a credential's own text
}

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

func (v *Veil) add(ctx context.Context, path, before, text string, literal []index.Range) error {
	if text == "" || text == before {
		return nil
	}
	found, err := find(ctx, path, before, text, literal)
	if err != nil {
		return err
	}
	for i := range found {
		if h := &found[i]; strings.Contains(text, h.secret) {
			v.own = longestFirst(append(v.own, h.pieces()...))
			v.pieces = append(v.pieces, h.pieces()...)
		} else {
			v.pieces = append(v.pieces, h.lines(text)...)
		}
	}
	v.pieces = longestFirst(v.pieces)
	return nil
}

func longestFirst(of []string) []string {
	slices.SortFunc(of, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(of)
}

// shortest is the length of the shortest text that is hidden wherever it stands,
// shortestLine that of the shortest line on which a credential stands in another form.
const shortest, shortestLine = 4, 12

// pieces are what must not be shown of a credential that stands as it is, line by line.
func (h *hit) pieces() []string {
	var out []string
	for l := range strings.SplitSeq(h.secret, "\n") {
		if l = strings.TrimSpace(l); len(l) >= shortest && wordy(l) {
			out = append(out, l)
		}
	}
	return out
}

// lines are the lines of a text on which the credential stands in another form. A
// short one is as likely to be what stands between its parts, and then stands in
// many other places: it has to hold nothing but a part.
func (h *hit) lines(text string) []string {
	all := strings.Split(text, "\n")
	var out []string
	for _, l := range all[min(h.at-1, len(all)):min(max(h.at, h.last), len(all))] {
		l = strings.TrimSpace(l)
		part := strings.TrimFunc(l, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if wordy(l) && (len(l) >= shortestLine || len(part) >= shortest && strings.Contains(h.secret, part)) {
			out = append(out, l)
		}
	}
	return out
}

func wordy(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// Hide replaces every credential that the Veil knows, and every one that Mask
// knows, by "[redacted]".
func (v *Veil) Hide(text string) string { return hide(text, v.pieces) }

func hide(text string, pieces []string) string {
	for _, p := range pieces {
		text = strings.ReplaceAll(text, p, "[redacted]")
	}
	return Mask(text)
}

// HideJSON is Hide for every string of a valid JSON document, keys included as far
// as they hold a credential itself; all other bytes stay.
func (v *Veil) HideJSON(doc []byte) []byte {
	return ledger.RedactJSONKeys(doc, v.Hide, func(key string) string { return hide(key, v.own) })
}
