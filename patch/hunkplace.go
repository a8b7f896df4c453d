package patch

import (
	"crypto/sha1" //nolint:gosec // git's object names, not a defence
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// A splice replaces bytes [start,end) of a file's original content.
type splice struct {
	start, end int
	text       string
	unit       *unit
}

// anchorOf is the old side of a hunk.
func anchorOf(h *Lines) anchor {
	var lines []anchorLine
	for _, l := range h.Lines {
		if l[0] != '+' {
			lines = append(lines, anchorLine{text: l[1:], strict: l[0] == '-'})
		}
	}
	a := newAnchor(lines)
	a.eof = h.OldNoEOL
	return a
}

// gitBlob reports whether hash ("git:" and the start of a blob's name) names data.
func gitBlob(hash string, data []byte) bool {
	id := strings.TrimPrefix(hash, "git:")
	blob := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
	var sum string
	if len(id) > 40 {
		s := sha256.Sum256(blob)
		sum = hex.EncodeToString(s[:])
	} else {
		s := sha1.Sum(blob) //nolint:gosec // git's object names, not a defence
		sum = hex.EncodeToString(s[:])
	}
	return len(id) >= 7 && strings.HasPrefix(sum, id)
}

// A placed hunk stands at a 0-based line.
type placed struct {
	line int
	tier Loosening
	err  error
}

// placeHunks finds every hunk of one edit. A hunk that stands in several places
// is settled only by proof: the file's blob is the one that the diff was made
// from, or the hunks around it, which are in order, leave one place.
func placeHunks(e *Edit, t *text, loosen []Loosening, in scopes) []placed {
	out := make([]placed, len(e.Hunks))
	found := make([][]int, len(e.Hunks))
	proven := strings.HasPrefix(e.Hash, "git:") && gitBlob(e.Hash, t.data)
	for i := range e.Hunks {
		h := &e.Hunks[i]
		found[i], out[i].tier, out[i].err = hunkPlaces(e, h, t, proven, loosen)
		if out[i].err == nil {
			found[i], out[i].err = h.admitted(e, t, found[i], in)
		}
	}
	if ascending(e.Hunks) {
		narrow(e.Hunks, found)
	}
	for i := range e.Hunks {
		if len(found[i]) > 1 {
			found[i] = e.Hunks[i].settle(t, found[i])
		}
		a := anchorOf(&e.Hunks[i])
		switch {
		case out[i].err != nil:
		case len(found[i]) == 1:
			out[i].line = found[i][0]
		case len(found[i]) == 0:
			out[i].err = a.missing(e, t, 0, len(t.lines), e.Hunks[i].OldStart-1)
		default:
			out[i].err = a.several(e, t, found[i])
		}
	}
	return out
}

func hunkPlaces(e *Edit, h *Lines, t *text, proven bool, loosen []Loosening) ([]int, Loosening, error) {
	a := anchorOf(h)
	claimed := h.OldStart - 1
	if len(a.lines) == 0 {
		claimed++ // "-5,0": behind line 5
		if len(t.lines) == 0 || h.AtEnd {
			return []int{len(t.lines)}, "", nil
		}
		if proven && claimed <= len(t.lines) {
			return []int{claimed}, "", nil
		}
		f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the hunk of %s only adds lines, so its place is not proven: the file is not the one that it was made from", origin(e)),
			"send the edit with the lines around it")
		f.Subject = fault.Subject{File: e.File, Line: max(1, min(claimed, len(t.lines)))}
		return nil, "", f
	}
	if proven && claimed >= 0 {
		if _, ok := a.at(t, claimed, ""); ok {
			return []int{claimed}, "", nil
		}
	}
	found, tier := a.search(t, 0, len(t.lines), loosen)
	return found, tier, nil
}

func ascending(hunks []Lines) bool {
	for i := 1; i < len(hunks); i++ {
		if hunks[i].OldStart <= hunks[i-1].OldStart {
			return false
		}
	}
	return true
}

// narrow drops places that would put a hunk before its predecessor or behind
// its successor, as long as every hunk keeps a place.
func narrow(hunks []Lines, found [][]int) {
	keep := slices.Clone(found)
	low := 0
	for i := range keep {
		keep[i] = filter(keep[i], func(p int) bool { return p >= low })
		if len(keep[i]) == 0 {
			return
		}
		low = keep[i][0] + hunks[i].count('-')
	}
	high := int(^uint(0) >> 1)
	for i := len(keep) - 1; i >= 0; i-- {
		n := hunks[i].count('-')
		keep[i] = filter(keep[i], func(p int) bool { return p+n <= high })
		if len(keep[i]) == 0 {
			return
		}
		high = keep[i][len(keep[i])-1]
	}
	copy(found, keep)
}

// settle keeps the one place that fits the hunk's heading, or the one at the end
// (or start) of the file at exactly the line claimed, when the hunk has less
// context on that side, as it has there and nowhere else. Otherwise all stay.
func (h *Lines) settle(t *text, places []int) []int {
	if h.Section != "" {
		if fit := filter(places, func(p int) bool { return heading(t, p) == h.Section }); len(fit) == 1 {
			return fit
		}
	}
	lead, trail := 0, 0
	for lead < len(h.Lines) && h.Lines[lead][0] == ' ' {
		lead++
	}
	for trail < len(h.Lines) && h.Lines[len(h.Lines)-1-trail][0] == ' ' {
		trail++
	}
	n := h.count('-')
	fit := filter(places, func(p int) bool {
		return p == h.OldStart-1 && (trail < lead && p+n == len(t.lines) || lead < trail && p == 0)
	})
	if len(fit) == 1 {
		return fit
	}
	return places
}

// heading is the line above line p that git shows behind a hunk's header: the
// last one that begins with a letter, "_" or "$", at most 80 bytes of it.
func heading(t *text, p int) string {
	for i := p - 1; i >= 0; i-- {
		l := bare(t.lines[i])
		if l == "" {
			continue
		}
		if c := l[0]; c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return strings.TrimSpace(l[:min(80, len(l))])
		}
	}
	return ""
}

func filter(in []int, ok func(int) bool) []int {
	var out []int
	for _, v := range in {
		if ok(v) {
			out = append(out, v)
		}
	}
	return out
}

// splices turns a hunk at line p into replacements of its changed runs only, so
// that context keeps its bytes.
func (h *Lines) splices(t *text, p int, tier Loosening) []splice {
	a := anchorOf(h)
	move := shift{}
	if tier == UniformIndentation {
		move, _ = a.shift(t, p)
	}
	var out []splice
	i := p
	for k := 0; k < len(h.Lines); {
		if h.Lines[k][0] == ' ' {
			k++
			i++
			continue
		}
		from, run := i, []string(nil)
		for ; k < len(h.Lines) && h.Lines[k][0] != ' '; k++ {
			if h.Lines[k][0] == '-' {
				i++
			} else {
				run = append(run, move.apply(h.Lines[k][1:]))
			}
		}
		out = append(out, h.splice(t, &a, from, i, run))
	}
	return out
}

// splice replaces lines [from,to) by run, with the line ends that the file has there.
func (h *Lines) splice(t *text, a *anchor, from, to int, run []string) splice {
	s := splice{start: t.starts[from], end: t.starts[to]}
	var b strings.Builder
	atEnd := to == len(t.lines)
	open := atEnd && len(t.lines) > 0 && lineEnd(t.lines[len(t.lines)-1]) == ""
	if open && from == to && len(run) > 0 {
		b.WriteString(t.endNear(from - 1)) // the last line gets the end it lacks
	}
	for j, l := range run {
		if from+j == 0 && strings.HasPrefix(t.lines0(), bom) && !strings.HasPrefix(l, bom) && from < to && !strings.HasPrefix(a.lines[0].text, bom) {
			b.WriteString(bom)
		}
		b.WriteString(l)
		b.WriteString(h.end(t, a, from, to, j, l))
	}
	s.text = b.String()
	marked := h.OldNoEOL || h.NewNoEOL
	if open && !marked && len(run) == 0 && from < to && from > 0 {
		s.start -= len(lineEnd(t.lines[from-1])) // the line above is the last now, and stays without an end
	}
	if atEnd && len(run) > 0 && (h.NewNoEOL || (open && !marked)) {
		s.text = strings.TrimSuffix(strings.TrimSuffix(s.text, "\n"), "\r")
		if strings.HasSuffix(run[len(run)-1], "\r") {
			s.text += "\r" // its own, given literally
		}
	}
	return s
}

func (t *text) lines0() string {
	if len(t.lines) == 0 {
		return ""
	}
	return t.lines[0]
}

// end returns the line end for added line j of a run at [from,to).
func (h *Lines) end(t *text, a *anchor, from, to, j int, line string) string {
	switch {
	case a.literal || strings.HasSuffix(line, "\r"):
		return "\n"
	case from+j < to:
		if e := lineEnd(t.lines[from+j]); e != "" {
			return e
		}
	}
	return t.endNear(max(from, min(from+j, to)) - 1)
}
