package ecmascript

import "github.com/plumbkit/plumb/index"

// findType evaluates one expression as a type.
func (e *eval) findType(s scope, f *index.Facts, x *index.Expr, at int32) *typ {
	switch x.Op {
	case opName, opMember, opDef:
		return e.reference(s, at, nil)
	case opInst:
		var args []*typ
		for _, a := range e.list(f, x) {
			args = append(args, e.typ(s, a))
		}
		return e.reference(s, x.A, args)
	case opTypeParam:
		if t, ok := s.env.find(s.file, x.A); ok {
			return t
		}
		return &typ{form: formParam, sc: scope{file: s.file}, expr: at}
	case opTypeof:
		return e.value(s, x.A)
	case opUnion:
		return unionOf(e.eachType(s, f, x)...)
	case opBoth:
		return both(e.eachType(s, f, x))
	case opArrayOf:
		return lib("Array", e.typ(s, x.A))
	case opTuple:
		return e.tupleType(s, f, x)
	case opShape:
		return &typ{form: formObject, sc: s, expr: at}
	case opFunction, opGeneric:
		return &typ{form: formFunc, sc: s, expr: at}
	case opConstruct:
		return &typ{form: formMaker, sc: s, expr: at}
	case opMapped:
		return &typ{form: formMapped, sc: s, expr: at}
	case opKeyof:
		return e.keysOf(e.typ(s, x.A))
	case opLookup:
		return e.indexed(e.typ(s, x.A), e.typ(s, x.B))
	case opChoice:
		return e.choice(s, f, x)
	case opInfer:
		return e.typ(s, x.A)
	case opThisType:
		return s.this
	case opPredicate:
		return basicType("boolean")
	}
	return e.expectedType(s, f, x)
}

// expectedType evaluates what a place expects, and what is derived of functions.
func (e *eval) expectedType(s scope, f *index.Facts, x *index.Expr) *typ {
	switch x.Op {
	case opParameter:
		return e.parameterOf(e.typ(s, x.A), int(x.B))
	case opResult:
		t := e.typ(s, x.A)
		return softened(t, e.resultOf(t))
	case opReturnOfGet:
		return e.resultOf(e.typ(s, x.A))
	case opAwaited:
		t := e.typ(s, x.A)
		return softened(t, e.awaited(t, 0))
	case opPropertyOf:
		t := e.typ(s, x.A)
		return softened(t, e.memberType(e.selectMember(t, f.Names[x.Name], t)))
	case opElementOf:
		t := e.typ(s, x.A)
		return softened(t, e.itemAt(t, int(x.B)))
	case opProps:
		return e.propsOf(e.value(s, x.A))
	case opArgument:
		return e.argumentType(s, f, x)
	case opBasic:
		return basicNamed(f.Names[x.Name])
	case opText:
		return &typ{form: formText, name: f.Names[x.Name]}
	case opSpread:
		return e.element(e.typ(s, x.A), 0)
	case opCast:
		return e.typ(s, x.A)
	}
	return nil
}

// softened marks what is expected only because a type parameter must at least
// be that: what is given for the parameter decides for itself.
func softened(of, t *typ) *typ {
	if of == nil || t == nil || t.soft || !of.soft && !hasParam(of) {
		return t
	}
	c := *t
	c.soft = true
	return &c
}

func hasParam(t *typ) bool {
	if t.form == formBoth {
		for _, m := range t.list {
			if m != nil && (m.form == formParam || m.soft) {
				return true
			}
		}
	}
	return t.form == formParam
}

func (e *eval) eachType(s scope, f *index.Facts, x *index.Expr) []*typ {
	var all []*typ
	for _, v := range e.list(f, x) {
		all = append(all, e.typ(s, v))
	}
	return all
}

func both(list []*typ) *typ {
	out := make([]*typ, 0, len(list))
	for _, t := range list {
		if t != nil && t.form == formEmpty {
			continue
		}
		if t != nil && t.form == formBoth {
			out = append(out, t.list...)
		} else {
			out = append(out, t)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return &typ{form: formBoth, list: out}
}

func (e *eval) tupleType(s scope, f *index.Facts, x *index.Expr) *typ {
	var all []*typ
	for _, v := range e.list(f, x) {
		if v >= 0 && f.Exprs[v].Op == opSpread {
			rest := e.typ(s, f.Exprs[v].A)
			if rest != nil && rest.form == formTuple {
				all = append(all, rest.list...)
				continue
			}
			return lib("Array", unionOf(append(all, e.element(rest, 0))...))
		}
		all = append(all, e.typ(s, v))
	}
	return &typ{form: formTuple, list: all}
}

// reference evaluates the name of a type, with arguments.
func (e *eval) reference(s scope, x int32, args []*typ) *typ {
	f := e.at(s.file)
	if x < 0 {
		return nil
	}
	if f.Exprs[x].Op == opTypeParam || f.Exprs[x].Op == opLocal {
		return e.typ(s, x)
	}
	b := e.bindType(s, x)
	if b.ent == nil && (b.outside == moduleES || b.outside == moduleDOM) && f.Exprs[x].Op == opName {
		return e.libraryType(f.Names[f.Exprs[x].Name], b.outside, args)
	}
	return e.boundType(&b, args)
}

// bindType finds what a name in a type leads to; names of locals are values
// whose members are types only where they are namespaces.
func (e *eval) bindType(s scope, x int32) bound {
	f := e.at(s.file)
	ex := &f.Exprs[x]
	if ex.Op == opDef && ex.A >= 0 {
		if ent := e.l.entityOf(index.Target{File: s.file, Def: ex.A}); ent != nil {
			return bound{ent: ent, expr: -1}
		}
	}
	return e.l.bindIn(s.file, f, x, trail{})
}

// boundType is the type that a name leads to.
func (e *eval) boundType(b *bound, args []*typ) *typ {
	switch {
	case b.ent != nil:
		t := e.entityType(b.ent, args)
		if b.outside != "" && t != nil && t.form == formNamed {
			return &typ{form: formLib, name: b.ent.name, ent: b.ent, list: args}
		}
		return t
	case b.outside != "":
		return &typ{form: formOutside, name: b.outside, list: args}
	}
	return nil
}

// entityType is the type that an entity declares, with arguments.
func (e *eval) entityType(ent *entity, args []*typ) *typ {
	for _, t := range ent.defs {
		switch d := e.l.def(t); {
		case d.Kind == index.KindClass || d.Kind == index.KindInterface || d.Kind == index.KindEnum:
			return e.named(ent, args)
		case d.Kind == index.KindType:
			return e.alias(t, args)
		case d.Kind == index.KindEnumMember:
			return enumMember(t)
		}
	}
	return nil
}

// alias evaluates a type alias with arguments.
func (e *eval) alias(t index.Target, args []*typ) *typ {
	d := e.l.def(t)
	f := e.at(t.File)
	if d.Type < 0 {
		return nil
	}
	if f.Exprs[d.Type].Op != opGeneric {
		return e.typeOf(t)
	}
	g := &f.Exprs[d.Type]
	s := scope{file: t.File, env: e.bindArgs(t.File, f, e.list(f, g), args, nil)}
	at := g.A
	if len(e.stack) > 0 && e.nestedAliases() > 24 {
		return nil
	}
	found, _ := e.guardAlias(t, func() *typ { return e.typ(s, at) })
	return found
}

// nestedAliases counts the aliases with arguments that are being expanded.
func (e *eval) nestedAliases() (n int) {
	for _, q := range e.stack {
		if q.what == askAlias {
			n++
		}
	}
	return n
}

// guardAlias evaluates an alias with arguments. One alias may stand inside of
// itself with other arguments, so that only their number is limited.
func (e *eval) guardAlias(t index.Target, f func() *typ) (*typ, bool) {
	at := int32(0)
	for _, q := range e.stack {
		if q.what == askAlias && q.file == t.File && q.at>>8 == t.Def {
			at++
		}
	}
	if at > 3 {
		return nil, false
	}
	e.stack = append(e.stack, question{t.File, t.Def<<8 | at, askAlias})
	found := f()
	e.stack = e.stack[:len(e.stack)-1]
	return found, true
}

// bindArgs gives the type parameters params of a generic their arguments:
// those that are missing get their default, or stay open.
func (e *eval) bindArgs(file int32, f *index.Facts, params []int32, args []*typ, outer *env) *env {
	v := outer
	for i, p := range params {
		if p < 0 {
			continue
		}
		x := &f.Exprs[p]
		switch {
		case i < len(args):
			v = &env{file, x.A, args[i], v}
		case x.L1 > x.L0:
			v = &env{file, x.A, e.typ(scope{file: file, env: v}, f.Lists[x.L0]), v}
		}
	}
	return v
}

// envOf is where the members of an instance are evaluated in one of its declarations.
func (e *eval) envOf(t *typ, decl index.Target) *env {
	f := e.at(decl.File)
	d := &f.Defs[decl.Def]
	if d.Type < 0 || f.Exprs[d.Type].Op != opGeneric {
		return nil
	}
	return e.bindArgs(decl.File, f, e.list(f, &f.Exprs[d.Type]), t.list, nil)
}

// constraint is what a type parameter must at least be.
func (e *eval) constraint(t *typ) *typ {
	f := e.at(t.sc.file)
	x := &f.Exprs[t.expr]
	if x.Op != opTypeParam || x.B < 0 {
		return nil
	}
	found, _ := e.guard(question{t.sc.file, t.expr, askConstraint}, true, func() *typ { return e.typ(scope{file: t.sc.file}, x.B) })
	return found
}
