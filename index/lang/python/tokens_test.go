package python

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func wordsOf(src string) string { return langtest.Words(Language(), src) }

// covers: PAT-13
func TestTokensForgetLayoutOnly(t *testing.T) {
	for _, s := range [][2]string{
		{"f(a,b)", "f(\n    a,\n    b)\n"}, {"x=1", "x = 1"}, {"a+b", "a \\\n  + b"}, {"if x: y", "if x :  y\r\n"}, {"\xef\xbb\xbfx", "x"},
	} {
		assert.Equal(t, wordsOf(s[0]), wordsOf(s[1]))
	}
	for _, d := range [][2]string{
		{"f(a, b)", "f(a b)"}, {`"a b"`, `"ab"`}, {"a # x", "a # y"}, {"a - -b", "a--b "[:4] + "c"}, {"x = 'a'", `x = "a"`}, {"1_000", "1000"},
		{"r'a'", "'a'"}, {"(a,)", "(a)"}, {"a ** b", "a * * b"}, {"rb'x' y", "r b'x' y"},
	} {
		assert.NotEqual(t, wordsOf(d[0]), wordsOf(d[1]))
	}
}

// covers: PAT-13
func TestTokensKeepWhatCannotBeRead(t *testing.T) {
	assert.Equal(t, []index.Token{
		{Kind: index.TokenName, Text: "x", Line: 1},
		{Kind: index.TokenString, Text: "f\"\"\"a\nb\"\"\"", Line: 1},
		{Kind: index.TokenComment, Text: "# c", Line: 2},
		{Kind: index.TokenOther, Text: "if", Line: 3},
		{Kind: index.TokenOther, Text: "1e-3", Line: 3},
		{Kind: index.TokenPunctuation, Text: "->", Line: 3},
		{Kind: index.TokenPunctuation, Text: "?", Line: 4},
		{Kind: index.TokenString, Text: "'open", Line: 4},
		{Kind: index.TokenString, Text: "'''never\nends", Line: 5},
	}, tokens([]byte("x f\"\"\"a\nb\"\"\" # c\nif 1e-3->\n? 'open\n'''never\nends")))
	assert.Empty(t, tokens(nil))
}
