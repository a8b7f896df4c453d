package python_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/python"
)

// covers: CHG-2
func TestOverridesThatCanBeCalledAsTheirBase(t *testing.T) {
	for _, c := range []struct{ base, impl, breaks string }{
		{"self, a", "self, a", ""},
		{"self, a", "self, a, b=1", ""},
		{"self, a", "self, *args", ""},
		{"self, a, *, k", "self, a, **kw", ""},
		{"self, a, *, k", "self, a, k", ""},
		{"a", "cls, a", ""},
		{"self, _a", "self, b", ""},
		{"self, a, b", "self, a", "it does not take b"},
		{"self, a", "self, a, b", "it requires b"},
		{"self, a=1", "self, a", "it requires a, which may be left out"},
		{"self, *args", "self, a=1", "it does not take any number of arguments"},
		{"self, **kw", "self, k=1", "it does not take any keyword"},
		{"self, *, k=1", "self", "it does not take k by name"},
		{"self", "self, *, k", "it requires k"},
		{"self, a", "self, b", "it calls the parameter a b, so that a call by that name fails"},
	} {
		src := "class A:\n    def f(" + c.base + "): ...\n\nclass B:\n    def f(" + c.impl + "): ...\n"
		s, err := (&index.TreeSitter{Languages: []*index.Language{python.Language()}}).Index(t.Context(),
			index.Input{FS: fstest.MapFS{"m.py": {Data: []byte(src)}}})
		require.NoError(t, err)
		base, impl := s.Definitions("m.A.f").Sure[0], s.Definitions("m.B.f").Sure[0]
		ok, _, reason := python.Language().Fits(base, impl)
		assert.Equal(t, c.breaks, reason, "%s / %s", c.base, c.impl)
		assert.Equal(t, c.breaks == "", ok)
	}
}
