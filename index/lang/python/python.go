// Package python is everything plumb knows about Python: what in a file is a
// definition, a reference or a mark, how references find their definitions, and
// which uses a changed signature breaks.
//
// Extraction (extract.go) reads one file alone; linking (link.go) sits above it.
// They meet in index.Facts and in the operations of ops.go and nowhere else.
// What an untyped language leaves open stays open: a reference is static only
// when its receiver or import is known to lie in the repository.
package python

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/python"

	"github.com/plumbkit/plumb/index"
)

// version is part of every cached fact's key. It changes with every change to
// what extraction writes.
const version = "3"

//go:embed queries/python.scm
var query string

// Language returns the Python language. Each call returns a fresh value.
func Language() *index.Language {
	s := &extraction{}
	return &index.Language{
		Name:         "python",
		Version:      version,
		Extensions:   []string{".py", ".pyi", ".pyw"},
		Grammar:      python.GetLanguage(),
		Query:        query,
		Compatible:   compatible,
		Commands:     commands,
		Tokens:       tokens,
		Plant:        plant,
		Manifests:    []string{"pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini"},
		Pins:         []string{"requirements.txt", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile", "Pipfile.lock"},
		Dependencies: dependencyFiles(),
		Locks:        map[string][]string{"pyproject.toml": {"poetry.lock", "uv.lock", "pdm.lock"}, "pipfile": {"Pipfile.lock"}},
		Needs:        needs,
		Entries:      entries,
		Named:        named,
		Extract:      s.extract,
		Link:         link,
		Open:         true,
		Structure:    structure,
		Contract:     contract,
		Comments:     index.Comments{Line: []string{"#"}, Blanket: []string{"noqa", "type: ignore", "pyright: ignore", "pyre-ignore", "nosec"}},
		Quotes:       `"'`,
		Unrun:        unrun(),
		AwaitedBy:    awaitedBy,
		TestFile:     isTestFile,
		Fits:         fits,
		Same:         oneThing,
		Program:      func(p index.Package) bool { return p.Name == mainModule },
		Fixtures:     []string{"testdata", "fixtures"},
		Statements:   []string{"if", "for", "while", "else", "def", "return", "import", "try", "case", "class", "with", "elif", "except", "async"},

		Indentation: true,
		TestsByFile: true,

		TestPrefixes: []string{"test_", "Test", "test"},
		Launchers:    []string{"python3 -m", "python -m", "python3", "python"},
	}
}
