package python

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func fingerprint(t *testing.T, r *langtest.Reader, src string) uint64 {
	f := r.Facts(t, "a.py", []byte(src))
	require.Greater(t, len(f.Defs), 1)
	return f.Defs[len(f.Defs)-1].Fingerprint
}

// covers: IDX-20
func TestFingerprintForgetsLayoutAndComments(t *testing.T) {
	r := newReader(t)
	same := fingerprint(t, r, "def f(a, b=1):\n    if a:\n        g(a, b)\n    return b\n")
	for _, src := range []string{
		"def f(a, b = 1) :\n  if a :\n      g(a,\n        b,\n      )  # why\n\n  # because\n  return b\n",
		"x = 1\n\ndef f(a, b=1):\n\tif a:\n\t\tg(a, b);\n\treturn \\\n b\n",
		"def f(a, b=1,):\n    if a: g(a, b)\n    return b\n",
	} {
		assert.Equal(t, same, fingerprint(t, r, src), src)
	}
}

// covers: IDX-20
func TestFingerprintSeesTokensAndIndentation(t *testing.T) {
	r := newReader(t)
	seen := map[uint64]string{}
	for _, src := range []string{
		"def f(a):\n    if a:\n        g()\n        h()\n", "def f(a):\n    if a:\n        g()\n    h()\n", "def f(a):\n    g()\n    h()\n",
		"def f(a):\n    if a:\n        g()\n        return\n    h()\n", "def f(b):\n    g()\n    h()\n", "def f(a):\n    g(1)\n    h()\n",
		"def f(a):\n    return (a,)\n", "def f(a):\n    return (a)\n", "def f(a):\n    return a[1,]\n", "def f(a):\n    return a[1]\n",
		"def f(a):\n    return 'x'\n", "def f(a):\n    return ' x'\n", "def f(a):\n    return b'x'\n", "@d\ndef f(a):\n    return 'x'\n",
		"async def f(a):\n    return 'x'\n", "def f(a, *, b): pass\n", "def f(a, /, b): pass\n", "def f(a, b): pass\n",
	} {
		h := fingerprint(t, r, src)
		assert.Empty(t, seen[h], src)
		seen[h] = src
	}
}
