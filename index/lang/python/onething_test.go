package python_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/python"
)

// What is one name in one scope has one answer, by whichever definition it is
// asked for; what reads and what writes a property are two.
//
// covers: CHG-2, IDX-27
func TestDefinitionsOfOneThingHaveOneAnswer(t *testing.T) {
	s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{python.Language()}}, indextest.Files{
		"m.py": `from typing import TYPE_CHECKING, overload
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x): return x
if TYPE_CHECKING:
    def g(x: int) -> int: ...
else:
    def g(x): return x
try:
    import fast
    class K:
        def run(self): return fast.run()
except ImportError:
    class K:
        def run(self): return 1
class P:
    @property
    def v(self): return 1
    @v.setter
    def v(self, x): pass
    @overload
    def m(self, x: int) -> int: ...
    def m(self, x): return x
@f.register
def _(x: list): return _(x)
@f.register
def _(x: dict): return x
def one():
    def inner(): return 1
    return inner()
def two():
    def inner(): return 2
    return inner()
`,
		"n.py": `from m import K, P, f, g
def k(p: P, z):
    f(1); f("a")
    g(1)
    K().run()
    p.v
    p.m(1); p.m(z)
`,
	}, nil)
	for id, want := range map[string][]string{
		"m.f":         {"m.py:26", "m.py:28", "n.py:1", "n.py:3", "n.py:3"},
		"m.g":         {"n.py:1", "n.py:4"},
		"m.K":         {"n.py:1", "n.py:5"},
		"m.P.m":       {"n.py:7", "n.py:7"},
		"m.one.inner": {"m.py:32"},
		"m.two.inner": {"m.py:35"},
	} {
		all := s.Definitions(id).Sure
		for _, d := range all {
			a := s.References(d.ID, 0)
			var got []string
			for _, r := range a.Sure {
				got = append(got, fmt.Sprintf("%s:%d", r.Span.File, r.Span.Line))
			}
			assert.Equal(t, want, got, d.ID)
			assert.Equal(t, len(want), s.Uses(d.ID), d.ID)
			assert.Equal(t, len(want), a.Total, d.ID)
			im := s.Impact(d.ID, 1)
			if slices.Contains(want, "n.py:3") || slices.Contains(want, "n.py:5") {
				assert.True(t, slices.ContainsFunc(im.Cross, func(e index.Effect) bool { return e.Symbol.Name == "k" }), d.ID)
			}
		}
	}
	var uses []int
	for _, d := range s.Definitions("m.P.v").Sure {
		uses = append(uses, s.Uses(d.ID))
	}
	assert.Equal(t, []int{2, 0}, uses, "what reads a property is read, what writes it is not")
	for _, d := range s.Definitions("m._").Sure {
		assert.LessOrEqual(t, s.Uses(d.ID), 1)
	}
	for _, d := range s.Definitions("m.K.run").Sure {
		assert.Len(t, s.References(d.ID, 0).Confirm, 1, "of the classes of two branches either can be meant")
	}
	assert.Len(t, s.Callers(s.Definitions("m.f").Sure[0].ID, 0).Sure, 2)
}
