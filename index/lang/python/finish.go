package python

import (
	"cmp"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// finish moves what was found into the Facts: only expressions, locals and
// names that something refers to, those of definitions first.
func (x *extractor) finish() {
	p := packer{x: x, exprs: fill(len(x.exprs)), locals: fill(len(x.locals))}
	for i := range x.defs {
		p.keepExpr(&x.defs[i].Type)
		p.keepExpr(&x.defs[i].Value)
	}
	f := x.f
	f.HeadExprs, f.HeadLists, f.HeadLocals = uint32(len(p.order)), p.listLen, uint32(len(p.localOrder))
	slices.SortStableFunc(x.sites, func(a, b index.Site) int { return cmp.Compare(a.Start, b.Start) })
	for i := range x.sites {
		p.keepExpr(&x.sites[i].Expr)
		x.used[x.sites[i].Name] = true
	}
	p.write(f)
	x.writeNames(f)
	f.Defs, f.Sites, f.Calls = exact(x.defs), exact(x.sites), exact(x.calls)
	f.Marks, f.Params = exact(x.marks), exact(x.params)
}

// exact returns a copy without spare room, nil when it is empty.
func exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	out := make([]T, len(s))
	copy(out, s)
	return out
}

func fill(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// A packer numbers the expressions and locals that are kept.
type packer struct {
	x          *extractor
	exprs      []int32 // new index by old, -1 not kept
	locals     []int32
	order      []int32 // old indices
	localOrder []int32
	listLen    uint32
}

// keepExpr keeps *e and all it refers to, and sets *e to its new index.
func (p *packer) keepExpr(e *int32) {
	if *e < 0 {
		return
	}
	if p.exprs[*e] < 0 {
		next := len(p.order)
		p.add(*e)
		for ; next < len(p.order); next++ {
			p.addOperands(p.order[next])
		}
	}
	*e = p.exprs[*e]
}

func (p *packer) add(e int32) {
	if e < 0 || p.exprs[e] >= 0 {
		return
	}
	p.exprs[e] = int32(len(p.order))
	p.order = append(p.order, e)
	p.listLen += p.x.exprs[e].L1 - p.x.exprs[e].L0
}

func (p *packer) addOperands(i int32) {
	e := &p.x.exprs[i]
	a, b := hasOperands(e.Op)
	if a {
		p.add(e.A)
	}
	if b {
		p.add(e.B)
	}
	for _, v := range p.x.lists[e.L0:e.L1] {
		p.add(v)
	}
	if e.Op == opLocal && p.locals[e.A] < 0 {
		p.locals[e.A] = int32(len(p.localOrder))
		p.localOrder = append(p.localOrder, e.A)
		p.add(p.x.locals[e.A].Type)
		p.add(p.x.locals[e.A].Value)
	}
}

func (p *packer) index(e int32) int32 {
	if e < 0 {
		return -1
	}
	return p.exprs[e]
}

// write writes the kept expressions, lists and locals. Names are still words.
func (p *packer) write(f *index.Facts) {
	f.Exprs, f.Lists = make([]index.Expr, len(p.order)), make([]int32, 0, p.listLen)
	for i, old := range p.order {
		e := p.x.exprs[old]
		from := uint32(len(f.Lists))
		for _, v := range p.x.lists[e.L0:e.L1] {
			f.Lists = append(f.Lists, p.index(v))
		}
		e.L0, e.L1 = from, uint32(len(f.Lists))
		a, b := hasOperands(e.Op)
		switch {
		case a:
			e.A = p.index(e.A)
		case e.Op == opLocal:
			e.A = p.locals[e.A]
		}
		if b {
			e.B = p.index(e.B)
		}
		f.Exprs[i] = e
	}
	f.Locals = make([]index.Local, len(p.localOrder))
	for i, old := range p.localOrder {
		l := p.x.locals[old]
		f.Locals[i] = index.Local{Name: l.Name, Type: p.index(l.Type), Value: p.index(l.Value)}
	}
}

// writeNames writes the names and turns words into indices of Names.
func (x *extractor) writeNames(f *index.Facts) {
	for i := range x.defs {
		x.used[x.defs[i].Name] = true
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Name >= 0 {
			x.used[e.Name] = true
		}
	}
	for i := range f.Locals {
		x.used[f.Locals[i].Name] = true
	}
	list, place := x.names.kept()
	f.Names = list
	for i := range x.defs {
		x.defs[i].Name = uint32(place[x.defs[i].Name])
	}
	for i := range x.sites {
		x.sites[i].Name = uint32(place[x.sites[i].Name])
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Name >= 0 {
			e.Name = place[e.Name]
		}
	}
	for i := range f.Locals {
		f.Locals[i].Name = uint32(place[f.Locals[i].Name])
	}
}
