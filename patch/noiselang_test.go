package patch

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// indentedTokens splits words and signs of a language whose blocks are indented.
func indentedTokens(src []byte) []index.Token {
	var out []index.Token
	for i, l := range strings.Split(string(src), "\n") {
		for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ", ":", " : ", "=", " = ").Replace(l)) {
			out = append(out, index.Token{Text: w, Line: i + 1})
		}
	}
	return out
}

// cleaned returns what is left of a rewrite when noise is put back.
func cleaned(lang *index.Language, old, now string) string {
	a, b := newTokenLines(lang, []byte(old)), newTokenLines(lang, []byte(now))
	return string(restore(a, b, segments(a, b), noisy))
}

// What is noise depends on whether a language minds where its lines begin.
//
// covers: PAT-13
func TestIndentationByLanguage(t *testing.T) {
	ts, py := typescript.Language(), python.Language()
	layout := &index.Language{Name: "layout", Indentation: true, Tokens: indentedTokens}
	const block = "if (a) {\n  b();\n  c(1, 2);\n}\n"
	cases := []struct {
		name           string
		lang           *index.Language
		old, now, want string
	}{
		{"TypeScript: indentation", ts, block, "if (a) {\n    b();\n  c(1, 2);\n}\n", block},
		{"TypeScript: tabs", ts, block, strings.ReplaceAll(block, "  ", "\t"), block},
		{"TypeScript: blanks at a line's end", ts, block, strings.ReplaceAll(block, "b();", "b();  "), block},
		{"TypeScript: white space inside a line stays, text may stand between tags", ts, "x = <p>{a}{b}</p>\n", "x = <p>{a} {b}</p>\n", "x = <p>{a} {b}</p>\n"},
		{"TypeScript: the structure of lines stays", ts, "return (\n  a\n)\n", "return (a)\n", "return (a)\n"},
		{"TypeScript: a line that ends a statement stays", ts, "f(() => {\n  a\n  (b)\n})\n", "f(() => {\n  a(b)\n})\n", "f(() => {\n  a(b)\n})\n"},
		{"TypeScript: inside a template", ts, "x = `\n a\n`\n", "x = `\n  a\n`\n", "x = `\n  a\n`\n"},
		{"TypeScript: indentation that follows a new block", ts, "a();\nb();\n", "if (x) {\n  a();\n  b();\n}\n", "if (x) {\n  a();\n  b();\n}\n"},
		{"TypeScript: the same over blank lines", ts, "a();\n\nb();\n\nc();\n", "if (x) {\n  a();\n\n  b();\n\n  c();\n}\n", "if (x) {\n  a();\n\n  b();\n\n  c();\n}\n"},
		{"indented: a line moved out of its block", layout, "if a :\n    b\n    c\n", "if a :\n    b\nc\n", "if a :\n    b\nc\n"},
		{"indented: a line moved into one", layout, "if a :\n    b\nc\n", "if a :\n    b\n    c\n", "if a :\n    b\n    c\n"},
		{"indented: tabs for blanks", layout, "if a :\n    b\n", "if a :\n\tb\n", "if a :\n\tb\n"},
		{"indented: white space inside a line", layout, "f(a, b)\n", "f( a,b )\n", "f(a, b)\n"},
		{"indented: blanks at a line's end", layout, "f(a, b)\n", "f(a, b)  \n", "f(a, b)\n"},
		{"indented: wrapping inside brackets", layout, "f(a, b)\n", "f(a,\n  b)\n", "f(a, b)\n"},
		{"indented: no wrapping outside", layout, "a\nb\n", "a b\n", "a b\n"},
		{"Python: a line moved out of its block", py, "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", "if a:\n    b()\nc()\n"},
		{"Python: a line moved into one", py, "for a in b:\n    c()\nd()\n", "for a in b:\n    c()\n    d()\n", "for a in b:\n    c()\n    d()\n"},
		{"Python: a return moved into a loop", py, "def f(a):\n    for b in a:\n        c(b)\n    return 1\n", "def f(a):\n    for b in a:\n        c(b)\n        return 1\n", "def f(a):\n    for b in a:\n        c(b)\n        return 1\n"},
		{"Python: tabs for blanks", py, "if a:\n    b()\n", "if a:\n\tb()\n", "if a:\n\tb()\n"},
		{"Python: an else of another if", py, "if a:\n    if b:\n        c()\n    else:\n        d()\n", "if a:\n    if b:\n        c()\nelse:\n        d()\n", "if a:\n    if b:\n        c()\nelse:\n        d()\n"},
		{"Python: white space inside a line", py, "x = f(a, b)\n", "x = f( a,b )\n", "x = f(a, b)\n"},
		{"Python: blanks at a line's end", py, "f(a)\n", "f(a)  \n", "f(a)\n"},
		{"Python: wrapping inside brackets", py, "f(a, b)\n", "f(a,\n  b)\n", "f(a, b)\n"},
		{"Python: no wrapping outside", py, "a\nb\n", "a; b\n", "a; b\n"},
		{"Python: inside a string of several lines", py, "x = \"\"\"\n a\n\"\"\"\n", "x = \"\"\"\n  a\n\"\"\"\n", "x = \"\"\"\n  a\n\"\"\"\n"},
		{"Python: the comma that makes a tuple", py, "x = (a)\n", "x = (a,)\n", "x = (a,)\n"},
		{"no language: indentation", nil, "a:\n  b: 1\n", "a:\n    b: 1\n", "a:\n    b: 1\n"},
		{"no language: white space inside a line", nil, "a  b\n", "a b\n", "a b\n"},
		{"no language: a blank at a line's end", nil, "a b\n", "a b \n", "a b\n"},
		{"no language: two of them break a line of Markdown", nil, "a b\n", "a b  \n", "a b  \n"},
		{"no language: and stop doing so", nil, "a b  \n", "a b\n", "a b\n"},
		{"no language: line ends", nil, "a\nb\n", "a\r\nb\r\n", "a\nb\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, cleaned(c.lang, c.old, c.now)) })
	}
}

// covers: PAT-13
func TestNoiseOfTypeScriptThroughThePatcher(t *testing.T) {
	const old = "export function f(a: number) {\n  const b = a;\n  const c = b;\n  return c;\n}\n"
	meant := strings.Replace(old, "return c", "return c + 1", 1)
	x := &index.TreeSitter{Languages: []*index.Language{golang.Language(), typescript.Language()}}
	s, err := x.Index(context.Background(), index.Input{FS: tree{"f.ts": old}.fs()})
	require.NoError(t, err)
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Edits: []Edit{whole("f.ts", old, strings.Replace(meant, "  const b", "\tconst b", 1))}})
	require.NoError(t, err)
	assert.Equal(t, meant, string(set.Files[0].New))
	assert.Equal(t, 1, set.Noise.Restored)
}

// A line that moves into a loop is the change, and blanks beside it are not.
//
// covers: PAT-13
func TestNoiseOfPythonThroughThePatcher(t *testing.T) {
	const old = "def f(a):\n    for b in a:\n        c(b)\n    d(a, 1)\n    return a\n"
	meant := strings.Replace(old, "    d(a, 1)", "        d(a, 1)", 1)
	x := &index.TreeSitter{Languages: []*index.Language{python.Language()}}
	s, err := x.Index(context.Background(), index.Input{FS: tree{"f.py": old}.fs()})
	require.NoError(t, err)
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Edits: []Edit{whole("f.py", old, strings.Replace(meant, "return a", "return a  ", 1))}})
	require.NoError(t, err)
	assert.Equal(t, meant, string(set.Files[0].New))
	assert.Equal(t, 1, set.Noise.Restored)
}
