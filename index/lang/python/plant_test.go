package python

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// planted plants into function f of src, or with "" into the module.
func planted(t *testing.T, src, f string) (string, bool) {
	r := newReader(t)
	facts := r.Facts(t, "a.py", []byte(src))
	at := index.Symbol{}
	for _, d := range facts.Defs {
		if f != "" && facts.Names[d.Name] == f && d.Kind != index.KindPackage {
			at = index.Symbol{Kind: d.Kind, Span: index.Span{Start: int(d.Range.Start), End: int(d.Range.End)}, Body: int(d.Body)}
		}
	}
	got, ok := plant([]byte(src), at)
	return string(got), ok
}

// covers: VER-24
func TestPlant(t *testing.T) {
	var all []string
	const fail = `raise RuntimeError("plumb_planted_failure")`
	for _, c := range []struct{ name, src, f, want string }{
		{"a body", "def f(a):\n    return a\n", "f", "def f(a):\n    " + fail + "; return a\n"},
		{"behind a docstring", "def f():\n    \"\"\"Doc: (\n    \"\"\"\n    x = 1\n", "f", "def f():\n    \"\"\"Doc: (\n    \"\"\"\n    " + fail + "; x = 1\n"},
		{"a docstring alone", "def f():\n    'doc'\n", "f", "def f():\n    " + fail + "; 'doc'\n"},
		{"a compound statement", "class C:\n    def f(self):\n        # why\n        if x:\n            pass\n", "f",
			"class C:\n    def f(self):\n        # why\n        " + fail + "\n        if x:\n            pass\n"},
		{"on one line", "def f(): return {1: 2}\n", "f", "def f(): " + fail + "; return {1: 2}\n"},
		{"brackets and colons in the head", "def f(a: dict = {1: 2}, *b) -> \"x:y\":\n\treturn a[1:2]\n", "f",
			"def f(a: dict = {1: 2}, *b) -> \"x:y\":\n\t" + fail + "; return a[1:2]\n"},
		{"a module", "#!x\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport os\n\ndef f(): pass\n", "",
			"#!x\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n" + fail + "; import os\n\ndef f(): pass\n"},
		{"a module that begins with a class", "class C:\n    pass\n", "", fail + "\nclass C:\n    pass\n"},
		{"an empty module", "", "", "\n" + fail + "\n"},
		{"a docstring alone in a module", "'''x'''\n", "", "'''x'''\n\n" + fail + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := planted(t, c.src, c.f)
			require.True(t, ok)
			assert.Equal(t, c.want, got)
			all = append(all, got)
		})
	}
	parse(t, all)
	_, ok := plant([]byte("x"), index.Symbol{Kind: index.KindFunction, Span: index.Span{End: 1}, Body: 1})
	assert.False(t, ok, "a function without body")
}

// parse checks with Python itself, where it is installed, that sources are valid.
func parse(t *testing.T, sources []string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", "import sys\nfor s in sys.stdin.read().split(chr(0)): compile(s, 'a', 'exec')")
	cmd.Stdin = strings.NewReader(strings.Join(sources, "\x00"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
