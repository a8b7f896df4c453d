package ecmascript

import "github.com/plumbkit/plumb/index"

// expr reads the expression at n and returns what linking needs to know its
// type. want is the type that is expected of it, or -1.
func (x *extractor) expr(n, want int32) int32 {
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	switch x.kind(n) {
	case kIdentifier, kMember, kSubscript, kShorthand, kShorthandPattern:
		return x.target(n, index.RefRead, -1)
	case kCall:
		return x.call(n, want)
	case kNew:
		return x.newExpression(n, want)
	case kArrow, kFunction:
		return x.functionValue(n, -1, want)
	case kClassExpression:
		return x.classExpression(n)
	case kObject:
		return x.object(n, want)
	case kArray:
		return x.array(n, want)
	case kAssignment, kAugmented:
		return x.assignment(n)
	case kTernary:
		return x.ternary(n, want)
	case kBinary:
		return x.binary(n, want)
	case kUnary:
		return x.unary(n)
	case kUpdate:
		if c := x.child(n, x.g.argument); c >= 0 {
			x.target(c, index.RefWrite, -1)
		}
		return x.basic("number")
	case kParenthesized, kSequence:
		return x.last(n, want)
	case kAwait:
		e := x.last(n, -1)
		return x.Make(opAwait, -1, e, -1)
	case kYield:
		x.last(n, -1)
		return -1
	case kAs, kSatisfies, kTypeAssertion:
		return x.assertion(n, want)
	case kInstantiation:
		return x.instantiation(n)
	case kNonNull:
		return x.last(n, want)
	case kThis:
		return x.narrowed(x.this)
	case kSuper:
		return x.super
	case kJSXElement, kJSXSelfClosing, kJSXExpression:
		return x.jsx(n, want)
	case kImport:
		return -1
	case kSpread:
		return x.Make(opSpread, -1, x.last(n, -1), -1)
	}
	return x.literal(n)
}

// literal reads what has a basic type.
func (x *extractor) literal(n int32) int32 {
	switch x.kind(n) {
	case kString:
		return x.stringLiteral(n)
	case kTemplate:
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			if x.kind(c) == kSubstitution {
				x.last(c, -1)
			}
		}
		return x.basic("string")
	case kNumber:
		if end := x.nodes[n].End; end > 0 && x.src[end-1] == 'n' {
			return x.basic("bigint")
		}
		return x.basic("number")
	case kTrue:
		return x.Make(opText, x.word(n), -1, -1)
	case kNull:
		return x.basic("null")
	case kUndefined:
		return x.basic("undefined")
	case kRegex:
		return x.basic("RegExp")
	case kMeta:
		return -1
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			x.statement(c)
		}
	}
	return -1
}

func (x *extractor) basic(name string) int32 { return x.Make(opBasic, x.internText(name), -1, -1) }

// minName is the length from which on a string may be a symbol's name.
const minName = 3

// stringLiteral records a string literal that has the shape of an identifier:
// it may name a symbol.
func (x *extractor) stringLiteral(n int32) int32 {
	f := x.childOf(n, kFragment)
	if f < 0 || x.nodes[f].End+1 != x.nodes[n].End {
		return x.basic("string")
	}
	text := x.t.Text(f)
	if len(text) > maxLiteral {
		return x.basic("string")
	}
	word := x.word(f)
	if len(text) >= minName && isIdentifier(text) {
		x.site(f, word, index.RefString, -1, -1)
	}
	return x.Make(opText, word, -1, -1)
}

// maxLiteral is how long a string may be that tells members of a union apart.
const maxLiteral = 60

func isIdentifier(s []byte) bool {
	for i, c := range s {
		if c < 0x80 && !(c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return len(s) > 0
}

// last reads all expressions among n's children and returns the last.
func (x *extractor) last(n, want int32) int32 {
	e := int32(-1)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			e = x.expr(c, want)
		}
	}
	return e
}

// target reads an expression whose last name is used in the way of kind: called
// with the argument list args, assigned to, or read.
func (x *extractor) target(n int32, kind index.RefKind, args int32) int32 {
	switch x.kind(n) {
	case kIdentifier, kShorthand, kShorthandPattern:
		return x.use(n, kind, args, false)
	case kMember:
		return x.member(n, kind, args)
	case kSubscript:
		return x.subscript(n, kind, args)
	case kParenthesized, kNonNull:
		c := x.firstNamed(n)
		if c < 0 || !x.down() {
			return -1
		}
		e := x.target(c, kind, args)
		x.up()
		return e
	case kInstantiation:
		return x.instantiation(n)
	case kObjectPattern, kArrayPattern:
		x.assignPattern(n, -1)
		return -1
	}
	return x.expr(n, -1)
}

func (x *extractor) member(n int32, kind index.RefKind, args int32) int32 {
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	object, name := x.child(n, x.g.object), x.child(n, x.g.property)
	if object >= 0 && x.kind(object) == kImport {
		return x.Make(opMeta, -1, -1, -1)
	}
	if k := x.kind(object); object >= 0 && name >= 0 && (k == kSatisfies || k == kAs) {
		return x.assertedMember(object, name)
	}
	e := int32(-1)
	if object >= 0 {
		e = x.expr(object, -1)
	}
	if name < 0 || x.nodes[name].Start == x.nodes[name].End {
		return -1
	}
	word := x.word(name)
	m := x.Make(opMember, word, e, -1)
	x.site(name, word, kind, m, args)
	return x.narrowed(m)
}

// subscript reads a[b]: with a literal name it is a member.
func (x *extractor) subscript(n int32, kind index.RefKind, args int32) int32 {
	object, at := x.child(n, x.g.object), x.child(n, x.g.fields.index)
	e, key := int32(-1), int32(-1)
	if object >= 0 {
		e = x.expr(object, -1)
	}
	if at >= 0 {
		if f := x.childOf(at, kFragment); x.kind(at) == kString && f >= 0 && x.nodes[f].End+1 == x.nodes[at].End && isIdentifier(x.t.Text(f)) {
			word := x.word(f)
			m := x.Make(opMember, word, e, -1)
			x.site(f, word, kind, m, args)
			return x.narrowed(m)
		}
		key = x.expr(at, -1)
	}
	return x.narrowed(x.Make(opIndex, -1, e, key))
}

func (x *extractor) ternary(n, want int32) int32 {
	condition, yes, no := x.child(n, x.g.condition), x.child(n, x.g.consequence), x.child(n, x.g.alternative)
	if condition >= 0 {
		x.expr(condition, -1)
	}
	facts := len(x.facts)
	a, b := int32(-1), int32(-1)
	if yes >= 0 {
		x.assume(condition, true)
		a = x.expr(yes, want)
		x.facts = x.facts[:facts]
	}
	if no >= 0 {
		x.assume(condition, false)
		b = x.expr(no, want)
		x.facts = x.facts[:facts]
	}
	return x.alternatives(a, b)
}

// alternatives is a value that is one of two, neither of which may be left out.
func (x *extractor) alternatives(a, b int32) int32 {
	if a == b {
		return a
	}
	from := len(x.Stack)
	x.Push(a)
	x.Push(b)
	return x.MakeList(opEither, -1, -1, -1, from)
}

func (x *extractor) binary(n, want int32) int32 {
	left, right, op := x.child(n, x.g.left), x.child(n, x.g.right), x.child(n, x.g.operator)
	sign := ""
	if op >= 0 {
		sign = string(x.t.Text(op))
	}
	a, b := int32(-1), int32(-1)
	expect := int32(-1)
	if sign == "||" || sign == "??" || sign == "&&" {
		expect = want
	}
	if left >= 0 {
		a = x.expr(left, expect)
	}
	facts := len(x.facts)
	if right >= 0 {
		if sign == "&&" || sign == "||" {
			x.assume(left, sign == "&&")
		}
		b = x.expr(right, expect)
	}
	x.facts = x.facts[:facts]
	switch sign {
	case "||", "??":
		return x.alternatives(a, b)
	case "&&":
		return b
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof":
		return x.basic("boolean")
	case "+":
		return x.sum(a, b)
	}
	return x.basic("number")
}

func (x *extractor) sum(a, b int32) int32 {
	for _, e := range []int32{a, b} {
		if v := x.exprAt(e); v.Op == opText || v.Op == opBasic && x.text(v.Name) == "string" {
			return x.basic("string")
		}
	}
	if a >= 0 && x.Exprs[a].Op == opBasic {
		return a
	}
	return x.basic("number")
}

func (x *extractor) unary(n int32) int32 {
	c, op := x.child(n, x.g.argument), x.child(n, x.g.operator)
	if c >= 0 {
		x.expr(c, -1)
	}
	if op < 0 {
		return -1
	}
	switch string(x.t.Text(op)) {
	case "!", "delete":
		return x.basic("boolean")
	case "typeof":
		return x.basic("string")
	case "void":
		return x.basic("undefined")
	}
	return x.basic("number")
}

// assignment reads a = b and its like. A variable without a declared type can
// be what is assigned to it.
func (x *extractor) assignment(n int32) int32 {
	left, right := x.child(n, x.g.left), x.child(n, x.g.right)
	if left < 0 || right < 0 {
		return x.last(n, -1)
	}
	if k := x.kind(left); k == kObjectPattern || k == kArrayPattern {
		e := x.expr(right, -1)
		x.assignPattern(left, e)
		return e
	}
	if e, done := x.thisAssignment(n, left, right); done {
		return e
	}
	if x.kind(left) == kMember && string(x.t.Text(left)) == "module.exports" && x.free("module") {
		x.module.flags |= modCommonJS
	}
	to := x.target(left, index.RefWrite, -1)
	for to >= 0 && x.Exprs[to].Op == opGuarded {
		to = x.Exprs[to].A
	}
	given := x.expr(right, x.Make(opTypeof, -1, to, -1))
	x.forget(to)
	if x.kind(n) == kAssignment && to >= 0 && x.Exprs[to].Op == opLocal {
		x.give(x.Exprs[to].A, given)
	}
	return given
}

// thisAssignment reads this.x = … in a JavaScript class that does not declare x.
func (x *extractor) thisAssignment(n, left, right int32) (int32, bool) {
	if x.kind(n) != kAssignment || x.kind(left) != kMember || !x.script() {
		return -1, false
	}
	object, name := x.child(left, x.g.object), x.child(left, x.g.property)
	if object < 0 || name < 0 || x.kind(object) != kThis {
		return -1, false
	}
	d := x.thisField(n, name, right)
	if d < 0 {
		return -1, false
	}
	x.target(left, index.RefWrite, -1)
	in, visible := x.in, x.defs[d].Visibility
	x.defineValue(d, right, -1, -1)
	x.in, x.defs[d].Visibility = in, visible
	return x.defs[d].Value, true
}

// script reports whether the file is JavaScript.
func (x *extractor) script() bool { return x.f.Language == "javascript" }

// assertion reads v as T, v satisfies T and <T>v.
func (x *extractor) assertion(n, want int32) int32 {
	value, typ := int32(-1), int32(-1)
	constant := x.has(n, "const")
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case !x.nodes[c].Named() || x.kind(c) == kComment:
		case x.kind(c) == kTypeArguments:
			if t := x.firstNamed(c); t >= 0 {
				typ = x.typ(t)
			}
		case value < 0 && (x.kind(n) != kTypeAssertion || typ >= 0 || constant):
			value = c
		default:
			typ = x.typ(c)
		}
	}
	e := int32(-1)
	if value >= 0 {
		if typ >= 0 && !constant {
			want = typ
		}
		e = x.expr(value, want)
	}
	if typ < 0 || constant || x.kind(n) == kSatisfies {
		return e
	}
	return x.Make(opCast, -1, typ, -1)
}

// assertedMember reads v as a.b.C, which the grammar takes for a member C of
// v as a.b: what has no brackets around it is all a type.
func (x *extractor) assertedMember(object, name int32) int32 {
	typ := int32(-1)
	for c, end := object+1, x.nodes[object].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if typ == -1 {
			x.expr(c, -1)
			typ = -2
			continue
		}
		typ = x.entityName(c)
	}
	word := x.word(name)
	m := x.Make(opMember, word, max(typ, -1), -1)
	x.site(name, word, index.RefType, m, -1)
	return x.Make(opCast, -1, m, -1)
}

func (x *extractor) instantiation(n int32) int32 {
	e := int32(-1)
	from := len(x.Stack)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kTypeArguments:
			from = len(x.Stack)
			x.typeList(c)
		case x.nodes[c].Named() && x.kind(c) != kComment:
			e = x.expr(c, -1)
		}
	}
	return x.MakeList(opInst, -1, e, -1, from)
}

func (x *extractor) classExpression(n int32) int32 {
	keyword := x.keyword(n, "class")
	if keyword < 0 {
		x.other(n)
		return -1
	}
	name := x.child(n, x.g.name)
	if name < 0 {
		name = keyword
	}
	inside := x.inside
	x.inside = true
	d := x.define(index.KindClass, name, n, n, index.Range{})
	x.inside = inside
	x.class(n, d)
	return x.Make(opDef, -1, d, -1)
}
