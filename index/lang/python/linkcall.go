package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// call evaluates a call.
func (e *eval) call(x *index.Expr) *typ {
	callee := e.expr(x.A)
	if callee == nil || callee.form == formPending {
		return callee
	}
	var args []*typ
	var names map[string]*typ
	spread := false
	for _, i := range e.list(x) {
		if i < 0 {
			args = append(args, nil)
			continue
		}
		switch v := &e.facts.Exprs[i]; v.Op {
		case opKw:
			if names == nil {
				names = map[string]*typ{}
			}
			names[e.name(v.Name)] = e.expr(v.A)
		case opSpread:
			spread = true
		default:
			if !spread {
				args = append(args, e.expr(i))
			}
		}
	}
	return e.resultOf(callee, &passed{args, names, spread})
}

// result returns what calling callee with known arguments returns.
func (e *eval) result(callee *typ, args []*typ, names map[string]*typ) *typ {
	return e.resultOf(callee, &passed{args: args, names: names})
}

// resultOf returns what calling callee returns.
func (e *eval) resultOf(callee *typ, p *passed) *typ {
	if callee == nil || e.cycle.level > maxLevel {
		return nil
	}
	e.cycle.level++
	t := e.yielded(callee, p)
	e.cycle.level--
	return doubtful(t, callee.doubt)
}

func (e *eval) yielded(callee *typ, p *passed) *typ {
	switch callee.form {
	case formClass:
		return e.construct(callee, p)
	case formFunc:
		return e.returns(callee.t, callee.self, nil, p)
	case formType:
		return callee.args[0]
	case formCall:
		return callee.args[0]
	case formInst:
		return e.resultOf(e.member(callee, "__call__").t, p)
	case formOutside:
		return e.outsideResult(callee, p.args, p.names)
	case formOpaque:
		return callee
	case formOutInst:
		if callee.name == "partial" || callee.name == "Callable" {
			return callee.arg(0)
		}
		return &typ{form: formOpaque, path: callee.path}
	case formUnion:
		var out []*typ
		for _, part := range callee.parts() {
			out = append(out, e.resultOf(part, p))
		}
		return unionOf(out)
	}
	return nil
}

// passed are the arguments of a call.
type passed struct {
	args   []*typ
	names  map[string]*typ
	spread bool // and others that are not known
}

// construct returns an instance of a class. Type arguments that are not given
// follow from what __init__ takes.
func (e *eval) construct(class *typ, p *passed) *typ {
	cl := e.l.classOf(class.t, e.cycle)
	out := &typ{form: formInst, t: class.t, args: class.args}
	if len(cl.params) == 0 || len(out.args) > 0 {
		return out
	}
	for _, a := range cl.mro {
		if a.c == nil {
			continue
		}
		if ts := a.c.members["__init__"]; len(ts) > 0 {
			t := e.l.choose(ts, false)[0]
			b := binds{}
			e.bindParams(t, true, b, p)
			for _, param := range cl.params {
				out.args = append(out.args, b[param])
			}
			break
		}
	}
	return out
}

// bindParams matches the declared types of a function's parameters with what
// is passed.
func (e *eval) bindParams(t index.Target, bound bool, b binds, p *passed) {
	f := e.l.load(t.File)
	d := &f.facts.Defs[t.Def]
	if p == nil || d.Type < 0 || int(d.Type) >= len(f.facts.Exprs) {
		return
	}
	in := e.l.in(t.File, e.cycle)
	types := in.list(&f.facts.Exprs[d.Type])
	params := f.facts.Params[d.P0:d.P1]
	at := 0
	if bound {
		at = 1
	}
	next := 0
	for i := at; i < len(types) && i < len(params); i++ {
		param := &params[i]
		var arg *typ
		switch {
		case param.Variadic && !param.Keyword:
			if next < len(p.args) {
				arg = p.args[next]
			}
			next = len(p.args)
		case !param.Keyword && next < len(p.args):
			arg = p.args[next]
			next++
		default:
			arg = p.names[param.Name]
		}
		if arg != nil && types[i] >= 0 {
			b.match(in.asType(types[i]), arg, 0)
		}
	}
}

// returns returns what a function returns when it is called on self. with are
// the type variables of the class it is reached through.
func (e *eval) returns(t index.Target, self *typ, with binds, p *passed) *typ {
	t = e.overload(t, self != nil, p)
	f := e.l.load(t.File)
	d := &f.facts.Defs[t.Def]
	if d.Type < 0 || int(d.Type) >= len(f.facts.Exprs) {
		return nil
	}
	x := &f.facts.Exprs[d.Type]
	b := binds{}
	for k, v := range with {
		b[k] = v
	}
	recv := self
	if recv != nil && recv.form == formClass {
		recv = instance(recv)
	}
	if recv != nil {
		b["Self"] = recv
		e.ownBinds(t, recv, b)
	}
	var out *typ
	if x.A >= 0 {
		in := e.l.in(t.File, e.cycle)
		if list := in.list(x); self != nil && len(list) > 0 && list[0] >= 0 {
			b.match(in.asType(list[0]), pick(self, recv, in.asType(list[0])), 0)
		}
		if p != nil {
			e.bindParams(t, self != nil || d.Kind == index.KindMethod && e.l.decoration(t) != decoStatic, b, p)
		}
		out = b.replace(in.declaredResult(x.A))
	} else {
		out = b.replace(e.inferred(t, recv, d))
	}
	if out == nil || out.form == formPending {
		return out
	}
	switch e.l.decoration(t) {
	case decoManager:
		return outInst("contextlib", "AbstractContextManager", out.arg(0))
	case decoAsyncManager:
		return outInst("contextlib", "AbstractAsyncContextManager", out.arg(0))
	}
	return out
}

// pick returns what the first parameter of a method receives: the class where
// it is declared to be one.
func pick(self, recv, param *typ) *typ {
	if param != nil && param.form == formType {
		return classOf(recv)
	}
	if self.form == formClass && (param == nil || param.form != formVar) {
		return self
	}
	return recv
}

// ownBinds adds the type variables of the class that declares a method.
func (e *eval) ownBinds(t index.Target, recv *typ, b binds) {
	d := &e.l.load(t.File).facts.Defs[t.Def]
	if d.Parent < 0 || recv.form != formInst {
		return
	}
	owner := index.Target{File: t.File, Def: d.Parent}
	cl := e.l.classOf(recv.t, e.cycle)
	own := cl.binds(recv.args)
	for _, a := range cl.mro {
		if a.c != nil && a.c.t == owner {
			for k, v := range a.c.binds(a.args) {
				if _, ok := b[k]; !ok {
					b[k] = own.replace(v)
				}
			}
			return
		}
	}
}

// declaredResult evaluates the annotation of a result.
func (e *eval) declaredResult(i int32) *typ {
	if x := &e.facts.Exprs[i]; x.Op == opAsync {
		return outInst("typing", "Coroutine", nil, nil, e.asType(x.A))
	}
	return e.asType(i)
}

// inferred returns what the return statements of a function without declared
// result yield: for a receiver of another class, evaluated for that.
func (e *eval) inferred(t index.Target, recv *typ, d *index.Def) *typ {
	if d.Value < 0 {
		return nil
	}
	f := e.l.load(t.File)
	other := recv != nil && (recv.form != formInst || recv.t != (index.Target{File: t.File, Def: d.Parent}) || len(recv.args) > 0)
	key := index.Target{File: t.File, Def: -1_000_000 - t.Def}
	found, _ := e.cycle.guard(key, func() *typ {
		in := e.l.in(t.File, e.cycle)
		if other {
			in.self = recv
		}
		return in.expr(d.Value)
	})
	_ = f
	if found != nil && found.form == formPending {
		return nil
	}
	return found
}

// outsideResult returns what calling something declared outside returns.
func (e *eval) outsideResult(f *typ, args []*typ, names map[string]*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	last := lastPart(f.name)
	if f.self != nil {
		return e.methodResult(f.self, last, args)
	}
	switch f.path {
	case builtinsModule:
		return e.builtinResult(f.name, args)
	case "typing", "typing_extensions":
		switch last {
		case "cast":
			return instance(arg(0))
		case "TypeVar", "ParamSpec", "TypeVarTuple":
			return &typ{form: formVar, args: []*typ{instance(names["bound"])}}
		case "NewType":
			if t := instance(arg(1)); t != nil {
				return typeOfType(t)
			}
		}
	case "copy":
		return arg(0)
	case "functools":
		switch last {
		case "partial":
			return &typ{form: formCall, args: []*typ{e.result(arg(0), nil, nil)}}
		case "wraps", "update_wrapper":
			return f
		}
	case "dataclasses":
		return e.dataclassResult(last, args, names)
	case "contextlib":
		switch last {
		case "closing", "nullcontext", "aclosing":
			return outInst("contextlib", "AbstractContextManager", arg(0))
		}
	case "weakref":
		switch last {
		case "proxy":
			return arg(0)
		case "ref":
			return &typ{form: formCall, args: []*typ{arg(0)}}
		}
	case "itertools":
		if last == "chain" {
			return outInst("typing", "Iterator", e.elementsOf(args))
		}
	case "asyncio":
		if last == "run" || last == "wait_for" {
			return e.await(arg(0))
		}
	}
	if first := strings.TrimLeft(last, "_"); first != "" && first[0] >= 'A' && first[0] <= 'Z' || isStd(f.path) && isStdClass(last) {
		inst := outInst(f.path, last)
		if yieldsFirst(last) && len(args) > 0 && !isMapping(last) {
			inst.args = []*typ{e.element(arg(0), "__iter__", "__next__")}
		}
		return inst
	}
	return &typ{form: formOpaque, path: f.path}
}

// isStdClass reports whether a name that begins with a small letter is a class.
func isStdClass(name string) bool {
	switch name {
	case "deque", "defaultdict", "datetime", "date", "time", "timedelta", "timezone", "count", "cycle", "array", "local", "object":
		return true
	}
	return false
}

func (e *eval) dataclassResult(name string, args []*typ, names map[string]*typ) *typ {
	switch name {
	case "field":
		if f := names["default_factory"]; f != nil {
			return e.result(f, nil, nil)
		}
		return names["default"]
	case "replace":
		if len(args) > 0 {
			return args[0]
		}
	}
	return &typ{form: formOpaque, path: "dataclasses"}
}

// elementsOf returns what iterating over one of several values yields.
func (e *eval) elementsOf(args []*typ) *typ {
	var out []*typ
	for _, a := range args {
		out = append(out, e.element(a, "__iter__", "__next__"))
	}
	return unionOf(out)
}

// builtinResult returns what a builtin returns.
func (e *eval) builtinResult(name string, args []*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	element := func(i int) *typ { return e.element(arg(i), "__iter__", "__next__") }
	switch name {
	case "list", "set", "frozenset", "sorted":
		if name == "sorted" {
			name = "list"
		}
		return builtin(name, element(0))
	case "tuple":
		if t := arg(0); t != nil && t.form == formTuple {
			return t
		}
		return builtin("tuple", element(0))
	case "dict":
		if t := arg(0); t != nil && t.form == formOutInst && isMapping(t.name) {
			return builtin("dict", t.args...)
		}
		return builtin("dict", nil, nil)
	case "iter", "reversed":
		return outInst("typing", "Iterator", element(0))
	case "next":
		return e.next(arg(0))
	case "min", "max":
		if len(args) == 1 {
			return element(0)
		}
		return unionOf(args)
	case "enumerate":
		return outInst("typing", "Iterator", &typ{form: formTuple, args: []*typ{builtin("int"), element(0)}})
	case "zip":
		t := &typ{form: formTuple}
		for i := range args {
			t.args = append(t.args, element(i))
		}
		return outInst("typing", "Iterator", t)
	case "map":
		return outInst("typing", "Iterator", e.result(arg(0), nil, nil))
	case "filter":
		return outInst("typing", "Iterator", element(1))
	case "type":
		if len(args) == 1 {
			return classOf(arg(0))
		}
		return nil
	case "len", "abs", "hash", "id", "ord", "round":
		return builtin("int")
	case "repr", "chr", "hex", "oct", "bin", "ascii", "format", "input", "raw_input", "unichr":
		return builtin("str")
	case "isinstance", "issubclass", "callable", "hasattr", "any", "all":
		return builtin("bool")
	case "print", "setattr", "delattr":
		return noneType()
	case "open":
		return outInst("io", "TextIOWrapper", builtin("str"))
	case "xrange":
		return builtin("range")
	case "unicode", "basestring":
		return builtin("str")
	}
	if isBuiltinClass(name) || name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return builtin(name)
	}
	return nil
}

// methodResult returns what a method of an instance of an outside class returns.
func (e *eval) methodResult(self *typ, name string, args []*typ) *typ {
	if self.form == formTuple {
		return builtin("int")
	}
	if self.path == builtinsModule && (self.name == "str" || self.name == "bytes") {
		return textResult(self.name, name)
	}
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	if isMapping(self.name) {
		switch name {
		case "items":
			return outInst("typing", "Iterable", &typ{form: formTuple, args: []*typ{self.arg(0), self.arg(1)}})
		case "values":
			return outInst("typing", "Iterable", self.arg(1))
		case "keys":
			return outInst("typing", "Iterable", self.arg(0))
		case "get", "pop", "setdefault":
			if len(args) > 1 && self.arg(1) != nil {
				return unionOf([]*typ{self.arg(1), arg(1)})
			}
			return self.arg(1)
		case "copy":
			return self
		case "popitem":
			return &typ{form: formTuple, args: []*typ{self.arg(0), self.arg(1)}}
		case "update", "clear":
			return noneType()
		}
	}
	if yieldsFirst(self.name) {
		switch name {
		case "pop", "popleft", "__next__", "__getitem__", "get", "get_nowait":
			return self.arg(0)
		case "copy", "union", "difference", "intersection", "__iter__":
			return self
		case "append", "extend", "insert", "remove", "clear", "sort", "reverse", "add", "discard", "update", "appendleft":
			return noneType()
		case "index", "count":
			return builtin("int")
		}
		return nil
	}
	return &typ{form: formOpaque, path: self.path}
}

func textResult(text, name string) *typ {
	switch name {
	case "split", "rsplit", "splitlines":
		return builtin("list", builtin(text))
	case "partition", "rpartition":
		return &typ{form: formTuple, args: []*typ{builtin(text), builtin(text), builtin(text)}}
	case "encode":
		return builtin("bytes")
	case "decode":
		return builtin("str")
	case "find", "index", "count", "rfind", "rindex":
		return builtin("int")
	case "format", "join", "strip", "lower", "upper", "replace", "lstrip", "rstrip", "title", "capitalize", "ljust", "rjust", "zfill", "center",
		"translate", "format_map", "removeprefix", "removesuffix", "expandtabs", "casefold", "swapcase":
		return builtin(text)
	}
	if strings.HasPrefix(name, "is") || strings.HasSuffix(name, "swith") {
		return builtin("bool")
	}
	return nil
}
