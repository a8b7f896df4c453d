package patch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// checkout lays a tree as a git checkout with one commit.
func checkout(t *testing.T, r tree) string {
	t.Helper()
	dir := lay(t, r)
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "one")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func write(t *testing.T, dir, path, content string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
	require.NoError(t, os.WriteFile(at, []byte(content), 0o644))
}

// covers: PAT-18
func TestChooseRollback(t *testing.T) {
	large := snapshotFiles + 1
	cases := []struct {
		s    Situation
		want RollbackKind
	}{
		{Situation{Git: true, Human: true}, RollbackPatch},
		{Situation{Git: true, Human: true, Files: large}, RollbackPatch},
		{Situation{Git: true}, RollbackBranch},
		{Situation{Git: true, Files: large}, RollbackPatch},
		{Situation{Git: true, Human: true, Dirty: []string{"a"}}, RollbackSnapshot},
		{Situation{Git: true, Dirty: []string{"a"}}, RollbackSnapshot},
		{Situation{Human: true}, RollbackSnapshot},
		{Situation{Git: true, Human: true, Dirty: []string{"a"}, Files: large}, RollbackBranch},
		{Situation{Bytes: snapshotBytes + 1}, RollbackBranch},
	}
	for _, c := range cases {
		got, why := ChooseRollback(c.s)
		assert.Equal(t, c.want, got, "%+v", c.s)
		assert.NotEmpty(t, why)
	}
}

// covers: PAT-18
func TestPatchRollbackNeedsACleanTree(t *testing.T) {
	r, set := everything()
	dir := checkout(t, r)
	w := opened(t, dir)
	ctx := context.Background()
	s, err := w.Situation(ctx, true)
	require.NoError(t, err)
	assert.Equal(t, Situation{Git: true, Human: true, Files: len(r), Bytes: s.Bytes}, s)
	p, err := w.Protect(ctx, RollbackPatch)
	require.NoError(t, err)
	assert.Equal(t, Protection{Kind: RollbackPatch}, p)
	got, err := w.Apply(ctx, set, allow(set))
	require.NoError(t, err)
	assert.Equal(t, "patch", got.Rollback)
	require.NoError(t, w.Undo(ctx, got.ID))
	assert.Empty(t, git(t, dir, "status", "--porcelain"), "the state folder does not show")

	write(t, dir, "stay.txt", "mine\n")
	write(t, dir, "new file.txt", "mine\n")
	_, err = w.Protect(ctx, RollbackPatch)
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.Empty(t, faulttest.Check(err))
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	assert.Equal(t, []fault.Subject{{File: "new file.txt"}, {File: "stay.txt"}}, f.Candidates)
	s, err = w.Situation(ctx, true)
	require.NoError(t, err)
	kind, _ := ChooseRollback(s)
	assert.Equal(t, RollbackSnapshot, kind)

	_, err = opened(t, lay(t, r)).Protect(ctx, RollbackPatch)
	assert.ErrorIs(t, err, fault.InvalidInput, "no git checkout")
	_, err = w.Protect(ctx, "tape")
	assert.ErrorIs(t, err, fault.InvalidInput)
}

// covers: PAT-18, STY-12
func TestSnapshotRollback(t *testing.T) {
	r, set := everything()
	ctx := context.Background()
	begin := func(t *testing.T) (string, *Workspace, Protection, map[string]string) {
		dir := checkout(t, r)
		write(t, dir, "stay.txt", "work in progress\n")
		write(t, dir, "untracked.txt", "work in progress\n")
		require.NoError(t, os.Symlink("a.txt", filepath.Join(dir, "link")))
		before := look(t, dir)
		w := opened(t, dir)
		p, err := w.Protect(ctx, RollbackSnapshot)
		require.NoError(t, err)
		got, err := w.Apply(ctx, set, allow(set))
		require.NoError(t, err)
		assert.Equal(t, "snapshot", got.Rollback)
		return dir, w, p, before
	}
	t.Run("brings back the whole tree", func(t *testing.T) {
		dir, w, p, before := begin(t)
		require.NoError(t, w.Undo(ctx, p.ID))
		assert.Equal(t, before, look(t, dir))
		require.NoError(t, w.Undo(ctx, p.ID))
		assert.Equal(t, before, look(t, dir))
	})
	t.Run("never writes over somebody's edit", func(t *testing.T) {
		dir, w, p, _ := begin(t)
		write(t, dir, "stay.txt", "more work\n")
		now := look(t, dir)
		err := w.Undo(ctx, p.ID)
		require.ErrorIs(t, err, fault.AnchorMismatch)
		assert.Empty(t, faulttest.Check(err))
		assert.Equal(t, now, look(t, dir))
		kept, err := os.ReadFile(filepath.Join(dir, ".git/plumb/conflicts", p.ID, "stay.txt"))
		require.NoError(t, err)
		assert.Equal(t, "work in progress\n", string(kept))
	})
	t.Run("unknown", func(t *testing.T) {
		_, w, _, _ := begin(t)
		assert.ErrorIs(t, w.Undo(ctx, "snapshot-none"), fault.InvalidInput)
	})
}

// covers: PAT-18
func TestEditsDuringApply(t *testing.T) {
	r, set := everything()
	for name, edit := range map[string]func(at string) error{
		"written in place": func(at string) error {
			f, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("mine\n")
			return errors.Join(err, f.Close())
		},
		"saved by renaming": func(at string) error {
			if err := os.WriteFile(at+"~", []byte("one\nmine\n"), 0o644); err != nil {
				return err
			}
			return os.Rename(at+"~", at)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, r)
			w := opened(t, dir)
			done := false
			// The edit comes after the base was checked and before the file is replaced.
			w.disk.before = func(call, _ string) error {
				if call == "syncdir" && !done {
					done = true
					return edit(filepath.Join(dir, "a.txt"))
				}
				return nil
			}
			_, err := w.Apply(context.Background(), set, allow(set))
			require.Error(t, err)
			assert.Empty(t, faulttest.Check(err))
			w.disk.before = nil
			got, readErr := os.ReadFile(filepath.Join(dir, "a.txt"))
			require.NoError(t, readErr)
			assert.Equal(t, "one\nmine\n", string(got), "the human's edit is there")
			now := look(t, dir)
			now["a.txt"] = "-rw-r--r-- one\n"
			assert.Equal(t, look(t, lay(t, r)), now, "and everything else is as before")
		})
	}
}

// covers: PAT-19, PAT-18
func TestScratch(t *testing.T) {
	r, set := everything()
	r[".gitignore"] = "ignored/\n*.log\n"
	ctx := context.Background()
	dir := checkout(t, r)
	write(t, dir, "stay.txt", "changed\n")
	write(t, dir, "untracked.txt", "new\n")
	write(t, dir, "ignored/x", "x\n")
	write(t, dir, "y.log", "y\n")
	require.NoError(t, os.Remove(filepath.Join(dir, "run.sh")))
	write(t, dir, "run.sh", "#!/bin/sh\n")
	require.NoError(t, os.Symlink("a.txt", filepath.Join(dir, "link")))
	state := func() string {
		index, err := os.ReadFile(filepath.Join(dir, ".git/index"))
		require.NoError(t, err)
		return git(t, dir, "for-each-ref") + git(t, dir, "stash", "list") + git(t, dir, "worktree", "list") + string(index)
	}
	was, before := state(), look(t, dir)
	w := opened(t, dir)

	s, err := w.Scratch(ctx)
	require.NoError(t, err)
	expect := look(t, dir)
	for _, p := range []string{"ignored/", "ignored/x", "y.log"} {
		delete(expect, p)
	}
	assert.Equal(t, expect, look(t, s.Dir()), "exactly the state of the workspace")
	info, err := os.Stat(filepath.Join(dir, "a.txt"))
	require.NoError(t, err)
	other, err := os.Stat(filepath.Join(s.Dir(), "a.txt"))
	require.NoError(t, err)
	assert.True(t, info.ModTime().Equal(other.ModTime()))
	assert.False(t, os.SameFile(info, other))
	require.NoError(t, s.Apply(ctx, set))
	assert.Equal(t, "-rw-r--r-- ONE\n", look(t, s.Dir())["a.txt"])
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir(), "locked"), 0o500))
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, err = os.Stat(s.Dir())
	assert.ErrorIs(t, err, os.ErrNotExist)

	w.Link = []string{"ignored", "missing"}
	s, err = w.Scratch(ctx, set, set.Reverse())
	require.NoError(t, err)
	got := look(t, s.Dir())
	assert.Equal(t, "-> "+filepath.Join(w.Dir(), "ignored"), got["ignored"])
	delete(got, "ignored")
	assert.Equal(t, expect, got, "a set and its reverse cancel out")
	require.NoError(t, s.Close())

	stale := &Set{Schema: 1, Files: []File{{Path: "a.txt", Op: Modified, Old: []byte("other\n"), New: []byte("x\n")}}}
	_, err = w.Scratch(ctx, stale)
	assert.ErrorIs(t, err, fault.AnchorMismatch)
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = w.Scratch(canceled)
	assert.ErrorIs(t, err, fault.Canceled)
	left, err := w.list("scratch")
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Equal(t, was, state(), "index, refs, stash and worktrees are untouched")
	assert.Equal(t, before, look(t, dir))
}

// covers: PAT-6
func TestApplyCanceled(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	before := look(t, dir)
	w := opened(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	w.disk.before = func(call, _ string) error {
		if n++; call == "rename" && n > 40 {
			cancel()
		}
		return nil
	}
	_, err := w.Apply(ctx, set, allow(set))
	w.disk.before = nil
	require.ErrorIs(t, err, fault.Canceled)
	assert.Equal(t, before, look(t, dir))
}
