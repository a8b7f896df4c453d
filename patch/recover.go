package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/plumbkit/plumb/host/fault"
)

// A Recovery is an interrupted transaction that was put right.
type Recovery struct {
	ID  string `json:"id"`
	Set string `json:"set"`
	// Files were restored to what they were before.
	Files []string `json:"files"`
	// Conflicts were changed by somebody else since; they were left as they are.
	Conflicts []Conflict `json:"conflicts,omitempty"`
}

// A Conflict is a file that somebody changed meanwhile. Both versions are kept:
// theirs in place, the other one in the file Kept, relative to the workspace.
type Conflict struct {
	Path string `json:"path"`
	Kept string `json:"kept,omitempty"` // "" when the other version is that there is no file
}

// recover rolls back every transaction that was begun and not committed.
func (w *Workspace) recover() error {
	ids, err := w.list("journal")
	if err != nil {
		return w.environment("make the state folder readable", err)
	}
	for _, id := range ids {
		dir := join(w.state, "journal", id)
		j, err := w.readJournal(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = w.disk.removeAll(dir)
		case err == nil:
			var r Recovery
			if r, err = w.rollBack(j); err == nil {
				w.mu.Lock()
				w.recovered = append(w.recovered, r)
				w.mu.Unlock()
			}
		}
		if err != nil {
			f := fault.From(err, "patch.recover", "make the files writable and open the workspace again")
			f.State = "transaction " + id + " is interrupted; its journal is kept in " + dir
			return f
		}
	}
	return nil
}

// list returns the names in a state folder, sorted.
func (w *Workspace) list(sub string) ([]string, error) {
	f, err := w.disk.root.Open(join(w.state, sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	return sorted(names), err
}

func (w *Workspace) readJournal(dir string) (*journal, error) {
	data, err := w.disk.root.ReadFile(dir + "/manifest.json")
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("the journal in %s cannot be read: %w", dir, err)
	}
	return &j, nil
}

// rollBack brings every entry back to before. It can be interrupted and run again.
func (w *Workspace) rollBack(j *journal) (Recovery, error) {
	r := Recovery{ID: j.ID, Set: j.Set}
	dir := join(w.state, "journal", j.ID)
	for i := len(j.Gone) - 1; i >= 0; i-- {
		if err := w.disk.makeFolder(j.Gone[i]); err != nil {
			return r, err
		}
	}
	for i := len(j.Entries) - 1; i >= 0; i-- {
		e := &j.Entries[i]
		restored, conflict, err := w.rollBackEntry(j, e, i)
		if err != nil {
			return r, fmt.Errorf("%s: %w", e.Path, err)
		}
		if conflict != nil {
			r.Conflicts = append(r.Conflicts, *conflict)
		} else if restored {
			r.Files = append(r.Files, e.Path)
		}
	}
	for i := len(j.Made) - 1; i >= 0; i-- {
		if w.disk.emptyDir(j.Made[i].Path) {
			if err := w.disk.remove(j.Made[i].Path); err != nil {
				return r, err
			}
		}
	}
	for _, p := range j.dirs(w.disk) {
		if err := w.disk.syncDir(p); err != nil {
			return r, err
		}
	}
	if err := w.disk.remove(dir + "/manifest.json"); err != nil {
		return r, err
	}
	return r, w.disk.removeAll(dir)
}

func (w *Workspace) rollBackEntry(j *journal, e *entry, i int) (restored bool, c *Conflict, err error) {
	n := strconv.Itoa(i)
	dir := join(w.state, "journal", j.ID)
	now, _, err := w.disk.stand(e.Path)
	if err != nil && !errors.Is(err, fault.Dangerous) {
		return false, nil, err
	}
	isOld, isNew := now.same(e.Old), now.same(e.New)
	switch {
	case isOld || w.sameFile(e.Path, dir+"/old/"+n):
		return false, nil, nil // never replaced, or already restored
	case (isNew || !now.Exists) && !e.Old.Exists:
		return true, nil, w.disk.remove(e.Path)
	case isNew || !now.Exists:
		return true, nil, w.disk.rename(dir+"/old/"+n, e.Path)
	}
	kept, err := w.keepConflict(j.ID, e.Path, dir+"/old/"+n, e.Old.Exists)
	return false, &Conflict{Path: e.Path, Kept: kept}, err
}

// sameFile reports whether two names are of one file.
func (w *Workspace) sameFile(a, b string) bool {
	x, errX := w.disk.root.Lstat(a)
	y, errY := w.disk.root.Lstat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// keepConflict saves a version beside the conflicting one and returns where.
func (w *Workspace) keepConflict(id, path, from string, exists bool) (string, error) {
	if !exists {
		return "", nil
	}
	to := join(w.state, "conflicts", id, path)
	if _, err := w.disk.root.Lstat(to); err == nil {
		return to, nil
	}
	if err := w.disk.mkdirAll(parent(to), 0o700); err != nil {
		return "", err
	}
	return to, w.disk.copyFile(from, to)
}
