package ecmascript

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
	if !slices.IsSortedFunc(x.sites, bySiteStart) {
		slices.SortStableFunc(x.sites, bySiteStart)
	}
	for i := range x.sites {
		p.keepExpr(&x.sites[i].Expr)
	}
	p.write(f)
	x.writeNames(f)
	f.Defs, f.Sites, f.Calls, f.Params = exact(x.defs), exact(x.sites), exact(x.calls), exact(x.params)
	f.Marks = exact(x.marks)
}

// exact returns a copy without spare room, nil when it is empty.
func exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return slices.Clip(append([]T(nil), s...))
}

func bySiteStart(a, b index.Site) int { return cmp.Compare(a.Start, b.Start) }

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
	a, b, _ := operandsOf(e.Op)
	p.addOperand(a, e.A)
	p.addOperand(b, e.B)
	for _, v := range p.x.lists[e.L0:e.L1] {
		p.add(v)
	}
}

func (p *packer) addOperand(kind operand, v int32) {
	switch {
	case v < 0:
	case kind == toExpr:
		p.add(v)
	case kind == toLocal && p.locals[v] < 0:
		p.locals[v] = int32(len(p.localOrder))
		p.localOrder = append(p.localOrder, v)
		p.add(p.x.locals[v].Type)
		p.add(p.x.locals[v].Value)
	}
}

func (p *packer) index(e int32) int32 {
	if e < 0 {
		return -1
	}
	return p.exprs[e]
}

func (p *packer) operand(kind operand, v int32) int32 {
	switch {
	case v < 0:
		return v
	case kind == toExpr:
		return p.exprs[v]
	case kind == toLocal:
		return p.locals[v]
	}
	return v
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
		a, b, _ := operandsOf(e.Op)
		e.A, e.B = p.operand(a, e.A), p.operand(b, e.B)
		f.Exprs[i] = e
	}
	f.Locals = make([]index.Local, len(p.localOrder))
	for i, old := range p.localOrder {
		l := p.x.locals[old]
		f.Locals[i] = index.Local{Name: l.Name, Type: p.index(l.Type), Value: p.index(l.Value)}
	}
}

// writeNames writes the names in use and turns words into indices of Names.
func (x *extractor) writeNames(f *index.Facts) {
	keep := func(id uint32) uint32 {
		w := &x.words[id]
		if w.place < 0 {
			w.place = int32(len(f.Names))
			f.Names = append(f.Names, w.text)
		}
		return uint32(w.place)
	}
	for i := range x.defs {
		d := &x.defs[i]
		d.Name = keep(d.Name)
		if d.Owner >= 0 {
			d.Owner = int32(keep(uint32(d.Owner)))
		}
	}
	for i := range x.sites {
		x.sites[i].Name = keep(x.sites[i].Name)
	}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		if _, _, name := operandsOf(e.Op); name && e.Name >= 0 {
			e.Name = int32(keep(uint32(e.Name)))
		}
	}
	for i := range f.Locals {
		f.Locals[i].Name = keep(f.Locals[i].Name)
	}
}
