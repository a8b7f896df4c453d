package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// assignment reads "left: type = right", which may chain, and returns the value.
func (x *extractor) assignment(n int32) int32 {
	declared, value := int32(-1), unbound
	lefts := []int32{n}
	typ, right := x.child(n, x.g.typ), x.child(n, x.g.right)
	if typ >= 0 {
		declared = x.annotation(typ)
	}
	for right >= 0 && x.kind(right) == kAssignment {
		lefts = append(lefts, right)
		right = x.child(right, x.g.right)
	}
	switch {
	case right < 0:
	case typ >= 0 && x.says(typ, "TypeAlias"):
		value = x.annotation(right)
	default:
		value = x.expr(right)
	}
	for _, at := range lefts {
		if left := x.child(at, x.g.left); left >= 0 {
			x.target(left, value, declared, at)
		}
	}
	return value
}

func (x *extractor) says(n int32, word string) bool { return strings.Contains(x.text(n), word) }

// augmented reads "left += right".
func (x *extractor) augmented(n int32) {
	left, right := x.child(n, x.g.left), x.child(n, x.g.right)
	value := int32(-1)
	if right >= 0 {
		value = x.expr(right)
	}
	if left < 0 {
		return
	}
	if x.kind(left) == kIdentifier {
		if name := x.text(left); name == "__all__" {
			x.exports(right)
		}
		word := x.word(left)
		e, site := x.resolve(word)
		if site {
			x.site(left, word, index.RefWrite, x.sited(word, e), -1)
		}
		if f, v := x.find(word); f != nil && f.kind != frameClass && x.here(f) {
			x.set(f, v, x.Make(opBinary, -1, e, value))
		}
		return
	}
	if string(x.t.Text(left)) == "sys.path" {
		x.paths = true
	}
	x.write(left)
}

// write reads an attribute or subscript that is assigned to.
func (x *extractor) write(n int32) int32 {
	if x.kind(n) == kAttribute {
		return x.attribute(n, index.RefWrite, -1)
	}
	return x.expr(n)
}

// target binds n to value. declared is its annotation, stmt the node that the
// binding is defined by. A value that is unbound is a mere declaration.
func (x *extractor) target(n, value, declared, stmt int32) {
	if !x.down() {
		x.up()
		return
	}
	switch x.kind(n) {
	case kIdentifier:
		x.bindName(n, value, declared, stmt)
	case kAttribute:
		x.bindAttribute(n, value, declared, stmt)
		if x.lastWord(n) == "__test__" {
			x.markMember("__test__", stmt)
		}
	case kTuplePattern, kListPattern, kPatternList, kTuple, kList, kExpressionList, kParenthesizedExpression:
		x.unpack(n, value, stmt)
	case kListSplatPattern, kListSplat:
		if c := x.first(n); c >= 0 {
			x.target(c, value, -1, stmt)
		}
	default:
		x.expr(n)
	}
	x.up()
}

// unpack binds the parts of a tuple to the parts of value.
func (x *extractor) unpack(n, value, stmt int32) {
	if x.kind(n) == kParenthesizedExpression {
		if c := x.first(n); c >= 0 {
			x.target(c, value, -1, stmt)
		}
		return
	}
	i := int32(0)
	starred := false
	x.each(n, func(c int32) {
		part := int32(-1)
		star := x.kind(c) == kListSplatPattern || x.kind(c) == kListSplat
		switch {
		case value < 0 || starred:
		case star:
			part, starred = x.Make(opItem, -1, value, -1), true
		default:
			part = x.part(value, i)
		}
		x.target(c, part, -1, stmt)
		i++
	})
}

// part returns the i-th part of an unpacked value.
func (x *extractor) part(value, i int32) int32 {
	if e := &x.Exprs[value]; (e.Op == opTuple || e.Op == opList) && int(i) < int(e.L1-e.L0) {
		list := x.Lists[e.L0:e.L1]
		spread := false
		for _, v := range list[:i+1] {
			spread = spread || v >= 0 && x.Exprs[v].Op == opSpread
		}
		if !spread {
			return list[i]
		}
	}
	return x.Make(opItem, -1, value, i)
}

// bindName binds the identifier n in the scope that is being read.
func (x *extractor) bindName(n, value, declared, stmt int32) {
	word := x.word(n)
	f := x.function()
	if f != x.fn && x.fn.kind == frameBrief {
		if b := x.binding(word); b.frame != nil && b.frame.kind == frameBrief && x.here(b.frame) {
			f = b.frame
		}
	}
	switch f.kind {
	case frameModule, frameClass:
		x.bindMember(f, n, word, value, declared, stmt)
		return
	}
	b := x.binding(word)
	if b.frame != f {
		return
	}
	v := &f.vars[b.at]
	if v.outer {
		x.bindOuter(f, n, word, value)
		return
	}
	if declared >= 0 {
		v.declared = declared
	}
	if value == unbound {
		if declared >= 0 {
			v.cur = x.Make(opDeclared, -1, declared, -1)
			v.all = append(v.all, v.cur)
		}
		return
	}
	if v.declared >= 0 {
		value = x.Make(opDeclared, -1, v.declared, value)
	}
	x.set(f, v, value)
	if v.sited { // a function or class of this name is bound elsewhere
		e, _ := x.resolve(word)
		x.site(n, word, index.RefWrite, x.sited(word, e), -1)
	}
}

// set binds a variable, and forgets what was known of its attributes.
func (x *extractor) set(f *frame, v *variable, value int32) {
	v.cur = value
	v.all = append(v.all, value)
	prefix := x.words[v.word] + "."
	for i := range f.vars {
		if p := &f.vars[i]; p.path && p.cur != unbound && strings.HasPrefix(x.words[p.word], prefix) {
			p.cur = unbound
		}
	}
}

// bindOuter assigns to a name that the function declares global or nonlocal.
func (x *extractor) bindOuter(f *frame, n, word, value int32) {
	if of, v := x.find(word); of != nil {
		if of.kind == frameFunction {
			v.all = append(v.all, value)
		}
		return
	}
	top := f
	for top.outer != nil {
		top = top.outer
	}
	if d, ok := top.members[word]; ok {
		x.give(d, value)
		x.site(n, word, index.RefWrite, x.Make(opName, word, -1, -1), -1)
		return
	}
	in, fn := x.in, x.fn
	x.in, x.fn = -1, top
	d := x.define(index.KindVariable, n, n)
	x.in, x.fn = in, fn
	top.members[word] = d
	x.give(d, value)
}

// give adds to what a definition is bound to.
func (x *extractor) give(d, value int32) {
	if value != unbound && len(x.values[d]) <= maxUnion {
		x.values[d] = append(x.values[d], value)
	}
}

// bindMember binds a name of a module or class: the first time it is a
// definition, afterwards a use.
func (x *extractor) bindMember(f *frame, n, word, value, declared, stmt int32) {
	if d, ok := f.members[word]; ok && !f.elsewhere(word) {
		if declared >= 0 && x.defs[d].Type < 0 {
			x.defs[d].Type = declared
		}
		x.give(d, value)
		e := x.Make(opName, word, -1, -1)
		if f.kind == frameClass {
			e = x.Make(opOwn, word, f.def, e)
		}
		x.site(n, word, index.RefWrite, e, -1)
		return
	}
	whole := stmt
	if x.nodes[stmt].Start > x.nodes[n].Start || x.nodes[stmt].End < x.nodes[n].End {
		whole = n
	}
	d := x.define(x.memberKind(f, n, value, declared), n, whole)
	f.members[word], f.branches[word] = d, f.branch
	x.defs[d].Type = declared
	x.give(d, value)
	x.bodyOf(d, stmt)
	x.markMember(x.words[word], stmt)
	if x.words[word] == "__all__" && f.kind == frameModule {
		x.exports(x.child(stmt, x.g.right))
	}
}

// elsewhere reports whether a member was defined in another branch of the
// statement that is being read: a variant then, and not assigned again.
func (f *frame) elsewhere(word int32) bool {
	b, ok := f.branches[word]
	return ok && f.conditional > 0 && b.stmt == f.branch.stmt && b.index != f.branch.index
}

// bodyOf sets where the value of a variable begins.
func (x *extractor) bodyOf(d, stmt int32) {
	if k := x.defs[d].Kind; k != index.KindVariable || x.kind(stmt) != kAssignment {
		return
	}
	if right := x.child(stmt, x.g.right); right >= 0 {
		x.defs[d].Body = x.nodes[right].Start
	}
}

// memberKind returns what a name bound in a module or class is.
func (x *extractor) memberKind(f *frame, n, value, declared int32) index.Kind {
	name := x.text(n)
	switch {
	case f.kind == frameClass && f.enum && !strings.HasPrefix(name, "_") && value != unbound:
		return index.KindEnumMember
	case f.kind == frameClass:
		return index.KindField
	case declared >= 0 && x.isNamed(declared, "TypeAlias"):
		return index.KindType
	case strings.ToUpper(name) == name && strings.ToLower(name) != name, declared >= 0 && x.isNamed(declared, "Final"):
		return index.KindConstant
	}
	return index.KindVariable
}

// isNamed reports whether the type e is, or is an index of, something of that last name.
func (x *extractor) isNamed(e int32, name string) bool {
	v := &x.Exprs[e]
	if v.Op == opIndex && v.A >= 0 {
		v = &x.Exprs[v.A]
	}
	return (v.Op == opName || v.Op == opAttr) && x.words[v.Name] == name
}

// exports reads the literal names of __all__.
func (x *extractor) exports(n int32) {
	if n < 0 {
		return
	}
	if x.exported == nil {
		x.exported = map[string]bool{}
	}
	for i, end := n, x.nodes[n].Next; i < end; i++ {
		if x.kind(i) == kString {
			if s, ok := x.literal(i); ok {
				x.exported[s] = true
			}
		}
	}
}

// bindAttribute assigns to an attribute: the first assignment to one of self
// in a class defines a field.
func (x *extractor) bindAttribute(n, value, declared, stmt int32) {
	object, name := x.child(n, x.g.object), x.child(n, x.g.attribute)
	if object < 0 || name < 0 {
		x.expr(n)
		return
	}
	if string(x.t.Text(n)) == "sys.path" {
		x.paths = true
	}
	if d, members := x.ownMember(object); members != nil {
		word := x.word(name)
		if at, ok := members[word]; ok {
			x.give(at, value)
			if declared >= 0 && x.defs[at].Type < 0 {
				x.defs[at].Type = declared
			}
		} else {
			x.defineField(d, members, name, word, value, declared, stmt)
		}
	}
	x.attribute(n, index.RefWrite, -1) // of the field itself, or of what a base declares
	x.remember(n, value)
}

// ownMember returns the class, and its members, whose instance or class the
// identifier n stands for in one of its methods.
func (x *extractor) ownMember(n int32) (int32, map[int32]int32) {
	if x.kind(n) != kIdentifier {
		return -1, nil
	}
	e, _ := x.resolve(x.word(n))
	if e < 0 || x.Exprs[e].Op != opSelf && x.Exprs[e].Op != opCls {
		return -1, nil
	}
	for f := x.fn; f != nil; f = f.outer {
		if f.kind == frameClass && f.def == x.Exprs[e].A {
			return f.def, f.members
		}
	}
	return -1, nil
}

func (x *extractor) defineField(class int32, members map[int32]int32, name, word, value, declared, stmt int32) {
	in := x.in
	x.in = class
	x.fn.field++
	d := x.define(index.KindField, name, name)
	x.fn.field--
	x.in = in
	def := &x.defs[d]
	def.Flags &^= defConditional
	if object := x.nodes[name].Parent; object >= 0 {
		def.Range.Start = x.nodes[object].Start
		x.defNode[d] = object
	}
	if typ := x.child(stmt, x.g.typ); typ >= 0 && x.kind(stmt) == kAssignment {
		def.Range.End = x.nodes[typ].End
		def.Body = def.Range.End
	}
	def.Type = declared
	members[word] = d
	x.give(d, value)
}
