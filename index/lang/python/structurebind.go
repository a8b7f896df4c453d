package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// binding adds what gives a name a meaning, or takes it away.
func (s *structurer) binding(n int32) {
	switch s.t.Kind(n) {
	case "function_definition", "class_definition":
		if name := s.text(s.t.Field(n, "name")); !s.isPart(n, name) {
			s.bind(n, name, s.definesTool(n))
		}
	case "delete_statement":
		for _, c := range s.flat(n) {
			if name, all := strings.CutSuffix(s.text(c), "[:]"); all {
				s.bind(n, name, index.FormEmpty)
			} else if k := s.t.Kind(c); k == "identifier" || k == "attribute" {
				s.bind(n, s.text(c), "")
			}
		}
	case "import_statement", "import_from_statement":
		for _, c := range s.imported(n) {
			s.bind(n, c, "")
		}
	}
}

// imported are the names that an import binds: of a module in a package, where it
// gets no other name, that of the outermost package.
func (s *structurer) imported(n int32) []string {
	from := s.t.Field(n, "module_name")
	var out []string
	for _, c := range s.named(n) {
		if c == from {
			continue
		}
		name := s.text(c)
		if alias := s.t.Field(c, "alias"); alias >= 0 {
			name = s.text(alias)
		} else if from < 0 {
			name, _, _ = strings.Cut(name, ".")
		}
		out = append(out, name)
	}
	return out
}

// isPart reports whether a definition adds to what bears its name already, as
// what sets a property or is one of several overloads.
func (s *structurer) isPart(n int32, name string) bool {
	p, kind := s.parent(n)
	if kind != "decorated_definition" {
		return false
	}
	decorators := string(s.t.Src[s.t.Nodes[p].Start:s.t.Nodes[n].Start])
	return strings.Contains(decorators, "@"+name+".") || strings.Contains(decorators, "overload") || strings.Contains(decorators, "register")
}

// flat are the named children, those of a list of expressions in its place.
func (s *structurer) flat(n int32) []int32 {
	var out []int32
	for _, c := range s.named(n) {
		if k := s.t.Kind(c); k == "expression_list" || k == "tuple" || k == "parenthesized_expression" {
			out = append(out, s.flat(c)...)
			continue
		}
		out = append(out, c)
	}
	return out
}

// boundCall adds calls that do with a name what an assignment or a deletion does.
func (s *structurer) boundCall(n int32, callee, name string, args []int32) {
	quoted := func(i int) string {
		if i < len(args) && s.t.Kind(args[i]) == "string" {
			return strings.Trim(s.text(args[i]), "\"'")
		}
		return ""
	}
	switch callee {
	case "globals().pop", "locals().pop", "globals().__delitem__", "globals().__setitem__":
		s.bind(n, quoted(0), "")
	case "delattr", "setattr":
		if on := quoted(1); on != "" {
			s.bind(n, s.text(args[0])+"."+on, "")
		}
	}
	if name == "clear" && len(args) == 0 && callee != name {
		s.bind(n, strings.TrimSuffix(callee, ".clear"), index.FormEmpty)
	}
}

// bind adds that n gives name a meaning: of a member, with the classes around it.
func (s *structurer) bind(n int32, name, form string) {
	if name == "" {
		return
	}
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		if kind == "function_definition" || kind == "lambda" {
			break
		}
		if kind == "class_definition" {
			name = s.text(s.t.Field(p, "name")) + "." + name
		}
	}
	b := s.add(index.Bind, n)
	b.Name, b.Form = strings.Join(strings.Fields(name), ""), form
}

// boundValue adds that the assignment n gives a name a value, unless the value
// is made of what the name stands for.
func (s *structurer) boundValue(n, left, right int32) {
	name := s.text(left)
	if item, ok := strings.CutPrefix(name, "globals()["); ok {
		s.bind(n, strings.Trim(strings.TrimSuffix(item, "]"), "\"'"), "")
		return
	}
	form := ""
	switch k := s.t.Kind(left); {
	case strings.HasSuffix(name, "[:]") && s.isEmpty(right):
		name, form = strings.TrimSuffix(name, "[:]"), index.FormEmpty
	case k != "identifier" && k != "attribute" || s.mentions(right, name):
		return
	case s.isEmpty(right):
		form = index.FormEmpty
	case isTool(name) && !s.inOther(n) && !speaksOfTools(s.text(right)):
		form = index.FormTool
	}
	s.bind(n, name, form)
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
	switch s.t.Kind(n) {
	case "list", "tuple", "dictionary", "set":
		return len(s.named(n)) == 0
	case "none":
		return true
	case "call":
		switch strings.ReplaceAll(s.text(n), " ", "") {
		case "list()", "tuple()", "dict()", "set()", "frozenset()", "range(0)", "iter(())":
			return true
		}
	}
	return false
}

// isTool reports whether a name is one of pytest or unittest.
func isTool(name string) bool {
	switch name {
	case "pytest", "raises", "unittest", "TestCase", "parametrize":
		return true
	}
	return false
}

// toolWord are words by which a replacement of a test tool's own hands on to it.
var toolWord = regexp.MustCompile(`\b(pytest|unittest|raise|assert\w*|fail\w*|super)\b`)

func speaksOfTools(text string) bool { return toolWord.MatchString(text) }

// definesTool is FormTool for a definition that bears the name of an assertion of
// unittest, or of a test tool, and neither asserts nor hands on to one.
func (s *structurer) definesTool(n int32) string {
	name := s.text(s.t.Field(n, "name"))
	form, _ := libraryForm(name)
	switch {
	case isModule(name) && !s.inOther(n):
		return index.FormTool
	case form == "" && (!isTool(name) || s.inOther(n)), speaksOfTools(s.parts(n)):
		return ""
	}
	return index.FormTool
}

// parts are what a definition is made of, without its name.
func (s *structurer) parts(n int32) string {
	name := s.t.Nodes[s.t.Field(n, "name")]
	return string(s.t.Src[name.End:s.t.Nodes[n].End])
}

// inOther reports whether a node stands in a class that does not bear the name of
// a module of a test tool: its members are not the tool's.
func (s *structurer) inOther(n int32) bool {
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		switch kind {
		case "function_definition", "lambda":
			return false
		case "class_definition":
			return !isModule(s.text(s.t.Field(p, "name")))
		}
	}
	return false
}

// isModule reports whether a name is that of a test tool as a whole.
func isModule(name string) bool { return name == "pytest" || name == "unittest" }

// uncalled reports whether a function inside a function is named nowhere but
// where it is defined, so that nobody calls it.
func (s *structurer) uncalled(n, outer int32, name string) bool {
	if _, kind := s.parent(n); kind == "decorated_definition" {
		return false
	}
	own := s.t.Field(n, "name")
	for i := outer; i < s.t.Nodes[outer].Next; i++ {
		if i == own || s.t.Kind(i) != "identifier" || s.text(i) != name {
			continue
		}
		p, kind := s.parent(i)
		idle := kind == "expression_statement" || kind == "assignment" && s.t.Field(p, "right") == i && s.text(s.t.Field(p, "left")) == "_"
		if !idle {
			return false
		}
	}
	return true
}

// anonymous adds a lambda that is given to a name which nobody uses.
func (s *structurer) anonymous(n int32) {
	p, kind := s.parent(n)
	body, outer := s.t.Field(n, "body"), s.enclosing(n)
	if kind != "assignment" || body < 0 || outer < 0 || s.t.Kind(s.t.Field(p, "left")) != "identifier" {
		return
	}
	left := s.t.Field(p, "left")
	name := s.text(left)
	for i := outer; i < s.t.Nodes[outer].Next; i++ {
		if i != left && s.t.Kind(i) == "identifier" && s.text(i) == name {
			return
		}
	}
	s.add(index.Concurrent, body).Head = s.t.Nodes[n].Start
}

// enclosing is the function around a node, -1 for none.
func (s *structurer) enclosing(n int32) int32 {
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		if kind == "function_definition" {
			return p
		}
	}
	return -1
}

// looksAround finds conditions about where a program runs.
var looksAround = regexp.MustCompile(`\benviron\b|\bgetenv\b|\bplatform\b|\bos\.name\b|\bversion_info\b|\bhexversion\b|\bgethostname\b|\bgetuser\b`)

// never reports whether a condition does not hold in any run.
func never(text string) bool {
	return slices.Contains([]string{"False", "0", "None", `""`, "''", "[]", "()", "{}", "not True", "TYPE_CHECKING"}, text)
}
