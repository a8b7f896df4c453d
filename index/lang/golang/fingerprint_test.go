package golang

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func fingerprint(t *testing.T, r *langtest.Reader, src string) uint64 {
	f := r.Facts(t, "a.go", []byte("package a\n"+src))
	require.NotEmpty(t, f.Defs)
	return f.Defs[0].Fingerprint
}

// covers: IDX-20
func TestFingerprintForgetsLayoutAndComments(t *testing.T) {
	r := newReader(t)
	same := fingerprint(t, r, "func f(a int, b string) { g(a, b); for ;; { h() } }")
	for _, src := range []string{
		"// Doc.\nfunc f(a int,\n\tb string,\n) {\n\tg(a, b) // why\n\n\tfor ;; {\n\t\th()\n\t}\n}",
		"func f( a int , b string ){g( a,\nb,\n);for ; ;{/**/h();}}",
		"var x int\n\nfunc f(a int, b string) { g(a, b); for ;; { h() } }",
	} {
		f := r.Facts(t, "a.go", []byte("package a\n"+src))
		assert.Equal(t, same, f.Defs[len(f.Defs)-1].Fingerprint, src)
	}
}

// covers: IDX-20
func TestFingerprintSeesEveryToken(t *testing.T) {
	r := newReader(t)
	seen := map[uint64]string{}
	for _, src := range []string{
		"func f(a int) { g(a, 1) }", "func f(a int) { g(a, 2) }", "func f(b int) { g(b, 1) }", "func h(a int) { g(a, 1) }",
		"func f(a int) { g(a, `1`) }", "func f(a int) { g(a, \"1\") }", "func f(a int) { g(a, \"\") }", "func f(a int) { g(a, \" \") }",
		"func f(a int) { g(a1) }", "func f(a int) { g(a) }", "func f(a int) { g(-a) }", "func f(a int) { g(a, a) }",
		"func f() { for a(); b(); {} }", "func f() { for a(); ; b() {} }", "func f() { x = a + b }", "func f() { x = b + a }",
		"func f() { aaaaaaaabbbbbbbbcccccccc() }", "func f() { aaaaaaaabxbbbbbbcccccccc() }", "var f = g()", "var f = h()",
	} {
		h := fingerprint(t, r, src)
		assert.Empty(t, seen[h], src)
		seen[h] = src
	}
}

func TestNamesTellLongWordsApart(t *testing.T) {
	var s names
	s.reset([]byte("aaaaaaaaXbbbbbbbb aaaaaaaaYbbbbbbbb aaaaaaaaXbbbbbbbb a aa aaaaaaaa aaaaaaaaaaaaaaaa a"))
	ids := []int32{s.intern(0, 17), s.intern(18, 35), s.intern(36, 53), s.intern(54, 55), s.intern(56, 58), s.intern(59, 67), s.intern(68, 84), s.intern(85, 86)}
	assert.Equal(t, []int32{0, 1, 0, 2, 3, 4, 5, 2}, ids)
	assert.Equal(t, int32(1), s.internExtra("aaaaaaaaYbbbbbbbb"))
	assert.Equal(t, int32(6), s.internExtra("new"))
	assert.Equal(t, "new", string(s.text(6)))
}
