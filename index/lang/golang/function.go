package golang

import (
	"bytes"

	"github.com/plumbkit/plumb/index"
)

// function reads a function or method declaration.
func (x *extractor) function(n int32) {
	name := x.child(n, x.g.name)
	if name < 0 || x.inside {
		x.children(n)
		return
	}
	kind := index.KindFunction
	receiver := x.child(n, x.g.receiver)
	if receiver >= 0 {
		kind = index.KindMethod
	}
	d := x.define(kind, name, n, n, x.doc.take(x, x.nodes[n].Start))
	body := x.child(n, x.g.body)
	if body >= 0 {
		x.defs[d].Body = x.nodes[body].Start
	}
	in := x.in
	x.in = d
	mark := x.open()
	x.parameterFacts(n, d)
	x.inside = true
	self := int32(-1)
	var receiverType int32
	if receiver >= 0 {
		self, receiverType = x.receiver(receiver, d)
	}
	typ := x.signature(n, d)
	x.defs[d].Type = typ
	if self >= 0 {
		x.bindLocal(self, receiverType, -1)
	}
	if body >= 0 {
		x.children(body)
	}
	x.inside = false
	x.close(mark)
	x.in = in
}

// parameterFacts writes down the parameters, results and type parameters of
// the signature at n, as they stand.
func (x *extractor) parameterFacts(n, d int32) {
	def := &x.defs[d]
	if params := x.child(n, x.g.parameters); params >= 0 {
		x.listFacts(params, &def.Flags)
	}
	def.P1 = uint32(len(x.params))
	if result := x.child(n, x.g.result); result >= 0 {
		if x.kind(result) == kParameterList {
			x.listFacts(result, nil)
		} else {
			x.params = append(x.params, param{name: -1, typ: x.typeText(result)})
		}
	}
	def.P2 = uint32(len(x.params))
	if list := x.child(n, x.g.typeParameters); list >= 0 {
		x.listFacts(list, nil)
		def.Flags |= index.DefGeneric
	}
	def.P3 = uint32(len(x.params))
}

// listFacts writes down a list of parameters, results or type parameters.
func (x *extractor) listFacts(n int32, flags *uint16) {
	x.eachParameter(n, func(p parameter) {
		fact := param{name: -1, typ: -1, variadic: p.variadic}
		if p.variadic && flags != nil {
			*flags |= index.DefVariadic
		}
		switch {
		case p.isMap:
			fact.typ = x.typeTextOf(x.nodes[p.typ].Start-mapKeyword, x.nodes[p.typ].End)
		case p.typ >= 0:
			fact.typ = x.typeText(p.typ)
		}
		if p.name >= 0 {
			fact.name = x.word(p.name)
		}
		x.params = append(x.params, fact)
	})
}

// typeText returns the text of a type, on one line, as a word.
func (x *extractor) typeText(n int32) int32 {
	return x.typeTextOf(x.nodes[n].Start, x.nodes[n].End)
}

func (x *extractor) typeTextOf(start, end uint32) int32 {
	text := x.src[start:end]
	if bytes.IndexByte(text, '\n') < 0 {
		return x.intern(start, end)
	}
	return x.internExtra(string(bytes.Join(bytes.Fields(text), []byte(" "))))
}

// receiver reads a method's receiver. It returns the node of its name, or -1, and its type.
func (x *extractor) receiver(list, d int32) (name, typ int32) {
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if k := x.kind(c); k != kParameter && k != kVariadicParameter {
			continue
		}
		t := x.child(c, x.g.typ)
		if t < 0 {
			break
		}
		base := x.receiverBase(t, d)
		if base >= 0 {
			x.defs[d].Owner = x.word(base)
		}
		return x.child(c, x.g.name), x.typ(t, index.RefType)
	}
	return -1, -1
}

// receiverBase returns the identifier of a receiver's type; it binds the type
// parameters that the receiver declares and notes whether it is a pointer.
func (x *extractor) receiverBase(n, d int32) int32 {
	for {
		switch x.kind(n) {
		case kTypeIdentifier, kIdentifier:
			return n
		case kPointerType:
			x.defs[d].Flags |= index.DefPointer
			n = x.firstNamed(n)
		case kParenthesizedType:
			n = x.firstNamed(n)
		case kGenericType:
			if args := x.child(n, x.g.typeArguments); args >= 0 {
				x.receiverParameters(args, d)
			}
			n = x.child(n, x.g.typ)
		default:
			return -1
		}
		if n < 0 {
			return -1
		}
	}
}

func (x *extractor) receiverParameters(n, d int32) {
	for i, end := n+1, x.nodes[n].Next; i < end; i++ {
		if k := x.kind(i); k != kTypeIdentifier && k != kIdentifier {
			continue
		}
		word := x.word(i)
		x.params = append(x.params, param{name: word, typ: -1})
		at := x.defs[d].P3
		x.defs[d].P3++
		if !x.isBlank(i) {
			x.bind(word, x.Append(index.Expr{Op: opTypeParam, Name: -1, A: int32(at), B: -1}, nil)+1)
		}
	}
}

// typeParameters writes down and binds the type parameters of definition d.
func (x *extractor) typeParameters(list, d int32) {
	def := &x.defs[d]
	if def.P3 == def.P0 {
		x.listFacts(list, nil)
		def.P3, def.Flags = uint32(len(x.params)), def.Flags|index.DefGeneric
	}
	x.bindTypeParameters(list, def.P2)
}

// bindTypeParameters binds type parameters, the first of which is params[at].
// All are in scope in each one's constraint.
func (x *extractor) bindTypeParameters(list int32, at uint32) {
	first := int32(len(x.Exprs))
	x.eachTypeParameter(list, func(name, _ int32) {
		e := x.Append(index.Expr{Op: opTypeParam, Name: -1, A: int32(at), B: -1}, nil)
		at++
		if !x.isBlank(name) {
			x.bind(x.word(name), e+1)
		}
	})
	e, last, constraint := first, int32(-1), int32(-1)
	x.eachTypeParameter(list, func(_, c int32) {
		if c != last {
			last, constraint = c, -1
			if t := x.child(c, x.g.typ); t >= 0 {
				constraint = x.typ(t, index.RefType)
			}
		}
		x.Exprs[e].B = constraint
		e++
	})
}

// eachTypeParameter calls f with each name of a list and the declaration it stands in.
func (x *extractor) eachTypeParameter(list int32, f func(name, decl int32)) {
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kTypeParameter {
			x.eachName(c, func(name int32) { f(name, c) })
		}
	}
}

// signature reads type parameters, parameters and results of n, binds their
// names when n is a function's own, and returns its opFuncType. d is the
// function's Def, or -1 for a literal or a type.
func (x *extractor) signature(n, d int32) int32 {
	if list := x.child(n, x.g.typeParameters); list >= 0 && d >= 0 {
		x.bindTypeParameters(list, x.defs[d].P2)
	}
	bind := d >= 0 || x.kind(n) == kFuncLiteral
	from, pending := len(x.Stack), len(x.pending)
	variadic := int32(0)
	if list := x.child(n, x.g.parameters); list >= 0 {
		x.parameters(list, bind, &variadic)
	}
	count := int32(len(x.Stack) - from)
	if result := x.child(n, x.g.result); result >= 0 {
		if x.kind(result) == kParameterList {
			x.parameters(result, bind, nil)
		} else {
			x.Push(x.typ(result, index.RefType))
		}
	}
	typ := x.MakeList(opFuncType, -1, count, variadic, from)
	for _, p := range x.pending[pending:] {
		x.bindLocal(p.name, p.typ, -1)
	}
	x.pending = x.pending[:pending]
	return typ
}

// A named is a parameter whose name is not in scope yet.
type named struct{ name, typ int32 }

// parameters pushes the type of each parameter of a list. With bind their
// names wait in pending, since they are in scope only behind the signature.
func (x *extractor) parameters(list int32, bind bool, variadic *int32) {
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kError {
			x.visit(c)
		}
	}
	last, typ, local := int32(-1), int32(-1), int32(-1)
	x.eachParameter(list, func(p parameter) {
		if p.typ != last || p.typ < 0 || p.isMap {
			last, typ = p.typ, x.parameterType(p)
			local = typ
		}
		if p.variadic && variadic != nil {
			*variadic = 1
		}
		if p.variadic {
			local = x.Make(opSliceType, -1, typ, -1)
		}
		x.Push(typ)
		if bind && p.name >= 0 {
			x.pending = append(x.pending, named{p.name, local})
		}
	})
}

func (x *extractor) parameterType(p parameter) int32 {
	switch {
	case p.typ < 0:
		return -1
	case !p.isMap:
		return x.typ(p.typ, index.RefType)
	}
	key := int32(-1)
	x.field(p.typ, x.g.fields.length, func(c int32) { key = x.expr(c, true) })
	value := int32(-1)
	x.field(p.typ, x.g.element, func(c int32) { value = x.typ(c, index.RefType) })
	return x.Make(opMap, -1, key, value)
}
