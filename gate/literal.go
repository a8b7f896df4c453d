package gate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A role is what a literal of a test is for.
type role uint8

const (
	input    role = iota // handed to what is tested
	expected             // compared with what it gives
	message              // shown when the test fails
	title                // names a subtest
	asserted             // an operand of an assertion, which is compared by itself
	limit                // how long or how often the test waits or tries
)

// A literalUse is a string or number of a unit with its role.
type literalUse struct {
	token
	role role
}

// literalsOf classes the literals of a unit.
func literalsOf(u *unit) []literalUse {
	var out []literalUse
	for i := range u.tokens {
		if !u.tokens[i].literal() || trivial(u.tokens[i].Text) {
			continue
		}
		out = append(out, literalUse{u.tokens[i], roleOf(u, i)})
	}
	return out
}

// trivial literals say nothing on their own.
func trivial(s string) bool { return s == `""` || s == "``" }

func roleOf(u *unit, i int) role {
	t := &u.tokens[i]
	for j := range u.checks {
		k := &u.checks[j]
		if slices.ContainsFunc(k.operands, func(o token) bool { return o.start == t.start }) {
			return asserted
		}
		if t.start >= k.Span.Start && t.end <= k.Span.End && k.Form != "output" {
			return message
		}
	}
	if u.isTitle(i) {
		return title
	}
	words := lineWords(u.tokens, i)
	if u.parts.within(index.Log, t.start) {
		return message
	}
	if timedWords(words) {
		return limit
	}
	return u.expectedOrInput(i, words)
}

// isTitle reports whether a string names a subtest.
func (u *unit) isTitle(i int) bool {
	t := &u.tokens[i]
	if t.Kind != index.TokenString {
		return false
	}
	name := strings.ReplaceAll(strings.Trim(t.Text, "\"`'"), " ", "_")
	for _, r := range u.rows {
		if t.start >= r.Span.Start && t.end <= r.Span.End && strings.HasSuffix(r.Text, "/"+name) {
			return true
		}
	}
	return i > 1 && u.tokens[i-1].Text == ":" && slices.Contains([]string{"name", "desc", "description", "title", "msg", "message", "comment"}, strings.ToLower(u.tokens[i-2].Text))
}

// expectedOrInput tells an expected value by the name that it is given, or by
// its place: a value in a row of a table whose key is not one of an input.
func (u *unit) expectedOrInput(i int, words []string) role {
	if key := u.keyOf(i); key != "" {
		switch {
		case expectation(key), slices.Contains([]string{"out", "err", "code", "status", "result"}, strings.ToLower(key)):
			return expected
		case givenName(key):
			return input
		case u.parts.within(index.Row, u.tokens[i].start):
			return expected
		}
		return input
	}
	if u.parts.within(index.Row, u.tokens[i].start) || u.compared(i) {
		return expected
	}
	if slices.ContainsFunc(words[:min(3, len(words))], expectation) {
		return expected
	}
	return input
}

func expectation(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "want") || strings.HasPrefix(name, "expect") || name == "exp" || strings.HasPrefix(name, "golden") || strings.HasSuffix(name, "want") || strings.HasSuffix(name, "expected")
}

func givenName(name string) bool {
	name = strings.ToLower(name)
	for _, p := range []string{"in", "input", "arg", "args", "given", "name", "desc", "setup", "path", "file", "src", "source", "url", "method", "body", "config", "opts", "options", "env", "header", "headers", "query", "key", "id", "request", "req", "param", "params"} {
		if name == p {
			return true
		}
	}
	return strings.HasPrefix(name, "input") || strings.HasPrefix(name, "given")
}

// keyOf is the key or variable that a literal is given to as it stands, "" if
// there is none. A variable counts by what its name says is expected.
func (u *unit) keyOf(i int) string {
	for _, e := range u.parts.of(index.Entry) {
		if int(e.Start) == u.tokens[i].start && (e.Form != index.FormVariable || expectation(e.Name)) {
			return e.Name
		}
	}
	return ""
}

// compared reports whether a literal is compared in a condition, or is the
// value of a case.
func (u *unit) compared(i int) bool {
	for _, b := range u.parts.of(index.Branch) {
		for _, c := range b.Parts {
			if !holds(c, u.tokens[i].start) {
				continue
			}
			return int(c.Start) >= int(b.Start) || i > 0 && isComparison(u.tokens[i-1].Text) || i+1 < len(u.tokens) && isComparison(u.tokens[i+1].Text)
		}
	}
	return false
}

// lineWords are the names and keywords of the token's line, in order.
func lineWords(tokens []token, i int) []string {
	from, to := i, i+1
	for from > 0 && tokens[from-1].Line == tokens[i].Line {
		from--
	}
	for to < len(tokens) && tokens[to].Line == tokens[i].Line {
		to++
	}
	var out []string
	for j := from; j < to; j++ {
		if tokens[j].word() {
			out = append(out, tokens[j].Text)
		}
	}
	return out
}

// literalDifference returns what only one of the two lists has.
func literalDifference(was, now []token) (gone, came []string) {
	a, b := count(was), count(now)
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if b[k] < a[k] && !trivial(k) {
			gone = append(gone, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if a[k] < b[k] && !trivial(k) {
			came = append(came, k)
		}
	}
	return gone, came
}

func listOf(values []string) string {
	if len(values) == 0 {
		return "nothing"
	}
	return strings.Join(values, ", ")
}

// compareLiterals reports values of a test, outside of its assertions, that are
// gone: expected values and rows of tables as such, inputs to be seen.
func (t *comparison) compareLiterals(u, v *unit) {
	was, now := literalsOf(u), literalsOf(v)
	have, had := count(v.tokens), count(u.tokens)
	haveIn, hadIn := byRole(now), byRole(was)
	came := map[role][]literalUse{}
	for _, l := range now {
		if have[l.Text] > had[l.Text] && haveIn[l.key()] > hadIn[l.key()] {
			came[l.role] = append(came[l.role], l)
		}
	}
	gone := map[role][]literalUse{}
	seen := map[string]bool{}
	for _, l := range was {
		if have[l.Text] >= had[l.Text] || haveIn[l.key()] >= hadIn[l.key()] || seen[l.key()] || t.inFinding(u, l) || t.movedAlong(v, l.Text) {
			continue
		}
		seen[l.key()] = true
		gone[l.role] = append(gone[l.role], l)
	}
	for _, r := range []role{expected, input} {
		if len(gone[r]) > 0 && (r == expected || !u.isRest()) {
			t.literalsGone(u, v, gone[r], came[r])
		}
	}
}

// movedAlong reports whether a literal stands in a new helper that the unit
// calls, over at most one other.
func (t *comparison) movedAlong(v *unit, text string) bool {
	has := func(w *unit) bool {
		return t.before.byKey[w.name()] == nil && slices.ContainsFunc(w.tokens, func(o token) bool { return o.Text == text })
	}
	for _, w := range t.after.units {
		if w == v || !calls(v, w) {
			continue
		}
		if has(w) || slices.ContainsFunc(t.after.units, func(x *unit) bool { return x != v && calls(w, x) && has(x) }) {
			return true
		}
	}
	return false
}

func (l *literalUse) key() string { return string(rune('0'+l.role)) + l.Text }

// byRole counts literals apart by their role.
func byRole(uses []literalUse) map[string]int {
	out := map[string]int{}
	for i := range uses {
		out[uses[i].key()]++
	}
	return out
}

// literalsGone files one finding for all values of one role that a test has lost.
func (t *comparison) literalsGone(u, v *unit, gone, came []literalUse) {
	was, now := spanOf(u, gone[0].token), v.sym.Ident
	if len(came) > 0 {
		now = spanOf(v, came[0].token)
	}
	values := listOf(textsOf(gone))
	switch {
	case gone[0].role == input:
		t.findings = append(t.findings, Finding{Rule: "tests.input-changed", Strength: Pass, Before: was, After: now, Symbol: u.name(),
			Reason: fmt.Sprintf("%s no longer uses %s", u.sym.Name, values), Alternative: "add a case instead of changing one"})
	case len(came) > 0:
		t.add("tests.expected-changed", was, now, u, fmt.Sprintf("in %s expected values change: gone is %s, new is %s", u.sym.Name, values, listOf(textsOf(came))),
			"keep the expected value, or give the requirement that changes it as the reason")
	default:
		t.add("tests.expected-changed", was, now, u, fmt.Sprintf("in %s the case with %s is gone", u.sym.Name, values), "leave the case in, and put right what it finds")
	}
}

// textsOf are the first few literals as written.
func textsOf(uses []literalUse) []string {
	const shown = 5
	var out []string
	for _, l := range uses[:min(shown, len(uses))] {
		out = append(out, l.Text)
	}
	if len(uses) > shown {
		out = append(out, fmt.Sprintf("and %d more", len(uses)-shown))
	}
	return out
}

// inFinding reports whether a literal stands in something of the unit that is
// reported already, such as a removed case.
func (t *comparison) inFinding(u *unit, l literalUse) bool {
	return slices.ContainsFunc(t.findings, func(f Finding) bool {
		return f.Symbol == u.name() && f.Before.File == u.file && f.Before.Start <= l.start && l.end <= f.Before.End && f.Strength != Pass
	})
}

func column(src []byte, offset int) int {
	return offset - strings.LastIndexByte(string(src[:min(offset, len(src))]), '\n')
}

// quantity is the value of a number token, ok only for plain decimal ones.
func quantity(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return v, err == nil
}

// widened reports whether a value may be further off than before.
func widened(was, now *check) bool { return was.tolerance >= 0 && now.tolerance > was.tolerance }
