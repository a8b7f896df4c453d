package verify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A testCase is one test function.
type testCase struct {
	id     TestID
	symbol index.Symbol
}

// A catalog lists the tests of a snapshot.
type catalog struct {
	all    []testCase // in order of folder and name
	symbol map[string]TestID
	dir    map[string][]TestID // by folder
	known  map[TestID]bool
	around map[string]bool // by symbol: what all tests of its folder run inside
}

// newCatalog reads the marks of every file that tests.
func newCatalog(s *index.Snapshot) *catalog {
	c := &catalog{symbol: map[string]TestID{}, dir: map[string][]TestID{}, known: map[TestID]bool{}, around: map[string]bool{}}
	for _, f := range s.Files() {
		if f.Language == "" || f.Origin == index.Vendored || !isTestFile(s, f) {
			continue
		}
		for _, sym := range testsIn(s, f.Path) {
			c.add(f.Path, sym)
		}
		for _, m := range s.Marks(f.Path) {
			if m.Kind == index.MarkTest && m.Form == index.FormAround {
				c.around[m.In] = true
			}
		}
	}
	slices.SortFunc(c.all, func(a, b testCase) int { return compareTests(a.id, b.id) })
	return c
}

// isTestFile reports whether test runners collect the file.
func isTestFile(s *index.Snapshot, f index.File) bool {
	lang := s.Language(f.Path)
	return f.Origin == index.Test || lang != nil && lang.TestFile != nil && lang.TestFile(f.Path)
}

// testsIn returns the symbols of a file that are tests, without subtests.
func testsIn(s *index.Snapshot, file string) []index.Symbol {
	var out []index.Symbol
	for _, m := range s.Marks(file) {
		if m.Kind != index.MarkTest || m.Form == index.FormAround || strings.Contains(m.Text, "/") {
			continue
		}
		if sym, ok := s.Symbol(m.In); ok && sym.Name == m.Text {
			out = append(out, sym)
		}
	}
	return out
}

// add lists a test. A method is run by the suite that it belongs to, whose name
// the index does not tell: the package as a whole stands for it.
func (c *catalog) add(file string, sym index.Symbol) {
	id := TestID{Dir: path.Dir(file), Name: sym.Name}
	if sym.Kind == index.KindMethod {
		id.Name = ""
	}
	c.symbol[sym.ID] = id
	if c.known[id] {
		return
	}
	c.known[id] = true
	c.all = append(c.all, testCase{id, sym})
	c.dir[id.Dir] = append(c.dir[id.Dir], id)
}

// root returns the test of which id is a subtest, or id itself.
func root(id TestID) TestID {
	id.Name, _, _ = strings.Cut(id.Name, "/")
	return id
}

func compareTests(a, b TestID) int {
	return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.File, b.File), strings.Compare(a.Name, b.Name))
}
