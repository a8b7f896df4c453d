package ecmascript

import "github.com/plumbkit/plumb/index"

// object reads an object literal. Each property is a Def; its key is a use of
// the property that the expected type has as well.
func (x *extractor) object(n, want int32) int32 {
	self := x.Reserve(opObject)
	outer, exported := x.doc, x.exported
	x.doc = docs{}
	from := len(x.Stack)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kComment:
			x.doc.comment(x, c)
		case kPair:
			x.pair(c, want, self)
		case kShorthand:
			x.shorthand(c, want)
		case kMethod:
			x.objectMethod(c, want, self)
		case kSpread:
			x.Push(x.Make(opSpread, -1, x.last(c, want), -1))
		default:
			if x.nodes[c].Named() {
				x.other(c)
			}
		}
	}
	x.doc, x.exported = outer, exported
	return x.Set(self, opObject, -1, -1, -1, from)
}

// property adds the Def of a property and records its key as a use of what the
// object is expected to have.
func (x *extractor) property(kind index.Kind, name, n, want int32) (d, expected int32) {
	word, start := x.nameAt(name)
	if word < 0 {
		return -1, -1
	}
	d = x.define(kind, name, n, n, x.doc.take(x, x.nodes[n].Start))
	if !x.inside {
		x.defs[d].Visibility = index.Public
	}
	if want < 0 {
		return d, -1
	}
	expected = x.Make(opPropertyOf, word, want, -1)
	if x.kind(name) != kNumber {
		x.sites = append(x.sites, index.Site{Name: uint32(word), Start: start, In: x.in, Kind: index.RefKey, Expr: expected, Call: -1})
	}
	return d, expected
}

func (x *extractor) pair(n, want, self int32) {
	key, value := x.memberName(n), x.child(n, x.g.fields.value)
	d, expected := int32(-1), int32(-1)
	kind := index.KindField
	if value >= 0 && (x.kind(value) == kArrow || x.kind(value) == kFunction) {
		kind = index.KindMethod
	}
	if key >= 0 {
		d, expected = x.property(kind, key, n, want)
	} else if want >= 0 {
		expected = x.Make(opLookup, -1, want, -1)
	}
	if value < 0 {
		return
	}
	in, e := x.in, int32(-1)
	if d >= 0 {
		x.in = d
		x.defs[d].Body = x.nodes[value].Start
	}
	switch x.kind(value) {
	case kFunction:
		if d >= 0 {
			x.functionFacts(value, d)
		}
		e = x.functionValue(value, x.objectThis(self, want), expected)
	case kArrow:
		if d >= 0 {
			x.functionFacts(value, d)
		}
		e = x.functionValue(value, -1, expected)
	default:
		e = x.expr(value, expected)
	}
	x.in = in
	x.pushProperty(d, e)
}

// objectThis is what this stands for in a method of an object literal.
func (x *extractor) objectThis(self, want int32) int32 {
	if want < 0 {
		return self
	}
	return x.Make(opThisObject, -1, self, want)
}

func (x *extractor) pushProperty(d, e int32) {
	if d >= 0 {
		x.Push(x.Make(opProperty, -1, d, e))
	}
}

func (x *extractor) shorthand(n, want int32) {
	d, _ := x.property(index.KindField, n, n, want)
	in := x.in
	if d >= 0 {
		x.in = d
	}
	e := x.use(n, index.RefRead, -1, false)
	x.in = in
	x.pushProperty(d, e)
}

func (x *extractor) objectMethod(n, want, self int32) {
	name := x.memberName(n)
	if name < 0 {
		x.functionValue(n, self, -1)
		return
	}
	d, expected := x.property(index.KindMethod, name, n, want)
	if d < 0 {
		x.functionValue(n, self, -1)
		return
	}
	getter := x.has(n, "get") || x.has(n, "set")
	set := x.has(n, "set")
	in := x.in
	x.in = d
	x.functionFacts(n, d)
	if body := x.child(n, x.g.body); body >= 0 {
		x.defs[d].Body = x.nodes[body].Start
	}
	if getter {
		expected = -1
		x.defs[d].Kind = index.KindField
	}
	e := x.functionValue(n, x.objectThis(self, want), expected)
	x.in = in
	switch {
	case set:
		e = x.Make(opCast, -1, x.Make(opParameter, -1, e, 0), -1)
	case getter:
		e = x.Make(opCast, -1, x.Make(opReturnOfGet, -1, e, -1), -1)
	}
	x.pushProperty(d, e)
}
