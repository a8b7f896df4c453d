package ecmascript

import "github.com/plumbkit/plumb/index"

// exporting reads a declaration that is exported; whole is the export statement.
func (x *extractor) exporting(whole, decl int32) {
	outer := x.exported
	x.exported = true
	if !x.declaration(decl, whole) {
		if x.kind(decl) == kImportAlias {
			x.importAlias(decl)
			if name := x.childOf(decl, kIdentifier); name >= 0 {
				x.module.public[x.word(name)] = true
				x.entry(x.Make(opExported, x.word(name), x.Make(opName, x.word(name), -1, -1), -1))
			}
		} else {
			x.statement(decl)
		}
	}
	x.exported = outer
}

// declaration reads n if it is a declaration. whole is n, or the statement that
// exports or declares it.
func (x *extractor) declaration(n, whole int32) bool {
	switch x.kind(n) {
	case kLexical, kVariable:
		x.variables(n, whole)
	case kFunctionDeclaration, kFunctionSignature:
		x.functionDeclaration(n, whole)
	case kClassDeclaration:
		x.classDeclaration(n, whole)
	case kInterface:
		x.interfaceDeclaration(n, whole)
	case kTypeAlias:
		x.typeAlias(n, whole)
	case kEnum:
		x.enum(n, whole)
	case kModule:
		x.moduleDeclaration(n, whole)
	case kAmbient:
		x.ambientDeclaration(n, whole)
	default:
		return false
	}
	return true
}

func (x *extractor) ambientDeclaration(n, whole int32) {
	ambient := x.ambient
	x.ambient = true
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kBlock && x.has(n, "global"):
			x.globals(c)
		case x.nodes[c].Named() && !x.declaration(c, whole):
			x.statement(c)
		}
	}
	x.ambient = ambient
}

// globals reads declare global {…}: what stands there is declared for every file.
func (x *extractor) globals(n int32) {
	x.module.flags |= modGlobal
	global, in := x.global, x.in
	x.global, x.in = true, -1
	x.statements(n)
	x.global, x.in = global, in
}

// functionDeclaration reads a function, or an overload or ambient declaration of one.
func (x *extractor) functionDeclaration(n, whole int32) {
	name := x.child(n, x.g.name)
	doc := x.doc.take(x, x.nodes[whole].Start)
	var d int32
	if name >= 0 {
		d = x.define(index.KindFunction, name, n, whole, doc)
		x.settle(x.word(name), d, false)
	} else if keyword := x.keyword(whole, "default"); keyword >= 0 {
		d = x.define(index.KindFunction, keyword, n, whole, doc)
	} else {
		x.functionValue(n, -1, -1)
		return
	}
	x.functionDef(n, d, -1)
	if x.kind(n) == kFunctionSignature {
		x.defs[d].Flags |= index.DefAbstract
	}
}

// functionDef reads the function at n as the Def d.
func (x *extractor) functionDef(n, d, this int32) {
	in := x.in
	x.in = d
	if body := x.child(n, x.g.body); body >= 0 {
		x.defs[d].Body = x.nodes[body].Start
	}
	x.functionFacts(n, d)
	x.docTypes = x.documentedTypes(d)
	e := x.functionValue(n, this, -1)
	if x.declares(e) {
		x.defs[d].Type = e
	} else {
		x.defs[d].Value = e
	}
	x.in = in
}

// declares reports whether the function e says its result itself.
func (x *extractor) declares(e int32) bool {
	f := x.exprAt(e)
	if f.Op == opGeneric {
		f = x.exprAt(f.A)
	}
	return f.Op == opFunction && f.B&fnDeclared != 0
}

func (x *extractor) classDeclaration(n, whole int32) {
	name := x.child(n, x.g.name)
	doc := x.doc.take(x, x.nodes[whole].Start)
	if name < 0 {
		if name = x.keyword(whole, "default"); name < 0 {
			x.other(n)
			return
		}
	}
	d := x.define(index.KindClass, name, n, whole, doc)
	if x.nodes[name].Named() {
		x.settle(x.word(name), d, false)
		x.settle(x.word(name), d, true)
	}
	if x.has(n, "abstract") {
		x.defs[d].Flags |= index.DefAbstract
	}
	x.class(n, d)
}

// interfaceDeclaration reads an interface: the types it extends, then its members.
func (x *extractor) interfaceDeclaration(n, whole int32) {
	name, body := x.child(n, x.g.name), x.child(n, x.g.body)
	if name < 0 {
		return
	}
	d := x.define(index.KindInterface, name, n, whole, x.doc.take(x, x.nodes[whole].Start))
	x.settle(x.word(name), d, true)
	in := x.in
	x.in = d
	mark := x.open()
	x.typeParameterFacts(n, d)
	generics := x.typeParameters(n)
	from := len(x.Stack)
	if list := x.childOf(n, kExtendsTypeClause); list >= 0 {
		for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
			if x.nodes[c].Named() && x.kind(c) != kComment {
				x.Push(x.heritage(c))
			}
		}
	}
	count := int32(len(x.Stack) - from)
	if body >= 0 {
		x.defs[d].Body = x.nodes[body].Start
		x.shapeMembers(body, true)
	}
	x.defs[d].Type = x.generic(x.MakeList(opInterface, -1, count, -1, from), generics)
	x.close(mark)
	x.in = in
}

// heritage reads a type that is extended or implemented.
func (x *extractor) heritage(n int32) int32 {
	kinds := len(x.sites)
	e := x.typ(n)
	if kinds < len(x.sites) {
		base := &x.sites[kinds]
		for i := kinds; i < len(x.sites) && x.kind(n) != kIdentifier; i++ { // the last part of a qualified name
			if x.sites[i].Start < x.heritageEnd(n) {
				base = &x.sites[i]
			}
		}
		base.Kind = index.RefEmbed
	}
	return e
}

// heritageEnd returns where the name of a type ends, before its arguments.
func (x *extractor) heritageEnd(n int32) uint32 {
	if x.kind(n) == kGeneric {
		if name := x.child(n, x.g.name); name >= 0 {
			return x.nodes[name].End
		}
	}
	return x.nodes[n].End
}

func (x *extractor) typeAlias(n, whole int32) {
	name, value := x.child(n, x.g.name), x.child(n, x.g.fields.value)
	if name < 0 {
		return
	}
	d := x.define(index.KindType, name, n, whole, x.doc.take(x, x.nodes[whole].Start))
	x.defs[d].Flags |= index.DefAlias
	x.settle(x.word(name), d, true)
	in := x.in
	x.in = d
	mark := x.open()
	x.typeParameterFacts(n, d)
	generics := x.typeParameters(n)
	if value >= 0 {
		x.defs[d].Type = x.generic(x.typ(value), generics)
	}
	x.close(mark)
	x.in = in
}

func (x *extractor) enum(n, whole int32) {
	name, body := x.child(n, x.g.name), x.child(n, x.g.body)
	if name < 0 {
		return
	}
	d := x.define(index.KindEnum, name, n, whole, x.doc.take(x, x.nodes[whole].Start))
	x.settle(x.word(name), d, false)
	x.settle(x.word(name), d, true)
	x.defs[d].Type = x.Make(opEnum, -1, -1, -1)
	if body < 0 {
		return
	}
	x.defs[d].Body = x.nodes[body].Start
	in, outer := x.in, x.doc
	x.in, x.doc = d, docs{}
	mark := x.open()
	for c, end := body+1, x.nodes[body].Next; c < end; c = x.nodes[c].Next {
		x.enumMember(c)
	}
	x.close(mark)
	x.in, x.doc = in, outer
}

func (x *extractor) enumMember(n int32) {
	name, value := n, int32(-1)
	switch x.kind(n) {
	case kComment:
		x.doc.comment(x, n)
		return
	case kEnumAssignment:
		name, value = x.child(n, x.g.name), x.child(n, x.g.fields.value)
	case kPropertyIdentifier, kString, kPrivateIdentifier, kComputedName:
	default:
		return
	}
	if name < 0 || x.kind(name) == kComputedName {
		return
	}
	d := x.define(index.KindEnumMember, name, n, n, x.doc.take(x, x.nodes[n].Start))
	x.defs[d].Visibility = x.defs[x.in].Visibility
	if value >= 0 {
		in := x.in
		x.in = d
		x.expr(value, -1)
		x.in = in
	}
	x.bind(int32(x.defs[d].Name), x.Make(opDef, -1, d, -1), true, true)
}

// moduleDeclaration reads namespace A.B {…} and declare module "m" {…}.
func (x *extractor) moduleDeclaration(n, whole int32) {
	name, body := x.child(n, x.g.name), x.child(n, x.g.body)
	if name < 0 {
		return
	}
	doc := x.doc.take(x, x.nodes[whole].Start)
	in, outer := x.in, x.doc
	last := x.namespaces(name, n, whole, doc)
	if body >= 0 && last >= 0 {
		x.defs[last].Body = x.nodes[body].Start
		inside, namespace, ambient := x.inside, x.namespace, x.ambient
		exported, global := x.exported, x.global
		x.in, x.inside, x.namespace, x.exported, x.global = last, false, true, false, false
		x.ambient = ambient || x.kind(name) == kString
		mark := x.open()
		x.hoist(body)
		x.statements(body)
		x.close(mark)
		x.inside, x.namespace, x.ambient, x.exported, x.global = inside, namespace, ambient, exported, global
	}
	x.in, x.doc = in, outer
}

// namespaces adds the Defs of a namespace's name, which may be several in one,
// and returns the innermost.
func (x *extractor) namespaces(name, n, whole int32, doc index.Range) int32 {
	switch x.kind(name) {
	case kNestedIdentifier:
		object, property := x.child(name, x.g.object), x.child(name, x.g.property)
		if object < 0 || property < 0 {
			return -1
		}
		outer := x.namespaces(object, n, whole, doc)
		if outer < 0 {
			return -1
		}
		x.in = outer
		d := x.namespaceDef(property, n, whole, index.Range{})
		x.defs[d].Visibility = x.defs[outer].Visibility
		return d
	case kMember:
		return x.namespaces(x.child(name, x.g.object), n, whole, doc)
	}
	return x.namespaceDef(name, n, whole, doc)
}

func (x *extractor) namespaceDef(name, n, whole int32, doc index.Range) int32 {
	d := x.define(index.KindPackage, name, n, whole, doc)
	def := &x.defs[d]
	if def.Parent < 0 {
		def.Parent = 0 // the module's; one without a parent would be a module itself
	}
	if x.kind(name) == kString {
		def.Flags |= flagValue
		def.Visibility = index.Public
	} else {
		x.settle(x.word(name), d, false)
		x.settle(x.word(name), d, true)
	}
	def.Type = x.Make(opNamespace, -1, -1, -1)
	return d
}
