package ecmascript

import "github.com/plumbkit/plumb/index"

// assignDef reads a statement that assigns what is a definition in disguise:
// module.exports and exports.x, a member of a prototype, or a property of a
// function or class of the file. n is the statement and a the assignment.
func (x *extractor) assignDef(n, a int32) bool {
	left, right := x.child(a, x.g.left), x.child(a, x.g.right)
	if left < 0 || right < 0 || x.kind(left) != kMember || x.inside || x.namespace {
		return false
	}
	object, name := x.child(left, x.g.object), x.child(left, x.g.property)
	if object < 0 || name < 0 {
		return false
	}
	switch {
	case string(x.t.Text(left)) == "module.exports":
		return x.moduleExports(n, left, right)
	case string(x.t.Text(object)) == "exports" || string(x.t.Text(object)) == "module.exports":
		x.module.flags |= modCommonJS
		x.exportsMember(n, left, name, right)
		return true
	}
	return x.ownedMember(n, left, object, name, right)
}

func (x *extractor) free(text string) bool { return x.bound[x.internText(text)].value == 0 }

func (x *extractor) moduleExports(n, left, right int32) bool {
	if !x.free("module") {
		return false
	}
	x.module.flags |= modCommonJS
	x.target(left, index.RefWrite, -1)
	value := right
	if k := x.kind(right); k == kAssignment && x.child(right, x.g.right) >= 0 { // module.exports = exports = …
		x.target(x.child(right, x.g.left), index.RefWrite, -1)
		value = x.child(right, x.g.right)
	}
	e := int32(-1)
	switch x.kind(value) {
	case kIdentifier, kMember, kCall, kNew:
		e = x.expr(value, -1)
		if x.kind(value) == kIdentifier {
			x.module.public[x.word(value)] = true
		}
	case kObject:
		x.publicShorthands(value)
		exported := x.exported
		x.exported = true
		d := x.namelessDef(x.child(left, x.g.property), n, value)
		x.defs[d].Flags |= flagHidden
		e = x.Make(opDef, -1, d, -1)
		x.exported = exported
	default:
		d := x.namelessDef(x.child(left, x.g.property), n, value)
		x.defs[d].Visibility = index.Public
		x.defs[d].Flags |= flagHidden
		e = x.Make(opDef, -1, d, -1)
	}
	x.entry(x.Make(opExported, x.internText("export="), e, -1))
	return true
}

func (x *extractor) publicShorthands(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		name := c
		if x.kind(c) == kPair {
			name = x.child(c, x.g.fields.value)
		}
		if name >= 0 && (x.kind(name) == kShorthand || x.kind(name) == kIdentifier) {
			x.module.public[x.word(name)] = true
		}
	}
}

func (x *extractor) exportsMember(n, left, name, right int32) {
	word := x.word(name)
	if k := x.kind(right); k == kIdentifier {
		x.target(left, index.RefWrite, -1)
		e := x.expr(right, -1)
		x.module.public[x.word(right)] = true
		x.entry(x.Make(opExported, word, e, -1))
		return
	}
	d := x.define(index.KindVariable, name, right, n, x.doc.take(x, x.nodes[n].Start))
	def := &x.defs[d]
	def.Visibility = index.Public
	def.Flags |= flagHidden
	if k := x.kind(right); k == kArrow || k == kFunction {
		def.Kind = index.KindFunction
	}
	x.target(left, index.RefWrite, -1)
	x.defineValue(d, right, -1, -1)
	x.entry(x.Make(opExported, word, x.Make(opDef, -1, d, -1), -1))
}

// ownedMember reads A.prototype.m = … and f.m = …, where A or f is declared in the file.
func (x *extractor) ownedMember(n, left, object, name, right int32) bool {
	owner, static := object, true
	if x.kind(object) == kMember {
		property := x.child(object, x.g.property)
		if property < 0 || string(x.t.Text(property)) != "prototype" {
			return false
		}
		owner, static = x.child(object, x.g.object), false
	}
	if owner < 0 || x.kind(owner) != kIdentifier || !x.declaredHere(x.word(owner)) {
		return false
	}
	kind := index.KindField
	k := x.kind(right)
	if k == kArrow || k == kFunction {
		kind = index.KindMethod
	}
	if static && kind == index.KindField && x.kind(name) == kPrivateIdentifier {
		return false
	}
	word := x.word(owner)
	d := x.define(kind, name, right, n, x.doc.take(x, x.nodes[n].Start))
	x.defs[d].Visibility = index.Public
	x.defs[d].Owner = word
	if static {
		x.defs[d].Flags |= flagStatic
	}
	x.target(left, index.RefWrite, -1)
	if k == kFunction && !static {
		in := x.in
		x.in = d
		x.functionFacts(right, d)
		this := x.Make(opNew, -1, x.Make(opName, word, -1, -1), -1)
		x.defs[d].Value = x.functionValue(right, this, -1)
		x.in = in
		return true
	}
	x.defineValue(d, right, -1, -1)
	return true
}

// declaredHere reports whether the file has declared a function, class or
// variable of this name at its top by now.
func (x *extractor) declaredHere(word int32) bool {
	for i := range x.defs {
		d := &x.defs[i]
		if d.Name != uint32(word) || d.Parent >= 0 || d.Owner >= 0 {
			continue
		}
		switch d.Kind {
		case index.KindFunction, index.KindClass, index.KindConstant, index.KindVariable:
			return true
		}
	}
	return false
}
