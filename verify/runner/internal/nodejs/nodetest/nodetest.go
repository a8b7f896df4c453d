// Package nodetest helps the tests of the runners of tools on Node.js: projects
// from archives, with the tools of internal/nodejs/testdata/tools in them.
package nodetest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Tools returns the folder node_modules of the pinned tools. Where they are not
// installed the test fails and says how to install them: a test that were left
// out would prove nothing.
func Tools(t testing.TB) string {
	t.Helper()
	_, here, _, ok := runtime.Caller(0)
	require.True(t, ok)
	project := filepath.Join(filepath.Dir(filepath.Dir(here)), "testdata", "tools")
	tools := filepath.Join(project, "node_modules")
	for _, name := range []string{"vitest", "jest", "typescript"} {
		_, err := os.Stat(filepath.Join(tools, name, "package.json"))
		require.NoErrorf(t, err, "the tools of this test are not installed; run: npm ci --prefix %s", project)
	}
	return tools
}

// Unpack writes an archive of testdata into a new folder and links the tools
// into it.
func Unpack(t testing.TB, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, f := range ar.Files {
		Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
	require.NoError(t, os.Symlink(Tools(t), filepath.Join(dir, "node_modules")))
	return dir
}

// Write writes a file and the folders above it.
func Write(t testing.TB, path, data string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
}
