package patch

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/gitcmd"
)

// A RollbackKind is how a task can be taken back (PAT-18).
type RollbackKind string

// The kinds of rollback.
const (
	// RollbackPatch takes each transaction back by its recorded bytes. It needs
	// a tree that was clean when the task began.
	RollbackPatch RollbackKind = "patch"
	// RollbackSnapshot keeps a copy of the whole tree from before the task.
	RollbackSnapshot RollbackKind = "snapshot"
	// RollbackBranch lets the task work in a scratch tree, which is thrown away.
	RollbackBranch RollbackKind = "branch"
)

// A Situation is what the choice of a rollback depends on.
type Situation struct {
	Git   bool     // the workspace is a git checkout
	Dirty []string // files that differ from the last commit, untracked ones included
	Human bool     // somebody may edit the workspace meanwhile
	Files int      // in the workspace, without ignored ones
	Bytes int64
}

// The size up to which a tree is copied for a snapshot.
const (
	snapshotFiles = 20_000
	snapshotBytes = 1 << 30
)

// ChooseRollback decides which kind of rollback fits, and says why:
//
//	tree                human here    size           kind
//	clean               yes           any            patch: what is undone is exactly the task's
//	clean               no            small          branch: nobody is there to settle a conflict
//	clean               no            large          patch: a second tree costs too much
//	dirty or no git     yes           small          snapshot: work in progress has no commit to fall back on
//	dirty or no git     no            small          snapshot
//	dirty or no git     any           large          branch: the tree stays as it is until the task is done
//
// Small is up to 20,000 files and 1 GiB. ChooseRollback is pure.
func ChooseRollback(s Situation) (RollbackKind, string) {
	small := s.Files <= snapshotFiles && s.Bytes <= snapshotBytes
	clean := s.Git && len(s.Dirty) == 0
	switch {
	case clean && s.Human:
		return RollbackPatch, "the tree is clean, so what is taken back is exactly the task's"
	case clean && small:
		return RollbackBranch, "nobody is there to settle a conflict, so everything is tried in a tree of its own and written in one transaction at the end"
	case clean:
		return RollbackPatch, "the tree is clean and too large for a second one"
	case small:
		return RollbackSnapshot, "the tree holds work that no commit has, so all of it is copied first"
	}
	return RollbackBranch, "the tree holds work that no commit has and is too large to copy, so the task works elsewhere"
}

// A Protection is the rollback in force for a task.
type Protection struct {
	Kind RollbackKind `json:"kind"`
	// ID names a snapshot, for Undo; "" for other kinds.
	ID string `json:"id,omitempty"`
}

// rollbackKind is the kind in force, patch when none was chosen.
func (w *Workspace) rollbackKind() RollbackKind {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.protect.Kind == "" {
		return RollbackPatch
	}
	return w.protect.Kind
}

// Situation finds out what ChooseRollback needs to know.
func (w *Workspace) Situation(ctx context.Context, human bool) (Situation, error) {
	s := Situation{Human: human, Git: w.state != ".plumb"}
	files, err := w.listing(ctx)
	if err != nil {
		return s, err
	}
	for _, f := range files {
		s.Files++
		s.Bytes += f.size
	}
	if s.Git {
		s.Dirty, err = w.dirty(ctx)
	}
	return s, err
}

// dirty lists the files that differ from the last commit.
func (w *Workspace) dirty(ctx context.Context) ([]string, error) {
	out, err := gitcmd.Git{Dir: w.dir}.Output(ctx, "status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none")
	if err != nil {
		return nil, fault.From(err, "patch.status", "make git able to read the workspace")
	}
	var files []string
	parts := strings.Split(string(out), "\x00")
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if len(p) < 4 {
			continue
		}
		files = append(files, p[3:])
		if p[0] == 'R' || p[0] == 'C' {
			i++ // the old name follows
		}
	}
	return sorted(files), nil
}

// Protect puts a kind of rollback in force for the transactions to come. Call
// it at the start of a task, before anything is written. For snapshot it copies
// the tree; Undo with the returned ID brings all of it back.
//
// Errors are faults: invalid_input when the tree is dirty (its files are the
// candidates) or no git checkout and the kind is patch.
func (w *Workspace) Protect(ctx context.Context, kind RollbackKind) (Protection, error) {
	p := Protection{Kind: kind}
	switch kind {
	case RollbackPatch:
		if err := w.requireClean(ctx); err != nil {
			return p, err
		}
	case RollbackSnapshot:
		id, err := w.snapshot(ctx)
		if err != nil {
			return p, err
		}
		p.ID = id
	case RollbackBranch:
	default:
		return p, &fault.Fault{Class: fault.InvalidInput, Op: "patch.protect", Subject: fault.Subject{Text: string(kind)}, State: unchanged,
			Detail: "this is no kind of rollback", Next: "use patch, snapshot or branch"}
	}
	w.mu.Lock()
	w.protect = p
	w.mu.Unlock()
	return p, nil
}

func (w *Workspace) requireClean(ctx context.Context) error {
	f := &fault.Fault{Class: fault.InvalidInput, Op: "patch.protect", Subject: fault.Subject{Text: w.dir}, State: unchanged,
		Next: "commit or set aside the changes, or use snapshot or branch rollback"}
	if w.state == ".plumb" {
		f.Detail = "patch rollback needs a clean git checkout, and this is none"
		return f
	}
	dirty, err := w.dirty(ctx)
	if err != nil || len(dirty) == 0 {
		return err
	}
	f.Detail = fmt.Sprintf("patch rollback needs a clean tree, and %d files differ from the last commit: %s", len(dirty), strings.Join(dirty[:min(len(dirty), 10)], ", "))
	for _, p := range dirty {
		f.Candidates = append(f.Candidates, fault.Subject{File: p})
	}
	return f
}
