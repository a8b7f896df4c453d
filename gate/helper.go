package gate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// compareCalls reports calls that are gone of something that asserts, and new
// ones of something that skips.
func (t *comparison) compareCalls(u, v *unit) {
	was, now := t.effects(t.before, u, index.MarkAssertion), t.effects(t.after, v, index.MarkAssertion)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if len(now[name]) >= len(was[name]) || len(v.checks) > len(u.checks) || total(now) >= total(was) {
			continue // another helper, or an assertion, has taken its place
		}
		r, lost := lostCall(u, v, was[name])
		if !lost || t.isChecked(u, r) {
			continue
		}
		t.add("tests.assertion-removed", r.Span, v.sym.Ident, u, fmt.Sprintf("%s no longer calls %s, which asserts", u.sym.Name, r.Name), "leave the call in, and put right what it finds")
	}
	skipped, skips := t.effects(t.before, u, index.MarkSkip), t.effects(t.after, v, index.MarkSkip)
	for _, name := range slices.Sorted(maps.Keys(skips)) {
		if _, ok := skipped[name]; !ok {
			r := skips[name][0]
			t.add("tests.skipped", u.sym.Ident, r.Span, u, fmt.Sprintf("%s calls %s now, which skips it", v.sym.Name, r.Name), "leave the test to run, and put right what it finds")
		}
	}
}

// isChecked reports whether a call is an assertion by itself, which
// compareChecks looks at.
func (t *comparison) isChecked(u *unit, r index.Ref) bool {
	return slices.ContainsFunc(u.checks, func(k check) bool { return k.Span.Start <= r.Span.Start && r.Span.End <= k.Span.End })
}

func total(calls map[string][]index.Ref) int {
	n := 0
	for _, c := range calls {
		n += len(c)
	}
	return n
}

// lostCall returns the first call whose line's literals are not all there any
// more; a call without literals is lost when any is.
func lostCall(u, v *unit, calls []index.Ref) (index.Ref, bool) {
	for _, r := range calls {
		var line []token
		for _, tok := range u.tokens {
			if tok.Line == r.Span.Line {
				line = append(line, tok)
			}
		}
		lits := count(line)
		if len(lits) == 0 || !contained(lits, kept(u, v, lits)) {
			return r, true
		}
	}
	return index.Ref{}, false
}

// effects are the calls of a unit to functions of the repository that hold
// marks of a kind, by the function's canonical name.
func (t *comparison) effects(s *side, u *unit, kind index.MarkKind) map[string][]index.Ref {
	out := map[string][]index.Ref{}
	for _, r := range u.calls {
		if r.Status != index.Static {
			continue
		}
		for _, id := range s.targets(r) {
			sym, ok := s.snap.Symbol(id)
			if !ok || id == u.sym.ID {
				continue
			}
			if slices.ContainsFunc(marksOf(s.snap, sym.Span.File, kind), func(m index.Mark) bool { return m.In == id && m.Form != "short" }) {
				out[sym.Canonical] = append(out[sym.Canonical], r)
			}
		}
	}
	return out
}

// constraints reports build constraints added to, or changed in, files that
// have tests.
func (t *comparison) constraints() {
	for i := range t.c.Changes {
		f := &t.c.Changes[i]
		was, okOld := t.c.Before.File(f.Old)
		now, okNew := t.c.After.File(f.New)
		if !okOld || !okNew || was.Constraint == now.Constraint || now.Constraint == "" || was.Origin != index.Test {
			continue
		}
		if !slices.ContainsFunc(t.c.Before.Marks(f.Old), func(m index.Mark) bool { return m.Kind == index.MarkTest && m.Form != index.FormBlock }) {
			continue
		}
		place := at(f.New, 1)
		if m := marksOf(t.c.After, f.New, index.MarkSkip); len(m) > 0 && m[0].Form == "build" {
			place = m[0].Span
		}
		t.add("tests.skipped", at(f.Old, 1), place, nil, fmt.Sprintf("the tests of %s are built under %q only, and were under %q", f.New, now.Constraint, was.Constraint),
			"leave the tests to be built everywhere")
	}
}

// arounds reports functions inside which all tests of a package run, and that
// run none.
func (t *comparison) arounds() {
	runs := func(u *unit) bool { return len(u.parts.of(index.RunTests)) > 0 }
	for _, v := range t.after.units {
		u := t.before.byKey[v.name()]
		if u == nil && !t.became(v) {
			t.fresh(v)
		}
		must := slices.ContainsFunc(v.parts.of(index.Around), func(a index.Statement) bool { return a.Form == index.FormRun })
		if !must || runs(v) || u != nil && !runs(u) {
			continue
		}
		t.add("tests.skipped", index.Span{}, v.sym.Ident, v, v.sym.Name+" runs no tests, and every test of the package stands inside it", "run the tests and hand on the code that they give")
	}
}

// became reports whether a unit is what another has become.
func (t *comparison) became(v *unit) bool {
	for _, w := range t.pairs {
		if w == v {
			return true
		}
	}
	return false
}

// fresh reports what in new code decides about the tests that are there: it ends
// their run as if they had passed, skips them, or leaves them out. What does so
// under a condition of its own, before the tests run, is no concern of theirs.
func (t *comparison) fresh(v *unit) {
	t.replaced(nil, v)
	runs := v.parts.of(index.RunTests)
	for _, e := range v.parts.of(index.ExitSuccess) {
		ran := len(runs) > 0 && runs[0].Start < e.Start || len(runs) == 0 && e.Form != index.FormRun
		if e.Form == index.FormRun || v.around && (ran || v.parts.conditions(int(e.Start)) == 0) {
			t.add("tests.failure-hidden", index.Span{}, v.place(e), v, v.sym.Name+" ends the test program as if it had passed", "hand on the code that the tests give")
			return
		}
	}
	for _, d := range v.parts.of(index.Deselect) {
		if d.Form == index.FormRun || v.parts.conditions(int(d.Start)) == 0 {
			t.add("tests.skipped", index.Span{}, v.place(d), v, v.sym.Name+" leaves out tests that were collected", "leave all tests to run")
		}
	}
	for _, m := range v.skips {
		if v.around && v.parts.conditions(m.Span.Start) == 0 {
			t.add("tests.skipped", index.Span{}, m.Span, v, fmt.Sprintf("%s skips tests by %q", v.sym.Name, m.Text), "leave all tests to run")
		}
	}
}
