package python

// maxUnion is how many values a variable may have at one place; with more it is
// not known.
const maxUnion = 24

// union returns the union of values: -1 when one of them is not known or there
// are too many.
func (x *extractor) union(values []int32) int32 {
	from := len(x.Stack)
	for _, v := range values {
		if v < 0 {
			x.Stack = x.Stack[:from]
			return -1
		}
		x.pushNew(from, v)
	}
	switch n := len(x.Stack) - from; {
	case n == 0 || n > maxUnion:
		x.Stack = x.Stack[:from]
		return -1
	case n == 1:
		v := x.Stack[from]
		x.Stack = x.Stack[:from]
		return v
	}
	return x.MakeList(opUnion, -1, -1, -1, from)
}

// pushNew pushes v, or the parts of the union v, unless they stand on the stack
// from from on.
func (x *extractor) pushNew(from int, v int32) {
	if e := x.Exprs[v]; e.Op == opUnion {
		for _, part := range x.Lists[e.L0:e.L1] {
			x.pushNew(from, part)
		}
		return
	}
	for _, old := range x.Stack[from:] {
		if old == v {
			return
		}
	}
	x.Push(v)
}
