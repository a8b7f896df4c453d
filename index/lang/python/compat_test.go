package python

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// covers: CHG-2
func TestCompatible(t *testing.T) {
	const (
		fits    = "fits"
		breaks  = "breaks"
		unknown = "unknown"
	)
	method := func(head string) string { return "class C:\n    " + head + " pass\n" }
	cases := []struct{ name, before, after, use, want string }{
		{"nothing changed", "def f(a, b=1): pass", "def f(a, b=1): pass", "f(1)", fits},
		{"a default is added", "def f(a): pass", "def f(a, b=1): pass", "f(1)", fits},
		{"a parameter is added", "def f(a): pass", "def f(a, b): pass", "f(1)", breaks},
		{"a keyword-only parameter is added", "def f(a): pass", "def f(a, *, b): pass", "f(1)", breaks},
		{"one with a default is added", "def f(a): pass", "def f(a, *, b=2): pass", "f(1)", fits},
		{"a parameter is removed", "def f(a, b): pass", "def f(a): pass", "f(1, 2)", breaks},
		{"a parameter that is not passed is removed", "def f(a, b=1): pass", "def f(a): pass", "f(1)", fits},
		{"renamed, passed by name", "def f(a): pass", "def f(b): pass", "f(a=1)", breaks},
		{"renamed, passed by position", "def f(a): pass", "def f(b): pass", "f(1)", fits},
		{"renamed, taken by **", "def f(a, **kw): pass", "def f(b=1, **kw): pass", "f(a=1)", fits},
		{"reordered, by position", "def f(a, b): pass", "def f(b, a): pass", "f(1, 2)", breaks},
		{"reordered, by name", "def f(a, b): pass", "def f(b, a): pass", "f(b=1, a=2)", fits},
		{"made keyword-only, by position", "def f(a, b=1): pass", "def f(a, *, b=1): pass", "f(1, 2)", breaks},
		{"made keyword-only, by name", "def f(a, b=1): pass", "def f(a, *, b=1): pass", "f(1, b=2)", fits},
		{"made positional-only, by name", "def f(a): pass", "def f(a, /): pass", "f(a=1)", breaks},
		{"made positional-only, by position", "def f(a): pass", "def f(a, /): pass", "f(1)", fits},
		{"more by position than before *", "def f(*a): pass", "def f(a): pass", "f(1, 2)", breaks},
		{"spread, one more has to be passed", "def f(a, b): pass", "def f(a, b, c): pass", "f(*x)", unknown},
		{"spread by name, one more has to be passed", "def f(a): pass", "def f(a, *, b): pass", "f(**x)", unknown},
		{"spread, one more may be passed", "def f(a, b): pass", "def f(a, b, c=1): pass", "f(*x)", fits},
		{"spread, one has to be passed that had a default", "def f(a=1): pass", "def f(a): pass", "f(*x)", unknown},
		{"spread, one is removed", "def f(a, b): pass", "def f(a): pass", "f(*x)", unknown},
		{"spread, one is renamed", "def f(a): pass", "def f(b): pass", "f(**x)", unknown},
		{"spread, the rest is no longer taken", "def f(a, *b): pass", "def f(a): pass", "f(*x)", unknown},
		{"spread, more is taken", "def f(a): pass", "def f(a, *b, **c): pass", "f(*x)", fits},
		{"spread, nothing changed for it", "def f(a, b): pass", "def f(a, b): return 1", "f(*x)", fits},
		{"spread, with a name that is gone", "def f(a, b): pass", "def f(a): pass", "f(*x, b=1)", breaks},
		{"a default changes that is relied on", "def f(a=1): pass", "def f(a=2): pass", "f()", unknown},
		{"a default changes that is not", "def f(a=1): pass", "def f(a=2): pass", "f(3)", fits},
		{"a type changes", "def f(a: int): pass", "def f(a: str): pass", "f(1)", unknown},
		{"the result changes", "def f() -> int: pass", "def f() -> str: pass", "f()", unknown},
		{"used as a value", "def f(a): pass", "def f(a, b): pass", "g(f)", unknown},
		{"used as a value, nothing changed", "def f(a): pass", "def f(a): return 1", "g(f)", fits},
		{"gone", "def f(a): pass", "", "f(1)", breaks},
		{"a coroutine", "def f(): pass", "async def f(): pass", "f()", unknown},
		{"a call that never fitted", "def f(): pass", "def f(a): pass", "f(1, 2, 3)", unknown},

		{"a method, on an instance", method("def f(self, a):"), method("def f(self, a, b=1):"), "x.f(1)", fits},
		{"a method, one more", method("def f(self, a):"), method("def f(self, a, b):"), "x.f(1)", breaks},
		{"a method, on the class", method("def f(self, a):"), method("def f(self, a, b=1):"), "C.f(x, 1)", fits},
		{"a static method", method("def f(self, a):"), method("@staticmethod\n    def f(a):"), "x.f(1)", fits},
		{"a class method", method("@classmethod\n    def f(cls, a):"), method("@classmethod\n    def f(cls):"), "C.f(1)", breaks},
		{"a property", method("def f(self):"), method("@property\n    def f(self):"), "x.f()", breaks},
		{"no property any more", method("@property\n    def f(self):"), method("def f(self):"), "x.f", breaks},

		{"a class with another base", "class f(A): pass", "class f(B): pass", "f()", unknown},
		{"a class with another member", "class f:\n    x = 1", "class f:\n    x = 2", "f()", fits},
		{"a class that is derived from", "class f:\n    x = 1", "class f:\n    x = 2", "class D(f): pass", unknown},
		{"a class became a function", "class f: pass", "def f(): pass", "class D(f): pass", breaks},
		{"a constant's value", "f = 1", "f = 2", "g(f)", unknown},
		{"a constant's type", "f: int = 1", "f: str = 1", "g(f)", unknown},
	}
	r := newReader(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ok, known, reason := compatible(r.Symbol(t, "a.py", c.before, "f"), r.Symbol(t, "a.py", c.after, "f"), r.Use(t, "b.py", c.use, "f"))
			got := map[[2]bool]string{{true, true}: fits, {false, true}: breaks, {true, false}: unknown, {false, false}: unknown}[[2]bool{ok, known}]
			assert.Equal(t, c.want, got, reason)
			if got != fits {
				assert.NotEmpty(t, reason)
			}
		})
	}
}

// covers: CHG-2
func TestConstructorIsCalledByItsClass(t *testing.T) {
	r := newReader(t)
	before := r.Symbol(t, "a.py", "class C:\n    def __init__(self, a): pass", "__init__")
	after := r.Symbol(t, "a.py", "class C:\n    def __init__(self, a, b): pass", "__init__")
	require.Equal(t, index.KindConstructor, before.Kind)
	use := r.Use(t, "b.py", "C(1)", "C")
	use.Name = "__init__"
	ok, known, reason := compatible(before, after, use)
	assert.False(t, ok)
	assert.True(t, known)
	assert.Equal(t, "parameter b is not passed and has no default", reason)
}
