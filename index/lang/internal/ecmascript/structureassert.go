package ecmascript

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// callee is what a call calls, as written without white space and without the
// arguments of calls on the way: "expect.rejects.toThrow".
func (s *structurer) callee(call int32) string {
	if call < 0 || s.t.Kind(call) != "call_expression" {
		return ""
	}
	return s.chained(s.t.Field(call, "function"))
}

func (s *structurer) chained(n int32) string {
	if n < 0 {
		return ""
	}
	switch s.t.Kind(n) {
	case "member_expression":
		return s.chained(s.t.Field(n, "object")) + "." + s.text(s.t.Field(n, "property"))
	case "call_expression":
		return s.chained(s.t.Field(n, "function"))
	case "await_expression", "parenthesized_expression", "non_null_expression":
		if c := s.named(n); len(c) > 0 {
			return s.chained(c[0])
		}
	case "identifier", "this", "property_identifier":
		return s.text(n)
	}
	return "?"
}

func lastName(callee string) string { return callee[strings.LastIndexByte(callee, '.')+1:] }

func (s *structurer) arguments(call int32) []int32 {
	args := s.t.Field(call, "arguments")
	if args < 0 || s.t.Kind(args) != "arguments" {
		return nil
	}
	return s.named(args)
}

// helperName are functions of a repository's own that assert, by their names.
var helperName = regexp.MustCompile(`^(?i)_?(assert|check|expect|verify|must|ensure|should)`)

func (s *structurer) call(n int32) {
	callee := s.callee(n)
	base, _, _ := strings.Cut(callee, ".")
	name := lastName(callee)
	args := s.arguments(n)
	s.control(n, callee, name, args)
	s.replacement(n, callee, name, args)
	s.limit(n, callee, base, args)
	s.bound(n, callee, name, args)
	if logged(callee, base, name) {
		s.add(index.Log, n)
	}
	switch {
	case base == "expect" || base == "expectTypeOf" || base == "assertType" || strings.Contains(callee, ".should."):
		s.expectation(n, callee, args)
	case name == "fail" || callee == "done.fail":
		s.failure(n, callee)
	case base == "assert" || base == "t" || base == "chai" || strings.HasPrefix(callee, "should."):
		s.assertion(n, callee, args, assertOperands(name))
	case helperName.MatchString(name):
		s.assertion(n, callee, args, -1)
	}
}

// expectation adds a call on what expect gives: what was expected of it, then
// what is compared with it.
func (s *structurer) expectation(n int32, callee string, args []int32) {
	var parts []index.Range
	if value := s.expected(n); value >= 0 && value != n {
		if given := s.arguments(value); len(given) > 0 {
			parts = append(parts, s.rangeOf(given[0]))
		}
	}
	name := lastName(callee)
	for i, a := range args {
		if name == "toBeCloseTo" && i > 0 || callee == name {
			break
		}
		parts = append(parts, s.rangeOf(a))
	}
	a := s.add(index.Assertion, n)
	a.Name, a.Parts = callee, parts
	s.tolerance(n, name, args)
	if (strings.Contains(callee, ".resolves.") || strings.Contains(callee, ".rejects.")) && !s.awaited(n) {
		s.add(index.Concurrent, n)
	}
}

// expected is the innermost call of a chain: that of expect itself.
func (s *structurer) expected(n int32) int32 {
	call := int32(-1)
	for n >= 0 {
		switch s.t.Kind(n) {
		case "call_expression":
			call, n = n, s.t.Field(n, "function")
		case "member_expression":
			n = s.t.Field(n, "object")
		case "await_expression", "parenthesized_expression", "non_null_expression":
			c := s.named(n)
			if len(c) == 0 {
				return call
			}
			n = c[0]
		default:
			return call
		}
	}
	return call
}

// tolerance adds how far off a matcher lets a value be: toBeCloseTo with 2
// digits unless it says otherwise, closeTo and approximately by their last argument.
func (s *structurer) tolerance(n int32, name string, args []int32) {
	switch name {
	case "toBeCloseTo":
		digits := 2.0
		if len(args) > 1 {
			digits = s.number(args[1])
		}
		if !math.IsNaN(digits) {
			s.add(index.Tolerance, n).Value = 0.5 * math.Pow(10, -digits)
		}
	case "closeTo", "approximately":
		if len(args) > 1 {
			if v := s.number(args[len(args)-1]); !math.IsNaN(v) {
				s.add(index.Tolerance, n).Value = v
			}
		}
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

// assertOperands is how many arguments an assertion of node:assert, chai or ava
// compares; what follows is a message. -1 means all.
func assertOperands(name string) int {
	switch name {
	case "assert", "ok", "isTrue", "isFalse", "isNull", "isNotNull", "isUndefined", "isDefined", "exists", "notExists", "isOk", "truthy", "falsy", "true", "false", "isEmpty", "isNotEmpty", "ifError":
		return 1
	case "closeTo", "approximately":
		return 3
	case "throws", "rejects", "doesNotThrow", "doesNotReject":
		return 2
	}
	return 2
}

func (s *structurer) assertion(n int32, callee string, args []int32, count int) {
	if count >= 0 && count < len(args) {
		args = args[:count]
	}
	var parts []index.Range
	for _, a := range args {
		parts = append(parts, s.rangeOf(a))
	}
	a := s.add(index.Assertion, n)
	a.Name, a.Parts = callee, parts
	s.tolerance(n, lastName(callee), args)
	if name := lastName(callee); (name == "rejects" || name == "doesNotReject") && !s.awaited(n) {
		s.add(index.Concurrent, n)
	}
}

// failure adds a call that fails the test: what it asserts is that the condition
// around it does not hold.
func (s *structurer) failure(n int32, callee string) {
	a := s.add(index.Assertion, n)
	a.Name = callee
	at := n
	for _, kind := range []string{"expression_statement", "statement_block"} {
		if p, k := s.parent(at); k == kind {
			at = p
		}
	}
	p, kind := s.parent(at)
	if callee == index.NameThrow && kind == "catch_clause" {
		s.out = s.out[:len(s.out)-1] // it hands on what it caught
		return
	}
	if kind != "if_statement" || s.t.Field(p, "consequence") != at {
		return
	}
	cond := s.t.Field(p, "condition")
	a.Form, a.Condition, a.Parts = index.FormGuard, s.rangeOf(cond), []index.Range{s.rangeOf(cond)}
}

// property adds assertions that are no calls: expect(x).to.be.true.
func (s *structurer) property(n int32) {
	inner := s.named(n)
	if len(inner) != 1 {
		return
	}
	if s.t.Kind(inner[0]) == "await_expression" {
		if inner = s.named(inner[0]); len(inner) != 1 {
			return
		}
	}
	if s.t.Kind(inner[0]) != "member_expression" {
		return
	}
	chain := s.chained(inner[0])
	if base, _, _ := strings.Cut(chain, "."); base != "expect" && !strings.Contains(chain, ".should.") {
		return
	}
	for _, at := range []int32{n, inner[0]} {
		a := s.add(index.Assertion, at)
		a.Name = chain
		if value := s.expected(inner[0]); value >= 0 {
			if given := s.arguments(value); len(given) > 0 {
				a.Parts = []index.Range{s.rangeOf(given[0])}
			}
		}
	}
}

// logged are calls whose arguments only a person reads.
func logged(callee, base, name string) bool {
	switch base {
	case "console", "logger", "log":
		return true
	}
	return callee == "this.skip" || callee == "ctx.skip" || callee == "t.skip" || callee == "fail"
}

// control adds calls by which the process ends well, tests are repeated, or a
// failure is caught.
func (s *structurer) control(n int32, callee, name string, args []int32) {
	switch callee {
	case "process.exit", "Deno.exit", "process.reallyExit":
		if len(args) == 0 || isSuccess(s.text(args[0])) {
			s.add(index.ExitSuccess, n).Form = index.FormRun
		}
	}
	switch name {
	case "each", "for":
		if len(args) > 0 {
			s.over(args[0], s.text(s.t.Field(n, "function")))
		}
	case "forEach":
		variable := ""
		if len(args) > 0 {
			variable = s.text(s.t.Field(args[0], "parameters")) + s.text(s.t.Field(args[0], "parameter"))
		}
		s.over(s.t.Field(s.t.Field(n, "function"), "object"), variable)
	case "catch":
		if len(args) == 1 && s.isSilent(args[0]) {
			s.add(index.Swallow, n).Head = s.t.Nodes[n].Start
		}
	}
}

// isSilent reports whether a function does nothing about what it is handed.
func (s *structurer) isSilent(n int32) bool {
	body := s.t.Field(n, "body")
	if k := s.t.Kind(n); k != "arrow_function" && k != "function_expression" && k != "function" || body < 0 {
		return false
	}
	return !s.speaks(body)
}

func isMockFactory(callee string) bool {
	switch callee {
	case "jest.fn", "vi.fn", "sinon.stub", "sinon.fake", "mock.fn":
		return true
	}
	return false
}

// replacement adds what a mock takes the place of: a method of an object, or a
// module.
func (s *structurer) replacement(n int32, callee, name string, args []int32) {
	switch callee {
	case "jest.mock", "vi.mock", "jest.doMock", "vi.doMock", "jest.setMock", "mock.module", "jest.unstable_mockModule":
		if len(args) > 0 {
			m := s.add(index.Mock, n)
			module := strings.TrimSuffix(strings.TrimPrefix(s.text(args[0]), "import("), ")")
			m.Name, m.Form = strings.Trim(module, "\"'`"), index.FormModule
		}
		return
	}
	switch {
	case (name == "spyOn" || callee == "sinon.stub" || callee == "mock.method") && len(args) > 1:
		if name == "spyOn" && !s.isReplaced(n) {
			return // a spy alone lets the call through
		}
		s.add(index.Mock, n).Name = strings.Trim(s.text(args[1]), "\"'`")
	case strings.HasPrefix(name, "mockReturnValue") || strings.HasPrefix(name, "mockImplementation") || strings.HasPrefix(name, "mockResolvedValue"):
		if base, _, _ := strings.Cut(callee, "."); base != "jest" && base != "vi" {
			s.add(index.Mock, n).Name = lastName(strings.TrimSuffix(callee, "."+name))
		}
	}
}

// isReplaced reports whether a spy is told what to give in the place of what it
// spies on.
func (s *structurer) isReplaced(n int32) bool {
	p, kind := s.parent(n)
	return kind == "member_expression" && strings.HasPrefix(s.text(s.t.Field(p, "property")), "mock")
}

// usualSeconds is how long jest and vitest let a test take.
const usualSeconds = 5

// limit adds how often a test is tried again, and a time beyond the usual.
func (s *structurer) limit(n int32, callee, base string, args []int32) {
	add := func(name string, value float64) {
		if !math.IsNaN(value) && (name == "retry" && value > 0 || value > usualSeconds) {
			l := s.add(index.Limit, n)
			l.Name, l.Value = name, value
		}
	}
	switch callee {
	case "jest.retryTimes", "this.retries", "test.retry", "vi.retry":
		if len(args) > 0 {
			add("retry", s.number(args[0]))
		}
	case "jest.setTimeout", "this.timeout", "test.setTimeout":
		if len(args) > 0 {
			add("timeout", s.number(args[0])/1000)
		}
	case "vi.setConfig", "test.describe.configure":
		s.options(args, add)
	}
	switch base {
	case "it", "test", "specify", "describe", "beforeEach", "beforeAll", "afterEach", "afterAll":
		if len(args) > 1 && s.t.Kind(args[len(args)-1]) == "number" {
			add("timeout", s.number(args[len(args)-1])/1000)
		}
		s.options(args, add)
	}
}

// options reads retry and timeout in the options of a test.
func (s *structurer) options(args []int32, add func(string, float64)) {
	for _, a := range args {
		if s.t.Kind(a) != "object" {
			continue
		}
		for _, pair := range s.named(a) {
			key, value := s.text(s.t.Field(pair, "key")), s.t.Field(pair, "value")
			switch {
			case slices.Contains([]string{"retry", "retries", "repeats"}, key):
				add("retry", s.number(value))
			case slices.Contains([]string{"timeout", "testTimeout", "hookTimeout"}, key):
				add("timeout", s.number(value)/1000)
			}
		}
	}
}
