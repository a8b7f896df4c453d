package patch

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// A Loosening is a way of comparing an anchor that is less than exact. None is
// used unless Anchored.Loosen names it; each is tried only when everything
// before it found nothing, has to be unique on its own, spans exactly the
// anchor's lines, never applies to removed lines, and is reported in
// Set.Loosened.
type Loosening string

// The loosenings.
const (
	TrailingBlanks     Loosening = "trailing_blanks"     // blanks at line ends are ignored
	UniformIndentation Loosening = "uniform_indentation" // every line is indented by the same more or less; added lines follow
	UnicodePunctuation Loosening = "unicode_punctuation" // typographic quotes, dashes, dots and blanks count as their ASCII forms
)

// An anchorLine is one line of an anchor, without line end.
type anchorLine struct {
	text   string
	strict bool // a removed line: never loosened
}

// An anchor is a run of lines that an edit believes to stand in the file.
type anchor struct {
	lines []anchorLine
	// literal compares carriage returns too, because the anchor has some.
	literal bool
	// eof says that the last line ends the file without a newline.
	eof bool
}

func newAnchor(lines []anchorLine) anchor {
	a := anchor{lines: lines}
	for _, l := range lines {
		a.literal = a.literal || strings.HasSuffix(l.text, "\r")
	}
	return a
}

// line returns line i of the file in the form in which a compares it.
func (a *anchor) line(t *text, i int) string {
	l := strings.TrimSuffix(t.lines[i], "\n")
	if !a.literal {
		l = strings.TrimSuffix(l, "\r")
	}
	return l
}

// same compares anchor line k with file line i.
func (a *anchor) same(t *text, i, k int, tier Loosening) bool {
	want, have := a.lines[k], a.line(t, i)
	if have == want.text || (i == 0 && strings.TrimPrefix(have, bom) == want.text) {
		return true
	}
	if want.strict {
		return false
	}
	switch tier {
	case TrailingBlanks:
		return strings.TrimRight(have, " \t\r") == strings.TrimRight(want.text, " \t\r")
	case UnicodePunctuation:
		return ascii(have) == ascii(want.text)
	}
	return false
}

// at reports whether the anchor stands at line i (0-based), and the first of
// its lines that does not.
func (a *anchor) at(t *text, i int, tier Loosening) (diverges int, ok bool) {
	if tier == UniformIndentation {
		_, ok := a.shift(t, i)
		return 0, ok
	}
	for k := range a.lines {
		if i+k >= len(t.lines) || !a.same(t, i+k, k, tier) {
			return k, false
		}
	}
	last := i + len(a.lines) - 1
	if a.eof && (last != len(t.lines)-1 || lineEnd(t.lines[last]) != "") {
		return len(a.lines) - 1, false
	}
	return 0, true
}

// A shift is the indentation that the file has beyond the anchor (add) or lacks (cut).
type shift struct{ add, cut string }

// apply indents a line of replacement in the same way.
func (s shift) apply(line string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	return s.add + strings.TrimPrefix(line, s.cut)
}

// shift finds the one indentation by which all lines of the anchor differ.
func (a *anchor) shift(t *text, i int) (shift, bool) {
	var found *shift
	for k, want := range a.lines {
		if i+k >= len(t.lines) {
			return shift{}, false
		}
		have := a.line(t, i+k)
		if strings.TrimSpace(have) == "" && strings.TrimSpace(want.text) == "" && !want.strict {
			continue
		}
		s, ok := shiftOf(have, want.text)
		if !ok || (want.strict && have != want.text) || (found != nil && *found != s) {
			return shift{}, false
		}
		found = &s
	}
	if found == nil {
		return shift{}, false
	}
	return *found, true
}

func shiftOf(have, want string) (shift, bool) {
	if add, ok := strings.CutSuffix(have, want); ok && strings.Trim(add, " \t") == "" {
		return shift{add: add}, true
	}
	if cut, ok := strings.CutSuffix(want, have); ok && strings.Trim(cut, " \t") == "" {
		return shift{cut: cut}, true
	}
	return shift{}, false
}

// places returns the 0-based lines, in [lo,hi), at which the anchor stands.
func (a *anchor) places(t *text, lo, hi int, tier Loosening) []int {
	var out []int
	for i := lo; i+len(a.lines) <= hi; i++ {
		if _, ok := a.at(t, i, tier); ok {
			out = append(out, i)
		}
	}
	return out
}

// search returns where the anchor stands in [lo,hi), exactly or, when that
// finds nothing, by the first loosening that finds something.
func (a *anchor) search(t *text, lo, hi int, loosen []Loosening) ([]int, Loosening) {
	if found := a.places(t, lo, hi, ""); len(found) > 0 {
		return found, ""
	}
	for _, tier := range loosen {
		if found := a.places(t, lo, hi, tier); len(found) > 0 {
			return found, tier
		}
	}
	return nil, ""
}

// ascii maps typographic punctuation to its plain form.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '‘', '’', '‚', '‛', '′':
			r = '\''
		case '“', '”', '„', '‟', '″':
			r = '"'
		case '‐', '‑', '‒', '–', '—', '−':
			r = '-'
		case '\u00a0', '\u2002', '\u2003', '\u2009', '\u202f':
			r = ' '
		case '…':
			b.WriteString("...")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// missing is the fault for an anchor that stands nowhere in [lo,hi): the
// closest place, its first diverging line, and where lines like it stand.
func (a *anchor) missing(e *Edit, t *text, lo, hi, hint int) error {
	i, k := a.closest(t, lo, hi, hint)
	want := a.lines[k].text
	f := refuse(fault.AnchorMismatch, e, "", "read the file again around that line and send the edit for what stands there now")
	f.Subject = fault.Subject{File: e.File, Symbol: e.Symbol}
	switch {
	case i+k >= hi:
		f.Subject.Line = len(t.lines)
		f.Detail = fmt.Sprintf("the text that the edit is based on (%s) is not in the file: it ends at line %d, before the expected line %q",
			origin(e), hi, want)
	default:
		have := bare(t.lines[i+k])
		f.Subject.Line, f.Subject.Text = i+k+1, have
		f.Detail = fmt.Sprintf("the text that the edit is based on (%s) does not stand in the file: line %d reads %q where %q is expected%s",
			origin(e), i+k+1, have, want, a.invisible(t, i, k)+leftOut(want))
	}
	for j := lo; j < hi && len(f.Candidates) < 5; j++ {
		if l := bare(t.lines[j]); j != i+k && strings.TrimSpace(want) != "" && squeeze(l) == squeeze(want) {
			f.Candidates = append(f.Candidates, fault.Subject{File: e.File, Line: j + 1, Text: l})
		}
	}
	return f
}

// invisible explains a difference that the quoted lines do not show.
func (a *anchor) invisible(t *text, i, k int) string {
	if a.eof && a.line(t, i+k) == a.lines[k].text {
		return ", as the file's last line, without a newline"
	}
	if squeeze(a.line(t, i+k)) == squeeze(a.lines[k].text) {
		return " (they differ in white space or line end only)"
	}
	return ""
}

// leftOut explains what is no placeholder for the lines that it leaves out.
func leftOut(want string) string {
	if s := strings.TrimSpace(want); s == "..." || s == "…" || elided(want) {
		return "; lines that are left out are not filled in: give them, or make two edits of it"
	}
	return ""
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// closest returns the place where most lines of the anchor stand, nearest to
// hint among equals, and the first line there that does not.
func (a *anchor) closest(t *text, lo, hi, hint int) (place, diverges int) {
	best, place := -1, min(max(hint, lo), max(hi-1, lo))
	width := min(len(a.lines), 64) // enough to tell places apart
	for i := lo; i < hi; i++ {
		score := 0
		for k := 0; k < width && i+k < hi; k++ {
			if a.same(t, i+k, k, "") {
				score++
				if strings.TrimSpace(a.lines[k].text) != "" {
					score++
				}
			}
		}
		if score > best && score > 0 || (score == best && abs(i-hint) < abs(place-hint)) {
			best, place = score, i
		}
	}
	diverges, _ = a.at(t, place, "")
	return place, diverges
}

func abs(n int) int { return max(n, -n) }

// several is the fault for an anchor that stands in more than one place.
func (a *anchor) several(e *Edit, t *text, places []int) error {
	f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the text that the edit is based on (%s) stands in %d places, and it is not said which is meant",
		origin(e), len(places)), "send the edit with more of the lines around it, or with the file's content hash")
	f.Subject = fault.Subject{File: e.File, Symbol: e.Symbol, Line: places[0] + 1, Text: bare(t.lines[places[0]])}
	for _, p := range places {
		f.Candidates = append(f.Candidates, fault.Subject{File: e.File, Line: p + 1, Text: bare(t.lines[p])})
	}
	return f
}

// origin names an edit for the reader of a fault.
func origin(e *Edit) string {
	if e.From != "" {
		return string(e.Op) + " of " + e.From
	}
	return string(e.Op)
}
