package golang

import (
	"cmp"
	"context"
	"go/scanner"
	"go/token"
	"slices"
	"time"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxMended is how many broken declarations of one file are read apart from
// the rest; the file is parsed once more for each.
const maxMended = 8

// mendTimeout bounds each of a mended file's parses.
const mendTimeout = time.Second / 4

// mend reads a file that does not follow the grammar so that a mistake costs
// only the declaration it stands in: a missing bracket would otherwise swallow
// all that follows. The declarations, told apart by keywords at the start of a
// line, are parsed one by one; then the intact ones together and each broken
// one alone, in a source whose other bytes are blank, so that offsets stay.
// It returns false when that does not single out the mistakes.
func (x *extractor) mend() bool {
	starts := declarationStarts(x.src)
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

// declarationStarts returns the offsets of the keywords that begin a line and
// a declaration; a comment directly above belongs to it.
func declarationStarts(src []byte) (starts []int) {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	comment, commentEnd := -1, 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return starts
		}
		at := file.Offset(pos)
		if at > 0 && src[at-1] != '\n' {
			continue
		}
		switch tok {
		case token.COMMENT:
			if comment < 0 || !oneLineOn(src[commentEnd:at]) {
				comment = at
			}
			commentEnd = at + len(lit)
		case token.FUNC, token.TYPE, token.VAR, token.CONST:
			if comment >= 0 && oneLineOn(src[min(commentEnd, at):at]) {
				at = comment
			}
			starts, comment = append(starts, at), -1
		}
	}
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
	place, defs := make([]int32, len(order)), make([]index.Def, len(order))
	for i, old := range order {
		place[old], defs[i] = int32(i), x.defs[old]
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
		switch e := &x.Exprs[i]; e.Op {
		case opDef:
			move(&e.A)
		case opStruct, opInterface:
			x.moveMembers(e, place)
		}
	}
	x.defs = defs
}

// moveMembers renumbers the definitions of a literal type. A literal's members
// stay together, because a reading's definitions stay together or between others'.
func (x *extractor) moveMembers(e *index.Expr, place []int32) {
	if e.A >= 0 {
		e.A = place[e.A]
	}
	if e.B < e.Name {
		e.B, e.Name = place[e.B], place[e.Name-1]+1
		return
	}
	e.Name = e.B
}

// readFile reads the file, mending it first where it is broken.
func (x *extractor) readFile(t *index.Tree) {
	if t.HasError && x.mend() {
		x.sortDefs()
		return
	}
	x.read(t)
}
