package python

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// An overloadKey names the overloads of one function.
type overloadKey struct {
	parent int32
	name   string
}

// readOverloads lists the overloads that a file declares.
func (l *linker) readOverloads(f *file) {
	f.overloads = map[overloadKey][]int32{}
	for d := range f.facts.Defs {
		def := &f.facts.Defs[d]
		if isFunction(def.Kind) && l.decorationIn(f, int32(d)) == decoOverload {
			k := overloadKey{def.Parent, f.facts.Names[def.Name]}
			f.overloads[k] = append(f.overloads[k], int32(d))
		}
	}
}

// overload returns the first overload of a function that a call fits, or the
// function itself.
func (e *eval) overload(t index.Target, bound bool, p *passed) index.Target {
	f := e.l.load(t.File)
	d := &f.facts.Defs[t.Def]
	list := f.overloads[overloadKey{d.Parent, f.facts.Names[d.Name]}]
	if len(list) == 0 || p == nil || p.spread {
		return t
	}
	for _, o := range list {
		if e.accepts(index.Target{File: t.File, Def: o}, bound, p) {
			return f.self[o]
		}
	}
	return t
}

// accepts reports whether a call fits the parameters of a function, as far as
// the types are known.
func (e *eval) accepts(t index.Target, bound bool, p *passed) bool {
	f := e.l.load(t.File)
	d := &f.facts.Defs[t.Def]
	params := f.facts.Params[d.P0:d.P1]
	types := e.l.in(t.File, e.cycle)
	var list []int32
	if d.Type >= 0 && int(d.Type) < len(f.facts.Exprs) {
		list = types.list(&f.facts.Exprs[d.Type])
	}
	next, used := 0, 0
	rest := false
	for i := range params {
		if i == 0 && bound {
			continue
		}
		param := &params[i]
		var arg *typ
		given := false
		switch {
		case param.Variadic:
			if param.Keyword {
				used = len(p.names)
			} else {
				next = len(p.args)
			}
			rest = rest || param.Keyword
			continue
		case !param.Keyword && next < len(p.args):
			arg, given = p.args[next], true
			next++
		default:
			if arg, given = p.names[param.Name]; given {
				used++
			}
		}
		if !given {
			if !param.Optional {
				return false
			}
			continue
		}
		if i < len(list) && list[i] >= 0 && !e.takes(types.asType(list[i]), arg, 0) {
			return false
		}
	}
	return next >= len(p.args) && (rest || used >= len(p.names))
}

// takes reports whether a parameter of type param can take arg: true where one
// of them is not known.
func (e *eval) takes(param, arg *typ, depth int) bool {
	if param == nil || arg == nil || depth > 4 || isPending(arg) || param.form == formVar {
		return true
	}
	if arg.form == formUnion {
		return slices.ContainsFunc(arg.args, func(p *typ) bool { return e.takes(param, p, depth+1) })
	}
	switch param.form {
	case formUnion:
		return slices.ContainsFunc(param.args, func(p *typ) bool { return e.takes(p, arg, depth+1) })
	case formNone:
		return arg.form == formNone
	case formCall:
		return arg.form != formNone && arg.form != formTuple && !(arg.form == formOutInst && arg.path == builtinsModule)
	case formClass, formType:
		return arg.form == formClass || arg.form == formType || arg.form == formOutside || arg.form == formOpaque
	case formInst, formTuple:
		return arg.form == formInst && (param.form == formTuple || e.derives(arg, param)) || arg.form == formTuple || arg.form == formOpaque
	case formOutInst:
		if param.path == builtinsModule && param.name != "object" {
			return arg.form == formOpaque || arg.form == formInst || arg.form == formOutInst && (arg.name == param.name || arg.path != builtinsModule) ||
				arg.form == formTuple && param.name == "tuple"
		}
	}
	return true
}
