package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// compareFlow reports what keeps unchanged assertions from being reached, or
// their failure from being seen.
func (t *comparison) compareFlow(u, v *unit) {
	t.compareLimits(u, v)
	t.deeper(u, v)
	t.returns(u, v)
	t.overwritten(u, v)
	t.replaced(u, v)
	t.leftOut(u, v)
	t.hiddenExit(u, v)
	t.fewerRounds(u, v)
	was, now := u.parts.of(index.Swallow), v.parts.of(index.Swallow)
	covered := !u.isRest() || slices.ContainsFunc(now, func(s index.Statement) bool { return covers(u, v, s) })
	if n := len(now); n > len(was) && len(v.checks) <= len(u.checks) && covered {
		t.add("tests.failure-hidden", u.sym.Ident, v.place(now[n-1]), u, u.sym.Name+" catches a failure now and says nothing", "let the failure fail the test")
	}
}

// deeper reports assertions that stand as they did, but under more conditions.
func (t *comparison) deeper(u, v *unit) {
	used := make([]bool, len(v.checks))
	for i := range u.checks {
		k := &u.checks[i]
		best := -1
		for j := range v.checks {
			if !used[j] && k.same(&v.checks[j]) && (best < 0 || closer(k.depth, v.checks[j].depth, v.checks[best].depth)) {
				best = j
			}
		}
		if best < 0 {
			continue
		}
		used[best] = true
		if o := &v.checks[best]; o.depth > k.depth && !settled(v, o) {
			t.add("tests.assertion-loosened", k.Span, o.Span, u, fmt.Sprintf("in %s %q is asserted under a condition only", u.sym.Name, k.source()), "assert it in every case")
		}
	}
}

// settled reports whether the condition around an assertion is none that lets
// a failure pass: it is an assertion itself, or its other branch asserts too.
func settled(v *unit, o *check) bool {
	asserts := func(from, to uint32) bool {
		return slices.ContainsFunc(v.checks, func(k check) bool {
			return k.Span.Start >= int(from) && k.Span.Start < int(to) && k.vacuous() == ""
		})
	}
	blocks := v.parts.around(o.Span.Start)
	if len(blocks) == 0 {
		return false
	}
	b := blocks[len(blocks)-1]
	for _, c := range b.Parts {
		if asserts(c.Start, c.End) {
			return true
		}
	}
	for _, other := range v.parts.of(index.Branch) {
		if b.Kind == index.Branch && other.Head == b.Head && other.Start != b.Start && asserts(other.Start, other.End) {
			return true
		}
	}
	return false
}

// returns reports a test that ends early now: it has a return of its own more
// that follows no assertion of its block, or one that stands before more of them.
// A helper may end where a condition says so.
func (t *comparison) returns(u, v *unit) {
	was, now := earlyReturns(u), earlyReturns(v)
	for i, end := range now {
		if !v.test && !v.always(end) && !v.looksAround(end) {
			continue
		}
		skipped := assertsAfter(v, end)
		if skipped == 0 || i < len(was) && len(now) <= len(was) && skipped-len(v.checks) <= assertsAfter(u, was[i])-len(u.checks) {
			continue
		}
		if slices.ContainsFunc(was, func(o index.Statement) bool { return returnLine(u, o) == returnLine(v, end) }) {
			continue
		}
		t.add("tests.skipped", u.sym.Ident, v.place(end), u, u.sym.Name+" can end now before its assertions", "leave the test to run to its end")
		return
	}
}

// returnLine is what stands on the line of an early end and on the two before it.
func returnLine(u *unit, end index.Statement) string {
	var b strings.Builder
	line := u.place(end).Line
	for i := range u.tokens {
		if l := u.tokens[i].Line; l >= line-2 && l <= line {
			b.WriteString(u.tokens[i].Text + " ")
		}
	}
	return b.String()
}

// earlyReturns are the ends of a test, of a subtest or of one round of a loop
// that no assertion has led to. The return of a function inside the test that
// gives a value is none.
func earlyReturns(u *unit) []index.Statement {
	var out []index.Statement
	for _, st := range u.parts.of(index.Return, index.ReturnValue, index.Continue, index.Break) {
		if !reported(u, st) && (st.Kind != index.ReturnValue || !u.parts.inClosure(int(st.Start))) {
			out = append(out, st)
		}
	}
	return out
}

// reported reports whether an assertion or skip of the same block stands before
// a return: the test has then said why it ends.
func reported(u *unit, end index.Statement) bool {
	if u.always(end) {
		return false
	}
	at := int(end.Start)
	start := u.parts.innermost(at)
	before := func(s int) bool { return s > start && s < at && u.parts.innermost(s) == start }
	return slices.ContainsFunc(u.checks, func(k check) bool { return before(k.Span.Start) }) ||
		slices.ContainsFunc(u.skips, func(m index.Mark) bool { return before(m.Span.Start) })
}

// always reports whether every run of the function comes to an end that stands
// in it, so that nothing behind it is ever run.
func (u *unit) always(end index.Statement) bool {
	blocks := u.parts.around(int(end.Start))
	return len(blocks) == 0 || blocks[len(blocks)-1].Kind == index.Function
}

// looksAround reports whether the condition around an end asks where it runs.
func (u *unit) looksAround(end index.Statement) bool {
	return slices.ContainsFunc(u.parts.around(int(end.Start)), func(b index.Statement) bool { return b.Kind == index.Branch && b.Form == index.FormSurroundings })
}

// assertsAfter counts the assertions that an early end keeps from being reached:
// those behind it in the same function, or in the same round of a loop.
func assertsAfter(v *unit, st index.Statement) int {
	end := len(v.src)
	for _, b := range v.parts.around(int(st.Start)) {
		round := b.Kind == index.Loop && st.Kind != index.Return && st.Kind != index.ReturnValue
		if b.Kind == index.Function || b.Kind == index.Concurrent || round {
			end = min(end, int(b.End))
		}
	}
	n := 0
	for i := range v.checks {
		if s := v.checks[i].Span.Start; s > int(st.Start) && s < end {
			n++
		}
	}
	return n
}

// fewerRounds reports a loop over cases that goes over a part of them now.
func (t *comparison) fewerRounds(u, v *unit) {
	if len(v.checks) == 0 {
		return
	}
	was := u.parts.of(index.Over)
	for _, now := range v.parts.of(index.Over) {
		if j := slices.IndexFunc(was, func(o index.Statement) bool { return o.Name == now.Name && o.Form == index.FormRows }); now.Form == index.FormRows && j >= 0 && now.Value < was[j].Value {
			t.add("tests.removed", u.place(was[j]), v.place(now), u, fmt.Sprintf("%s goes over %d cases instead of %d", v.sym.Name, int(now.Value), int(was[j].Value)), "go over every case")
		}
		i := slices.IndexFunc(was, func(o index.Statement) bool { return o.Name == now.Name && o.Form == "" })
		if b, ok := emptiedBefore(v, now); ok && slices.ContainsFunc(was, func(o index.Statement) bool { return o.Name == now.Name }) {
			if _, before := emptiedBefore(u, now); !before {
				t.add("tests.removed", u.sym.Ident, v.place(b), u, fmt.Sprintf("%s empties %s before it goes over it", v.sym.Name, now.Name), "go over every case")
			}
		}
		if now.Form == index.FormPart && i >= 0 {
			t.add("tests.skipped", u.sym.Ident, v.place(now), u, fmt.Sprintf("%s goes over %s instead of %s", v.sym.Name, v.written(now), u.written(was[i])), "go over every case")
		}
	}
}

// emptiedBefore is where a unit takes everything out of what it goes over then.
func emptiedBefore(u *unit, over index.Statement) (index.Statement, bool) {
	var last index.Statement
	for _, b := range u.parts.of(index.Bind) {
		if b.Name == over.Name && b.Start < over.Start {
			last = b
		}
	}
	return last, last.Form == index.FormEmpty && last.End > 0
}

// hiddenExit reports a test program that ends as if it had passed.
func (t *comparison) hiddenExit(u, v *unit) {
	was, now := u.parts.of(index.ExitSuccess), v.parts.of(index.ExitSuccess)
	if n := len(now); n > len(was) {
		t.add("tests.failure-hidden", u.sym.Ident, v.place(now[n-1]), u, u.sym.Name+" ends the test program as if it had passed", "hand on the code that the tests give")
	}
}

// hides reports a helper, or a test, in which a skip has taken the place of a
// failure. It says whether it has found one; the assertion and the skip are
// then not reported again.
func (t *comparison) hides(u, v *unit) bool {
	left, right := matchSame(u, v)
	added := addedSkips(u, v)
	if len(left) <= len(right) || len(added) == 0 {
		return false
	}
	t.add("tests.failure-hidden", left[0].Span, added[0].Span, u, fmt.Sprintf("%s skips with %q where it failed with %q", v.sym.Name, added[0].Text, left[0].source()), "let the failure be a failure")
	return true
}

// addedSkips are the skips that only v has.
func addedSkips(u, v *unit) []index.Mark {
	have := map[string]int{}
	for _, m := range u.skips {
		have[m.Form]++
	}
	var out []index.Mark
	for _, m := range v.skips {
		if have[m.Form] > 0 {
			have[m.Form]--
			continue
		}
		out = append(out, m)
	}
	if len(out) == 0 && len(v.skips) > 0 {
		return movedSkips(u, v)
	}
	return out
}

// movedSkips are skips that stood under a condition and stand under fewer now.
func movedSkips(u, v *unit) []index.Mark {
	var out []index.Mark
	for i, m := range v.skips {
		if i < len(u.skips) && m.Form == "skip" && v.parts.conditions(m.Span.Start) < u.parts.conditions(u.skips[i].Span.Start) {
			out = append(out, m)
		}
	}
	return out
}

func (t *comparison) compareSkips(u, v *unit) {
	for _, m := range addedSkips(u, v) {
		if m.Form == "short" && slices.ContainsFunc(addedSkips(u, v), func(o index.Mark) bool { return o.Form != "short" }) {
			continue // the condition of the skip that is reported
		}
		t.add("tests.skipped", u.sym.Ident, m.Span, u, fmt.Sprintf("%s is skipped now by %q", v.sym.Name, m.Text), "leave the test to run, and put right what it finds")
	}
	if was, now := skipConditions(u), skipConditions(v); len(u.skips) == len(v.skips) && len(addedSkips(u, v)) == 0 {
		for i := range now {
			if i < len(was) && was[i] != now[i] && strings.Contains(now[i], "||") && !strings.Contains(was[i], "||") {
				t.add("tests.skipped", u.skips[i].Span, v.skips[i].Span, u, fmt.Sprintf("%s is skipped in more cases: %q becomes %q", v.sym.Name, was[i], now[i]), "leave the test to run, and put right what it finds")
			}
		}
	}
}

// skipConditions are the lines before the skips of a unit.
func skipConditions(u *unit) []string {
	var out []string
	for _, m := range u.skips {
		var b strings.Builder
		for i := range u.tokens {
			if l := u.tokens[i].Line; (l == m.Span.Line || l == m.Span.Line-1) && u.tokens[i].start < m.Span.Start {
				b.WriteString(u.tokens[i].Text + " ")
			}
		}
		out = append(out, b.String())
	}
	return out
}

// compareRows reports subtests that are gone.
func (t *comparison) compareRows(u, v *unit) {
	now := map[string]int{}
	for _, m := range v.rows {
		now[v.rowName(m)]++
	}
	fresh := freshRows(u, v)
	for _, m := range u.rows {
		if now[u.rowName(m)] > 0 {
			now[u.rowName(m)]--
			continue
		}
		if strings.Contains(text(v.tokens), text(within(u.tokens, m.Span.Start, m.Span.End))) {
			continue // it is there; what goes over it changed
		}
		if i := slices.IndexFunc(fresh, func(o index.Mark) bool { return sameRow(u, v, m, o) }); i >= 0 {
			fresh = slices.Delete(fresh, i, i+1)
			continue
		}
		if place, ok := t.after.commented(t.before, string(u.src[m.Span.Start:m.Span.End])); ok {
			t.add("tests.commented-out", m.Span, place, u, fmt.Sprintf("the case %s is commented out", m.Text), "leave the case in, and put right what it finds")
			continue
		}
		t.add("tests.removed", m.Span, v.sym.Ident, u, fmt.Sprintf("the case %s is removed", m.Text), "leave the case in, and put right what it finds")
	}
}

// rowName is what a subtest is called inside of its test.
func (u *unit) rowName(m index.Mark) string { return strings.TrimPrefix(m.Text, u.title) }

func freshRows(u, v *unit) []index.Mark {
	have := map[string]int{}
	for _, m := range u.rows {
		have[u.rowName(m)]++
	}
	var out []index.Mark
	for _, m := range v.rows {
		if have[v.rowName(m)] > 0 {
			have[v.rowName(m)]--
		} else {
			out = append(out, m)
		}
	}
	return out
}

// sameRow reports whether a row is another under a new name only: it has at
// least the same literals, but for one, its name.
func sameRow(u, v *unit, m, o index.Mark) bool {
	gone, came := literalDifference(within(u.tokens, m.Span.Start, m.Span.End), within(v.tokens, o.Span.Start, o.Span.End))
	return len(gone) <= 1 && len(came) <= 1 && alike(within(u.tokens, m.Span.Start, m.Span.End), within(v.tokens, o.Span.Start, o.Span.End)) >= 0.5 ||
		len(gone) <= 1 && len(within(u.tokens, m.Span.Start, m.Span.End)) <= 5
}
