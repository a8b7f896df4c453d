package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/plumbkit/plumb/host/fault"
)

// A fileWork collects what edits do to one existing or new file.
type fileWork struct {
	path   string
	exists bool
	text   *text
	mode   fs.FileMode // 0: not known

	whole    *unit // the edit that creates, writes, deletes, renames or copies it
	modeTo   fs.FileMode
	modeUnit *unit
	rewrite  bool
	units    []*unit // content edits
	splices  []splice
}

// work returns the fileWork of a path, reading the file at its first mention.
func (b *builder) work(path string) (*fileWork, error) {
	if w := b.files[path]; w != nil {
		return w, nil
	}
	w := &fileWork{path: path}
	data, mode, err := b.read(path)
	switch {
	case err == nil:
		w.exists, w.text, w.mode = true, newText(data), mode
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // of a folder that is a file: see checkTargets
		w.text = newText(nil)
	case strings.Contains(err.Error(), "path escapes from parent"): // os.Root says so by text alone
		return nil, &fault.Fault{Class: fault.Dangerous, Op: "patch.read", Subject: fault.Subject{File: path}, Err: err,
			Detail: "the path goes through a symbolic link that leads out of the workspace", State: unchanged,
			Next: "name a file inside the workspace"}
	default:
		return nil, fault.From(err, "patch.read", "make the file readable, or leave it out of the edits")
	}
	b.files[path] = w
	b.order = append(b.order, path)
	return w, nil
}

// read returns a file's bytes as indexed, or from the workspace when the
// Snapshot does not list it, and its mode where that is known.
func (b *builder) read(path string) ([]byte, fs.FileMode, error) {
	var mode fs.FileMode
	if b.a.FS != nil {
		info, err := lstat(b.a.FS, path)
		if err == nil && !info.Mode().IsRegular() {
			return nil, 0, notRegular(path, info.Mode())
		}
		if err == nil {
			mode = info.Mode().Perm()
		}
	}
	if _, ok := b.in.Before.File(path); ok {
		data, err := b.in.Before.Source(path)
		return data, mode, err
	}
	if b.a.FS == nil {
		return nil, 0, fs.ErrNotExist
	}
	data, err := fs.ReadFile(b.a.FS, path)
	return data, mode, err
}

// lstat is fs.Lstat for names that fs.ValidPath refuses as well.
func lstat(fsys fs.FS, path string) (fs.FileInfo, error) {
	info, err := fs.Lstat(fsys, path)
	if errors.Is(err, fs.ErrInvalid) {
		return nil, fs.ErrNotExist
	}
	return info, err
}

func notRegular(path string, mode fs.FileMode) error {
	what := "no regular file"
	switch {
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode.IsDir():
		what = "a folder"
	}
	return &fault.Fault{Class: fault.Dangerous, Op: "patch.path", Subject: fault.Subject{File: path},
		Detail: "the path is " + what + ", and only regular files are edited", State: unchanged, Next: "name the file itself"}
}

// gather sorts the edits by file and refuses contradictions between them.
func (b *builder) gather() error {
	for i := range b.in.Edits {
		e := b.in.Edits[i] // a copy, whose file is filled in
		u := &unit{edit: &e, order: i, hunk: -1, block: b.plan.blockOf(&e)}
		if b.refused[u.block] != nil {
			continue
		}
		if err := b.gatherEdit(u); err != nil {
			return u.fail(err)
		}
	}
	return b.checkTargets()
}

func (b *builder) gatherEdit(u *unit) error {
	path, err := b.fileOf(u.edit)
	if err != nil {
		return err
	}
	u.edit.File = path
	if err := b.checkDerived(u.edit); err != nil {
		return err
	}
	w, err := b.work(path)
	if err != nil {
		return err
	}
	b.units = append(b.units, u)
	w.rewrite = w.rewrite || u.edit.Rewrite
	switch u.edit.Op {
	case CreateFile, WriteFile, DeleteFile, RenameFile, CopyFile:
		return w.setWhole(u)
	case ChangeMode:
		return w.setMode(u)
	}
	if !w.exists {
		return refuse(fault.AnchorMismatch, u.edit, path+" does not exist, so there is nothing to edit in it", "create it, or name the file that is meant")
	}
	if u.edit.Mode != 0 {
		if err := w.setMode(u); err != nil {
			return err
		}
	}
	w.units = append(w.units, u)
	return w.checkContent(u)
}

// checkContent refuses line edits in what is no text, and a pinned hash that is not the file's.
func (w *fileWork) checkContent(u *unit) error {
	if isBinary(w.text.data) {
		return refuse(fault.Unsupported, u.edit, w.path+" holds NUL bytes: it is binary or UTF-16, and its bytes cannot be preserved by an edit of lines",
			"leave it out of the edits")
	}
	return w.checkHash(u)
}

func (w *fileWork) setMode(u *unit) error {
	m := u.edit.Mode
	if m&^fs.ModePerm != 0 || (m.Perm() != 0o644 && m.Perm() != 0o755) {
		return refuse(fault.Unsupported, u.edit, fmt.Sprintf("the mode %v is none that a change can set: a file is executable (0755) or not (0644)", m),
			"ask for 0644 or 0755")
	}
	if !w.exists && u.edit.Op == ChangeMode {
		return refuse(fault.InvalidInput, u.edit, w.path+" does not exist, so its mode cannot change", "name an existing file")
	}
	if w.modeTo != 0 && w.modeTo != m {
		return refuse(fault.InvalidInput, u.edit, "two edits set different modes for "+w.path, "keep one of them")
	}
	w.modeTo, w.modeUnit = m, u
	return nil
}

// setWhole records the one edit that decides over the file as a whole.
func (w *fileWork) setWhole(u *unit) error {
	e := u.edit
	if w.whole != nil {
		return refuse(fault.InvalidInput, e, fmt.Sprintf("%s and %s both decide over %s", origin(w.whole.edit), origin(e), w.path), "keep one of them")
	}
	w.whole = u
	switch {
	case e.Op == CreateFile && w.exists:
		return refuse(fault.InvalidInput, e, w.path+" exists already, so it cannot be created", "edit the file that is there, or write it whole with its hash")
	case !w.exists && e.Op != CreateFile && e.Op != WriteFile:
		return refuse(fault.InvalidInput, e, w.path+" does not exist", "name an existing file")
	}
	if e.Op == RenameFile || e.Op == CopyFile {
		if e.Mode != 0 {
			if err := w.setMode(u); err != nil {
				return err
			}
		}
		if len(e.Hunks) > 0 {
			w.units = append(w.units, u)
			return w.checkContent(u)
		}
		return w.checkHash(u)
	}
	return w.checkWhole(u)
}

// checkWhole holds an edit of a whole file against what it says to be based on.
func (w *fileWork) checkWhole(u *unit) error {
	e := u.edit
	if err := checkNew(e, w); err != nil {
		return err
	}
	if !w.exists || e.Op == CreateFile {
		return nil
	}
	declared := e.Op == DeleteFile && e.Rewrite // of whatever the snapshot has there
	if e.Hash == "" && e.Expect == "" && e.ExpectContains == "" && len(w.text.data) > 0 && !declared {
		if strings.HasPrefix(e.From, "block:") {
			return refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s is not empty, and the block of %s has an empty SEARCH, which is for a new or empty file", w.path, e.From), "give the lines of the file that are to be replaced")
		}
		return refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s of an existing file has to say which content it is based on", e.Op), "send \"hash\" or \"expect\" of the file as it was read")
	}
	if e.Expect != "" && e.Expect != string(w.text.data) && !sameButEnds(e.Expect, w.text) {
		a := newAnchor(anchorLines(e.Expect))
		if d := diffLines(bareAll(splitLines([]byte(e.Expect))), bareAll(w.text.lines)); len(d) == 0 {
			return refuse(fault.AnchorMismatch, e, w.path+" has other line ends, or another end, than the edit expects", "read the file again")
		} else if d[0].B0 < len(w.text.lines) && d[0].A0 < len(a.lines) {
			return a.wholeMismatch(e, w.text, d[0])
		}
		return refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s has %d lines, and the edit expects %d", w.path, len(w.text.lines), len(a.lines)), "read the file again")
	}
	if e.ExpectContains != "" && !strings.Contains(string(w.text.data), e.ExpectContains) {
		return refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s does not contain %q", w.path, e.ExpectContains), "read the file again")
	}
	if e.Expect != "" && strings.HasPrefix(e.Hash, "git:") {
		return nil // of a diff's index line, which the text outweighs
	}
	return w.checkHash(u)
}

func sameButEnds(expect string, t *text) bool {
	return !strings.Contains(expect, "\r") && strings.ReplaceAll(strings.TrimPrefix(string(t.data), bom), "\r\n", "\n") == strings.TrimPrefix(expect, bom)
}

func (a *anchor) wholeMismatch(e *Edit, t *text, c change) error {
	have := bare(t.lines[c.B0])
	f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("line %d of the file reads %q where the edit expects %q", c.B0+1, have, a.lines[c.A0].text), "read the file again and send the edit for what stands there now")
	f.Subject = fault.Subject{File: e.File, Line: c.B0 + 1, Text: have}
	return f
}

// checkNew refuses content that a file should never get.
func checkNew(e *Edit, w *fileWork) error {
	if e.Op == DeleteFile {
		return nil
	}
	known := map[string]bool{}
	for _, l := range w.text.lines {
		known[bare(l)] = true
	}
	if i, why := foreign(splitLines([]byte(e.Text)), func(l string) bool { return known[l] }); i >= 0 {
		f := refuse(fault.InvalidInput, e, fmt.Sprintf("%s, line %d of its text: %s", origin(e), i+1, why), "send the whole content of the file")
		f.Subject.Line = i + 1
		return f
	}
	return nil
}

// checkHash compares the hash that pins the file.
func (w *fileWork) checkHash(u *unit) error {
	e := u.edit
	if e.Hash == "" || e.Op == Hunks || len(e.Hunks) > 0 || !w.exists {
		return nil
	}
	if strings.HasPrefix(e.Hash, "git:") {
		if gitBlob(e.Hash, w.text.data) {
			return nil
		}
	} else if e.Hash == hashOf(w.text.data) {
		return nil
	}
	f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s has changed since it was read: its content hash is %s and not %s", w.path, hashOf(w.text.data), e.Hash),
		"read the file again and send the edit for what stands there now")
	f.Subject = fault.Subject{File: w.path, Line: 1, Text: bare(w.text.lines0())}
	return f
}
