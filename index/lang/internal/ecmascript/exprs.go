package ecmascript

import "github.com/plumbkit/plumb/index"

// exprTable holds the expressions of one file, each distinct one once but for
// those that append makes.
type exprTable struct {
	exprs []index.Expr
	lists []int32
	slots []int32 // index+1 by hash, a power of two long
	stack []int32 // operands of lists under construction
}

func (s *exprTable) reset() {
	s.exprs, s.lists, s.stack = s.exprs[:0], s.lists[:0], s.stack[:0]
	if len(s.slots) == 0 {
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
	mask := uint64(len(s.slots) - 1)
	for at := hashExpr(op, name, a, b, list) & mask; ; at = (at + 1) & mask {
		i := s.slots[at] - 1
		if i < 0 {
			e := s.append(index.Expr{Op: op, Name: name, A: a, B: b}, list)
			s.slots[at] = e + 1
			if 2*len(s.exprs) > len(s.slots) {
				s.grow()
			}
			return e
		}
		if s.same(i, op, name, a, b, list) {
			return i
		}
	}
}

// append adds an expression that is never shared, so that set may change it.
func (s *exprTable) append(e index.Expr, list []int32) int32 {
	e.L0 = uint32(len(s.lists))
	s.lists = append(s.lists, list...)
	e.L1 = uint32(len(s.lists))
	s.exprs = append(s.exprs, e)
	return int32(len(s.exprs) - 1)
}

// reserve adds an expression that set fills in later.
func (s *exprTable) reserve(op uint8) int32 {
	return s.append(index.Expr{Op: op, Name: -1, A: -1, B: -1}, nil)
}

// set fills in a reserved expression; its list is the stack from from on.
func (s *exprTable) set(e int32, op uint8, name, a, b int32, from int) int32 {
	x := &s.exprs[e]
	x.Op, x.Name, x.A, x.B, x.L0 = op, name, a, b, uint32(len(s.lists))
	s.lists = append(s.lists, s.stack[from:]...)
	x.L1 = uint32(len(s.lists))
	s.stack = s.stack[:from]
	return e
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

// grow makes room for twice as many. Reserved expressions come in as well:
// what they hold by then no longer changes, or is found by nobody.
func (s *exprTable) grow() {
	old := s.slots
	s.slots = make([]int32, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for _, v := range old {
		if v == 0 {
			continue
		}
		e := &s.exprs[v-1]
		at := hashExpr(e.Op, e.Name, e.A, e.B, s.lists[e.L0:e.L1]) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = v
	}
}

func hashExpr(op uint8, name, a, b int32, list []int32) uint64 {
	h := mix(uint64(op)|uint64(uint32(name))<<8, uint64(uint32(a))|uint64(uint32(b))<<32)
	for _, v := range list {
		h = mix(h, uint64(uint32(v)))
	}
	return h
}
