package golang

import (
	"go/scanner"
	"go/token"

	"github.com/plumbkit/plumb/index"
)

// readFile reads the file, mending it first where it is broken: its
// declarations are told apart by keywords at the start of a line.
func (x *extractor) readFile(t *index.Tree) {
	if t.HasError && x.mender.Mend(x.g.lang, x.src, declarationStarts(x.src), 1, x.read) {
		x.sortDefs()
		return
	}
	x.read(t)
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

// sortDefs puts the definitions of several readings in order.
func (x *extractor) sortDefs() {
	found := x.found()
	place := found.SortDefs()
	if place == nil {
		return
	}
	x.defs = found.Defs
	for i := range x.Exprs {
		if e := &x.Exprs[i]; e.Op == opStruct || e.Op == opInterface {
			moveMembers(e, place)
		}
	}
}

// moveMembers renumbers the definitions of a literal type. A literal's members
// stay together, because a reading's definitions stay together or between others'.
func moveMembers(e *index.Expr, place []int32) {
	if e.A >= 0 {
		e.A = place[e.A]
	}
	if e.B < e.Name {
		e.B, e.Name = place[e.B], place[e.Name-1]+1
		return
	}
	e.Name = e.B
}
