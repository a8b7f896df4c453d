package golang

import "github.com/plumbkit/plumb/index"

// typ reads the type at n and returns its expression; kind is that of the
// reference to its name.
func (x *extractor) typ(n int32, kind index.RefKind) int32 {
	if !x.down() {
		x.up()
		return -1
	}
	defer x.up()
	switch x.kind(n) {
	case kTypeIdentifier, kIdentifier, kPackageIdentifier:
		return x.use(n, kind, -1)
	case kQualifiedType:
		return x.qualified(n, kind, -1)
	case kGenericType:
		return x.generic(n, kind, -1)
	case kPointerType:
		return x.Make(opPointer, -1, x.inner(n, kind), -1)
	case kParenthesizedType:
		return x.inner(n, kind)
	case kSliceType, kImplicitArrayType:
		return x.element(n)
	case kArrayType:
		x.field(n, x.g.fields.length, func(c int32) { x.expr(c, false) })
		return x.element(n)
	case kMapType:
		key, value := int32(-1), int32(-1)
		x.field(n, x.g.key, func(c int32) { key = x.typ(c, index.RefType) })
		x.field(n, x.g.value, func(c int32) { value = x.typ(c, index.RefType) })
		return x.Make(opMap, -1, key, value)
	case kChannelType:
		value := int32(-1)
		x.field(n, x.g.value, func(c int32) { value = x.typ(c, index.RefType) })
		return x.Make(opChan, -1, value, -1)
	case kFunctionType:
		return x.signature(n, -1)
	case kStructType:
		return x.structType(n)
	case kInterfaceType:
		return x.interfaceType(n)
	case kNegatedType:
		from := len(x.Stack)
		x.Push(x.inner(n, index.RefType))
		return x.MakeList(opUnion, -1, -1, -1, from)
	case kTypeElem, kTypeConstraint:
		return x.terms(n, kind)
	}
	return x.expr(n, true)
}

// field calls f with n's child that fills field, if there is one.
func (x *extractor) field(n int32, field uint16, f func(int32)) {
	if c := x.child(n, field); c >= 0 {
		f(c)
	}
}

// inner reads the first named child of n as a type.
func (x *extractor) inner(n int32, kind index.RefKind) int32 {
	if c := x.firstNamed(n); c >= 0 {
		return x.typ(c, kind)
	}
	return -1
}

func (x *extractor) element(n int32) int32 {
	e := int32(-1)
	x.field(n, x.g.element, func(c int32) { e = x.typ(c, index.RefType) })
	if x.kind(n) == kSliceType {
		return x.Make(opSliceType, -1, e, -1)
	}
	return x.Make(opArray, -1, e, -1)
}

// firstNamed returns n's first named child that is no comment, or -1.
func (x *extractor) firstNamed(n int32) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			return c
		}
	}
	return -1
}

func (x *extractor) qualified(n int32, kind index.RefKind, args int32) int32 {
	pkg, name := int32(-1), x.child(n, x.g.name)
	x.field(n, x.g.pkg, func(c int32) { pkg = x.use(c, index.RefRead, -1) })
	if name < 0 {
		return -1
	}
	return x.member(pkg, name, kind, args)
}

// member records the reference to name in operand.
func (x *extractor) member(operand, name int32, kind index.RefKind, args int32) int32 {
	if x.nodes[name].Start == x.nodes[name].End {
		return -1
	}
	word := x.word(name)
	e := x.Make(opSelect, word, operand, -1)
	x.site(name, word, kind, e, args)
	return e
}

// generic reads an instantiated type, or an instantiated function that the
// grammar takes for one.
func (x *extractor) generic(n int32, kind index.RefKind, args int32) int32 {
	base := int32(-1)
	x.field(n, x.g.typ, func(c int32) {
		switch x.kind(c) {
		case kQualifiedType:
			base = x.qualified(c, kind, args)
		case kTypeIdentifier, kIdentifier:
			base = x.use(c, kind, args)
		default:
			base = x.typ(c, kind)
		}
	})
	from := len(x.Stack)
	x.field(n, x.g.typeArguments, func(c int32) { x.typeList(c) })
	return x.MakeList(opIndex, -1, base, -1, from)
}

// typeList pushes the types among n's children.
func (x *extractor) typeList(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.Push(x.typ(c, index.RefType))
		}
	}
}

// terms reads a constraint or an embedded element of an interface: one type,
// or a union. kind is used when it is one plain type.
func (x *extractor) terms(n int32, kind index.RefKind) int32 {
	count := 0
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			count++
		}
	}
	if count <= 1 {
		return x.inner(n, kind)
	}
	from := len(x.Stack)
	x.typeList(n)
	return x.MakeList(opUnion, -1, -1, -1, from)
}

func (x *extractor) structType(n int32) int32 {
	from, first := len(x.Stack), int32(len(x.defs))
	parent, outer := x.in, x.doc
	x.doc = docs{}
	for list, end := n+1, x.nodes[n].Next; list < end; list = x.nodes[list].Next {
		if x.kind(list) == kFieldList {
			x.structFields(list)
		} else if x.nodes[list].Named() && x.kind(list) != kComment {
			x.visit(list)
		}
	}
	x.doc = outer
	return x.MakeList(opStruct, int32(len(x.defs)), parent, first, from)
}

func (x *extractor) structFields(list int32) {
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kComment:
			x.doc.comment(x, c)
		case x.Defines(c) == index.KindField:
			x.structField(c)
		case x.nodes[c].Named():
			x.visit(c)
		}
	}
}

// structField defines the fields of one declaration and pushes the type of an
// embedded one.
func (x *extractor) structField(n int32) {
	doc := x.doc.takeLine(x, x.nodes[n].Start, x.nodes[n].End)
	first, in := int32(len(x.defs)), x.in
	x.eachName(n, func(name int32) { x.define(index.KindField, name, n, n, doc) })
	typ := x.child(n, x.g.typ)
	if typ < 0 {
		return
	}
	if int(first) == len(x.defs) {
		x.embedded(n, typ, doc)
		return
	}
	x.in = first
	last := int32(len(x.defs))
	e := x.typ(typ, index.RefType)
	for d := first; d < last; d++ {
		x.defs[d].Type = e
	}
	x.in = in
}

func (x *extractor) embedded(n, typ int32, doc index.Range) {
	base := x.baseName(typ)
	if base < 0 {
		x.Push(x.typ(typ, index.RefEmbed))
		return
	}
	d := x.define(index.KindField, base, n, n, doc)
	x.defs[d].Flags |= index.DefEmbedded
	in := x.in
	x.in = d
	e := x.typ(typ, index.RefEmbed)
	if x.src[x.nodes[n].Start] == '*' && x.nodes[typ].Start > x.nodes[n].Start {
		e = x.Make(opPointer, -1, e, -1)
	}
	x.defs[d].Type = e
	x.in = in
	x.Push(e)
}

// baseName returns the identifier that names an embedded type, or -1.
func (x *extractor) baseName(n int32) int32 {
	for n >= 0 {
		switch x.kind(n) {
		case kTypeIdentifier, kIdentifier:
			return n
		case kQualifiedType:
			return x.child(n, x.g.name)
		case kGenericType:
			n = x.child(n, x.g.typ)
		case kPointerType, kParenthesizedType:
			n = x.firstNamed(n)
		default:
			return -1
		}
	}
	return -1
}

func (x *extractor) interfaceType(n int32) int32 {
	from, first := len(x.Stack), int32(len(x.defs))
	parent, outer := x.in, x.doc
	x.doc = docs{}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kComment:
			x.doc.comment(x, c)
		case x.Defines(c) == index.KindMethod:
			x.abstractMethod(c)
		case x.nodes[c].Named():
			x.Push(x.typ(c, index.RefEmbed))
		}
	}
	x.doc = outer
	return x.MakeList(opInterface, int32(len(x.defs)), parent, first, from)
}

func (x *extractor) abstractMethod(n int32) {
	name := x.child(n, x.g.name)
	if name < 0 {
		return
	}
	d := x.define(index.KindMethod, name, n, n, x.doc.takeLine(x, x.nodes[n].Start, x.nodes[n].End))
	x.defs[d].Flags |= index.DefAbstract
	x.parameterFacts(n, d)
	in := x.in
	x.in = d
	typ := x.signature(n, -1)
	x.defs[d].Type = typ
	x.in = in
}
