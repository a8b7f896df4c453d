package patch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// newFolder is a new empty folder, in memory where the system has that, since
// these tests flush a lot and care for order and not for disks.
func newFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "patch-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = removeTree(dir) })
	return dir
}

// lay writes a tree into a new folder.
func lay(t testing.TB, r tree) string {
	t.Helper()
	dir := newFolder(t)
	for p, c := range r {
		at := filepath.Join(dir, filepath.FromSlash(p))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(c), 0o644))
	}
	return dir
}

// look reads a folder: "mode content" by path, folders with a slash. State folders are left out.
func look(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		switch {
		case err != nil || rel == ".":
			return err
		case rel == ".plumb" || rel == ".git":
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			out[rel+"/"] = info.Mode().String()
			return nil
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(p)
			out[rel] = "-> " + target
			return err
		}
		data, err := os.ReadFile(p)
		out[rel] = info.Mode().String() + " " + string(data)
		return err
	})
	require.NoError(t, err)
	return out
}

func allow(s *Set) Authorization { return Authorization{Set: s.Digest(), By: "test"} }

func opened(t testing.TB, dir string) *Workspace {
	t.Helper()
	w, err := Open(dir)
	require.NoError(t, err)
	return w
}

// everything is a tree with a Set that does one of each thing to it.
func everything() (tree, *Set) {
	r := tree{"a.txt": "one\n", "gone.txt": "gone\n", "d/only.txt": "only\n", "old/name.txt": "name\n", "src.txt": "src\n", "run.sh": "#!/bin/sh\n", "stay.txt": "stay\n"}
	s := &Set{Schema: 1, Files: []File{
		{Path: "a.txt", Op: Modified, Old: []byte("one\n"), New: []byte("ONE\n")},
		{Path: "copy.txt", From: "src.txt", Op: Copied, Old: []byte("src\n"), New: []byte("src\n")},
		{Path: "d/only.txt", Op: Deleted, Old: []byte("only\n")},
		{Path: "gone.txt", Op: Deleted, Old: []byte("gone\n")},
		{Path: "made/deep/new.txt", Op: Created, New: []byte("new\n"), NewMode: 0o644},
		{Path: "new/name.txt", From: "old/name.txt", Op: Renamed, Old: []byte("name\n"), New: []byte("name\nmore\n")},
		{Path: "run.sh", Op: Modified, Old: []byte("#!/bin/sh\n"), New: []byte("#!/bin/sh\n"), OldMode: 0o644, NewMode: 0o755},
	}}
	return r, s
}

// covers: PAT-6, PAT-8, PAT-11, PAT-18, STY-12
func TestApplyAndUndo(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	for p := range r {
		require.NoError(t, os.Chtimes(filepath.Join(dir, p), past, past))
	}
	before := look(t, dir)
	w := opened(t, dir)
	ctx := context.Background()
	got, err := w.Apply(ctx, set, allow(set))
	require.NoError(t, err)
	assert.Equal(t, "applied", got.Status)
	assert.Equal(t, set.Touched(), got.Files)
	after := look(t, dir)
	assert.Equal(t, map[string]string{"a.txt": "-rw-r--r-- ONE\n", "copy.txt": "-rw-r--r-- src\n", "made/": "drwxr-xr-x", "made/deep/": "drwxr-xr-x",
		"made/deep/new.txt": "-rw-r--r-- new\n", "new/": "drwxr-xr-x", "new/name.txt": "-rw-r--r-- name\nmore\n", "run.sh": "-rwxr-xr-x #!/bin/sh\n",
		"src.txt": "-rw-r--r-- src\n", "stay.txt": "-rw-r--r-- stay\n"}, after)
	info, err := os.Stat(filepath.Join(dir, "stay.txt"))
	require.NoError(t, err)
	assert.True(t, info.ModTime().Equal(past), "a file that is not in the set keeps its time")

	t.Run("again is no-op", func(t *testing.T) {
		again, err := w.Apply(ctx, set, allow(set))
		require.NoError(t, err)
		assert.Equal(t, "already_applied", again.Status)
		assert.Equal(t, got.ID, again.ID)
		assert.Equal(t, after, look(t, dir))
	})
	t.Run("undo gives back the exact tree", func(t *testing.T) {
		require.NoError(t, w.Undo(ctx, got.ID))
		assert.Equal(t, before, look(t, dir))
		for p := range r {
			info, err := os.Stat(filepath.Join(dir, p))
			require.NoError(t, err)
			assert.True(t, info.ModTime().Equal(past), p)
		}
		require.NoError(t, w.Undo(ctx, got.ID), "undoing twice is a no-op")
		assert.Equal(t, before, look(t, dir))
	})
	t.Run("and it can be applied once more", func(t *testing.T) {
		again, err := w.Apply(ctx, set, allow(set))
		require.NoError(t, err)
		assert.Equal(t, "applied", again.Status)
		assert.Equal(t, after, look(t, dir))
	})
	_, err = w.disk.root.Stat(".plumb/.gitignore")
	assert.NoError(t, err)
}

// covers: PAT-21, GAT-13
func TestAuthorization(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	before := look(t, dir)
	w := opened(t, dir)
	good := allow(set)
	set.Files[0].New = []byte("ONe\n") // one byte
	for name, a := range map[string]Authorization{"none": {}, "of another set": good, "by nobody": {Set: set.Digest()}} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Apply(context.Background(), set, a)
			assert.ErrorIs(t, err, fault.Dangerous)
			assert.Empty(t, faulttest.Check(err))
			assert.Equal(t, before, look(t, dir))
		})
	}
}

// covers: PAT-2, STY-5
func TestApplyStale(t *testing.T) {
	changes := map[string]func(dir string) error{
		"changed line":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("two\n"), 0o644) },
		"file gone":      func(dir string) error { return os.Remove(filepath.Join(dir, "gone.txt")) },
		"file appeared":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "copy.txt"), []byte("x"), 0o644) },
		"mode changed":   func(dir string) error { return os.Chmod(filepath.Join(dir, "run.sh"), 0o755) },
		"source changed": func(dir string) error { return os.WriteFile(filepath.Join(dir, "src.txt"), []byte("x"), 0o644) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			r, set := everything()
			dir := lay(t, r)
			require.NoError(t, change(dir))
			before := look(t, dir)
			_, err := opened(t, dir).Apply(context.Background(), set, allow(set))
			assert.ErrorIs(t, err, fault.AnchorMismatch)
			assert.Empty(t, faulttest.Check(err))
			assert.Equal(t, before, look(t, dir))
		})
	}
}

// covers: PAT-6, PAT-7, REL-1
func TestApplyFailsAnywhere(t *testing.T) {
	r, set := everything()
	causes := []error{syscall.ENOSPC, syscall.EROFS, syscall.EACCES}
	total := countSteps(t, r, set)
	require.Greater(t, total, 40)
	for at := range total {
		dir := lay(t, r)
		before := look(t, dir)
		n := 0
		w := opened(t, dir)
		w.disk.before = func(call, name string) error {
			n++
			if n == at+1 {
				return &fs.PathError{Op: call, Path: name, Err: causes[at%len(causes)]}
			}
			return nil
		}
		_, err := w.Apply(context.Background(), set, allow(set))
		w.disk.before = nil
		now := look(t, dir)
		if err == nil {
			assert.NotEqual(t, before, now) // what failed came after the commit, or had a way around
			continue
		}
		assert.Empty(t, faulttest.Check(err))
		assert.Equal(t, before, now, "step %d: %v", at, err)
		assert.True(t, errors.Is(err, fault.PartialFailure) || errors.Is(err, fault.Environment), "%v", err)
		if errors.Is(err, fault.PartialFailure) {
			assert.ErrorContains(t, err, "rolled back")
		}
		if at%5 == 0 {
			again, err := opened(t, dir).Apply(context.Background(), set, allow(set))
			require.NoError(t, err)
			assert.Equal(t, "applied", again.Status)
		}
	}
}

// countSteps counts the system calls of one Apply.
func countSteps(t testing.TB, r tree, set *Set) int {
	n := 0
	w, err := open(lay(t, r), nil)
	require.NoError(t, err)
	w.disk.before = func(string, string) error { n++; return nil }
	_, err = w.Apply(context.Background(), set, allow(set))
	require.NoError(t, err)
	return n
}

// covers: PAT-18
func TestUndoConflict(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	w := opened(t, dir)
	got, err := w.Apply(context.Background(), set, allow(set))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("ONE\nmine\n"), 0o644))
	before := look(t, dir)
	err = w.Undo(context.Background(), got.ID)
	require.ErrorIs(t, err, fault.AnchorMismatch)
	assert.Empty(t, faulttest.Check(err))
	assert.Equal(t, before, look(t, dir), "nothing of anybody's is written over")
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	require.Len(t, f.Candidates, 1)
	_, kept, _ := strings.Cut(f.Candidates[0].Text, "kept in ")
	data, err := os.ReadFile(filepath.Join(dir, kept))
	require.NoError(t, err)
	assert.Equal(t, "one\n", string(data), "the version from before is kept too")
	t.Run("unknown", func(t *testing.T) {
		for _, id := range []string{"", "nope", "../undo"} {
			err := w.Undo(context.Background(), id)
			assert.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
		}
	})
}

// covers: PAT-12, SEC-1
func TestNothingOutside(t *testing.T) {
	outside := lay(t, tree{"victim.txt": "v\n"})
	put := func(path string) *Set {
		return &Set{Schema: 1, Files: []File{{Path: path, Op: Created, New: []byte("x\n"), NewMode: 0o644}}}
	}
	link := func(target string) *Set {
		return &Set{Schema: 1, Files: []File{{Path: "d/l", Op: Created, New: []byte(target), NewMode: fs.ModeSymlink | 0o777}}}
	}
	sets := map[string]*Set{
		"dots": put("../x"), "inner dots": put("d/../../x"), "absolute": put("/tmp/x"), "drive": put("C:/x"), "UNC": put(`\\h\s\x`), "backslash": put(`a\b`),
		"git": put(".git/config"), "GIT": put(".GIT/hooks/pre-commit"), "nested git": put("d/.git/config"), "NTFS name": put("git~1/config"), "dot": put(".git./config"),
		"blank": put(".git /config"), "stream": put(".git::$INDEX_ALLOCATION/config"), "HFS": put(".g\u200cit/config"), "own state": put(".plumb/journal/x"),
		"device": put("d/NUL.txt"), "com port": put("com1"), "trailing dot": put("x."), "newline": put("a\nb"), "empty": put(""),
		"through a link": put("out/x"), "over a link": {Schema: 1, Files: []File{{Path: "file-link", Op: Modified, Old: []byte("v\n"), New: []byte("w\n")}}},
		"case": put("README"), "case of a folder": put("D/x"),
		"link out": link("../../x"), "absolute link": link("/etc/passwd"), "link to git": link("../.git/config"),
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, tree{"readme": "r\n", "d/f": "f\n"})
			require.NoError(t, os.Symlink(outside, filepath.Join(dir, "out")))
			require.NoError(t, os.Symlink(filepath.Join(outside, "victim.txt"), filepath.Join(dir, "file-link")))
			before, around := look(t, dir), look(t, outside)
			_, err := opened(t, dir).Apply(context.Background(), set, allow(set))
			assert.ErrorIs(t, err, fault.Dangerous)
			assert.Empty(t, faulttest.Check(err))
			assert.Equal(t, before, look(t, dir))
			assert.Equal(t, around, look(t, outside))
		})
	}
	t.Run("reading", func(t *testing.T) {
		dir := lay(t, tree{"readme": "r\n"})
		require.NoError(t, os.Symlink(filepath.Join(outside, "victim.txt"), filepath.Join(dir, "l")))
		_, err := fs.ReadFile(opened(t, dir).FS(), "l")
		assert.Error(t, err)
	})
	t.Run("a link inside is fine", func(t *testing.T) {
		dir := lay(t, tree{"readme": "r\n"})
		set := link("../readme")
		_, err := opened(t, dir).Apply(context.Background(), set, allow(set))
		require.NoError(t, err)
		assert.Equal(t, "-> ../readme", look(t, dir)["d/l"])
	})
}
