package ecmascript

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// An inference finds the arguments of type parameters: numbers are theirs in
// the file.
type inference struct {
	e       *eval
	file    int32
	numbers []int32
	found   []*typ
}

func (b *inference) index(t *typ) int {
	if t.form != formParam || t.sc.file != b.file {
		return -1
	}
	return slices.Index(b.numbers, b.e.at(t.sc.file).Exprs[t.expr].A)
}

// maxUnify bounds how deep types are compared.
const maxUnify = 8

// unify takes from have what the type parameters in want stand for.
func (b *inference) unify(want, have *typ, depth int) {
	if want == nil || have == nil || depth > maxUnify || have.form == formEmpty {
		return
	}
	switch want.form {
	case formParam:
		if i := b.index(want); i >= 0 && b.found[i] == nil {
			b.found[i] = have
		} else if i >= 0 && !same(b.found[i], have, 0) && have.form == formText && b.found[i].form == formText {
			b.found[i] = unionOf(b.found[i], have)
		}
	case formUnion:
		b.unifyUnion(want, have, depth)
	case formBoth:
		for _, m := range want.list {
			b.unify(m, have, depth+1)
		}
	case formTuple:
		if have.form == formTuple {
			b.lists(want.list, have.list, depth)
		}
	case formLib:
		b.unifyLibrary(want, have, depth)
	case formNamed:
		if up := b.e.supertype(have, want.ent, 0); up != nil {
			b.lists(want.list, up.list, depth)
		} else if want.ent.is(index.KindInterface) && have.form != formNamed {
			b.unifyMembers(want, have, depth)
		}
	case formFunc:
		b.unifyFunctions(want, have, depth)
	case formObject:
		b.unifyMembers(want, have, depth)
	case formRecord:
		if have.form == formRecord {
			b.lists(want.list, have.list, depth)
		} else if v := b.e.valuesOf(have); v != nil {
			b.unify(want.list[1], v, depth+1)
		}
	case formMapped:
		b.unifyMapped(want, have, depth)
	case formMaker:
		for _, sig := range b.e.signatures(want, true) {
			b.unify(b.e.result(&sig, sig.sc), b.e.instanceOf(have, nil), depth+1)
		}
	}
}

// unifyMissing takes from what a result should be what the arguments did not tell.
func (b *inference) unifyMissing(result, want *typ) {
	if slices.Contains(b.found, nil) {
		b.unify(result, want, 0)
	}
}

// unifyUnion gives to each member of a union what fits it: first those that are
// more than a parameter, then the parameters what is left.
func (b *inference) unifyUnion(want, have *typ, depth int) {
	before := slices.Clone(b.found)
	for _, m := range want.list {
		if m != nil && m.form != formParam {
			b.unify(m, have, depth+1)
		}
	}
	if !slices.Equal(before, b.found) {
		return
	}
	for _, m := range want.list {
		if m != nil && m.form == formParam {
			b.unify(m, have, depth+1)
		}
	}
}

func (b *inference) lists(want, have []*typ, depth int) {
	for i := range min(len(want), len(have)) {
		b.unify(want[i], have[i], depth+1)
	}
}

func (b *inference) unifyLibrary(want, have *typ, depth int) {
	switch want.name {
	case "Array", "ReadonlyArray", "Iterable", "ArrayLike", "ConcatArray", "IterableIterator", "Set", "ReadonlySet":
		if len(want.list) > 0 {
			b.unify(want.list[0], b.e.element(have, 0), depth+1)
		}
	case "Promise", "PromiseLike":
		if len(want.list) > 0 && have.form == formLib && (have.name == "Promise" || have.name == "PromiseLike") {
			b.lists(want.list, have.list, depth)
		}
	default:
		if have.form == formLib && have.name == want.name {
			b.lists(want.list, have.list, depth)
		}
	}
}

func (b *inference) unifyFunctions(want, have *typ, depth int) {
	ws, hs := b.e.signatures(want, false), b.e.signatures(have, false)
	if len(ws) == 0 || len(hs) == 0 {
		return
	}
	w, h := &ws[0], &hs[0]
	f := b.e.at(h.sc.file)
	for i := range min(int(f.Exprs[h.fn].A), 6) {
		b.unify(b.e.parameter(w, i, w.sc), b.e.parameter(h, i, h.sc), depth+1)
	}
	b.unify(b.e.result(w, w.sc), b.e.result(h, h.sc), depth+1)
}

// unifyMembers compares the members of an object type or interface.
func (b *inference) unifyMembers(want, have *typ, depth int) {
	names := b.e.memberNames(want, 0)
	if len(names) > 24 {
		names = names[:24]
	}
	for _, name := range names {
		w := b.e.selectMember(want, name, want)
		h := b.e.selectMember(have, name, have)
		if w.what == findHere && (h.what == findHere || h.what == findKeyed) {
			b.unify(b.e.memberType(w), b.e.memberType(h), depth+1)
		}
	}
}

// unifyMapped takes the object itself for T in { [K in keyof T]: … }, and its
// keys and values otherwise.
func (b *inference) unifyMapped(want, have *typ, depth int) {
	f := b.e.at(want.sc.file)
	x := &f.Exprs[want.expr]
	if x.A >= 0 && f.Exprs[x.A].Op == opKeyof {
		b.unify(b.e.typ(want.sc, f.Exprs[x.A].A), have, depth+1)
		return
	}
	b.unify(b.e.typ(want.sc, x.A), b.e.keysOf(have), depth+1)
	b.unify(b.e.typ(want.sc, x.B), b.e.valuesOf(have), depth+1)
}

// supertype returns have as an instance of ent: itself or one of its bases.
func (e *eval) supertype(have *typ, ent *entity, depth int) *typ {
	if have == nil || depth > maxSelect {
		return nil
	}
	switch have.form {
	case formNamed:
		if have.ent == ent || have.ent.defs[0] == ent.defs[0] {
			return have
		}
		for _, b := range e.bases(have) {
			if up := e.supertype(b, ent, depth+1); up != nil {
				return up
			}
		}
	case formParam:
		return e.supertype(e.constraint(have), ent, depth+1)
	case formUnion, formBoth:
		for _, m := range have.list {
			if up := e.supertype(m, ent, depth+1); up != nil {
				return up
			}
		}
	}
	return nil
}

// An answer to whether a type fits another.
type answer uint8

const (
	perhaps answer = iota
	yes
	no
)

// fits reports whether a value of type have can stand where want is expected, as
// far as that is plain to see.
func (e *eval) fits(have, want *typ, depth int) answer {
	if have == nil || want == nil || depth > maxUnify {
		return perhaps
	}
	if want.form == formAny || same(have, want, 0) {
		return yes
	}
	switch have.form {
	case formAny, formOutside:
		return perhaps
	case formUnion:
		return e.all(have.list, want, depth)
	case formParam:
		if c := e.constraint(have); c != nil && want.form != formParam {
			return e.fits(c, want, depth+1)
		}
		return perhaps
	case formBoth:
		for _, m := range have.list {
			if e.fits(m, want, depth+1) == yes {
				return yes
			}
		}
		if want.form != formObject {
			return perhaps
		}
	case formEmpty:
		if want.form == formEmpty {
			return yes
		}
		return perhaps
	}
	return e.fitsForm(have, want, depth)
}

func (e *eval) all(list []*typ, want *typ, depth int) answer {
	out := yes
	for _, m := range list {
		switch e.fits(m, want, depth+1) {
		case no:
			return no
		case perhaps:
			out = perhaps
		}
	}
	return out
}

func (e *eval) fitsForm(have, want *typ, depth int) answer {
	switch want.form {
	case formUnion:
		out := no
		for _, m := range want.list {
			switch e.fits(have, m, depth+1) {
			case yes:
				return yes
			case perhaps:
				out = perhaps
			}
		}
		return out
	case formBoth:
		out := yes
		for _, m := range want.list {
			switch e.fits(have, m, depth+1) {
			case no:
				return no
			case perhaps:
				out = perhaps
			}
		}
		return out
	case formParam, formOutside, formMapped, formPick, formRecord:
		if want.form == formRecord && (have.form == formBasic || have.form == formText) {
			return no
		}
		return perhaps
	case formNamed:
		return e.fitsNamed(have, want, depth)
	case formObject:
		return e.fitsMembers(have, want, depth)
	case formFunc:
		if len(e.signatures(have, false)) > 0 {
			return yes
		}
		return no
	case formBasic:
		if have.form == formText {
			return textFits(have, want)
		}
		return no
	case formTuple, formLib:
		return e.fitsLibrary(have, want, depth)
	}
	return no
}

func textFits(have, want *typ) answer {
	if (have.name == "true" || have.name == "false") == (want.name == "boolean") {
		return yes
	}
	if have.name == "" && want.name == "number" {
		return perhaps
	}
	return no
}

func (e *eval) fitsNamed(have, want *typ, depth int) answer {
	if e.supertype(have, want.ent, 0) != nil {
		return yes
	}
	switch have.form {
	case formBasic, formText, formFunc, formStatic:
		return no
	case formNamed, formObject, formBoth:
		if want.ent.is(index.KindEnum) {
			return no
		}
		return e.fitsMembers(have, want, depth)
	}
	return perhaps
}

// fitsMembers reports whether a type has the members of an object type.
func (e *eval) fitsMembers(have, want *typ, depth int) answer {
	names := e.memberNames(want, 0)
	out := yes
	for i, name := range names {
		if i > 30 {
			return perhaps
		}
		w := e.selectMember(want, name, want)
		if w.what != findHere || e.optional(&w) {
			continue
		}
		h := e.selectMember(have, name, have)
		switch h.what {
		case findNone:
			return no
		case findOutside:
			if h.module == moduleES && have.form != formNamed {
				return no
			}
			out = perhaps
		case findHere, findKeyed:
			switch e.fits(e.memberType(h), e.memberType(w), depth+2) {
			case no:
				return no
			case perhaps:
				out = perhaps
			}
		default:
			out = perhaps
		}
	}
	return out
}

// optional reports whether a member may be missing.
func (e *eval) optional(f *found) bool {
	for _, p := range f.parts {
		for _, t := range p.targets {
			if e.l.def(t).Flags&flagOptional != 0 {
				return true
			}
		}
	}
	return false
}

func (e *eval) fitsLibrary(have, want *typ, depth int) answer {
	if isSequence(want) {
		if !isSequence(have) {
			if have.form == formNamed {
				return perhaps
			}
			return no
		}
		return e.fits(e.element(have, 0), e.element(want, 0), depth+1)
	}
	switch have.form {
	case formBasic, formText, formFunc, formTuple:
		return no
	case formLib:
		if have.name == want.name {
			return perhaps
		}
		return no
	}
	return perhaps
}

func isSequence(t *typ) bool {
	return t.form == formTuple || t.form == formLib && (t.name == "Array" || t.name == "ReadonlyArray")
}
