package golang

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func words(src string) string { return langtest.Words(Language(), src) }

// covers: PAT-13
func TestTokensForgetLayoutOnly(t *testing.T) {
	same := [][2]string{
		{"f(a,b)", "f(\n\ta,\n\tb,\n)\n"},
		{"x:=1", "x := 1"},
		{"if x {\ny()\n}", "if x { y() }"},
		{"a; b", "a;b"},
	}
	for _, s := range same {
		assert.Equal(t, words(s[0]), words(s[1]))
	}
	differ := [][2]string{
		{"f(a, b)", "f(a b)"},
		{`"a b"`, `"ab"`},
		{"a // x", "a // y"},
		{"a - -b", "a--b"},
		{"x = 'a'", `x = "a"`},
		{"1_000", "1000"},
	}
	for _, d := range differ {
		assert.NotEqual(t, words(d[0]), words(d[1]))
	}
}

// covers: PAT-13
func TestTokensKeepWhatCannotBeRead(t *testing.T) {
	got := tokens([]byte("a := `open\n§ \"half"))
	require.NotEmpty(t, got)
	assert.Equal(t, index.Token{Kind: index.TokenName, Text: "a", Line: 1}, got[0])
	got = tokens([]byte("x\n/* c\n*/ # \"s\"\n7"))
	assert.Equal(t, []index.Token{
		{Kind: index.TokenName, Text: "x", Line: 1},
		{Kind: index.TokenComment, Text: "/* c\n*/", Line: 2},
		{Kind: index.TokenOther, Text: "#", Line: 3},
		{Kind: index.TokenString, Text: `"s"`, Line: 3},
		{Kind: index.TokenOther, Text: "7", Line: 4},
	}, got)
}

// covers: PAT-14
func TestFormatIsGofmt(t *testing.T) {
	out, err := Language().Format([]byte("package a\nfunc  f( ){}\n"))
	require.NoError(t, err)
	assert.Equal(t, "package a\n\nfunc f() {}\n", string(out))
	_, err = Language().Format([]byte("package"))
	assert.Error(t, err)
}
