package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// A comparison holds the test code of a change against what it was (GAT-8).
// All rules about tests look at one comparison, made when first asked for.
type comparison struct {
	once     sync.Once
	err      error
	findings []Finding

	c             *Case
	before, after *side
	pairs         map[*unit]*unit
}

// comparedAs is the Check of the rule with this ID.
func comparedAs(id string) func(context.Context, *Case) ([]Finding, error) {
	return func(ctx context.Context, c *Case) ([]Finding, error) {
		t := c.tests
		t.once.Do(func() { t.err = t.run(ctx, c) })
		if t.err != nil {
			return nil, t.err
		}
		var out []Finding
		for _, f := range t.findings {
			if f.Rule == id {
				out = append(out, f)
			}
		}
		return out, nil
	}
}

func (t *comparison) run(ctx context.Context, c *Case) error {
	t.c = c
	var old, now []string
	for i := range c.Changes {
		if p := c.Changes[i].Old; p != "" {
			old = append(old, p)
		}
		if p := c.Changes[i].New; p != "" {
			now = append(now, p)
		}
	}
	var err error
	if t.before, err = sideOf(ctx, c.Before, old); err != nil {
		return err
	}
	if t.after, err = sideOf(ctx, c.After, now); err != nil {
		return err
	}
	t.pairs = pairUnits(t.before, t.after)
	for _, u := range t.before.units {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "gate.compare", "decide again")
		}
		if v := t.pairs[u]; v != nil {
			t.pair(u, v)
		} else if u.test {
			t.gone(u)
		}
	}
	t.constraints()
	t.arounds()
	t.ownTools()
	return nil
}

func (t *comparison) pair(u, v *unit) {
	if u.test && !v.test {
		t.add("tests.removed", u.sym.Ident, v.sym.Ident, u, fmt.Sprintf("%s is no test any more: as %s the runner does not call it", u.sym.Name, v.sym.Name),
			"keep the name by which the runner finds the test")
	}
	t.rebound(u, v)
	t.redirected(u, v)
	t.conditional(u, v)
	if u.sym.Fingerprint == v.sym.Fingerprint && u.code() == v.code() {
		return
	}
	t.idled(u, v)
	hidden := t.hides(u, v)
	if !hidden {
		t.compareChecks(u, v)
		t.compareSkips(u, v)
	}
	t.compareRows(u, v)
	t.compareCalls(u, v)
	t.compareFlow(u, v)
	t.compareLiterals(u, v)
}

// add files a finding of a rule about a test. What the rule asks for in its
// place is a reason in the plan.
func (t *comparison) add(rule string, before, after index.Span, u *unit, reason, alternative string, present ...string) {
	f := Finding{Rule: rule, Before: before, After: after, Reason: reason, Alternative: alternative, Present: present}
	if u != nil {
		f.Symbol = u.name()
	}
	if len(present) == 0 {
		f.Missing = []string{"a reason in the plan for exactly this test"}
	} else {
		f.Strength = Evidence
	}
	if after.File == "" && before.File != "" {
		if now := t.pathNow(before.File); now != "" {
			f.After = at(now, 1)
		}
	}
	t.findings = append(t.findings, f)
}

// pathNow is the path that a file of the state before has after the change.
func (t *comparison) pathNow(old string) string {
	for i := range t.c.Changes {
		if t.c.Changes[i].Old == old {
			return t.c.Changes[i].New
		}
	}
	return ""
}

// gone reports a test that is not there any more.
func (t *comparison) gone(u *unit) {
	if place, ok := t.after.commented(t.before, u.header()); ok {
		t.add("tests.commented-out", u.sym.Ident, place, u, u.sym.Name+" is commented out", "leave the test in, and put right what it finds")
		return
	}
	if v := t.mergedInto(u); v != nil {
		return
	}
	var present []string
	if why := t.subjectGone(t.refsOf(u)); why != "" {
		present = []string{why}
	}
	t.add("tests.removed", u.sym.Ident, index.Span{}, u, u.sym.Name+" is removed", "leave the test in, and put right what it finds", present...)
}

// mergedInto returns the unit that has taken over a test's assertions and
// literals, as when several tests become the rows of one table.
func (t *comparison) mergedInto(u *unit) *unit {
	if len(u.checks) == 0 {
		return nil
	}
	want := significant(u)
	for _, v := range t.after.units {
		if !v.test || v.sym.Package != u.sym.Package && v.sym.Name != u.sym.Name {
			continue
		}
		if len(want) > 0 && contained(want, gained(t, v)) && coversForms(u, v) {
			return v
		}
		if len(want) == 0 && containsChecks(u, v) && alike(u.tokens, v.tokens) > 0.3 {
			return v
		}
	}
	return nil
}

// significant counts the literals that a test is about, messages left out.
func significant(u *unit) map[string]int {
	out := map[string]int{}
	for _, l := range literalsOf(u) {
		if l.role != message && l.role != title {
			out[l.Text]++
		}
	}
	return out
}

// gained counts the literals that a unit has now and had not before.
func gained(t *comparison, v *unit) map[string]int {
	have := count(v.tokens)
	if old := t.before.byKey[v.name()]; old != nil {
		for k, n := range count(old.tokens) {
			have[k] -= n
		}
	}
	return have
}

func contained(want, have map[string]int) bool {
	for k := range want {
		if have[k] <= 0 {
			return false
		}
	}
	return true
}

// coversForms reports whether for each assertion of u there is one in v of the
// same form or at least the same strength.
func coversForms(u, v *unit) bool {
	for i := range u.checks {
		k := &u.checks[i]
		if !slices.ContainsFunc(v.checks, func(o check) bool { return o.Form == k.Form && o.Strength >= k.Strength }) {
			return false
		}
	}
	return true
}

func containsChecks(u, v *unit) bool {
	for i := range u.checks {
		if !slices.ContainsFunc(v.checks, func(o check) bool { return u.checks[i].same(&o) }) {
			return false
		}
	}
	return true
}

// subjectGone says that something of the repository that the references lead to
// is removed by the same change, and nothing like it has come: without it the
// test cannot be built. It is "" when that is not so.
func (t *comparison) subjectGone(refs []index.Ref) string {
	var names []string
	for _, r := range refs {
		if r.Status != index.Static {
			continue
		}
		for _, id := range r.Targets {
			s, ok := t.c.Before.Symbol(id)
			if !ok || s.Origin == index.Test || s.Kind == index.KindPackage || defined(t.c.After, s) || t.succeeded(s) || slices.Contains(names, s.Canonical) {
				continue
			}
			names = append(names, s.Canonical)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "what it tests is removed by the same change: " + strings.Join(names, ", ")
}

// refsOf are the references of a unit.
func (t *comparison) refsOf(u *unit) []index.Ref {
	return slices.DeleteFunc(t.before.snap.RefsIn(u.file), func(r index.Ref) bool {
		return r.Span.Start < u.sym.Span.Start || r.Span.End > u.sym.Span.End
	})
}

// succeeded reports whether a removed symbol lives on under another name or in
// another place: a new symbol of its kind has most of its tokens.
func (t *comparison) succeeded(s index.Symbol) bool {
	was := t.tokensOf(t.c.Before, s)
	for i := range t.c.Changes {
		p := t.c.Changes[i].New
		if p == "" {
			continue
		}
		for _, n := range t.c.After.Outline(p) {
			if n.Kind == s.Kind && n.Origin != index.Test && !defined(t.c.Before, n) && (n.Name == s.Name || alike(was, t.tokensOf(t.c.After, n)) >= renamedAlike) {
				return true
			}
		}
	}
	return false
}

func (t *comparison) tokensOf(s *index.Snapshot, sym index.Symbol) []token {
	return within(tokensOf(s.Language(sym.Span.File), source(s, sym.Span.File)), sym.Span.Start, sym.Span.End)
}
