package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// compareChecks holds the assertions of a unit against what they have become.
func (t *comparison) compareChecks(u, v *unit) {
	left, right := matchSame(u, v)
	for _, m := range matchAlike(left, right) {
		if m.now == nil {
			t.lost(u, v, m.was)
			continue
		}
		t.changedCheck(u, v, m.was, m.now)
	}
}

// A become is an assertion and what it has become, nil when nothing.
type become struct{ was, now *check }

// matchSame takes out of both units what stands there unchanged, and returns
// the rest. Unchanged assertions that stand deeper in conditions are reported
// by compareFlow.
func matchSame(u, v *unit) (left, right []*check) {
	used := make([]bool, len(v.checks))
	for i := range u.checks {
		k := &u.checks[i]
		j := -1
		for n := range v.checks {
			if !used[n] && k.same(&v.checks[n]) && (j < 0 || closer(k.depth, v.checks[n].depth, v.checks[j].depth)) {
				j = n
			}
		}
		if j < 0 {
			left = append(left, k)
			continue
		}
		used[j] = true
	}
	for j := range v.checks {
		if !used[j] {
			right = append(right, &v.checks[j])
		}
	}
	return left, right
}

func closer(want, a, b int) bool { return max(a-want, want-a) < max(b-want, want-b) }

// checksAlike is the share of telling tokens that an assertion and what it has
// become have in common at least.
const checksAlike = 0.4

// matchAlike pairs assertions that changed with what they have become, the most
// alike first, of equals the strongest.
func matchAlike(left, right []*check) []become {
	type match struct {
		l, r  int
		alike float64
	}
	var all []match
	for l, k := range left {
		for r, o := range right {
			a := max(alike(k.operands, o.operands), alike(k.spelled, o.spelled))
			if k.Form == o.Form && (k.Form == "output" || k.Form == "fail") {
				a = 1
			}
			if k.counts() && k.callee == o.callee && o.counts() {
				a = 1
			}
			if k.Form == o.Form && a > 0 {
				a += 0.15
			}
			if a >= checksAlike {
				all = append(all, match{l, r, a})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(right[b.r].Strength, right[a.r].Strength))
	})
	out := make([]become, len(left))
	for i, k := range left {
		out[i].was = k
	}
	taken := map[int]bool{}
	for _, m := range all {
		if out[m.l].now == nil && !taken[m.r] {
			out[m.l].now = right[m.r]
			taken[m.r] = true
		}
	}
	for i, k := range left {
		for r, o := range right {
			if out[i].now == nil && !taken[r] && o.Strength > k.Strength && o.guard == k.guard && alike(k.operands, o.operands) > 0 {
				out[i].now = o // less alike, but it demands more of the same
				taken[r] = true
			}
		}
	}
	return out
}

// lost reports an assertion that has become nothing, unless it stands somewhere
// else now.
func (t *comparison) lost(u, v *unit, k *check) {
	code := squeeze(string(u.src[k.Span.Start:k.Span.End]))
	if place, ok := t.after.commented(t.before, code); ok {
		t.add("tests.commented-out", k.Span, place, u, fmt.Sprintf("the assertion %q of %s is commented out", k.source(), u.sym.Name), "leave the assertion in, and put right what it finds")
		return
	}
	if t.takenOver(u, v, k) || k.helper() && callsNamed(v, k.name()) >= callsNamed(u, k.name()) {
		return
	}
	var present []string
	if why := t.subjectGone(refsIn(t.before.snap, u, k)); why != "" {
		present = []string{why}
	}
	t.add("tests.assertion-removed", k.Span, v.sym.Ident, u, fmt.Sprintf("the assertion %q of %s is removed", k.source(), u.sym.Name), "leave the assertion in, and put right what it finds", present...)
}

// helper reports whether an assertion is a call of the repository's own.
func (k *check) helper() bool { return k.Form == "helper" || k.Form == "call" }

// counts reports whether all that an assertion is handed is one number.
func (k *check) counts() bool { return len(k.operands) == 1 && k.operands[0].number() }

// name is the last name of the callee.
func (k *check) name() string { return k.callee[strings.LastIndexByte(k.callee, '.')+1:] }

func callsNamed(u *unit, name string) int {
	n := 0
	for _, r := range u.calls {
		if r.Name == name {
			n++
		}
	}
	return n
}

// otherHelper reports whether a helper takes other parameters now, so that the
// arguments of its calls cannot be compared.
func (t *comparison) otherHelper(u, v *unit, k *check) bool {
	one := func(s *side, w *unit) (index.Symbol, bool) {
		for _, r := range w.calls {
			if r.Name == k.name() && len(r.Targets) == 1 {
				return s.snap.Symbol(r.Targets[0])
			}
		}
		return index.Symbol{}, false
	}
	a, okA := one(t.before, u)
	b, okB := one(t.after, v)
	return okA && okB && contractOf(t.before.snap, t.after.snap, a, b) != index.Same
}

// refsIn are the references inside an assertion, the condition of a guard included.
func refsIn(s *index.Snapshot, u *unit, k *check) []index.Ref {
	start, end := k.Span.Start, k.Span.End
	if len(k.operands) > 0 {
		start = min(start, k.operands[0].start)
	}
	return slices.DeleteFunc(s.RefsIn(u.file), func(r index.Ref) bool { return r.Span.Start < start || r.Span.End > end })
}

// takenOver reports whether an assertion stands in a helper that the unit calls
// now, in a unit that is new, or in one that covers several of its kind, as
// when copies become the rows of a table.
func (t *comparison) takenOver(u, v *unit, k *check) bool {
	for _, w := range t.after.units {
		if w == v || t.before.byKey[w.name()] != nil && !t.gainedCheck(w, k) {
			continue
		}
		for i := range w.checks {
			o := &w.checks[i]
			if o.Form != k.Form || o.Strength < k.Strength || w.parts.within(index.Concurrent, o.Span.Start) {
				continue
			}
			if k.same(o) || calls(v, w) || w.test && contained(count(k.operands), count(w.tokens)) && len(count(k.operands)) > 0 && alike(k.operands, o.operands) >= checksAlike {
				return true
			}
		}
	}
	// Several assertions became one: it has their form, and the literals are
	// still in the unit.
	lits := count(k.operands)
	for i := range v.checks {
		o := &v.checks[i]
		if o.Form == k.Form && o.Strength >= k.Strength && !slices.ContainsFunc(u.checks, func(x check) bool { return x.same(o) }) &&
			len(lits) > 0 && contained(lits, kept(u, v, lits)) {
			return true
		}
	}
	return false
}

// kept are the literals of lits of which v has at least as many as u.
func kept(u, v *unit, lits map[string]int) map[string]int {
	was, now := count(u.tokens), count(v.tokens)
	out := map[string]int{}
	for k := range lits {
		if now[k] >= was[k] {
			out[k] = now[k]
		}
	}
	return out
}

// gainedCheck reports whether an old unit has an assertion like k that it had not.
func (t *comparison) gainedCheck(w *unit, k *check) bool {
	old := t.before.byKey[w.name()]
	n := func(x *unit) (n int) {
		for i := range x.checks {
			if x.checks[i].same(k) {
				n++
			}
		}
		return n
	}
	return n(w) > n(old)
}

// calls reports whether v calls w.
func calls(v, w *unit) bool {
	return slices.ContainsFunc(v.calls, func(r index.Ref) bool { return slices.Contains(r.Targets, w.sym.ID) })
}

// changedCheck reports an assertion that has become a weaker one, or one that
// expects something else.
func (t *comparison) changedCheck(u, v *unit, was, now *check) {
	if why := t.loosened(v, was, now); why != "" {
		t.add("tests.assertion-loosened", was.Span, now.Span, u, fmt.Sprintf("in %s %q becomes %q: %s", u.sym.Name, was.source(), now.source(), why), "keep what the assertion demanded, and put right what it finds")
		return
	}
	if demandsSame(was, now) {
		return
	}
	if was.Form == "output" && now.Form == "output" {
		t.expects(u, was, now, was.source(), now.source())
		return
	}
	if now.depth > was.depth && !settled(v, now) {
		t.add("tests.assertion-loosened", was.Span, now.Span, u, fmt.Sprintf("in %s %q becomes %q, which is asserted under a condition only", u.sym.Name, was.source(), now.source()), "assert it in every case")
		return
	}
	if was.Form == now.Form && (was.Form == "error" || was.Form == "warning") && t.otherError(was, now) {
		t.expects(u, was, now, text(was.args[len(was.args)-1]), text(now.args[len(now.args)-1]))
		return
	}
	gone, came := literalDifference(u.demanded(was), v.demanded(now))
	have, had := count(v.tokens), count(u.tokens)
	gone = slices.DeleteFunc(gone, func(l string) bool { return have[l] >= had[l] || t.movedAlong(v, l) })
	if now.Strength >= was.Strength {
		// A part became the whole; a short one may be part of anything.
		gone = slices.DeleteFunc(gone, func(l string) bool { return (now.Strength > was.Strength || len(l) > 6) && partOf(l, came) })
	}
	if len(gone) == 0 {
		return // nothing is gone, or the value has a name now
	}
	if t.subjectGone(refsIn(t.before.snap, u, was)) != "" || was.helper() && t.otherHelper(u, v, was) {
		return
	}
	if timed(was.operands) || was.Form == "tolerance" {
		return // compared as quantities
	}
	t.expects(u, was, now, listOf(gone), listOf(came))
}

// otherError reports whether an assertion names another error than before, and
// the one that it named is still there.
func (t *comparison) otherError(was, now *check) bool {
	if len(was.args) == 0 || len(now.args) == 0 {
		return false
	}
	a, b := variable(was.args[len(was.args)-1]), variable(now.args[len(now.args)-1])
	last := a[strings.LastIndexByte(a, '.')+1:]
	if a == "" || b == "" || last == b[strings.LastIndexByte(b, '.')+1:] {
		return false
	}
	return len(t.c.Before.Named(last)) == 0 || len(t.c.After.Named(last)) > 0
}

// partOf reports whether a literal's text is part of one of the others.
func partOf(l string, others []string) bool {
	bare := func(s string) string { return strings.Trim(s, "\"`'") }
	return slices.ContainsFunc(others, func(o string) bool { return strings.Contains(bare(o), bare(l)) })
}

func (t *comparison) expects(u *unit, was, now *check, gone, came string) {
	t.add("tests.expected-changed", was.Span, now.Span, u, fmt.Sprintf("in %s %q becomes %q: it expects %s instead of %s", u.sym.Name, was.source(), now.source(), came, gone),
		"keep the expected value, or give the requirement that changes it as the reason")
}

// demanded are the operands without the literals that are handed to functions
// of the repository: those are inputs and not what is demanded.
func (u *unit) demanded(k *check) []token {
	var out []token
	for i := range k.operands {
		if !k.operands[i].literal() || !u.handedOver(k.operands, i) {
			out = append(out, k.operands[i])
		}
	}
	return out
}

// handedOver reports whether a token stands between the brackets of a call whose
// target is in the repository.
func (u *unit) handedOver(tokens []token, i int) bool {
	depth := 0
	for j := i - 1; j > 0; j-- {
		switch tokens[j].Text {
		case ")":
			depth++
		case "(":
			if depth > 0 {
				depth--
				continue
			}
			if slices.ContainsFunc(u.calls, func(r index.Ref) bool {
				return r.Span.Start == tokens[j-1].start && r.Status != index.External && len(r.Targets) > 0
			}) {
				return true
			}
		}
	}
	return false
}

// loosened says why an assertion is weaker than it was, "" when it is not.
func (t *comparison) loosened(v *unit, was, now *check) string {
	strength := now.Strength
	if now.Form == "helper" || now.Form == "call" {
		strength = t.helperStrength(v, now)
	}
	switch {
	case now.vacuous() != "" && was.vacuous() == "":
		return "it " + now.vacuous()
	case demandsSame(was, now):
		return ""
	case now.taken() && !was.taken() && len(missing(was, now)) > 0:
		return "it takes a part of what it expects from what came"
	case was.Strength > 0 && strength < was.Strength && !emptied(was, now):
		return fmt.Sprintf("%s is weaker than %s", orCall(now.Form), orCall(was.Form))
	case opposite(was.Form, now.Form) && !now.perCase():
		return fmt.Sprintf("it demands %s instead of %s", now.Form, was.Form)
	case was.Strength == now.Strength && was.Strength == 2 && was.Form != now.Form && now.Form != "helper" && now.Form != "call" && !equalForms(was.Form, now.Form):
		return fmt.Sprintf("it demands %s instead of %s", now.Form, was.Form)
	case widened(was, now):
		return "the tolerance is wider"
	case was.Form == "equal" && emptied(was, now):
		return "" // to be empty and not to hold are the same demand
	case (was.Form == "error" || was.Form == "warning") && now.Form == was.Form && moreNames(was, now):
		return "it lets more errors pass"
	case strength > was.Strength:
		return ""
	}
	return conditionLoosened(was, now)
}

// demandsSame reports whether an assertion has become one that says by its name
// what the other compares with: to be undefined, or never to have been called.
func demandsSame(was, now *check) bool {
	if len(was.args) != 2 || len(now.args) != 1 || text(was.args[0]) != text(now.args[0]) {
		return false
	}
	switch last := now.name(); text(was.args[1]) {
	case "undefined":
		return last == "toBeUndefined" || last == "isUndefined"
	case "null":
		return last == "toBeNull" || last == "isNull"
	case "None":
		return last == "assertIsNone"
	case "nil":
		return last == "Nil"
	case "0":
		return was.Form == "len" && strings.Contains(now.callee, ".not.") && strings.HasSuffix(last, "Called")
	}
	return false
}

// emptied reports whether "x == []" has become "not x".
func emptied(was, now *check) bool {
	if len(was.args) != 2 || len(now.args) != 1 || len(now.args[0]) < 2 || now.args[0][0].Text != "not" && now.args[0][0].Text != "!" {
		return false
	}
	empty := strings.ReplaceAll(text(was.args[1]), " ", "")
	return slices.Contains([]string{"[]", "{}", "()", `""`}, empty) && text(was.args[0]) == text(now.args[0][1:])
}

// moreNames reports whether what is expected names everything that it named
// before, and something else.
func moreNames(was, now *check) bool {
	names := func(k *check) (out []string) {
		if len(k.args) == 0 {
			return nil
		}
		for i := range k.args[0] {
			if k.args[0][i].word() {
				out = append(out, k.args[0][i].Text)
			}
		}
		return out
	}
	a, b := names(was), names(now)
	return len(a) > 0 && len(b) > len(a) && hasToken(now.args[0], ",") && !slices.ContainsFunc(a, func(n string) bool { return !slices.Contains(b, n) })
}

// perCase reports whether an assertion takes what it expects from a row of a table.
func (k *check) perCase() bool {
	for i := 1; i < len(k.operands); i++ {
		if name := k.operands[i].Text; k.operands[i-1].Text == "." && (expectation(name) || name == "err") {
			return true
		}
	}
	return false
}

func orCall(form string) string {
	if form == "" {
		return "call"
	}
	return form
}

func opposite(was, now string) bool {
	return was == "error" && now == "no_error" || was == "no_error" && now == "error" || was == "nil" && now == "not_nil" || was == "not_nil" && now == "nil" ||
		was == "equal" && now == "not_equal"
}

// equalForms are forms that demand the same in other words.
func equalForms(a, b string) bool {
	same := func(x, y string) bool { return a == x && b == y || a == y && b == x }
	return same("truth", "compare") || same("truth", "contains") || same("truth", "not_equal") || same("compare", "len") || same("truth", "error") || same("truth", "len") || same("truth", "type")
}

// conditionLoosened looks at what joins the parts of a condition.
func conditionLoosened(was, now *check) string {
	if was.guard != now.guard {
		return ""
	}
	more := func(n func([]token) int) bool { return n(now.operands) > n(was.operands) }
	less := func(n func([]token) int) bool { return n(now.operands) < n(was.operands) }
	switch {
	case now.guard && more(both) && !less(either), now.guard && less(either) && !more(both) && len(now.operands) < len(was.operands):
		return "the test fails in fewer cases"
	case !now.guard && now.Form == was.Form && more(either) && now.callee == was.callee:
		return "it holds in more cases"
	case !now.guard && less(both) && now.callee == was.callee && len(now.operands) < len(was.operands):
		return "it holds in more cases"
	case now.Form == "compare" && was.Form == "compare" && now.guard && looser(was.operands, now.operands, "<=", "<"), now.Form == "compare" && now.guard && looser(was.operands, now.operands, ">=", ">"):
		return "the bound itself is let through"
	case now.Form == "compare" && !now.guard && looser(was.operands, now.operands, "<", "<="), now.Form == "compare" && !now.guard && looser(was.operands, now.operands, ">", ">="):
		return "the bound itself is let through"
	}
	return ""
}

func looser(was, now []token, from, to string) bool {
	return hasToken(was, from) && !hasToken(was, to) && hasToken(now, to) && !hasToken(now, from)
}

// helperStrength is the strength of the strongest assertion in the helper that
// a check calls, 0 when that is not known.
func (t *comparison) helperStrength(v *unit, k *check) int {
	best := 0
	for _, r := range v.calls {
		if r.Span.Start < k.Span.Start || r.Span.End > k.Span.End {
			continue
		}
		for _, id := range r.Targets {
			s, ok := t.after.snap.Symbol(id)
			if !ok {
				continue
			}
			for _, m := range marksOf(t.after.snap, s.Span.File, index.MarkAssertion) {
				if m.In == id {
					best = max(best, m.Strength)
				}
			}
		}
	}
	return best
}
