package extract

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
)

// The operations of these tests.
const (
	opName uint8 = iota
	opLocal
	opCall
)

func operands(op uint8) (a, b Operand, name bool) {
	switch op {
	case opLocal:
		return ToLocal, Plain, false
	case opCall:
		return ToExpr, Plain, false
	}
	return Plain, Plain, true
}

// covers: IDX-4
func TestPackKeepsWhatIsReferredTo(t *testing.T) {
	var s Table
	s.Reset()
	s.Make(opName, 0, -1, -1) // nothing refers to it
	value := s.Make(opName, 1, -1, -1)
	local := s.Make(opLocal, -1, 0, -1)
	s.Push(value)
	call := s.MakeList(opCall, -1, local, -1, 0)
	head := s.Make(opName, 2, -1, -1)
	found := Found{Table: &s, Operands: operands,
		Defs:   []index.Def{{Name: 3, Owner: -1, Type: head, Value: -1}},
		Sites:  []index.Site{{Start: 9, Name: 1, Expr: value}, {Start: 4, Name: 2, Expr: call}},
		Locals: []index.Local{{Name: 0, Type: -1, Value: value}},
	}
	var f index.Facts
	found.Pack(&f)
	assert.Equal(t, uint32(1), f.HeadExprs, "the definition's comes first")
	assert.Equal(t, []index.Expr{{Op: opName, Name: 2, A: -1, B: -1}, {Op: opCall, Name: -1, A: 2, B: -1, L1: 1},
		{Op: opLocal, Name: -1, A: 0, B: -1, L0: 1, L1: 1}, {Op: opName, Name: 1, A: -1, B: -1, L0: 1, L1: 1}}, f.Exprs)
	assert.Equal(t, []int32{3}, f.Lists)
	assert.Equal(t, []index.Local{{Name: 0, Type: -1, Value: 3}}, f.Locals)
	assert.Equal(t, []index.Site{{Start: 4, Name: 2, Expr: 1}, {Start: 9, Name: 1, Expr: 3}}, found.Sites)

	var words []uint32
	found.EachName(&f, func(word uint32) uint32 {
		words = append(words, word)
		return word + 10
	})
	assert.Equal(t, []uint32{3, 2, 1, 2, 1, 0}, words, "words of names only")
	assert.Equal(t, int32(-1), f.Exprs[1].Name)
	assert.Equal(t, int32(11), f.Exprs[3].Name)
}

// covers: IDX-4
func TestTableSharesWhatIsTheSame(t *testing.T) {
	var s Table
	s.Reset()
	kept := s.Reserve(opCall)
	for i := range int32(5000) {
		assert.Equal(t, i+1, s.Make(opName, i, -1, -1))
	}
	for i := range int32(5000) {
		assert.Equal(t, i+1, s.Make(opName, i, -1, -1), "found again after the table grew")
	}
	assert.Equal(t, int32(5001), s.Make(opCall, -1, -1, -1), "what is reserved is shared with nothing")
	s.Push(7)
	s.Set(kept, opCall, -1, 3, -1, 0)
	assert.Equal(t, []int32{7}, s.Lists[s.Exprs[kept].L0:s.Exprs[kept].L1])
	assert.Empty(t, s.Stack)
}

// covers: IDX-15
func TestMarksStandInTheInnermostDefinition(t *testing.T) {
	defs := []index.Def{{Parent: -1, Range: index.Range{Start: 0, End: 50}}, {Parent: 0, Range: index.Range{Start: 10, End: 40}},
		{Parent: 1, Range: index.Range{Start: 12, End: 15}}, {Parent: -1, Range: index.Range{Start: 60, End: 70}}}
	marks := []index.MarkFact{{Range: index.Range{Start: 80, End: 81}}, {Range: index.Range{Start: 13, End: 14}}, {Range: index.Range{Start: 20, End: 21}},
		{Range: index.Range{Start: 45, End: 46}}, {Range: index.Range{Start: 12, End: 20}}, {Range: index.Range{Start: 60, End: 70}}}
	PlaceMarks(marks, defs, -7)
	var at, in []int32
	for _, m := range marks {
		at, in = append(at, int32(m.Range.Start)), append(in, m.In)
	}
	assert.Equal(t, []int32{12, 13, 20, 45, 60, 80}, at)
	assert.Equal(t, []int32{1, 1, 1, 0, 3, -7}, in)
}
