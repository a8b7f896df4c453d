package golang

import (
	"github.com/plumbkit/plumb/index"
)

// A mode says what an expression turned out to be.
type mode uint8

const (
	modeNone     mode = iota // not known
	modeValue                // a value of type t
	modeType                 // the type t
	modePackage              // an imported package
	modeOutside              // the member name of the outside package path
	modeBuiltin              // the predeclared function name
	modeNoResult             // a call without results
)

// An operand is what is known of an expression.
type operand struct {
	mode mode
	t    *typ
	// decl is the generic function or type whose type arguments are still open.
	decl    index.Target
	generic bool
	pkg     *imported
	path    string
	name    string
}

func valueOf(t *typ) operand {
	if t == nil {
		return operand{}
	}
	return operand{mode: modeValue, t: t}
}

func typeOperand(t *typ) operand {
	if t == nil {
		return operand{}
	}
	return operand{mode: modeType, t: t}
}

// An eval evaluates the expressions of one file.
type eval struct {
	l     *linker
	file  int32
	f     *file
	facts *index.Facts
	// memo and state are kept per expression while a whole file is resolved.
	memo        []operand
	state       []uint8
	constraints map[*typ]*typ
	cycle       *cycle
	depth       int // of expressions being evaluated
	steps       int // taken without memo
}

const (
	stateBusy uint8 = 1
	stateDone uint8 = 2
)

// in returns an eval of the head of another file.
func (l *linker) in(file int32, c *cycle) *eval {
	f := &l.files[file]
	return &eval{l: l, file: file, f: f, facts: f.facts, cycle: c}
}

// maxSteps is how many expressions the type of one definition may rest on; more
// are a circle in damaged facts.
const maxSteps = 1 << 15

// expr evaluates an expression; -1 is not known. Expressions nest as deep as
// extraction lets them; damaged facts may be a circle.
func (e *eval) expr(i int32) operand {
	if i < 0 || int(i) >= len(e.facts.Exprs) || e.depth > maxDepth {
		return operand{}
	}
	e.depth++
	defer func() { e.depth-- }()
	if e.memo == nil {
		if e.steps++; e.steps > maxSteps {
			return operand{}
		}
		return e.compute(i)
	}
	switch e.state[i] {
	case stateDone:
		return e.memo[i]
	case stateBusy:
		return operand{}
	}
	e.state[i] = stateBusy
	e.memo[i] = e.compute(i)
	e.state[i] = stateDone
	return e.memo[i]
}

// at returns a node, an unknown one where there is none.
func (e *eval) at(i int32) *index.Expr {
	if i < 0 || int(i) >= len(e.facts.Exprs) {
		return &index.Expr{A: -1, B: -1, Name: -1}
	}
	return &e.facts.Exprs[i]
}

// asType returns the type that an expression stands for, nil if unknown.
func (e *eval) asType(i int32) *typ { return e.l.typeFor(e.expr(i)) }

func (l *linker) typeFor(o operand) *typ {
	switch o.mode {
	case modeType, modeValue:
		return o.t
	case modeOutside:
		return l.types.outside(o.path, o.name, listOf(o.t))
	}
	return nil
}

// listOf returns the elements of what holds type arguments.
func listOf(t *typ) []*typ {
	if t == nil {
		return nil
	}
	return t.list
}

// value returns the type of an expression as one value, nil if unknown.
func (e *eval) value(i int32) *typ {
	o := e.expr(i)
	switch o.mode {
	case modeValue:
		if o.t.form == formTuple {
			return o.t.list[0]
		}
		return o.t
	case modeOutside:
		return e.l.types.opaque(o.path, listOf(o.t))
	case modeType:
		return o.t
	}
	return nil
}

func (e *eval) list(x *index.Expr) []int32 {
	if x.L0 > x.L1 || int(x.L1) > len(e.facts.Lists) {
		return nil
	}
	return e.facts.Lists[x.L0:x.L1]
}

func (e *eval) nameOf(n int32) string {
	if n < 0 || int(n) >= len(e.facts.Names) {
		return ""
	}
	return e.facts.Names[n]
}

func (e *eval) compute(i int32) operand {
	x := &e.facts.Exprs[i]
	switch x.Op {
	case opName:
		return e.named(e.nameOf(x.Name))
	case opLocal:
		return e.local(x.A)
	case opSelect, opMethodOf:
		return e.selected(x)
	case opIndex:
		return e.index(x)
	case opStar, opPointer:
		return e.star(x)
	case opDef:
		return e.def(index.Target{File: e.file, Def: x.A})
	case opCall:
		return e.call(x)
	case opResult:
		return e.result(x)
	case opFuncLit:
		return valueOf(e.asType(x.A))
	case opAddr:
		return valueOf(e.l.types.pointerTo(e.value(x.A)))
	case opRecv:
		return valueOf(e.element(e.value(x.A), formChan))
	case opSlice:
		return valueOf(e.sliced(e.value(x.A)))
	case opAssert:
		return valueOf(e.asType(x.B))
	case opComposite:
		return valueOf(e.composite(x))
	case opBasic:
		return valueOf(e.basic(e.nameOf(x.Name)))
	case opUnary:
		return valueOf(e.value(x.A))
	case opBinary:
		return valueOf(e.binary(x))
	case opRangeKey, opRangeElem:
		return valueOf(e.ranged(e.value(x.A), x.Op == opRangeElem))
	case opSwitch:
		return valueOf(e.switched(x))
	}
	return typeOperand(e.literalType(x))
}

func (e *eval) local(i int32) operand {
	if i < 0 || int(i) >= len(e.facts.Locals) {
		return operand{}
	}
	if l := &e.facts.Locals[i]; l.Type >= 0 {
		return valueOf(e.asType(l.Type))
	} else if l.Value >= 0 {
		return valueOf(e.value(l.Value))
	}
	return operand{}
}

func (e *eval) basic(name string) *typ {
	if name == "nil" {
		return nil
	}
	return e.l.types.basic(name)
}

// def returns what a definition of this file stands for.
func (e *eval) def(t index.Target) operand {
	if t.Def < 0 || int(t.Def) >= len(e.facts.Defs) {
		return operand{}
	}
	d := &e.facts.Defs[t.Def]
	if !isType(d.Kind) {
		return operand{mode: modeValue, t: e.l.typeOf(t, e.cycle)}.known()
	}
	o := typeOperand(e.l.typeOf(t, e.cycle))
	o.decl, o.generic = t, d.Flags&index.DefGeneric != 0
	return o
}

// known returns o, or nothing when its type is not known.
func (o operand) known() operand {
	if o.t == nil {
		return operand{}
	}
	return o
}

func (e *eval) star(x *index.Expr) operand {
	o := e.expr(x.A)
	switch o.mode {
	case modeType, modeOutside:
		return typeOperand(e.l.types.pointerTo(e.l.typeFor(o)))
	case modeValue:
		return valueOf(e.pointee(o.t))
	}
	return operand{}
}

func (e *eval) pointee(t *typ) *typ {
	switch u := e.under(t); {
	case u == nil:
		return nil
	case u.form == formPointer:
		return u.elem
	case u.form == formOutside || u.form == formOpaque:
		return e.opaqueFrom(u)
	}
	return nil
}

// opaqueFrom returns the type of something taken out of a value of an outside type.
func (e *eval) opaqueFrom(t *typ) *typ {
	if t.form == formOpaque {
		return t
	}
	var from []*typ
	for _, arg := range t.list {
		from = parts(from, arg)
	}
	return e.l.types.opaque(t.path, from)
}

func (e *eval) composite(x *index.Expr) *typ {
	if x.A >= 0 {
		return e.asType(x.A)
	}
	if x.B < 0 {
		return nil
	}
	outer := e.value(x.B)
	u := e.under(outer.deref())
	switch {
	case u == nil:
		return nil
	case u.form == formMap && x.Name >= 0:
		return u.key
	case u.form == formMap, u.form == formSlice, u.form == formArray:
		return u.elem
	case u.form == formOutside || u.form == formOpaque:
		return e.opaqueFrom(u)
	}
	return nil
}

func (e *eval) binary(x *index.Expr) *typ {
	a, b := e.value(x.A), e.value(x.B)
	// An untyped constant takes the other operand's type.
	if a == nil || b != nil && a.form == formBasic && e.untyped(x.A, 0) {
		return b
	}
	return a
}

// untyped reports whether an expression is made of literals alone.
func (e *eval) untyped(i int32, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch x := e.at(i); x.Op {
	case opBasic:
		return true
	case opUnary:
		return e.untyped(x.A, depth+1)
	case opBinary:
		return e.untyped(x.B, depth+1) && e.untyped(x.A, depth+1)
	}
	return false
}

func (e *eval) switched(x *index.Expr) *typ {
	cases := e.list(x)
	if len(cases) != 1 {
		return e.value(x.A)
	}
	if t := e.asType(cases[0]); t != nil {
		return t
	}
	if e.at(cases[0]).Op == opBasic { // case nil
		return e.value(x.A)
	}
	return nil
}
