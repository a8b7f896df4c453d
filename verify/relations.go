package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// relations finds types that no longer implement what they implemented, and
// methods that no longer override what they overrode, because the one or the
// other changed.
func (u *users) relations(ctx context.Context) error {
	looked := map[string]bool{}
	for i := range u.q.change.symbols {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "verify.L1", "run it again")
		}
		s := &u.q.change.symbols[i]
		if !s.contract {
			continue
		}
		if s.before != nil && s.before.Kind == index.KindMethod {
			u.lost(s.before.Canonical, index.Overrides)
		}
		if s.after != nil {
			u.misfits(*s.after)
		}
		if t, ok := u.typeOf(s); ok && !looked[t] {
			looked[t] = true
			u.lost(t, index.Implements)
		}
	}
	return nil
}

// typeOf returns the canonical name of the type whose relations a change of the
// symbol can touch: itself, or the type that it is a member of.
func (u *users) typeOf(s *symbolChange) (string, bool) {
	snapshot, sym := u.q.in.Before, s.before
	if sym == nil {
		snapshot, sym = u.q.in.After, s.after
	}
	switch sym.Kind {
	case index.KindClass, index.KindInterface, index.KindType, index.KindEnum:
		return sym.Canonical, s.before != nil
	}
	parent, ok := snapshot.Symbol(sym.Parent)
	return parent.Canonical, ok
}

// lost compares the relations of one kind of a type or method in both
// directions. Those of a method that implements one are told by its type's.
func (u *users) lost(canonical string, kind index.RelationKind) {
	before, ok := symbolNamed(u.q.in.Before, canonical)
	if !ok {
		return
	}
	after, ok := symbolNamed(u.q.in.After, canonical)
	if !ok {
		return // gone: its references are what is missing
	}
	old, now := u.q.in.Before.Members(before.ID), u.q.in.After.Members(after.ID)
	for _, r := range without(old.Implementations, now.Implementations, kind) {
		if heir, ok := symbolNamed(u.q.in.After, r.Canonical); ok {
			u.report(heir, after, r.Via)
		}
	}
	for _, r := range without(old.Implements, now.Implements, kind) {
		if base, ok := symbolNamed(u.q.in.After, r.Canonical); ok {
			u.report(after, base, r.Via)
		}
	}
}

// misfits reports overrides and implementations, in either direction of a
// method whose contract changed, that can no longer be called as what they
// override, and could before. A constructor is called by the name of its own
// class, so that it need not fit that of a base.
func (u *users) misfits(s index.Symbol) {
	lang := u.q.in.After.Language(s.Span.File)
	if lang == nil || lang.Fits == nil || s.Kind != index.KindMethod {
		return
	}
	bases, heirs := u.q.in.After.Kin(s.ID)
	for _, r := range bases {
		u.misfit(lang, r.Symbol, s, r)
	}
	for _, r := range heirs {
		u.misfit(lang, s, r.Symbol, r)
	}
}

// misfit reports impl where it does not fit base any more; what rests on names
// alone, or breaks some calls only, is put to a reader.
func (u *users) misfit(lang *index.Language, base, impl index.Symbol, r index.Related) {
	if r.Via != index.Overrides && r.Via != index.Implements {
		return
	}
	ok, known, reason := lang.Fits(base, impl)
	if ok || u.neverFitted(lang, base, impl) {
		return
	}
	own := u.overloads(impl)
	if len(own) > 1 && slices.ContainsFunc(own, func(o index.Symbol) bool { ok, _, _ := lang.Fits(base, o); return ok }) {
		return
	}
	known = known && len(own) == 1 && len(u.overloads(base)) == 1
	ref := index.Ref{Span: impl.Ident, In: impl.ID, Name: impl.Name, Kind: index.RefEmbed, Status: index.Static, Rule: r.Via.String(), Targets: []string{base.ID},
		Reason: fmt.Sprintf("%s cannot be called as %s is: %s", impl.Canonical, base.Canonical, reason)}
	if !r.Sure || !known {
		ref.Status = index.Ambiguous
		u.ask(ref)
		return
	}
	u.miss(ref, base.Canonical, ref.Reason)
}

// overloads returns the definitions of a symbol's canonical name after the change:
// which of them a call means does not rest on their names.
func (u *users) overloads(s index.Symbol) []index.Symbol {
	return slices.DeleteFunc(u.q.in.After.Named(s.Name), func(o index.Symbol) bool { return o.Canonical != s.Canonical })
}

// neverFitted reports whether impl did not fit base before the change either.
func (u *users) neverFitted(lang *index.Language, base, impl index.Symbol) bool {
	was, ok := symbolNamed(u.q.in.Before, base.Canonical)
	own, there := symbolNamed(u.q.in.Before, impl.Canonical)
	if !ok || !there {
		return false
	}
	fit, _, _ := lang.Fits(was, own)
	return !fit
}

// without returns the relations of old that now lacks. Embedding and extending
// are written in the type itself, so that losing them is no accident; they are
// not asked for. What overrode a method that has become abstract implements it.
func without(old, now []index.Related, kind index.RelationKind) []index.Related {
	var out []index.Related
	for _, r := range old {
		if r.Via == kind && !slices.ContainsFunc(now, func(n index.Related) bool {
			return n.Canonical == r.Canonical && (n.Via == index.Implements || n.Via == index.Overrides)
		}) {
			out = append(out, r)
		}
	}
	return out
}

// report lists a type that does not implement base any more.
func (u *users) report(heir, base index.Symbol, via index.RelationKind) {
	ref := index.Ref{Span: heir.Ident, In: heir.ID, Name: heir.Name, Kind: index.RefEmbed, Status: index.Static,
		Rule: via.String(), Targets: []string{base.ID}}
	what := "it no longer " + via.String() + " " + base.Canonical
	if lacks := u.lacking(heir, base); len(lacks) > 0 {
		what += ": what it has of " + strings.Join(lacks, ", ") + " does not fit"
	}
	u.miss(ref, base.Canonical, what)
}

// lacking names the methods of base that heir lacks or has with another signature.
func (u *users) lacking(heir, base index.Symbol) []string {
	have := map[string]index.Signature{}
	for _, m := range u.q.in.After.Members(heir.ID).Methods {
		have[m.Name] = m.Signature
	}
	var out []string
	for _, m := range u.q.in.After.Members(base.ID).Methods {
		if s, ok := have[m.Name]; !ok || !sameTypes(s, m.Signature) {
			out = append(out, m.Name)
		}
	}
	return out
}

func sameTypes(a, b index.Signature) bool {
	same := func(x, y index.Param) bool { return x.Type == y.Type && x.Variadic == y.Variadic }
	return slices.EqualFunc(a.Params, b.Params, same) && slices.EqualFunc(a.Results, b.Results, same)
}

// symbolNamed returns the first definition of a canonical name.
func symbolNamed(s *index.Snapshot, canonical string) (index.Symbol, bool) {
	name := canonical[strings.LastIndexAny(canonical, "./")+1:]
	for _, sym := range s.Named(name) {
		if sym.Canonical == canonical {
			return sym, true
		}
	}
	return index.Symbol{}, false
}
