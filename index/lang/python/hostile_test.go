package python

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
)

// sources returns the Python files of all cases.
func sources(t testing.TB) (all [][]byte) {
	cases, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	for _, path := range cases {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range txtar.Parse(data).Files {
			if !strings.HasPrefix(f.Name, "want/") && strings.HasSuffix(f.Name, ".py") {
				all = append(all, f.Data)
			}
		}
	}
	return all
}

// FuzzExtract gives extraction whatever bytes there are: the facts keep their
// shape and nothing panics.
//
// covers: REL-2, IDX-4
func FuzzExtract(f *testing.F) {
	for _, src := range sources(f) {
		f.Add(src)
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		checkFacts(t, r, "test_a.py", src)
		for _, tok := range tokens(src) {
			require.NotEmpty(t, tok.Text)
		}
		plant(src, index.Symbol{})
	})
}

func checkFacts(t *testing.T, r *reader, path string, src []byte) {
	facts := r.facts(t, path, src)
	checkShape(t, facts, src)
	for _, m := range facts.Marks {
		require.LessOrEqual(t, int(m.Range.End), len(src))
		require.LessOrEqual(t, m.Range.Start, m.Range.End)
		require.Less(t, m.In, int32(len(facts.Defs)))
	}
}

// covers: IDX-4
func TestDamagedSourceKeepsItsShape(t *testing.T) {
	r := newReader(t)
	for _, src := range sources(t) {
		for cut := 1; cut < len(src); cut += 31 {
			checkFacts(t, r, "test_a.py", src[:cut])
			checkFacts(t, r, "a.py", src[cut:])
			checkFacts(t, r, "a.py", append(append([]byte{}, src[:cut]...), src[min(len(src), cut+5):]...))
		}
	}
}

func definedIn(f *index.Facts) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Defs {
		names[f.Names[d.Name]] = true
	}
	return names
}

// covers: IDX-4, REL-4
func TestDeepNestingCostsOnlyItself(t *testing.T) {
	r := newReader(t)
	for _, around := range [][2]string{{"(", ")"}, {"[", "]"}, {"f(", ")"}, {"{1: ", "}"}, {"lambda: ", ""}, {"not ", ""}, {"a.", ""}, {"-", ""}} {
		src := "def before(): pass\n\nx = " + strings.Repeat(around[0], 20_000) + "y" + strings.Repeat(around[1], 20_000) + "\n\ndef after(): pass\n"
		f := r.facts(t, "a.py", []byte(src))
		assert.True(t, definedIn(f)["before"], around[0])
	}
}

// What Python 3 cannot read, or no Python, costs the statement it stands in.
//
// covers: IDX-4
func TestBrokenFilesKeepTheirDefinitions(t *testing.T) {
	r := newReader(t)
	for name, src := range map[string]string{
		"python 2":          "def before():\n    print \"x\" % y\n    exec code in scope\n    raise E, \"m\"\n\ndef after():\n    try:\n        pass\n    except E, e:\n        pass\n",
		"half edited":       "def before():\n    pass\n\ndef half(a, b:\n    x = [1, 2\n\ndef after():\n    pass\n",
		"a stray bracket":   "def before(): pass\n\nx = )\n\ndef after(): pass\n",
		"not UTF-8":         "# -*- coding: latin-1 -*-\ndef before(): pass\n\ns = \"caf\xe9\"  # \xe9\n\ndef after(): pass\n",
		"conflict markers":  "def before(): pass\n\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n\ndef after(): pass\n",
		"mixed indentation": "def before():\n\tif x:\n        y()\n\n\ndef after():\n    pass\n",
	} {
		f := r.facts(t, "a.py", []byte(src))
		checkShape(t, f, []byte(src))
		assert.True(t, definedIn(f)["before"], name)
		assert.True(t, definedIn(f)["after"], name)
	}
}

// covers: ARC-5
func TestExtractIsPure(t *testing.T) {
	r, other := newReader(t), newReader(t)
	all := sources(t)
	for i, src := range all {
		other.facts(t, "other.py", all[len(all)-1-i])
		assert.Equal(t, r.facts(t, "a.py", src), other.facts(t, "a.py", src))
	}
}
