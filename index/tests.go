package index

import (
	"path"
	"strings"
)

// A TestLink ties a file or symbol to a test.
type TestLink struct {
	// Test is the test function; its ID is "" where the test is no definition, and
	// where a whole file is meant: one that imports, or code of one that stands
	// outside of every test.
	Test Symbol `json:"test"`
	// Mark is the test that is no definition, as a call it("…", …) of vitest.
	Mark Mark   `json:"mark,omitzero"`
	File string `json:"file"`
	// Source is how the link was found: "calls", "naming", "import",
	// "build", or "text" where a name that is not in the index stands in it.
	Source string `json:"source"`
	// Depth counts the edges of a link by calls; 0 for the others.
	Depth int `json:"depth,omitempty"`
	// Path are the IDs from the symbol to the test, both included, for calls.
	Path []string `json:"path,omitempty"`
}

// The sources of a TestLink.
const (
	testCalls  = "calls"
	testNaming = "naming"
	testImport = "import"
	testBuild  = "build"
	testText   = "text"
)

const (
	testDepth = 8     // edges from a symbol to a test
	testNodes = 20000 // symbols visited on the way
)

// TestsFor returns the tests of a file or symbol. Sure are those that reach it
// over certain references; Confirm those that may: over uncertain references,
// by naming convention, because their file imports the package, or because
// they are built with it.
func (s *Snapshot) TestsFor(fileOrID string) Answer[TestLink] {
	a := Answer[TestLink]{Sure: []TestLink{}, Confirm: []TestLink{}}
	f := s.file(fileOrID)
	var roots []symRef
	if f != nil {
		for def := range int(f.defs) {
			roots = append(roots, symRef{f, def})
		}
	} else if roots = s.identity(fileOrID); len(roots) == 0 {
		return s.lexicalTests(fileOrID)
	} else {
		f = roots[0].file
	}
	t := testFinder{s: s, a: &a, tests: make(map[uint32]bool), files: make(map[string]bool), loose: make(map[string]*looseTests)}
	t.byCalls(roots)
	t.byNaming(f, roots, len(roots) == int(f.defs))
	t.byImport(f)
	t.byBuild(f)
	a.Total = len(a.Sure) + len(a.Confirm)
	name := ""
	if len(roots) > 0 && s.file(fileOrID) == nil {
		name = s.name(roots[0])
	}
	a.Basis = s.basis(tierRelations, name)
	if t.cut {
		a.Basis.Notes = append(a.Basis.Notes, "the call graph was followed up to a limit only")
		a.Basis.grade()
	}
	return a
}

type testFinder struct {
	s     *Snapshot
	a     *Answer[TestLink]
	tests map[uint32]bool
	files map[string]bool
	loose map[string]*looseTests
	cut   bool
}

// byCalls follows references backwards until tests, certain ones first.
func (t *testFinder) byCalls(roots []symRef) {
	w := newImpactWalk(t.s)
	w.ends = func(i int32, at siteRef, in int, sure bool) bool {
		if at.file.origin != Test || in >= 0 && !at.file.loose {
			return false
		}
		link := looseLink{TestLink: TestLink{File: at.file.path, Source: testCalls, Depth: int(w.steps[i].depth) + 1},
			path: func() []string { return w.path(t.s, i) }, sure: sure}
		start := int(at.file.pack().column(partSiteStart).at(at.site))
		if t.within(link, at.file, start) {
			return true
		}
		if in < 0 {
			t.around(link, at.file, start)
		}
		return false
	}
	for _, r := range roots {
		w.visit(step{sym: r.number(), prev: -1, sure: true, weight: 1})
	}
	for _, sure := range []bool{true, false} {
		for i := 0; i < len(w.steps); i++ {
			st := w.steps[i]
			if sym, ok := t.s.symbol(st.sym); ok {
				if test := sym.file.testAround(sym.def); test >= 0 {
					t.reached(&w, int32(i), symRef{sym.file, test})
					continue
				}
			}
			if int(st.depth) >= testDepth || len(w.steps) > testNodes {
				t.cut = t.cut || len(w.steps) > testNodes
				continue
			}
			w.expand(int32(i), true)
			if !sure {
				w.expand(int32(i), false)
			}
		}
	}
}

func (t *testFinder) reached(w *impactWalk, i int32, sym symRef) {
	st := w.steps[i]
	link := TestLink{File: sym.file.path, Source: testCalls, Depth: int(st.depth)}
	if t.tests[sym.number()] {
		return
	}
	link.Test, link.Path = t.s.render(sym), w.path(t.s, i)
	t.tests[sym.number()] = true
	t.link(link, st.sure)
}

func (t *testFinder) link(l TestLink, sure bool) {
	if sure {
		t.a.Sure = append(t.a.Sure, l)
	} else {
		t.a.Confirm = append(t.a.Confirm, l)
	}
}

// path returns the IDs of the steps that led to step i, from the first one on.
func (w *impactWalk) path(s *Snapshot, i int32) []string {
	var out []string
	for ; i >= 0; i = w.steps[i].prev {
		at, _ := s.symbol(w.steps[i].sym)
		out = append([]string{s.id(at)}, out...)
	}
	return out
}

// testAround returns the definition of the test that a definition is or stands in,
// -1 if none: a function inside a test is called by what the test hands it to.
func (f *file) testAround(def int) int {
	for ; def >= 0 && len(f.tests) > 0; def = f.parentDef(def) {
		if f.isTest(def) {
			return def
		}
	}
	return -1
}

// isTest reports whether a MarkTest stands in the definition itself.
func (f *file) isTest(def int) bool {
	for _, t := range f.tests {
		if int(t) == def {
			return true
		}
	}
	return false
}

func (t *testFinder) test(f *file, def int, source string) {
	r := symRef{f, def}
	if t.tests[r.number()] {
		return
	}
	t.tests[r.number()] = true
	t.a.Confirm = append(t.a.Confirm, TestLink{Test: t.s.render(r), File: f.path, Source: source})
}

// byNaming finds tests named for the symbol, and all tests of the file that is
// named for the file.
func (t *testFinder) byNaming(f *file, roots []symRef, whole bool) {
	stem := fileStem(f.path)
	want := make(map[string]bool)
	for _, r := range roots {
		name := plain(t.s.name(r))
		want[name] = true
		if p, ok := t.s.parent(r); ok {
			delete(want, name)
			want[plain(t.s.name(p))+name] = true
		}
	}
	for _, slot := range t.s.order {
		other := t.s.slots[slot]
		if len(other.tests) == 0 || other.family != f.family {
			continue
		}
		sameFile := other != f && fileStem(other.path) == stem && (path.Dir(other.path) == path.Dir(f.path) || testFolder(other.path))
		for _, def := range other.tests {
			if whole && sameFile || path.Dir(other.path) == path.Dir(f.path) && named(want, t.s.name(symRef{other, int(def)}), t.s.engine.language(other.lang)) {
				t.test(other, int(def), testNaming)
			}
		}
	}
}

// named reports whether the test's name, without what makes it a test, is or
// begins, up to an underscore, with one of the names.
func named(want map[string]bool, test string, lang *Language) bool {
	if lang == nil {
		return false
	}
	for _, prefix := range lang.TestPrefixes {
		rest, ok := strings.CutPrefix(test, prefix)
		if !ok || rest == "" {
			continue
		}
		if want[plain(rest)] {
			return true
		}
		for i := range rest {
			if i > 0 && rest[i] == '_' && want[plain(rest[:i])] {
				return true
			}
		}
		return false
	}
	return false
}

func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// fileStem returns a file's name without extension and without what makes it a test's.
func fileStem(p string) string {
	stem := path.Base(p)
	if i := strings.IndexByte(stem[1:], '.'); i >= 0 {
		stem = stem[:i+1]
	}
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, "_test"), "Test")
	return strings.TrimPrefix(stem, "test_")
}

func testFolder(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		if dir == "tests" || dir == "test" || dir == "__tests__" {
			return true
		}
	}
	return false
}

// byImport lists test files of other packages that import the file's package.
func (t *testFinder) byImport(f *file) {
	for _, im := range t.s.lazy.imports()[f.pkg] {
		if o := im.site.file; o.origin == Test && o.pkg != f.pkg {
			t.file(o, testImport)
		}
	}
}

// byBuild lists the test files that are built as one with the file.
func (t *testFinder) byBuild(f *file) {
	for _, o := range t.s.packageFiles(f) {
		if o.origin == Test && o.pkg != "" {
			t.file(o, testBuild)
		}
	}
}

func (t *testFinder) file(f *file, source string) {
	if !t.files[f.path] {
		t.files[f.path] = true
		t.a.Confirm = append(t.a.Confirm, TestLink{File: f.path, Source: source})
	}
}
