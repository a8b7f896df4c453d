package ecmascript

import "github.com/plumbkit/plumb/index"

// constructors are the signatures of a class's own or inherited constructor.
func (e *eval) constructors(t *typ, args []*typ) (out []signature) {
	for range maxSelect {
		if t == nil || t.form != formStatic && t.form != formNamed {
			return nil
		}
		for _, d := range t.ent.defs {
			f := e.l.load(d.File)
			for _, k := range f.kids[d.Def] {
				if def := &f.facts.Defs[k]; def.Kind == index.KindConstructor {
					s := scope{file: d.File, env: e.envOf(&typ{form: formNamed, ent: t.ent, list: args}, d)}
					e.addSignature(s, max(def.Type, def.Value), &out)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
		bases := e.bases(&typ{form: formNamed, ent: t.ent, list: args})
		if !t.ent.is(index.KindClass) || len(bases) == 0 || bases[0] == nil {
			return nil
		}
		t, args = bases[0], bases[0].list
	}
	return nil
}

// newValue is the result of an opNew.
func (e *eval) newValue(s scope, f *index.Facts, x *index.Expr) *typ {
	c := e.calledBy(s, f, x)
	if t, ok := e.libraryNew(&c); ok {
		return t
	}
	if c.fn == nil {
		return nil
	}
	if c.fn.form == formOutside {
		return e.outsideResult(&c)
	}
	if c.fn.form == formStatic && c.fn.ent.is(index.KindClass) {
		return e.named(c.fn.ent, e.classArgs(&c))
	}
	if sigs := e.signatures(c.fn, true); len(sigs) > 0 {
		sig := e.choose(sigs, &c)
		return e.result(sig, e.bindCall(sig, &c, -1))
	}
	return e.instanceOf(c.fn, c.types)
}

// classArgs are the type arguments of new C(…), as written or as they follow
// from the constructor's arguments.
func (e *eval) classArgs(c *called) []*typ {
	if len(c.types) > 0 {
		return c.types
	}
	for _, d := range c.fn.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Kind != index.KindClass || def.Type < 0 || f.Exprs[def.Type].Op != opGeneric {
			continue
		}
		generics := e.list(f, &f.Exprs[def.Type])
		for _, sig := range e.constructors(c.fn, nil) {
			if sig.sc.file != d.File {
				break
			}
			sig.generics = generics
			s := e.bindCall(&sig, c, -1)
			var out []*typ
			for _, g := range generics {
				t, _ := s.env.find(d.File, f.Exprs[g].A)
				out = append(out, t)
			}
			return out
		}
	}
	return nil
}

// instanceOf is what new gives of a value.
func (e *eval) instanceOf(t *typ, args []*typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formOutside, formAny:
		return t
	case formStatic:
		return e.named(t.ent, args)
	case formBoth: // a mixin
		for _, m := range t.list {
			if i := e.instanceOf(m, args); i != nil {
				return i
			}
		}
		return nil
	}
	sigs := e.signatures(t, true)
	if len(sigs) == 0 {
		return nil
	}
	s := sigs[0].sc
	if len(args) > 0 {
		s.env = e.bindArgs(s.file, e.at(s.file), sigs[0].generics, args, s.env)
	}
	return e.result(&sigs[0], s)
}

// propsOf is what a JSX component takes.
func (e *eval) propsOf(t *typ) *typ {
	if t == nil {
		return nil
	}
	if t.form == formStatic && t.ent.is(index.KindClass) {
		i := e.named(t.ent, nil)
		got := e.memberType(e.selectMember(i, "props", i))
		if got == nil || got.form == formOutside {
			return e.classProps(t.ent)
		}
		return got
	}
	return e.parameterOf(t, 0)
}

// classProps are the first type argument of the outside class that a component extends.
func (e *eval) classProps(ent *entity) *typ {
	for _, d := range ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Kind != index.KindClass || def.Type < 0 {
			continue
		}
		x := &f.Exprs[def.Type]
		if x.Op == opGeneric && x.A >= 0 {
			x = &f.Exprs[x.A]
		}
		if x.Op != opClass || x.A != 1 || x.L1 <= x.L0 || f.Lists[x.L0] < 0 {
			continue
		}
		if b := &f.Exprs[f.Lists[x.L0]]; b.Op == opInst && b.L1 > b.L0 {
			return e.typ(scope{file: d.File}, f.Lists[b.L0])
		}
	}
	return nil
}
