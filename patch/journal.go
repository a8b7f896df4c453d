package patch

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"
)

// A journal is the write-ahead record of one transaction, in
// <state>/journal/<id>:
//
//	old/<n>        entry n as it was: a hard link, or a copy where links are not to be had
//	new/<n>        entry n as it will be, until it is renamed into place
//	manifest.json  written last, flushed, renamed: from then on the tree may differ from before
//
// When all entries are in place the folder is renamed to <state>/undo/<id>; that
// rename is the commit. So a folder in journal/ with a manifest is rolled back,
// one without is dropped, and what is in undo/ is done: at every instant the
// tree can be brought to exactly before or is exactly after.
type journal struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"`
	Set    string    `json:"set"`
	At     time.Time `json:"at"`
	// Undoes is the transaction that this one takes back.
	Undoes   string   `json:"undoes,omitempty"`
	Rollback string   `json:"rollback,omitempty"`
	Blocks   []string `json:"blocks,omitempty"`
	By       string   `json:"by,omitempty"`
	Ledger   string   `json:"ledger,omitempty"` // entry of the authorization
	Entries  []entry  `json:"entries"`
	// Made are folders that did not exist; Gone are folders that become empty
	// and are removed, as git does.
	Made []folder `json:"made,omitempty"`
	Gone []folder `json:"gone,omitempty"`
}

// An entry is one path of a transaction. Entries are written in order.
type entry struct {
	Path  string `json:"path"`
	Block string `json:"block,omitempty"`
	Old   state  `json:"old"`
	New   state  `json:"new"`
	data  []byte // content of New
	time  time.Time
}

// A folder is one that a transaction makes or removes. Mode 0 leaves a new
// one's permissions to the system's defaults.
type folder struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode,omitempty"`
}

func newID(now time.Time) string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return now.UTC().Format("20060102T150405.000") + "-" + hex.EncodeToString(b[:])
}

// folders works out which folders entries need made and which they leave empty.
func (w *Workspace) folders(j *journal) error {
	made := map[string]bool{}
	for _, e := range j.Entries {
		if !e.New.Exists {
			continue
		}
		var chain []folder
		for p := parent(e.Path); p != "." && !made[p]; p = parent(p) {
			if _, err := w.disk.root.Lstat(p); err == nil {
				break
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			made[p] = true
			chain = append([]folder{{Path: p}}, chain...)
		}
		j.Made = append(j.Made, chain...)
	}
	return w.emptied(j)
}

// emptied lists the folders that lose their last file, innermost first.
func (w *Workspace) emptied(j *journal) error {
	leaves, gets := map[string]bool{}, map[string]bool{}
	for _, e := range j.Entries {
		if e.New.Exists {
			for p := parent(e.Path); p != "."; p = parent(p) {
				gets[p] = true
			}
		} else {
			leaves[e.Path] = true
		}
	}
	for _, e := range j.Entries {
		if e.New.Exists || !e.Old.Exists {
			continue
		}
		for p := parent(e.Path); p != "." && !gets[p] && !leaves[p]; p = parent(p) {
			only, mode, err := w.onlyHolds(p, leaves)
			if err != nil {
				return err
			}
			if !only {
				break
			}
			leaves[p] = true
			j.Gone = append(j.Gone, folder{p, mode})
		}
	}
	return nil
}

// onlyHolds reports whether a folder holds nothing but what leaves.
func (w *Workspace) onlyHolds(dir string, leaves map[string]bool) (bool, fs.FileMode, error) {
	f, err := w.disk.root.Open(dir)
	if err != nil {
		return false, 0, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return false, 0, err
	}
	for _, n := range names {
		if !leaves[join(dir, n)] {
			return false, 0, nil
		}
	}
	info, err := f.Stat()
	if err != nil {
		return false, 0, err
	}
	return true, info.Mode().Perm(), nil
}

// stage writes the journal: first every byte before and after, then the manifest.
func (w *Workspace) stage(j *journal) error {
	d, dir := w.disk, join(w.state, "journal", j.ID)
	for _, p := range []string{dir, dir + "/old", dir + "/new"} {
		if err := d.mkdir(p, 0o700); err != nil {
			return err
		}
	}
	if err := d.each(len(j.Entries), func(i int) error { return w.stageEntry(dir, &j.Entries[i], i) }); err != nil {
		return err
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := d.write(dir+"/manifest.tmp", data, 0o600, 0); err != nil {
		return err
	}
	for _, p := range []string{dir + "/old", dir + "/new"} {
		if err := d.syncDir(p); err != nil {
			return err
		}
	}
	if err := d.rename(dir+"/manifest.tmp", dir+"/manifest.json"); err != nil {
		return err
	}
	if err := d.syncDir(dir); err != nil {
		return err
	}
	return d.syncDir(join(w.state, "journal"))
}

func (w *Workspace) stageEntry(dir string, e *entry, i int) error {
	d, n := w.disk, strconv.Itoa(i)
	if e.Old.Exists {
		if err := d.link(e.Path, dir+"/old/"+n); err != nil {
			if err := d.copyFile(e.Path, dir+"/old/"+n); err != nil {
				return err
			}
		}
	}
	if !e.New.Exists {
		return nil
	}
	at := dir + "/new/" + n
	if e.New.Mode&fs.ModeSymlink != 0 {
		return d.symlink(string(e.data), at)
	}
	create, chmod := fs.FileMode(0o666), fs.FileMode(0)
	if e.New.Mode&0o100 != 0 {
		create = 0o777
	}
	if e.Old.Exists || !e.time.IsZero() {
		create, chmod = 0o600, e.New.Mode.Perm()
	}
	if err := d.write(at, e.data, create, chmod); err != nil {
		return err
	}
	if e.Old.Exists {
		if info, err := d.root.Lstat(e.Path); err == nil {
			d.keepOwner(at, info)
		}
	}
	if !e.time.IsZero() {
		if err := d.chtimes(at, e.time); err != nil {
			return err
		}
	}
	info, err := d.root.Lstat(at)
	if err == nil {
		e.New.Mode = info.Mode()
	}
	return err
}

// carryOut puts every entry in place and commits.
func (w *Workspace) carryOut(j *journal, alive func() error) error {
	d, dir := w.disk, join(w.state, "journal", j.ID)
	for _, m := range j.Made {
		if err := d.makeFolder(m); err != nil {
			return err
		}
	}
	for i := range j.Entries {
		if err := alive(); err != nil {
			return err
		}
		if err := w.putEntry(dir, &j.Entries[i], i); err != nil {
			return fmt.Errorf("%s: %w", j.Entries[i].Path, err)
		}
	}
	for _, g := range j.Gone {
		if err := d.remove(g.Path); err != nil {
			return err
		}
	}
	if err := w.unmoved(j, dir); err != nil {
		return err
	}
	dirs := j.dirs(d)
	if err := d.each(len(dirs), func(i int) error { return d.syncDir(dirs[i]) }); err != nil {
		return err
	}
	if err := d.rename(dir, join(w.state, "undo", j.ID)); err != nil {
		return err
	}
	return nil
}

func (w *Workspace) putEntry(dir string, e *entry, i int) error {
	d, n := w.disk, strconv.Itoa(i)
	if e.Old.Exists {
		if err := w.untouched(dir, e, n); err != nil {
			return err
		}
	}
	if !e.New.Exists {
		return d.remove(e.Path)
	}
	if e.Old.Exists {
		return d.rename(dir+"/new/"+n, e.Path)
	}
	// A link, unlike a rename, never writes over what somebody made meanwhile.
	err := d.link(dir+"/new/"+n, e.Path)
	switch {
	case err == nil:
		return d.remove(dir + "/new/" + n)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, exists := d.root.Lstat(e.Path); exists == nil {
		return fs.ErrExist
	}
	return d.rename(dir+"/new/"+n, e.Path)
}

// untouched makes sure that the file to be replaced is still the one in old/:
// an editor that saves by renaming puts another one there.
func (w *Workspace) untouched(dir string, e *entry, n string) error {
	now, err := w.disk.root.Lstat(e.Path)
	if err != nil {
		return err
	}
	kept, err := w.disk.root.Lstat(dir + "/old/" + n)
	if err != nil {
		return err
	}
	if now.Size() != kept.Size() || !now.ModTime().Equal(kept.ModTime()) {
		return errors.New("somebody else changed the file meanwhile")
	}
	return nil
}

// unmoved makes sure that nobody wrote into a file, by its open handle, while
// it was being replaced: old/ holds the very same file.
func (w *Workspace) unmoved(j *journal, dir string) error {
	for i, e := range j.Entries {
		if !e.Old.Exists {
			continue
		}
		info, err := w.disk.root.Lstat(dir + "/old/" + strconv.Itoa(i))
		if err != nil {
			return err
		}
		if !info.ModTime().Equal(e.Old.Time) {
			return fmt.Errorf("%s: somebody else changed the file meanwhile", e.Path)
		}
	}
	return nil
}

// dirs lists the folders whose names a transaction changes and that exist.
func (j *journal) dirs(d *disk) []string {
	var out []string
	for _, e := range j.Entries {
		out = append(out, parent(e.Path))
	}
	for _, m := range j.Made {
		out = append(out, m.Path, parent(m.Path))
	}
	for _, g := range j.Gone {
		out = append(out, parent(g.Path))
	}
	return filterStrings(sorted(out), func(p string) bool {
		info, err := d.root.Lstat(p)
		return err == nil && info.IsDir()
	})
}

func filterStrings(in []string, keep func(string) bool) []string {
	var out []string
	for _, s := range in {
		if keep(s) {
			out = append(out, s)
		}
	}
	return out
}
