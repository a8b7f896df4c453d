package ecmascript

import "github.com/plumbkit/plumb/index"

// A signature is one way to call a function: an opFunction in a scope, with the
// type parameters that a call gives arguments.
type signature struct {
	sc       scope
	fn       int32
	generics []int32
}

// maxSignatures is how many overloads of a function are looked at.
const maxSignatures = 24

// signatures returns the ways to call a value; made says with new.
func (e *eval) signatures(t *typ, made bool) []signature {
	var out []signature
	e.collect(t, made, &out, 0)
	return out
}

func (e *eval) collect(t *typ, made bool, out *[]signature, depth int) {
	if t == nil || depth > 8 || len(*out) >= maxSignatures {
		return
	}
	switch t.form {
	case formFunc:
		if !made {
			e.addSignature(t.sc, t.expr, out)
		}
	case formMaker:
		if f := e.at(t.sc.file); made {
			e.addSignature(t.sc, f.Exprs[t.expr].A, out)
		}
	case formUnion, formBoth:
		for _, m := range t.list {
			e.collect(m, made, out, depth+1)
		}
	case formStatic:
		e.functionSignatures(t, made, out)
	case formNamed:
		e.interfaceSignatures(t, made, out)
		if len(*out) == 0 {
			for _, b := range e.bases(t) {
				e.collect(b, made, out, depth+1)
			}
		}
	case formObject:
		f := e.at(t.sc.file)
		e.shapeSignatures(t.sc, f, e.list(f, &f.Exprs[t.expr]), made, out)
	case formParam:
		e.collect(e.constraint(t), made, out, depth+1)
	}
}

func (e *eval) addSignature(s scope, x int32, out *[]signature) {
	f := e.at(s.file)
	if x < 0 {
		return
	}
	sig := signature{sc: s, fn: x}
	if g := &f.Exprs[x]; g.Op == opGeneric {
		sig.generics, sig.fn = e.list(f, g), g.A
	}
	if sig.fn >= 0 && f.Exprs[sig.fn].Op == opFunction {
		*out = append(*out, sig)
	}
}

// functionSignatures are those of a function's declarations, or of a class's
// constructors. Where there are overloads what implements them is not one.
func (e *eval) functionSignatures(t *typ, made bool, out *[]signature) {
	var bodies []signature
	for _, d := range t.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if made || def.Kind != index.KindFunction {
			continue
		}
		s := scope{file: d.File, this: t.sc.this}
		if def.Flags&index.DefAbstract == 0 {
			e.addSignature(s, max(def.Type, def.Value), &bodies)
		} else {
			e.addSignature(s, max(def.Type, def.Value), out)
		}
	}
	if len(*out) == 0 {
		*out = bodies
	}
}

func (e *eval) interfaceSignatures(t *typ, made bool, out *[]signature) {
	for _, d := range t.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Kind != index.KindInterface || def.Type < 0 {
			continue
		}
		x := &f.Exprs[def.Type]
		if x.Op == opGeneric && x.A >= 0 {
			x = &f.Exprs[x.A]
		}
		if x.Op == opInterface {
			s := scope{file: d.File, env: e.envOf(t, d), this: t}
			e.shapeSignatures(s, f, f.Lists[x.L0+uint32(max(0, x.A)):x.L1], made, out)
		}
	}
}

func (e *eval) shapeSignatures(s scope, f *index.Facts, list []int32, made bool, out *[]signature) {
	for _, v := range list {
		if v < 0 {
			continue
		}
		switch x := &f.Exprs[v]; {
		case x.Op == opFunction || x.Op == opGeneric:
			if !made {
				e.addSignature(s, v, out)
			}
		case x.Op == opConstruct && made:
			e.addSignature(s, x.A, out)
		}
	}
}

// parameter is the type of a signature's i-th parameter, in a scope.
func (e *eval) parameter(sig *signature, i int, s scope) *typ {
	f := e.at(sig.sc.file)
	x := &f.Exprs[sig.fn]
	list := e.list(f, x)
	n := int(x.A)
	switch {
	case n > len(list):
		return nil
	case x.B&fnRest != 0 && i >= n-1 && n > 0:
		rest := e.typ(s, list[n-1])
		if rest != nil && rest.form == formTuple && i-(n-1) < len(rest.list) {
			return rest.list[i-(n-1)]
		}
		return e.element(rest, 0)
	case i < n:
		return e.typ(s, list[i])
	}
	return nil
}

// result is what a signature gives, in a scope.
func (e *eval) result(sig *signature, s scope) *typ {
	f := e.at(sig.sc.file)
	x := &f.Exprs[sig.fn]
	list := e.list(f, x)
	if int(x.A) > len(list) {
		return nil
	}
	list = list[x.A:]
	if x.B&fnDeclared != 0 {
		if len(list) == 0 {
			return nil
		}
		return e.typ(s, list[0])
	}
	if x.B&fnGenerator != 0 {
		return lib("Generator", nil)
	}
	t, _ := e.guard(question{sig.sc.file, sig.fn, askResult}, s.plain(), func() *typ {
		var all []*typ
		for _, r := range list {
			all = append(all, e.typ(s, r))
		}
		return unionOf(all...)
	})
	if x.B&fnAsync != 0 {
		return lib("Promise", e.awaited(t, 0))
	}
	return t
}

// parameterOf is the i-th parameter of a function type.
func (e *eval) parameterOf(t *typ, i int) *typ {
	if t != nil && t.form == formCallback {
		if i < len(t.list) {
			return t.list[i]
		}
		return nil
	}
	var all []*typ
	for _, sig := range e.signatures(t, false) {
		if p := e.parameter(&sig, i, sig.sc); p != nil {
			all = append(all, p)
		}
		if t.form == formStatic || t.form == formBoth {
			break
		}
	}
	if len(all) == 0 {
		return nil
	}
	return unionOf(all...)
}

func (e *eval) resultOf(t *typ) *typ {
	if t != nil && t.form == formOutside {
		return t
	}
	if sigs := e.signatures(t, false); len(sigs) > 0 {
		return e.result(&sigs[0], sigs[0].sc)
	}
	return nil
}

// A called is a call with what it calls.
type called struct {
	s     scope
	args  []int32
	types []*typ // explicit type arguments
	want  *typ   // what the result is expected to be
	base  *typ   // what the member is called on
	name  string // of the member
	fn    *typ   // what is called
}

// calledBy reads the callee and arguments of an opCall or opNew.
func (e *eval) calledBy(s scope, f *index.Facts, x *index.Expr) called {
	c := called{s: s, args: e.list(f, x)}
	if x.B >= 0 && f.Exprs[x.B].Op == opArguments {
		for _, a := range e.list(f, &f.Exprs[x.B]) {
			c.types = append(c.types, e.typ(s, a))
		}
		if x.B >= 0 && f.Exprs[x.B].A >= 0 {
			c.want = e.typ(s, f.Exprs[x.B].A)
		}
	}
	if x.A < 0 {
		return c
	}
	callee := x.A
	for f.Exprs[callee].Op == opGuarded && f.Exprs[callee].A >= 0 {
		callee = f.Exprs[callee].A
	}
	if m := &f.Exprs[callee]; m.Op == opMember {
		c.base, c.name = e.value(s, m.A), f.Names[m.Name]
		c.fn = e.memberType(e.selectMember(c.base, c.name, c.base))
		return c
	}
	if n := &f.Exprs[callee]; n.Op == opName {
		c.name = f.Names[n.Name]
	}
	c.fn = e.value(s, callee)
	return c
}

// call is the result of an opCall.
func (e *eval) call(s scope, f *index.Facts, x *index.Expr, at int32) *typ {
	c := e.calledBy(s, f, x)
	if t, ok := e.libraryCall(&c); ok {
		return t
	}
	if c.fn == nil {
		return nil
	}
	if c.fn.form == formOutside {
		return e.outsideResult(&c)
	}
	if c.fn.form == formAny {
		return c.fn
	}
	sigs := e.signatures(c.fn, false)
	if len(sigs) == 0 {
		return nil
	}
	sig := e.choose(sigs, &c)
	return e.result(sig, e.bindCall(sig, &c, -1))
}

// outsideResult is what a function from outside gives: something of its own,
// unless it was given types of the repository, which it may hand on.
func (e *eval) outsideResult(c *called) *typ {
	for _, t := range c.types {
		if !isForeign(t) {
			return nil
		}
	}
	for _, a := range c.args {
		if t := e.value(c.s, a); !isForeign(t) {
			return nil
		}
	}
	return c.fn
}

// isForeign reports whether a type has no member of the repository.
func isForeign(t *typ) bool {
	if t == nil {
		return true
	}
	switch t.form {
	case formBasic, formText, formEmpty, formOutside, formAny:
		return true
	case formLib, formUnion, formBoth, formTuple:
		for _, m := range t.list {
			if !isForeign(m) {
				return false
			}
		}
		return t.ent == nil
	}
	return false
}

// choose takes the first signature that the number and the plain types of the
// arguments fit.
func (e *eval) choose(sigs []signature, c *called) *signature {
	if len(sigs) == 1 {
		return &sigs[0]
	}
	best := -1
	for i := range sigs {
		f := e.at(sigs[i].sc.file)
		x := &f.Exprs[sigs[i].fn]
		if len(c.args) > int(x.A) && x.B&fnRest == 0 {
			continue
		}
		if best < 0 {
			best = i
		}
		if e.accepts(&sigs[i], c) {
			return &sigs[i]
		}
	}
	return &sigs[max(best, 0)]
}

// accepts reports whether no argument is plainly of another type than its parameter.
func (e *eval) accepts(sig *signature, c *called) bool {
	for i, a := range c.args {
		if i > 4 {
			break
		}
		if e.takes(c.s, a) {
			continue
		}
		p := e.parameter(sig, i, sig.sc)
		if e.fits(e.value(c.s, a), p, 0) == no {
			return false
		}
	}
	return true
}

// takes reports whether an argument takes its type from the callee.
func (e *eval) takes(s scope, a int32) bool {
	f := e.at(s.file)
	if a < 0 {
		return true
	}
	x := &f.Exprs[a]
	return x.Op == opFunction || x.Op == opGeneric
}

// bindCall gives the type parameters of a signature their arguments: those that
// are written, or those that follow from the arguments. Where the question is
// what argument skip should be, it tells nothing itself, nor do functions, and
// what does not follow stays open; skip is -1 for the result.
func (e *eval) bindCall(sig *signature, c *called, skip int) scope {
	s := sig.sc
	if len(sig.generics) == 0 {
		return s
	}
	f := e.at(s.file)
	if len(c.types) > 0 {
		s.env = e.bindArgs(s.file, f, sig.generics, c.types, s.env)
		return s
	}
	b := inference{e: e, file: s.file}
	for _, g := range sig.generics {
		if g >= 0 {
			b.numbers = append(b.numbers, f.Exprs[g].A)
			b.found = append(b.found, nil)
		}
	}
	for round := range 2 {
		for i, a := range c.args {
			if i == skip || skip >= 0 && e.takes(c.s, a) || round == 0 == e.takes(c.s, a) {
				continue
			}
			b.unify(e.parameter(sig, i, sig.sc), e.value(c.s, a), 0)
		}
	}
	if c.want != nil {
		b.unifyMissing(e.result(sig, sig.sc), c.want)
	}
	for i, g := range sig.generics {
		x := &f.Exprs[g]
		t := b.found[i]
		if t == nil && skip >= 0 {
			continue
		}
		if t == nil && x.L1 > x.L0 {
			t = e.typ(s, f.Lists[x.L0])
		}
		if t == nil && x.B >= 0 {
			t = e.typ(s, x.B)
		}
		s.env = &env{s.file, x.A, t, s.env}
	}
	return s
}

// argumentType is what the callee of a call expects as an argument.
func (e *eval) argumentType(s scope, f *index.Facts, x *index.Expr) *typ {
	if x.A < 0 {
		return nil
	}
	call := &f.Exprs[x.A]
	if call.Op != opCall && call.Op != opNew {
		return nil
	}
	t, _ := e.guard(question{s.file, x.A<<5 | x.B&31, askArgument}, s.plain() && x.B < 32, func() *typ { return e.expectedArgument(s, f, call, int(x.B)) })
	return t
}

func (e *eval) expectedArgument(s scope, f *index.Facts, call *index.Expr, i int) *typ {
	c := e.calledBy(s, f, call)
	if t, ok := e.libraryArgument(&c, i); ok {
		return t
	}
	sigs := e.signatures(c.fn, call.Op == opNew)
	if call.Op == opNew {
		sigs = append(sigs, e.constructors(c.fn, c.types)...)
	}
	if len(sigs) == 0 {
		return nil
	}
	sig := e.choose(sigs, &c)
	return e.parameter(sig, i, e.bindCall(sig, &c, i))
}
