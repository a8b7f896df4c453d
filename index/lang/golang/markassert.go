package golang

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// assertionCall marks the call at n if it can fail a test, and reports whether it can.
func (x *extractor) assertionCall(n int32, c callee) bool {
	switch {
	case c.testing:
		x.failure(n)
	case x.isAssertPackage(c.on):
		x.libraryAssertion(n, c)
	case c.on == "" && !c.local && x.bindsTesting(x.argument(n, 0)):
		x.mark(index.MarkAssertion, n, x.textOf(n), "helper", 0)
	default:
		return false
	}
	return true
}

// bindsTesting reports whether node n is an identifier bound to a testing.TB.
func (x *extractor) bindsTesting(n int32) bool {
	if x.kind(n) != kIdentifier {
		return false
	}
	b := x.bound[x.word(n)].to
	return b < 0 && x.isTesting(x.Make(opLocal, -1, -b-1, -1))
}

// failure marks t.Error and its like. What it asserts is the opposite of the
// condition that it stands under.
func (x *extractor) failure(n int32) {
	cond, holds := x.guard(n)
	if cond < 0 {
		x.mark(index.MarkAssertion, n, x.textOf(n), "fail", 0)
		return
	}
	form, strength := x.judge(cond, holds, 0)
	x.mark(index.MarkAssertion, n, x.textOf(cond), form, strength)
}

// guard returns the condition of the if statement whose branch holds statement
// n directly, and whether the branch is not taken when the condition holds.
func (x *extractor) guard(n int32) (cond int32, holds bool) {
	statement := x.nodes[n].Parent
	if statement < 0 || x.kind(statement) != kExpressionStatement {
		return -1, false
	}
	block := x.nodes[statement].Parent
	if block < 0 || x.kind(block) != kBlock {
		return -1, false
	}
	parent := x.nodes[block].Parent
	if parent < 0 || x.kind(parent) != kIf {
		return -1, false
	}
	return x.child(parent, x.g.condition), x.nodes[block].Field != x.g.consequence
}

// judge classes the assertion that the expression at n is true (holds) or false.
func (x *extractor) judge(n int32, holds bool, depth int) (form string, strength uint8) {
	if depth > maxJudged {
		return "truth", 0
	}
	switch x.kind(n) {
	case kParenthesized:
		if c := x.firstNamed(n); c >= 0 {
			return x.judge(c, holds, depth+1)
		}
	case kUnary:
		if c := x.child(n, x.g.operand); c >= 0 && x.src[x.nodes[n].Start] == '!' {
			return x.judge(c, !holds, depth+1)
		}
	case kBinary:
		return x.judgeBinary(n, holds, depth)
	case kCall:
		return x.judgeCall(n, holds)
	}
	return "truth", 2
}

// maxJudged is how deep a condition is looked into.
const maxJudged = 50

func (x *extractor) judgeBinary(n int32, holds bool, depth int) (string, uint8) {
	l, r, op := x.child(n, x.g.left), x.child(n, x.g.right), x.child(n, x.g.operator)
	if l < 0 || r < 0 || op < 0 {
		return "truth", 0
	}
	switch text := string(x.t.Text(op)); text {
	case "&&", "||":
		lf, ls := x.judge(l, holds, depth+1)
		rf, rs := x.judge(r, holds, depth+1)
		if both := (text == "&&") == holds; (ls >= rs) == both {
			return lf, ls
		}
		return rf, rs
	case "==", "!=":
		return x.judgeEqual(l, r, (text == "==") == holds)
	case "<", ">", "<=", ">=":
		if (x.isLen(l) || x.isLen(r)) && (x.isEmptyValue(l) || x.isEmptyValue(r)) {
			return "not_empty", 1
		}
		return "compare", 2
	}
	return "truth", 2
}

func (x *extractor) judgeEqual(l, r int32, equal bool) (string, uint8) {
	if x.kind(l) == kNil {
		l, r = r, l
	}
	isErr := strings.Contains(strings.ToLower(string(x.t.Text(l))), "err")
	switch {
	case x.kind(r) == kNil && isErr && equal:
		return "no_error", 1
	case x.kind(r) == kNil && isErr:
		return "error", 1
	case x.kind(r) == kNil && equal:
		return "nil", 1
	case x.kind(r) == kNil:
		return "not_nil", 1
	case !equal && (x.isEmptyValue(l) || x.isEmptyValue(r)):
		return "not_empty", 1
	case !equal:
		return "not_equal", 2
	case x.isLen(l) || x.isLen(r):
		return "len", 2
	}
	return "equal", 3
}

func (x *extractor) isLen(n int32) bool {
	return x.kind(n) == kCall && strings.HasPrefix(string(x.t.Text(n)), "len(")
}

func (x *extractor) isEmptyValue(n int32) bool {
	switch string(x.t.Text(n)) {
	case "0", `""`, "``":
		return true
	}
	return false
}

func (x *extractor) judgeCall(n int32, holds bool) (string, uint8) {
	function := x.child(n, x.g.function)
	if function < 0 {
		return "truth", 2
	}
	text := string(x.t.Text(function))
	switch name := text[strings.LastIndexByte(text, '.')+1:]; {
	case text == "errors.Is" && holds:
		return "error", 3
	case text == "errors.As" || text == "errors.Is":
		return "error", 2
	case strings.HasPrefix(name, "Equal") || strings.HasSuffix(name, "Equal"):
		if holds {
			return "equal", 3
		}
		return "not_equal", 2
	case strings.HasPrefix(name, "Contains") || strings.HasPrefix(name, "Has") || strings.HasPrefix(name, "Match"):
		return "contains", 2
	}
	return "truth", 2
}

// isAssertPackage reports whether name is one of testify's packages or what
// stands for them: assert.New(t), s.Require().
func (x *extractor) isAssertPackage(name string) bool {
	switch name {
	case "assert", "require", "Assert", "Require":
		return true
	}
	return false
}

// libraryAssertion marks a call of testify, or of a library of the same shape.
func (x *extractor) libraryAssertion(n int32, c callee) {
	name := strings.TrimSuffix(c.name, "f")
	if name == "New" {
		return
	}
	form, strength := libraryForm(name)
	if name == "True" || name == "False" {
		if arg := x.firstCondition(n); arg >= 0 {
			form, strength = x.judge(arg, name == "True", 0)
		}
	}
	x.mark(index.MarkAssertion, n, x.textOf(n), form, strength)
}

// firstCondition returns the argument that assert.True judges: the first that
// is no testing.TB.
func (x *extractor) firstCondition(n int32) int32 {
	for i := range 2 {
		if arg := x.argument(n, i); arg == n {
			return -1
		} else if i > 0 || !x.bindsTesting(arg) {
			return arg
		}
	}
	return -1
}

// libraryForm classes the assertions of github.com/stretchr/testify by name,
// without the f of their formatted forms.
func libraryForm(name string) (form string, strength uint8) {
	switch name {
	case "Equal", "EqualValues", "Exactly", "EqualExportedValues", "JSONEq", "YAMLEq", "ElementsMatch", "Same", "Zero", "Empty":
		return "equal", 3
	case "EqualError", "ErrorIs":
		return "error", 3
	case "ErrorContains", "ErrorAs":
		return "error", 2
	case "Error":
		return "error", 1
	case "NoError":
		return "no_error", 1
	case "Nil":
		return "nil", 1
	case "NotNil":
		return "not_nil", 1
	case "NotEmpty", "NotZero":
		return "not_empty", 1
	case "NotEqual", "NotEqualValues", "NotSame", "NotContains", "NotErrorIs", "NotSubset", "NotRegexp", "NotElementsMatch", "NotErrorAs":
		return "not_equal", 2
	case "Contains", "Subset", "Regexp", "HTTPBodyContains":
		return "contains", 2
	case "Len":
		return "len", 2
	case "InDelta", "InEpsilon", "InDeltaSlice", "InDeltaMapValues", "InEpsilonSlice", "WithinDuration", "WithinRange":
		return "tolerance", 2
	case "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Positive", "Negative", "IsIncreasing", "IsDecreasing":
		return "compare", 2
	case "IsType", "Implements", "NotImplements":
		return "type", 2
	case "PanicsWithValue", "PanicsWithError":
		return "panic", 3
	case "Panics", "NotPanics":
		return "panic", 1
	case "Eventually", "EventuallyWithT", "Never", "Condition":
		return "truth", 2
	case "FileExists", "DirExists", "NoFileExists", "NoDirExists":
		return "exists", 1
	case "Fail", "FailNow":
		return "fail", 0
	}
	return "call", 0
}
