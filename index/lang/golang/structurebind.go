package golang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// bound adds the names that n gives a value.
func (s *structurer) bound(n, left, right int32) {
	if left < 0 || right < 0 {
		return
	}
	names, values := s.list(left), s.list(right)
	if len(names) != len(values) {
		return
	}
	for i, name := range names {
		text := string(s.t.Text(name))
		if text == "_" || s.mentions(values[i], text) {
			continue
		}
		b := s.add(index.Bind, n)
		b.Name = text
		switch {
		case s.isEmpty(values[i]):
			b.Form = index.FormEmpty
		case s.isTool(n, text) && !toolWord.Match(s.t.Text(values[i])):
			b.Form = index.FormTool
		}
	}
}

// list are the expressions of a list, or the one that stands in its place.
func (s *structurer) list(n int32) []int32 {
	if s.t.Kind(n) != "expression_list" {
		return []int32{n}
	}
	return slices.Collect(s.t.NamedChildren(n))
}

// mentions reports whether an identifier stands in a node.
func (s *structurer) mentions(n int32, name string) bool {
	for i := n; i < s.t.Nodes[n].Next; i++ {
		if s.t.Kind(i) == "identifier" && string(s.t.Text(i)) == name {
			return true
		}
	}
	return false
}

func (s *structurer) isEmpty(n int32) bool {
	if s.t.Kind(n) == "composite_literal" {
		body := s.t.Field(n, "body")
		return body >= 0 && len(slices.Collect(s.t.NamedChildren(body))) == 0 && strings.HasPrefix(string(s.t.Text(n)), "[")
	}
	return s.t.Kind(n) == "nil"
}

// toolWord are words by which a value comes from testify or hands on to the test.
var toolWord = regexp.MustCompile(`\b(assert|require|testing|suite|t|tb|b|s|is|qt|must)\b`)

// isTool reports whether a name is that of a package of testify, or of the
// testing object of a function around n.
func (s *structurer) isTool(n int32, name string) bool {
	switch name {
	case "assert", "require":
		return true
	case "t", "tb":
	default:
		return false
	}
	block := s.t.Nodes[n].Parent
	for p := block; p >= 0; p = s.t.Nodes[p].Parent {
		if params := s.t.Field(p, "parameters"); params >= 0 && strings.Contains(string(s.t.Text(params)), name+" *testing.T") {
			return s.tests(block, s.t.Nodes[n].End, name)
		}
	}
	return false
}

// tests reports whether what stands in a node behind an offset uses a name as a
// testing object: it is handed on before something else, or one of its methods that
// fail or begin a test is called.
func (s *structurer) tests(block int32, from uint32, name string) bool {
	for i := block; i < s.t.Nodes[block].Next; i++ {
		if s.t.Nodes[i].Start < from || s.t.Kind(i) != "call_expression" {
			continue
		}
		if method, ok := strings.CutPrefix(string(s.t.Text(s.t.Field(i, "function"))), name+"."); ok && failing.MatchString(method) {
			return true
		}
		args := slices.Collect(s.t.NamedChildren(s.t.Field(i, "arguments")))
		if len(args) > 1 && string(s.t.Text(args[0])) == name {
			return true
		}
	}
	return false
}

// failing are the methods of a testing object that fail, or begin a test.
var failing = regexp.MustCompile(`^(Error|Errorf|Fatal|Fatalf|Fail|FailNow|Run)$`)

// uncalled reports whether a function literal is given to the blank name.
func (s *structurer) uncalled(n int32) bool {
	p := s.t.Nodes[n].Parent
	if p >= 0 && s.t.Kind(p) == "expression_list" {
		p = s.t.Nodes[p].Parent
	}
	if p < 0 || s.t.Kind(n) != "func_literal" {
		return false
	}
	left := s.t.Field(p, "left")
	if left < 0 {
		return false
	}
	name := string(s.t.Text(left))
	if name == "_" {
		return true
	}
	outer := s.enclosing(n)
	if outer < 0 || strings.ContainsAny(name, ",. [") {
		return false
	}
	for i := outer; i < s.t.Nodes[outer].Next; i++ {
		if s.t.Kind(i) == "identifier" && string(s.t.Text(i)) == name && (s.t.Nodes[i].Start < s.t.Nodes[left].Start || s.t.Nodes[i].Start >= s.t.Nodes[left].End) && !s.discarded(i) {
			return false
		}
	}
	return true
}

// discarded reports whether an identifier is all that the blank name is given.
func (s *structurer) discarded(n int32) bool {
	p := s.t.Nodes[n].Parent
	if p >= 0 && s.t.Kind(p) == "expression_list" {
		p = s.t.Nodes[p].Parent
	}
	if p < 0 || s.t.Kind(p) != "assignment_statement" {
		return false
	}
	left := s.t.Field(p, "left")
	return left >= 0 && string(s.t.Text(left)) == "_"
}

// enclosing is the function around a node, -1 for none.
func (s *structurer) enclosing(n int32) int32 {
	for p := s.t.Nodes[n].Parent; p >= 0; p = s.t.Nodes[p].Parent {
		switch s.t.Kind(p) {
		case "function_declaration", "method_declaration", "func_literal":
			return p
		}
	}
	return -1
}

// looksAround finds conditions about where a program runs.
var looksAround = regexp.MustCompile(`\bos\.(Getenv|LookupEnv|Hostname)\b|\bruntime\.(GOOS|GOARCH|Version|NumCPU)\b`)

// dead adds a loop that has no round.
func (s *structurer) dead(n, body int32) {
	head := strings.Join(strings.Fields(string(s.t.Src[s.t.Nodes[n].Start:s.t.Nodes[body].Start])), " ")
	if head == "for false" || head == "for ; false;" || strings.HasPrefix(head, "for range []") && strings.HasSuffix(head, "{}") || head == "for range 0" {
		s.add(index.Branch, body).Head = s.t.Nodes[n].Start
	}
}
