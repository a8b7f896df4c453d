package secrets

import (
	"strings"
	"unicode"

	"github.com/plumbkit/plumb/index"
)

// around is how many lines before and behind new ones are looked at with them:
// a key's name, or a literal that a new one is joined to, may be old.
const around = 10

// A window is a part of a text: bytes [start,end), which begin at a 0-based line.
type window struct{ start, end, line int }

// fresh returns the parts of a text in which a line is new, or stands below
// another line than before.
func fresh(before, text string) []window {
	if before == "" {
		return []window{{0, len(text), 0}}
	}
	type pair struct{ above, line string }
	was := map[pair]int{}
	above := ""
	for l := range strings.Lines(before) {
		was[pair{above, l}]++
		above = l
	}
	var starts []int
	var out []window
	at, last := 0, -1 // the last line of the window before
	above = ""
	n := 0
	for l := range strings.Lines(text) {
		starts = append(starts, at)
		at += len(l)
		p := pair{above, l}
		above = l
		if was[p]--; was[p] < 0 {
			from := max(0, n-around)
			if last < 0 || from > last+1 {
				out = append(out, window{start: starts[from], line: from})
			}
			last = n + around
		}
		n++
		if last >= n-1 && len(out) > 0 {
			out[len(out)-1].end = at
		}
	}
	return out
}

// A view is a part of a text as it stands, or as something is read that was
// written to look otherwise; starts[i] is the 0-based line of the text at which
// line i of the view begins.
type view struct {
	text   string
	starts []int
	first  int // the 0-based line of the text at which the part begins
	lines  int // how many lines the part has, where starts is set
}

// line returns the 1-based line of the text for a 0-based one of the view.
func (v *view) line(n int) int {
	if v.starts == nil {
		return v.first + n + 1
	}
	return v.first + v.starts[min(n, len(v.starts)-1)] + 1
}

// end returns the 1-based last line of the text that a 0-based line of the view
// was made of.
func (v *view) end(n int) int {
	if n+1 < len(v.starts) {
		return v.first + v.starts[n+1]
	}
	if v.starts != nil {
		return v.first + v.lines
	}
	return v.first + n + 1
}

// views are the window's text, the text without characters that nobody sees, and
// the text with string literals joined that only stand apart.
func (w window) views(text string, literals []index.Range) []view {
	part := text[w.start:w.end]
	out := []view{{text: part, first: w.line}}
	if plain := visible(part); plain != part {
		out = append(out, view{text: plain, first: w.line})
	}
	var inside []index.Range
	for _, l := range literals {
		if int(l.Start) >= w.start && int(l.End) <= w.end {
			inside = append(inside, index.Range{Start: l.Start - uint32(w.start), End: l.End - uint32(w.start)})
		}
	}
	if joined, starts := join(part, inside); joined != "" {
		out = append(out, view{visible(joined), starts, w.line, strings.Count(part, "\n") + 1})
	}
	return out
}

// visible drops format characters (zero-width blanks, marks of direction) and
// NUL bytes, by which UTF-16 differs from ASCII.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0 || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}
