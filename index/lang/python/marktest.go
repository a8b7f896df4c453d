package python

import (
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// isTestFile reports whether a file belongs to the tests: one that pytest or
// unittest collects by name, a conftest.py, or anything in a folder of tests.
func isTestFile(file string) bool {
	base := baseName(file)
	if isCollected(base) || base == "conftest.py" {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "tests" || dir == "test" || dir == "testing_tests" {
			return true
		}
	}
	return false
}

// isCollected reports whether pytest's or Django's default patterns take a file.
func isCollected(base string) bool {
	return strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || strings.HasSuffix(base, "_test.py") || base == "tests.py" ||
		base == "test.py"
}

// takesFixtures reports whether a function's parameters name fixtures.
func (x *extractor) takesFixtures(d int32, decorators []int32) bool {
	if !x.test {
		return false
	}
	return strings.HasPrefix(x.words[x.defs[d].Name], "test") || x.hasDecorator(decorators, "fixture", "yield_fixture")
}

// markFunction marks a test with its cases, a fixture that runs around every
// test, a skip, and a body that does nothing yet.
func (x *extractor) markFunction(d, n int32, decorators []int32, outer *frame) {
	x.skipDecorators(decorators)
	name := x.words[x.defs[d].Name]
	if x.test && isCollected(baseName(x.f.Path)) {
		switch {
		case name == "__init__" && outer.kind == frameClass && x.collects(outer) && !x.isTestCase(outer.def):
			x.markRange(index.MarkSkip, x.defs[d].Ident, "a class with __init__ is not collected", "skip", 0)
		case strings.HasPrefix(name, "test") && x.collects(outer):
			full := x.testPrefix(outer) + name
			x.markRange(index.MarkTest, x.defs[d].Range, full, "", 0)
			x.parametrized(decorators, full)
		case outer.kind == frameModule && isAround(name), x.autouse(decorators):
			x.markRange(index.MarkTest, x.defs[d].Range, x.testPrefix(outer)+name, index.FormAround, 0)
		}
	}
	x.placeholder(d, n, name, decorators, outer)
}

func isAround(name string) bool {
	switch name {
	case "setup_module", "teardown_module", "setUpModule", "tearDownModule", "setup_function", "teardown_function":
		return true
	}
	return false
}

// collects reports whether tests are looked for in a scope: a module, or a
// class that is named Test or derives from a TestCase, at the top.
func (x *extractor) collects(f *frame) bool {
	for ; f.kind == frameClass; f = f.outer {
		d := &x.defs[f.def]
		if !strings.HasPrefix(x.words[d.Name], "Test") && !x.isTestCase(f.def) {
			return false
		}
	}
	return f.kind == frameModule
}

// isTestCase reports whether a base of the class is named so, or like a class
// of tests.
func (x *extractor) isTestCase(class int32) bool {
	d := &x.defs[class]
	if d.Type < 0 {
		return false
	}
	e := &x.Exprs[d.Type]
	for _, base := range x.Lists[e.L0:e.L1] {
		if base < 0 {
			continue
		}
		if b := &x.Exprs[base]; b.Name >= 0 {
			if name := x.words[b.Name]; strings.HasSuffix(name, "TestCase") || strings.HasSuffix(name, "Tests") || strings.HasPrefix(name, "Test") || strings.HasSuffix(name, "Test") {
				return true
			}
		}
	}
	return false
}

// testPrefix returns the classes around a test as pytest's node id has them.
func (x *extractor) testPrefix(f *frame) string {
	prefix := ""
	for ; f.kind == frameClass; f = f.outer {
		prefix = x.words[x.defs[f.def].Name] + "::" + prefix
	}
	return prefix
}

// autouse reports whether a fixture runs around every test without being asked for.
func (x *extractor) autouse(decorators []int32) bool {
	for _, d := range decorators {
		call := x.first(d)
		if call < 0 || x.called(call) != "fixture" {
			continue
		}
		if value := x.keywordOf(call, "autouse"); value >= 0 && x.kind(value) == kTrue {
			return true
		}
	}
	return false
}

// keywordOf returns the value of a keyword argument of the call n, or -1.
func (x *extractor) keywordOf(n int32, want string) int32 {
	found := int32(-1)
	args := x.child(n, x.g.arguments)
	if args < 0 {
		return found
	}
	x.each(args, func(c int32) {
		if name := x.child(c, x.g.name); x.kind(c) == kKeywordArgument && name >= 0 && x.text(name) == want {
			found = x.child(c, x.g.value)
		}
	})
	return found
}

// parametrized marks the cases of a test that pytest names by literals. With
// several parametrize decorators the names are products and are not written.
func (x *extractor) parametrized(decorators []int32, test string) {
	call := int32(-1)
	for _, d := range decorators {
		if c := x.first(d); c >= 0 && x.called(c) == "parametrize" {
			if call >= 0 {
				return
			}
			call = c
		}
	}
	if call < 0 {
		return
	}
	values, ids := x.argument(call, 1), x.keywordOf(call, "ids")
	if values < 0 {
		if values = x.keywordOf(call, "argvalues"); values < 0 {
			return
		}
	}
	if k := x.kind(values); k != kList && k != kTuple {
		return
	}
	var names []int32
	if ids >= 0 {
		if k := x.kind(ids); k != kList && k != kTuple {
			return
		}
		x.each(ids, func(c int32) { names = append(names, c) })
	}
	i := 0
	x.each(values, func(c int32) {
		id, ok := "", false
		switch {
		case i < len(names):
			id, ok = x.caseID(names[i])
		case ids < 0:
			id, ok = x.caseName(c)
		}
		if i++; ok {
			x.mark(index.MarkTest, c, test+"["+id+"]", index.FormCase, 0)
		}
	})
}

// caseName returns the id that pytest makes of the values of one case.
func (x *extractor) caseName(n int32) (string, bool) {
	if x.called(n) == "param" {
		if id := x.keywordOf(n, "id"); id >= 0 {
			return x.caseID(id)
		}
		return x.joined(x.child(n, x.g.arguments))
	}
	if k := x.kind(n); k == kTuple || k == kList {
		return x.joined(n)
	}
	return x.caseID(n)
}

func (x *extractor) joined(n int32) (string, bool) {
	var parts []string
	ok := n >= 0
	if ok {
		x.each(n, func(c int32) {
			if x.kind(c) == kKeywordArgument {
				return
			}
			id, known := x.caseID(c)
			parts, ok = append(parts, id), ok && known
		})
	}
	return strings.Join(parts, "-"), ok && len(parts) > 0
}

// caseID returns the id of one literal value.
func (x *extractor) caseID(n int32) (string, bool) {
	switch x.kind(n) {
	case kString:
		text, ok := x.literal(n)
		for i := 0; i < len(text); i++ {
			ok = ok && text[i] >= ' ' && text[i] < 0x7f
		}
		return text, ok
	case kInteger, kTrue, kFalse, kNone, kFloat:
		return x.text(n), true
	}
	return "", false
}

// skipDecorators marks the decorators that keep a test from running.
func (x *extractor) skipDecorators(decorators []int32) {
	for _, d := range decorators {
		at := x.first(d)
		if at >= 0 && x.kind(at) == kCall {
			at = x.child(at, x.g.function)
		}
		if at < 0 {
			continue
		}
		switch full := x.text(at); full {
		case "unittest.skip", "unittest.skipIf", "unittest.skipUnless", "unittest.expectedFailure", "skip", "skipIf", "skipUnless",
			"expectedFailure", "skipif":
			x.mark(index.MarkSkip, d, x.line(d), skipForm(x.lastWord(at)), 0)
		}
	}
}

// skipMark marks pytest.mark.skip and its like, wherever it stands.
func (x *extractor) skipMark(n, object int32, name string) {
	switch name {
	case "skip", "skipif", "xfail":
	default:
		return
	}
	if x.lastWord(object) != "mark" {
		return
	}
	if p := x.nodes[n].Parent; p >= 0 && x.kind(p) == kCall {
		n = p
	}
	x.mark(index.MarkSkip, n, x.line(n), skipForm(name), 0)
}

func skipForm(name string) string {
	switch name {
	case "skipif", "skipIf", "skipUnless":
		return "skip_if"
	case "xfail", "expectedFailure":
		return "xfail"
	}
	return "skip"
}

// markMember marks an assignment by which tests are left out.
func (x *extractor) markMember(name string, stmt int32) {
	switch name {
	case "__test__":
		if right := x.child(stmt, x.g.right); right < 0 || !never(x.text(right)) {
			return
		}
	case "collect_ignore", "collect_ignore_glob":
		if baseName(x.f.Path) != "conftest.py" {
			return
		}
	default:
		return
	}
	if x.kind(stmt) == kAssignment {
		x.mark(index.MarkSkip, stmt, x.line(stmt), "skip", 0)
	}
}

// markClass marks what keeps a class of tests from running.
func (x *extractor) markClass(_ int32, n int32) {
	if p := x.nodes[n].Parent; p >= 0 && x.kind(p) == kDecoratedDefinition {
		var decorators []int32
		x.each(p, func(c int32) {
			if x.kind(c) == kDecorator {
				decorators = append(decorators, c)
			}
		})
		x.skipDecorators(decorators)
	}
}

// placeholder marks a body that does nothing or says that it is not written
// yet, unless a declaration is all that it is meant to be.
func (x *extractor) placeholder(d, n int32, name string, decorators []int32, outer *frame) {
	body := x.child(n, x.g.body)
	if body < 0 || x.defs[d].Flags&index.DefAbstract != 0 || strings.HasSuffix(x.f.Path, ".pyi") || x.hasDecorator(decorators, "overload") ||
		strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		return
	}
	test := strings.HasPrefix(name, "test") && (outer.kind == frameModule || outer.kind == frameClass)
	if x.test && !test {
		return
	}
	only := int32(-1)
	count := 0
	x.each(body, func(c int32) {
		if s := x.first(c); x.kind(c) == kExpressionStatement && s >= 0 && x.kind(s) == kString {
			return
		}
		only = c
		count++
	})
	if count != 1 {
		return
	}
	form := ""
	switch x.kind(only) {
	case kPassStatement:
		form = "pass"
	case kExpressionStatement:
		if e := x.first(only); e >= 0 && x.kind(e) == kEllipsis {
			form = "pass"
		}
	case kRaiseStatement:
		if e := x.first(only); e >= 0 && (x.lastWord(e) == "NotImplementedError" || x.called(e) == "NotImplementedError") {
			form = "not_implemented"
		}
	}
	if form != "" {
		x.mark(index.MarkPlaceholder, only, x.line(only), form, 0)
	}
}
