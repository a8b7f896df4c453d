package ecmascript

import "github.com/plumbkit/plumb/index"

func (x *extractor) call(n, want int32) int32 {
	function, args := x.child(n, x.g.function), x.child(n, x.g.arguments)
	if function >= 0 && args >= 0 && x.kind(args) == kArguments {
		if k := x.kind(function); k == kImport || k == kIdentifier && x.isRequire(function) {
			if k == kIdentifier && x.literalPath(args) {
				x.use(function, index.RefCall, args, false)
			}
			promise := int32(-1)
			if k == kImport {
				promise = 1
			}
			if e := x.dynamicImport(n, args, promise); e >= 0 {
				return e
			}
			x.site(function, x.word(function), index.RefImport, -1, -1)
			return x.callWith(opCall, n, -1, args, want)
		}
	}
	callee := int32(-1)
	if function >= 0 {
		callee = x.target(function, index.RefCall, args)
	}
	return x.callWith(opCall, n, callee, args, want)
}

func (x *extractor) isRequire(n int32) bool {
	return string(x.t.Text(n)) == "require" && x.bound[x.word(n)].value == 0
}

// literalPath reports whether the arguments of import() or require() begin with a
// path as a literal; any other is computed at run time.
func (x *extractor) literalPath(args int32) bool {
	source := x.firstNamed(args)
	return source >= 0 && x.kind(source) == kString && x.stringValue(source) != ""
}

func (x *extractor) newExpression(n, want int32) int32 {
	constructor, args := x.child(n, x.g.constructor), x.child(n, x.g.arguments)
	callee := int32(-1)
	if constructor >= 0 {
		callee = x.target(constructor, index.RefCall, args)
	}
	return x.callWith(opNew, n, callee, args, want)
}

// callWith reads the arguments of the call at n. Arguments that take their
// types from the callee refer to the call, which is reserved for them.
// want is the type that is expected of the result: what it says of type
// parameters matters to the arguments.
func (x *extractor) callWith(op uint8, n, callee, args, want int32) int32 {
	types, list := int32(-1), x.child(n, x.g.typeArguments)
	expects := args >= 0 && x.kind(args) == kArguments && x.expects(args)
	if list >= 0 || want >= 0 && expects {
		from := len(x.Stack)
		if list >= 0 {
			x.typeList(list)
		}
		types = x.MakeList(opArguments, -1, want, -1, from)
	}
	from := len(x.Stack)
	if args < 0 || x.kind(args) != kArguments {
		if args >= 0 { // a tagged template
			x.Push(x.basic("string"))
			x.expr(args, -1)
		}
		return x.MakeList(op, -1, callee, types, from)
	}
	if !expects {
		x.pushArguments(args, -1)
		return x.MakeList(op, -1, callee, types, from)
	}
	e := x.Reserve(op)
	x.pushArguments(args, e)
	return x.Set(e, op, -1, callee, types, from)
}

func (x *extractor) pushArguments(args, call int32) {
	i := int32(0)
	for c, end := args+1, x.nodes[args].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		want := int32(-1)
		if call >= 0 && (x.takesType(c) || x.kind(c) == kCall) {
			want = x.Make(opArgument, -1, call, i)
		}
		x.Push(x.expr(c, want))
		i++
	}
}

// expects reports whether an argument takes its type, or its parameters', from the callee.
func (x *extractor) expects(args int32) bool {
	for c, end := args+1, x.nodes[args].Next; c < end; c = x.nodes[c].Next {
		if x.takesType(c) {
			return true
		}
	}
	return false
}

func (x *extractor) takesType(n int32) bool {
	switch x.kind(n) {
	case kArrow, kFunction, kObject, kArray, kTernary, kParenthesized, kBinary, kAs, kSatisfies:
		return true
	}
	return false
}

// arguments writes down the argument list at n and returns its index in calls.
func (x *extractor) arguments(n int32) int32 {
	node := &x.nodes[n]
	args := index.Args{Start: int(node.Start), End: int(node.End)}
	for c, end := n+1, node.Next; c < end; c = x.nodes[c].Next {
		switch {
		case !x.nodes[c].Named() || x.kind(c) == kComment || x.kind(n) != kArguments:
		default:
			args.Count++
			args.Spread = args.Spread || x.kind(c) == kSpread
		}
	}
	x.calls = append(x.calls, args)
	return int32(len(x.calls) - 1)
}

func (x *extractor) array(n, want int32) int32 {
	element := int32(-1)
	from := len(x.Stack)
	i := int32(0)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if want >= 0 && x.takesType(c) {
			element = x.Make(opElementOf, -1, want, i)
		}
		e := x.expr(c, element)
		i++
		if len(x.Stack)-from < maxElements {
			x.Push(e)
		}
	}
	return x.MakeList(opArray, -1, -1, -1, from)
}

// maxElements is how many elements of an array literal count for its type.
const maxElements = 24
