package python

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

var (
	// assertMethod and assertName are the calls that the query takes for assertions.
	assertMethod = regexp.MustCompile(`^(assert|fail|raises$|warns$|deprecated_call$|approx$|verify|expect|check)`)
	assertName   = regexp.MustCompile(`^(assert|fail|raises$|warns$|verify|expect|check|_assert|_check)`)
)

func (s *structurer) call(n int32) {
	function := s.t.Field(n, "function")
	if function < 0 {
		return
	}
	callee := strings.Join(strings.Fields(s.text(function)), "")
	name := lastName(callee)
	args := s.named(s.t.Field(n, "arguments"))
	s.control(n, callee, name, args)
	s.replacement(n, name, args)
	s.boundCall(n, callee, name, args)
	s.limit(n, name, args)
	if logged(callee, name) {
		s.add(index.Log, n)
	}
	if name == "approx" || name == "isclose" || name == "round" {
		s.tolerance(n, name, args)
	}
	pattern := assertMethod
	if s.t.Kind(function) == "identifier" {
		pattern = assertName
	}
	if name == "approx" || !pattern.MatchString(name) {
		return
	}
	if strings.HasPrefix(name, "fail") && !strings.HasPrefix(name, "failUnless") && !strings.HasPrefix(name, "failIf") {
		s.guarded(s.add(index.Assertion, n), n, callee)
		return
	}
	parts := s.operands(name, args)
	a := s.add(index.Assertion, n)
	a.Name, a.Parts = callee, parts
	s.tolerance(n, name, args)
}

// control adds calls by which the process ends well, tests are left out, a
// failure is caught, or a test's rows are named.
func (s *structurer) control(n int32, callee, name string, args []int32) {
	switch callee {
	case "sys.exit", "exit", "quit", "os._exit", "_exit":
		if len(args) == 0 || s.isZero(args[0]) {
			s.exit(n)
		}
	case "pytest.exit":
		if v := s.keyword(args, "returncode"); v >= 0 && s.isZero(v) {
			s.exit(n)
		}
	case "items.clear", "items.remove", "items.pop":
		s.add(index.Deselect, n)
	case "collect_ignore.append", "collect_ignore.extend", "collect_ignore_glob.append", "collect_ignore_glob.extend":
		s.collected(s.t.Field(n, "arguments"))
	}
	switch name {
	case "suppress":
		if slices.ContainsFunc(args, func(a int32) bool { return takesFailures(s.text(a)) }) {
			s.add(index.Swallow, n)
		}
	case "pytest_deselected":
		s.add(index.Deselect, n)
	case "param":
		if list := s.t.Field(n, "arguments"); list >= 0 {
			s.row(n)
		}
	case "parametrize":
		values := s.keyword(args, "argvalues")
		if values < 0 && len(args) > 1 {
			values = args[1]
		}
		s.over(values, s.text(first(args)))
	}
}

// first is the first of some nodes, -1 without one.
func first(nodes []int32) int32 {
	if len(nodes) == 0 {
		return -1
	}
	return nodes[0]
}

// keyword is the value of a keyword argument, -1 without it.
func (s *structurer) keyword(args []int32, names ...string) int32 {
	for _, a := range args {
		if s.t.Kind(a) == "keyword_argument" && slices.Contains(names, s.text(s.t.Field(a, "name"))) {
			return s.t.Field(a, "value")
		}
	}
	return -1
}

// replacement adds what a mock takes the place of: a function that is named in
// a string, or an attribute of an object.
func (s *structurer) replacement(n int32, name string, args []int32) {
	var at int
	switch name {
	case "patch":
	case "object", "setattr":
		at = 1
	default:
		return
	}
	callee := s.text(s.t.Field(n, "function"))
	if name == "setattr" && !strings.HasSuffix(callee, "patch.setattr") || name == "object" && !strings.HasSuffix(callee, "patch.object") {
		return
	}
	if name == "setattr" && len(args) == 2 {
		at = 0 // monkeypatch.setattr("module.name", value)
	}
	if at < len(args) && s.t.Kind(args[at]) == "string" {
		s.add(index.Mock, n).Name = lastName(strings.Trim(s.text(args[at]), "\"'"))
	}
}

// limit adds how often a test is tried again.
func (s *structurer) limit(n int32, name string, args []int32) {
	switch name {
	case "flaky", "retry", "rerun", "reruns", "repeat_on_failure":
	default:
		return
	}
	if _, kind := s.parent(n); kind != "decorator" {
		return
	}
	v := s.keyword(args, "reruns", "max_runs", "tries", "times", "retries", "stop_max_attempt_number")
	if v < 0 && len(args) > 0 && s.t.Kind(args[0]) == "integer" {
		v = args[0]
	}
	l := s.add(index.Limit, n)
	l.Name, l.Value = "retry", max(s.number(v), 1)
}

// logged are calls whose arguments only a person reads.
func logged(callee, name string) bool {
	switch name {
	case "print", "pprint", "skip", "skipTest", "xfail", "fail":
		return true
	case "debug", "info", "warning", "warn", "error", "exception", "critical", "log":
		return strings.Contains(strings.ToLower(callee), "log") || strings.HasPrefix(callee, "warnings.")
	}
	return false
}

// operands are the arguments of an assertion that it compares; what follows is
// a message, or a call whose arguments are inputs.
func (s *structurer) operands(name string, args []int32) []index.Range {
	count := len(args)
	form, _ := libraryForm(name)
	switch {
	case name == "assertTrue" || name == "assertFalse" || name == "assert_" || name == "failUnless" || name == "failIf" || name == "assertRaises" || name == "assertWarns":
		count = 1
	case form == "nil" || form == "not_nil":
		count = 1
	case form == "equal" || form == "not_equal" || form == "contains" || form == "type" || form == "compare" || form == "tolerance",
		strings.HasSuffix(name, "Regex"), strings.HasSuffix(name, "Message"):
		count = 2
	}
	var out []index.Range
	for i, a := range args {
		if s.t.Kind(a) == "keyword_argument" {
			if key := s.text(s.t.Field(a, "name")); key == "msg" || key == "err_msg" || key == "message" || key == "reason" {
				continue
			}
		} else if i >= count {
			continue
		}
		out = append(out, s.rangeOf(a))
	}
	return out
}

func (s *structurer) assertStatement(n int32) {
	args := s.named(n)
	if len(args) == 0 {
		return
	}
	a := s.add(index.Assertion, n)
	a.Name, a.Condition, a.Parts = "assert", s.rangeOf(args[0]), s.sides(args[0])
}

// sides are the two sides of a comparison, or the condition itself.
func (s *structurer) sides(cond int32) []index.Range {
	for s.t.Kind(cond) == "parenthesized_expression" && len(s.named(cond)) == 1 {
		cond = s.named(cond)[0]
	}
	if sides := s.named(cond); s.t.Kind(cond) == "comparison_operator" && len(sides) == 2 {
		return []index.Range{s.rangeOf(sides[0]), s.rangeOf(sides[1])}
	}
	return []index.Range{s.rangeOf(cond)}
}

// tolerance adds how far off a call lets a value be, with the defaults of
// pytest.approx, math.isclose, unittest and numpy.
func (s *structurer) tolerance(n int32, name string, args []int32) {
	given := func(at int, names ...string) float64 {
		v := s.keyword(args, names...)
		if v < 0 && at > 0 && at < len(args) && s.t.Kind(args[at]) != "keyword_argument" {
			v = args[at]
		}
		return s.number(v)
	}
	digits := func(d, usual float64) float64 {
		if math.IsNaN(d) {
			d = usual
		}
		return 0.5 * math.Pow(10, -d)
	}
	or := func(v, usual float64) float64 {
		if math.IsNaN(v) {
			return usual
		}
		return v
	}
	value := math.NaN()
	switch name {
	case "approx":
		rel, abs := given(1, "rel"), given(2, "abs")
		value = max(or(rel, 0), or(abs, 0))
		if math.IsNaN(rel) && math.IsNaN(abs) {
			value = 1e-6
		}
	case "isclose":
		value = max(or(given(2, "rel_tol", "rtol"), 1e-9), or(given(3, "abs_tol", "atol"), 0))
	case "round":
		value = digits(given(1, "ndigits"), 0)
	case "assertAlmostEqual", "assertAlmostEquals":
		value = or(given(0, "delta"), digits(given(2, "places"), 7))
	case "assert_allclose":
		value = max(or(given(2, "rtol"), 1e-7), or(given(3, "atol"), 0))
	case "assert_almost_equal", "assert_array_almost_equal", "assert_approx_equal":
		value = digits(given(2, "decimal", "significant"), 7)
	}
	if !math.IsNaN(value) {
		s.add(index.Tolerance, n).Value = value
	}
}

// number is the value of a number node, NaN for another.
func (s *structurer) number(n int32) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s.text(n), "_", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
