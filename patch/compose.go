package patch

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// checkTargets refuses files that several edits would write, and names that
// collide with others on some file systems.
func (b *builder) checkTargets() error {
	names, places := nameTable{}, placeTable{}
	for _, f := range b.in.Before.Files() {
		if w := b.files[f.Path]; w == nil || w.whole == nil || (w.whole.edit.Op != DeleteFile && w.whole.edit.Op != RenameFile) {
			names.add(f.Path)
			places.add(f.Path)
		}
	}
	for _, path := range b.order {
		w := b.files[path]
		if w.whole == nil || w.whole.edit.Op == DeleteFile || (w.whole.edit.Op == WriteFile && w.exists) {
			continue
		}
		target := path
		if w.whole.edit.To != "" {
			target = w.whole.edit.To
		}
		if err := b.checkTarget(w, target); err != nil {
			return w.whole.fail(err)
		}
		if other := names.clash(target); other != "" {
			f := refuse(fault.Dangerous, w.whole.edit, fmt.Sprintf("%s differs from %s in case only, and some systems take them for one", target, other), "choose another name")
			return w.whole.fail(f)
		}
		if err := checkPath(target, true); err != nil {
			return w.whole.fail(err)
		}
		if why := places.clash(target); why != "" {
			return w.whole.fail(refuse(fault.InvalidInput, w.whole.edit, why, "choose another name"))
		}
		names.add(target)
		places.add(target)
	}
	return nil
}

// checkTarget refuses to write over a file that is not on its way out.
func (b *builder) checkTarget(w *fileWork, target string) error {
	e := w.whole.edit
	if e.To == "" {
		return nil
	}
	for _, other := range b.files {
		if o := other.whole; o != nil && o != w.whole && (o.edit.To == target || (o.edit.To == "" && other.path == target && o.edit.Op != DeleteFile)) {
			return refuse(fault.InvalidInput, e, fmt.Sprintf("%s and %s both write %s", origin(o.edit), origin(e), target), "keep one of them")
		}
	}
	if t := b.files[target]; t != nil && t.exists {
		if t.whole != nil && (t.whole.edit.Op == DeleteFile || t.whole.edit.Op == RenameFile) {
			return nil
		}
		return refuse(fault.InvalidInput, e, fmt.Sprintf("%s is moved onto %s, which exists", w.path, target), "delete that file in the same set, or choose another name")
	}
	if _, _, err := b.read(target); err == nil || fault.ClassOf(err) == fault.Dangerous {
		return refuse(fault.InvalidInput, e, fmt.Sprintf("%s is moved onto %s, which exists", w.path, target), "delete that file in the same set, or choose another name")
	}
	return nil
}

// compose writes the results of all files into the Set.
func (b *builder) compose() error {
	b.set = &Set{Schema: SetSchema, Base: b.in.Before.Digest(), Blocks: b.blocks, Loosened: b.looseNotes}
	for _, path := range b.order {
		w := b.files[path]
		files, err := w.result()
		if err != nil {
			return err
		}
		b.set.Files = append(b.set.Files, files...)
	}
	b.mergeMoves()
	sortFiles(b.set.Files)
	return nil
}

// mergeMoves turns a deletion and a move onto the same path into one entry, so
// that each path stands once in a Set.
func (b *builder) mergeMoves() {
	gone := map[string]int{}
	for i, f := range b.set.Files {
		if f.Op == Deleted {
			gone[f.Path] = i
		}
	}
	var drop []int
	for i := range b.set.Files {
		f := &b.set.Files[i]
		d, ok := gone[f.Path]
		if !ok || (f.Op != Renamed && f.Op != Copied) {
			continue
		}
		old := b.set.Files[d]
		if f.Op == Renamed {
			b.set.Files = append(b.set.Files, File{Path: f.From, Op: Deleted, Old: f.Old, OldMode: f.OldMode, Block: f.Block})
			f = &b.set.Files[i]
		}
		*f = File{Path: f.Path, Op: Modified, Old: old.Old, New: f.New, OldMode: old.OldMode, NewMode: f.NewMode, Block: f.Block}
		drop = append(drop, d)
	}
	slices.Sort(drop)
	for _, d := range slices.Backward(drop) {
		b.set.Files = slices.Delete(b.set.Files, d, d+1)
	}
}

// result is what becomes of one file: no entry when nothing does.
func (w *fileWork) result() ([]File, error) {
	now, err := w.spliced()
	if err != nil {
		return nil, err
	}
	f := File{Path: w.path, Op: Modified, Old: w.text.data, New: now, OldMode: w.mode, NewMode: w.mode, Block: w.block()}
	if w.modeTo != 0 {
		f.NewMode = w.modeTo
	}
	if w.whole != nil {
		if err := w.wholeResult(&f, now); err != nil {
			return nil, err
		}
	}
	if f.Op == Modified && bytes.Equal(f.Old, f.New) && (w.modeTo == 0 || sameMode(f.OldMode, f.NewMode)) {
		return nil, nil
	}
	return []File{f}, nil
}

// sameMode compares what git records of two modes; an unknown one differs from all.
func sameMode(a, b fs.FileMode) bool { return a != 0 && b != 0 && gitMode(a) == gitMode(b) }

func (w *fileWork) wholeResult(f *File, now []byte) error {
	e := w.whole.edit
	if len(w.units) > 0 && w.units[0] != w.whole || len(w.units) > 1 {
		other := w.units[0]
		if other == w.whole {
			other = w.units[1]
		}
		if e.Op != RenameFile {
			return other.fail(refuse(fault.InvalidInput, other.edit, fmt.Sprintf("%s and %s both change %s", origin(e), origin(other.edit), w.path), "keep one of them"))
		}
	}
	switch e.Op {
	case CreateFile, WriteFile:
		f.New = []byte(e.Text)
		if !w.exists {
			f.Op, f.Old, f.OldMode = Created, nil, 0
			f.NewMode = 0o644
			if e.Mode != 0 {
				f.NewMode = e.Mode
			}
		}
	case DeleteFile:
		f.Op, f.New, f.NewMode = Deleted, nil, 0
	case RenameFile:
		f.Op, f.Path, f.From = Renamed, e.To, w.path
	case CopyFile:
		f.Op, f.Path, f.From = Copied, e.To, w.path
	}
	return checkLink(e, f)
}

// checkLink refuses symbolic links that lead out of the workspace (PAT-12).
func checkLink(e *Edit, f *File) error {
	if f.NewMode&fs.ModeSymlink == 0 {
		return nil
	}
	if why := linkFault(f.Path, string(f.New)); why != "" {
		return refuse(fault.Dangerous, e, fmt.Sprintf("the symbolic link %s -> %s %s", f.Path, f.New, why), "let it point to a file inside the workspace, by a relative path")
	}
	return nil
}

// linkFault says why a link at path must not point to target.
func linkFault(path, target string) string {
	if target == "" || strings.ContainsAny(target, "\\\x00\n") || strings.HasPrefix(target, "/") || (len(target) > 1 && target[1] == ':') {
		return "has no relative target"
	}
	dir := strings.Split(path, "/")
	dir = dir[:len(dir)-1]
	for _, c := range strings.Split(target, "/") {
		switch {
		case c == "" || c == ".":
		case c == "..":
			if len(dir) == 0 {
				return "leads out of the workspace"
			}
			dir = dir[:len(dir)-1]
		case private(c):
			return "leads into " + c
		default:
			dir = append(dir, c)
		}
	}
	return ""
}

// block is the block of the file: that of its first change.
func (w *fileWork) block() string {
	if all := w.effective(); len(all) > 0 {
		return all[0].block
	}
	return ""
}

// spliced applies all splices to the original bytes after refusing overlaps.
func (w *fileWork) spliced() ([]byte, error) {
	if len(w.splices) == 0 {
		return w.text.data, nil
	}
	s := slices.Clone(w.splices)
	slices.SortStableFunc(s, func(a, b splice) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	var out bytes.Buffer
	at := 0
	for i := range s {
		if i > 0 && overlap(s[i-1], s[i]) {
			return nil, w.overlapFault(s[i-1], s[i])
		}
		out.Write(w.text.data[at:s[i].start])
		out.WriteString(s[i].text)
		at = s[i].end
	}
	out.Write(w.text.data[at:])
	if out.Len() == 0 {
		return []byte{}, nil
	}
	return out.Bytes(), nil
}

// overlap reports whether two splices, in order, change the same bytes, or two
// edits replace nothing at the same place with the same text.
func overlap(a, b splice) bool {
	if a.start == b.start && a.end == a.start && b.end == b.start {
		return a.unit.edit == b.unit.edit && a.unit.hunk != b.unit.hunk
	}
	return b.start < a.end
}

func (w *fileWork) overlapFault(a, b splice) error {
	f := refuse(fault.InvalidInput, b.unit.edit, fmt.Sprintf("%s and %s overlap: both change line %d of %s",
		a.unit.name(), b.unit.name(), w.text.lineAt(b.start), w.path), "join them into one edit")
	f.Subject.Line = w.text.lineAt(b.start)
	f.Candidates = []fault.Subject{{File: w.path, Line: w.text.lineAt(a.start), Text: a.unit.name()},
		{File: w.path, Line: w.text.lineAt(b.start), Text: b.unit.name()}}
	return b.unit.fail(f)
}

func (u *unit) name() string {
	if u.hunk >= 0 && u.edit.Hunks[u.hunk].At > 0 {
		return fmt.Sprintf("the hunk of line %d (%s)", u.edit.Hunks[u.hunk].At, origin(u.edit))
	}
	if u.hunk >= 0 {
		return fmt.Sprintf("hunk %d of %s", u.hunk+1, origin(u.edit))
	}
	return origin(u.edit)
}
