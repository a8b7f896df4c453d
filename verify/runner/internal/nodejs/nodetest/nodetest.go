// Package nodetest helps the tests of the runners of tools on Node.js: projects
// from archives, with the tools of internal/nodejs/testdata/tools in them.
package nodetest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/patch"
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

// Linked opens a workspace whose packages are linked in node_modules, beside
// links to the tools, and returns it with a box in which the tools can be read.
func Linked(t testing.TB, box sandbox.Sandbox, name string) (*patch.Workspace, sandbox.Sandbox) {
	t.Helper()
	tools := Tools(t)
	dir := Unpack(t, name)
	modules := filepath.Join(dir, "node_modules")
	require.NoError(t, os.Remove(modules))
	require.NoError(t, os.MkdirAll(filepath.Join(modules, "@ws"), 0o755))
	require.NoError(t, os.Symlink("../../packages/a", filepath.Join(modules, "@ws", "a")))
	entries, err := os.ReadDir(tools)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.Symlink(filepath.Join(tools, e.Name()), filepath.Join(modules, e.Name())))
	}
	ws, err := patch.Open(dir)
	require.NoError(t, err)
	return ws, sandbox.Func(func(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
		c.Readable = append(c.Readable, tools)
		return box.Run(ctx, c)
	})
}
