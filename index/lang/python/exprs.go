package python

import "github.com/plumbkit/plumb/index"

// exprTable holds the expressions of one file, each distinct one once.
type exprTable struct {
	exprs []index.Expr
	lists []int32
	slots []int32 // index+1 by hash, a power of two long
	stack []int32 // operands of lists under construction
}

func (s *exprTable) reset() {
	s.exprs, s.lists, s.stack = s.exprs[:0], s.lists[:0], s.stack[:0]
	if len(s.slots) == 0 || len(s.slots) > 1<<16 {
		s.slots = make([]int32, 1<<10)
	}
	clear(s.slots)
}

// make returns the expression without operand list.
func (s *exprTable) make(op uint8, name, a, b int32) int32 {
	return s.makeList(op, name, a, b, len(s.stack))
}

func (s *exprTable) push(e int32) { s.stack = append(s.stack, e) }

// makeList returns the expression whose list is the stack from from on, and
// takes that off the stack.
func (s *exprTable) makeList(op uint8, name, a, b int32, from int) int32 {
	list := s.stack[from:]
	s.stack = s.stack[:from]
	h := hashExpr(op, name, a, b, list)
	mask := uint64(len(s.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		i := s.slots[at] - 1
		if i < 0 {
			e := index.Expr{Op: op, Name: name, A: a, B: b, L0: uint32(len(s.lists))}
			s.lists = append(s.lists, list...)
			e.L1 = uint32(len(s.lists))
			s.exprs = append(s.exprs, e)
			s.slots[at] = int32(len(s.exprs))
			if 2*len(s.exprs) > len(s.slots) {
				s.grow()
			}
			return int32(len(s.exprs) - 1)
		}
		if s.same(i, op, name, a, b, list) {
			return i
		}
	}
}

func (s *exprTable) same(i int32, op uint8, name, a, b int32, list []int32) bool {
	e := &s.exprs[i]
	if e.Op != op || e.Name != name || e.A != a || e.B != b || int(e.L1-e.L0) != len(list) {
		return false
	}
	for k, v := range s.lists[e.L0:e.L1] {
		if list[k] != v {
			return false
		}
	}
	return true
}

func (s *exprTable) grow() {
	s.slots = make([]int32, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	for i := range s.exprs {
		e := &s.exprs[i]
		at := hashExpr(e.Op, e.Name, e.A, e.B, s.lists[e.L0:e.L1]) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = int32(i) + 1
	}
}

func hashExpr(op uint8, name, a, b int32, list []int32) uint64 {
	h := mix(uint64(op)|uint64(uint32(name))<<8, uint64(uint32(a))|uint64(uint32(b))<<32)
	for _, v := range list {
		h = mix(h, uint64(uint32(v)))
	}
	return h
}

// maxUnion is how many values a variable may have at one place; with more it is
// not known.
const maxUnion = 24

// union returns the union of values: -1 when one of them is not known or there
// are too many.
func (s *exprTable) union(values []int32) int32 {
	from := len(s.stack)
	for _, v := range values {
		if v < 0 {
			s.stack = s.stack[:from]
			return -1
		}
		s.pushNew(from, v)
	}
	switch n := len(s.stack) - from; {
	case n == 0 || n > maxUnion:
		s.stack = s.stack[:from]
		return -1
	case n == 1:
		v := s.stack[from]
		s.stack = s.stack[:from]
		return v
	}
	return s.makeList(opUnion, -1, -1, -1, from)
}

// pushNew pushes v, or the parts of the union v, unless they stand on the stack
// from from on.
func (s *exprTable) pushNew(from int, v int32) {
	if e := s.exprs[v]; e.Op == opUnion {
		for _, part := range s.lists[e.L0:e.L1] {
			s.pushNew(from, part)
		}
		return
	}
	for _, old := range s.stack[from:] {
		if old == v {
			return
		}
	}
	s.push(v)
}
