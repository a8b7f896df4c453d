package patch

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/plumbkit/plumb/host/fault"
)

// scopes tells, of a 0-based line on which a symbol begins, the last 0-based
// line of the symbol; ok is false where none begins. nil knows no symbol.
type scopes func(line int) (last int, ok bool)

// symbolScopes are those of a file's outline.
func (b *builder) symbolScopes(w *fileWork) scopes {
	var ends map[int]int
	return func(line int) (int, bool) {
		if ends == nil {
			ends = map[int]int{}
			for _, s := range b.in.Before.Outline(w.path) {
				if s.Span.End > s.Span.Start {
					ends[s.Span.Line-1] = max(ends[s.Span.Line-1], w.text.lineAt(s.Span.End-1)-1)
				}
			}
		}
		last, ok := ends[line]
		return last, ok
	}
}

// admitted keeps the places of a hunk that its headings and its end allow.
func (h *Lines) admitted(e *Edit, t *text, places []int, in scopes) ([]int, error) {
	if h.AtEnd && len(places) > 0 {
		n := h.count('-')
		kept := filter(places, func(p int) bool { return p+n == len(t.lines) })
		if len(kept) == 0 {
			f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the hunk of %s is said to end the file, and its lines stand elsewhere: line %d", origin(e), places[0]+1),
				"leave out the mark of the file's end, or read the file again")
			f.Subject = fault.Subject{File: e.File, Line: places[0] + 1, Text: bare(t.lines[places[0]])}
			return nil, f
		}
		places = kept
	}
	if len(h.Under) == 0 || len(places) == 0 {
		return places, nil
	}
	chain, missing := h.chain(t, in)
	if missing != "" {
		f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the hunk of %s is said to stand below %q, and no such line is in the file", origin(e), missing), "read the file again, or leave that line out")
		f.Subject = fault.Subject{File: e.File, Line: places[0] + 1, Text: bare(t.lines[places[0]])}
		return nil, f
	}
	inside := filter(places, func(p int) bool {
		return slices.ContainsFunc(chain, func(i int) bool { return encloses(t, i, p, in) })
	})
	if len(inside) > 0 {
		return inside, nil
	}
	below := filter(places, func(p int) bool { return chain[0] <= p })
	if len(below) == 0 {
		f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the hunk of %s is said to stand below %q, and its lines stand above that: line %d", origin(e), h.Under[len(h.Under)-1], places[0]+1),
			"read the file again and name the line that encloses the change")
		f.Subject = fault.Subject{File: e.File, Line: places[0] + 1, Text: bare(t.lines[places[0]])}
		return nil, f
	}
	return below, nil
}

// chain returns the lines, ascending, that the last heading may mean, each
// enclosed by, or else below, one that the heading before may mean; or the
// heading that no line of the file fits.
func (h *Lines) chain(t *text, in scopes) (last []int, missing string) {
	for k, want := range h.Under {
		found := headingLines(t, want)
		if k > 0 {
			inside := filter(found, func(i int) bool {
				return slices.ContainsFunc(last, func(j int) bool { return j < i && encloses(t, j, i, in) })
			})
			if len(inside) == 0 {
				inside = filter(found, func(i int) bool { return last[0] < i })
			}
			found = inside
		}
		if len(found) == 0 {
			return nil, want
		}
		last = found
	}
	return last, ""
}

// headingLines are the lines that a heading names: those that are the same, else
// those that are but for their indentation, else those that begin with it.
func headingLines(t *text, want string) []int {
	trimmed := strings.TrimSpace(want)
	for _, same := range []func(line string) bool{
		func(l string) bool { return l == want },
		func(l string) bool { return strings.TrimSpace(l) == trimmed },
		func(l string) bool {
			rest, ok := strings.CutPrefix(strings.TrimSpace(l), trimmed)
			return ok && (rest == "" || !wordRune(rune(rest[0])))
		},
	} {
		var out []int
		for i := range t.lines {
			if same(bare(t.lines[i])) {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func wordRune(r rune) bool { return r == '_' || r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r) }

// encloses reports whether line p stands inside what line i opens: the symbol
// that begins there, else everything below it that is indented deeper.
func encloses(t *text, i, p int, in scopes) bool {
	if p < i {
		return false
	}
	if in != nil {
		if last, ok := in(i); ok {
			return p <= last
		}
	}
	for j := i + 1; j <= p; j++ {
		if l := bare(t.lines[j]); strings.TrimSpace(l) != "" && len(leadingBlanks(l)) <= len(leadingBlanks(bare(t.lines[i]))) {
			return false
		}
	}
	return true
}

func leadingBlanks(l string) string { return l[:len(l)-len(strings.TrimLeft(l, " \t"))] }
