package patch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// keepUndo is how many transactions can be undone; older records are removed.
const keepUndo = 100

// Undo takes the transaction id back: every file it touched gets the bytes,
// mode and time that it had, every file and folder it made is removed. Undoing
// it again is a no-op. A file that was changed since is a conflict: then nothing
// is undone, the file stays as it is, and the version from before the
// transaction is kept beside it in the state folder.
//
// Errors are faults: invalid_input for an unknown id, anchor_mismatch for
// conflicts (all of them as candidates), partial_failure and environment as for
// Apply.
func (w *Workspace) Undo(ctx context.Context, id string) error {
	unlock, err := w.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.recover(); err != nil {
		return err
	}
	if id != "" && w.isSnapshot(id) {
		return w.restoreSnapshot(ctx, id)
	}
	dir := join(w.state, "undo", id)
	done, err := w.readJournal(dir)
	if id == "" || !validPath(id) || errors.Is(err, fs.ErrNotExist) {
		return &fault.Fault{Class: fault.InvalidInput, Op: undoOp, Subject: fault.Subject{Text: id}, State: unchanged,
			Detail: fmt.Sprintf("no transaction %q is recorded here", id), Next: fmt.Sprintf("use the ID of a receipt; the last %d are kept", keepUndo)}
	}
	if err != nil {
		return w.environment("restore the state folder from a backup, or reverse the set's diff", err)
	}
	before, err := w.checkUndo(dir, done)
	if err != nil || before {
		return err
	}
	j, err := w.reverse(dir, done)
	if err != nil {
		return w.environment("make the state folder readable", err)
	}
	return w.transact(ctx, j)
}

const undoOp = "patch.undo"

// checkUndo compares the tree with what the transaction left. before is true
// when it is already back.
func (w *Workspace) checkUndo(dir string, done *journal) (before bool, err error) {
	var changed []fault.Subject
	back := true
	for i := range done.Entries {
		e := &done.Entries[i]
		now, _, err := w.disk.stand(e.Path)
		if err != nil && !errors.Is(err, fault.Dangerous) {
			return false, w.environment("make the file readable", err)
		}
		back = back && now.same(e.Old)
		if now.same(e.New) || now.same(e.Old) {
			continue
		}
		kept, err := w.keepConflict(done.ID, e.Path, dir+"/old/"+strconv.Itoa(i), e.Old.Exists)
		if err != nil {
			return false, w.environment("make the state folder writable", err)
		}
		text := "changed since; it did not exist before"
		if kept != "" {
			text = "changed since; the version from before is kept in " + kept
		}
		changed = append(changed, fault.Subject{File: e.Path, Text: text})
	}
	if len(changed) == 0 {
		return back, nil
	}
	return false, &fault.Fault{Class: fault.AnchorMismatch, Op: undoOp, Subject: changed[0], Candidates: changed, State: unchanged,
		Detail: fmt.Sprintf("%d files were changed by somebody since transaction %s, and nothing of theirs is written over", len(changed), done.ID),
		Next:   "save or merge those changes, put the files back to what the transaction wrote, and undo again"}
}

// reverse is the journal that takes another one back.
func (w *Workspace) reverse(dir string, done *journal) (*journal, error) {
	now := time.Now()
	j := &journal{Schema: 1, ID: newID(now), Set: done.Set, At: now.UTC(), Undoes: done.ID, Rollback: done.Rollback, Blocks: done.Blocks}
	for i := len(done.Entries) - 1; i >= 0; i-- {
		was := &done.Entries[i]
		now, _, err := w.disk.stand(was.Path)
		if err != nil {
			return nil, err
		}
		if now.same(was.Old) {
			continue
		}
		e := entry{Path: was.Path, Block: was.Block, Old: now, New: was.Old, time: was.Old.Time}
		if was.Old.Exists {
			kept, data, err := w.disk.stand(dir + "/old/" + strconv.Itoa(i))
			if err != nil {
				return nil, err
			}
			if kept.Hash != was.Old.Hash {
				return nil, fmt.Errorf("the record of %s was changed by somebody", was.Path)
			}
			e.data = data
		}
		j.Entries = append(j.Entries, e)
	}
	if err := w.folders(j); err != nil {
		return nil, err
	}
	done.shape(j)
	return j, nil
}

// shape makes the reverse of j make and remove exactly the folders that j
// removed and made.
func (j *journal) shape(back *journal) {
	modes := map[string]fs.FileMode{}
	for _, g := range j.Gone {
		modes[g.Path] = g.Mode
	}
	for i := range back.Made {
		back.Made[i].Mode = modes[back.Made[i].Path]
	}
	made := map[string]bool{}
	for _, m := range j.Made {
		made[m.Path] = true
	}
	back.Gone = slices.DeleteFunc(back.Gone, func(g folder) bool { return !made[g.Path] })
}

// prune removes the oldest undo records beyond those that are kept.
func (w *Workspace) prune() {
	ids, err := w.list("undo")
	if err != nil {
		return
	}
	for _, id := range ids[:max(0, len(ids)-keepUndo)] {
		_ = w.disk.removeAll(join(w.state, "undo", id))
	}
}
