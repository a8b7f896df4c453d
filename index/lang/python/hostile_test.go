package python

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// covers: REL-2, IDX-4
func FuzzExtract(f *testing.F) {
	kit().Fuzz(f, func(t *testing.T, src []byte) {
		for _, tok := range tokens(src) {
			require.NotEmpty(t, tok.Text)
		}
		plant(src, index.Symbol{})
	})
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
		f := r.Facts(t, "a.py", []byte(src))
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
		f := r.Facts(t, "a.py", []byte(src))
		kit().Shape(t, f, []byte(src))
		assert.True(t, definedIn(f)["before"], name)
		assert.True(t, definedIn(f)["after"], name)
	}
}
