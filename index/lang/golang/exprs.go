package golang

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
	h := hashExpr(op, name, a, b)
	for _, v := range list {
		h = mix(h, uint64(uint32(v)))
	}
	mask := uint64(len(s.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
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

// append adds an expression that is never shared.
func (s *exprTable) append(e index.Expr, list []int32) int32 {
	e.L0 = uint32(len(s.lists))
	s.lists = append(s.lists, list...)
	e.L1 = uint32(len(s.lists))
	s.exprs = append(s.exprs, e)
	return int32(len(s.exprs) - 1)
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
		h := hashExpr(e.Op, e.Name, e.A, e.B)
		for _, v := range s.lists[e.L0:e.L1] {
			h = mix(h, uint64(uint32(v)))
		}
		at := h & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = int32(i) + 1
	}
}

func hashExpr(op uint8, name, a, b int32) uint64 {
	return mix(uint64(op)|uint64(uint32(name))<<8, uint64(uint32(a))|uint64(uint32(b))<<32)
}

// hasOperands reports whether A and B of an operation are expressions.
func hasOperands(op uint8) (a, b bool) {
	switch op {
	case opSelect, opAssert, opBinary, opMap:
		return true, true
	case opComposite:
		return true, true
	case opTypeParam:
		return false, true
	case opUnknown, opName, opLocal, opDef, opBasic, opFuncType, opStruct, opInterface, opUnion:
		return false, false
	}
	return true, false
}

// hasName reports whether Name of an operation refers to Names.
func hasName(op uint8) bool {
	switch op {
	case opComposite, opStruct, opInterface:
		return false
	}
	return true
}
