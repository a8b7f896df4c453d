package patch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// A Workspace is a folder that Sets are written to, one transaction at a time.
//
// Its state (journal, undo records, the lock, the list of scratch trees) is kept
// in .git/plumb when the folder has a .git folder, else in .plumb, which ignores
// itself for git. Several Workspaces, also in several processes, may be open on
// one folder; a lock lets one of them write at a time. A Workspace is safe for
// concurrent use.
type Workspace struct {
	// Link names folders, such as node_modules or .venv, that git ignores and
	// that tests need; scratch trees get a symbolic link to them. Set it before
	// the first Scratch.
	Link []string
	// LockWait is how long Apply and Undo wait for another process (0: 10 s).
	LockWait time.Duration

	dir       string
	state     string // relative to dir
	disk      *disk
	mu        sync.Mutex // guards what follows
	recovered []Recovery
	protect   Protection
}

// Open opens a folder and first finishes what a killed process left: the tree
// is put back exactly to before the interrupted transaction, or left exactly
// after it, and scratch trees of dead processes are removed. It may be called
// again at any time and by several processes.
//
// Errors are faults: invalid_input when dir is no folder, environment when it
// cannot be read or recovered (the journal is then kept for the next Open).
func Open(dir string) (*Workspace, error) { return open(dir, nil) }

func open(dir string, before func(call, name string) error) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "patch.open", Subject: fault.Subject{Text: dir}, Detail: "the folder cannot be opened", Next: "name an existing folder", Err: err}
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "patch.open", Subject: fault.Subject{Text: dir}, Detail: "the folder cannot be opened", Next: "name an existing folder", Err: err}
	}
	w := &Workspace{dir: abs, disk: &disk{root: root, before: before}, state: ".plumb"}
	if info, err := root.Lstat(".git"); err == nil && info.IsDir() {
		w.state = ".git/plumb"
	}
	if !w.hasState() {
		return w, nil
	}
	unlock, err := w.lock(context.Background())
	if err != nil {
		return nil, err
	}
	defer unlock()
	return w, errors.Join(w.recover(), w.sweepScratch())
}

// Dir returns the workspace's absolute path.
func (w *Workspace) Dir() string { return w.dir }

// FS returns the workspace as a file system for reading. It follows no
// symbolic link out of the workspace.
func (w *Workspace) FS() fs.FS { return w.disk.root.FS() }

// Recovered says what Open, Apply or Undo found of killed processes and put right.
func (w *Workspace) Recovered() []Recovery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.recovered)
}

// hasState reports whether there is anything to recover or sweep.
func (w *Workspace) hasState() bool {
	_, err := w.disk.root.Lstat(w.state)
	return err == nil
}

// ensureState makes the state folder.
func (w *Workspace) ensureState() error {
	for _, sub := range []string{"journal", "undo"} {
		if err := w.disk.mkdirAll(join(w.state, sub), 0o700); err != nil {
			return w.environment("make the state folder writable", err)
		}
	}
	if w.state != ".plumb" {
		return nil
	}
	if _, err := w.disk.root.Lstat(".plumb/.gitignore"); err == nil {
		return nil
	}
	if err := w.disk.write(".plumb/.gitignore", []byte("*\n"), 0o600, 0); err != nil {
		return w.environment("make the state folder writable", err)
	}
	return nil
}

func (w *Workspace) environment(next string, err error) error {
	if err == nil {
		return nil
	}
	f := fault.From(err, "patch.workspace", next)
	if f.State == "" {
		f.State = unchanged
	}
	return f
}

// lock keeps other processes and other Workspaces out until unlock is called.
func (w *Workspace) lock(ctx context.Context) (unlock func(), err error) {
	if err := w.ensureState(); err != nil {
		return nil, err
	}
	f, err := w.disk.root.OpenFile(join(w.state, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, w.environment("make the state folder writable", err)
	}
	wait := w.LockWait
	if wait == 0 {
		wait = 10 * time.Second
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if err := lockFile(limited, f); err != nil {
		holder, _ := w.disk.root.ReadFile(join(w.state, "lock"))
		_ = f.Close()
		if ctx.Err() != nil {
			return nil, fault.From(ctx.Err(), "patch.lock", "run it again")
		}
		return nil, &fault.Fault{Class: fault.Environment, Op: "patch.lock", State: unchanged, Err: err,
			Detail: fmt.Sprintf("another process (%s) is writing to this workspace", strings.TrimSpace(string(holder))), Next: "run it again when that process is done"}
	}
	_ = f.Truncate(0)
	_, _ = f.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), 0)
	return func() { _ = f.Close() }, nil
}
