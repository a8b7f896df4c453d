package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// assertStatement marks an assert statement of a test.
func (x *extractor) assertStatement(n int32) {
	if !x.asserts() {
		return
	}
	cond := x.first(n)
	if cond < 0 {
		return
	}
	form, strength := x.judge(cond, true, 0)
	x.mark(index.MarkAssertion, n, x.line(cond), form, strength)
}

// asserts reports whether an assertion here is one of a test: not a check that
// production code makes of itself.
func (x *extractor) asserts() bool { return x.test || x.pytest }

// maxJudged is how deep a condition is looked into.
const maxJudged = 50

// judge classes the assertion that the expression at n is true (holds) or false.
func (x *extractor) judge(n int32, holds bool, depth int) (form string, strength uint8) {
	if depth > maxJudged || n < 0 {
		return "truth", 0
	}
	switch x.kind(n) {
	case kParenthesizedExpression:
		return x.judge(x.first(n), holds, depth+1)
	case kNotOperator:
		return x.judge(x.first(n), !holds, depth+1)
	case kComparisonOperator:
		return x.judgeComparison(n, holds)
	case kBooleanOperator:
		return x.judgeBoolean(n, holds, depth)
	case kCall:
		return x.judgeCall(n, holds, depth)
	case kFalse:
		return "fail", 0
	case kIdentifier, kAttribute, kSubscript:
		if holds {
			return "truth", 1
		}
	}
	return "truth", 2
}

func (x *extractor) judgeBoolean(n int32, holds bool, depth int) (string, uint8) {
	op := x.child(n, x.g.operator)
	lf, ls := x.judge(x.child(n, x.g.left), holds, depth+1)
	rf, rs := x.judge(x.child(n, x.g.right), holds, depth+1)
	if both := op >= 0 && (x.src[x.nodes[op].Start] == 'a') == holds; (ls >= rs) == both {
		return lf, ls
	}
	return rf, rs
}

func (x *extractor) judgeComparison(n int32, holds bool) (string, uint8) {
	var sides []int32
	x.each(n, func(c int32) {
		if x.nodes[c].Field != x.g.operators {
			sides = append(sides, c)
		}
	})
	op := x.child(n, x.g.operators)
	if len(sides) != 2 || op < 0 {
		return "compare", 2
	}
	l, r := sides[0], sides[1]
	text := strings.Join(strings.Fields(x.text(op)), " ")
	if !holds {
		text = opposite(text)
	}
	switch text {
	case "==":
		return x.judgeEqual(l, r)
	case "!=", "<>":
		if x.isEmptyValue(l) || x.isEmptyValue(r) {
			return "not_empty", 1
		}
		return "not_equal", 2
	case "is":
		if x.kind(r) == kNone || x.kind(l) == kNone {
			return "nil", 1
		}
		return "equal", 3
	case "is not":
		if x.kind(r) == kNone || x.kind(l) == kNone {
			return "not_nil", 1
		}
		return "not_equal", 2
	case "in":
		return "contains", 2
	case "not in":
		return "not_equal", 2
	}
	if (x.isLen(l) || x.isLen(r)) && (x.isEmptyValue(l) || x.isEmptyValue(r)) {
		return "not_empty", 1
	}
	return "compare", 2
}

// opposite returns the operator that holds when op does not.
func opposite(op string) string {
	pairs := []string{"==", "!=", "is", "is not", "in", "not in"}
	for i, p := range pairs {
		if p == op {
			return pairs[i^1]
		}
	}
	return op
}

func (x *extractor) judgeEqual(l, r int32) (string, uint8) {
	switch {
	case x.isApprox(l) || x.isApprox(r):
		return "tolerance", 2
	case x.kind(l) == kNone || x.kind(r) == kNone:
		return "nil", 1
	case x.isLen(l) || x.isLen(r):
		return "len", 2
	}
	return "equal", 3
}

func (x *extractor) called(n int32) string {
	if x.kind(n) != kCall {
		return ""
	}
	return x.lastWord(x.child(n, x.g.function))
}

func (x *extractor) isLen(n int32) bool { return x.called(n) == "len" }

// isApprox reports whether n compares with a tolerance, or with anything.
func (x *extractor) isApprox(n int32) bool {
	name := x.called(n)
	return name == "approx" || name == "round" || x.lastWord(n) == "ANY"
}

func (x *extractor) isEmptyValue(n int32) bool {
	switch x.text(n) {
	case "0", `""`, "''", "[]", "{}", "()", "set()":
		return true
	}
	return false
}

func (x *extractor) judgeCall(n int32, holds bool, depth int) (string, uint8) {
	name := x.called(n)
	switch {
	case name == "isinstance" || name == "issubclass":
		return "type", 2
	case name == "isclose" || name == "allclose":
		return "tolerance", 2
	case name == "all" && holds || name == "any" && !holds:
		if args := x.child(n, x.g.arguments); args >= 0 {
			gen := args
			if x.kind(gen) != kGeneratorExpression {
				gen = x.first(args)
			}
			if gen >= 0 && (x.kind(gen) == kGeneratorExpression || x.kind(gen) == kListComprehension) {
				return x.judge(x.child(gen, x.g.body), holds, depth+1)
			}
		}
	case name == "hasattr" || name == "callable" || name == "exists" || name == "is_file" || name == "isfile" || name == "is_dir":
		return "exists", 1
	case strings.HasPrefix(name, "startswith") || strings.HasPrefix(name, "endswith") || name == "match" || name == "search" || name == "issubset":
		return "contains", 2
	case name == "array_equal" || name == "equals":
		if holds {
			return "equal", 3
		}
		return "not_equal", 2
	}
	return "truth", 2
}

// assertionCall marks a call that can fail a test: of unittest, pytest, mock or
// numpy, or in a test file of a helper that is named like one.
func (x *extractor) assertionCall(n, function int32, full string) {
	name := x.lastWord(function)
	form, strength := libraryForm(name)
	switch {
	case strings.HasPrefix(name, "assert_") && form == "":
		form, strength = mockForm(name)
	case name == "fail" && (full == "pytest.fail" || full == "self.fail"):
		form = "fail"
	}
	switch name {
	case "raises", "warns", "assertRaises", "assertWarns", "assertRaisesRegex", "assertWarnsRegex", "deprecated_call", "assertRaisesMessage":
		form, strength = x.expected(n, name)
	case "assertTrue", "assertFalse", "assert_", "failUnless":
		form, strength = x.judge(x.argument(n, 0), name != "assertFalse", 0)
	}
	if form == "" {
		if !x.test || x.kind(function) == kAttribute && !strings.HasPrefix(name, "assert") {
			return
		}
		form = "helper"
	}
	if !x.asserts() {
		return
	}
	x.mark(index.MarkAssertion, n, x.line(n), form, strength)
}

// argument returns the i-th positional argument of the call n, or -1.
func (x *extractor) argument(n int32, i int) int32 {
	args := x.child(n, x.g.arguments)
	found := int32(-1)
	if args < 0 {
		return found
	}
	x.each(args, func(c int32) {
		if x.kind(c) == kKeywordArgument {
			return
		}
		if i == 0 {
			found = c
		}
		i--
	})
	return found
}

// expected classes an expected exception or warning: by type, by its text too,
// or any at all.
func (x *extractor) expected(n int32, name string) (string, uint8) {
	form := "error"
	if strings.Contains(strings.ToLower(name), "warn") || name == "deprecated_call" {
		form = "warning"
	}
	strength := uint8(2)
	if c := x.argument(n, 0); c < 0 || takesEverything(x.lastWord(c)) || x.lastWord(c) == "Warning" {
		strength = 1
	}
	if args := x.child(n, x.g.arguments); args >= 0 {
		x.each(args, func(c int32) {
			if name := x.child(c, x.g.name); x.kind(c) == kKeywordArgument && name >= 0 && x.text(name) == "match" {
				strength = 3
			}
		})
	}
	if strings.HasSuffix(name, "Regex") || strings.HasSuffix(name, "Message") {
		strength = 3
	}
	return form, strength
}

// mockForm classes the assertions of unittest.mock.
func mockForm(name string) (string, uint8) {
	switch name {
	case "assert_called_with", "assert_called_once_with", "assert_any_call", "assert_has_calls", "assert_awaited_with",
		"assert_awaited_once_with", "assert_any_await", "assert_has_awaits":
		return "call", 3
	case "assert_called_once", "assert_not_called", "assert_awaited_once", "assert_not_awaited":
		return "call", 2
	case "assert_called", "assert_awaited":
		return "call", 1
	}
	return "", 0
}

// libraryForm classes the assertions of unittest, Django, numpy and pandas by name.
func libraryForm(name string) (form string, strength uint8) {
	switch name {
	case "assertEqual", "assertEquals", "assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual", "assertSequenceEqual",
		"assertMultiLineEqual", "assertIs", "assertCountEqual", "assertItemsEqual", "assertHTMLEqual", "assertJSONEqual", "assertXMLEqual",
		"assertQuerySetEqual", "assert_equal", "assert_array_equal", "assert_string_equal", "assert_frame_equal", "assert_series_equal",
		"assert_index_equal", "failUnlessEqual":
		return "equal", 3
	case "assertNotEqual", "assertNotEquals", "assertIsNot", "assertNotIn", "assertNotRegex", "assertNotContains", "assertNotIsInstance",
		"failIfEqual", "assertNoLogs":
		return "not_equal", 2
	case "assertIsNone":
		return "nil", 1
	case "assertIsNotNone":
		return "not_nil", 1
	case "assertIn", "assertRegex", "assertRegexpMatches", "assertContains", "assertInHTML", "assertDictContainsSubset", "assertLogs",
		"assertStartsWith", "assertEndsWith":
		return "contains", 2
	case "assertIsInstance", "assertIsSubclass":
		return "type", 2
	case "assertAlmostEqual", "assertAlmostEquals", "assertNotAlmostEqual", "assert_allclose", "assert_almost_equal", "assert_approx_equal",
		"assert_array_almost_equal":
		return "tolerance", 2
	case "assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual", "assert_array_less":
		return "compare", 2
	case "assertRedirects", "assertTemplateUsed", "assertNumQueries":
		return "equal", 2
	}
	return "", 0
}

// raised marks "raise AssertionError" and "raise SkipTest" of a test; with a
// call behind it SkipTest is marked as a call.
func (x *extractor) raised(n int32) {
	e := x.first(n)
	if e < 0 || !x.asserts() {
		return
	}
	switch {
	case x.lastWord(e) == "AssertionError" || x.called(e) == "AssertionError":
		x.mark(index.MarkAssertion, n, x.line(n), "fail", 0)
	case x.kind(e) != kCall && x.lastWord(e) == "SkipTest":
		x.mark(index.MarkSkip, n, x.line(n), "skip", 0)
	}
}
