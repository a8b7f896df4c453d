package ecmascript

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// assertion marks a call that can fail a test, and reports whether it is one.
func (m *marker) assertion(n int32, c chain) bool {
	base := m.canonical(c.base)
	switch {
	case base == "expect" || base == "expectTypeOf" || base == "assertType" || base == "expectType":
		return m.expectation(n, c, base)
	case m.isAssert(c.base):
		return m.assertCall(n, c)
	case c.has("should") && len(c.names) > 1 && c.last() != "should":
		m.words(n, c)
	case c.last() == "should" && m.kind(m.argument(n, 0)) == kString: // cy.get(…).should("eq", 1)
		words, _ := m.literal(m.argument(n, 0), 0)
		form, strength := wordForm(strings.Split(words, "."), m.argument(n, 1) >= 0)
		m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
	case c.last() == "expect" && len(c.calls) > 0: // supertest's request(app).get("/").expect(200)
		form, strength := "call", uint8(0)
		if _, ok := m.literal(m.argument(n, 0), 0); ok {
			form, strength = "equal", 3
		}
		m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
	case len(c.names) == 0 && base == "fail" && m.inTest():
		m.mark(index.MarkAssertion, n, m.textOf(n), "fail", 0)
	case len(c.names) >= 1 && (c.base == "t" || c.names[0] == "assert") && m.inTest():
		return m.testObject(n, c)
	default:
		return false
	}
	return true
}

// expectation marks expect(x).not.toBe(y), expect(x).to.equal(y), expect.fail()
// and the like; of a chain it marks the call at its end alone.
func (m *marker) expectation(n int32, c chain, base string) bool {
	args, called := c.calls[-1]
	if base == "assertType" || base == "expectType" {
		m.mark(index.MarkAssertion, n, m.textOf(n), "type", 2)
		return true
	}
	if !called { // expect.soft(x).toBe(y), expect.poll(f).toBe(y), expect.fail()
		if args, called = c.calls[0]; !called {
			return m.expectWord(n, c)
		}
	}
	if m.isContinued(n) {
		return true // a later call of the same chain is the assertion
	}
	if base == "expectTypeOf" {
		m.mark(index.MarkAssertion, n, m.textOf(n), "type", 2)
		return true
	}
	if isWord(c.names) {
		m.words(n, c)
		return true
	}
	form, strength := m.matcher(n, c.last())
	if c.last() == "toBe" || c.last() == "toEqual" || c.last() == "toStrictEqual" {
		form, strength = m.booleans(n, args, form, strength)
	}
	if c.has("not") {
		form, strength = negated(form, strength, m.textAt(m.argument(n, 0)))
	}
	m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
	return true
}

// isContinued reports whether the call at n is the object of a further call.
func (m *marker) isContinued(n int32) bool {
	for p := m.nodes[n].Parent; p >= 0; p = m.nodes[p].Parent {
		switch m.kind(p) {
		case kMember:
			if m.child(p, m.g.object) != n {
				return false
			}
		case kCall:
			return m.child(p, m.g.function) == n
		case kExpressionStatement:
			return false
		default:
			return false
		}
		n = p
	}
	return false
}

// expectWord marks the functions of expect itself.
func (m *marker) expectWord(n int32, c chain) bool {
	switch c.last() {
	case "fail", "unreachable":
		m.mark(index.MarkAssertion, n, m.textOf(n), "fail", 0)
	case "assertions", "hasAssertions":
		m.mark(index.MarkAssertion, n, m.textOf(n), "call", 1)
	default:
		return len(c.names) == 0 // expect(x) alone is no assertion, and nothing else either
	}
	return true
}

// matcher classes the matchers of jest, vitest, jest-dom and Playwright by name.
func (m *marker) matcher(n int32, name string) (form string, strength uint8) {
	given := m.argument(n, 0) >= 0
	switch name {
	case "toBe", "toEqual", "toStrictEqual", "toHaveBeenCalledWith", "toHaveBeenLastCalledWith", "toHaveBeenNthCalledWith",
		"toHaveBeenCalledExactlyOnceWith", "toBeCalledWith", "lastCalledWith", "toHaveReturnedWith", "toHaveLastReturnedWith",
		"toHaveNthReturnedWith", "toHaveResolvedWith", "toBeNaN", "toHaveTextContent", "toHaveText", "toHaveValue", "toHaveURL",
		"toHaveTitle", "toHaveDisplayValue", "toHaveStyle", "toHaveCSS", "toHaveCount", "toBeEmptyDOMElement":
		return "equal", 3
	case "toMatchSnapshot", "toMatchInlineSnapshot", "toMatchFileSnapshot", "toMatchAriaSnapshot":
		return "snapshot", 3
	case "toThrowErrorMatchingSnapshot", "toThrowErrorMatchingInlineSnapshot":
		return "error", 3
	case "toThrow", "toThrowError":
		if given {
			return "error", 2
		}
		return "error", 1
	case "toMatchObject", "toContain", "toContainEqual", "toMatch", "toBeOneOf", "toHaveClass", "toContainHTML", "toContainElement", "toContainText":
		return "contains", 2
	case "toHaveProperty", "toHaveAttribute":
		if m.argument(n, 1) >= 0 {
			return "equal", 3
		}
		return "exists", 1
	case "toHaveLength", "toHaveBeenCalledTimes", "toBeCalledTimes", "toHaveReturnedTimes", "toHaveBeenCalledOnce":
		return "len", 2
	case "toBeCloseTo", "toHaveScreenshot", "toMatchImageSnapshot":
		return "tolerance", 2
	case "toBeGreaterThan", "toBeGreaterThanOrEqual", "toBeLessThan", "toBeLessThanOrEqual", "toHaveBeenCalledBefore", "toHaveBeenCalledAfter":
		return "compare", 2
	case "toBeInstanceOf", "toBeTypeOf":
		return "type", 2
	case "toSatisfy", "toPass", "toBeChecked", "toBeDisabled", "toBeEnabled", "toBeRequired", "toBeValid", "toBeInvalid", "toHaveFocus", "toBeFocused":
		return "truth", 2
	case "toBeDefined":
		return "not_nil", 1
	case "toBeUndefined", "toBeNull":
		return "nil", 1
	case "toBeTruthy", "toBeFalsy":
		return "truth", 1
	case "toBeInTheDocument", "toBeVisible", "toBeAttached", "toBeHidden", "toBeInViewport":
		return "exists", 1
	case "toHaveBeenCalled", "toBeCalled", "toHaveReturned":
		return "call", 1
	}
	return "call", 0
}

// booleans classes expect(a === b).toBe(true) by the condition that it judges.
func (m *marker) booleans(n, args int32, form string, strength uint8) (string, uint8) {
	value := m.textAt(m.argument(n, 0))
	if value != "true" && value != "false" {
		return form, strength
	}
	if of := m.item(args, 0); of >= 0 && (m.kind(of) == kBinary || m.kind(of) == kUnary) {
		return m.judge(of, value == "true", 0)
	}
	return form, strength
}

// negated classes what an assertion with .not says.
func negated(form string, strength uint8, value string) (string, uint8) {
	switch form {
	case "nil":
		return "not_nil", 1
	case "not_nil":
		return "nil", 1
	case "error":
		return "no_error", 1
	case "truth", "exists", "call", "compare", "type":
		return form, strength
	case "len":
		if value == "0" {
			return "not_empty", 1
		}
		return "not_equal", 2
	case "not_equal":
		return "equal", 3
	case "equal":
		switch value {
		case "null", "undefined":
			return "not_nil", 1
		case "0", `""`, "''", "[]", "{}":
			return "not_empty", 1
		}
	}
	return "not_equal", min(strength, 2)
}

// maxJudged is how deep a condition is looked into.
const maxJudged = 50

// judge classes the assertion that the expression at n is true (holds) or false.
func (m *marker) judge(n int32, holds bool, depth int) (string, uint8) {
	if depth > maxJudged || n < 0 {
		return "truth", 0
	}
	switch m.kind(n) {
	case kParenthesized:
		return m.judge(m.firstNamed(n), holds, depth+1)
	case kUnary:
		if m.src[m.nodes[n].Start] == '!' {
			return m.judge(m.firstNamed(n), !holds, depth+1)
		}
	case kBinary:
		return m.judgeBinary(n, holds, depth)
	case kIdentifier, kMember:
		return "truth", 1
	}
	return "truth", 2
}

func (m *marker) judgeBinary(n int32, holds bool, depth int) (string, uint8) {
	l, r := m.child(n, m.g.left), m.child(n, m.g.right)
	switch op := m.textAt(m.child(n, m.g.operator)); op {
	case "&&", "||":
		lf, ls := m.judge(l, holds, depth+1)
		rf, rs := m.judge(r, holds, depth+1)
		if both := (op == "&&") == holds; (ls >= rs) == both {
			return lf, ls
		}
		return rf, rs
	case "==", "===", "!=", "!==":
		equal := (op[0] == '=') == holds
		switch text := m.textAt(r); {
		case text == "null" || text == "undefined":
			return map[bool]string{true: "nil", false: "not_nil"}[equal], 1
		case equal && strings.HasSuffix(m.textAt(l), ".length"):
			return "len", 2
		case equal:
			return "equal", 3
		}
		return negated("equal", 3, m.textAt(r))
	case "<", ">", "<=", ">=":
		if strings.HasSuffix(m.textAt(l), ".length") && m.textAt(r) == "0" {
			return "not_empty", 1
		}
		return "compare", 2
	case "in":
		return "exists", 1
	case "instanceof":
		return "type", 2
	}
	return "truth", 2
}

// isAssert reports whether a name is an assert function or object of Node.js,
// chai, vitest or a library of the same shape.
func (m *marker) isAssert(name string) bool {
	if im, ok := m.from[name]; ok {
		switch im.module {
		case "assert", "node:assert", "assert/strict", "node:assert/strict":
			return true
		}
		return (im.module == "chai" || im.module == "vitest" || im.module == "uvu/assert") && (im.name == "assert" || im.module == "uvu/assert")
	}
	return name == "assert" && m.inTest()
}

// assertCall marks assert(x), assert.equal(a, b) and equal(a, b).
func (m *marker) assertCall(n int32, c chain) bool {
	name := c.last()
	if im := m.from[c.base]; len(c.names) == 0 && im.name != "*" && im.name != "" && im.name != "default" {
		name = im.name // import { strictEqual } from "node:assert"
	}
	form, strength := assertForm(name, m.argument(n, 1) >= 0)
	if name == "ok" || name == "isTrue" || name == "isOk" || name == "assert" || len(c.names) == 0 && name == c.base && form == "call" {
		form, strength = m.judge(m.argument(n, 0), true, 0)
	}
	if name == "isFalse" || name == "isNotOk" || name == "notOk" {
		form, strength = m.judge(m.argument(n, 0), false, 0)
	}
	m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
	return true
}

// testObject marks t.is(a, b) of ava, t.equal(a, b) of tap and tape, and
// t.assert.equal(a, b) of node:test.
func (m *marker) testObject(n int32, c chain) bool {
	form, strength := assertForm(c.last(), m.argument(n, 1) >= 0)
	if form == "call" {
		return false
	}
	if form == "truth" {
		form, strength = m.judge(m.argument(n, 0), c.last() == "true" || c.last() == "truthy" || c.last() == "ok", 0)
	}
	m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
	return true
}

// assertForm classes the functions of node:assert, chai's assert, ava, tap and
// uvu by name; more says that there is a second argument.
func assertForm(name string, more bool) (form string, strength uint8) {
	switch name {
	case "equal", "equals", "strictEqual", "deepEqual", "deepStrictEqual", "deepEquals", "is", "same", "strictSame", "like", "isEmpty", "sameMembers",
		"sameDeepMembers", "sameOrderedMembers", "fixture", "eq", "deepLooseEqual", "snapshot", "fileSnapshot":
		return "equal", 3
	case "notEqual", "notStrictEqual", "notDeepEqual", "notDeepStrictEqual", "not", "notSame", "notStrictSame", "notInclude", "doesNotMatch",
		"notMatch", "notRegex", "notOwnInclude", "notSameDeepMembers":
		return "not_equal", 2
	case "partialDeepStrictEqual", "include", "includes", "deepInclude", "match", "regex", "matchObject", "has", "hasStrict", "contains", "members", "property",
		"propertyVal", "containsAllKeys", "hasAllKeys", "hasAnyKeys", "oneOf":
		return "contains", 2
	case "throws", "rejects", "throwsAsync", "isRejected", "rejectedWith", "throw", "Throw":
		if more {
			return "error", 2
		}
		return "error", 1
	case "doesNotThrow", "doesNotReject", "notThrows", "notThrowsAsync", "ifError", "error", "isFulfilled":
		return "no_error", 1
	case "isNull", "isUndefined", "notExists":
		return "nil", 1
	case "isNotNull", "isDefined", "exists", "notNil":
		return "not_nil", 1
	case "isNotEmpty":
		return "not_empty", 1
	case "lengthOf", "hasLength", "len":
		return "len", 2
	case "closeTo", "approximately":
		return "tolerance", 2
	case "isAbove", "isBelow", "isAtLeast", "isAtMost":
		return "compare", 2
	case "instanceOf", "instance", "typeOf", "type", "isArray", "isObject", "isString", "isNumber", "isBoolean", "isFunction":
		return "type", 2
	case "ok", "true", "false", "truthy", "falsy", "notOk", "isTrue", "isFalse", "isOk", "isNotOk", "assert":
		return "truth", 2
	case "fail", "unreachable":
		return "fail", 0
	}
	return "call", 0
}
