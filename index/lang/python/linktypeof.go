package python

import (
	"github.com/plumbkit/plumb/index"
)

// typeOf returns the type of a definition: of a variable its value's, of a
// class or function that itself.
func (l *linker) typeOf(t index.Target, c *cycle) *typ {
	f := l.load(t.File)
	if t.Def < 0 || int(t.Def) >= len(f.types) {
		return nil
	}
	if k := f.types[t.Def].Load(); k != nil {
		c.charge(k.took)
		return k.t
	}
	var found *typ
	var clean bool
	took := c.measured(func() { found, clean = c.guard(t, func() *typ { return l.declare(t, f, c) }) })
	if clean {
		if found != nil && found.form == formPending {
			found = nil
		}
		f.types[t.Def].Store(&known{found, took})
	}
	return found
}

func (l *linker) declare(t index.Target, f *file, c *cycle) *typ {
	d := &f.facts.Defs[t.Def]
	switch d.Kind {
	case index.KindClass, index.KindInterface, index.KindEnum:
		return &typ{form: formClass, t: t}
	case index.KindFunction, index.KindMethod, index.KindConstructor:
		return l.functionType(t, c)
	case index.KindPackage:
		return &typ{form: formModule, mod: f.module}
	case index.KindEnumMember:
		if d.Parent >= 0 {
			return &typ{form: formInst, t: f.self[d.Parent]}
		}
	}
	e := l.in(t.File, c)
	if d.Type >= 0 {
		if v := e.asType(d.Type); v != nil {
			return v
		}
		if name := e.lastName(d.Type); name != "Final" && name != "ClassVar" && name != "TypeAlias" {
			return nil
		}
	}
	v := e.expr(d.Value)
	if v != nil && v.form == formVar && v.name == "" { // a type variable has the name that it is assigned to
		return typeOfType(&typ{form: formVar, name: f.facts.Names[d.Name], args: v.args})
	}
	if d.Flags&index.DefAlias != 0 && v != nil && v.form != formClass {
		return typeOfType(instance(v))
	}
	return v
}

// A decoration is what a function's decorators make of it.
type decoration uint8

const (
	decoNone decoration = iota
	decoProperty
	decoSetter
	decoStatic
	decoClass
	decoOverload
	decoFixture
	decoManager
	decoAsyncManager
	decoOther
)

// decoration reads a function's decorators by their names, which are the
// language's own and seldom taken for anything else.
func (l *linker) decoration(t index.Target) decoration { return l.decorationIn(l.load(t.File), t.Def) }

func (l *linker) decorationIn(f *file, def int32) decoration {
	d := &f.facts.Defs[def]
	switch d.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor:
	default:
		return decoNone
	}
	if d.Type < 0 || int(d.Type) >= len(f.facts.Exprs) {
		return decoNone
	}
	list := f.facts.Exprs[d.Type].B
	if list < 0 || int(list) >= len(f.facts.Exprs) {
		return decoNone
	}
	out := decoNone
	e := &eval{l: l, f: f, facts: f.facts}
	for _, i := range e.list(&f.facts.Exprs[list]) {
		if k := decorationOf(e.lastName(i)); k != decoNone && (out == decoNone || out == decoOther) {
			out = k
		}
	}
	return out
}

func decorationOf(name string) decoration {
	switch name {
	case "property", "cached_property", "abstractproperty", "lazy_property", "reify", "classproperty", "hybrid_property", "getter":
		return decoProperty
	case "setter", "deleter":
		return decoSetter
	case "staticmethod":
		return decoStatic
	case "classmethod":
		return decoClass
	case "overload":
		return decoOverload
	case "fixture", "yield_fixture":
		return decoFixture
	case "contextmanager":
		return decoManager
	case "asynccontextmanager":
		return decoAsyncManager
	case "abstractmethod", "wraps", "lru_cache", "cache", "override", "final", "no_type_check", "deprecated", "skipif", "skip", "parametrize",
		"xfail", "usefixtures", "patch", "object", "dict", "":
		return decoNone
	}
	return decoOther
}

// functionType returns the type of a function's name: the function, unless a
// decorator makes something else of it.
func (l *linker) functionType(t index.Target, c *cycle) *typ {
	fn := &typ{form: formFunc, t: t}
	if l.decoration(t) != decoOther {
		return fn
	}
	f := l.load(t.File)
	e := l.in(t.File, c)
	made := fn
	decorators := e.list(&f.facts.Exprs[f.facts.Exprs[f.facts.Defs[t.Def].Type].B])
	for i := len(decorators) - 1; i >= 0; i-- {
		if decorationOf(e.lastName(decorators[i])) == decoOther {
			made = e.decorate(e.value(decorators[i]), made)
		}
	}
	return made
}

// decorate returns what a decorator makes of a function: what it is declared to
// return, or where that is not known, the function itself if the decorator
// stands in the repository, because most decorators wrap.
func (e *eval) decorate(decorator, fn *typ) *typ {
	if decorator == nil || fn == nil {
		return fn
	}
	switch decorator.form {
	case formFunc:
		t := e.result(decorator, []*typ{fn}, nil)
		if t == nil || t.form == formVar || t.form == formPending || t.form == formCall || t.form == formFunc {
			return fn
		}
		return t
	case formCall:
		if t := decorator.arg(0); t != nil && t.form != formVar && t.form != formCall {
			return t
		}
		return fn
	case formClass:
		return e.construct(decorator, &passed{args: []*typ{fn}})
	case formOutside:
		if isStd(decorator.path) {
			return fn
		}
		return &typ{form: formOpaque, path: decorator.path}
	case formOpaque:
		if isStd(decorator.path) {
			return fn
		}
		return decorator
	}
	return fn
}
