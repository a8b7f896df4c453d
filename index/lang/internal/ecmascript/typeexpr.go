package ecmascript

import "github.com/plumbkit/plumb/index"

// typ reads the type at n.
func (x *extractor) typ(n int32) int32 {
	if n < 0 {
		return -1
	}
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	switch x.kind(n) {
	case kTypeAnnotation, kParenthesizedType, kReadonly, kOptionalType, kConstraint, kDefaultType:
		return x.typ(x.firstNamed(n))
	case kTypeIdentifier, kIdentifier:
		return x.use(n, index.RefType, -1, true)
	case kPredefined:
		return x.predefined(n)
	case kNestedTypeIdentifier, kNestedIdentifier, kMember:
		return x.qualified(n)
	case kGeneric:
		return x.genericType(n)
	case kUnion, kIntersection:
		return x.union(n)
	case kArrayType:
		return x.Make(opArrayOf, -1, x.typ(x.firstNamed(n)), -1)
	case kTuple:
		return x.tuple(n)
	case kRestType:
		return x.Make(opSpread, -1, x.typ(x.firstNamed(n)), -1)
	case kObjectType:
		return x.shape(n)
	case kFunctionType:
		return x.functionValue(n, -1, -1)
	case kConstructorType, kConstructSignature:
		return x.Make(opConstruct, -1, x.functionValue(n, -1, -1), -1)
	case kLiteralType:
		return x.literalType(n)
	case kThisType:
		return x.Make(opThisType, -1, -1, -1)
	case kTypeQuery:
		return x.Make(opTypeof, -1, x.entityName(x.firstNamed(n)), -1)
	case kIndexQuery:
		return x.Make(opKeyof, -1, x.typ(x.firstNamed(n)), -1)
	case kLookup:
		return x.lookup(n)
	case kConditional:
		return x.conditional(n)
	case kInfer:
		return x.infer(n)
	case kPredicate:
		x.typ(x.child(n, x.g.typ))
		return x.basic("boolean")
	case kCall: // import("m")
		return x.Make(opTypeof, -1, x.expr(n, -1), -1)
	}
	return x.otherType(n)
}

func (x *extractor) otherType(n int32) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.typ(c)
		}
	}
	if x.kind(n) == kTemplateType {
		return x.basic("string")
	}
	return -1
}

func (x *extractor) predefined(n int32) int32 {
	return x.basic(string(x.t.Text(n)))
}

// qualified reads a.b.C in a type: the last name is a type, those before it namespaces.
func (x *extractor) qualified(n int32) int32 {
	object, name := x.child(n, x.g.module), x.child(n, x.g.name)
	if object < 0 {
		object, name = x.child(n, x.g.object), x.child(n, x.g.property)
	}
	if object < 0 || name < 0 {
		return -1
	}
	e := int32(-1)
	switch x.kind(object) {
	case kCall:
		e = x.importType(object)
	default:
		e = x.entityName(object)
	}
	word := x.word(name)
	m := x.Make(opMember, word, e, -1)
	x.site(name, word, index.RefType, m, -1)
	return m
}

func (x *extractor) importType(n int32) int32 {
	if args := x.child(n, x.g.arguments); args >= 0 {
		return x.dynamicImport(n, args, -1)
	}
	return -1
}

// entityName reads a name that leads to a namespace or value: a, a.b or import("m").
func (x *extractor) entityName(n int32) int32 {
	if n < 0 {
		return -1
	}
	switch x.kind(n) {
	case kCall:
		return x.importType(n)
	case kIdentifier, kTypeIdentifier:
		return x.use(n, index.RefRead, -1, false)
	case kNestedIdentifier, kMember, kNestedTypeIdentifier:
		if !x.down() {
			x.up()
			return -1
		}
		defer x.up()
		object, name := x.child(n, x.g.object), x.child(n, x.g.property)
		if object < 0 {
			object, name = x.child(n, x.g.module), x.child(n, x.g.name)
		}
		if object < 0 || name < 0 {
			return -1
		}
		word := x.word(name)
		m := x.Make(opMember, word, x.entityName(object), -1)
		x.site(name, word, index.RefRead, m, -1)
		return m
	case kInstantiation:
		e := int32(-1)
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			switch {
			case x.kind(c) == kTypeArguments:
				from := len(x.Stack)
				x.typeList(c)
				e = x.MakeList(opInst, -1, e, -1, from)
			case x.nodes[c].Named() && x.kind(c) != kComment:
				e = x.entityName(c)
			}
		}
		return e
	}
	return x.expr(n, -1)
}

func (x *extractor) genericType(n int32) int32 {
	name, args := x.child(n, x.g.name), x.child(n, x.g.typeArguments)
	e := x.typ(name)
	from := len(x.Stack)
	if args >= 0 {
		x.typeList(args)
	}
	return x.MakeList(opInst, -1, e, -1, from)
}

// typeList pushes the types among n's children.
func (x *extractor) typeList(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.Push(x.typ(c))
		}
	}
}

// union reads a union or intersection, which the grammar nests to the left.
func (x *extractor) union(n int32) int32 {
	op := opUnion
	if x.kind(n) == kIntersection {
		op = opBoth
	}
	from := len(x.Stack)
	for left := n; ; {
		first := x.firstNamed(left)
		if first < 0 {
			break
		}
		if x.kind(first) != x.kind(n) {
			x.unionTerms(n, first)
			break
		}
		left = first
	}
	if len(x.Stack) == from+1 {
		e := x.Stack[from]
		x.Stack = x.Stack[:from]
		return e
	}
	return x.MakeList(op, -1, -1, -1, from)
}

// unionTerms pushes first, the innermost left term, and the right terms of all
// levels up to n.
func (x *extractor) unionTerms(n, first int32) {
	for level, c := x.nodes[first].Parent, first; ; level, c = x.nodes[level].Parent, x.nodes[level].Next {
		for end := x.nodes[level].Next; c < end; c = x.nodes[c].Next {
			if x.nodes[c].Named() && x.kind(c) != kComment {
				x.Push(x.typ(c))
			}
		}
		if level == n {
			return
		}
	}
}

func (x *extractor) tuple(n int32) int32 {
	from := len(x.Stack)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if k := x.kind(c); k != kParameter && k != kOptionalParameter {
			x.Push(x.typ(c))
			continue
		}
		e := x.typ(x.child(c, x.g.typ))
		if name := x.child(c, x.g.name); name >= 0 && x.kind(name) == kRestPattern {
			e = x.Make(opSpread, -1, e, -1)
		}
		x.Push(e)
	}
	return x.MakeList(opTuple, -1, -1, -1, from)
}

func (x *extractor) literalType(n int32) int32 {
	c := x.firstNamed(n)
	if c < 0 {
		return -1
	}
	switch x.kind(c) {
	case kString:
		if f := x.childOf(c, kFragment); f >= 0 && x.nodes[f].End-x.nodes[f].Start <= maxLiteral {
			word := x.word(f)
			if text := x.t.Text(f); len(text) >= minName && isIdentifier(text) {
				x.site(f, word, index.RefString, -1, -1)
			}
			return x.Make(opText, word, -1, -1)
		}
		return x.basic("string")
	case kTrue:
		return x.Make(opText, x.word(c), -1, -1)
	case kNull:
		return x.basic("null")
	case kUndefined:
		return x.basic("undefined")
	}
	return x.basic("number")
}

func (x *extractor) lookup(n int32) int32 {
	a, b := int32(-1), int32(-1)
	first := true
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if first {
			a, first = x.typ(c), false
			continue
		}
		if s := x.firstNamed(c); x.kind(c) == kLiteralType && s >= 0 && x.kind(s) == kString {
			if f := x.childOf(s, kFragment); f >= 0 && isIdentifier(x.t.Text(f)) {
				word := x.word(f)
				m := x.Make(opPropertyOf, word, a, -1)
				x.site(f, word, index.RefRead, m, -1)
				return m
			}
		}
		b = x.typ(c)
	}
	return x.Make(opLookup, -1, a, b)
}

// conditional reads a extends b ? c : d. What b infers is in scope in c.
func (x *extractor) conditional(n int32) int32 {
	mark := x.open()
	from := len(x.Stack)
	for _, field := range []uint16{x.g.left, x.g.right, x.g.consequence, x.g.alternative} {
		c := x.child(n, field)
		if field == x.g.right && c >= 0 {
			x.hoistInferred(c)
		}
		if field == x.g.alternative {
			x.close(mark)
			mark = x.open()
		}
		x.Push(x.typ(c))
	}
	x.close(mark)
	return x.MakeList(opChoice, -1, -1, -1, from)
}

// hoistInferred binds what infer declares anywhere in the type at n.
func (x *extractor) hoistInferred(n int32) {
	for i, end := n, x.nodes[n].Next; i < end; i++ {
		if x.kind(i) == kInfer {
			if name := x.firstNamed(i); name >= 0 {
				x.bind(x.word(name), x.newTypeParameter(), false, true)
			}
		}
	}
}

func (x *extractor) newTypeParameter() int32 {
	e := x.Reserve(opTypeParam)
	x.Exprs[e].A = x.typeNames
	x.typeNames++
	return e
}

func (x *extractor) infer(n int32) int32 {
	name := x.firstNamed(n)
	if name < 0 {
		return -1
	}
	for c := x.nodes[name].Next; c < x.nodes[n].Next; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.typ(c)
		}
	}
	return x.Make(opInfer, -1, x.meaning(x.word(name), true), -1)
}

// typeParameters reads and binds the type parameters of n and returns them as
// the operand list of a generic, nil without.
func (x *extractor) typeParameters(n int32) []int32 {
	list := x.child(n, x.g.typeParameters)
	if list < 0 {
		return nil
	}
	var all []int32
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if name := x.child(c, x.g.name); x.kind(c) == kTypeParameter && name >= 0 {
			e := x.newTypeParameter()
			x.bind(x.word(name), e, false, true)
			all = append(all, e)
		}
	}
	i := 0
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) != kTypeParameter || x.child(c, x.g.name) < 0 {
			continue
		}
		a, constraint := x.Exprs[all[i]].A, int32(-1)
		if t := x.child(c, x.g.constraint); t >= 0 {
			constraint = x.typ(t)
		}
		from := len(x.Stack)
		if t := x.child(c, x.g.fields.value); t >= 0 {
			x.Push(x.typ(t))
		}
		x.Set(all[i], opTypeParam, -1, a, constraint, from)
		i++
	}
	return all
}

// generic wraps e in its type parameters.
func (x *extractor) generic(e int32, params []int32) int32 {
	if len(params) == 0 {
		return e
	}
	from := len(x.Stack)
	x.Stack = append(x.Stack, params...)
	return x.MakeList(opGeneric, -1, e, -1, from)
}

// shape reads an object type.
func (x *extractor) shape(n int32) int32 {
	from := len(x.Stack)
	x.shapeMembers(n, false)
	if len(x.Stack) == from+1 && x.exprAt(x.Stack[from]).Op == opMapped {
		e := x.Stack[from]
		x.Stack = x.Stack[:from]
		return e
	}
	return x.MakeList(opShape, -1, -1, -1, from)
}

// shapeMembers reads the members of an object type or interface and pushes
// them. An interface's have their types themselves, so that only its signatures
// are pushed.
func (x *extractor) shapeMembers(n int32, own bool) {
	outer, inside := x.doc, x.inside
	x.doc = docs{}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kComment:
			x.doc.comment(x, c)
		case kPropertySignature, kMethodSignature:
			x.signatureMember(c, own)
		case kIndexSignature:
			if e := x.indexSignature(c); e >= 0 {
				x.Push(e)
			}
		case kCallSignature:
			x.Push(x.functionValue(c, -1, -1))
		case kConstructSignature:
			x.Push(x.typ(c))
		default:
			if x.nodes[c].Named() {
				x.other(c)
			}
		}
	}
	x.doc, x.inside = outer, inside
}

func (x *extractor) signatureMember(n int32, own bool) {
	kind := index.KindField
	if x.kind(n) == kMethodSignature {
		kind = index.KindMethod
	}
	d := x.memberDef(kind, n)
	in := x.in
	if d >= 0 {
		x.in = d
	}
	e := int32(-1)
	if kind == index.KindMethod {
		if d >= 0 {
			x.functionFacts(n, d)
			x.defs[d].Flags |= index.DefAbstract
		}
		e = x.functionValue(n, -1, -1)
	} else if t := x.child(n, x.g.typ); t >= 0 {
		e = x.typ(t)
	}
	x.in = in
	if d < 0 {
		return
	}
	if f := x.defs[d].Flags; f&(flagGet|flagSet) != 0 {
		x.defs[d].Type = e
		x.accessor(d)
		e, x.defs[d].Type = x.defs[d].Type, -1
	}
	if own {
		x.defs[d].Type = e
		return
	}
	x.Push(x.Make(opProperty, -1, d, e))
}

// indexSignature reads [k: K]: V and mapped types.
func (x *extractor) indexSignature(n int32) int32 {
	clause := x.childOf(n, kMappedClause)
	if clause < 0 {
		key := x.typ(x.child(n, x.g.indexType))
		return x.Make(opIndexed, -1, key, x.typ(x.child(n, x.g.typ)))
	}
	mark := x.open()
	defer x.close(mark)
	param := x.newTypeParameter()
	keys := x.typ(x.child(clause, x.g.typ))
	if name := x.child(clause, x.g.name); name >= 0 {
		x.bind(x.word(name), param, false, true)
	}
	x.Exprs[param].B = keys
	as := int32(-1)
	if alias := x.child(clause, x.g.alias); alias >= 0 {
		x.typ(alias)
		as = x.internText("as")
	}
	from := len(x.Stack)
	x.Push(param)
	return x.MakeList(opMapped, as, keys, x.typ(x.child(n, x.g.typ)), from)
}
