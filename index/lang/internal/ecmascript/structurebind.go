package ecmascript

import (
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// bind adds that n gives name a meaning, or takes it away.
func (s *structurer) bind(n int32, name, form string) {
	if name != "" {
		b := s.add(index.Bind, n)
		b.Name, b.Form = strings.Join(strings.Fields(name), ""), form
	}
}

// boundValue adds that n gives what stands at left a value.
func (s *structurer) boundValue(n, left, right int32) {
	if left < 0 || right < 0 {
		return
	}
	switch s.t.Kind(left) {
	case "identifier", "member_expression":
	case "object_pattern":
		for _, c := range s.named(left) {
			if s.t.Kind(c) == "shorthand_property_identifier_pattern" {
				s.bind(n, s.text(c), s.toolForm(s.text(c), right))
			}
		}
		return
	default:
		return
	}
	name, form := s.text(left), ""
	switch {
	case strings.HasSuffix(name, ".length") && s.text(right) == "0":
		name, form = strings.TrimSuffix(name, ".length"), index.FormEmpty
	case s.mentions(right, name) && !isTool(name):
		return
	case s.isEmpty(right):
		form = index.FormEmpty
	default:
		form = s.toolForm(name, right)
	}
	s.bind(n, name, form)
	if s.t.Kind(left) == "member_expression" && s.standsIn(right) {
		s.add(index.Mock, n).Name = lastName(name)
	}
}

// standsIn reports whether a value is a function of the place's own.
func (s *structurer) standsIn(n int32) bool {
	switch s.t.Kind(n) {
	case "arrow_function", "function_expression", "function":
		return true
	}
	return false
}

// mentions reports whether a name stands in a node.
func (s *structurer) mentions(n int32, name string) bool {
	for i := n; i < s.t.Nodes[n].Next; i++ {
		if s.t.Nodes[i].Named() && s.t.Nodes[i].End-s.t.Nodes[i].Start == uint32(len(name)) && s.text(i) == name {
			return true
		}
	}
	return false
}

func (s *structurer) isEmpty(n int32) bool {
	if k := s.t.Kind(n); k == "array" || k == "object" {
		return len(s.named(n)) == 0
	}
	return s.text(n) == "new Map()" || s.text(n) == "new Set()"
}

// isTool reports whether a name is one by which test tools declare tests or assert.
func isTool(name string) bool {
	switch name {
	case "expect", "assert", "it", "test", "describe", "suite", "specify":
		return true
	}
	return false
}

var (
	// toolWord are words by which a value comes from a test tool, or hands on to one.
	toolWord = regexp.MustCompile(`\b(expect|assert|chai|vitest|jest|mocha|should|test|it|describe|base|require|import|extend|globalThis|window|QUnit|ava|tap|t|chaiExpect)\b`)
	// unrunTest are the words of a test tool that declare tests which do not run.
	unrunTest = regexp.MustCompile(`^(it|test|describe|suite|specify|context)\.(skip|todo|fails|failing|only)$|^x(it|test|describe)$`)
)

// toolForm is FormTool where a name of a test tool is given what neither asserts
// nor declares tests.
func (s *structurer) toolForm(name string, value int32) string {
	if text := s.text(value); isTool(name) && (!toolWord.MatchString(text) || unrunTest.MatchString(text)) {
		return index.FormTool
	}
	return ""
}

// declaration adds a declared function or class.
func (s *structurer) declaration(n int32) {
	name := s.text(s.t.Field(n, "name"))
	form := ""
	if body := s.t.Field(n, "body"); body >= 0 {
		form = s.toolForm(name, body)
	}
	s.bind(n, name, form)
}

// bound adds calls that do with a name what an assignment does.
func (s *structurer) bound(n int32, callee, name string, args []int32) {
	switch {
	case name == "splice" && len(args) == 1 && s.text(args[0]) == "0":
		s.bind(n, strings.TrimSuffix(callee, "."+name), index.FormEmpty)
	case callee == "expect.extend" && len(args) == 1:
		for _, pair := range s.named(args[0]) {
			key := s.text(s.t.Field(pair, "key"))
			if key == "" {
				key = s.text(s.t.Field(pair, "name"))
			}
			if ownMatcher(key) {
				s.bind(pair, "expect."+key, index.FormTool)
			}
		}
	}
}

// ownMatcher reports whether a matcher is one of jest's and vitest's own.
func ownMatcher(name string) bool {
	switch name {
	case "toBe", "toEqual", "toStrictEqual", "toBeTruthy", "toBeFalsy", "toBeNull", "toBeUndefined", "toBeDefined", "toContain", "toContainEqual", "toHaveLength", "toMatch",
		"toMatchObject", "toThrow", "toThrowError", "toHaveBeenCalled", "toHaveBeenCalledWith", "toHaveBeenCalledTimes", "toBeCloseTo", "toBeGreaterThan", "toBeLessThan",
		"toBeInstanceOf", "toHaveProperty", "toMatchSnapshot", "toMatchInlineSnapshot":
		return true
	}
	return false
}

// uncalled reports whether nobody comes to a function inside a function: the name
// that it is given stands nowhere else, or it is what the callback of a test gives.
func (s *structurer) uncalled(n int32) bool {
	own := s.t.Field(n, "name")
	p, kind := s.parent(n)
	switch {
	case kind == "variable_declarator" && s.t.Field(p, "value") == n:
		own = s.t.Field(p, "name")
	case kind == "arrow_function" && s.t.Field(p, "body") == n:
		_, isTest, _ := declarer(s.callee(s.handedTo(p)))
		return isTest
	case s.t.Kind(n) != "function_declaration":
		return false
	}
	if own < 0 || s.t.Kind(own) != "identifier" {
		return false
	}
	outer := s.enclosing(n)
	if outer < 0 {
		return false
	}
	name := s.text(own)
	for i := outer; i < s.t.Nodes[outer].Next; i++ {
		if i == own || s.text(i) != name || !s.t.Nodes[i].Named() {
			continue
		}
		if _, kind := s.parent(i); kind != "expression_statement" && kind != "unary_expression" {
			return false
		}
	}
	return true
}

// enclosing is the function around a node, -1 for none.
func (s *structurer) enclosing(n int32) int32 {
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "arrow_function", "function_expression", "function", "function_declaration", "method_definition":
			return p
		}
	}
	return -1
}

// looksAround finds conditions about where a program runs.
var looksAround = regexp.MustCompile(`\bprocess\.(env|platform|version|arch|argv)\b|\bimport\.meta\.env\b|\bDeno\.(env|build)\b|\bos\.(platform|hostname|type)\(`)

// never reports whether a condition does not hold in any run.
func never(text string) bool {
	switch strings.Trim(text, "()") {
	case "false", "0", "null", "undefined", `""`, "''", "!1", "!true":
		return true
	}
	return false
}

// dead adds a loop that has no round.
func (s *structurer) dead(n, body int32) {
	over, cond := s.t.Field(n, "right"), s.t.Field(n, "condition")
	if over >= 0 && s.isEmpty(over) || cond >= 0 && s.t.Kind(n) != "do_statement" && never(strings.TrimSuffix(s.text(cond), ";")) {
		s.add(index.Branch, body).Head = s.t.Nodes[n].Start
	}
}
