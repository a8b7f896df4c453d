package verify_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// environmentOf makes a workspace with what package managers leave in one: a
// package folder with a link back into the repository, one of somebody else's, a
// file that names the repository by its absolute path, and a built module.
func environmentOf(t *testing.T) *patch.Workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range map[string]string{
		"packages/a/index":       "original",
		"deps/@ours/other/index": "of @ours",
		"deps/left/index":        "left",
		"deps/path":              dir + "/packages/a",
		"packages/a/built.so":    "built",
		".gitignore":             "deps\n*.so\n",
	} {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("../../packages/a", filepath.Join(dir, "deps/@ours/a")))
	out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput()
	require.NoError(t, err, "%s", out)
	ws, err := patch.Open(dir)
	require.NoError(t, err)
	return ws
}

const reads = `cat deps/@ours/a/index deps/left/index deps/@ours/other/index; cat "$(cat deps/path)/index"; cat packages/a/built.so; echo >packages/a/new; echo >deps/new; true`

// Whatever leads from the tools' folders back into the repository, by a link or by
// an absolute path, leads to the tree, and nothing is written to the original.
//
// covers: VER-24, VER-21, PAT-19
func TestToolsFoldersLeadToTheTree(t *testing.T) {
	ws := environmentOf(t)
	tree, err := ws.Scratch(t.Context())
	require.NoError(t, err)
	defer tree.Close()
	require.NoError(t, os.WriteFile(filepath.Join(tree.Dir(), "packages/a/index"), []byte("patched"), 0o644))

	box := sandbox.Auto{AllowUnsandboxed: true}
	place, err := verify.PlaceOf(t.Context(), box, ws, tree, []string{"deps", "*.so"})
	require.NoError(t, err)
	res, err := box.Run(t.Context(), place.Command(".", "sh", "-c", reads))
	require.NoError(t, err)
	want := "patchedleftof @ourspatchedbuilt"
	if res.Unsandboxed { // an absolute path leads to the original: VER-24's planted failure finds that
		want = "patchedleftof @oursoriginalbuilt"
	}
	assert.Equal(t, want, string(res.Stdout), "%s", res.Stderr)
	if !res.Unsandboxed {
		assert.True(t, res.Promises.Held(sandbox.SourceReadOnly), "%v", res.Promises.Broken())
		assert.Empty(t, res.Promises.Broken())
		assert.NoFileExists(t, filepath.Join(ws.Dir(), "deps/new"))
	}
	assert.FileExists(t, filepath.Join(tree.Dir(), "packages/a/new"))
	assert.NoFileExists(t, filepath.Join(ws.Dir(), "packages/a/new"))
}

// A sandbox that cannot mount gets links.
//
// covers: VER-24
func TestWithoutMountsTheTreeGetsLinks(t *testing.T) {
	ws := environmentOf(t)
	tree, err := ws.Scratch(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tree.Dir(), "packages/a/index"), []byte("patched"), 0o644))
	box := sandbox.Func(func(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
		return sandbox.Direct{}.Run(ctx, c)
	})
	place, err := verify.PlaceOf(t.Context(), box, ws, tree, []string{"deps"})
	require.NoError(t, err)
	assert.Empty(t, place.Mounts)
	assert.Equal(t, tree.Dir(), place.Root())
	res, err := box.Run(t.Context(), place.Command(".", "sh", "-c", reads))
	require.NoError(t, err)
	assert.Contains(t, string(res.Stdout), "patchedleftof @oursoriginal")
	require.NoError(t, tree.Close())
	assert.FileExists(t, filepath.Join(ws.Dir(), "deps/left/index"), "what was linked stays")
}
