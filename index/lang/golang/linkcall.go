package golang

import (
	"github.com/plumbkit/plumb/index"
)

// call evaluates a call or conversion.
func (e *eval) call(x *index.Expr) operand {
	fn := e.expr(x.A)
	switch fn.mode {
	case modeType:
		return valueOf(fn.t)
	case modeBuiltin:
		return e.builtin(fn.name, e.list(x))
	case modeOutside:
		if fn.path == unsafePackage {
			return valueOf(e.unsafeCall(fn.name, e.list(x)))
		}
		return valueOf(e.l.types.opaque(fn.path, e.argumentParts(listOf(fn.t), e.list(x))))
	case modeValue:
		return e.callValue(fn, e.list(x))
	}
	return operand{}
}

// argumentParts collects the types that an outside call may make its result of.
func (e *eval) argumentParts(typeArgs []*typ, args []int32) []*typ {
	var from []*typ
	for _, t := range typeArgs {
		from = parts(from, t)
	}
	for _, a := range args {
		if len(from) >= maxParts {
			break
		}
		if o := e.expr(a); o.mode == modeValue || o.mode == modeType {
			from = parts(from, o.t)
		}
	}
	return from
}

func (e *eval) callValue(fn operand, args []int32) operand {
	u := e.under(fn.t)
	if u == nil {
		return operand{}
	}
	switch u.form {
	case formOutside, formOpaque:
		return valueOf(e.l.types.opaque(u.path, e.argumentParts(e.opaqueFrom(u).list, args)))
	case formFunc:
	default:
		return operand{}
	}
	if fn.generic {
		params := e.l.typeParams(fn.decl)
		u = e.l.replace(u, params, e.infer(u, params, e.argumentTypes(args)))
		if u == nil {
			return operand{}
		}
	}
	if len(u.results()) == 0 {
		return operand{mode: modeNoResult}
	}
	return valueOf(e.l.types.tuple(u.results()))
}

// argumentTypes returns the types of arguments; a single call with several
// results stands for all of them.
func (e *eval) argumentTypes(args []int32) []*typ {
	ts := make([]*typ, len(args))
	for i, a := range args {
		if o := e.expr(a); o.mode == modeValue && o.t.form == formTuple && len(args) == 1 {
			return o.t.list
		}
		ts[i] = e.value(a)
	}
	return ts
}

// builtin evaluates a call of a predeclared function.
func (e *eval) builtin(name string, args []int32) operand {
	first := func() *typ {
		if len(args) == 0 {
			return nil
		}
		return e.value(args[0])
	}
	switch name {
	case "new":
		return valueOf(e.l.types.pointerTo(first()))
	case "make", "complex":
		return valueOf(first())
	case "append":
		return valueOf(first())
	case "min", "max":
		for _, a := range args {
			if !e.untyped(a, 0) {
				return valueOf(e.value(a))
			}
		}
		return valueOf(first())
	case "len", "cap", "copy":
		return valueOf(e.l.types.basic("int"))
	case "real", "imag":
		return valueOf(e.l.types.basic("float64"))
	case "recover":
		return valueOf(e.l.types.basic("any"))
	}
	return operand{mode: modeNoResult}
}

// unsafeCall evaluates a call of what the language defines in package unsafe.
func (e *eval) unsafeCall(name string, args []int32) *typ {
	var first *typ
	if len(args) > 0 {
		first = e.under(e.value(args[0]))
	}
	in := &e.l.types
	switch name {
	case "Slice":
		if first != nil && first.form == formPointer {
			return in.sliceOf(first.elem)
		}
		return nil
	case "SliceData":
		if first != nil && first.form == formSlice {
			return in.pointerTo(first.elem)
		}
		return nil
	case "StringData":
		return in.pointerTo(in.basic("uint8"))
	case "String":
		return in.basic("string")
	case "Sizeof", "Alignof", "Offsetof":
		return in.basic("uintptr")
	}
	return in.outside(unsafePackage, "Pointer", nil)
}

// result evaluates one value of an expression with several.
func (e *eval) result(x *index.Expr) operand {
	if e.at(x.A).Op != opCall {
		if x.B == 1 {
			return valueOf(e.l.types.basic("bool"))
		}
		return e.expr(x.A)
	}
	o := e.expr(x.A)
	switch {
	case o.mode != modeValue:
		return operand{}
	case o.t.form == formTuple:
		if x.B < 0 || int(x.B) >= len(o.t.list) {
			return operand{}
		}
		return valueOf(o.t.list[x.B])
	case o.t.form == formOpaque || x.B == 0:
		return o
	}
	return operand{}
}

// index evaluates an index expression or instantiation.
func (e *eval) index(x *index.Expr) operand {
	o := e.expr(x.A)
	list := e.list(x)
	switch {
	case o.mode == modeOutside:
		o.t = e.l.types.tupleOf(e.typeArgs(list))
		return o
	case o.mode == modeType, o.mode == modeValue && o.generic:
		if !o.generic {
			return o
		}
		return e.instantiate(o, e.types(list))
	case o.mode == modeValue:
		return valueOf(e.element(o.t, 0))
	}
	return operand{}
}

// typeArgs returns the indices that are types.
func (e *eval) typeArgs(list []int32) []*typ {
	var args []*typ
	for _, i := range list {
		if o := e.expr(i); o.mode == modeType || o.mode == modeOutside {
			args = append(args, e.l.typeFor(o))
		}
	}
	return args
}

// selected evaluates a selector.
func (e *eval) selected(x *index.Expr) operand {
	base := e.expr(x.A)
	name := e.nameOf(x.Name)
	switch base.mode {
	case modePackage:
		return e.packageMember(base.pkg, name)
	case modeOutside:
		return e.memberOperand(e.member(e.l.typeFor(base), name))
	case modeType, modeValue:
		if x.B >= 0 && !e.hasFields(base.t) {
			return e.expr(x.B)
		}
		m := e.member(base.t, name)
		if base.mode == modeType && m.t != nil && m.t.form == formFunc && m.rule != ruleField {
			m.t = e.methodExpression(base.t, m.t)
		}
		return e.memberOperand(m)
	}
	return operand{}
}

// hasFields reports whether a composite literal of type t has field names as keys.
func (e *eval) hasFields(t *typ) bool {
	u := e.under(t.deref())
	return u != nil && (u.form == formStruct || u.form == formOutside || u.form == formOpaque)
}

func (e *eval) packageMember(im *imported, name string) operand {
	if len(im.pkgs) == 0 {
		return operand{mode: modeOutside, path: im.outside, name: name}
	}
	if len(im.pkgs) > 1 || im.guessed {
		return operand{}
	}
	if o := e.find(im.pkgs[0], name); o != nil {
		return e.objectOperand(o)
	}
	return operand{}
}

func (e *eval) memberOperand(m selection) operand {
	switch m.verdict {
	case selFound, selShadowed, selOutside, selPerhaps, selKin:
		return valueOf(m.t)
	}
	return operand{}
}

func (e *eval) methodExpression(recv, fn *typ) *typ {
	list := append([]*typ{recv}, fn.list...)
	return e.l.types.intern(shape{form: formFunc, n: fn.n + 1, variadic: fn.variadic, list: list})
}
