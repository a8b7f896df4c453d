package verify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/verify"
)

const shop = `
-- go.mod --
module example.com/shop

go 1.24
-- money/money.go --
package money

// Sum adds.
func Sum(a, b int) int { return a + b }
-- desk/desk.go --
package desk

import "example.com/shop/money"

func Total() int { return money.Sum(1, 2) }

func  untidy( ) {}
`

func layer(t *testing.T, r *verify.Report, name verify.LayerName) verify.Layer {
	t.Helper()
	for _, l := range r.Layers {
		if l.Name == name {
			return l
		}
	}
	require.Failf(t, "layer not in the report", "%s", name)
	return verify.Layer{}
}

func rules(l verify.Layer) string {
	var out []string
	for _, f := range l.Findings {
		out = append(out, f.Rule)
	}
	return strings.Join(out, " ")
}

// covers: VER-2
func TestStructure(t *testing.T) {
	for _, c := range []struct {
		name, after string
		rules       string
		file        string
		line        int
	}{
		{"a clean change passes", "-- after/money/money.go --\npackage money\n\n// Sum adds.\nfunc Sum(a, b int) int { return b + a }\n", "", "", 0},
		{"an error that the parser meets", "-- after/money/money.go --\npackage money\n\nfunc Sum(a, b int) int { return a + }\n", "syntax", "money/money.go", 3},
		{"an import of a package that is not there", "-- after/desk/more.go --\npackage desk\n\nimport _ \"example.com/shop/coins\"\n", "import", "desk/more.go", 3},
		{"a package taken away from those who import it", "-- after/money/money.go --\n", "import", "desk/desk.go", 3},
		{"a file that was formatted and is not", "-- after/money/money.go --\npackage money\n\n// Sum adds.\nfunc Sum(a,  b int) int { return b + a }\n", "format", "money/money.go", 4},
		{"an untidy file that stays untidy elsewhere", "-- after/desk/desk.go --\npackage desk\n\nimport \"example.com/shop/money\"\n\nfunc Total() int { return money.Sum(2, 2) }\n\nfunc  untidy( ) {}\n", "", "", 0},
		{"an untidy line that the change wrote", "-- after/desk/desk.go --\npackage desk\n\nimport \"example.com/shop/money\"\n\nfunc Total( ) int { return money.Sum(2, 2) }\n\nfunc  untidy( ) {}\n", "format", "desk/desk.go", 5},
		{"conflict markers in a text", "-- after/notes.txt --\none\n<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs\n", "conflict_marker conflict_marker", "notes.txt", 2},
		{"a heading is no conflict marker", "-- after/notes.txt --\nHeading\n=======\n", "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, shop+c.after)
			report, err := (&verify.Layered{}).Verify(t.Context(), s.input(verify.L0))
			require.NoError(t, err)
			l := layer(t, report, verify.L0)
			require.Equal(t, c.rules, rules(l), "%v", l.Findings)
			if c.rules == "" {
				assert.Equal(t, verify.LayerPassed, l.Status)
				return
			}
			assert.Equal(t, verify.LayerFailed, l.Status)
			assert.Contains(t, l.Next, "regenerate")
			assert.Equal(t, c.file, l.Findings[0].Span.File)
			assert.Equal(t, c.line, l.Findings[0].Span.Line)
		})
	}
}
