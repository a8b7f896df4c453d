// Package extract holds what the extractions of all languages have in common:
// the table of the expressions of a file, and the way of what was found into
// index.Facts. What a language's operations mean, and where names are bound, is
// the language's own.
//
// Nothing here is safe for use by several goroutines at once.
package extract

import (
	"cmp"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// An Operand tells what A or B of an expression refers to.
type Operand uint8

// The kinds of operands.
const (
	Plain   Operand = iota // nothing: a number, or not used
	ToExpr                 // the Table's Exprs
	ToLocal                // Found.Locals
	ToDef                  // Found.Defs
)

// Operands tells of an operation what A and B refer to, and whether Name is a
// word. Lists always refer to expressions.
type Operands func(op uint8) (a, b Operand, name bool)

// Found is what the extraction of one file has found. Names are words, numbered
// by the language, until EachName. Where an index has a sign, a negative one
// stands for none.
type Found struct {
	Table    *Table
	Operands Operands
	Defs     []index.Def
	Sites    []index.Site
	Locals   []index.Local
}

// Pack writes Exprs, Lists, Locals, and how many of them belong to the head, to
// f: only expressions and locals that something refers to, those of definitions
// first. It changes what refers to them, and puts the sites in order.
func (d *Found) Pack(f *index.Facts) {
	p := packer{Found: d, exprs: fill(len(d.Table.Exprs)), locals: fill(len(d.Locals))}
	for i := range d.Defs {
		p.keep(&d.Defs[i].Type)
		p.keep(&d.Defs[i].Value)
	}
	f.HeadExprs, f.HeadLists, f.HeadLocals = uint32(len(p.order)), p.listLen, uint32(len(p.localOrder))
	if !slices.IsSortedFunc(d.Sites, bySiteStart) {
		slices.SortStableFunc(d.Sites, bySiteStart)
	}
	for i := range d.Sites {
		p.keep(&d.Sites[i].Expr)
	}
	p.write(f)
}

func bySiteStart(a, b index.Site) int { return cmp.Compare(a.Start, b.Start) }

// EachName sets each word of the definitions and sites, and of the expressions
// and locals that Pack wrote to f, to what place returns for it. The words come
// in that order, one as often as it stands there.
func (d *Found) EachName(f *index.Facts, place func(word uint32) uint32) {
	for i := range d.Defs {
		def := &d.Defs[i]
		if def.Name = place(def.Name); def.Owner >= 0 {
			def.Owner = int32(place(uint32(def.Owner)))
		}
	}
	for i := range d.Sites {
		d.Sites[i].Name = place(d.Sites[i].Name)
	}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		if e.Name < 0 {
			continue
		}
		if _, _, name := d.Operands(e.Op); name {
			e.Name = int32(place(uint32(e.Name)))
		}
	}
	for i := range f.Locals {
		f.Locals[i].Name = place(f.Locals[i].Name)
	}
}

// Exact returns a copy without spare room, nil when s is empty.
func Exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	out := make([]T, len(s))
	copy(out, s)
	return out
}
