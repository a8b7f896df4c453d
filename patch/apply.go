package patch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// The kinds of Receipt.Status.
const (
	statusApplied = "applied"
	statusAlready = "already_applied"
)

// Apply writes a Set as one transaction: afterwards the tree is exactly as the
// Set says, or exactly as before. A Set whose results all stand there already is
// a no-op with status already_applied. Files are replaced by new ones, so that
// whoever has one open keeps reading the old bytes; nobody else's change is
// written over, as far as it can be seen before and after each file is replaced.
//
// Errors are faults: dangerous for an authorization that is not for exactly this
// Set or a path that leaves the workspace, anchor_mismatch when a file is not
// what the Set is based on (nothing is written), partial_failure when writing
// failed midway and was rolled back, environment when it could not begin.
func (w *Workspace) Apply(ctx context.Context, set *Set, auth Authorization) (Receipt, error) {
	if set == nil {
		return Receipt{}, &fault.Fault{Class: fault.InvalidInput, Op: applyOp, Detail: "there is no set", State: unchanged, Next: "pass the set that a Patcher returned"}
	}
	digest := set.Digest()
	if err := authorized(digest, auth); err != nil {
		return Receipt{}, err
	}
	if err := checkSet(set); err != nil {
		return Receipt{}, err
	}
	unlock, err := w.lock(ctx)
	if err != nil {
		return Receipt{}, err
	}
	defer unlock()
	if err := w.recover(); err != nil {
		return Receipt{}, err
	}
	j := &journal{Schema: 1, ID: newID(time.Now()), Set: digest, At: time.Now().UTC(), Rollback: string(w.rollbackKind()),
		By: auth.By, Ledger: auth.Entry}
	for _, b := range set.Blocks {
		j.Blocks = append(j.Blocks, b.Name)
	}
	done, err := w.entries(set, j)
	if err != nil {
		return Receipt{}, err
	}
	if done {
		return w.already(j, set), nil
	}
	if err := w.transact(ctx, j); err != nil {
		return Receipt{}, err
	}
	w.prune()
	return Receipt{Schema: 1, ID: j.ID, Set: digest, Status: statusApplied, Files: set.Touched(), Blocks: j.Blocks, At: j.At, Rollback: j.Rollback}, nil
}

const applyOp = "patch.apply"

// authorized refuses everything but an authorization for exactly this digest (PAT-21).
func authorized(digest string, auth Authorization) error {
	switch {
	case auth.Set == digest && auth.By != "":
		return nil
	case auth.Set == "":
		return &fault.Fault{Class: fault.Dangerous, Op: applyOp, Subject: fault.Subject{Text: digest}, State: unchanged,
			Detail: "the set has no authorization, and nothing is written to a workspace without one", Next: "let the gate decide over the set, or have a person override it"}
	case auth.Set == digest:
		return &fault.Fault{Class: fault.Dangerous, Op: applyOp, Subject: fault.Subject{Text: digest}, State: unchanged,
			Detail: "the authorization does not say who gave it", Next: "let the gate decide over the set, or have a person override it"}
	}
	return &fault.Fault{Class: fault.Dangerous, Op: applyOp, Subject: fault.Subject{Text: digest}, State: unchanged,
		Detail: fmt.Sprintf("the authorization is for set %.12s and not for this one, %.12s: the set changed after it was given", auth.Set, digest),
		Next:   "let the gate decide over the set as it is now"}
}

// checkSet refuses Sets that no Patcher makes, whatever their authorization.
func checkSet(set *Set) error {
	seen := map[string]bool{}
	take := func(p string, created bool) error {
		if seen[p] {
			return &fault.Fault{Class: fault.InvalidInput, Op: applyOp, Subject: fault.Subject{File: p}, State: unchanged,
				Detail: p + " stands twice in the set", Next: "make the set anew"}
		}
		seen[p] = true
		return checkPath(p, created)
	}
	for _, f := range set.Files {
		made := f.Op == Created || f.Op == Renamed || f.Op == Copied
		if err := take(f.Path, made); err != nil {
			return err
		}
		if f.Op == Renamed {
			if err := take(f.From, false); err != nil {
				return err
			}
		}
		if f.Op == Copied {
			if err := checkPath(f.From, false); err != nil {
				return err
			}
		}
		if f.NewMode&fs.ModeSymlink == 0 {
			continue
		}
		if why := linkFault(f.Path, string(f.New)); why != "" {
			return &fault.Fault{Class: fault.Dangerous, Op: applyOp, Subject: fault.Subject{File: f.Path, Text: string(f.New)}, State: unchanged,
				Detail: "the symbolic link " + why, Next: "let it point to a file inside the workspace, by a relative path"}
		}
	}
	return nil
}

// entries turns the Set into the journal's entries, block by block, checks that
// the workspace is what the Set is based on, and reports whether everything
// stands there already.
func (w *Workspace) entries(set *Set, j *journal) (done bool, err error) {
	done = true
	for _, p := range set.paths() {
		if err := w.disk.straight(p); err != nil {
			return false, w.environment("make the folder readable", err)
		}
	}
	for _, f := range inOrder(set) {
		after, err := w.standsAfter(f)
		if err != nil {
			return false, err
		}
		done = done && after
	}
	if done {
		return true, nil
	}
	leaving := map[string]bool{}
	for p, data := range set.Overlay() {
		leaving[p] = data == nil
	}
	for _, f := range inOrder(set) {
		made, err := w.entry(f, leaving)
		if err != nil {
			return false, err
		}
		j.Entries = append(j.Entries, made...)
	}
	return false, w.environment("make the files readable", w.folders(j))
}

// inOrder lists the Set's files in the order of their blocks.
func inOrder(set *Set) []*File {
	rank := map[string]int{}
	for i, b := range set.Blocks {
		rank[b.Name] = i
	}
	out := make([]*File, len(set.Files))
	for i := range set.Files {
		out[i] = &set.Files[i]
	}
	slices.SortStableFunc(out, func(a, b *File) int { return rank[a.Block] - rank[b.Block] })
	return out
}

// standsAfter reports whether the file is already what it will become.
func (w *Workspace) standsAfter(f *File) (bool, error) {
	now, data, err := w.disk.stand(f.Path)
	if err != nil {
		return false, w.environment("make the file readable", err)
	}
	if f.Op == Deleted {
		return !now.Exists, nil
	}
	if !now.Exists || !bytes.Equal(data, f.New) || (f.NewMode != 0 && gitMode(now.Mode) != gitMode(f.NewMode)) {
		return false, nil
	}
	if f.Op != Renamed {
		return true, nil
	}
	from, _, err := w.disk.stand(f.From)
	return err == nil && !from.Exists, nil
}

// entry checks one file against its base and makes its entries.
func (w *Workspace) entry(f *File, leaving map[string]bool) ([]entry, error) {
	put := entry{Path: f.Path, Block: f.Block, data: f.New}
	source := f.Path
	if f.From != "" {
		source = f.From
	}
	base := state{}
	if f.Op != Created {
		now, err := w.base(f, source)
		if err != nil {
			return nil, err
		}
		base = now
	}
	if f.Op == Created || f.From != "" {
		if err := w.vacant(f.Path, leaving); err != nil {
			return nil, err
		}
	} else {
		put.Old = base
	}
	if f.Op != Deleted {
		put.New = state{Exists: true, Hash: hashOf(f.New), Mode: resultMode(f, base)}
	}
	if f.Op != Renamed {
		return []entry{put}, nil
	}
	return []entry{put, {Path: f.From, Block: f.Block, Old: base}}, nil
}

// resultMode is the mode of a result: the file's own, with or without its
// execute bits as the Set says.
func resultMode(f *File, base state) fs.FileMode {
	switch {
	case f.NewMode&fs.ModeSymlink != 0:
		return f.NewMode
	case !base.Exists && f.NewMode.Perm() == 0:
		return 0o644
	case !base.Exists:
		return f.NewMode.Perm()
	case f.NewMode == 0 || gitMode(f.NewMode) == gitMode(base.Mode):
		return base.Mode
	case f.NewMode&0o100 != 0:
		return base.Mode | (base.Mode&0o444)>>2
	}
	return base.Mode &^ 0o111
}

// base compares a file with the bytes and mode that the Set is based on.
func (w *Workspace) base(f *File, path string) (state, error) {
	now, data, err := w.disk.stand(path)
	if err != nil {
		return now, w.environment("make the file readable", err)
	}
	stale := &fault.Fault{Class: fault.AnchorMismatch, Op: applyOp, Subject: fault.Subject{File: path}, State: unchanged,
		Next: "read the file again, make the edits for what stands there now, and have them checked"}
	switch {
	case !now.Exists:
		stale.Detail = path + " is gone since the set was made"
		return now, stale
	case now.Mode&fs.ModeSymlink != 0 && f.OldMode&fs.ModeSymlink == 0:
		return now, notRegular(path, now.Mode)
	case bytes.Equal(data, f.Old) && (f.OldMode == 0 || gitMode(f.OldMode) == gitMode(now.Mode)):
		return now, nil
	case bytes.Equal(data, f.Old):
		stale.Detail = fmt.Sprintf("%s has mode %s, and the set was made for %s", path, gitMode(now.Mode), gitMode(f.OldMode))
		return now, stale
	}
	stale.Subject.Line, stale.Subject.Text, stale.Detail = diverges(path, f.Old, data)
	return now, stale
}

// diverges describes the first line in which a file is not what was expected.
func diverges(path string, want, have []byte) (line int, stands, detail string) {
	a, b := splitLines(want), splitLines(have)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	expected := "the end of the file"
	if i < len(a) {
		expected = fmt.Sprintf("%q", bare(a[i]))
	}
	if i >= len(b) {
		return len(b), "", fmt.Sprintf("%s was changed since the set was made: it ends after line %d, before %s", path, len(b), expected)
	}
	return i + 1, bare(b[i]), fmt.Sprintf("%s was changed since the set was made: line %d reads %q where %s is expected", path, i+1, bare(b[i]), expected)
}

// vacant refuses to make a file where one is, or where one would be on a file
// system that ignores case.
func (w *Workspace) vacant(path string, leaving map[string]bool) error {
	if _, err := w.disk.root.Lstat(path); err == nil {
		return &fault.Fault{Class: fault.AnchorMismatch, Op: applyOp, Subject: fault.Subject{File: path}, State: unchanged,
			Detail: path + " exists, and the set was made for a tree without it", Next: "index the workspace again and make the edits anew"}
	} else if !errors.Is(err, fs.ErrNotExist) && !isNotDir(err) {
		return w.environment("make the folder readable", err)
	}
	for p := path; p != "."; p = parent(p) {
		dir, err := w.disk.root.Open(parent(p))
		if err != nil {
			continue
		}
		names, err := dir.Readdirnames(-1)
		_ = dir.Close()
		if err != nil {
			return w.environment("make the folder readable", err)
		}
		for _, n := range names {
			if other := join(parent(p), n); other != p && !leaving[other] && foldPath(other) == foldPath(p) {
				return &fault.Fault{Class: fault.Dangerous, Op: applyOp, Subject: fault.Subject{File: path}, State: unchanged,
					Detail: fmt.Sprintf("%s differs from %s in case only, and some systems take them for one", p, other), Next: "choose another name"}
			}
		}
	}
	return nil
}

// transact stages and carries out a journal, and rolls back whatever fails.
func (w *Workspace) transact(ctx context.Context, j *journal) error {
	if err := ctx.Err(); err != nil {
		return fault.From(err, applyOp, "run it again")
	}
	if err := w.stage(j); err != nil {
		_ = w.disk.removeAll(join(w.state, "journal", j.ID))
		f := fault.From(fmt.Errorf("preparing the transaction: %w", err), applyOp, "free disk space or make the state folder writable, and apply the set again as one")
		f.State = unchanged
		return f
	}
	err := w.carryOut(j, ctx.Err)
	if err == nil {
		// Committed; flushing the two names cannot take that back.
		_ = w.disk.syncDir(join(w.state, "undo"))
		_ = w.disk.syncDir(join(w.state, "journal"))
		return nil
	}
	r, back := w.rollBack(j)
	if back != nil {
		return &fault.Fault{Class: fault.PartialFailure, Op: applyOp, Err: errors.Join(err, back), Detail: "writing failed midway, and rolling back failed too",
			State: fmt.Sprintf("the tree is between two states; the journal %s is kept and the next Open rolls it back", join(w.state, "journal", j.ID)),
			Next:  "make the files writable and open the workspace again"}
	}
	if fault.ClassOf(err) == fault.Canceled {
		return fault.From(err, applyOp, "run it again")
	}
	return rolledBack(err, r)
}

func rolledBack(err error, r Recovery) error {
	f := &fault.Fault{Class: fault.PartialFailure, Op: applyOp, Err: err, Detail: fmt.Sprintf("writing failed midway; %d files were written and have been restored", len(r.Files)),
		State: "rolled back: the workspace is as before", Next: "remove the cause and apply the set again as one"}
	for _, c := range r.Conflicts {
		f.Candidates = append(f.Candidates, fault.Subject{File: c.Path, Text: "changed by somebody else meanwhile; kept as it is, the version before is in " + c.Kept})
	}
	return f
}

// already is the receipt for a Set that stands there: under the ID of the
// transaction that wrote it, if it is known.
func (w *Workspace) already(j *journal, set *Set) Receipt {
	r := Receipt{Schema: 1, Set: j.Set, Status: statusAlready, Files: set.Touched(), Blocks: j.Blocks, At: j.At, Rollback: j.Rollback}
	ids, _ := w.list("undo")
	for _, id := range ids {
		if done, err := w.readJournal(join(w.state, "undo", id)); err == nil && done.Set == j.Set && done.Undoes == "" {
			r.ID, r.At, r.Rollback = done.ID, done.At, done.Rollback
		}
	}
	return r
}
