package syntax

import (
	"bytes"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/stretchr/testify/require"
)

// A grammar is a language under test with a sample of its source.
type grammar struct {
	raw    *sitter.Language
	lang   *Language
	sample string
}

var samples = []struct {
	name   string
	get    func() *sitter.Language
	sample string
}{
	{"go", golang.GetLanguage, "package a\n\nimport \"fmt\"\n\n// T is a type.\ntype T[P any] struct{ a, b int }\n\n" +
		"func (t *T[P]) M(x ...int) (n int, err error) {\n\tfor i, v := range x {\n\t\tfmt.Println(i, v, `raw`, 'r', 1.5e3)\n\t}\n\treturn len(x), nil\n}\n"},
	{"python", python.GetLanguage, "import os\nfrom .a import b as c\n\n@d\nclass A(B):\n    '''doc'''\n    x: int = 1\n" +
		"    def f(self, *a, k=2, **kw):\n        # why\n        return [i for i in a if f'{i!r} {k}']\n"},
	{"javascript", javascript.GetLanguage, "import a, {b as c} from './d'\nexport default class A extends B {\n  #p = 1\n" +
		"  async *m(x = `t${y}`) { await x?.y ?? /re/g; return <div a={1}>t</div> }\n}\n// end\n"},
	{"typescript", typescript.GetLanguage, "interface I<T extends U = {}> { a?: T; [k: string]: any }\nenum E { A = 1, B }\n" +
		"export const f = <T,>(x: T): x is T => x as unknown as T\nabstract class C implements I { private constructor(public a: number) { super() } }\n"},
	{"tsx", tsx.GetLanguage, "const X = (p: {a: string}) => <A {...p} b='c'>{p.a}</A>\nfunction g<T,>(): void {}\n"},
	{"java", java.GetLanguage, "package a.b;\nimport java.util.*;\n/** Doc. */\n@X public class A<T> extends B implements C {\n" +
		"  private final int x = 1;\n  <R> R m(T... t) throws E { return (R) t[0].f(() -> 1); }\n  record P(int a) {}\n}\n"},
	{"rust", rust.GetLanguage, "use a::{b, c as d};\n/// Doc\n#[derive(Debug)]\npub struct S<'a, T: U> { x: &'a T }\n" +
		"impl<'a, T> Tr for S<'a, T> { fn f(&self) -> Result<(), E> { m!(a, b); match self { _ => Ok(()) } } }\n"},
}

// grammars compiles every sample language with query, which all of them must accept.
func grammars(t testing.TB, query string) []grammar {
	var all []grammar
	for _, s := range samples {
		raw := s.get()
		lang, err := NewLanguage(s.name, raw, query)
		require.NoError(t, err)
		all = append(all, grammar{raw, lang, s.sample})
	}
	return all
}

// inputs are shapes of source: whole, broken in many ways, hostile, empty.
func inputs(g grammar) map[string][]byte {
	s := g.sample
	return map[string][]byte{
		"sample":      []byte(s),
		"repeated":    []byte(strings.Repeat(s, 20)),
		"empty":       {},
		"space":       []byte(" \n\t\n"),
		"half":        []byte(s[:len(s)/2]),
		"tail":        []byte(s[len(s)/3:]),
		"unclosed":    []byte(strings.NewReplacer(")", "", "}", "").Replace(s)),
		"unopened":    []byte(strings.NewReplacer("(", "", "{", "").Replace(s)),
		"garbage":     []byte("\x00\x01 ~~ ))) {{{ ' \" `\n" + s),
		"invalid":     []byte(strings.ReplaceAll(s, "a", "\xff\xc3")),
		"cut-rune":    []byte(s + "\xe2\x82"),
		"bom":         []byte("\xef\xbb\xbf" + s),
		"crlf":        []byte(strings.ReplaceAll(s, "\n", "\r\n")),
		"unicode":     []byte(strings.ReplaceAll(s, "x", "ñ世")),
		"nul":         bytes.Repeat([]byte{0}, 300),
		"no-new-line": []byte(strings.TrimRight(s, "\n")),
		"one-line":    []byte(strings.ReplaceAll(s, "\n", " ")),
		"reversed":    reversed(s),
	}
}

func reversed(s string) []byte {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}
