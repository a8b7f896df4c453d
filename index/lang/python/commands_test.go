package python

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// covers: IDX-17
func TestPackagesKnowTheirCommands(t *testing.T) {
	files := fstest.MapFS{
		"pyproject.toml":     {Data: []byte("[tool.pytest.ini_options]\ntestpaths = [\"checks\", \"../up\"]\n")},
		"src/a/__init__.py":  {Data: []byte("")},
		"src/a/__main__.py":  {Data: []byte("print(1)\n")},
		"tests/test_a.py":    {Data: []byte("def test_a(): pass\n")},
		"tools/setup.py":     {Data: []byte("from setuptools import setup\nsetup()\n")},
		"tools/t/run.py":     {Data: []byte("if __name__ == \"__main__\":\n    print(1)\n")},
		"tools/t/library.py": {Data: []byte("def f():\n    if __name__ == \"__main__\":\n        pass\n")},
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{Language()}}).Index(context.Background(), index.Input{FS: files})
	require.NoError(t, err)
	got := map[string]string{}
	for _, p := range s.Packages() {
		got[p.Path] = strings.Join(p.Build, " ") + "; " + strings.Join(p.Test, " ")
		assert.Equal(t, p.Path == "a.__main__" || p.Path == "tools.t.run" || p.Path == "setup", p.Program, p.Path)
	}
	assert.Equal(t, map[string]string{
		"a":               "python -m compileall -q src/a; python -m pytest checks",
		"a.__main__":      "python -m compileall -q src/a; python -m pytest checks",
		"tests.test_a":    "python -m compileall -q tests; python -m pytest tests",
		"setup":           "python -m compileall -q tools; python -m pytest tools",
		"tools.t.run":     "python -m compileall -q tools/t; python -m pytest tools",
		"tools.t.library": "python -m compileall -q tools/t; python -m pytest tools",
	}, got)
}

// covers: IDX-15
func TestTestFiles(t *testing.T) {
	for path, want := range map[string]bool{"test_a.py": true, "a_test.py": true, "a/conftest.py": true, "tests/util.py": true, "a/test/b.py": true,
		"attest.py": false, "a/testing.py": false, "contest.py": false, "a/tests.py": true} {
		assert.Equal(t, want, isTestFile(path), path)
	}
}
