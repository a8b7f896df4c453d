package golang

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
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

// visit adds what the node alone says; the walk comes to every node.
func (s *structurer) visit(n int32) {
	switch s.t.Kind(n) {
	case "function_declaration", "method_declaration", "func_literal":
		s.function(n)
	case "if_statement":
		s.choice(n)
	case "expression_case", "type_case", "default_case", "communication_case":
		s.arm(n)
	case "for_statement":
		if body := s.t.Field(n, "body"); body >= 0 {
			s.add(index.Loop, body).Head = s.t.Nodes[n].Start
			s.dead(n, body)
		}
	case "range_clause":
		s.over(s.t.Field(n, "right"), string(s.t.Text(max(s.t.Field(n, "left"), 0))))
	case "literal_value":
		if p := s.t.Nodes[n].Parent; p >= 0 && s.t.Kind(p) == "literal_element" {
			s.add(index.Row, n)
		}
	case "keyed_element":
		s.keyed(n)
	case "short_var_declaration", "assignment_statement":
		s.assigned(s.t.Field(n, "left"), s.t.Field(n, "right"))
		s.bound(n, s.t.Field(n, "left"), s.t.Field(n, "right"))
	case "var_spec", "const_spec":
		s.assigned(s.t.Field(n, "name"), s.t.Field(n, "value"))
		s.bound(n, s.t.Field(n, "name"), s.t.Field(n, "value"))
	case "return_statement":
		s.returns(n)
	case "continue_statement":
		s.add(index.Continue, n)
	case "break_statement":
		if s.breaksLoop(n) {
			s.add(index.Break, n)
		}
	case "call_expression":
		s.call(n)
	}
}

func (s *structurer) function(n int32) {
	body := s.t.Field(n, "body")
	if body < 0 {
		return
	}
	kind := index.Function
	if call := s.t.Nodes[n].Parent; call >= 0 && s.t.Nodes[call].Parent >= 0 && s.t.Kind(s.t.Nodes[call].Parent) == "go_statement" {
		kind = index.Concurrent
	}
	if s.uncalled(n) {
		kind = index.Concurrent
	}
	s.add(kind, body).Head = s.t.Nodes[n].Start
	if name := s.t.Field(n, "name"); name >= 0 && string(s.t.Text(name)) == "TestMain" {
		s.add(index.Around, body).Form = index.FormRun
	} else if name >= 0 && string(s.t.Text(name)) == "init" && s.t.Kind(n) == "function_declaration" {
		s.add(index.Around, body)
	}
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
		if len(parts) > 0 && looksAround.Match(s.t.Src[parts[0].Start:parts[0].End]) {
			b.Form = index.FormSurroundings
		}
	}
	switch other := s.t.Field(n, "alternative"); {
	case other < 0:
	case s.t.Kind(other) == "if_statement":
		s.heads[other] = head
	default:
		s.add(index.Branch, other).Head = head
	}
}

func (s *structurer) arm(n int32) {
	b := s.add(index.Branch, n)
	b.Head = s.t.Nodes[s.t.Nodes[n].Parent].Start
	if v := s.t.Field(n, "value"); v >= 0 {
		b.Parts = []index.Range{s.rangeOf(v)}
	}
}

// over adds what a loop goes over, where it has a name or is written out.
func (s *structurer) over(n int32, variable string) {
	if n < 0 {
		return
	}
	if body := s.t.Field(n, "body"); s.t.Kind(n) == "composite_literal" && body >= 0 {
		rows := 0
		for range s.t.NamedChildren(body) {
			rows++
		}
		o := s.add(index.Over, n)
		o.Name, o.Form, o.Value = variable, index.FormRows, float64(rows)
		return
	}
	name, form := n, ""
	if s.t.Kind(n) == "slice_expression" {
		name, form = s.t.Field(n, "operand"), index.FormPart
	}
	if k := s.t.Kind(name); k == "identifier" || k == "selector_expression" {
		o := s.add(index.Over, n)
		o.Name, o.Form = string(s.t.Text(name)), form
	}
}

func (s *structurer) keyed(n int32) {
	key, value := int32(-1), int32(-1)
	for c := range s.t.NamedChildren(n) {
		if s.t.Kind(c) == "comment" {
			continue
		}
		if key < 0 {
			key = c
		} else {
			value = c
		}
	}
	if value >= 0 {
		s.add(index.Entry, value).Name = strings.Trim(string(s.t.Text(key)), "\"`")
	}
}

// assigned adds the values that names are given.
func (s *structurer) assigned(left, right int32) {
	if left < 0 || right < 0 {
		return
	}
	names, values := s.list(left), s.list(right)
	if len(values) == 1 {
		values = slices.Repeat(values, len(names)) // a call with several results
	}
	if len(names) != len(values) {
		return
	}
	for i := range names {
		e := s.add(index.Entry, values[i])
		e.Name, e.Form = string(s.t.Text(names[i])), index.FormVariable
	}
}

func (s *structurer) returns(n int32) {
	for range s.t.NamedChildren(n) {
		s.add(index.ReturnValue, n)
		return
	}
	s.add(index.Return, n)
}

// breaksLoop reports whether a break ends a loop and no switch.
func (s *structurer) breaksLoop(n int32) bool {
	labeled := false
	for range s.t.NamedChildren(n) {
		labeled = true
	}
	for p := s.t.Nodes[n].Parent; p >= 0; p = s.t.Nodes[p].Parent {
		switch s.t.Kind(p) {
		case "for_statement":
			return true
		case "expression_switch_statement", "type_switch_statement", "select_statement":
			if !labeled {
				return false
			}
		case "func_literal":
			return false
		}
	}
	return false
}

// arguments are the arguments of a call, comments left out.
func (s *structurer) arguments(call int32) []int32 {
	args := s.t.Field(call, "arguments")
	if args < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Collect(s.t.NamedChildren(args)), func(n int32) bool { return s.t.Kind(n) == "comment" })
}

// helperName are the functions of a repository's own that assert, by their
// names; the query marks the same.
var helperName = regexp.MustCompile(`^(?i)(assert|check|require|expect|verify|must|ensure|want|compare|diff|same|equal)`)

func (s *structurer) call(n int32) {
	function := s.t.Field(n, "function")
	if function < 0 {
		return
	}
	callee := strings.Join(strings.Fields(string(s.t.Text(function))), "")
	on, name := "", callee
	if i := strings.LastIndexByte(callee, '.'); i >= 0 {
		on, name = callee[:i], callee[i+1:]
	}
	args := s.arguments(n)
	if logged(name) {
		s.add(index.Log, n)
	}
	switch {
	case callee == "recover":
		s.add(index.Swallow, n)
	case name == "Exit" && on != "" && len(args) > 0 && s.isZero(n, args[0]):
		s.add(index.ExitSuccess, n)
	case name == "Run" && on != "" && len(args) == 0:
		s.add(index.RunTests, n)
	case name == "New":
	case isAssertName(on):
		s.assertion(n, callee, s.operands(args, libraryOperands(strings.TrimSuffix(name, "f"))))
	case on != "" && slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, name):
		s.failure(n, callee)
	case on == "" && helperName.MatchString(name):
		s.assertion(n, callee, s.operands(args, -1))
	}
}

// isAssertName reports whether what a function is called on is a package of
// testify or what stands for one: assert, s.Require(), assert.New(t).
func isAssertName(on string) bool {
	on, _, _ = strings.Cut(on, "(")
	switch on[strings.LastIndexByte(on, '.')+1:] {
	case "assert", "require", "Assert", "Require":
		return true
	}
	return strings.HasPrefix(on, "assert.") || strings.HasPrefix(on, "require.")
}

// logged are the functions whose arguments only a person reads.
func logged(name string) bool {
	switch name {
	case "Log", "Logf", "Println", "Printf", "Print", "Error", "Errorf", "Fatal", "Fatalf", "Skip", "Skipf":
		return true
	}
	return false
}

// operands are the ranges of the first count arguments behind a testing object;
// -1 means all.
func (s *structurer) operands(args []int32, count int) []index.Range {
	if len(args) > 0 {
		if a := string(s.t.Text(args[0])); isTestingName(a) && a != "T" || strings.HasSuffix(a, ".T()") || strings.HasSuffix(a, ".t") {
			args = args[1:]
		}
	}
	if count >= 0 && count < len(args) {
		args = args[:count]
	}
	out := make([]index.Range, 0, len(args))
	for _, a := range args {
		out = append(out, s.rangeOf(a))
	}
	return out
}

// libraryOperands is how many arguments of testify's function compare; what
// follows is a message. -1 means all.
func libraryOperands(name string) int {
	switch form, strength := libraryForm(name); {
	case name == "True" || name == "False" || name == "Empty" || name == "Zero":
		return 1
	case slices.Contains([]string{"truth", "nil", "not_nil", "not_empty", "no_error", "exists"}, form), form == "error" && strength == 1:
		return 1
	case slices.Contains([]string{"error", "equal", "not_equal", "contains", "len", "compare", "type"}, form):
		return 2
	case form == "tolerance":
		return 3
	case form == "fail":
		return 0
	}
	return -1
}

func (s *structurer) assertion(n int32, callee string, parts []index.Range) {
	a := s.add(index.Assertion, n)
	a.Name, a.Parts = callee, parts
	name := callee[strings.LastIndexByte(callee, '.')+1:]
	if form, _ := libraryForm(strings.TrimSuffix(name, "f")); form == "tolerance" && len(parts) > 2 {
		s.tolerance(n, parts[2])
	}
}

func (s *structurer) tolerance(n int32, at index.Range) {
	if v, err := strconv.ParseFloat(strings.ReplaceAll(string(s.t.Src[at.Start:at.End]), "_", ""), 64); err == nil {
		t := s.add(index.Tolerance, n)
		t.Range, t.Head, t.Value = at, at.Start, v
	}
}

// failure adds what t.Error and its like assert: that the condition around them
// does not hold.
func (s *structurer) failure(n int32, callee string) {
	a := s.add(index.Assertion, n)
	a.Name = callee
	cond := s.guard(n)
	if cond < 0 {
		return
	}
	a.Form, a.Condition, a.Parts = index.FormGuard, s.rangeOf(cond), []index.Range{s.rangeOf(cond)}
	op := s.t.Field(cond, "operator")
	if op < 0 || !slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, string(s.t.Text(op))) {
		return
	}
	left, right := s.t.Field(cond, "left"), s.t.Field(cond, "right")
	a.Parts = []index.Range{s.rangeOf(left), s.rangeOf(right)}
	if strings.HasPrefix(string(s.t.Text(left)), "math.Abs(") {
		s.tolerance(n, s.rangeOf(right))
	}
}

// guard is the condition of the if statement whose branch holds the call directly.
func (s *structurer) guard(n int32) int32 {
	at := n
	for _, kind := range []string{"expression_statement", "block", "if_statement"} {
		if at = s.t.Nodes[at].Parent; at < 0 || s.t.Kind(at) != kind {
			return -1
		}
	}
	return s.t.Field(at, "condition")
}

// isZero reports whether the argument of a call is 0, or a variable of the
// function that is given nothing else.
func (s *structurer) isZero(call, arg int32) bool {
	text := string(s.t.Text(arg))
	if s.t.Kind(arg) != "identifier" {
		return text == "0"
	}
	zero := false
	for _, e := range s.out {
		if e.Kind == index.Entry && e.Name == text && e.End <= s.t.Nodes[call].Start {
			if zero = string(s.t.Src[e.Start:e.End]) == "0"; !zero {
				return false
			}
		}
	}
	return zero
}
