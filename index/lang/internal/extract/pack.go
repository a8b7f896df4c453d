package extract

import "github.com/plumbkit/plumb/index"

// A packer numbers the expressions and locals that are kept.
type packer struct {
	*Found
	exprs      []int32 // new index by old, -1 not kept
	locals     []int32
	order      []int32 // old indices
	localOrder []int32
	listLen    uint32
}

func fill(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// keep keeps *e and all it refers to, and sets *e to its new index.
func (p *packer) keep(e *int32) {
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
	p.listLen += p.Table.Exprs[e].L1 - p.Table.Exprs[e].L0
}

func (p *packer) addOperands(i int32) {
	e := &p.Table.Exprs[i]
	a, b, _ := p.Operands(e.Op)
	p.addOperand(a, e.A)
	p.addOperand(b, e.B)
	for _, v := range p.Table.Lists[e.L0:e.L1] {
		p.add(v)
	}
}

func (p *packer) addOperand(kind Operand, v int32) {
	switch {
	case v < 0:
	case kind == ToExpr:
		p.add(v)
	case kind == ToLocal && p.locals[v] < 0:
		p.locals[v] = int32(len(p.localOrder))
		p.localOrder = append(p.localOrder, v)
		p.add(p.Locals[v].Type)
		p.add(p.Locals[v].Value)
	}
}

func (p *packer) operand(kind Operand, v int32) int32 {
	switch {
	case v < 0:
		return v
	case kind == ToExpr:
		return p.exprs[v]
	case kind == ToLocal:
		return p.locals[v]
	}
	return v
}

// write writes the kept expressions, lists and locals. Names are still words.
func (p *packer) write(f *index.Facts) {
	f.Exprs, f.Lists = make([]index.Expr, len(p.order)), make([]int32, 0, p.listLen)
	for i, old := range p.order {
		e := p.Table.Exprs[old]
		from := uint32(len(f.Lists))
		for _, v := range p.Table.Lists[e.L0:e.L1] {
			f.Lists = append(f.Lists, p.operand(ToExpr, v))
		}
		e.L0, e.L1 = from, uint32(len(f.Lists))
		a, b, _ := p.Operands(e.Op)
		e.A, e.B = p.operand(a, e.A), p.operand(b, e.B)
		f.Exprs[i] = e
	}
	f.Locals = make([]index.Local, len(p.localOrder))
	for i, old := range p.localOrder {
		l := p.Locals[old]
		f.Locals[i] = index.Local{Name: l.Name, Type: p.operand(ToExpr, l.Type), Value: p.operand(ToExpr, l.Value)}
	}
}
