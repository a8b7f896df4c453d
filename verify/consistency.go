package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// consistency is L1 (VER-3): whether everything that relies on what changed
// still fits. It asks the two snapshots alone, so that no compiler is needed and
// nothing has to be written.
func (q *inquiry) consistency(ctx context.Context, l *Layer) error {
	u := &users{q: q, missing: map[place]bool{}, confirm: map[place]bool{}, files: map[string]bool{}}
	for _, path := range q.change.files {
		u.files[path] = true
	}
	for i := range q.change.symbols {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "verify.L1", "run it again")
		}
		if s := &q.change.symbols[i]; s.contract && s.before != nil {
			u.check(s)
		}
	}
	if err := u.relations(ctx); err != nil {
		return err
	}
	u.unresolved(l)
	slices.SortFunc(q.report.Missing, func(a, b Missing) int { return compareRefs(a.Ref, b.Ref) })
	slices.SortFunc(q.report.Confirm, compareRefs)
	for _, m := range q.report.Missing {
		l.find("missing_sync", fmt.Sprintf("%s: %s", m.Symbol, m.Reason), m.Ref.Span)
	}
	l.settle("add the call sites named in the findings to the change, or undo the change of the signature")
	return nil
}

func compareRefs(a, b index.Ref) int {
	return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Name, b.Name))
}

// A place identifies a reference of After.
type place struct {
	file  string
	start int
}

func placeOf(r index.Ref) place { return place{r.Span.File, r.Span.Start} }

// users collects what a change means for those who rely on it.
type users struct {
	q                *inquiry
	missing, confirm map[place]bool
	// files hold references to what changed, or were changed themselves.
	files map[string]bool
}

func (u *users) miss(ref index.Ref, symbol, reason string) {
	if !u.missing[placeOf(ref)] {
		u.missing[placeOf(ref)] = true
		u.q.report.Missing = append(u.q.report.Missing, Missing{Ref: ref, Symbol: symbol, Reason: reason})
	}
}

func (u *users) ask(ref index.Ref) {
	if !u.confirm[placeOf(ref)] {
		u.confirm[placeOf(ref)] = true
		u.q.report.Confirm = append(u.q.report.Confirm, ref)
	}
}

// check looks at every reference to a symbol whose contract changed.
func (u *users) check(s *symbolChange) {
	if s.after == nil && !u.gone(s) {
		return // another definition of the same name remains, such as a build variant
	}
	old := u.q.in.Before.References(s.before.ID, 0)
	for _, ref := range append(slices.Clone(old.Sure), old.Confirm...) {
		u.files[ref.Span.File] = true
	}
	if s.after == nil {
		u.removed(s, old)
		return
	}
	now := u.q.in.After.References(s.after.ID, 0)
	for _, ref := range now.Sure {
		u.fits(s, ref)
	}
	for _, ref := range now.Confirm {
		if ok, known, reason := u.compatible(s, ref); !known || !ok {
			u.ask(because(ref, reason))
		}
	}
	u.namesakes(s, now.Basis)
}

// namesakes asks about references that bear the symbol's name and whose target is
// not known, where they would not fit it: one that nobody names may break unseen.
// Of very many the first are shown and the rest are counted.
func (u *users) namesakes(s *symbolChange, b index.Basis) {
	for _, at := range b.Places {
		for _, ref := range u.q.in.After.RefsIn(at.File) {
			if ref.Span.Start != at.Start || ref.Status != index.Unresolved || ref.Name != s.after.Name || u.q.change.touched(ref) {
				continue
			}
			if ok, known, reason := u.compatible(s, ref); !known || !ok {
				u.ask(because(ref, cmp.Or(reason, "it bears the name of "+s.after.Canonical)))
			}
		}
	}
	if more := b.Unresolved - len(b.Places); more > 0 {
		u.q.unchecked(fmt.Sprintf("%d more references named %s whose target is not known", more, s.after.Name), "only the first are shown")
	}
}

// gone reports whether no definition of the canonical name is left.
func (u *users) gone(s *symbolChange) bool {
	for _, sym := range u.q.in.After.Named(s.before.Name) {
		if sym.Canonical == s.before.Canonical {
			return false
		}
	}
	return true
}

// fits judges a certain reference. One that the change wrote was written for the
// new contract, so that only what shows in the reference itself counts against it.
func (u *users) fits(s *symbolChange, ref index.Ref) {
	ok, known, reason := u.compatible(s, ref)
	switch {
	case known && !ok:
		u.miss(ref, s.after.Canonical, reason)
	case !known && !u.q.change.touched(ref):
		u.ask(because(ref, reason))
	}
}

// because gives a reference that is certain in itself the reason why its fit is not.
func because(ref index.Ref, reason string) index.Ref {
	if ref.Reason == "" {
		ref.Reason = reason
	}
	return ref
}

func (u *users) compatible(s *symbolChange, ref index.Ref) (ok, known bool, reason string) {
	lang := u.q.in.After.Language(ref.Span.File)
	if lang == nil || lang.Compatible == nil || ref.Kind == index.RefString {
		return false, false, ""
	}
	if u.q.change.touched(ref) {
		return lang.Compatible(*s.after, *s.after, ref)
	}
	return lang.Compatible(*s.before, *s.after, ref)
}

// removed looks at what is left of the references to a symbol that is gone.
func (u *users) removed(s *symbolChange, old index.Answer[index.Ref]) {
	sure, maybe := filesOf(old.Sure), filesOf(old.Confirm)
	reason := "it was removed"
	if to := u.successor(s); to != "" {
		reason = "it was renamed to " + to
	}
	for path := range merged(sure, maybe) {
		for _, ref := range u.q.in.After.RefsIn(path) {
			if ref.Name != s.before.Name || ref.Kind == index.RefImport {
				continue
			}
			switch was := u.was(ref, old.Sure); {
			case ref.Status == index.Unresolved && (was || sure[path] && !u.unresolvedBefore(ref)):
				u.miss(ref, s.before.Canonical, reason)
			case ref.Status == index.Ambiguous || ref.Status == index.Dynamic:
				u.ask(ref)
			}
		}
	}
}

// was reports whether the reference stood at the same place before, in a file
// that did not change, and certainly meant the symbol.
func (u *users) was(ref index.Ref, sure []index.Ref) bool {
	return slices.ContainsFunc(sure, func(r index.Ref) bool { return r.Span == ref.Span })
}

func (u *users) unresolvedBefore(ref index.Ref) bool {
	return slices.ContainsFunc(u.q.in.Before.RefsIn(ref.Span.File), func(r index.Ref) bool {
		return r.Name == ref.Name && r.Status == index.Unresolved
	})
}

// successor returns the canonical name of what a symbol was renamed to: as the
// plan says, or the one new symbol with the same parent, kind and tokens.
func (u *users) successor(s *symbolChange) string {
	if u.q.in.Plan != nil {
		for _, c := range u.q.in.Plan.Contracts {
			if c.Symbol == s.before.ID && c.Rename != "" {
				return c.Rename
			}
		}
	}
	found := ""
	for _, other := range u.q.change.symbols {
		if other.before != nil || other.after.Kind != s.before.Kind || other.after.Package != s.before.Package ||
			other.after.Parent != s.before.Parent || !sameShape(s.before.Signature, other.after.Signature) {
			continue
		}
		if found != "" {
			return ""
		}
		found = other.after.Canonical
	}
	return found
}

func sameShape(a, b index.Signature) bool {
	return a.Receiver == b.Receiver && a.Type == b.Type && slices.Equal(a.Params, b.Params) &&
		slices.Equal(a.Results, b.Results) && slices.Equal(a.TypeParams, b.TypeParams)
}

func filesOf(refs []index.Ref) map[string]bool {
	out := map[string]bool{}
	for _, r := range refs {
		out[r.Span.File] = true
	}
	return out
}

func merged(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]bool{a, b} {
		for k := range m {
			out[k] = true
		}
	}
	return out
}
