package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// structure tells of a file what index.Language.Structure asks for.
func structure(t *index.Tree) []index.Statement {
	s := &structurer{t: t}
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
	case "function_definition":
		s.function(n)
		s.binding(n)
		s.idle(n)
	case "class_definition", "import_statement", "import_from_statement":
		s.binding(n)
		s.handsOn(n)
	case "lambda":
		s.anonymous(n)
	case "with_statement":
		s.withBlock(n)
	case "finally_clause":
		s.lastly(n)
	case "if_statement", "elif_clause", "else_clause", "case_clause":
		s.branch(n)
	case "boolean_operator":
		if right := s.t.Field(n, "right"); right >= 0 {
			s.add(index.Branch, right).Head = s.t.Nodes[n].Start
		}
	case "for_statement", "while_statement":
		s.loop(n)
	case "for_in_clause":
		s.over(s.t.Field(n, "right"), s.text(s.t.Field(n, "left")))
	case "except_clause", "except_group_clause":
		s.handler(n)
	case "list", "tuple", "dictionary", "set":
		s.row(n)
	case "pair":
		s.entry(s.t.Field(n, "value"), strings.Trim(s.text(s.t.Field(n, "key")), "\"'"), "")
	case "keyword_argument":
		s.entry(s.t.Field(n, "value"), s.text(s.t.Field(n, "name")), "")
	case "assignment", "augmented_assignment", "named_expression":
		s.assigned(n)
	case "return_statement":
		s.returns(n)
	case "continue_statement":
		s.add(index.Continue, n)
	case "break_statement":
		s.add(index.Break, n)
	case "raise_statement":
		s.raise(n)
	case "delete_statement":
		if name, _, sliced := strings.Cut(strings.TrimPrefix(s.text(n), "del "), "["); sliced && name == "items" {
			s.add(index.Deselect, n)
		}
		s.binding(n)
	case "assert_statement":
		s.assertStatement(n)
	case "call":
		s.call(n)
	}
}

func (s *structurer) function(n int32) {
	body := s.t.Field(n, "body")
	if body < 0 {
		return
	}
	kind := index.Function
	if name := s.text(s.t.Field(n, "name")); s.isConcurrent(n, name) {
		kind = index.Concurrent
	}
	f := s.add(kind, body)
	f.Head = s.t.Nodes[n].Start
	decorators := ""
	if p, k := s.parent(n); k == "decorated_definition" {
		f.Head = s.t.Nodes[p].Start
		decorators = string(s.t.Src[s.t.Nodes[p].Start:s.t.Nodes[n].Start])
	}
	if s.isAround(n, decorators) {
		s.add(index.Around, body)
	}
}

// isAround reports whether pytest or unittest calls a function around tests.
func (s *structurer) isAround(n int32, decorators string) bool {
	name := s.text(s.t.Field(n, "name"))
	switch name {
	case "setUp", "tearDown", "asyncSetUp", "asyncTearDown", "setup_method", "teardown_method", "setup_class", "teardown_class":
		return true
	}
	return strings.HasPrefix(name, "pytest_") || name == "__init__" || isAroundName(name) || strings.Contains(strings.ReplaceAll(decorators, " ", ""), "autouse=True")
}

// isConcurrent reports whether a function inside a function is started, under
// its name, by something that nobody waits for.
func (s *structurer) isConcurrent(n int32, name string) bool {
	outer := s.t.Ancestor(n, s.t.Nodes[n].Kind)
	if outer < 0 || name == "" {
		return false
	}
	text := s.text(outer)
	for _, start := range []string{"Thread(target=" + name, "create_task(" + name, "ensure_future(" + name} {
		i := strings.Index(text, start)
		if i < 0 {
			continue
		}
		line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
		if !strings.Contains(line, "=") && !strings.Contains(line, "await") && !strings.Contains(text, ".join(") {
			return true
		}
	}
	return s.uncalled(n, outer, name)
}

// branch adds the block of a choice. The else of a loop is none.
func (s *structurer) branch(n int32) {
	head, body := n, s.t.Field(n, "consequence")
	var parts []index.Range
	if c := s.t.Field(n, "condition"); c >= 0 {
		parts = []index.Range{s.rangeOf(c)}
	}
	switch p, kind := s.parent(n); s.t.Kind(n) {
	case "elif_clause":
		head = p
	case "else_clause":
		if kind != "if_statement" && kind != "try_statement" {
			return
		}
		head, body = p, s.t.Field(n, "body")
	case "case_clause":
		head, _ = s.parent(p)
		for _, c := range s.named(n) {
			if s.t.Kind(c) == "case_pattern" {
				parts = append(parts, s.rangeOf(c))
			}
		}
	}
	if body < 0 {
		return
	}
	b := s.add(index.Branch, body)
	b.Parts, b.Head = parts, s.t.Nodes[max(head, 0)].Start
	if c := s.t.Field(n, "condition"); c >= 0 && looksAround.MatchString(s.text(c)) {
		b.Form = index.FormSurroundings
	}
}

func (s *structurer) loop(n int32) {
	if body := s.t.Field(n, "body"); body >= 0 {
		s.add(index.Loop, body).Head = s.t.Nodes[n].Start
		over, cond := s.t.Field(n, "right"), s.t.Field(n, "condition")
		if over >= 0 && s.isEmpty(over) || cond >= 0 && never(s.text(cond)) {
			s.add(index.Branch, body).Head = s.t.Nodes[n].Start
		}
	}
	s.over(s.t.Field(n, "right"), s.text(s.t.Field(n, "left")))
}

// over adds what a loop, or a parametrized test, goes over, where it has a name
// or is written out.
func (s *structurer) over(n int32, variable string) {
	if n < 0 {
		return
	}
	name, form := n, ""
	switch s.t.Kind(n) {
	case "list", "tuple", "set":
		o := s.add(index.Over, n)
		o.Name, o.Form, o.Value = variable, index.FormRows, float64(len(s.named(n)))
		return
	case "subscript":
		if sub := s.t.Field(n, "subscript"); sub >= 0 && s.t.Kind(sub) == "slice" {
			name, form = s.t.Field(n, "value"), index.FormPart
		}
	case "call":
		switch callee := s.text(s.t.Field(n, "function")); callee {
		case "islice", "itertools.islice", "random.sample":
			if args := s.named(s.t.Field(n, "arguments")); len(args) > 0 {
				name, form = args[0], index.FormPart
			}
		}
	}
	if k := s.t.Kind(name); k == "identifier" || k == "attribute" {
		o := s.add(index.Over, n)
		o.Name, o.Form = s.text(name), form
	}
}

// row adds an element of a table. Values that are handed to a call are inputs,
// but for those of parametrize and param.
func (s *structurer) row(n int32) {
	p, kind := s.parent(n)
	if kind == "pair" {
		p, kind = s.parent(p)
	}
	if kind != "list" && kind != "tuple" && kind != "dictionary" && kind != "set" {
		return
	}
	for ; p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "call":
			if name := lastName(s.text(s.t.Field(p, "function"))); name != "parametrize" && name != "param" {
				return
			}
			s.add(index.Row, n)
			return
		case "expression_statement", "block", "for_statement":
			s.add(index.Row, n)
			return
		}
	}
}

func lastName(callee string) string { return callee[strings.LastIndexByte(callee, '.')+1:] }

func (s *structurer) entry(value int32, name, form string) {
	if value >= 0 && name != "" {
		e := s.add(index.Entry, value)
		e.Name, e.Form = name, form
	}
}

// assigned adds the values that names are given, and what an assignment says
// about the run of the tests.
func (s *structurer) assigned(n int32) {
	left, right := s.t.Field(n, "left"), s.t.Field(n, "right")
	if s.t.Kind(n) == "named_expression" {
		left, right = s.t.Field(n, "name"), s.t.Field(n, "value")
	}
	if left < 0 || right < 0 {
		return
	}
	names, values := []int32{left}, []int32{right}
	if k := s.t.Kind(left); k == "pattern_list" || k == "tuple_pattern" {
		names = s.named(left)
		values = slices.Repeat(values, len(names))
		if s.t.Kind(right) == "expression_list" && len(s.named(right)) == len(names) {
			values = s.named(right)
		}
	}
	for i := range names {
		s.entry(values[i], s.text(names[i]), index.FormVariable)
	}
	if s.t.Kind(n) == "assignment" {
		s.boundValue(n, left, right)
	}
	value := s.text(right)
	switch target := s.text(left); {
	case target == "pytestmark" || target == "__test__":
		s.add(index.Around, n)
	case target == "collect_ignore" || target == "collect_ignore_glob":
		s.collected(right)
	case strings.HasSuffix(target, ".exitstatus") && (value == "0" || strings.HasSuffix(value, "ExitCode.OK")),
		strings.HasSuffix(target, ".outcome") && strings.Trim(value, "\"'") == "passed",
		strings.HasSuffix(target, ".testsfailed") && value == "0":
		s.add(index.ExitSuccess, n).Form = index.FormRun
	case target == "items[:]":
		s.add(index.Deselect, n)
	case s.isMockValue(right):
		if s.t.Kind(left) == "attribute" {
			s.add(index.Mock, n).Name = lastName(target)
		}
		m := s.add(index.Mock, n)
		m.Name, m.Form = target, index.FormObject
	}
}

// isMockValue reports whether a value is one that stands in for another.
func (s *structurer) isMockValue(n int32) bool {
	if s.t.Kind(n) == "lambda" {
		return true
	}
	if s.t.Kind(n) != "call" {
		return false
	}
	switch lastName(s.text(s.t.Field(n, "function"))) {
	case "Mock", "MagicMock", "AsyncMock", "create_autospec":
		return true
	}
	return false
}

func (s *structurer) returns(n int32) {
	if len(s.named(n)) > 0 {
		s.add(index.ReturnValue, n)
		s.decides(n)
		return
	}
	s.add(index.Return, n)
}

// handler adds an except clause, and says where it keeps quiet about what a
// test would fail by: every exception, or that of an assertion.
func (s *structurer) handler(n int32) {
	var body int32 = -1
	class := ""
	for _, c := range s.named(n) {
		if s.t.Kind(c) == "block" {
			body = c
		} else if class == "" {
			class = s.text(c)
		}
	}
	if body < 0 {
		return
	}
	p, _ := s.parent(n)
	s.add(index.Handler, body).Head = s.t.Nodes[max(p, 0)].Start
	if takesFailures(class) && !s.speaks(body) {
		w := s.add(index.Swallow, n)
		w.End = s.t.Nodes[body].Start
	}
}

// takesFailures reports whether a handler of these classes takes what a failed
// assertion raises.
func takesFailures(classes string) bool {
	classes, _, _ = strings.Cut(classes, " as ")
	if classes == "" {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(classes, func(r rune) bool { return strings.ContainsRune("(), ", r) }), func(c string) bool {
		switch lastName(c) {
		case "Exception", "BaseException", "AssertionError", "Failed":
			return true
		}
		return false
	})
}

// speaks reports whether a block raises, asserts, or fails a test by name.
func (s *structurer) speaks(block int32) bool {
	for n := block; n < s.t.Nodes[block].Next; n++ {
		switch s.t.Kind(n) {
		case "raise_statement", "assert_statement":
			return true
		case "call":
			if name := lastName(s.text(s.t.Field(n, "function"))); strings.HasPrefix(name, "fail") || strings.HasPrefix(name, "assert") || name == "exit" {
				return true
			}
		}
	}
	return false
}

func (s *structurer) raise(n int32) {
	args := s.named(n)
	if len(args) == 0 {
		return
	}
	name, callArgs := s.text(args[0]), []int32(nil)
	if s.t.Kind(args[0]) == "call" {
		name, callArgs = s.text(s.t.Field(args[0], "function")), s.named(s.t.Field(args[0], "arguments"))
	}
	switch lastName(name) {
	case "SystemExit":
		if len(callArgs) == 0 || s.isZero(callArgs[0]) {
			s.exit(n)
		}
	case "AssertionError":
		s.guarded(s.add(index.Assertion, n), n, name)
	}
}

// guarded fills in an assertion that fails when it is come to: what it asserts
// is that the condition around it does not hold.
func (s *structurer) guarded(a *index.Statement, n int32, name string) {
	a.Name = strings.Join(strings.Fields(name), "")
	at, kind := n, ""
	for _, want := range []string{"expression_statement", "block"} {
		p, k := s.parent(at)
		if kind = k; k == want {
			at = p
		}
	}
	p, k := s.parent(at)
	if kind != "block" || k != "if_statement" && k != "elif_clause" || s.t.Field(p, "consequence") != at {
		return
	}
	cond := s.t.Field(p, "condition")
	a.Form, a.Condition, a.Parts = index.FormGuard, s.rangeOf(cond), s.sides(cond)
}

func (s *structurer) isZero(n int32) bool {
	text := s.text(n)
	return text == "0" || text == "None" || text == "False" || strings.HasSuffix(text, "ExitCode.OK") || text == "os.EX_OK"
}

// exit adds an end of the process as if nothing had failed. In a hook of pytest
// and in what stands around all tests it is that of the run.
func (s *structurer) exit(n int32) {
	e := s.add(index.ExitSuccess, n)
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		if kind != "function_definition" {
			continue
		}
		switch name := s.text(s.t.Field(p, "name")); {
		case strings.HasPrefix(name, "pytest_"), isAroundName(name):
			e.Form = index.FormRun
		}
	}
}

func isAroundName(name string) bool {
	switch name {
	case "setup_module", "teardown_module", "setUpModule", "tearDownModule", "setup_function", "teardown_function", "setUpClass", "tearDownClass":
		return true
	}
	return false
}

// unrun are folders into which pytest does not look (norecursedirs).
func unrun() []string {
	return []string{"**/{.*,build,dist,CVS,_darcs,{arch},*.egg,node_modules,venv,site-packages}/**"}
}
