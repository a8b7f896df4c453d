package ecmascript_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

func words(src string) string { return langtest.Words(typescript.Language(), src) }

// covers: PAT-13
func TestTokensAreTheSameForTheSameProgram(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"f(a,b)", "f(\n  a,\n  b,\n)"},
		{"const a={b:1}", "const a = {\n  b: 1,\n}"},
		{"if(a)b();", "if (a)\n  b();"},
		{"return\n", "return;\n"},
		{"<A b={1}>text</A>", "<A\n  b={1}\n>\n  text\n</A>"},
		{"a?.b??c", "a ?. b ?? c"},
	} {
		assert.Equal(t, words(c.a), words(c.b), c.a)
	}
}

// covers: PAT-13
func TestTokensDifferForOtherPrograms(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"a = 'x  y'", "a = 'x y'"},
		{"a = `x  ${b  +  c}`", "a = `x ${b + c}`"},
		{"return a", "return\na"},
		{"[a,,]", "[a,]"},
		{"a = /x  y/", "a = /x y/"},
		{"x = a ++ + b", "x = a + ++ b"},
		{"a;\n(b)", "a\n(b)"},
		{"a // x", "a // y"},
	} {
		assert.NotEqual(t, words(c.a), words(c.b), c.a)
	}
}

// covers: PAT-13
func TestTokensAreWholeLiterals(t *testing.T) {
	for src, want := range map[string][]string{
		"a = b / c / d":                      {"a", "=", "b", "/", "c", "/", "d"},
		"a = /[/]\\//gu.test(b)":             {"a", "=", "/[/]\\//gu", ".", "test", "(", "b", ")"},
		"if (a) /x y/.test(b)":               {"if", "(", "a", ")", "/x y/", ".", "test", "(", "b", ")"},
		"(a) / b / c":                        {"(", "a", ")", "/", "b", "/", "c"},
		"`a ${f(`b ${c} }`)} d` + 1":         {"`a ${f(`b ${c} }`)} d`", "+", "1"},
		"'it\\'s' + \"a 'b'\"":               {"'it\\'s'", "+", "\"a 'b'\""},
		"/* a\n b */ 1e-5 .5 0xff 1_000n":    {"/* a\n b */", "1e-5", ".5", "0xff", "1_000n"},
		"#x in this.#y; ümlaut":              {"#x", "in", "this", ".", "#y", ";", "ümlaut"},
		"<p>it's {a} here</p>":               {"<", "p", ">", "it", "'", "s", "{", "a", "}", "here", "<", "/", "p", ">"},
		"a >>>= b ** c":                      {"a", ">>>=", "b", "**", "c"},
		"x as unknown as Map<string, any[]>": {"x", "as", "unknown", "as", "Map", "<", "string", ",", "any", "[", "]", ">"},
	} {
		var got []string
		for _, t := range typescript.Language().Tokens([]byte(src)) {
			got = append(got, t.Text)
		}
		assert.Equal(t, want, got)
	}
	for _, tok := range typescript.Language().Tokens([]byte("a\n`b\nc`\nd")) {
		if tok.Text == "d" {
			assert.Equal(t, 4, tok.Line)
		}
		if tok.Text[0] == '`' {
			assert.Equal(t, index.TokenString, tok.Kind)
		}
	}
}

// Whatever the text, tokens end and lose nothing but white space and commas.
//
// covers: PAT-13, REL-2
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a = `${", "/[", "'", "<a>it's</a>", "\\u{61}", "a\xff\u2028b", "/*", "#!", "(/)/)", "return\n"} {
		f.Add([]byte(s))
	}
	strip := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "\v", "", "\f", "", ",", "", ";", "", "\ufeff", "", "\u00a0", "").Replace
	f.Fuzz(func(t *testing.T, src []byte) {
		var b strings.Builder
		line := 1
		for _, tok := range typescript.Language().Tokens(src) {
			if tok.Line < line {
				t.Fatalf("lines go back in %q", src)
			}
			line = tok.Line
			b.WriteString(tok.Text + " ")
		}
		if strip(b.String()) != strip(string(src)) {
			t.Fatalf("%q came back as %q", src, b.String())
		}
	})
}
