package gate

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A check is one assertion of a unit.
type check struct {
	index.Mark
	// guard says that the assertion is a condition before a call that fails the
	// test; Text is then the condition, and the call's arguments are a message.
	guard bool
	// operands are the tokens of what is asserted, without callee, testing
	// object and message; args are the values that are compared.
	operands []token
	args     [][]token
	// spelled are the operands with the values of their variables in their place.
	spelled []token
	callee  string
	// tolerance is how far off a value may be, -1 where it may not.
	tolerance float64
	depth     int // conditions around it
}

func newCheck(u *unit, m index.Mark) check {
	k := check{Mark: m, depth: u.parts.conditions(m.Span.Start)}
	a, ok := u.parts.assertion(m)
	if !ok {
		k.operands = within(u.tokens, m.Span.Start, m.Span.End)
		k.spelled = k.operands
		return k
	}
	k.guard, k.callee = a.Form == index.FormGuard, a.Name
	for _, r := range a.Parts {
		k.args = append(k.args, within(u.tokens, int(r.Start), int(r.End)))
	}
	k.operands = slices.Concat(k.args...)
	if a.Condition.End > a.Condition.Start {
		k.operands = within(u.tokens, int(a.Condition.Start), int(a.Condition.End))
	}
	k.spelled = spelled(u, &k)
	k.tolerance = -1
	for _, t := range u.parts.of(index.Tolerance) {
		if a.Start <= t.Start && t.End <= a.End || a.Condition.Start <= t.Start && t.End <= a.Condition.End {
			k.tolerance = max(k.tolerance, t.Value)
		}
	}
	return k
}

// thrown are the assertions of a test that a language's own words make: what is
// thrown under a condition, where nothing marks it.
func (u *unit) thrown() []check {
	if !u.test {
		return nil
	}
	var out []check
	for _, a := range u.parts.of(index.Assertion) {
		if a.Name != index.NameThrow || a.Form != index.FormGuard || slices.ContainsFunc(u.checks, func(k check) bool { return k.Span.Start == int(a.Start) }) {
			continue
		}
		out = append(out, newCheck(u, index.Mark{Kind: index.MarkAssertion, Span: u.place(a), Form: "fail", Text: u.written(a)}))
	}
	return out
}

// spelled puts the value that a variable was given last in the place of an
// operand that is one.
func spelled(u *unit, k *check) []token {
	var out []token
	for _, arg := range k.args {
		value := arg
		if name := variable(arg); name != "" {
			for _, e := range u.parts.of(index.Entry) {
				if e.Form == index.FormVariable && e.Name == name && int(e.End) <= k.Span.Start {
					value = within(u.tokens, int(e.Start), int(e.End))
				}
			}
		}
		out = append(out, value...)
	}
	return out
}

func isComparison(t string) bool {
	return slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, t)
}

// vacuous says why an assertion can never fail, "" when it can.
func (k *check) vacuous() string {
	switch {
	case len(k.args) == 2 && len(k.args[0]) > 0 && text(k.args[0]) == text(k.args[1]) && k.Form != "not_equal":
		return "compares a value with itself"
	case len(k.args) == 2 && len(k.args[0]) == 1 && spreads(k.args[1], k.args[0][0].Text) && k.Form != "not_equal":
		return "takes what it expects from what came"
	case !k.guard && k.Form == "truth" && len(k.args) == 1 && constant(text(k.args[0])):
		return "asserts a constant"
	case !k.guard && either(k.operands) > 0 && (constant(k.operands[len(k.operands)-1].Text) || constant(k.operands[0].Text)):
		return "holds whatever comes"
	case k.guard && len(k.operands) > 0 && (never(k.operands[0].Text) || slices.ContainsFunc(k.operands, func(t token) bool { return never(t.Text) }) && both(k.operands) > 0):
		return "stands under a condition that never holds"
	}
	return ""
}

// taken reports whether an assertion takes a part of what it expects from what came.
func (k *check) taken() bool {
	if len(k.args) != 2 || len(k.args[0]) != 1 {
		return false
	}
	args := k.args[1]
	for i := 1; i < len(args); i++ {
		if args[i].Text == k.args[0][0].Text && (args[i-1].Text == "..." || args[i-1].Text == "**") {
			return true
		}
	}
	return false
}

// missing are the literals of one assertion that the other does not have.
func missing(was, now *check) []string {
	have := count(now.operands)
	var out []string
	for l := range count(was.operands) {
		if have[l] == 0 {
			out = append(out, l)
		}
	}
	return out
}

// spreads reports whether a composite takes in all that a name holds, and nothing
// behind it says otherwise.
func spreads(tokens []token, name string) bool {
	for i := 1; i < len(tokens); i++ {
		if tokens[i].Text == name && (tokens[i-1].Text == "..." || tokens[i-1].Text == "**") {
			return !slices.ContainsFunc(tokens[i+1:], func(t token) bool { return t.Text != "," && t.Text != "}" && t.Text != ")" && t.Text != "]" })
		}
	}
	return false
}

// constant reports whether a text is a value that holds, or does not, by itself.
func constant(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "1":
		return true
	}
	return false
}

func never(s string) bool { return strings.EqualFold(s, "false") || s == "0" }

// either and both count what joins conditions.
func either(tokens []token) int { return countToken(tokens, "||") + countToken(tokens, "or") }
func both(tokens []token) int   { return countToken(tokens, "&&") + countToken(tokens, "and") }

func hasToken(tokens []token, text string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.Text == text })
}

func countToken(tokens []token, text string) int {
	n := 0
	for i := range tokens {
		if tokens[i].Text == text {
			n++
		}
	}
	return n
}

// source is the assertion as written; of a guard, its condition.
func (k *check) source() string { return squeeze(k.Text) }

// same reports whether two assertions assert the same, messages apart.
func (k *check) same(o *check) bool {
	if k.Form != o.Form || k.Strength != o.Strength || k.guard != o.guard || k.guard && text(k.operands) != text(o.operands) {
		return false
	}
	if k.source() == o.source() {
		return true
	}
	if k.tolerance != o.tolerance {
		return false
	}
	return len(k.operands) > 0 && text(k.operands) == text(o.operands) && k.callee == o.callee
}
