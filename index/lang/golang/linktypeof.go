package golang

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// typeOf returns the type of a definition: of a type, the type itself; nil if
// it is not known. The definition's package must be loaded.
func (l *linker) typeOf(t index.Target, c *cycle) *typ {
	memo := &l.files[t.File].types[t.Def]
	if known := memo.Load(); known != nil {
		return known.real()
	}
	found, clean := c.guard(t, func() *typ { return l.findType(t, c) })
	if clean {
		memo.Store(l.types.noted(found))
	}
	return found
}

func (l *linker) findType(t index.Target, c *cycle) *typ {
	f := &l.files[t.File]
	d := &f.facts.Defs[t.Def]
	e := l.in(t.File, c)
	switch {
	case isType(d.Kind) && d.Flags&index.DefAlias == 0:
		if o := f.pkg.find(f.facts.Names[d.Name]); o != nil && slices.Contains(o.targets, t) {
			return l.types.intern(shape{form: formNamed, object: o})
		}
		return l.types.intern(shape{form: formLocal, def: t})
	case d.Type >= 0:
		return e.asType(d.Type)
	case d.Value >= 0:
		return e.value(d.Value)
	}
	return nil
}

// under returns the underlying type as seen from this file, nil if it is not
// known. It is never named; of a type parameter it is the core type of its
// constraint, if that has one.
func (e *eval) under(t *typ) *typ {
	for range 100 { // a chain of named types longer than that is a cycle
		if t == nil {
			return nil
		}
		switch t.form {
		case formNamed, formLocal:
			t = e.l.underlying(t, e.file, e.cycle)
		case formParam:
			core := e.core(t)
			if core == nil {
				return t
			}
			t = core
		default:
			return t
		}
	}
	return nil
}

// underlying returns the right side of a named type's declaration.
func (l *linker) underlying(t *typ, from int32, c *cycle) *typ {
	if u := t.under.Load(); u != nil {
		return u.real()
	}
	decl := t.def
	single := true
	if t.form == formNamed {
		if p := l.pick(t.object.targets, from); len(p.targets) > 0 {
			decl = p.targets[0]
		} else { // a type that only tests declare, reached through their values
			decl = t.object.targets[0]
		}
		single = len(t.object.targets) == 1
	}
	// A type and its right side are two questions; ^ tells them apart.
	u, clean := c.guard(index.Target{File: decl.File, Def: ^decl.Def}, func() *typ { return l.declared(t, decl, c) })
	if single && clean {
		t.under.Store(l.types.noted(u))
	}
	return u
}

// declared returns the right side of decl with the type arguments of t.
func (l *linker) declared(t *typ, decl index.Target, c *cycle) *typ {
	d := &l.files[decl.File].facts.Defs[decl.Def]
	u := l.in(decl.File, c).asType(d.Type)
	return l.replace(u, l.typeParams(decl), t.list)
}

// literalType evaluates the expressions that only a type can be.
func (e *eval) literalType(x *index.Expr) *typ {
	in := &e.l.types
	switch x.Op {
	case opArray:
		return in.wrap(formArray, e.asType(x.A))
	case opSliceType:
		return in.sliceOf(e.asType(x.A))
	case opChan:
		return in.wrap(formChan, e.asType(x.A))
	case opMap:
		return in.intern(shape{form: formMap, key: e.asType(x.A), elem: e.asType(x.B)})
	case opFuncType:
		return in.intern(shape{form: formFunc, n: min(max(x.A, 0), int32(len(e.list(x)))), variadic: x.B == 1, list: e.types(e.list(x))})
	case opStruct:
		return in.intern(shape{form: formStruct, def: index.Target{File: e.file, Def: x.A}, n: x.B, expr: x.Name, list: e.types(e.list(x))})
	case opInterface:
		return in.intern(shape{form: formInterface, def: index.Target{File: e.file, Def: x.A}, n: x.B, expr: x.Name, list: e.types(e.list(x))})
	case opUnion:
		return in.intern(shape{form: formUnion, list: e.types(e.list(x))})
	case opTypeParam:
		return in.intern(shape{form: formParam, def: index.Target{File: e.file}, expr: x.A})
	}
	return nil
}

func (e *eval) types(list []int32) []*typ {
	ts := make([]*typ, len(list))
	for i, x := range list {
		ts[i] = e.asType(x)
	}
	return ts
}

// element returns the element type of a slice, array, map, channel or string;
// only limits it to one form unless it is 0.
func (e *eval) element(t *typ, only form) *typ {
	u := e.under(t)
	if u != nil && u.form == formPointer && only == 0 {
		u = e.under(u.elem)
	}
	switch {
	case u == nil:
		return nil
	case u.form == formOutside || u.form == formOpaque:
		return e.opaqueFrom(u)
	case only != 0 && u.form != only:
		return nil
	case u.form == formBasic && u.name == "string":
		return e.l.types.basic("uint8")
	case u.form == formSlice || u.form == formArray || u.form == formMap || u.form == formChan:
		return u.elem
	}
	return nil
}

func (e *eval) sliced(t *typ) *typ {
	u := e.under(t)
	if u != nil && u.form == formPointer {
		u = e.under(u.elem)
	}
	if u != nil && u.form == formArray {
		return e.l.types.sliceOf(u.elem)
	}
	return t
}

// ranged returns the type of the first or second variable of a range clause.
func (e *eval) ranged(t *typ, second bool) *typ {
	in := &e.l.types
	u := e.under(t)
	if u != nil && u.form == formPointer {
		u = e.under(u.elem)
	}
	if u == nil {
		return nil
	}
	switch u.form {
	case formOutside, formOpaque:
		return e.opaqueFrom(u)
	case formMap:
		if !second {
			return u.key
		}
		return u.elem
	case formChan:
		return u.elem
	case formSlice, formArray:
		if !second {
			return in.basic("int")
		}
		return u.elem
	case formBasic:
		if u.name != "string" {
			return t
		}
		if second {
			return in.basic("int32")
		}
		return in.basic("int")
	case formFunc:
		return e.yielded(u, second)
	}
	return nil
}

// yielded returns a parameter of the yield function of an iterator.
func (e *eval) yielded(iter *typ, second bool) *typ {
	if iter.n != 1 {
		return nil
	}
	yield := e.under(iter.list[0])
	at := int32(0)
	if second {
		at = 1
	}
	if yield == nil || yield.form != formFunc || at >= yield.n {
		return nil
	}
	return yield.list[at]
}
