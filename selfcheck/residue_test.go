package selfcheck_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// A left is a function with further lines in its body and what selfcheck says of
// them, "" for nothing.
type left struct{ name, lines, says string }

func residueIn(t *testing.T, lang *index.Language, path, head, tail string, cases []left) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := residueAmong(t, addedTo(t, lang, path, head+tail, head+c.lines+tail))
			require.True(t, r.Judged)
			if c.says == "" {
				assert.True(t, r.Passed, r.Signal)
				return
			}
			require.False(t, r.Passed)
			assert.Contains(t, r.Signal, c.says)
			assert.Equal(t, 2, r.Places[0].Line)
		})
	}
}

// covers: SLF-3
func TestResidueInPython(t *testing.T) {
	residueIn(t, python.Language(), "m.py", "def f(a):\n", "    return a + 1\n", []left{
		{"print", "    print(a)\n", "debugging"},
		{"breakpoint", "    breakpoint()\n", "debugging"},
		{"pdb", "    import pdb; pdb.set_trace()\n", "debugging"},
		{"assignments commented out", "    # a = a + 1\n    # b = a\n", "commented out"},
		{"a block commented out", "    # if a:\n    #     b()\n", "commented out"},
		{"a loop commented out", "    # for x in range(a):\n    #     g(x)\n", "commented out"},
		{"a definition commented out", "    # def g(x):\n    # class C(B):\n", "commented out"},
		{"words in place of code", "    # ... rest of the function unchanged\n", "words in place of code"},
		{"an open point", "    # TODO handle zero\n", "open point"},
		{"prose", "    # The value is kept: a caller can compare it.\n", ""},
		{"prose that ends in a colon", "    # If it is larger than that, there are two ways:\n", ""},
		{"code", "    a = a + 1\n    if a:\n        a = 2\n", ""},
	})
}

// covers: SLF-3
func TestResidueInJavaScriptAndTypeScript(t *testing.T) {
	cases := []left{
		{"console.log", "  console.log(a)\n", "debugging"},
		{"debugger", "  debugger;\n", "debugging"},
		{"assignments commented out", "  // a = a + 1;\n  // b = a;\n", "commented out"},
		{"a block commented out", "  // if (a) {\n  //   b();\n  // }\n", "commented out"},
		{"a function commented out", "  // function g(x) {\n  // }\n", "commented out"},
		{"constants in a block comment", "  /* const b = 1;\n     const c = 2; */\n", "commented out"},
		{"words in place of code", "  // ... existing code ...\n", "words in place of code"},
		{"an open point", "  // FIXME handle zero\n", "open point"},
		{"prose", "  // The value is kept: a caller can compare it.\n", ""},
		{"code", "  const b = a;\n  if (b) {\n    a = 2;\n  }\n", ""},
	}
	residueIn(t, javascript.Language(), "m.js", "export function f(a) {\n", "  return a + 1;\n}\n", cases)
	residueIn(t, typescript.Language(), "m.ts", "export function f(a: number) {\n", "  return a + 1;\n}\n", cases)
}
