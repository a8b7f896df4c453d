package ecmascript

import "github.com/plumbkit/plumb/index"

// class reads the class at n as the Def d.
func (x *extractor) class(n, d int32) {
	in, this, super, outer := x.in, x.this, x.super, x.doc
	inside, exported, namespace := x.inside, x.exported, x.namespace
	x.in, x.doc, x.exported = d, docs{}, false
	x.readDecorators(n)
	mark := x.open()
	if name := x.child(n, x.g.name); name >= 0 && x.kind(n) == kClassExpression {
		x.bind(x.word(name), x.Make(opDef, -1, d, -1), true, true)
	}
	x.typeParameterFacts(n, d)
	generics := x.typeParameters(n)
	from := len(x.Stack)
	extends := int32(0)
	if list := x.childOf(n, kClassHeritage); list >= 0 {
		extends = x.classHeritage(list)
	}
	x.defs[d].Type = x.generic(x.MakeList(opClass, -1, extends, -1, from), generics)
	x.this, x.super = x.Make(opThis, -1, d, -1), x.Make(opSuper, -1, d, -1)
	x.namespace = false
	if body := x.child(n, x.g.body); body >= 0 {
		x.defs[d].Body = x.nodes[body].Start
		x.classBody(body, d)
	}
	x.close(mark)
	x.in, x.this, x.super, x.doc = in, this, super, outer
	x.inside, x.exported, x.namespace = inside, exported, namespace
}

func (x *extractor) readDecorators(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kDecorator {
			x.decorator(c)
		}
	}
}

func (x *extractor) decorator(n int32) {
	if c := x.firstNamed(n); c >= 0 {
		x.expr(c, -1)
	}
}

// classHeritage pushes the value that a class extends and the types it
// implements, and returns how many it extends: 0 or 1.
func (x *extractor) classHeritage(n int32) int32 {
	extends := int32(0)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kExtendsClause:
			extends = x.extendsClause(c)
		case kImplementsClause:
			for i, end := c+1, x.nodes[c].Next; i < end; i = x.nodes[i].Next {
				if x.nodes[i].Named() && x.kind(i) != kComment {
					x.Push(x.heritage(i))
				}
			}
		default:
			if x.nodes[c].Named() && x.kind(c) != kComment { // JavaScript
				x.Push(x.extended(c))
				extends = 1
			}
		}
	}
	return extends
}

func (x *extractor) extendsClause(n int32) int32 {
	value := x.child(n, x.g.fields.value)
	if value < 0 {
		return 0
	}
	e := x.extended(value)
	if args := x.child(n, x.g.typeArguments); args >= 0 {
		from := len(x.Stack)
		x.typeList(args)
		e = x.MakeList(opInst, -1, e, -1, from)
	}
	x.Push(e)
	return 1
}

// extended reads the value that a class extends.
func (x *extractor) extended(n int32) int32 {
	sites := len(x.sites)
	e := x.expr(n, -1)
	if k := x.kind(n); len(x.sites) > sites && (k == kIdentifier || k == kMember) {
		x.sites[len(x.sites)-1].Kind = index.RefEmbed
	}
	return e
}

func (x *extractor) classBody(n, d int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kComment:
			x.doc.comment(x, c)
		case kMethod, kAbstractMethod, kMethodSignature:
			x.method(c, d)
		case kField:
			x.classField(c, d)
		case kStaticBlock:
			x.staticBlock(c, d)
		case kIndexSignature:
			x.indexSignature(c)
		case kDecorator:
			x.decorator(c)
		default:
			if x.nodes[c].Named() {
				x.other(c)
			}
		}
	}
}

// memberName returns the node of a member's name, -1 for one that is computed
// of more than a literal. What is computed is read.
func (x *extractor) memberName(n int32) int32 {
	name := x.child(n, x.g.name)
	if name < 0 {
		name = x.child(n, x.g.property)
	}
	if name < 0 {
		name = x.child(n, x.g.key)
	}
	if name >= 0 && x.kind(name) == kComputedName {
		c := x.firstNamed(name)
		if c >= 0 && x.kind(c) == kString && x.childOf(c, kFragment) >= 0 {
			return c
		}
		if c >= 0 {
			x.expr(c, -1)
		}
		return -1
	}
	if name >= 0 && x.kind(name) == kString && x.nodes[name].End-x.nodes[name].Start <= 2 {
		return -1
	}
	return name
}

// memberDef adds the Def of a class member or interface member, -1 when its name is not known.
func (x *extractor) memberDef(kind index.Kind, n int32) int32 {
	name := x.memberName(n)
	if name < 0 {
		return -1
	}
	d := x.define(kind, name, n, n, x.doc.take(x, x.nodes[n].Start))
	def := &x.defs[d]
	def.Visibility = index.Public
	if x.kind(name) == kPrivateIdentifier {
		def.Visibility = index.Private
	}
	for c := n + 1; c < name; c = x.nodes[c].Next {
		switch string(x.t.Text(c)) {
		case "static":
			def.Flags |= flagStatic
		case "get":
			def.Flags |= flagGet
		case "set":
			def.Flags |= flagSet
		case "abstract":
			def.Flags |= index.DefAbstract
		case "private":
			def.Visibility = index.Private
		case "protected":
			def.Visibility = index.PackageWide
		}
	}
	if x.has(n, "?") {
		def.Flags |= flagOptional
	}
	return d
}

// method reads a method, constructor or accessor of the class d.
func (x *extractor) method(n, class int32) {
	kind := index.KindMethod
	if name := x.child(n, x.g.name); name >= 0 && string(x.t.Text(name)) == "constructor" {
		kind = index.KindConstructor
	}
	d := x.memberDef(kind, n)
	this := x.this
	if d < 0 {
		x.functionValue(n, this, -1)
		return
	}
	switch {
	case x.defs[d].Flags&flagStatic != 0:
		this = x.Make(opDef, -1, class, -1)
		if kind == index.KindConstructor {
			x.defs[d].Kind = index.KindMethod
		}
	}
	if x.child(n, x.g.body) < 0 {
		x.defs[d].Flags |= index.DefAbstract
	}
	x.functionDef(n, d, this)
	x.accessor(d)
}

// accessor gives a getter or setter the type of its property.
func (x *extractor) accessor(d int32) {
	def := &x.defs[d]
	if def.Flags&(flagGet|flagSet) == 0 {
		return
	}
	def.Kind = index.KindField
	e := max(def.Type, def.Value)
	switch {
	case e < 0:
	case def.Flags&flagGet != 0:
		def.Type, def.Value = x.Make(opReturnOfGet, -1, e, -1), -1
	default:
		def.Type, def.Value = x.Make(opParameter, -1, e, 0), -1
	}
}

// classField reads a field of the class d.
func (x *extractor) classField(n, class int32) {
	x.readDecorators(n)
	d := x.memberDef(index.KindField, n)
	typ, value := x.child(n, x.g.typ), x.child(n, x.g.fields.value)
	in, this := x.in, x.this
	if d >= 0 {
		x.in = d
		if x.defs[d].Flags&flagStatic != 0 {
			x.this = x.Make(opDef, -1, class, -1)
		}
	}
	declared := int32(-1)
	if typ >= 0 {
		declared = x.typ(typ)
	}
	inside := x.inside
	x.inside = true
	switch {
	case value >= 0 && d >= 0:
		if k := x.kind(value); k == kArrow || k == kFunction {
			x.defs[d].Kind = index.KindMethod
		}
		visible := x.defs[d].Visibility
		x.in = in
		x.defineValue(d, value, declared, declared)
		x.defs[d].Visibility = visible
	case value >= 0:
		x.expr(value, declared)
	case d >= 0:
		x.defs[d].Type = declared
	}
	x.inside = inside
	x.in, x.this = in, this
}

func (x *extractor) staticBlock(n, class int32) {
	this := x.this
	x.this = x.Make(opDef, -1, class, -1)
	if body := x.child(n, x.g.body); body >= 0 {
		x.block(body)
	}
	x.this = this
}

// thisField adds the field that a JavaScript class first gets by an assignment
// to this, at the property name of the assignment n.
func (x *extractor) thisField(n, name, value int32) int32 {
	if x.this < 0 || x.Exprs[x.this].Op != opThis {
		return -1
	}
	class, word := x.Exprs[x.this].A, x.word(name)
	for d := int(class) + 1; d < len(x.defs); d++ {
		if x.defs[d].Parent == class && x.defs[d].Name == uint32(word) {
			return -1
		}
	}
	in, inside := x.in, x.inside
	x.in = class
	d := x.define(index.KindField, name, n, n, index.Range{})
	x.in, x.inside = in, inside
	x.defs[d].Visibility = index.Public
	if x.kind(name) == kPrivateIdentifier {
		x.defs[d].Visibility = index.Private
	}
	return d
}
