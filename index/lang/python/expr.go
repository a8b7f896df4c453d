package python

import (
	"bytes"

	"github.com/plumbkit/plumb/index"
)

// expr reads an expression, records the references in it and returns what it
// is, -1 if that is not known.
func (x *extractor) expr(n int32) int32 {
	if n < 0 || !x.down() {
		if n >= 0 {
			x.up()
		}
		return -1
	}
	defer x.up()
	switch x.kind(n) {
	case kIdentifier:
		kind := index.RefRead
		if x.typing {
			kind = index.RefType
		}
		return x.use(n, kind, -1)
	case kAttribute:
		kind := index.RefRead
		if x.typing {
			kind = index.RefType
		}
		return x.attribute(n, kind, -1)
	case kCall:
		return x.call(n)
	case kSubscript, kGenericType:
		return x.subscript(n)
	case kString, kConcatenatedString:
		return x.stringValue(n)
	case kParenthesizedExpression, kType, kConstrainedType, kMemberType:
		return x.wrapped(n)
	case kNamedExpression:
		value := x.expr(x.child(n, x.g.value))
		if name := x.child(n, x.g.name); name >= 0 {
			x.target(name, value, -1, name)
		}
		return value
	case kLambda:
		return x.lambda(n)
	case kAwait:
		return x.derived(opAwait, x.first(n))
	case kYield:
		return x.yield(n)
	}
	return x.compoundValue(n)
}

// wrapped reads what has one value in brackets.
func (x *extractor) wrapped(n int32) int32 {
	e := int32(-1)
	x.each(n, func(c int32) { e = x.expr(c) })
	return e
}

func (x *extractor) derived(op uint8, operand int32) int32 {
	if e := x.expr(operand); e >= 0 {
		return x.Make(op, -1, e, -1)
	}
	return -1
}

func (x *extractor) compoundValue(n int32) int32 {
	switch x.kind(n) {
	case kInteger:
		return x.constant("int")
	case kFloat:
		return x.constant("float")
	case kTrue, kFalse:
		return x.constant("bool")
	case kNone:
		return x.constant("None")
	case kEllipsis:
		return x.constant("ellipsis")
	case kTuple, kExpressionList:
		return x.collection(n, opTuple)
	case kList:
		return x.collection(n, opList)
	case kSet:
		return x.collection(n, opSet)
	case kDictionary:
		return x.dictionary(n)
	case kListComprehension, kSetComprehension, kGeneratorExpression, kDictionaryComprehension:
		return x.comprehension(n)
	case kConditionalExpression:
		return x.conditional(n)
	case kBooleanOperator:
		return x.boolean(n)
	case kNotOperator:
		x.operands(n)
		return x.constant("bool")
	case kComparisonOperator:
		x.operands(n)
		return x.constant("bool")
	case kBinaryOperator, kUnionType:
		return x.binary(n)
	case kListSplat, kDictionarySplat, kParenthesizedListSplat, kSplatType:
		if e := x.derived(opSpread, x.first(n)); e >= 0 {
			return e
		}
		return x.Make(opSpread, -1, -1, -1)
	case kUnaryOperator:
		return x.wrapped(n)
	case kAssignment:
		return x.assignment(n)
	case kDottedName:
		return x.dotted(n)
	}
	x.each(n, func(c int32) { x.statementOrExpr(c) })
	return -1
}

// statementOrExpr reads what stands where the grammar found an error.
func (x *extractor) statementOrExpr(n int32) {
	switch x.kind(n) {
	case kBlock, kExpressionStatement, kFunctionDefinition, kClassDefinition, kDecoratedDefinition, kIfStatement, kForStatement,
		kWhileStatement, kTryStatement, kWithStatement, kReturnStatement, kImportStatement, kImportFromStatement, kAugmentedAssignment:
		x.statement(n)
	default:
		x.expr(n)
	}
}

func (x *extractor) constant(typ string) int32 {
	return x.Make(opConst, x.internText(typ), -1, -1)
}

// attribute reads a.b and records the reference to b.
func (x *extractor) attribute(n int32, kind index.RefKind, args int32) int32 {
	object, name := x.child(n, x.g.object), x.child(n, x.g.attribute)
	base := x.expr(object)
	if name < 0 || x.nodes[name].Start == x.nodes[name].End {
		return -1
	}
	word := x.word(name)
	e := x.Make(opAttr, word, base, -1)
	x.site(name, word, kind, e, args)
	x.skipMark(n, object, x.words[word])
	if v := x.path(n); v != nil && v.cur >= 0 {
		return v.cur
	}
	return e
}

// path returns what is known of the attribute n of a variable, nil if nothing is.
func (x *extractor) path(n int32) *variable {
	if f := x.fn; f == nil || f.kind == frameModule || f.kind == frameClass || !x.isPath(n) {
		return nil
	}
	id, ok := x.ids[string(x.t.Text(n))]
	if !ok {
		return nil
	}
	f := x.function()
	if b := x.binding(id); b.frame == f {
		return &f.vars[b.at]
	}
	return nil
}

// isPath reports whether n is a chain of at most three names.
func (x *extractor) isPath(n int32) bool {
	for range 3 {
		if x.kind(n) == kIdentifier {
			return true
		}
		if x.kind(n) != kAttribute {
			return false
		}
		n = x.child(n, x.g.object)
		if n < 0 {
			return false
		}
	}
	return false
}

// remember notes what the attribute n holds after an assignment.
func (x *extractor) remember(n, value int32) {
	f := x.function()
	if f.kind != frameFunction || !x.isPath(n) || x.fn != f {
		return
	}
	if value == unbound {
		return
	}
	v := x.bind(f, x.intern(x.t.Text(n)))
	v.path, v.cur = true, value
	if value < 0 {
		v.cur = unbound
	}
	x.forgetBelow(f, v.word)
}

func (x *extractor) forgetBelow(f *frame, word int32) {
	prefix := append([]byte(x.words[word]), '.')
	for i := range f.vars {
		if p := &f.vars[i]; p.path && bytes.HasPrefix([]byte(x.words[p.word]), prefix) {
			p.cur = unbound
		}
	}
}

func (x *extractor) subscript(n int32) int32 {
	base := int32(-1)
	from := len(x.Stack)
	slice := false
	typing := x.typing
	i := 0
	x.each(n, func(c int32) {
		switch {
		case i == 0:
			base = x.expr(c)
			if typing && x.lastWord(c) == "Literal" {
				x.typing = false
			}
		case x.kind(c) == kSlice:
			x.operands(c)
			slice = true
		case x.kind(c) == kTypeParameter:
			x.each(c, func(t int32) { x.Push(x.expr(t)) })
		case typing && i > 1 && x.says(x.first(n), "Annotated"):
			x.typing = false
			x.Push(x.expr(c))
			x.typing = true
		default:
			x.Push(x.expr(c))
		}
		i++
	})
	x.typing = typing
	if base < 0 {
		x.Stack = x.Stack[:from]
		return -1
	}
	if slice {
		x.Stack = x.Stack[:from]
		return x.Make(opSlice, -1, base, -1)
	}
	return x.MakeList(opIndex, -1, base, -1, from)
}

// lastWord returns the last name of a dotted expression.
func (x *extractor) lastWord(n int32) string {
	if n < 0 {
		return ""
	}
	text := x.t.Text(n)
	return string(text[bytes.LastIndexByte(text, '.')+1:])
}

func (x *extractor) collection(n int32, op uint8) int32 {
	from := len(x.Stack)
	count := 0
	x.each(n, func(c int32) {
		e := x.expr(c)
		if count++; count <= maxElements {
			x.Push(e)
		}
	})
	if count > maxElements && op == opTuple {
		op = opList
	}
	return x.MakeList(op, -1, -1, -1, from)
}

// maxElements is how many elements of a literal are looked at for the type of all.
const maxElements = 32

func (x *extractor) dictionary(n int32) int32 {
	var keys, values []int32
	known := true
	x.each(n, func(c int32) {
		if x.kind(c) != kPair {
			x.expr(c)
			known = false
			return
		}
		k, v := x.expr(x.child(c, x.g.key)), x.expr(x.child(c, x.g.value))
		if len(keys) < maxElements {
			keys, values = append(keys, k), append(values, v)
		}
	})
	if !known {
		return x.Make(opDict, -1, -1, -1)
	}
	return x.Make(opDict, -1, x.union(keys), x.union(values))
}

func (x *extractor) comprehension(n int32) int32 {
	f := x.frame(frameBrief, -1)
	opened := false
	body := x.child(n, x.g.body)
	x.each(n, func(c int32) {
		switch x.kind(c) {
		case kForInClause:
			value := x.expr(x.child(c, x.g.right))
			if value >= 0 {
				op := opIter
				if x.src[x.nodes[c].Start] == 'a' {
					op = opAsyncIter
				}
				value = x.Make(op, -1, value, -1)
			}
			if !opened {
				x.fn, opened = f, true
			}
			left := x.child(c, x.g.left)
			x.targets(left, func(word int32, _ bool) { x.bind(f, word) })
			if left >= 0 {
				x.target(left, value, -1, left)
			}
		case kIfClause:
			x.operands(c)
			if cond := x.first(c); cond >= 0 {
				x.refine(cond, true)
			}
		}
	})
	e := int32(-1)
	if body >= 0 {
		e = x.element(n, body)
	}
	x.fn = f.outer
	x.release(f)
	return e
}

// element reads the body of a comprehension and returns what that makes.
func (x *extractor) element(n, body int32) int32 {
	if x.kind(body) == kPair {
		k, v := x.expr(x.child(body, x.g.key)), x.expr(x.child(body, x.g.value))
		return x.Make(opDict, -1, k, v)
	}
	e := x.expr(body)
	from := len(x.Stack)
	switch x.kind(n) {
	case kGeneratorExpression:
		return x.Make(opGen, -1, e, -1)
	case kSetComprehension:
		x.Push(e)
		return x.MakeList(opSet, -1, -1, -1, from)
	}
	x.Push(e)
	return x.MakeList(opList, -1, -1, -1, from)
}

// conditional reads "a if c else b".
func (x *extractor) conditional(n int32) int32 {
	var parts []int32
	x.each(n, func(c int32) { parts = append(parts, c) })
	if len(parts) != 3 {
		x.operands(n)
		return -1
	}
	x.expr(parts[1])
	before := x.save()
	x.refine(parts[1], true)
	a := x.expr(parts[0])
	x.restore(before)
	x.refine(parts[1], false)
	b := x.expr(parts[2])
	x.restore(before)
	return x.union([]int32{a, b})
}

// boolean reads "a and b" or "a or b".
func (x *extractor) boolean(n int32) int32 {
	left, op, right := x.child(n, x.g.left), x.child(n, x.g.operator), x.child(n, x.g.right)
	a := x.expr(left)
	if left < 0 || op < 0 {
		return x.expr(right)
	}
	before := x.save()
	x.refine(left, x.src[x.nodes[op].Start] == 'a')
	b := x.expr(right)
	x.restore(before)
	return x.union([]int32{a, b})
}

func (x *extractor) binary(n int32) int32 {
	var parts [2]int32
	i := 0
	x.each(n, func(c int32) {
		if e := x.expr(c); i < 2 {
			parts[i] = e
		}
		i++
	})
	op := x.child(n, x.g.operator)
	if x.kind(n) == kUnionType || op >= 0 && string(x.t.Text(op)) == "|" {
		return x.Make(opOr, -1, parts[0], parts[1])
	}
	return x.Make(opBinary, -1, parts[0], parts[1])
}

func (x *extractor) lambda(n int32) int32 {
	f := x.frame(frameLambda, -1)
	if params := x.child(n, x.g.parameters); params >= 0 {
		x.parameterDefaults(params)
		x.fn = f
		x.eachParameter(params, func(p parameter) {
			word := x.word(p.name)
			x.bind(f, word).cur = x.Make(opLocal, -1, x.local(word, -1, -1), -1)
		})
	}
	x.fn = f
	body := x.child(n, x.g.body)
	if body >= 0 {
		x.bindings(body, func(word int32, _ bool) { x.bind(f, word) })
	}
	e := x.expr(body)
	x.fn = f.outer
	x.release(f)
	return x.Make(opLambda, -1, e, -1)
}

func (x *extractor) yield(n int32) int32 {
	value, from := int32(-1), false
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		from = from || !x.nodes[c].Named() && string(x.t.Text(c)) == "from"
	}
	x.each(n, func(c int32) { value = x.expr(c) })
	if f := x.function(); f.kind == frameFunction {
		f.yielding = true
		if from && value >= 0 {
			value = x.Make(opIter, -1, value, -1)
		}
		f.yields = append(f.yields, value)
	}
	return -1
}
