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
	// object and message; args splits them at commas, for a guard at its operator.
	operands []token
	args     [][]token
	callee   string
	depth    int // conditions around it
}

func newCheck(u *unit, m index.Mark) check {
	k := check{Mark: m, depth: conditions(u.blocks, m.Span.Start)}
	inside := within(u.tokens, m.Span.Start, m.Span.End)
	written := squeeze(string(u.src[m.Span.Start:min(m.Span.End, len(u.src))]))
	k.guard = m.Form != "output" && !strings.HasPrefix(written, strings.TrimSuffix(squeeze(m.Text), "…"))
	if k.guard {
		k.operands = guardTokens(u, m)
		k.args = splitAt(k.operands, isComparison)
		return k
	}
	open := slices.IndexFunc(inside, func(t token) bool { return t.Text == "(" })
	if open < 0 || len(inside) < 2 {
		k.operands = inside
		return k
	}
	k.callee = strings.ReplaceAll(text(inside[:open]), " ", "")
	args := splitAt(inside[open+1:len(inside)-1], func(t string) bool { return t == "," })
	if len(args) > 0 && isTester(args[0]) {
		args = args[1:]
	}
	if n := operandCount(m.Form, m.Strength); n >= 0 && n < len(args) {
		args = args[:n]
	}
	k.args = args
	k.operands = slices.Concat(args...)
	return k
}

// guardTokens are the tokens of the condition that stands before the call.
func guardTokens(u *unit, m index.Mark) []token {
	want := strings.ReplaceAll(strings.TrimSuffix(m.Text, "…"), " ", "")
	before := within(u.tokens, u.sym.Span.Start, m.Span.Start)
	for i := len(before) - 1; i >= 0; i-- {
		var b strings.Builder
		for j := i; j < len(before) && b.Len() < len(want); j++ {
			b.WriteString(strings.Join(strings.Fields(before[j].Text), ""))
			if b.String() == want {
				return before[i : j+1]
			}
		}
	}
	return nil
}

func isComparison(t string) bool {
	return slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, t)
}

// splitAt splits tokens at separators outside of brackets.
func splitAt(tokens []token, separator func(string) bool) [][]token {
	var out [][]token
	depth, from := 0, 0
	for i := range tokens {
		switch t := tokens[i].Text; {
		case t == "(" || t == "[" || t == "{":
			depth++
		case t == ")" || t == "]" || t == "}":
			depth--
		case depth == 0 && separator(t):
			out = append(out, tokens[from:i])
			from = i + 1
		}
	}
	if from < len(tokens) {
		out = append(out, tokens[from:])
	}
	return out
}

// isTester reports whether an argument is the testing object that assertions
// are given first.
func isTester(arg []token) bool {
	if len(arg) == 0 || len(arg) > 5 {
		return false
	}
	s := strings.ReplaceAll(text(arg), " ", "")
	return s == "t" || s == "b" || s == "f" || s == "tb" || strings.HasSuffix(s, ".T()") || strings.HasSuffix(s, ".t")
}

// operandCount is how many arguments of a call assert something; what follows
// is a message. -1 means all.
func operandCount(form string, strength int) int {
	switch form {
	case "truth", "nil", "not_nil", "not_empty", "no_error", "exists":
		return 1
	case "error":
		if strength == 1 {
			return 1
		}
		return 2
	case "equal", "not_equal", "contains", "len", "compare", "type":
		return 2
	case "tolerance":
		return 3
	case "fail":
		return 0
	}
	return -1
}

// vacuous says why an assertion can never fail, "" when it can.
func (k *check) vacuous() string {
	switch {
	case len(k.args) == 2 && len(k.args[0]) > 0 && text(k.args[0]) == text(k.args[1]) && k.Form != "not_equal":
		return "compares a value with itself"
	case !k.guard && k.Form == "truth" && len(k.args) == 1 && (text(k.args[0]) == "true" || text(k.args[0]) == "false"):
		return "asserts a constant"
	case k.guard && len(k.operands) > 0 && (k.operands[0].Text == "false" || slices.ContainsFunc(k.operands, func(t token) bool { return t.Text == "false" }) && hasToken(k.operands, "&&")):
		return "stands under a condition that never holds"
	}
	return ""
}

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
	if k.Form != o.Form || k.Strength != o.Strength || k.guard != o.guard {
		return false
	}
	if k.source() == o.source() {
		return true
	}
	return len(k.operands) > 0 && text(k.operands) == text(o.operands) && k.callee == o.callee
}
