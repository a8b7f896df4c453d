package extract

import "github.com/plumbkit/plumb/index"

// A Table holds the expressions of one file, each distinct one once but for
// those that Append and Reserve add. Reset makes it ready for use.
type Table struct {
	Exprs []index.Expr
	Lists []int32 // where Expr.L0 and L1 point
	// Stack holds operands of lists under construction.
	Stack []int32
	slots []int32 // index+1 by hash, a power of two long
}

// maxSlots is how large a table stays for the next file.
const maxSlots = 1 << 16

// Reset takes out what the last file left.
func (s *Table) Reset() {
	s.Exprs, s.Lists, s.Stack = s.Exprs[:0], s.Lists[:0], s.Stack[:0]
	if len(s.slots) == 0 || len(s.slots) > maxSlots {
		s.slots = make([]int32, 1<<10)
	}
	clear(s.slots)
}

// Make returns the expression without operand list.
func (s *Table) Make(op uint8, name, a, b int32) int32 {
	return s.MakeList(op, name, a, b, len(s.Stack))
}

// Push puts an operand of a list on the stack.
func (s *Table) Push(e int32) { s.Stack = append(s.Stack, e) }

// MakeList returns the expression whose list is the stack from from on, and
// takes that off the stack.
func (s *Table) MakeList(op uint8, name, a, b int32, from int) int32 {
	list := s.Stack[from:]
	s.Stack = s.Stack[:from]
	mask := uint64(len(s.slots) - 1)
	for at := hashExpr(op, name, a, b, list) & mask; ; at = (at + 1) & mask {
		i := s.slots[at] - 1
		if i < 0 {
			e := s.Append(index.Expr{Op: op, Name: name, A: a, B: b}, list)
			s.slots[at] = e + 1
			if 2*len(s.Exprs) > len(s.slots) {
				s.grow()
			}
			return e
		}
		if s.same(i, op, name, a, b, list) {
			return i
		}
	}
}

// Append adds an expression that is never shared, so that Set may change it.
func (s *Table) Append(e index.Expr, list []int32) int32 {
	e.L0 = uint32(len(s.Lists))
	s.Lists = append(s.Lists, list...)
	e.L1 = uint32(len(s.Lists))
	s.Exprs = append(s.Exprs, e)
	return int32(len(s.Exprs) - 1)
}

// Reserve adds an expression that Set fills in later.
func (s *Table) Reserve(op uint8) int32 {
	return s.Append(index.Expr{Op: op, Name: -1, A: -1, B: -1}, nil)
}

// Set fills in a reserved expression; its list is the stack from from on.
func (s *Table) Set(e int32, op uint8, name, a, b int32, from int) int32 {
	x := &s.Exprs[e]
	x.Op, x.Name, x.A, x.B, x.L0 = op, name, a, b, uint32(len(s.Lists))
	s.Lists = append(s.Lists, s.Stack[from:]...)
	x.L1 = uint32(len(s.Lists))
	s.Stack = s.Stack[:from]
	return e
}

func (s *Table) same(i int32, op uint8, name, a, b int32, list []int32) bool {
	e := &s.Exprs[i]
	if e.Op != op || e.Name != name || e.A != a || e.B != b || int(e.L1-e.L0) != len(list) {
		return false
	}
	for k, v := range s.Lists[e.L0:e.L1] {
		if list[k] != v {
			return false
		}
	}
	return true
}

// grow makes room for twice as many.
func (s *Table) grow() {
	old := s.slots
	s.slots = make([]int32, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for _, v := range old {
		if v == 0 {
			continue
		}
		e := &s.Exprs[v-1]
		at := hashExpr(e.Op, e.Name, e.A, e.B, s.Lists[e.L0:e.L1]) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = v
	}
}

func hashExpr(op uint8, name, a, b int32, list []int32) uint64 {
	h := Mix(uint64(op)|uint64(uint32(name))<<8, uint64(uint32(a))|uint64(uint32(b))<<32)
	for _, v := range list {
		h = Mix(h, uint64(uint32(v)))
	}
	return h
}
