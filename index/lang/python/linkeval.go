package python

import (
	"github.com/plumbkit/plumb/index"
)

// An eval evaluates the expressions of one file.
type eval struct {
	l     *linker
	file  int32
	f     *file
	facts *index.Facts
	cycle *cycle
	// self is the receiver for which a method's body is evaluated, nil for any.
	self   *typ
	notes  map[int32]note // by expression
	lowest int32
	depth  int32
	steps  int
}

// in returns an eval of the head of another file.
func (l *linker) in(file int32, c *cycle) *eval {
	f := l.load(file)
	return newEval(l, file, f, f.facts, c)
}

func newEval(l *linker, file int32, f *file, facts *index.Facts, c *cycle) *eval {
	return &eval{l: l, file: file, f: f, facts: facts, cycle: c, notes: map[int32]note{}, lowest: noCycle}
}

// A note is what is kept of an expression: its type when it is done, or the
// depth at which it is being evaluated.
type note struct {
	t    *typ
	busy int32
}

// maxNesting is how deep expressions are followed, and maxSteps how many for
// one site.
const (
	maxNesting = 400
	maxSteps   = 1 << 14
)

// expr evaluates an expression; -1 is not known. A value that depends on itself,
// as a variable of a loop does, is what it is besides.
func (e *eval) expr(i int32) *typ {
	if i < 0 || int(i) >= len(e.facts.Exprs) || e.depth > maxNesting {
		return nil
	}
	if n, ok := e.notes[i]; ok {
		if n.busy == 0 {
			return n.t
		}
		e.lowest = min(e.lowest, n.busy)
		return pendingType()
	}
	if e.steps++; e.steps > maxSteps || !e.cycle.spend() {
		return nil
	}
	e.depth++
	e.notes[i] = note{busy: e.depth}
	outer := e.lowest
	e.lowest = noCycle
	open := e.cycle.lowest
	t := e.compute(&e.facts.Exprs[i])
	delete(e.notes, i)
	if e.lowest >= e.depth {
		if t != nil && t.form == formPending {
			t = nil
		}
		e.lowest = noCycle
		if e.cycle.lowest == open {
			e.notes[i] = note{t: t}
		}
	}
	e.lowest = min(e.lowest, outer)
	e.depth--
	return t
}

// value is expr, but pending counts as not known.
func (e *eval) value(i int32) *typ {
	if t := e.expr(i); t == nil || t.form != formPending {
		return t
	}
	return nil
}

// asType returns the type that an annotation denotes.
func (e *eval) asType(i int32) *typ { return instance(e.expr(i)) }

func (e *eval) name(i int32) string {
	if i < 0 || int(i) >= len(e.facts.Names) {
		return ""
	}
	return e.facts.Names[i]
}

func (e *eval) list(x *index.Expr) []int32 { return e.facts.Lists[x.L0:x.L1] }

func (e *eval) exprs(list []int32) []*typ {
	out := make([]*typ, len(list))
	for i, v := range list {
		out[i] = e.expr(v)
	}
	return out
}

func (e *eval) target(def int32) index.Target { return index.Target{File: e.file, Def: def} }

// compute evaluates one operation.
func (e *eval) compute(x *index.Expr) *typ {
	if inDefs(x.Op) && (x.A < 0 || int(x.A) >= len(e.f.self)) {
		return nil // damaged facts
	}
	switch x.Op {
	case opName:
		return e.typeOfAll(e.lookup(e.name(x.Name)))
	case opLocal:
		return e.local(x.A)
	case opDef:
		return e.l.typeOf(e.target(x.A), e.cycle)
	case opOwn:
		if ts := e.l.ownMembers(e.file, x.A, e.name(x.Name)); len(ts) > 0 {
			return e.l.typeOf(ts[0], e.cycle)
		}
		return e.expr(x.B)
	case opSelf:
		return e.receiver(x.A, false)
	case opCls:
		return e.receiver(x.A, true)
	case opSuper:
		return &typ{form: formSuper, t: e.target(x.A), self: e.receiver(x.A, false)}
	case opImport:
		return e.typeOfAll(e.l.importMeaning(e.file, x.A, x.B, e.cycle))
	case opConst:
		if name := e.name(x.Name); name != "None" {
			return builtin(name)
		}
		return noneType()
	case opAttr:
		base := e.expr(x.A)
		if isPending(base) {
			return base
		}
		return e.member(base, e.name(x.Name)).t
	case opCall:
		return e.call(x)
	case opIndex:
		return e.index(x)
	case opSlice:
		return e.slice(e.expr(x.A))
	}
	return e.computeValue(x)
}

func (e *eval) computeValue(x *index.Expr) *typ {
	switch x.Op {
	case opUnion:
		return unionOf(e.exprs(e.list(x)))
	case opTuple:
		return e.tuple(x)
	case opList:
		return builtin("list", unionOf(e.exprs(e.list(x))))
	case opSet:
		return builtin("set", unionOf(e.exprs(e.list(x))))
	case opDict:
		return builtin("dict", e.expr(x.A), e.expr(x.B))
	case opGen:
		return outInst("typing", "Generator", e.expr(x.A))
	case opOr:
		return e.or(x)
	case opBinary:
		return e.binary(x)
	case opLambda:
		return &typ{form: formCall, args: []*typ{e.expr(x.A)}}
	case opDeclared:
		return e.declared(x)
	case opNarrow:
		return e.narrow(e.expr(x.A), e.expr(x.B))
	case opExclude:
		return e.exclude(e.expr(x.A), e.expr(x.B))
	case opItem:
		return e.item(e.expr(x.A), x.B)
	case opIter:
		return e.element(e.expr(x.A), "__iter__", "__next__")
	case opAsyncIter:
		return e.element(e.expr(x.A), "__aiter__", "__anext__")
	case opAwait:
		return e.await(e.expr(x.A))
	case opEnter:
		return e.enter(e.expr(x.A), "__enter__")
	case opAsyncEnter:
		return e.await(e.enter(e.expr(x.A), "__aenter__"))
	case opExcept:
		return e.caught(e.expr(x.A))
	}
	return e.computeRest(x)
}

func (e *eval) computeRest(x *index.Expr) *typ {
	switch x.Op {
	case opTypeParam:
		v := &typ{form: formVar, name: e.name(x.Name)}
		if x.A >= 0 {
			v.args = []*typ{e.asType(x.A)}
		}
		return typeOfType(v)
	case opAsync:
		return outInst("typing", "Coroutine", nil, nil, e.expr(x.A))
	case opReturns:
		return unionOf(e.exprs(e.list(x)))
	case opYields:
		return outInst("typing", "Generator", unionOf(e.exprs(e.list(x))))
	case opFixture:
		return e.fixture(e.name(x.Name), -1).t
	case opPath:
		return e.pathStart(e.name(x.Name))
	}
	return nil
}

// local evaluates a parameter or variable.
func (e *eval) local(i int32) *typ {
	if i < 0 || int(i) >= len(e.facts.Locals) {
		return nil
	}
	v := &e.facts.Locals[i]
	if v.Type >= 0 {
		if t := e.asType(v.Type); t != nil {
			return t
		}
		return nil
	}
	return e.expr(v.Value)
}

// receiver returns the first parameter of a method of class Defs[def].
func (e *eval) receiver(def int32, class bool) *typ {
	t := e.target(def)
	if e.self != nil {
		if class {
			return classOf(e.self)
		}
		return e.self
	}
	var args []*typ
	for _, p := range e.l.classOf(t, e.cycle).params {
		args = append(args, &typ{form: formVar, name: p})
	}
	if class {
		return &typ{form: formClass, t: t, args: args}
	}
	return &typ{form: formInst, t: t, args: args}
}

func (e *eval) tuple(x *index.Expr) *typ {
	out := &typ{form: formTuple}
	for _, v := range e.list(x) {
		if v >= 0 && e.facts.Exprs[v].Op == opSpread {
			return builtin("tuple", nil)
		}
		out.args = append(out.args, e.expr(v))
	}
	return out
}

// or evaluates a | b: a union of types, or of what two values may yield.
func (e *eval) or(x *index.Expr) *typ {
	a, b := e.expr(x.A), e.expr(x.B)
	if isPending(a) {
		return a
	}
	if isTypeLike(a) && isTypeLike(b) {
		return typeOfType(unionOf([]*typ{instance(a), instance(b)}))
	}
	if isTypeLike(a) || isTypeLike(b) {
		return nil
	}
	return e.operator(a, "__or__")
}

func isTypeLike(t *typ) bool {
	if t == nil {
		return false
	}
	switch t.form {
	case formClass, formType, formOutside, formNone:
		return true
	}
	return false
}

// binary evaluates a op b where both are of one builtin type.
func (e *eval) binary(x *index.Expr) *typ {
	a, b := e.expr(x.A), e.expr(x.B)
	if isPending(a) {
		return a
	}
	if a == nil || a.form != formOutInst || a.path != builtinsModule {
		return nil
	}
	if a.name == "str" || a.name == "bytes" || b != nil && b.form == formOutInst && sameType(a, b, 0) {
		return a
	}
	return nil
}

// operator returns what a special method of a returns.
func (e *eval) operator(a *typ, method string) *typ {
	if a == nil || a.form != formInst {
		return nil
	}
	return e.result(e.member(a, method).t, nil, nil)
}

// declared evaluates a variable with an annotation: what it was bound to where
// that is known, as a type checker narrows it.
func (e *eval) declared(x *index.Expr) *typ {
	t := e.asType(x.A)
	if x.B < 0 {
		return t
	}
	v := e.expr(x.B)
	if t == nil {
		return v
	}
	if v != nil && (v.form == formInst || v.form == formOutInst) && e.narrows(t, v) {
		return v
	}
	return t
}

// narrows reports whether v is an instance of a class below one of t.
func (e *eval) narrows(t, v *typ) bool {
	for _, p := range t.parts() {
		if p.form == formInst && v.form == formInst && len(p.args) == 0 && e.derives(v, p) {
			return true
		}
	}
	return false
}
