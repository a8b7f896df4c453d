package ecmascript

import (
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

func (e *eval) inPick(t *typ, name string, this *typ, depth int) found {
	if e.hasKey(t.list[1], name) != (t.name == "pick") && t.list[1] != nil {
		return found{what: findNone}
	}
	return e.selectIn(t.list[0], name, this, depth+1)
}

func (e *eval) inRecord(t *typ, name string) found {
	if isObjectMember(name) {
		return outsideFound(moduleES)
	}
	return found{what: findKeyed, parts: []part{{fixed: t.list[1], expr: -1}}}
}

// inMapped finds a member of { [K in keyof T]: … } as that of T, with the type
// that the mapping gives it.
func (e *eval) inMapped(t *typ, name string, depth int) found {
	f := e.at(t.sc.file)
	x := &f.Exprs[t.expr]
	if x.L1 <= x.L0 {
		return found{what: findUnknown}
	}
	key := &f.Exprs[f.Lists[x.L0]]
	s := t.sc
	s.env = &env{t.sc.file, key.A, &typ{form: formText, name: name}, t.sc.env}
	p := part{sc: s, expr: x.B}
	if x.A >= 0 && f.Exprs[x.A].Op == opKeyof {
		of := e.typ(t.sc, f.Exprs[x.A].A)
		got := e.selectIn(of, name, of, depth+1)
		if got.what != findHere {
			return got
		}
		parts := slices.Clone(got.parts)
		for i := range parts {
			parts[i] = part{targets: parts[i].targets, sc: s, expr: x.B}
		}
		return here(viaObject, parts...)
	}
	keys := e.typ(t.sc, x.A)
	if keys == nil {
		return found{what: findUnknown}
	}
	if of := e.keysSource(t.sc, f, x.A); of != nil {
		if got := e.selectIn(of, name, of, depth+1); got.what == findHere && e.hasKey(keys, name) {
			parts := slices.Clone(got.parts)
			for i := range parts {
				parts[i] = part{targets: parts[i].targets, sc: s, expr: x.B}
			}
			return here(viaObject, parts...)
		}
	}
	if !e.hasKey(keys, name) && keys.form != formParam && keys.form != formAny {
		return found{what: findNone}
	}
	return found{what: findKeyed, parts: []part{p}}
}

// keysSource is the type whose keys a mapped type runs over, where these are
// Exclude<keyof T, …>, Extract<keyof T, …> or a parameter that is so bound.
func (e *eval) keysSource(s scope, f *index.Facts, x int32) *typ {
	if x < 0 {
		return nil
	}
	switch k := &f.Exprs[x]; k.Op {
	case opKeyof:
		return e.typ(s, k.A)
	case opInst:
		if k.L1 > k.L0 {
			return e.keysSource(s, f, f.Lists[k.L0])
		}
	case opBoth:
		for _, v := range e.list(f, k) {
			if t := e.keysSource(s, f, v); t != nil {
				return t
			}
		}
	case opTypeParam:
		return e.keysSource(s, f, k.B)
	}
	return nil
}

// choice evaluates a conditional type; over a union each member by itself.
func (e *eval) choice(s scope, f *index.Facts, x *index.Expr) *typ {
	list := e.list(f, x)
	if len(list) < 4 {
		return nil
	}
	check := e.typ(s, list[0])
	if check != nil && check.form == formUnion && list[0] >= 0 && f.Exprs[list[0]].Op == opTypeParam {
		var all []*typ
		for _, m := range check.list {
			inner := s
			inner.env = &env{s.file, f.Exprs[list[0]].A, m, s.env}
			all = append(all, e.chosen(inner, f, list, m))
		}
		return unionOf(all...)
	}
	return e.chosen(s, f, list, check)
}

func (e *eval) chosen(s scope, f *index.Facts, list []int32, check *typ) *typ {
	if check == nil || check.form == formParam {
		return nil
	}
	if check.form == formEmpty {
		return check
	}
	want := e.typ(s, list[1])
	b := inference{e: e, file: s.file}
	e.inferred(f, list[1], &b, 0)
	if len(b.numbers) > 0 {
		b.unify(want, check, 0)
	}
	inner := s
	for i, n := range b.numbers {
		if b.found[i] != nil {
			inner.env = &env{s.file, n, b.found[i], inner.env}
		}
	}
	switch e.fits(check, want, 0) {
	case yes:
		return e.typ(inner, list[2])
	case no:
		return e.typ(s, list[3])
	}
	if len(b.numbers) > 0 && slices.ContainsFunc(b.found, func(t *typ) bool { return t != nil }) {
		return e.typ(inner, list[2])
	}
	return unionOf(e.typ(inner, list[2]), e.typ(s, list[3]))
}

// inferred collects what a type infers.
func (e *eval) inferred(f *index.Facts, x int32, b *inference, depth int) {
	if x < 0 || depth > 20 {
		return
	}
	v := &f.Exprs[x]
	if v.Op == opInfer {
		if v.A >= 0 && f.Exprs[v.A].Op == opTypeParam && !slices.Contains(b.numbers, f.Exprs[v.A].A) {
			b.numbers, b.found = append(b.numbers, f.Exprs[v.A].A), append(b.found, nil)
		}
		return
	}
	x1, x2, _ := operandsOf(v.Op)
	if v.Op == opTypeParam {
		return
	}
	if x1 == extract.ToExpr {
		e.inferred(f, v.A, b, depth+1)
	}
	if x2 == extract.ToExpr {
		e.inferred(f, v.B, b, depth+1)
	}
	for _, l := range e.list(f, v) {
		e.inferred(f, l, b, depth+1)
	}
}
