package verify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A catalog lists the tests of a snapshot. A nil one lists none.
type catalog struct {
	all    []TestID // in order of folder, file and name
	known  map[TestID]bool
	symbol map[string][]TestID // by test function, method or class
	dir    map[string][]TestID // by folder
	file   map[string][]TestID // by path
	around map[string]bool     // by symbol: what all tests of its file or folder run inside
	wide   map[string]bool     // by path: files with such whose tests are told apart by their file
}

// inside returns the tests that run inside what stands around tests in a file:
// those of its folder; where tests are told apart by their file, its own, and if
// it has none, all at and below its folder, as those of a conftest.py.
func (c *catalog) inside(file string) []TestID {
	dir := path.Dir(file)
	own := c.file[file]
	switch {
	case len(own) > 0 && own[0].File != "":
		return own
	case !c.wide[file]:
		return c.dir[dir]
	}
	return slices.DeleteFunc(slices.Clone(c.all), func(id TestID) bool {
		return id.File == "" || dir != "." && id.Dir != dir && !strings.HasPrefix(id.Dir, dir+"/")
	})
}

// loose returns the tests that a link to a test that is no definition, or to a
// file, leads to.
func (c *catalog) loose(l index.TestLink) []TestID {
	if l.Mark.Kind != index.MarkTest {
		return c.file[l.File]
	}
	id := wholeFile(l.File)
	if l.Mark.Form != index.FormOpen && l.Mark.Text != "" {
		id.Name = l.Mark.Text
	}
	if !c.known[id] {
		return nil
	}
	return []TestID{id}
}

// newCatalog reads the marks of every file that tests.
func newCatalog(s *index.Snapshot) *catalog {
	c := &catalog{known: map[TestID]bool{}, symbol: map[string][]TestID{}, dir: map[string][]TestID{}, file: map[string][]TestID{}, around: map[string]bool{}, wide: map[string]bool{}}
	for _, f := range s.Files() {
		if f.Language == "" || f.Origin == index.Vendored || !isTestFile(s, f) {
			continue
		}
		c.read(s, f.Path)
	}
	slices.SortFunc(c.all, compareTests)
	return c
}

// isTestFile reports whether test runners collect the file.
func isTestFile(s *index.Snapshot, f index.File) bool {
	lang := s.Language(f.Path)
	return f.Origin == index.Test || lang != nil && lang.TestFile != nil && lang.TestFile(f.Path)
}

// read lists the tests of one file. A class stands for its methods; one whose
// tests are all inherited, and a test whose name the source does not tell, stand
// for the whole file.
func (c *catalog) read(s *index.Snapshot, file string) {
	byFile := testsByFile(s, file)
	var classes []index.Symbol
	for _, m := range s.Marks(file) {
		if m.Kind != index.MarkTest || m.Form == index.FormCase || m.Form == index.FormBlock {
			continue
		}
		if m.Form == index.FormAround {
			c.around[m.In], c.wide[file] = true, byFile
			continue
		}
		sym, _ := s.Symbol(m.In)
		switch {
		case byFile && isClass(sym):
			classes = append(classes, sym)
		case byFile && (m.Form == index.FormOpen || m.Text == ""):
			c.add(wholeFile(file), file, sym)
		case byFile:
			c.add(TestID{Dir: path.Dir(file), File: path.Base(file), Name: m.Text}, file, sym)
		case sym.Name == m.Text:
			c.add(byPackageName(file, sym), file, sym)
		}
	}
	for _, class := range classes {
		if len(c.symbol[class.ID]) == 0 {
			c.add(wholeFile(file), file, class)
		}
	}
}

// testsByFile reports whether the tests of a file are told apart by their file.
func testsByFile(s *index.Snapshot, file string) bool {
	lang := s.Language(file)
	return lang != nil && lang.TestsByFile
}

func isClass(sym index.Symbol) bool { return sym.Kind == index.KindClass }

// byPackageName is the test that a symbol is where tests are told apart by their
// package. A method is run by the suite that it belongs to, whose name the index
// does not tell: the package as a whole stands for it.
func byPackageName(file string, sym index.Symbol) TestID {
	id := TestID{Dir: path.Dir(file), Name: sym.Name}
	if sym.Kind == index.KindMethod {
		id.Name = ""
	}
	return id
}

// wholeFile is every test of a file together.
func wholeFile(file string) TestID { return TestID{Dir: path.Dir(file), File: path.Base(file)} }

// add lists a test under its symbol, and under the class that the symbol is in.
func (c *catalog) add(id TestID, file string, sym index.Symbol) {
	for _, of := range []string{sym.ID, sym.Parent} {
		if of != "" && !slices.Contains(c.symbol[of], id) {
			c.symbol[of] = append(c.symbol[of], id)
		}
	}
	if !slices.Contains(c.file[file], id) {
		c.file[file] = append(c.file[file], id)
	}
	if c.known[id] {
		return
	}
	c.known[id] = true
	c.all = append(c.all, id)
	c.dir[id.Dir] = append(c.dir[id.Dir], id)
}

// has reports whether the test is listed.
func (c *catalog) has(id TestID) bool { return c != nil && c.known[id] }

// root returns the test that an outcome's test is a case of, or id itself: the
// listed test that it is, else the one that its runner says it belongs to, else
// its whole file where that is listed, for a name that the source does not tell.
func (q *inquiry) root(id TestID) TestID {
	of, ok := q.of[id]
	if !ok {
		of = id
	}
	whole := TestID{Dir: id.Dir, File: id.File}
	for _, c := range []*catalog{q.tests, q.old} {
		switch {
		case c.has(id):
			return id
		case c.has(of):
			return of
		case id.File != "" && c.has(whole):
			return whole
		}
	}
	return of
}

func compareTests(a, b TestID) int {
	return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.File, b.File), strings.Compare(a.Name, b.Name))
}

// String is the test as people read it: its folder, its file where that tells
// tests apart, and its name.
func (id TestID) String() string {
	return strings.TrimSpace(path.Join(id.Dir, id.File) + " " + id.Name)
}
