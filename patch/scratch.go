package patch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/plumbkit/plumb/host/fault"
)

// A Scratch is a disposable copy of a workspace in the system's folder for
// temporary files: every file that git does not ignore, as it stands in the
// tree (uncommitted and untracked ones too), with mode and time. It has no .git
// and shares no file with the workspace; the user's index, stash and refs are
// not touched. Writing to it needs no authorization.
//
// It is a copy rather than a git worktree because a checkout runs content
// filters, cannot hold work in progress, and leaves traces in the repository.
type Scratch struct {
	dir   string
	inner *Workspace
	owner *os.File // locked as long as the process lives
	entry string   // registration, relative to the workspace
	w     *Workspace
	once  sync.Once
	err   error
}

// Dir returns the copy's absolute path.
func (s *Scratch) Dir() string { return s.dir }

// FS returns the copy as a file system for reading.
func (s *Scratch) FS() fs.FS { return s.inner.disk.root.FS() }

// Scratch makes a copy of the workspace as it stands and writes the Sets to it
// in order. Close it when done; the copies of processes that died are removed by
// the next Open.
//
// Errors are faults: anchor_mismatch when a Set does not fit, environment when
// the copy cannot be made, canceled. Nothing is left behind then.
func (w *Workspace) Scratch(ctx context.Context, sets ...*Set) (*Scratch, error) {
	s, err := w.newScratch()
	if err != nil {
		return nil, w.environment("make the state folder and the folder for temporary files writable", err)
	}
	if err := s.fill(ctx, sets); err != nil {
		return nil, errors.Join(w.environment("free space in the folder for temporary files", err), s.Close())
	}
	return s, nil
}

// scratchDir is the folder of a scratch tree; its name tells the workspace, so
// that a foreign registration cannot make Open remove anything else.
func (w *Workspace) scratchDir(id string) string {
	return filepath.Join(os.TempDir(), "plumb-scratch-"+hashOf([]byte(w.dir))[:12]+"-"+id)
}

// newScratch registers the copy first, so that it can be found if the process dies.
func (w *Workspace) newScratch() (*Scratch, error) {
	if err := w.ensureState(); err != nil {
		return nil, err
	}
	if err := w.disk.mkdirAll(join(w.state, "scratch"), 0o700); err != nil {
		return nil, err
	}
	id := newID(time.Now())
	s := &Scratch{w: w, dir: w.scratchDir(id), entry: join(w.state, "scratch", id)}
	owner, err := w.disk.root.OpenFile(s.entry, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	s.owner = owner
	if err := lockFile(context.Background(), owner); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.inner = &Workspace{dir: s.dir, state: ".plumb", disk: &disk{root: root}}
	return s, nil
}

func (s *Scratch) fill(ctx context.Context, sets []*Set) error {
	files, err := s.w.listing(ctx)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(8)
	for _, f := range files {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return s.copyIn(f)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, name := range s.w.Link {
		if err := s.Link(name); err != nil {
			return err
		}
	}
	for _, set := range sets {
		if err := s.Apply(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scratch) copyIn(f listed) error {
	from, to := s.w.disk.root, s.inner.disk.root
	if dir := parent(f.path); dir != "." {
		if err := to.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	if f.mode&fs.ModeSymlink != 0 {
		target, err := from.Readlink(f.path)
		if err != nil {
			return err
		}
		return to.Symlink(target, f.path)
	}
	src, err := from.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed since it was listed
	}
	if err != nil {
		return err
	}
	defer src.Close()
	return copyOut(to, f.path, src)
}

// copyOut writes a file with the mode and time of src.
func copyOut(to *os.Root, path string, src *os.File) (err error) {
	info, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		return errors.Join(err, dst.Close())
	}
	if err := errors.Join(dst.Chmod(info.Mode().Perm()), dst.Close()); err != nil {
		return err
	}
	return to.Chtimes(path, info.ModTime(), info.ModTime())
}

// Apply writes a Set to the copy, without a journal. Its errors are those of
// Workspace.Apply; after any but anchor_mismatch and dangerous the copy is of no
// more use.
func (s *Scratch) Apply(ctx context.Context, set *Set) error {
	if err := checkSet(set); err != nil {
		return err
	}
	var j journal
	if done, err := s.inner.entries(set, &j); done || err != nil {
		return err
	}
	root := s.inner.disk.root
	for _, e := range j.Entries {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "patch.scratch", "make the scratch tree again")
		}
		if err := put(root, &e); err != nil {
			return fault.From(fmt.Errorf("%s: %w", e.Path, err), "patch.scratch", "free space in the folder for temporary files")
		}
	}
	for _, g := range j.Gone {
		_ = root.Remove(g.Path)
	}
	return nil
}

func put(root *os.Root, e *entry) error {
	if !e.New.Exists {
		return root.Remove(e.Path)
	}
	if dir := parent(e.Path); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	// A link is replaced, never written through.
	if info, err := root.Lstat(e.Path); err == nil && (info.Mode()|e.New.Mode)&fs.ModeSymlink != 0 {
		if err := root.Remove(e.Path); err != nil {
			return err
		}
	}
	if e.New.Mode&fs.ModeSymlink != 0 {
		return root.Symlink(string(e.data), e.Path)
	}
	if err := root.WriteFile(e.Path, e.data, e.New.Mode.Perm()); err != nil {
		return err
	}
	return root.Chmod(e.Path, e.New.Mode.Perm())
}

// Close removes the copy. It may be called more than once.
func (s *Scratch) Close() error {
	s.once.Do(func() {
		if s.inner != nil {
			_ = s.inner.disk.root.Close()
		}
		err := removeTree(s.dir)
		_ = s.w.disk.root.Remove(s.entry)
		if err != nil {
			s.err = fault.From(err, "patch.scratch", "remove "+s.dir+" by hand")
		}
		_ = s.owner.Close()
	})
	return s.err
}

// removeTree removes a folder, read-only folders in it too.
func removeTree(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// sweepScratch removes the copies of processes that died.
func (w *Workspace) sweepScratch() error {
	ids, err := w.list("scratch")
	if err != nil {
		return w.environment("make the state folder readable", err)
	}
	for _, id := range ids {
		if strings.ContainsAny(id, `/\`) {
			continue
		}
		if err := w.sweepOne(id); err != nil {
			return w.environment("remove "+w.scratchDir(id)+" by hand", err)
		}
	}
	return nil
}

func (w *Workspace) sweepOne(id string) error {
	entry := join(w.state, "scratch", id)
	f, err := w.disk.root.OpenFile(entry, os.O_RDWR, 0)
	if err != nil {
		return nil // closed meanwhile
	}
	defer f.Close()
	now, cancel := context.WithCancel(context.Background())
	cancel()
	if lockFile(now, f) != nil {
		return nil // its owner lives
	}
	if err := removeTree(w.scratchDir(id)); err != nil {
		return err
	}
	return w.disk.remove(entry)
}
