package gitcmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// covers: CLI-4, SEC-2
func TestTreeAndBlobsAreReadAsTheyAreStored(t *testing.T) {
	dir := repository(t)
	trap := filepath.Join(t.TempDir(), "ran")
	plain(t, dir, "config", "filter.evil.smudge", "sh -c 'echo ran > "+trap+"; cat'")
	plain(t, dir, "config", "core.autocrlf", "true")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub dir"), 0o755))
	for name, text := range map[string]string{".gitattributes": "* filter=evil export-ignore\n", "sub dir/b\tc.txt": "b\nc\n", "empty": ""} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("a.txt", filepath.Join(dir, "link")))
	plain(t, dir, "add", ".")
	plain(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "two")

	g := Git{Dir: dir}
	name, files, err := g.Tree(t.Context(), "HEAD")
	require.NoError(t, err)
	assert.Len(t, name, 40)
	byPath := map[string]Blob{}
	var hashes []string
	for _, f := range files {
		byPath[f.Path] = f
		hashes = append(hashes, f.Hash)
	}
	assert.Len(t, byPath, 5)
	assert.Equal(t, "120000", byPath["link"].Mode)
	blobs, err := g.Blobs(t.Context(), hashes)
	require.NoError(t, err)
	for path, want := range map[string]string{"a.txt": "a\n", "sub dir/b\tc.txt": "b\nc\n", "empty": "", "link": "a.txt"} {
		assert.Equal(t, want, string(blobs[byPath[path].Hash]), path)
	}
	assert.NoFileExists(t, trap)

	_, files, err = Git{Dir: filepath.Join(dir, "sub dir")}.Tree(t.Context(), "HEAD")
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "b\tc.txt", files[0].Path, "relative to the folder")

	none, err := g.Blobs(t.Context(), nil)
	require.NoError(t, err)
	assert.Empty(t, none)
}

// covers: CLI-4
func TestARevisionThatIsNoneIsAnError(t *testing.T) {
	g := Git{Dir: repository(t)}
	for _, rev := range []string{"nothing", "--help", "-C/tmp", ""} {
		_, _, err := g.Tree(t.Context(), rev)
		var e *Error
		require.Truef(t, errors.As(err, &e), "%q: %v", rev, err)
	}
	_, err := g.Blobs(t.Context(), []string{strings.Repeat("0", 40)})
	require.ErrorContains(t, err, "missing")
}
