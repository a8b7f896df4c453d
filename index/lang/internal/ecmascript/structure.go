package ecmascript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// structure tells of a file what index.Language.Structure asks for.
func structure(t *index.Tree) []index.Statement {
	s := &structurer{t: t, heads: map[int32]uint32{}}
	for n := range int32(len(t.Nodes)) {
		s.visit(n)
	}
	slices.SortStableFunc(s.out, func(a, b index.Statement) int { return cmp.Compare(a.Start, b.Start) })
	return s.out
}

// A structurer collects the statements of one tree.
type structurer struct {
	t   *index.Tree
	out []index.Statement
	// heads is where the choice begins that an if statement in an else belongs to.
	heads map[int32]uint32
}

func (s *structurer) rangeOf(n int32) index.Range {
	return index.Range{Start: s.t.Nodes[n].Start, End: s.t.Nodes[n].End}
}

func (s *structurer) add(kind index.StatementKind, n int32) *index.Statement {
	r := s.rangeOf(n)
	s.out = append(s.out, index.Statement{Kind: kind, Range: r, Head: r.Start})
	return &s.out[len(s.out)-1]
}

// parent is the node's parent and its kind, "" at the root.
func (s *structurer) parent(n int32) (int32, string) {
	p := s.t.Nodes[n].Parent
	if p < 0 {
		return p, ""
	}
	return p, s.t.Kind(p)
}

// named are the named children, comments left out.
func (s *structurer) named(n int32) []int32 {
	if n < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Collect(s.t.NamedChildren(n)), func(c int32) bool { return s.t.Kind(c) == "comment" })
}

func (s *structurer) text(n int32) string {
	if n < 0 {
		return ""
	}
	return string(s.t.Text(n))
}

// visit adds what the node alone says; the walk comes to every node.
func (s *structurer) visit(n int32) {
	if !s.t.Nodes[n].Named() {
		return
	}
	switch s.t.Kind(n) {
	case "arrow_function", "function_expression", "function", "function_declaration", "method_definition", "generator_function", "generator_function_declaration":
		s.function(n)
		if k := s.t.Kind(n); k == "function_declaration" || k == "generator_function_declaration" {
			s.declaration(n)
		}
	case "class_declaration":
		s.declaration(n)
	case "if_statement":
		s.choice(n)
	case "switch_case", "switch_default":
		s.arm(n)
	case "ternary_expression", "binary_expression":
		s.inline(n)
	case "for_statement", "for_in_statement", "while_statement", "do_statement":
		s.loop(n)
	case "catch_clause":
		s.handler(n)
	case "array", "object":
		s.row(n)
	case "pair":
		s.entry(s.t.Field(n, "value"), strings.Trim(s.text(s.t.Field(n, "key")), "\"'`"), "")
	case "variable_declarator":
		s.assigned(s.t.Field(n, "name"), s.t.Field(n, "value"))
		s.boundValue(n, s.t.Field(n, "name"), s.t.Field(n, "value"))
	case "assignment_expression", "augmented_assignment_expression":
		s.assignment(n)
		s.handsOn(n)
	case "export_statement":
		s.handsOn(n)
	case "return_statement":
		kind := index.Return
		if len(s.named(n)) > 0 {
			kind = index.ReturnValue
		}
		s.add(kind, n)
	case "continue_statement":
		s.add(index.Continue, n)
	case "break_statement":
		if s.breaksLoop(n) {
			s.add(index.Break, n)
		}
	case "call_expression":
		s.call(n)
	case "expression_statement":
		s.property(n)
	case "throw_statement":
		s.failure(n, index.NameThrow)
	}
}

func (s *structurer) function(n int32) {
	body := s.t.Field(n, "body")
	if body < 0 {
		return
	}
	kind := index.Function
	call := s.handedTo(n)
	name := lastName(s.callee(call))
	switch name {
	case "setTimeout", "setImmediate", "queueMicrotask", "setInterval", "nextTick":
		kind = index.Concurrent
	case "then", "finally":
		if !s.awaited(call) {
			kind = index.Concurrent
		}
	case "forEach", "map", "every", "some":
		s.add(index.Loop, body).Head = s.t.Nodes[n].Start
		if over := s.t.Field(s.t.Field(call, "function"), "object"); over >= 0 && s.isEmpty(over) {
			s.add(index.Branch, body).Head = s.t.Nodes[n].Start
		}
	}
	if s.uncalled(n) {
		kind = index.Concurrent
	}
	s.add(kind, body).Head = s.t.Nodes[n].Start
	switch name {
	case "beforeEach", "beforeAll", "afterEach", "afterAll", "before", "after", "setup", "teardown", "suiteSetup":
		s.add(index.Around, body)
	}
}

// handedTo is the call that a function is an argument of, -1 for none.
func (s *structurer) handedTo(n int32) int32 {
	p, kind := s.parent(n)
	if kind != "arguments" {
		return -1
	}
	call, _ := s.parent(p)
	return call
}

// awaited reports whether something waits for what a call gives: it is awaited,
// returned, given to a name or handed on.
func (s *structurer) awaited(call int32) bool {
	for p, kind := s.parent(call); p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "expression_statement", "unary_expression":
			return false
		case "member_expression", "call_expression", "parenthesized_expression":
		default:
			return true
		}
	}
	return false
}

func (s *structurer) choice(n int32) {
	head, ok := s.heads[n]
	if !ok {
		head = s.t.Nodes[n].Start
	}
	var parts []index.Range
	if c := s.t.Field(n, "condition"); c >= 0 {
		parts = []index.Range{s.rangeOf(c)}
	}
	if body := s.t.Field(n, "consequence"); body >= 0 {
		b := s.add(index.Branch, body)
		b.Head, b.Parts = head, parts
		if c := s.t.Field(n, "condition"); c >= 0 && looksAround.MatchString(s.text(c)) {
			b.Form = index.FormSurroundings
		}
	}
	other := s.t.Field(n, "alternative")
	if other < 0 {
		return
	}
	if inner := s.named(other); len(inner) == 1 && s.t.Kind(inner[0]) == "if_statement" {
		s.heads[inner[0]] = head
		return
	}
	s.add(index.Branch, other).Head = head
}

func (s *structurer) arm(n int32) {
	b := s.add(index.Branch, n)
	if body, _ := s.parent(n); body >= 0 {
		if p, _ := s.parent(body); p >= 0 {
			b.Head = s.t.Nodes[p].Start
		}
	}
	if v := s.t.Field(n, "value"); v >= 0 {
		b.Parts = []index.Range{s.rangeOf(v)}
	}
}

// inline adds the operands that are come to under a condition only: behind &&,
// || and ??, and in a choice by ?.
func (s *structurer) inline(n int32) {
	if s.t.Kind(n) == "ternary_expression" {
		for _, field := range []string{"consequence", "alternative"} {
			if c := s.t.Field(n, field); c >= 0 {
				s.add(index.Branch, c).Head = s.t.Nodes[n].Start
			}
		}
		return
	}
	op, right := s.t.Field(n, "operator"), s.t.Field(n, "right")
	if op < 0 || right < 0 {
		return
	}
	switch s.text(op) {
	case "&&", "||", "??":
		s.add(index.Branch, right).Head = s.t.Nodes[n].Start
	}
}

func (s *structurer) loop(n int32) {
	if body := s.t.Field(n, "body"); body >= 0 {
		s.add(index.Loop, body).Head = s.t.Nodes[n].Start
		s.dead(n, body)
	}
	if s.t.Kind(n) == "for_in_statement" {
		s.over(s.t.Field(n, "right"), s.text(s.t.Field(n, "left")))
	}
}

// over adds what a loop, or a repeated test, goes over, where it has a name or is
// written out.
func (s *structurer) over(n int32, variable string) {
	if n < 0 {
		return
	}
	if s.t.Kind(n) == "array" {
		o := s.add(index.Over, n)
		o.Name, o.Form, o.Value = variable, index.FormRows, float64(len(s.named(n)))
		return
	}
	name, form := n, ""
	if s.t.Kind(n) == "call_expression" {
		function := s.t.Field(n, "function")
		switch lastName(s.callee(n)) {
		case "slice", "filter", "splice":
			name, form = s.t.Field(function, "object"), index.FormPart
		case "entries", "values", "keys":
			if args := s.arguments(n); len(args) == 1 {
				name = args[0]
			}
		}
	}
	if name < 0 {
		return
	}
	if k := s.t.Kind(name); k == "identifier" || k == "member_expression" {
		o := s.add(index.Over, n)
		o.Name, o.Form = s.text(name), form
	}
}

// row adds an element of a table. Values that are handed to a call are inputs,
// but for the table of a repeated test.
func (s *structurer) row(n int32) {
	p, kind := s.parent(n)
	if kind == "pair" {
		p, kind = s.parent(p)
	}
	if kind != "array" && kind != "object" {
		return
	}
	for ; p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "call_expression":
			if name := lastName(s.callee(p)); name != "each" && name != "for" && name != "forEach" {
				return
			}
			s.add(index.Row, n)
			return
		case "member_expression":
			if name := s.text(s.t.Field(p, "property")); name == "forEach" {
				s.add(index.Row, n)
				return
			}
		case "variable_declarator", "for_in_statement":
			s.add(index.Row, n)
			return
		case "statement_block", "program":
			return
		}
	}
}

func (s *structurer) entry(value int32, name, form string) {
	if value >= 0 && name != "" {
		e := s.add(index.Entry, value)
		e.Name, e.Form = name, form
	}
}

// assigned adds the values that names are given.
func (s *structurer) assigned(left, right int32) {
	if left < 0 || right < 0 {
		return
	}
	names, values := []int32{left}, []int32{right}
	if k := s.t.Kind(left); k == "array_pattern" || k == "object_pattern" {
		names = s.named(left)
		values = slices.Repeat(values, len(names))
		if s.t.Kind(right) == "array" && len(s.named(right)) == len(names) {
			values = s.named(right)
		}
	}
	for i := range names {
		s.entry(values[i], s.text(names[i]), index.FormVariable)
	}
}

func (s *structurer) assignment(n int32) {
	left, right := s.t.Field(n, "left"), s.t.Field(n, "right")
	s.assigned(left, right)
	s.boundValue(n, left, right)
	if s.text(left) == "process.exitCode" && isSuccess(s.text(right)) {
		s.add(index.ExitSuccess, n).Form = index.FormRun
	}
	if right >= 0 && s.t.Kind(left) == "member_expression" && s.t.Kind(right) == "call_expression" && isMockFactory(s.callee(right)) {
		s.add(index.Mock, n).Name = lastName(s.text(left))
	}
}

func isSuccess(value string) bool { return value == "0" || value == "undefined" || value == "null" }

// breaksLoop reports whether a break ends a loop and no switch.
func (s *structurer) breaksLoop(n int32) bool {
	labeled := len(s.named(n)) > 0
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "for_statement", "for_in_statement", "while_statement", "do_statement":
			return true
		case "switch_statement":
			if !labeled {
				return false
			}
		case "arrow_function", "function_expression", "function_declaration", "method_definition":
			return false
		}
	}
	return false
}

// handler adds a catch clause, and says where it keeps quiet about a failure.
func (s *structurer) handler(n int32) {
	body := s.t.Field(n, "body")
	if body < 0 {
		return
	}
	p, _ := s.parent(n)
	s.add(index.Handler, body).Head = s.t.Nodes[max(p, 0)].Start
	if !s.speaks(body) {
		w := s.add(index.Swallow, n)
		w.End = s.t.Nodes[body].Start
	}
}

// speaks reports whether a block throws, asserts, fails a test, or hands on what
// it caught.
func (s *structurer) speaks(block int32) bool {
	for n := block; n < s.t.Nodes[block].Next; n++ {
		switch s.t.Kind(n) {
		case "throw_statement":
			return true
		case "call_expression":
			callee := s.callee(n)
			base, _, _ := strings.Cut(callee, ".")
			switch name := lastName(callee); {
			case base == "expect" || strings.HasPrefix(base, "assert"), name == "fail", name == "reject", name == "done", name == "next", name == "skip":
				return true
			}
		}
	}
	return false
}
