package patch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// snapshotPrefix begins the ID of a snapshot.
const snapshotPrefix = "snapshot-"

// A kept is one file of a snapshot; its bytes are in files/<n>.
type kept struct {
	Path  string `json:"path"`
	State state  `json:"state"`
}

func (w *Workspace) isSnapshot(id string) bool {
	return strings.HasPrefix(id, snapshotPrefix) && validPath(id) && !strings.Contains(id, "/")
}

// snapshot copies every file that is not ignored into the state folder. The
// manifest is written last: a copy without one is incomplete and of no use.
func (w *Workspace) snapshot(ctx context.Context) (string, error) {
	unlock, err := w.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	files, err := w.listing(ctx)
	if err != nil {
		return "", err
	}
	id := snapshotPrefix + newID(time.Now())
	dir := join(w.state, "snapshots", id)
	if err := w.disk.mkdirAll(dir+"/files", 0o700); err != nil {
		return "", w.environment("make the state folder writable", err)
	}
	all := make([]kept, len(files))
	err = w.disk.each(len(files), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.keep(&all[i], files[i].path, dir+"/files/"+strconv.Itoa(i))
	})
	var data []byte
	if err == nil {
		data, err = json.Marshal(all)
	}
	if err == nil {
		err = w.disk.write(dir+"/manifest.json", data, 0o600, 0)
	}
	if err != nil {
		_ = w.disk.removeAll(dir)
		return "", w.environment("free disk space, or use branch rollback", err)
	}
	return id, nil
}

func (w *Workspace) keep(k *kept, path, to string) error {
	s, data, err := w.disk.stand(path)
	if err != nil {
		return err
	}
	*k = kept{path, s}
	if !s.Exists {
		return nil // removed since it was listed
	}
	return w.disk.write(to, data, 0o600, 0)
}

// restoreSnapshot brings the whole tree back to a snapshot as one transaction.
// What differs from it and was not written by a transaction since is somebody
// else's work: then nothing is restored, and the snapshot's version is kept beside.
func (w *Workspace) restoreSnapshot(ctx context.Context, id string) error {
	dir := join(w.state, "snapshots", id)
	data, err := w.disk.root.ReadFile(dir + "/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return &fault.Fault{Class: fault.InvalidInput, Op: undoOp, Subject: fault.Subject{Text: id}, State: unchanged,
			Detail: fmt.Sprintf("no snapshot %q is recorded here", id), Next: "use the ID that Protect returned"}
	}
	var all []kept
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return w.environment("restore the state folder from a backup", err)
	}
	now := time.Now()
	j := &journal{Schema: 1, ID: newID(now), At: now.UTC(), Undoes: id, Rollback: string(RollbackSnapshot)}
	theirs, err := w.differences(ctx, j, dir, all)
	if err != nil {
		return err
	}
	if len(theirs) > 0 {
		return &fault.Fault{Class: fault.AnchorMismatch, Op: undoOp, Subject: theirs[0], Candidates: theirs, State: unchanged,
			Detail: fmt.Sprintf("%d files were changed by somebody since the snapshot, and nothing of theirs is written over", len(theirs)),
			Next:   "save those changes elsewhere, and undo again"}
	}
	if len(j.Entries) == 0 {
		return nil
	}
	if err := w.folders(j); err != nil {
		return w.environment("make the folders readable", err)
	}
	return w.transact(ctx, j)
}

// differences makes an entry for each file that is not as in the snapshot, and
// lists those that no transaction wrote.
func (w *Workspace) differences(ctx context.Context, j *journal, dir string, all []kept) ([]fault.Subject, error) {
	ours, err := w.written()
	if err != nil {
		return nil, w.environment("make the state folder readable", err)
	}
	was := map[string]int{}
	paths := []string{}
	for i, k := range all {
		was[k.Path] = i
		paths = append(paths, k.Path)
	}
	files, err := w.listing(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		paths = append(paths, f.path)
	}
	var theirs []fault.Subject
	for _, p := range sorted(paths) {
		now, _, err := w.disk.stand(p)
		if err != nil {
			return nil, w.environment("make the file readable", err)
		}
		e := entry{Path: p, Old: now}
		source := ""
		if i, ok := was[p]; ok {
			e.New, e.time, source = all[i].State, all[i].State.Time, dir+"/files/"+strconv.Itoa(i)
		}
		if now.same(e.New) {
			continue
		}
		if last, ok := ours[p]; !ok || !now.same(last) {
			kept, err := w.keepConflict(j.Undoes, p, source, e.New.Exists)
			if err != nil {
				return nil, w.environment("make the state folder writable", err)
			}
			theirs = append(theirs, fault.Subject{File: p, Text: "changed since; the snapshot's version is kept in " + kept})
			continue
		}
		if e.New.Exists {
			if e.data, err = w.disk.root.ReadFile(source); err != nil {
				return nil, w.environment("make the state folder readable", err)
			}
		}
		j.Entries = append(j.Entries, e)
	}
	return theirs, nil
}

// written is what the recorded transactions wrote last at each path.
func (w *Workspace) written() (map[string]state, error) {
	ids, err := w.list("undo")
	if err != nil {
		return nil, err
	}
	last := map[string]state{}
	for _, id := range ids {
		j, err := w.readJournal(join(w.state, "undo", id))
		if err != nil {
			return nil, err
		}
		for _, e := range j.Entries {
			last[e.Path] = e.New
		}
	}
	return last, nil
}
