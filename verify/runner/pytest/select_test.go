package pytest

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/python"
)

// A function that a test defines and hands to somebody belongs to the test.
//
// covers: VER-5
func TestAFunctionInsideATestLeadsToIt(t *testing.T) {
	s, err := (&index.TreeSitter{Languages: []*index.Language{python.Language()}}).Index(t.Context(), index.Input{FS: fstest.MapFS{
		"web.py":       {Data: []byte("def flash(text):\n    return text\n\n\ndef route(view):\n    return view()\n")},
		"test_web.py":  {Data: []byte("import web\n\n\ndef test_inner():\n    @web.route\n    def index():\n        web.flash('a')\n")},
		"test_none.py": {Data: []byte("import web\n\n\ndef test_none():\n    assert web\n")},
	}})
	require.NoError(t, err)
	flash := s.Definitions("flash").Sure
	require.Len(t, flash, 1)
	var reached []string
	for _, l := range s.TestsFor(flash[0].ID).Sure {
		reached = append(reached, l.Test.Name)
	}
	assert.Equal(t, []string{"test_inner"}, reached)
}
