package python

import "github.com/plumbkit/plumb/index"

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
	if callee == nil || !e.cycle.deeper() {
		return nil
	}
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
	if int(i) < len(e.facts.Exprs) && e.facts.Exprs[i].Op == opAsync { // damaged facts may lead out
		return outInst("typing", "Coroutine", nil, nil, e.asType(e.facts.Exprs[i].A))
	}
	return e.asType(i)
}

// inferred returns what the return statements of a function without declared
// result yield: for a receiver of another class, evaluated for that.
func (e *eval) inferred(t index.Target, recv *typ, d *index.Def) *typ {
	if d.Value < 0 {
		return nil
	}
	other := recv != nil && (recv.form != formInst || recv.t != (index.Target{File: t.File, Def: d.Parent}) || len(recv.args) > 0)
	key := index.Target{File: t.File, Def: -1_000_000 - t.Def}
	found, _ := e.cycle.guard(key, func() *typ {
		in := e.l.in(t.File, e.cycle)
		if other {
			in.self = recv
		}
		return in.expr(d.Value)
	})
	if found != nil && found.form == formPending {
		return nil
	}
	return found
}
