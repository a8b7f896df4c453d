package verify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/verify"
)

const shelf = `
-- go.mod --
module example.com/shelf

go 1.24
-- go.sum --
example.com/ink v1.0.0 h1:a
-- lamp/package-lock.json --
{"a": 1}
-- book/book.go --
package book

import "example.com/shelf/paper"

type Book struct{ Pages int }

func (b Book) Weight() int { return b.Pages * paper.Gram }

func Read(path string) string { return path }
-- book/book_test.go --
package book

import "testing"

func TestWeight(t *testing.T) { Book{}.Weight() }

func TestRead(t *testing.T) { Read("testdata/a.json") }
-- book/testdata/a.json --
{}
-- paper/paper.go --
package paper

const Gram = 5

func Colour() string { return "white" }
-- paper/paper_test.go --
package paper

import "testing"

func TestColour(t *testing.T) { Colour() }
-- case/case.go --
package shelves

type heavy interface{ Weight() int }

func Sum(all []heavy) (n int) {
	for _, h := range all {
		n += h.Weight()
	}
	return n
}
-- case/case_test.go --
package shelves

import "testing"

func TestSum(t *testing.T) { Sum(nil) }
-- lamp/lamp.go --
package lamp

func On() bool { return true }
-- lamp/lamp_test.go --
package lamp

import "testing"

func TestOn(t *testing.T) { On() }
-- fuse/fuse.go --
package fuse

type Blown struct{}

func (Blown) Error() string { return words() }

func words() string { return "blown" }

func Switch() error { return Blown{} }
-- panel/panel.go --
package panel

import "example.com/shelf/fuse"

func Press() string { return fuse.Switch().Error() }
-- panel/panel_test.go --
package panel

import "testing"

func TestPress(t *testing.T) { Press() }
-- config/limits.yaml --
a: 1
-- README.md --
words
-- lamp/price.go --
package lamp

import "os"

func Price() ([]byte, error) { return os.ReadFile("../data/prices/lamp.csv") }
-- data/prices/lamp.csv --
1
-- bell/bell.go --
package bell

func Ring() string { return "ding" }
-- door/door_test.go --
package door

import (
	"os"
	"testing"

	"example.com/shelf/bell"
)

func TestMain(m *testing.M) {
	bell.Ring()
	os.Exit(m.Run())
}

func TestKnock(t *testing.T) {}
`

// covers: VER-5
func TestSelection(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string // file, old, new
		gone  []string
		want  map[string]string // test to source; others are skipped
		wide  string
	}{
		{"calls, over a constant and a method", []string{"paper/paper.go", "Gram = 5", "Gram = 6"}, nil,
			map[string]string{"TestWeight": "calls", "TestColour": "package", "TestSum": "maybe"}, ""},
		{"a method behind an interface", []string{"book/book.go", "b.Pages * paper.Gram", "paper.Gram * b.Pages"}, nil,
			map[string]string{"TestWeight": "calls", "TestRead": "package", "TestSum": "maybe"}, ""},
		{"a fixture", []string{"book/testdata/a.json", "{}", "[]"}, nil,
			map[string]string{"TestWeight": "input", "TestRead": "input"}, ""},
		{"a data file that code names", []string{"data/prices/lamp.csv", "1", "2"}, nil,
			map[string]string{"TestOn": "input"}, ""},
		{"a file that nobody is known to read", []string{"config/limits.yaml", "1", "2"}, nil,
			map[string]string{"TestWeight": "unknown", "TestRead": "unknown", "TestColour": "unknown", "TestSum": "unknown", "TestOn": "unknown", "TestKnock": "unknown", "TestPress": "unknown"}, "nothing tells who reads config/limits.yaml"},
		{"a document", []string{"README.md", "words", "more words"}, nil, map[string]string{}, ""},
		{"the module file", []string{"go.mod", "1.24", "1.25"}, nil,
			map[string]string{"TestWeight": "unknown", "TestRead": "unknown", "TestColour": "unknown", "TestSum": "unknown", "TestOn": "unknown", "TestKnock": "unknown", "TestPress": "unknown"}, "go.mod decides what is built"},
		{"the sums of its modules", []string{"go.sum", "h1:a", "h1:b"}, nil,
			map[string]string{"TestWeight": "unknown", "TestRead": "unknown", "TestColour": "unknown", "TestSum": "unknown", "TestOn": "unknown", "TestKnock": "unknown", "TestPress": "unknown"}, "go.sum decides what is built"},
		{"the lock file of a language that is not there", []string{"lamp/package-lock.json", "1", "2"}, nil, map[string]string{"TestOn": "input"}, ""},
		{"a call that the change cut is followed in the graph before", []string{"book/book.go", "b.Pages * paper.Gram", "b.Pages * 5",
			"book/book.go", "import \"example.com/shelf/paper\"\n\n", ""}, []string{"paper/paper.go", "paper/paper_test.go"},
			map[string]string{"TestWeight": "calls", "TestRead": "package", "TestSum": "maybe"}, ""},
		{"a method that outside code calls", []string{"fuse/fuse.go", "\"blown\"", "\"dark\""}, nil, map[string]string{"TestPress": "maybe"}, ""},
		{"a comment", []string{"lamp/lamp.go", "func On", "// On tells.\nfunc On"}, nil, map[string]string{"TestOn": "package"}, ""},
		{"what runs around the tests of a package", []string{"bell/bell.go", "ding", "dong"}, nil, map[string]string{"TestKnock": "calls"}, ""},
		{"a test", []string{"lamp/lamp_test.go", "{ On() }", "{ On(); On() }"}, nil, map[string]string{"TestOn": "changed"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, shelf)
			s.change(t, c.gone, c.edits...)
			r := verified(t, &tool{}, s, func(_ *verify.Layered, in *verify.Input) { in.Layers = []verify.LayerName{verify.L0, verify.L2} })
			got := map[string]string{}
			for _, x := range r.Selection.Selected {
				got[x.Test.Name] = x.Source
				assert.NotEmpty(t, x.Why)
			}
			assert.Equal(t, c.want, got)
			assert.Contains(t, r.Selection.Widened, c.wide)
			if c.wide == "" {
				assert.Empty(t, r.Selection.Widened)
			}
			for _, x := range r.Selection.Skipped {
				assert.NotContains(t, got, x.Test.Name)
				assert.NotEmpty(t, x.Why)
			}
		})
	}
}
