package ecmascript

import (
	"strconv"

	"github.com/plumbkit/plumb/index"
)

// eachName calls f with each identifier that a pattern declares.
func (x *extractor) eachName(n int32, f func(int32)) {
	if n < 0 {
		return
	}
	switch x.kind(n) {
	case kIdentifier, kShorthandPattern:
		f(n)
	case kObjectPattern, kArrayPattern, kRestPattern:
		if !x.down() {
			x.up()
			return
		}
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			if x.nodes[c].Named() {
				x.eachName(c, f)
			}
		}
		x.up()
	case kPairPattern:
		x.eachName(x.child(n, x.g.fields.value), f)
	case kAssignmentPattern:
		x.eachName(x.child(n, x.g.left), f)
	}
}

// definesByValue reports whether a declarator makes a function or class, which
// is a Def even inside of a function.
func (x *extractor) definesByValue(n int32) bool {
	value, name := x.child(n, x.g.fields.value), x.child(n, x.g.name)
	if value < 0 || name < 0 || x.kind(name) != kIdentifier {
		return false
	}
	switch x.kind(value) {
	case kArrow, kFunction, kClassExpression:
		return true
	}
	return false
}

// declarator reads one name or pattern with its type and value.
func (x *extractor) declarator(n, whole int32, kind index.Kind, doc index.Range) {
	name, typ, value := x.child(n, x.g.name), x.child(n, x.g.typ), x.child(n, x.g.fields.value)
	if name < 0 {
		return
	}
	if !x.inside || x.definesByValue(n) {
		x.definition(n, whole, name, typ, value, kind, doc)
		return
	}
	declared, given := int32(-1), int32(-1)
	if typ >= 0 {
		declared = x.typ(typ)
	}
	if value >= 0 {
		given = x.expr(value, declared)
	}
	if declared >= 0 {
		given = x.Make(opCast, -1, declared, -1)
	}
	x.declarePattern(name, given)
}

// definition reads a declarator whose names are Defs.
func (x *extractor) definition(n, whole, name, typ, value int32, kind index.Kind, doc index.Range) {
	if value >= 0 && x.kind(name) == kIdentifier {
		switch x.kind(value) {
		case kArrow, kFunction:
			kind = index.KindFunction
		case kClassExpression:
			kind = index.KindClass
		}
	}
	first := int32(len(x.defs))
	x.eachName(name, func(c int32) {
		d := x.define(kind, c, n, whole, doc)
		x.settle(x.word(c), d, false)
		if x.inside {
			x.defs[d].Visibility = index.Private
		}
	})
	if int(first) == len(x.defs) {
		return
	}
	declared := int32(-1)
	if typ >= 0 {
		in := x.in
		x.in = first
		declared = x.typ(typ)
		x.in = in
	} else {
		declared = x.documentedVariable(doc)
	}
	if x.kind(name) == kIdentifier {
		if value >= 0 {
			x.defineValue(first, value, declared, declared)
		} else {
			x.defs[first].Type = declared
		}
		return
	}
	given := int32(-1)
	if value >= 0 {
		in := x.in
		x.in = first
		given = x.expr(value, declared)
		x.in = in
	}
	if declared >= 0 {
		given = x.Make(opCast, -1, declared, -1)
	}
	next := first
	x.pattern(name, given, func(_, value int32) {
		x.defs[next].Value = value
		next++
	}, false)
}

// declarePattern gives the locals that hoist has made for a pattern their values.
func (x *extractor) declarePattern(n, value int32) {
	x.pattern(n, value, func(name, value int32) {
		e := x.exprAt(x.bound[x.word(name)].value - 1)
		if e.Op == opLocal {
			x.give(e.A, value)
		}
	}, false)
}

// give says what a local is bound to; one that is bound to several things can be either.
func (x *extractor) give(local, value int32) {
	l := &x.locals[local]
	v := x.exprAt(value)
	switch {
	case l.Type >= 0 || value < 0 || l.Value == value:
	case v.Op == opCast && l.Value < 0:
		l.Type = v.A
	case v.Op == opBasic && (x.text(v.Name) == "null" || x.text(v.Name) == "undefined"):
	case l.Value < 0:
		l.Value = value
	case x.Exprs[l.Value].Op == opEither:
		e := &x.Exprs[l.Value]
		if e.L1-e.L0 < maxEither {
			from := len(x.Stack)
			x.Stack = append(append(x.Stack, x.Lists[e.L0:e.L1]...), value)
			l.Value = x.MakeList(opEither, -1, -1, -1, from)
		}
	default:
		from := len(x.Stack)
		x.Push(l.Value)
		x.Push(value)
		l.Value = x.MakeList(opEither, -1, -1, -1, from)
	}
}

// maxEither is how many assignments count for the type of a variable.
const maxEither = 8

// assignPattern reads a pattern on the left side of an assignment.
func (x *extractor) assignPattern(n, value int32) {
	x.pattern(n, value, func(name, value int32) {}, true)
}

// pattern takes a pattern apart: each name is called with the part of value that
// it is bound to, and each key is recorded as a use of a member. In an
// assignment what is bound is any expression, and is recorded as written to.
func (x *extractor) pattern(n, value int32, name func(n, value int32), assign bool) {
	if n < 0 {
		return
	}
	if !x.down() {
		x.up()
		return
	}
	defer x.up()
	switch x.kind(n) {
	case kIdentifier:
		if assign {
			x.target(n, index.RefWrite, -1)
		}
		name(n, value)
	case kObjectPattern:
		x.objectPattern(n, value, name, assign)
	case kArrayPattern:
		x.arrayPattern(n, value, name, assign)
	case kAssignmentPattern:
		left, right := x.child(n, x.g.left), x.child(n, x.g.right)
		if right >= 0 {
			given := x.expr(right, x.Make(opTypeof, -1, value, -1))
			value = x.either(value, given)
		}
		x.pattern(left, value, name, assign)
	case kRestPattern:
		if c := x.firstNamed(n); c >= 0 {
			x.pattern(c, x.Make(opRest, -1, value, -1), name, assign)
		}
	default:
		if assign {
			x.target(n, index.RefWrite, -1)
		}
	}
}

func (x *extractor) objectPattern(n, value int32, name func(n, value int32), assign bool) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kShorthandPattern:
			x.shorthandPattern(c, value, name, assign)
		case kPairPattern:
			part := int32(-1)
			if key := x.memberName(c); key >= 0 && x.kind(key) != kNumber {
				part = x.memberAt(value, key, index.RefRead)
			}
			x.pattern(x.child(c, x.g.fields.value), part, name, assign)
		case kAssignmentPattern:
			left, right := x.child(c, x.g.left), x.child(c, x.g.right)
			part := int32(-1)
			if left >= 0 && x.kind(left) == kShorthandPattern {
				part = x.memberAt(value, left, index.RefRead)
			}
			if right >= 0 {
				part = x.either(part, x.expr(right, x.Make(opTypeof, -1, part, -1)))
			}
			if left >= 0 {
				if assign {
					x.target(left, index.RefWrite, -1)
				}
				name(left, part)
			}
		case kRestPattern:
			x.pattern(c, value, name, assign)
		}
	}
}

func (x *extractor) shorthandPattern(n, value int32, name func(n, value int32), assign bool) {
	part := x.memberAt(value, n, index.RefRead)
	if assign {
		x.target(n, index.RefWrite, -1)
	}
	name(n, part)
}

func (x *extractor) arrayPattern(n, value int32, name func(n, value int32), assign bool) {
	i := int32(0)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kComma:
			i++
		case x.kind(c) == kRestPattern:
			if inner := x.firstNamed(c); inner >= 0 {
				x.pattern(inner, value, name, assign)
			}
		case x.nodes[c].Named() && x.kind(c) != kComment:
			x.pattern(c, x.Make(opAt, -1, value, i), name, assign)
		}
	}
}

func (x *extractor) either(a, b int32) int32 {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	from := len(x.Stack)
	x.Push(a)
	x.Push(b)
	return x.MakeList(opEither, -1, -1, -1, from)
}

// memberAt records the use of value's member that is named at node n, and returns it.
func (x *extractor) memberAt(value, n int32, kind index.RefKind) int32 {
	word, start := x.nameAt(n)
	if word < 0 {
		return -1
	}
	e := x.Make(opMember, word, value, -1)
	x.sites = append(x.sites, index.Site{Name: uint32(word), Start: start, In: x.in, Kind: kind, Expr: e, Call: -1})
	return e
}

// nameAt returns the word of a property name and where it starts: of a string
// what stands between its quotes.
func (x *extractor) nameAt(n int32) (word int32, start uint32) {
	node := &x.nodes[n]
	switch x.kind(n) {
	case kString:
		if node.End-node.Start <= 2 {
			return -1, 0
		}
		return x.intern(x.src[node.Start+1 : node.End-1]), node.Start + 1
	case kNumber:
		if _, err := strconv.Atoi(string(x.t.Text(n))); err != nil {
			return -1, 0
		}
	case kComputedName:
		return -1, 0
	}
	if node.Start == node.End {
		return -1, 0
	}
	return x.word(n), node.Start
}
