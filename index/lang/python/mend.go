package python

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

// mend reads a file that does not follow the grammar so that a mistake costs
// only the definition it stands in: a missing bracket would otherwise swallow
// all that follows. The parts that begin with def, class or a decorator at the
// start of a line are parsed one by one; then the intact ones together and each
// broken one alone, in a source whose other bytes are blank, so that offsets
// stay. It returns false when that does not single out the mistakes.
func (x *extractor) mend() bool {
	starts := partStarts(x.src)
	if len(starts) < 2 {
		return false
	}
	if x.mender == nil {
		x.mender = syntax.NewParser()
		x.mender.Limits.Timeout = mendTimeout
	}
	var broken [][2]int
	starts = append(starts, len(x.src))
	for i := range len(starts) - 1 {
		tree, err := x.mender.Parse(context.Background(), x.g.lang, x.src[starts[i]:starts[i+1]])
		if err == nil && !tree.HasError {
			continue
		}
		if broken = append(broken, [2]int{starts[i], starts[i+1]}); len(broken) > maxMended {
			return false
		}
	}
	if len(broken) == 0 || !x.readOnly(invert(broken, len(x.src))) {
		return false
	}
	for _, b := range broken {
		x.readOnly([][2]int{b})
	}
	x.sortDefs()
	return true
}

// readOnly extracts the file as if all but the given parts were blank.
func (x *extractor) readOnly(parts [][2]int) bool {
	masked := blank(x.src)
	for _, p := range parts {
		copy(masked[p[0]:p[1]], x.src[p[0]:p[1]])
	}
	tree, err := x.mender.Parse(context.Background(), x.g.lang, masked)
	if err != nil {
		return false
	}
	x.read(tree)
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

// partStarts returns the file's beginning and the offsets of the lines at which
// a top-level definition begins, its decorators included. Brackets are not
// counted: that one is missing may be the mistake.
func partStarts(src []byte) []int {
	starts := []int{0}
	decorated := false
	for _, t := range lex(src) {
		if t.at > 0 && src[t.at-1] != '\n' || t.continued {
			continue
		}
		switch t.text {
		case "def", "class", "async", "@":
			if !decorated && t.at > 0 {
				starts = append(starts, t.at)
			}
			decorated = t.text == "@"
		default:
			decorated = decorated && t.kind == lexComment
		}
	}
	return starts
}

// sortDefs puts the definitions of several readings in order. Each reading's
// are in order already, and none refers to another's.
func (x *extractor) sortDefs() {
	order := make([]int32, len(x.defs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(x.defs[a].Range.Start, x.defs[b].Range.Start)
	})
	place, defs, values := make([]int32, len(order)), make([]index.Def, len(order)), make([][]int32, len(order))
	for i, old := range order {
		place[old], defs[i], values[i] = int32(i), x.defs[old], x.values[old]
	}
	move := func(d *int32) {
		if *d >= 0 {
			*d = place[*d]
		}
	}
	for i := range defs {
		move(&defs[i].Parent)
	}
	for i := range x.sites {
		move(&x.sites[i].In)
	}
	for i := range x.Exprs {
		if e := &x.Exprs[i]; inDefs(e.Op) {
			move(&e.A)
		}
	}
	x.defs, x.values = defs, values
}
