package golang

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// typeParams returns the type parameters of a definition, in order; of a
// method those that its receiver names.
func (l *linker) typeParams(t index.Target) []*typ {
	d := &l.files[t.File].facts.Defs[t.Def]
	if d.P2 >= d.P3 {
		return nil
	}
	ps := make([]*typ, 0, d.P3-d.P2)
	for p := d.P2; p < d.P3; p++ {
		ps = append(ps, l.types.intern(shape{form: formParam, def: index.Target{File: t.File}, expr: int32(p)}))
	}
	return ps
}

// replace puts args in the place of params in t. With fewer args than params
// the rest stays.
func (l *linker) replace(t *typ, params, args []*typ) *typ {
	if t == nil || len(params) == 0 || len(args) == 0 {
		return t
	}
	r := replacer{&l.types, params[:min(len(params), len(args))], args}
	return r.typ(t, 0)
}

type replacer struct {
	in           *interner
	params, args []*typ
}

// maxNesting bounds the depth of a type; a deeper one is not known.
const maxNesting = 40

func (r *replacer) typ(t *typ, depth int) *typ {
	if t == nil || depth > maxNesting {
		return nil
	}
	switch t.form {
	case formBasic, formLocal:
		return t
	case formParam:
		if i := slices.Index(r.params, t); i >= 0 && r.args[i] != nil {
			return r.args[i]
		}
		return t
	case formPointer, formSlice, formArray, formChan:
		if elem := r.typ(t.elem, depth+1); elem != t.elem {
			return r.in.wrap(t.form, elem)
		}
		return t
	}
	n := shape{form: t.form, variadic: t.variadic, n: t.n, expr: t.expr, def: t.def, object: t.object, name: t.name, path: t.path}
	n.elem, n.key = r.typ(t.elem, depth+1), r.typ(t.key, depth+1)
	n.list = r.list(t.list, depth)
	n.env = r.env(t, depth)
	return r.in.intern(n)
}

func (r *replacer) list(list []*typ, depth int) []*typ {
	if len(list) == 0 {
		return nil
	}
	out := make([]*typ, len(list))
	for i, t := range list {
		out[i] = r.typ(t, depth+1)
	}
	return out
}

// env returns what the members of a literal must have replaced: what they had
// before, and now also params.
func (r *replacer) env(t *typ, depth int) []*typ {
	if t.form != formStruct && t.form != formInterface {
		return nil
	}
	var env []*typ
	for i := 0; i+1 < len(t.env); i += 2 {
		env = append(env, t.env[i], r.typ(t.env[i+1], depth+1))
	}
	for i, p := range r.params {
		// Only what the literal's own file declares can stand in it.
		if p.def.File == t.def.File && !r.has(env, p) {
			env = append(env, p, r.args[i])
		}
	}
	return env
}

func (r *replacer) has(env []*typ, p *typ) bool {
	for i := 0; i < len(env); i += 2 {
		if env[i] == p {
			return true
		}
	}
	return false
}

// constraint returns the constraint of a type parameter, nil if not known. One
// that only a function's body uses is known to its own file alone.
func (e *eval) constraint(p *typ) *typ {
	if e.memo == nil || p.def.File != e.file {
		return e.l.constraint(p, e.cycle)
	}
	if found, ok := e.constraints[p]; ok {
		return found
	}
	if e.constraints == nil {
		e.constraints = map[*typ]*typ{}
	}
	e.constraints[p] = nil // a constraint that depends on itself
	e.constraints[p] = e.findConstraint(p)
	return e.constraints[p]
}

func (l *linker) constraint(p *typ, c *cycle) *typ {
	if u := p.under.Load(); u != nil {
		return u.real()
	}
	// Params are numbered apart from Defs; ^ tells them apart.
	key := index.Target{File: ^p.def.File, Def: p.expr}
	found, clean := c.guard(key, func() *typ { return l.in(p.def.File, c).findConstraint(p) })
	if clean {
		p.under.Store(l.types.noted(found))
	}
	return found
}

// findConstraint looks the constraint of a type parameter of this file up.
func (e *eval) findConstraint(p *typ) *typ {
	for i := range e.facts.Exprs {
		if x := &e.facts.Exprs[i]; x.Op == opTypeParam && x.A == p.expr && x.B >= 0 {
			return e.asType(x.B)
		}
	}
	// A receiver's type parameter has the constraint of the type's own.
	for i := range e.facts.Defs {
		d := &e.facts.Defs[i]
		if d.Owner < 0 || p.expr < int32(d.P2) || p.expr >= int32(d.P3) {
			continue
		}
		o := e.f.pkg.find(e.facts.Names[d.Owner])
		if o == nil {
			return nil
		}
		own := e.l.typeParams(o.targets[0])
		at := int(p.expr - int32(d.P2))
		if at >= len(own) || own[at] == p {
			return nil
		}
		return e.l.replace(e.l.constraint(own[at], e.cycle), own, e.l.typeParams(index.Target{File: e.file, Def: int32(i)}))
	}
	return nil
}

// core returns the core type of a type parameter's constraint: the one
// underlying type that all its terms share, nil if it has none.
func (e *eval) core(p *typ) *typ { return e.coreOf(e.constraint(p), 0) }

func (e *eval) coreOf(t *typ, depth int) *typ {
	if t == nil || depth > maxEmbedding {
		return nil
	}
	switch t.form {
	case formUnion:
		var core *typ
		for i, term := range t.list {
			u := e.coreOf(term, depth+1)
			if i > 0 && u != core {
				return nil
			}
			core = u
		}
		return core
	case formInterface:
		for _, term := range t.list {
			if u := e.coreOf(term, depth+1); u != nil {
				return u
			}
		}
		return nil
	case formNamed, formLocal:
		return e.coreOf(e.l.underlying(t, e.file, e.cycle), depth+1)
	case formParam, formOutside, formOpaque:
		return nil
	case formBasic:
		if t.name == "any" || t.name == "comparable" || t.name == "error" {
			return nil
		}
	}
	return t
}

// instantiate gives the open type parameters of a generic function or type
// their arguments; what is missing stays open.
func (e *eval) instantiate(o operand, args []*typ) operand {
	params := e.l.typeParams(o.decl)
	if o.mode == modeType && o.t.form == formNamed && len(o.t.list) == 0 {
		o.t = e.l.types.intern(shape{form: formNamed, object: o.t.object, list: args})
		o.generic = false
		return o
	}
	o.t = e.l.replace(o.t, params, args)
	o.generic = len(args) < len(params)
	return o
}

// infer finds type arguments from the types of a call's arguments, then from
// the core types of the constraints. What is not found stays nil.
func (e *eval) infer(fn *typ, params, args []*typ) []*typ {
	b := bindings{e: e, params: params, args: make([]*typ, len(params))}
	for i, arg := range args {
		switch want := fn.params(); {
		case i < len(want):
			b.unify(want[i], arg, 0)
		case fn.variadic && len(want) > 0:
			b.unify(want[len(want)-1], arg, 0)
		}
	}
	for range params {
		for i, p := range params {
			core := e.core(p)
			if core == nil {
				continue
			}
			if b.args[i] != nil {
				b.unify(core, e.under(b.args[i]), 0)
			} else if closed := e.l.replace(core, params, b.args); closed != core {
				b.args[i] = closed
			}
		}
	}
	return b.args
}

// bindings are the arguments found so far for type parameters.
type bindings struct {
	e            *eval
	params, args []*typ
}

func (b *bindings) unify(want, have *typ, depth int) {
	if want == nil || have == nil || depth > maxEmbedding {
		return
	}
	if want.form == formParam {
		if i := slices.Index(b.params, want); i >= 0 && b.args[i] == nil {
			b.args[i] = have
		}
		return
	}
	if want.form != have.form && (have.form == formNamed || have.form == formLocal) {
		have = b.e.under(have)
	}
	if have == nil || want.form != have.form || want.object != have.object || want.path != have.path || want.name != have.name {
		return
	}
	b.unify(want.elem, have.elem, depth+1)
	b.unify(want.key, have.key, depth+1)
	if want.form == formFunc && want.n != have.n {
		return
	}
	for i := range min(len(want.list), len(have.list)) {
		b.unify(want.list[i], have.list[i], depth+1)
	}
}
