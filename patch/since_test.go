package patch

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoErrorf(t, err, "git %v: %s", args, out)
}

func fillIn(t *testing.T, dir string, files tree) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
}

func indexed(t *testing.T, w *Workspace) *index.Snapshot {
	t.Helper()
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(t.Context(), index.Input{FS: w.FS()})
	require.NoError(t, err)
	return s
}

// committed is a repository with one commit, and the digest of its snapshot.
func committed(t *testing.T) (w *Workspace, digest string) {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	fillIn(t, dir, tree{".gitignore": "*.log\n", "go.mod": "module example.com/m\n\ngo 1.25\n", "a.go": "package m\n\n// A is one.\nfunc A() int { return 1 }\n",
		"gone.go": "package m\n\nfunc Gone() {}\n", "kept.txt": "kept\n", "run.sh": "echo\n", "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:" + hashOf([]byte("the content")) + "\nsize 11\n"})
	require.NoError(t, os.Symlink("kept.txt", filepath.Join(dir, "link")))
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "one")
	w, err := Open(dir)
	require.NoError(t, err)
	return w, indexed(t, w).Digest()
}

// covers: CLI-4
func TestSinceHoldsCommittedChangedAndNewFiles(t *testing.T) {
	w, _ := committed(t)
	fillIn(t, w.dir, tree{"a.go": "package m\n\n// A is two.\nfunc A(n int) int { return n + 1 }\n", "committed.go": "package m\n"})
	gitIn(t, w.dir, "add", "-A")
	gitIn(t, w.dir, "commit", "-qm", "two")
	fillIn(t, w.dir, tree{"new.go": "package m\n\nfunc New() {}\n", "x.log": "ignored\n", "big.bin": "the content"})
	require.NoError(t, os.Remove(filepath.Join(w.dir, "gone.go")))
	require.NoError(t, os.Chmod(filepath.Join(w.dir, "run.sh"), 0o755))
	require.NoError(t, os.Remove(filepath.Join(w.dir, "link")))
	require.NoError(t, os.Symlink("a.go", filepath.Join(w.dir, "link")))

	now := indexed(t, w)
	d, err := w.Since(t.Context(), now, "HEAD~1")
	require.NoError(t, err)
	assert.Len(t, d.Revision, 40)
	ops := map[string]FileOp{}
	for _, f := range d.Set.Files {
		ops[f.Path] = f.Op
	}
	assert.Equal(t, map[string]FileOp{"a.go": Modified, "committed.go": Created, "new.go": Created, "gone.go": Deleted, "run.sh": Modified, "link": Modified}, ops)
	assert.Equal(t, d.Before.Digest(), d.Set.Base)
	_, ok := d.Before.File("gone.go")
	assert.True(t, ok)
	src, err := d.Before.Source("a.go")
	require.NoError(t, err)
	assert.Contains(t, string(src), "func A() int")
	var symbols []string
	for _, h := range d.Set.Hunks {
		symbols = append(symbols, h.File+" "+h.Symbol)
	}
	assert.Contains(t, symbols, "a.go example.com/m.A")

	// The reverse of the set brings back the revision, byte for byte.
	s, err := w.Scratch(t.Context(), d.Set.Reverse())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	for _, name := range []string{"a.go", "gone.go", "run.sh", "kept.txt"} {
		want, err := exec.Command("git", "-C", w.dir, "show", "HEAD~1:"+name).Output()
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(s.Dir(), name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), name)
	}
	to, err := os.Readlink(filepath.Join(s.Dir(), "link"))
	require.NoError(t, err)
	assert.Equal(t, "kept.txt", to)
	assert.NoFileExists(t, filepath.Join(s.Dir(), "new.go"))
}

// covers: CLI-4
func TestNothingHasChangedSinceACleanCheckout(t *testing.T) {
	w, was := committed(t)
	d, err := w.Since(t.Context(), indexed(t, w), "HEAD")
	require.NoError(t, err)
	assert.Empty(t, d.Set.Files)
	assert.Equal(t, was, d.Before.Digest())
}

// The state before, derived from the state now, is that of a checkout.
//
// covers: CLI-4
func TestBeforeIsWhatACheckoutGives(t *testing.T) {
	w, was := committed(t)
	fillIn(t, w.dir, tree{"a.go": "package m\n", "new/n.go": "package n\n", "kept.txt": "other\n"})
	require.NoError(t, os.Remove(filepath.Join(w.dir, "gone.go")))
	d, err := w.Since(t.Context(), indexed(t, w), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, was, d.Before.Digest())
}

// covers: CLI-4
func TestSinceSaysWhatItCannotCompare(t *testing.T) {
	w, _ := committed(t)
	now := indexed(t, w)
	for _, rev := range []string{"nothing", "--all", ""} {
		_, err := w.Since(t.Context(), now, rev)
		require.ErrorIs(t, err, fault.InvalidInput, rev)
	}
	fillIn(t, w.dir, tree{"a.go": "package m // late\n"})
	_, err := w.Since(t.Context(), now, "HEAD")
	require.ErrorIs(t, err, fault.IndexUnavailable)

	plain, err := Open(t.TempDir())
	require.NoError(t, err)
	_, err = plain.Since(t.Context(), indexed(t, plain), "HEAD")
	require.ErrorIs(t, err, fault.InvalidInput)
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	assert.Contains(t, f.Detail, "no git repository")

	inner := filepath.Join(w.dir, "inner")
	require.NoError(t, os.Mkdir(inner, 0o755))
	gitIn(t, inner, "init", "-q")
	fillIn(t, inner, tree{"f.txt": "x"})
	d, err := w.Since(t.Context(), indexed(t, w), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, []string{"inner: a repository inside of this one"}, d.Left)
}
