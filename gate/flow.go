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
	if v.test {
		t.returns(u, v)
	}
	t.hiddenExit(u, v)
	t.fewerRounds(u, v)
	if n := recovers(v); len(n) > len(recovers(u)) && len(v.checks) <= len(u.checks) {
		t.add("tests.failure-hidden", u.sym.Ident, spanOf(v, n[len(n)-1]), u, u.sym.Name+" catches a panic now and says nothing", "let the panic fail the test")
	}
}

// recovers are the calls that catch a panic.
func recovers(u *unit) []token {
	var out []token
	for i := 0; i+1 < len(u.tokens); i++ {
		if u.tokens[i].Text == "recover" && u.tokens[i+1].Text == "(" {
			out = append(out, u.tokens[i])
		}
	}
	return out
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
	start := innermost(v.blocks, o.Span.Start)
	i := slices.IndexFunc(v.blocks, func(b block) bool { return b.start == start })
	if i < 0 {
		return false
	}
	b := v.blocks[i]
	line := strings.LastIndexByte(string(v.src[:b.start]), '\n')
	asserts := func(from, to int) bool {
		return slices.ContainsFunc(v.checks, func(k check) bool { return k.Span.Start >= from && k.Span.Start < to })
	}
	if asserts(line, b.start) {
		return true
	}
	for _, other := range v.blocks {
		if other.end > 0 && other.end <= b.start && isElse(v.src[other.end:b.start]) && asserts(other.start, other.end) {
			return true
		}
		if b.end > 0 && other.start >= b.end && isElse(v.src[b.end:other.start]) && asserts(other.start, max(other.end, other.start)) {
			return true
		}
	}
	return false
}

// isElse reports whether nothing but the start of another branch stands between
// two blocks.
func isElse(between []byte) bool {
	s := strings.TrimSpace(string(between))
	return strings.HasPrefix(s, "else") && !strings.ContainsAny(s, "{}\n")
}

// returns reports a test that ends early now: it has a return of its own more
// that follows no assertion of its block, or one that stands before more of them.
func (t *comparison) returns(u, v *unit) {
	was, now := earlyReturns(u), earlyReturns(v)
	for i, tok := range now {
		skipped := assertsAfter(v, tok)
		if skipped == 0 || i < len(was) && len(now) <= len(was) && skipped-len(v.checks) <= assertsAfter(u, was[i])-len(u.checks) {
			continue
		}
		if slices.ContainsFunc(was, func(o token) bool { return returnLine(u, o) == returnLine(v, tok) }) {
			continue
		}
		t.add("tests.skipped", u.sym.Ident, spanOf(v, tok), u, u.sym.Name+" can end now before its assertions", "leave the test to run to its end")
		return
	}
}

// returnLine is what stands on the line of a return and on the two before it.
func returnLine(u *unit, tok token) string {
	var b strings.Builder
	for i := range u.tokens {
		if l := u.tokens[i].Line; l >= tok.Line-2 && l <= tok.Line {
			b.WriteString(u.tokens[i].Text + " ")
		}
	}
	return b.String()
}

// earlyReturns are the ends of a test, of a subtest or of one round of a loop
// that no assertion has led to.
func earlyReturns(u *unit) []token {
	var out []token
	for i := range u.tokens {
		tok := u.tokens[i]
		if tok.Kind == index.TokenString || tok.Text != "return" && tok.Text != "continue" && tok.Text != "break" || reported(u, tok) {
			continue
		}
		if tok.Text == "break" && !inLoop(u.blocks, tok.start) || inClosure(u.blocks, tok.start) && hasValue(u.tokens, i) {
			continue
		}
		out = append(out, tok)
	}
	return out
}

// hasValue reports whether something stands on the line behind a token: the
// return of a function that gives a value is no end of a test.
func hasValue(tokens []token, i int) bool {
	return i+1 < len(tokens) && tokens[i+1].Line == tokens[i].Line && tokens[i+1].Text != "}" && tokens[i+1].Text != ";"
}

// inLoop reports whether the innermost loop or choice around an offset is a loop.
func inLoop(blocks []block, offset int) bool {
	openers := around(blocks, offset)
	for i := len(openers) - 1; i >= 0; i-- {
		switch openers[i] {
		case "for", "while":
			return true
		case "switch", "select", "func":
			return false
		}
	}
	return false
}

// reported reports whether an assertion or skip of the same block stands before
// a return: the test has then said why it ends.
func reported(u *unit, tok token) bool {
	start := innermost(u.blocks, tok.start)
	for i := range u.checks {
		if s := u.checks[i].Span.Start; s > start && s < tok.start && innermost(u.blocks, s) == start {
			return true
		}
	}
	return slices.ContainsFunc(u.skips, func(m index.Mark) bool {
		return m.Span.Start > start && m.Span.Start < tok.start && innermost(u.blocks, m.Span.Start) == start
	})
}

func innermost(blocks []block, offset int) int {
	best := -1
	for _, b := range blocks {
		if b.start < offset && (b.end < 0 || offset < b.end) && b.start > best {
			best = b.start
		}
	}
	return best
}

// assertsAfter counts the assertions that an early end keeps from being reached:
// those behind it in the same function.
func assertsAfter(v *unit, tok token) int {
	end := len(v.src)
	for _, b := range v.blocks {
		if (b.opener == "func" || b.opener == "go" || b.opener == "for" && tok.Text != "return") && b.start < tok.start && tok.start < b.end {
			end = min(end, b.end)
		}
	}
	n := 0
	for i := range v.checks {
		if s := v.checks[i].Span.Start; s > tok.start && s < end {
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
	was := ranges(u)
	for name, now := range ranges(v) {
		if old, ok := was[name]; ok && hasToken(now, "[") && !hasToken(old, "[") && hasToken(now, ":") {
			t.add("tests.skipped", u.sym.Ident, spanOf(v, now[0]), u, fmt.Sprintf("%s goes over %s instead of %s", v.sym.Name, text(now), text(old)), "go over every case")
		}
	}
}

// ranges are the tokens that each loop of a unit goes over, by their first.
func ranges(u *unit) map[string][]token {
	out := map[string][]token{}
	for i := range u.tokens {
		if u.tokens[i].Text != "range" || u.tokens[i].Kind == index.TokenString || i+1 == len(u.tokens) {
			continue
		}
		j := i + 1
		for j < len(u.tokens) && u.tokens[j].Text != "{" && u.tokens[j].Line == u.tokens[i].Line {
			j++
		}
		if j > i+1 {
			out[u.tokens[i+1].Text] = u.tokens[i+1 : j]
		}
	}
	return out
}

// hiddenExit reports a test program that ends as if it had passed.
func (t *comparison) hiddenExit(u, v *unit) {
	exits := func(w *unit) (n, last int) {
		for i := 0; i+2 < len(w.tokens); i++ {
			if w.tokens[i].Text == "Exit" && w.tokens[i+1].Text == "(" && w.tokens[i+2].Text == "0" {
				n, last = n+1, i
			}
		}
		return n, last
	}
	was, _ := exits(u)
	now, i := exits(v)
	if now > was {
		t.add("tests.failure-hidden", u.sym.Ident, spanOf(v, v.tokens[i]), u, u.sym.Name+" ends the test program as if it had passed", "hand on the code that the tests give")
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
		if i < len(u.skips) && m.Form == "skip" && conditions(v.blocks, m.Span.Start) < conditions(u.blocks, u.skips[i].Span.Start) {
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
	suffix := func(m index.Mark) string {
		_, s, _ := strings.Cut(m.Text, "/")
		return s
	}
	now := map[string]int{}
	for _, m := range v.rows {
		now[suffix(m)]++
	}
	fresh := freshRows(u, v, suffix)
	for _, m := range u.rows {
		if now[suffix(m)] > 0 {
			now[suffix(m)]--
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

func freshRows(u, v *unit, suffix func(index.Mark) string) []index.Mark {
	have := map[string]int{}
	for _, m := range u.rows {
		have[suffix(m)]++
	}
	var out []index.Mark
	for _, m := range v.rows {
		if have[suffix(m)] > 0 {
			have[suffix(m)]--
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
