package extract

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxMended is how many broken parts of one file are read apart from the rest;
// the file is parsed once more for each.
const maxMended = 8

// mendTimeout bounds each of a mended file's parses.
const mendTimeout = time.Second / 4

// A Mender reads files that do not follow the grammar so that a mistake costs
// only the part it stands in: a missing bracket would otherwise swallow all that
// follows. The zero value is ready for use.
type Mender struct {
	parser *syntax.Parser // nil until a broken file comes
}

// Mend parses the parts of src that begin at starts one by one; then it calls
// read with the tree of the intact ones together, and with that of each broken
// one alone, in a source whose other bytes are blank, so that offsets stay. A
// part may go on over what looks like up to ahead-1 further starts, in a text of
// several lines. Mend returns false, and has not called read, when that does not
// single out the mistakes.
func (m *Mender) Mend(lang *syntax.Language, src []byte, starts []int, ahead int, read func(*index.Tree)) bool {
	if len(starts) < 2 {
		return false
	}
	if m.parser == nil {
		m.parser = syntax.NewParser()
		m.parser.Limits.Timeout = mendTimeout
	}
	var broken [][2]int
	starts = append(starts, len(src))
	for i := 0; i < len(starts)-1; i++ {
		if end := m.intact(lang, src, starts, i, ahead); end > i {
			i = end - 1
			continue
		}
		if broken = append(broken, [2]int{starts[i], starts[i+1]}); len(broken) > maxMended {
			return false
		}
	}
	if len(broken) == 0 || !m.readOnly(lang, src, invert(broken, len(src)), read) {
		return false
	}
	for _, b := range broken {
		m.readOnly(lang, src, [][2]int{b}, read)
	}
	return true
}

// intact returns the place behind the part that begins at starts[i] and follows
// the grammar, i when none does.
func (m *Mender) intact(lang *syntax.Language, src []byte, starts []int, i, ahead int) int {
	for end := i + 1; end < len(starts) && end <= i+ahead; end++ {
		tree, err := m.parser.Parse(context.Background(), lang, src[starts[i]:starts[end]])
		if err == nil && !tree.HasError {
			return end
		}
	}
	return i
}

// readOnly reads the file as if all but the given parts were blank.
func (m *Mender) readOnly(lang *syntax.Language, src []byte, parts [][2]int, read func(*index.Tree)) bool {
	masked := blank(src)
	for _, p := range parts {
		copy(masked[p[0]:p[1]], src[p[0]:p[1]])
	}
	tree, err := m.parser.Parse(context.Background(), lang, masked)
	if err != nil {
		return false
	}
	read(tree)
	return true
}

// blank returns src with everything but line ends replaced by spaces.
func blank(src []byte) []byte {
	out := make([]byte, len(src))
	for i, c := range src {
		if out[i] = ' '; c == '\n' {
			out[i] = c
		}
	}
	return out
}

// invert returns the parts of [0, size) outside of parts.
func invert(parts [][2]int, size int) (rest [][2]int) {
	at := 0
	for _, p := range parts {
		rest = append(rest, [2]int{at, p[0]})
		at = p[1]
	}
	return append(rest, [2]int{at, size})
}

// SortDefs puts the definitions in order of their start, where several readings
// left them out of order, and sets what refers to them: parents, sites and the
// operands of the table's expressions. It changes d.Defs and returns the new
// place of each old definition, nil when they were in order already.
func (d *Found) SortDefs() (place []int32) {
	byStart := func(a, b index.Def) int { return cmp.Compare(a.Range.Start, b.Range.Start) }
	if slices.IsSortedFunc(d.Defs, byStart) {
		return nil
	}
	order := make([]int32, len(d.Defs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return byStart(d.Defs[a], d.Defs[b]) })
	place = make([]int32, len(order))
	for i, old := range order {
		place[old] = int32(i)
	}
	d.Defs = Moved(d.Defs, place)
	move := func(def *int32) {
		if *def >= 0 {
			*def = place[*def]
		}
	}
	for i := range d.Defs {
		if parent := &d.Defs[i].Parent; *parent >= 0 {
			if move(parent); *parent >= int32(i) {
				*parent = -1
			}
		}
	}
	for i := range d.Sites {
		move(&d.Sites[i].In)
	}
	for i := range d.Table.Exprs {
		e := &d.Table.Exprs[i]
		a, b, _ := d.Operands(e.Op)
		if a == ToDef {
			move(&e.A)
		}
		if b == ToDef {
			move(&e.B)
		}
	}
	return place
}

// Moved returns a copy of s in which each element stands at its new place.
func Moved[T any](s []T, place []int32) []T {
	out := make([]T, len(s))
	for old, v := range s {
		out[place[old]] = v
	}
	return out
}
