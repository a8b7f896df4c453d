package golang

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// expr reads the expression at n. Where its value is wanted it returns what
// linking needs to know its type; otherwise it may return -1.
func (x *extractor) expr(n int32, want bool) int32 {
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	switch x.kind(n) {
	case kIdentifier, kTypeIdentifier, kPackageIdentifier, kSelector, kParenthesized:
		return x.target(n, index.RefRead, -1, want)
	case kCall:
		return x.call(n, want)
	case kConversion:
		return x.conversion(n, want)
	case kIndex:
		return x.index(n, want)
	case kInstantiation:
		return x.instantiation(n)
	case kSlice:
		return x.slice(n, want)
	case kAssertion:
		return x.assertion(n, want)
	case kUnary:
		return x.unary(n, want)
	case kBinary:
		return x.binary(n, want)
	case kComposite:
		return x.composite(n)
	case kLiteralValue:
		x.elements(n, -1, -1)
		return -1
	case kFuncLiteral:
		return x.literal(n, want)
	case kString, kRawString:
		x.stringLiteral(n)
		return x.basic(basicString)
	case kInt, kIota:
		return x.basic(basicInt)
	case kFloat:
		return x.basic(basicFloat)
	case kImaginary:
		return x.basic(basicComplex)
	case kRune:
		return x.basic(basicRune)
	case kTrue, kFalse:
		return x.basic(basicBool)
	case kNil:
		return x.basic(basicNil)
	case kVariadicArgument:
		if c := x.firstNamed(n); c >= 0 {
			return x.expr(c, want)
		}
		return -1
	case kQualifiedType, kGenericType, kPointerType, kArrayType, kImplicitArrayType, kSliceType, kMapType, kChannelType,
		kFunctionType, kStructType, kInterfaceType, kParenthesizedType, kNegatedType, kTypeElem:
		return x.typ(n, index.RefType)
	}
	x.visitOther(n)
	return -1
}

// The types of literals.
const (
	basicString = iota
	basicInt
	basicFloat
	basicComplex
	basicRune
	basicBool
	basicNil
	basicCount
)

// basic returns the value of a predeclared type.
func (x *extractor) basic(typ int) int32 {
	if x.basics[typ] < 0 {
		names := [basicCount]string{"string", "int", "float64", "complex128", "rune", "bool", "nil"}
		x.basics[typ] = x.internExtra(names[typ])
	}
	return x.Make(opBasic, x.basics[typ], -1, -1)
}

// target reads an expression whose last name is used in the way of kind: called
// with the argument list args, assigned to, or read.
func (x *extractor) target(n int32, kind index.RefKind, args int32, want bool) int32 {
	switch x.kind(n) {
	case kIdentifier, kTypeIdentifier, kPackageIdentifier:
		return x.use(n, kind, args)
	case kSelector:
		operand, name := x.child(n, x.g.operand), x.child(n, x.g.field)
		e := int32(-1)
		if operand >= 0 {
			e = x.expr(operand, true)
		}
		if name < 0 {
			return -1
		}
		return x.member(e, name, kind, args)
	case kParenthesized:
		if c := x.firstNamed(n); c >= 0 && x.down() {
			e := x.target(c, kind, args, want)
			x.up()
			return e
		}
		return -1
	case kGenericType:
		return x.generic(n, kind, args)
	case kQualifiedType:
		return x.qualified(n, kind, args)
	}
	return x.expr(n, want)
}

func (x *extractor) call(n int32, want bool) int32 {
	function, args := x.child(n, x.g.function), x.child(n, x.g.arguments)
	callee := int32(-1)
	if function >= 0 {
		callee = x.target(function, index.RefCall, args, want)
	}
	if x.Role(n)&extract.RoleMarks == 0 {
		return x.callWith(n, callee, args, want)
	}
	outer := x.subtest
	if name := x.markCall(n, callee); name != "" {
		x.subtest = name
	}
	e := x.callWith(n, callee, args, want)
	x.subtest = outer
	return e
}

// callWith reads the arguments of the call at n.
func (x *extractor) callWith(n, callee, args int32, want bool) int32 {
	from := len(x.Stack)
	if types := x.child(n, x.g.typeArguments); types >= 0 {
		x.typeList(types)
		callee = x.MakeList(opIndex, -1, callee, -1, from)
	}
	if args >= 0 {
		x.list(args, want)
	}
	if !want {
		x.Stack = x.Stack[:from]
		return -1
	}
	return x.MakeList(opCall, -1, callee, -1, from)
}

// list pushes the expressions among n's children.
func (x *extractor) list(n int32, want bool) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.Push(x.expr(c, want))
		}
	}
}

// conversion reads T(v) for a type that is no plain name, and f[T](v), which
// the grammar takes for a conversion.
func (x *extractor) conversion(n int32, want bool) int32 {
	typ, operand := x.child(n, x.g.typ), x.child(n, x.g.operand)
	callee := int32(-1)
	switch {
	case typ < 0:
	case x.Is(n, extract.RoleCall):
		callee = x.generic(typ, index.RefCall, n)
	default:
		callee = x.typ(typ, index.RefType)
	}
	from := len(x.Stack)
	if operand >= 0 {
		x.Push(x.expr(operand, want))
	}
	if !want {
		x.Stack = x.Stack[:from]
		return -1
	}
	return x.MakeList(opCall, -1, callee, -1, from)
}

// arguments writes down the argument list at n and returns its index in calls.
// n is an argument_list, or a conversion that is really a call.
func (x *extractor) arguments(n int32) int32 {
	node := &x.nodes[n]
	args := index.Args{Start: int(node.Start), End: int(node.End)}
	conversion := x.kind(n) == kConversion
	only := int32(-1)
	for c, end := n+1, node.Next; c < end; c = x.nodes[c].Next {
		switch k := x.kind(c); {
		case conversion && x.nodes[c].Field == x.g.typ:
			args.Start = int(x.nodes[c].End)
		case !x.nodes[c].Named() || k == kComment:
		default:
			args.Count++
			args.Spread = args.Spread || k == kVariadicArgument
			only = c
		}
	}
	if args.Count == 1 && x.mayBeSeveral(only) {
		args.Spread = true
	}
	x.calls = append(x.calls, args)
	return int32(len(x.calls) - 1)
}

// mayBeSeveral reports whether the expression at n can have several values: a
// call, unless it calls a type or builtin that the grammar or name gives away.
func (x *extractor) mayBeSeveral(n int32) bool {
	for x.kind(n) == kParenthesized {
		if n = x.firstNamed(n); n < 0 {
			return false
		}
	}
	if x.kind(n) != kCall {
		return false
	}
	function := x.child(n, x.g.function)
	if function < 0 || x.kind(function) != kIdentifier {
		return true
	}
	word := x.word(function)
	if x.bound[word].to == 0 && isBuiltin(string(x.text(word))) {
		return false
	}
	return x.bound[word].to != 0 || x.special(word) == wordOrdinary || x.special(word) == wordDeclared
}

func (x *extractor) index(n int32, want bool) int32 {
	a := int32(-1)
	x.field(n, x.g.operand, func(c int32) { a = x.expr(c, want) })
	from := len(x.Stack)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.nodes[c].Field != x.g.operand && x.kind(c) != kComment {
			x.Push(x.expr(c, want))
		}
	}
	if !want {
		x.Stack = x.Stack[:from]
		return -1
	}
	return x.MakeList(opIndex, -1, a, -1, from)
}

// instantiation reads f[A, B] where it stands as a value.
func (x *extractor) instantiation(n int32) int32 {
	base := int32(-1)
	from := len(x.Stack)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case !x.nodes[c].Named() || x.kind(c) == kComment:
		case base < 0 && len(x.Stack) == from && x.nodes[c].Field == x.g.typ:
			base = x.typ(c, index.RefRead)
		default:
			x.Push(x.typ(c, index.RefType))
		}
	}
	return x.MakeList(opIndex, -1, base, -1, from)
}

func (x *extractor) slice(n int32, want bool) int32 {
	a := int32(-1)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.nodes[c].Field == x.g.operand:
			a = x.expr(c, want)
		case x.nodes[c].Named() && x.kind(c) != kComment:
			x.expr(c, false)
		}
	}
	if !want {
		return -1
	}
	return x.Make(opSlice, -1, a, -1)
}

func (x *extractor) assertion(n int32, want bool) int32 {
	a, typ := int32(-1), int32(-1)
	x.field(n, x.g.operand, func(c int32) { a = x.expr(c, want) })
	x.field(n, x.g.typ, func(c int32) { typ = x.typ(c, index.RefType) })
	if !want {
		return -1
	}
	return x.Make(opAssert, -1, a, typ)
}

func (x *extractor) unary(n int32, want bool) int32 {
	a := int32(-1)
	x.field(n, x.g.operand, func(c int32) { a = x.expr(c, want) })
	if !want {
		return -1
	}
	switch x.src[x.nodes[n].Start] {
	case '*':
		return x.Make(opStar, -1, a, -1)
	case '&':
		return x.Make(opAddr, -1, a, -1)
	case '<':
		return x.Make(opRecv, -1, a, -1)
	case '!':
		return x.basic(basicBool)
	}
	return x.Make(opUnary, -1, a, -1)
}

func (x *extractor) binary(n int32, want bool) int32 {
	op := x.child(n, x.g.operator)
	if want && op >= 0 {
		switch string(x.t.Text(op)) {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			x.binaryOperands(n, false)
			return x.basic(basicBool)
		}
	}
	a, b := x.binaryOperands(n, want)
	if !want {
		return -1
	}
	return x.Make(opBinary, -1, a, b)
}

func (x *extractor) binaryOperands(n int32, want bool) (a, b int32) {
	a, b = -1, -1
	x.field(n, x.g.left, func(c int32) { a = x.expr(c, want) })
	x.field(n, x.g.right, func(c int32) { b = x.expr(c, want) })
	return a, b
}

// literal reads a function literal.
func (x *extractor) literal(n int32, want bool) int32 {
	inside := x.inside
	x.inside = true
	mark := x.open()
	typ := x.signature(n, -1)
	if body := x.child(n, x.g.body); body >= 0 {
		x.children(body)
	}
	x.close(mark)
	x.inside = inside
	if !want {
		return -1
	}
	return x.Make(opFuncLit, -1, typ, -1)
}

// stringLiteral records a string literal that has the shape of an identifier: it may
// name a symbol.
func (x *extractor) stringLiteral(n int32) {
	node := &x.nodes[n]
	if node.End-node.Start < minName+2 || !isIdentifier(x.src[node.Start+1:node.End-1]) {
		return
	}
	word := x.intern(node.Start+1, node.End-1)
	x.sites = append(x.sites, index.Site{Name: uint32(word), Start: node.Start + 1, In: x.in, Kind: index.RefString, Expr: -1, Call: -1})
}

// minName is the length from which on a string may be a symbol's name.
const minName = 3

func isIdentifier(s []byte) bool {
	for i, c := range s {
		if c < 0x80 && !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}
