package ecmascript

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// An eval finds the types of expressions for one file's sites. It belongs to
// one goroutine.
//
// Every answer is a function of its question: definitions are evaluated with
// limits of their own, so that it makes no difference whether an answer was
// known already, and what depends on itself is remembered only as long as the
// question is open on which it depends.
type eval struct {
	l     *linker
	own   int32
	facts *index.Facts // all of the own file

	values, types []*typ // of the own file's expressions without arguments
	state         []uint8

	stack  []question
	lowest int
	temps  map[question]temporary
	known  map[question]*typ
	depth  int
	steps  int
	writes map[uint32]bool // names that are assigned again, once asked for
}

// A question is what is being evaluated: a Def, or a place in an expression.
type question struct {
	file, at int32
	what     uint8
}

const (
	askDef uint8 = iota
	askMember
	askLocal
	askResult
	askBases
	askAlias
	askArgument
	askConstraint
)

type temporary struct {
	t      *typ
	lowest int
}

const (
	noCycle   = 1 << 30
	maxOpen   = 150   // questions that follow from one another
	maxNested = 300   // expressions inside one another
	maxSteps  = 4_000 // expressions for one question
)

func (l *linker) newEval(own int32, facts *index.Facts) *eval {
	e := &eval{l: l, own: own, facts: facts, lowest: noCycle, temps: map[question]temporary{}, known: map[question]*typ{}}
	if facts != nil {
		n := len(facts.Exprs)
		e.values, e.types, e.state = make([]*typ, n), make([]*typ, n), make([]uint8, n)
	}
	return e
}

// guard evaluates a question by f, unless it is being evaluated already. The
// answer is clean when it did not depend on any question still open, or on
// itself. A plain question, one without arguments for type parameters, has
// limits of its own, and its clean answer is kept; any other counts for the
// question that asks it.
func (e *eval) guard(q question, plain bool, f func() *typ) (t *typ, clean bool) {
	if known, ok := e.known[q]; ok && plain {
		e.steps++
		return known, true
	}
	if at := slices.Index(e.stack, q); at >= 0 {
		e.lowest = min(e.lowest, at)
		return nil, false
	}
	if known, ok := e.temps[q]; ok {
		e.lowest = min(e.lowest, known.lowest)
		return known.t, false
	}
	if len(e.stack) >= maxOpen {
		e.lowest = 0 // whatever is open would be answered otherwise by itself
		return nil, false
	}
	at, outer, depth, steps := len(e.stack), e.lowest, e.depth, e.steps
	e.lowest = noCycle
	if plain {
		e.depth, e.steps = 0, 0
	}
	e.stack = append(e.stack, q)
	t = f()
	e.stack = e.stack[:at]
	clean = e.lowest == noCycle
	if e.depth = depth; plain {
		e.steps = steps + 1
		if clean {
			e.known[q] = t
		}
	}
	if e.lowest >= at { // closed here: what lies further out does not depend on it
		for k, v := range e.temps {
			if v.lowest >= at {
				delete(e.temps, k)
			}
		}
		e.lowest = noCycle
	} else if !clean {
		e.temps[q] = temporary{t, e.lowest}
	}
	e.lowest = min(e.lowest, outer)
	return t, clean
}

// at returns what is known of a file: of the own one everything.
func (e *eval) at(file int32) *index.Facts {
	if file == e.own && e.facts != nil {
		return e.facts
	}
	return e.l.load(file).facts
}

func (e *eval) list(f *index.Facts, x *index.Expr) []int32 { return f.Lists[x.L0:x.L1] }

// enter counts a step; it is false when there have been too many.
func (e *eval) enter() bool {
	e.depth++
	e.steps++
	return e.depth <= maxNested && e.steps <= maxSteps
}

// value returns the type of a value.
func (e *eval) value(s scope, x int32) *typ { return e.eval(s, x, e.values, 1, e.findValue) }

// typ returns the type that an expression of types stands for.
func (e *eval) typ(s scope, x int32) *typ { return e.eval(s, x, e.types, 2, e.findType) }

func (e *eval) eval(s scope, x int32, memo []*typ, bit uint8, find func(s scope, f *index.Facts, x *index.Expr, at int32) *typ) *typ {
	f := e.at(s.file)
	if x < 0 || int(x) >= len(f.Exprs) {
		return nil
	}
	plain := s.file == e.own && s.env == nil && s.this == nil && int(x) < len(memo)
	if plain && e.state[x]&bit != 0 {
		return memo[x]
	}
	defer func() { e.depth-- }()
	if !e.enter() {
		return nil
	}
	outer := e.lowest
	e.lowest = noCycle
	t := find(s, f, &f.Exprs[x], x)
	if plain && e.lowest == noCycle && len(e.stack) == 0 && e.depth < maxNested && e.steps < maxSteps {
		memo[x] = t
		e.state[x] |= bit
	}
	e.lowest = min(e.lowest, outer)
	return t
}

// typeOf returns the type of a definition: of a class or interface its instance.
func (e *eval) typeOf(t index.Target) *typ {
	memo := &e.l.load(t.File).types[t.Def]
	if known := memo.Load(); known != nil {
		e.steps++
		if known == unknownType {
			return nil
		}
		return known
	}
	found, clean := e.guard(question{t.File, t.Def, askDef}, true, func() *typ { return e.defType(scope{file: t.File}, t) })
	if clean {
		if found == nil {
			memo.Store(unknownType)
		} else {
			memo.Store(found)
		}
	}
	return found
}

// unknownType stands in memory for a type that is not known.
var unknownType = &typ{}

// defType finds the type that a definition declares or is given, in a scope.
func (e *eval) defType(s scope, t index.Target) *typ {
	f := e.at(t.File)
	d := &f.Defs[t.Def]
	switch d.Kind {
	case index.KindClass, index.KindInterface:
		return e.named(e.l.entityOf(t), nil)
	case index.KindEnum:
		return &typ{form: formNamed, ent: e.l.entityOf(t)}
	case index.KindEnumMember:
		return enumMember(t)
	case index.KindPackage:
		return &typ{form: formStatic, ent: e.l.entityOf(t)}
	}
	switch {
	case d.Type >= 0:
		return e.typ(s, d.Type)
	case d.Value >= 0:
		return e.value(s, d.Value)
	}
	return nil
}

// enumMember is the type of one member of an enum.
func enumMember(t index.Target) *typ {
	return &typ{form: formText, expr: t.Def, sc: scope{file: t.File}}
}

// findValue evaluates one expression as a value.
func (e *eval) findValue(s scope, f *index.Facts, x *index.Expr, at int32) *typ {
	switch x.Op {
	case opName:
		b := e.l.lookup(s.file, f.Names[x.Name], trail{})
		return e.boundValue(&b)
	case opLocal:
		return e.local(s, f, x.A)
	case opDef:
		if ent := e.l.entityOf(index.Target{File: s.file, Def: x.A}); x.A >= 0 && ent != nil {
			return e.entityValue(ent)
		}
		return nil
	case opMember:
		base := e.value(s, x.A)
		return e.memberType(e.selectMember(base, f.Names[x.Name], base))
	case opInst:
		return e.value(s, x.A)
	case opCall:
		return e.call(s, f, x, at)
	case opNew:
		return e.newValue(s, f, x)
	case opIndex:
		return e.indexed(e.value(s, x.A), e.value(s, x.B))
	case opAwait:
		return e.awaited(e.value(s, x.A), 0)
	case opEach:
		return e.element(e.value(s, x.A), 0)
	case opRest, opSpread:
		return e.value(s, x.A)
	case opAt:
		return e.itemAt(e.value(s, x.A), int(x.B))
	case opEither:
		return e.eachValue(s, f, x)
	case opGuarded:
		return e.guarded(s, f, x)
	case opArray:
		return e.arrayLiteral(s, f, x)
	}
	return e.literalValue(s, f, x, at)
}

func (e *eval) literalValue(s scope, f *index.Facts, x *index.Expr, at int32) *typ {
	switch x.Op {
	case opBasic:
		return basicNamed(f.Names[x.Name])
	case opText:
		return &typ{form: formText, name: f.Names[x.Name]}
	case opObject:
		return &typ{form: formObject, sc: s, expr: at}
	case opFunction, opGeneric:
		return &typ{form: formFunc, sc: s, expr: at}
	case opThis:
		return e.thisOf(s, x.A)
	case opThisObject:
		if t := e.typ(s, x.B); t != nil && t.form != formParam && t.form != formAny && t.form != formOutside {
			return t
		}
		return e.value(s, x.A)
	case opSuper:
		return e.superOf(s, x.A)
	case opCast:
		return e.typ(s, x.A)
	case opImport:
		b := e.l.from(e.l.importNamed(e.l.load(s.file), f.Names[x.Name]), "*", trail{})
		t := e.boundValue(&b)
		if x.A == 1 && t != nil {
			return lib("Promise", t)
		}
		return t
	case opMeta:
		e.l.readGlobals()
		if ent := e.l.global["ImportMeta"]; ent != nil {
			return e.named(ent, nil)
		}
		return outsideType(moduleES)
	case opElement:
		return outsideType("react")
	}
	return nil
}

func basicNamed(name string) *typ {
	switch name {
	case "null", "undefined", "void", "never":
		return &typ{form: formEmpty}
	case "any", "unknown", "object":
		return &typ{form: formAny}
	case "RegExp":
		return lib("RegExp")
	}
	return basicType(name)
}

func (e *eval) eachValue(s scope, f *index.Facts, x *index.Expr) *typ {
	var all []*typ
	for _, v := range e.list(f, x) {
		all = append(all, e.value(s, v))
	}
	return unionOf(all...)
}

// local returns the type of a local variable.
func (e *eval) local(s scope, f *index.Facts, i int32) *typ {
	if i < 0 || int(i) >= len(f.Locals) {
		return nil
	}
	v := &f.Locals[i]
	t, _ := e.guard(question{s.file, i, askLocal}, s.plain(), func() *typ {
		if v.Type >= 0 {
			return e.typ(s, v.Type)
		}
		return e.value(s, v.Value)
	})
	return t
}

func (e *eval) arrayLiteral(s scope, f *index.Facts, x *index.Expr) *typ {
	var all []*typ
	spread := false
	for _, v := range e.list(f, x) {
		if v >= 0 && f.Exprs[v].Op == opSpread {
			spread = true
			all = append(all, e.element(e.value(s, f.Exprs[v].A), 0))
			continue
		}
		all = append(all, e.value(s, v))
	}
	if spread || len(all) == 0 || len(all) > 8 {
		if len(all) == 0 {
			return lib("Array", nil)
		}
		return lib("Array", unionOf(all...))
	}
	return &typ{form: formTuple, list: all}
}

// thisOf is this in a class: what a method was called on, or the class's own instance.
func (e *eval) thisOf(s scope, class int32) *typ {
	if s.this != nil {
		return s.this
	}
	if class < 0 {
		return nil
	}
	return e.named(e.l.entityOf(index.Target{File: s.file, Def: class}), nil)
}

func (e *eval) superOf(s scope, class int32) *typ {
	if class < 0 {
		return nil
	}
	ent := e.l.entityOf(index.Target{File: s.file, Def: class})
	if ent == nil {
		return nil
	}
	if bases := e.bases(&typ{form: formNamed, ent: ent}); len(bases) > 0 {
		return bases[0]
	}
	return nil
}

// boundValue is the type of the value that a name leads to.
func (e *eval) boundValue(b *bound) *typ {
	switch {
	case b.isMod:
		return &typ{form: formModule, sc: scope{file: b.module}}
	case b.ent != nil && b.outside != "" && !isValue(b.ent):
		return e.outsideValue(b.outside, b.ent.name)
	case b.ent != nil:
		return e.entityValue(b.ent)
	case b.expr >= 0:
		return e.value(scope{file: b.file}, b.expr)
	case b.outside == moduleES || b.outside == moduleDOM:
		return e.outsideValue(b.outside, b.global)
	case b.outside != "":
		return outsideType(b.outside)
	}
	return nil
}

func isValue(ent *entity) bool {
	return ent.is(index.KindClass, index.KindEnum, index.KindFunction, index.KindConstant, index.KindVariable, index.KindPackage, index.KindEnumMember)
}

// outsideValue is a global value from outside. The repository may add to the
// interface that declares its members, such as Window for window.
func (e *eval) outsideValue(module, name string) *typ {
	of := ""
	switch name {
	case "window", "self", "globalThis", "top", "parent":
		of = "Window"
	case "document", "navigator", "location", "history", "screen", "performance", "console", "crypto", "event":
		of = strings.ToUpper(name[:1]) + name[1:]
	}
	e.l.readGlobals()
	if ent := e.l.global[of]; of != "" && ent != nil && ent.is(index.KindInterface) {
		return &typ{form: formLib, name: of, ent: ent}
	}
	return outsideType(module)
}

// entityValue is the type of the value that an entity declares.
func (e *eval) entityValue(ent *entity) *typ {
	if ent.is(index.KindClass, index.KindEnum, index.KindPackage) || ent.is(index.KindFunction) && !e.annotated(ent) {
		return &typ{form: formStatic, ent: ent}
	}
	for i := len(ent.defs) - 1; i >= 0; i-- {
		switch e.l.def(ent.defs[i]).Kind {
		case index.KindConstant, index.KindVariable, index.KindEnumMember, index.KindFunction, index.KindField, index.KindMethod:
			return e.typeOf(ent.defs[i])
		}
	}
	return nil
}

// annotated reports whether a function is a constant with a declared type,
// which alone says what it is.
func (e *eval) annotated(ent *entity) bool {
	d := e.l.def(ent.defs[0])
	if d.Type < 0 {
		return false
	}
	switch e.l.files[ent.defs[0].File].facts.Exprs[d.Type].Op {
	case opFunction, opGeneric:
		return false
	}
	return true
}

// named is an instance of a class or interface.
func (e *eval) named(ent *entity, args []*typ) *typ {
	if ent == nil {
		return nil
	}
	return &typ{form: formNamed, ent: ent, list: args}
}
