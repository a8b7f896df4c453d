package python

import (
	"github.com/plumbkit/plumb/index"
)

// index evaluates a[…]: of a type its parametrization, of a value an element.
func (e *eval) index(x *index.Expr) *typ {
	base := e.expr(x.A)
	if base == nil || base.form == formPending {
		return base
	}
	switch base.form {
	case formClass:
		return &typ{form: formClass, t: base.t, args: e.asTypes(e.operands(x))}
	case formOutside:
		return e.parametrized(base, x)
	case formInst:
		return e.result(e.member(base, "__getitem__").t, e.exprs(e.list(x)), nil)
	case formUnion:
		var out []*typ
		for _, p := range base.parts() {
			out = append(out, e.indexOf(p, x))
		}
		return unionOf(out)
	}
	return e.indexOf(base, x)
}

func (e *eval) indexOf(base *typ, x *index.Expr) *typ {
	switch base.form {
	case formInst:
		return e.result(e.member(base, "__getitem__").t, e.exprs(e.list(x)), nil)
	case formTuple:
		return unionOf(base.args)
	case formOutInst:
		switch {
		case base.name == "str" || base.name == "bytes":
			return base
		case isMapping(base.name):
			return base.arg(1)
		case base.name == "tuple", yieldsFirst(base.name) && base.name != "type":
			return base.arg(0)
		}
		return &typ{form: formOpaque, path: base.path}
	case formType: // an alias with type variables of its own
		return base
	case formOpaque:
		return base
	}
	return nil
}

// operands returns the operands of an index, those of a single tuple apart.
func (e *eval) operands(x *index.Expr) []int32 {
	list := e.list(x)
	if len(list) == 1 && list[0] >= 0 && e.facts.Exprs[list[0]].Op == opTuple {
		return e.list(&e.facts.Exprs[list[0]])
	}
	return list
}

func (e *eval) asTypes(list []int32) []*typ {
	out := make([]*typ, len(list))
	for i, v := range list {
		out[i] = e.asType(v)
	}
	return out
}

// parametrized evaluates the index of an outside name: the forms of module
// typing, and containers.
func (e *eval) parametrized(base *typ, x *index.Expr) *typ {
	list := e.operands(x)
	name := lastPart(base.name)
	if !isTypingModule(base.path) {
		return typeOfType(outInst(base.path, name, e.asTypes(list)...))
	}
	first := func() *typ {
		if len(list) == 0 {
			return nil
		}
		return e.asType(list[0])
	}
	switch name = containerOf(name); name {
	case "Optional":
		return typeOfType(unionOf([]*typ{first(), noneType()}))
	case "Union":
		return typeOfType(unionOf(e.asTypes(list)))
	case "ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "Unpack", "TypeGuard", "InitVar":
		return typeOfType(first())
	case "Literal":
		if len(list) > 0 {
			return typeOfType(e.value(list[0]))
		}
		return nil
	case "type":
		return typeOfType(classOf(first()))
	case "Callable":
		if len(list) == 2 {
			return typeOfType(&typ{form: formCall, args: []*typ{e.asType(list[1])}})
		}
		return nil
	case "tuple":
		types := e.asTypes(list)
		if len(types) == 2 && list[1] >= 0 && e.facts.Exprs[list[1]].Op == opConst && e.name(e.facts.Exprs[list[1]].Name) == "ellipsis" {
			return typeOfType(builtin("tuple", types[0]))
		}
		return typeOfType(&typ{form: formTuple, args: types})
	}
	return typeOfType(outInst(base.path, name, e.asTypes(list)...))
}

// slice returns a part of a sequence.
func (e *eval) slice(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formOutInst:
		return t
	case formTuple:
		return builtin("tuple", unionOf(t.args))
	case formInst:
		return e.result(e.member(t, "__getitem__").t, nil, nil)
	case formPending:
		return t
	}
	return nil
}

// item returns the i-th value of an unpacked one, -1 for the list of the rest.
func (e *eval) item(t *typ, i int32) *typ {
	if t == nil || t.form == formPending {
		return t
	}
	if t.form == formUnion {
		var out []*typ
		for _, p := range t.parts() {
			out = append(out, e.item(p, i))
		}
		return unionOf(out)
	}
	if t.form == formTuple {
		if i < 0 {
			return builtin("list", unionOf(t.args))
		}
		return t.arg(int(i))
	}
	elem := e.element(t, "__iter__", "__next__")
	if i < 0 {
		return builtin("list", elem)
	}
	return elem
}

// element returns what iterating over a value yields.
func (e *eval) element(t *typ, iter, next string) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formPending:
		return t
	case formTuple:
		return unionOf(t.args)
	case formUnion:
		var out []*typ
		for _, p := range t.parts() {
			out = append(out, e.element(p, iter, next))
		}
		return unionOf(out)
	case formOutInst:
		switch {
		case t.name == "str" || t.name == "range" && t.path == builtinsModule:
			return t
		case t.name == "bytes":
			return builtin("int")
		case yieldsFirst(t.name), t.name == "tuple":
			return t.arg(0)
		}
		return &typ{form: formOpaque, path: t.path}
	case formClass:
		if e.isEnum(e.l.classOf(t.t, e.cycle)) {
			return instance(t)
		}
	case formInst:
		return e.iterated(t, iter, next)
	case formOpaque:
		return t
	}
	return nil
}

// iterated follows the iterator protocol of a class of the repository, or of
// the container that it derives from.
func (e *eval) iterated(t *typ, iter, next string) *typ {
	if s := e.member(t, iter); s.verdict == selFound && s.t != nil {
		it := e.result(s.t, nil, nil)
		if it == nil {
			return nil
		}
		if it.form == formInst {
			return e.result(e.member(it, next).t, nil, nil)
		}
		return e.element(it, iter, next)
	}
	cl := e.l.classOf(t.t, e.cycle)
	own := cl.binds(t.args)
	for _, a := range cl.mro {
		if a.c == nil && yieldsFirst(a.name) && len(a.args) > 0 {
			return own.replace(a.args[0])
		}
	}
	return nil
}

// next returns what next() yields.
func (e *eval) next(t *typ) *typ {
	if t != nil && t.form == formInst {
		return e.result(e.member(t, "__next__").t, nil, nil)
	}
	return e.element(t, "__iter__", "__next__")
}

// await returns the result of an awaitable.
func (e *eval) await(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formOutInst:
		switch t.name {
		case "Coroutine":
			return t.arg(2)
		case "Awaitable", "Future", "Task":
			return t.arg(0)
		}
		return &typ{form: formOpaque, path: t.path}
	case formInst:
		return e.element(e.result(e.member(t, "__await__").t, nil, nil), "__iter__", "__next__")
	case formUnion:
		var out []*typ
		for _, p := range t.parts() {
			out = append(out, e.await(p))
		}
		return unionOf(out)
	case formOpaque, formPending:
		return t
	}
	return nil
}

// enter returns what a with statement binds.
func (e *eval) enter(t *typ, method string) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formInst:
		return e.result(e.member(t, method).t, nil, nil)
	case formOutInst:
		switch t.name {
		case "AbstractContextManager", "ContextManager":
			return t.arg(0)
		case "AbstractAsyncContextManager", "AsyncContextManager":
			return outInst("typing", "Awaitable", t.arg(0))
		}
		if isStd(t.path) {
			return t
		}
		return &typ{form: formOpaque, path: t.path}
	case formUnion:
		var out []*typ
		for _, p := range t.parts() {
			out = append(out, e.enter(p, method))
		}
		return unionOf(out)
	case formOpaque, formPending:
		return t
	}
	return nil
}

// caught returns what an except clause binds.
func (e *eval) caught(t *typ) *typ {
	if t != nil && t.form == formTuple {
		var out []*typ
		for _, p := range t.args {
			out = append(out, instance(p))
		}
		return unionOf(out)
	}
	return instance(t)
}

// checked returns the types that the second argument of isinstance names.
func (e *eval) checked(class *typ) *typ {
	if class == nil {
		return nil
	}
	if class.form == formTuple {
		var out []*typ
		for _, p := range class.args {
			out = append(out, instance(p))
		}
		return unionOf(out)
	}
	return instance(class)
}

// narrow returns what a value is where isinstance(value, class) holds.
func (e *eval) narrow(t, class *typ) *typ {
	to := e.checked(class)
	if to == nil || to.form == formPending {
		return t
	}
	var out []*typ
	for _, p := range t.parts() {
		if p.form == formPending {
			continue
		}
		for _, q := range to.parts() {
			switch {
			case e.derives(p, q):
				out = append(out, p)
			case e.derives(q, p):
				out = append(out, q)
			}
		}
	}
	if len(out) == 0 {
		return to
	}
	return unionOf(out)
}

// exclude returns what a value is where isinstance(value, class) does not hold.
func (e *eval) exclude(t, class *typ) *typ {
	to := e.checked(class)
	if to == nil || t == nil || t.form != formUnion {
		return t
	}
	var out []*typ
	for _, p := range t.args {
		gone := false
		for _, q := range to.parts() {
			gone = gone || e.derives(p, q)
		}
		if !gone {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return t
	}
	return unionOf(out)
}
