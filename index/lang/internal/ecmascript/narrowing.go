package ecmascript

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// guarded is the type of a value where a condition holds; see fact.
func (e *eval) guarded(s scope, f *index.Facts, x *index.Expr) *typ {
	t := e.value(s, x.A)
	if x.B < 0 || f.Exprs[x.B].Op != opNarrow {
		return t
	}
	n := &f.Exprs[x.B]
	what, negative := strings.CutPrefix(f.Names[n.Name], "!")
	bare := x.A
	for f.Exprs[bare].Op == opGuarded && f.Exprs[bare].A >= 0 {
		bare = f.Exprs[bare].A
	}
	switch what {
	case "is", "asserts":
		if p := e.said(s, f, n.A, bare, what == "asserts"); p != nil {
			return e.narrowTo(t, p, !negative)
		}
	case "instance":
		if i := e.instanceOf(e.value(s, n.B), nil); i != nil {
			return e.narrowTo(t, i, !negative)
		}
	case "in", "typeof":
		if n.B >= 0 && f.Exprs[n.B].Op == opText {
			return e.narrowBy(t, what, f.Names[f.Exprs[n.B].Name], !negative)
		}
	case "array":
		return e.narrowWhere(t, func(m *typ) answer {
			switch {
			case isSequence(m):
				return yes
			case m.form == formAny || m.form == formParam || m.form == formOutside:
				return perhaps
			}
			return no
		}, !negative)
	case "equal", "truthy":
		if n.A >= 0 && f.Exprs[n.A].Op == opMember {
			name, want := f.Names[f.Exprs[n.A].Name], &typ{form: formText, name: "true"}
			if what == "equal" {
				want = e.value(s, n.B)
			}
			return e.narrowWhere(t, func(m *typ) answer { return e.memberIs(m, name, want) }, !negative)
		}
	}
	return t
}

// said is the type that the predicate called by x gives to a bare argument.
func (e *eval) said(s scope, f *index.Facts, x, bare int32, asserts bool) *typ {
	if x < 0 || f.Exprs[x].Op != opCall {
		return nil
	}
	call := &f.Exprs[x]
	callee := e.value(s, call.A)
	for _, sig := range e.signatures(callee, false) {
		p := e.predicateOf(&sig)
		if p == nil || (p.Name >= 0) != asserts {
			continue
		}
		list := e.list(f, call)
		if p.A < 0 || int(p.A) >= len(list) || list[p.A] != bare || p.B < 0 {
			continue
		}
		c := called{s: s, args: list, fn: callee}
		return e.typ(e.bindCall(&sig, &c, -1), p.B)
	}
	return nil
}

func (e *eval) predicateOf(sig *signature) *index.Expr {
	f := e.at(sig.sc.file)
	x := &f.Exprs[sig.fn]
	if x.B&fnDeclared == 0 || x.L0+uint32(x.A) >= x.L1 {
		return nil
	}
	if r := f.Lists[x.L0+uint32(x.A)]; r >= 0 && f.Exprs[r].Op == opPredicate {
		return &f.Exprs[r]
	}
	return nil
}

// predicate is the type that a signature's predicate gives to its first parameter.
func (e *eval) predicate(sig *signature, s scope) *typ {
	if p := e.predicateOf(sig); p != nil && p.A == 0 && p.B >= 0 && p.Name < 0 {
		return e.typ(s, p.B)
	}
	return nil
}

// narrowTo keeps the members of a union that fit a type, or those that do not.
// What is not known to be any of it is the type itself.
func (e *eval) narrowTo(t, to *typ, positive bool) *typ {
	if !positive {
		return e.narrowWhere(t, func(m *typ) answer { return e.fits(m, to, 0) }, false)
	}
	if t == nil || t.form == formAny {
		return to
	}
	var all []*typ
	for _, m := range t.members() {
		switch {
		case m == nil:
			continue
		case e.fits(m, to, 0) == yes:
			all = append(all, m)
		default:
			for _, w := range to.members() {
				if e.fits(w, m, 0) == yes {
					all = append(all, w)
				}
			}
		}
	}
	if len(all) == 0 {
		return to
	}
	return unionOf(all...)
}

// narrowWhere keeps the members of a union for which holds is, or is not, no.
func (e *eval) narrowWhere(t *typ, holds func(*typ) answer, positive bool) *typ {
	if t == nil || t.form != formUnion {
		return t
	}
	against := no
	if !positive {
		against = yes
	}
	var all []*typ
	for _, m := range t.list {
		if m == nil || holds(m) != against {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return t
	}
	return unionOf(all...)
}

func (e *eval) narrowBy(t *typ, what, text string, positive bool) *typ {
	return e.narrowWhere(t, func(m *typ) answer {
		if what == "in" {
			switch e.selectMember(m, text, m).what {
			case findHere:
				return yes
			case findNone:
				return no
			}
			return perhaps
		}
		return e.isA(m, text)
	}, positive)
}

// isA reports whether typeof gives a word for values of a type.
func (e *eval) isA(t *typ, word string) answer {
	is := func(b bool) answer {
		if b {
			return yes
		}
		return no
	}
	switch t.form {
	case formBasic:
		return is(t.name == word)
	case formText:
		if t.name == "" {
			return is(word == "string" || word == "number")
		}
		if t.name == "true" || t.name == "false" {
			return is(word == "boolean")
		}
		return is(word == "string")
	case formFunc, formMaker, formCallback:
		return is(word == "function")
	case formObject, formNamed, formTuple, formLib, formRecord, formMapped, formPick:
		if word == "function" && t.form == formNamed {
			return is(len(e.signatures(t, false)) > 0)
		}
		return is(word == "object")
	}
	return perhaps
}

// memberIs reports whether a member of a type can equal a literal: yes when it
// is nothing else.
func (e *eval) memberIs(t *typ, name string, want *typ) answer {
	f := e.selectMember(t, name, t)
	switch f.what {
	case findNone:
		if want != nil && want.form == formEmpty {
			return yes
		}
		return no
	case findHere, findKeyed:
	default:
		return perhaps
	}
	is := e.memberType(f)
	if is == nil || want == nil || want.form != formText {
		return perhaps
	}
	some, every := false, true
	for _, m := range is.members() {
		switch {
		case m == nil || m.form == formAny || m.form == formBasic:
			return perhaps
		case m.form == formNamed && m.ent.is(index.KindEnum):
			return perhaps
		case same(m, want, 0):
			some = true
		default:
			every = false
		}
	}
	switch {
	case !some:
		return no
	case every:
		return yes
	}
	return perhaps
}
