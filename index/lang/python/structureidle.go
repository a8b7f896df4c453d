package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// idle adds a test whose code does not run when it is called: a generator, or a
// coroutine that nothing around it awaits.
func (s *structurer) idle(n int32) {
	name := s.text(s.t.Field(n, "name"))
	if !strings.HasPrefix(name, "test") || s.enclosing(n) >= 0 || s.madeRun(n) {
		return
	}
	switch {
	case s.yields(n):
		s.add(index.Idle, n)
	case strings.HasPrefix(s.text(n), "async") && !s.awaits(n):
		s.add(index.Idle, n).Form = index.FormAwait
	}
}

// madeRun reports whether a decorator may have made something else of a test.
func (s *structurer) madeRun(n int32) bool {
	p, kind := s.parent(n)
	if kind != "decorated_definition" {
		return false
	}
	for _, d := range s.named(p) {
		if s.t.Kind(d) != "decorator" {
			continue
		}
		text := strings.TrimPrefix(s.text(d), "@")
		text, _, _ = strings.Cut(text, "(")
		switch lastName(strings.TrimSpace(text)) {
		case "parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings", "slow", "patch", "object":
		default:
			return true
		}
	}
	return false
}

// yields reports whether a function is a generator: it yields outside of the
// functions inside it.
func (s *structurer) yields(n int32) bool {
	body := s.t.Field(n, "body")
	for i := body; i >= 0 && i < s.t.Nodes[body].Next; i++ {
		switch s.t.Kind(i) {
		case "function_definition", "lambda":
			i = s.t.Nodes[i].Next - 1
		case "yield":
			return true
		}
	}
	return false
}

// awaits reports whether the class or the file of a coroutine has something by
// which coroutines are awaited. A class of a base that is not known may have.
func (s *structurer) awaits(n int32) bool {
	for p, kind := s.parent(n); p >= 0; p, kind = s.parent(p) {
		if kind != "class_definition" {
			continue
		}
		if _, outer := s.parent(p); outer == "decorated_definition" {
			return true
		}
		for _, base := range s.named(s.t.Field(p, "superclasses")) {
			if text := s.text(base); text != "unittest.TestCase" && text != "TestCase" && text != "object" {
				return true
			}
		}
	}
	src := string(s.t.Src)
	for _, word := range []string{"asyncio", "anyio", "trio", "twisted", "tornado"} {
		if strings.Contains(src, "mark."+word) || strings.Contains(src, "pytest_"+word) {
			return true
		}
	}
	return false
}

// awaitedBy finds the settings by which pytest awaits every test that is a coroutine.
const awaitedBy = `(?m)\b(asyncio_mode|anyio_mode|trio_mode|twisted)\b\s*=\s*["']?(auto|true)|asyncio-mode[= ]auto|trio-mode`

// withBlock adds a block in which a failure of an assertion is what is expected,
// and a test that raises by itself what it expects.
func (s *structurer) withBlock(n int32) {
	body := s.t.Field(n, "body")
	if body < 0 {
		return
	}
	for i := n; i < body; i++ {
		if s.t.Kind(i) != "call" {
			continue
		}
		name := lastName(s.text(s.t.Field(i, "function")))
		if name != "raises" && name != "assertRaises" && name != "assertRaisesRegex" {
			continue
		}
		if args := s.named(s.t.Field(i, "arguments")); len(args) > 0 && takesFailures(s.text(args[0])) {
			s.add(index.Branch, body).Head = s.t.Nodes[n].Start
		}
		for _, c := range s.named(body) {
			if s.t.Kind(c) == "raise_statement" {
				s.add(index.Mock, c).Form = index.FormThrown
			}
		}
	}
}

// lastly adds an end in a finally clause, which drops the exception on its way.
func (s *structurer) lastly(n int32) {
	for i := n; i < s.t.Nodes[n].Next; i++ {
		switch s.t.Kind(i) {
		case "function_definition", "lambda":
			i = s.t.Nodes[i].Next - 1
		case "return_statement":
			w := s.add(index.Swallow, n)
			w.End = s.t.Nodes[i].Start
			return
		}
	}
}

// collected adds what a list of paths that are not collected holds.
func (s *structurer) collected(right int32) {
	for i := right; i < s.t.Nodes[right].Next; i++ {
		if s.t.Kind(i) == "string" {
			s.add(index.Deselect, i)
		}
	}
}

// decides adds what a hook of pytest gives that decides whether tests are
// collected or run.
func (s *structurer) decides(n int32) {
	outer := s.enclosing(n)
	if outer < 0 || len(s.named(n)) == 0 {
		return
	}
	value := s.text(s.named(n)[0])
	switch s.text(s.t.Field(outer, "name")) {
	case "pytest_ignore_collect", "pytest_runtest_protocol", "pytest_pyfunc_call", "pytest_runtestloop":
		if value != "None" && value != "False" {
			s.add(index.Deselect, n).Form = index.FormRun
		}
	case "pytest_collect_file", "pytest_pycollect_makeitem", "pytest_generate_tests", "pytest_make_collect_report":
		if value == "None" || value == "[]" {
			s.add(index.Deselect, n).Form = index.FormRun
		}
	}
}
