package ecmascript

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// isWord reports whether a chain is of chai's language: expect(x).to.be.true.
func isWord(names []string) bool {
	return slices.ContainsFunc(names, func(s string) bool { return s == "to" || s == "should" }) ||
		len(names) > 0 && (names[0] == "be" || names[0] == "have" || names[0] == "eventually")
}

// words marks an assertion of chai's language that ends in a call.
func (m *marker) words(n int32, c chain) {
	if m.isContinued(n) {
		return
	}
	form, strength := wordForm(c.names, m.argument(n, 0) >= 0)
	m.mark(index.MarkAssertion, n, m.textOf(n), form, strength)
}

// property marks an assertion of chai's language that ends in a property:
// expect(x).to.be.true;
func (m *marker) property(n int32) {
	e := m.firstNamed(n)
	for e >= 0 && m.kind(e) == kAwait {
		e = m.firstNamed(e)
	}
	if !m.tests || e < 0 || m.kind(e) != kMember {
		return
	}
	c := m.chain(e)
	_, called := c.calls[-1]
	if called && m.canonical(c.base) == "expect" && isWord(c.names) || c.has("should") && len(c.names) > 1 {
		form, strength := wordForm(c.names, false)
		m.mark(index.MarkAssertion, e, m.textOf(e), form, strength)
	}
}

// wordForm classes a chain of chai's words by its last; given says that it has
// an argument.
func wordForm(words []string, given bool) (form string, strength uint8) {
	not := slices.Contains(words, "not")
	last := strings.ToLower(words[len(words)-1])
	if not && (last == "exist" || strings.HasPrefix(last, "not")) {
		last = strings.TrimPrefix(last, "not")
	}
	form, strength = "call", 0
	switch last {
	case "equal", "equals", "eq", "eql", "eqls", "true", "false", "empty", "calledwith", "calledwithexactly", "calledoncewith", "nan", "text", "value", "html", "keys":
		form, strength = "equal", 3
	case "null", "undefined":
		form, strength = "nil", 1
	case "exist":
		form, strength = "exists", 1
	case "ok", "visible", "hidden", "checked", "disabled", "enabled", "focused":
		form, strength = "truth", 1
	case "include", "includes", "contain", "contains", "members", "match", "matches", "string", "oneof", "property", "attr", "class", "ownproperty":
		form, strength = "contains", 2
	case "length", "lengthof", "callcount", "calledonce", "calledtwice":
		form, strength = "len", 2
	case "throw", "throws", "rejectedwith", "rejected":
		form, strength = "error", 1
		if given {
			strength = 2
		}
	case "fulfilled":
		form, strength = "no_error", 1
	case "above", "below", "least", "most", "within", "greaterthan", "lessthan", "gt", "gte", "lt", "lte":
		form, strength = "compare", 2
	case "closeto", "approximately":
		form, strength = "tolerance", 2
	case "a", "an", "instanceof":
		form, strength = "type", 2
	case "called":
		form, strength = "call", 1
	}
	if not {
		return negated(form, strength, "")
	}
	return form, strength
}
