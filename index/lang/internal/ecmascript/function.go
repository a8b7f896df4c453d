package ecmascript

import "github.com/plumbkit/plumb/index"

// functionValue reads the function at n, whatever its form, and returns its
// opFunction or opGeneric. this is what this stands for in it (arrow functions
// keep the one around); want is the type that is expected of it, or -1.
func (x *extractor) functionValue(n, this, want int32) int32 {
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	fn, exported, namespace, global, doc := x.fn, x.exported, x.namespace, x.global, x.doc
	thisOutside, inside := x.this, x.inside
	f := &function{want: -1, docs: x.docTypes}
	x.docTypes = nil
	x.fn, x.exported, x.namespace, x.global, x.doc = f, false, false, false, docs{}
	arrow := x.kind(n) == kArrow
	if !arrow {
		x.this = this
	}
	facts := len(x.facts)
	x.inside = true
	mark := x.open()
	if name := x.child(n, x.g.name); name >= 0 && x.kind(n) == kFunction {
		word := x.word(name)
		x.bind(word, x.newLocal(word, -1, -1), true, false)
	}
	f.flags = x.functionFlags(n)
	generics := x.typeParameters(n)
	from := len(x.Stack)
	x.parameters(n, want)
	count := int32(len(x.Stack) - from)
	x.result(n, want)
	body := x.child(n, x.g.body)
	if body >= 0 {
		x.functionBody(body)
	}
	if f.declare {
		f.flags |= fnDeclared
	} else {
		x.Stack = x.Stack[:from+int(count)]
		for _, r := range f.results {
			x.Push(r)
		}
	}
	e := x.generic(x.MakeList(opFunction, -1, count, f.flags, from), generics)
	x.close(mark)
	x.facts = x.facts[:facts]
	x.fn, x.exported, x.namespace, x.global, x.doc = fn, exported, namespace, global, doc
	x.this, x.inside = thisOutside, inside
	return e
}

func (x *extractor) functionFlags(n int32) (flags int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			continue
		}
		switch string(x.t.Text(c)) {
		case "async":
			flags |= fnAsync
		case "*":
			flags |= fnGenerator
		}
	}
	if x.kind(n) == kArrow {
		flags |= fnArrow
	}
	return flags
}

// parameters pushes the types of a function's parameters and binds their names.
func (x *extractor) parameters(n, want int32) {
	if p := x.child(n, x.g.parameter); p >= 0 { // x => …
		x.parameter(p, 0, want)
		return
	}
	list := x.child(n, x.g.parameters)
	if list < 0 {
		return
	}
	i := int32(0)
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if p := x.child(c, x.g.pattern); p >= 0 && x.kind(p) == kThis {
			if t := x.child(c, x.g.typ); t >= 0 {
				x.this = x.Make(opCast, -1, x.typ(t), -1)
			}
			continue
		}
		x.parameter(c, i, want)
		i++
	}
}

// parameter reads the i-th parameter: its default value, its names, its type.
func (x *extractor) parameter(n, i, want int32) {
	pattern, typ, value := n, int32(-1), int32(-1)
	switch x.kind(n) {
	case kParameter, kOptionalParameter:
		x.readDecorators(n)
		pattern = x.child(n, x.g.pattern)
		typ, value = x.child(n, x.g.typ), x.child(n, x.g.fields.value)
	case kAssignmentPattern:
		pattern, value = x.child(n, x.g.left), x.child(n, x.g.right)
	}
	if pattern < 0 {
		x.Push(-1)
		return
	}
	property := x.parameterProperty(n, pattern)
	declared := int32(-1)
	if typ >= 0 {
		declared = x.typ(typ)
	} else if t, ok := x.fn.docs[string(x.t.Text(pattern))]; ok {
		declared = t
	}
	rest := x.kind(pattern) == kRestPattern
	if rest {
		x.fn.flags |= fnRest
		if c := x.firstNamed(pattern); c >= 0 {
			pattern = c
		}
	}
	x.hoistPattern(pattern, false)
	own := declared
	expected := declared
	if declared < 0 && want >= 0 {
		expected = x.Make(opParameter, -1, want, i)
		if rest {
			expected = -1
		}
	}
	given := int32(-1)
	if value >= 0 {
		given = x.expr(value, expected)
		if own < 0 {
			own = x.Make(opTypeof, -1, given, -1)
		}
	}
	if expected >= 0 {
		given = x.Make(opCast, -1, expected, -1)
	}
	x.Push(own)
	x.declarePattern(pattern, given)
	if property >= 0 {
		x.defs[property].Type = own
	}
}

// parameterProperty adds the field that a constructor's parameter declares.
func (x *extractor) parameterProperty(n, pattern int32) int32 {
	k := x.kind(n)
	if k != kParameter && k != kOptionalParameter || x.kind(pattern) != kIdentifier || x.in < 0 || x.defs[x.in].Kind != index.KindConstructor {
		return -1
	}
	visible, found := index.Public, false
	for c := n + 1; c < pattern; c = x.nodes[c].Next {
		switch string(x.t.Text(c)) {
		case "private":
			visible, found = index.Private, true
		case "protected":
			visible, found = index.PackageWide, true
		case "public", "readonly", "override":
			found = true
		}
	}
	if !found {
		return -1
	}
	in := x.in
	x.in = x.defs[in].Parent
	d := x.define(index.KindField, pattern, n, n, index.Range{})
	x.in = in
	x.defs[d].Visibility = visible
	return d
}

// result pushes the declared result, and says what return statements should give.
func (x *extractor) result(n, want int32) {
	t := x.child(n, x.g.returnType)
	if t < 0 {
		t = x.child(n, x.g.typ) // of a constructor type or signature
	}
	if r, ok := x.fn.docs[""]; t < 0 && ok && r >= 0 {
		x.fn.declare, x.fn.want = true, r
		x.Push(r)
		return
	}
	if t < 0 {
		x.fn.want = -1
		if want >= 0 {
			x.fn.want = x.Make(opResult, -1, want, -1)
			if x.fn.flags&fnAsync != 0 {
				x.fn.want = x.Make(opAwaited, -1, x.fn.want, -1)
			}
		}
		return
	}
	e := x.resultType(n, t)
	x.fn.declare, x.fn.want = true, e
	if x.fn.flags&fnAsync != 0 {
		x.fn.want = x.Make(opAwaited, -1, e, -1)
	}
	x.Push(e)
}

// resultType reads a result type, which may be a predicate.
func (x *extractor) resultType(n, t int32) int32 {
	name := int32(-1)
	for x.kind(t) == kPredicateAnnotation || x.kind(t) == kAssertsAnnotation || x.kind(t) == kAsserts {
		if x.kind(t) == kAsserts || x.kind(t) == kAssertsAnnotation {
			name = x.internText("asserts")
		}
		c := x.firstNamed(t)
		if c < 0 {
			return -1
		}
		t = c
	}
	switch {
	case x.kind(t) == kPredicate:
		p, typ := x.child(t, x.g.name), x.child(t, x.g.typ)
		at := int32(-1)
		if p >= 0 {
			at = x.parameterIndex(n, string(x.t.Text(p)))
		}
		e := int32(-1)
		if typ >= 0 {
			e = x.typ(typ)
		}
		return x.Make(opPredicate, name, at, e)
	case name >= 0: // asserts x
		return x.Make(opPredicate, name, x.parameterIndex(n, string(x.t.Text(t))), -1)
	}
	return x.typ(t)
}

// parameterIndex returns the place of a parameter by name, -1 for this.
func (x *extractor) parameterIndex(n int32, name string) int32 {
	list := x.child(n, x.g.parameters)
	if list < 0 {
		return -1
	}
	i := int32(0)
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		p := x.child(c, x.g.pattern)
		if p >= 0 && x.kind(p) == kThis {
			continue
		}
		if p >= 0 && string(x.t.Text(p)) == name {
			return i
		}
		i++
	}
	return -1
}

func (x *extractor) functionBody(body int32) {
	x.hoistVars(body)
	if x.kind(body) == kBlock {
		x.hoist(body)
		x.statements(body)
		return
	}
	e := x.expr(body, x.fn.want)
	if !x.fn.declare {
		x.fn.results = append(x.fn.results, x.Make(opTypeof, -1, e, -1))
	}
}
