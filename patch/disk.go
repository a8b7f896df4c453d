package patch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sync/errgroup"
)

// A disk is every change that a transaction makes to files, inside one os.Root.
// before, if not nil, is called in front of each system call that changes or
// flushes something; its error takes the place of the call.
type disk struct {
	root   *os.Root
	before func(call, name string) error
}

func (d *disk) step(call, name string) error {
	if d.before == nil {
		return nil
	}
	return d.before(call, name)
}

func (d *disk) mkdirAll(name string, mode fs.FileMode) error {
	if info, err := d.root.Lstat(name); err == nil && info.IsDir() {
		return nil
	}
	if err := d.step("mkdir", name); err != nil {
		return err
	}
	return d.root.MkdirAll(name, mode)
}

func (d *disk) mkdir(name string, mode fs.FileMode) error {
	if err := d.step("mkdir", name); err != nil {
		return err
	}
	return d.root.Mkdir(name, mode)
}

// makeFolder makes a folder that may exist already, with its exact mode if that is known.
func (d *disk) makeFolder(f folder) error {
	mode := f.Mode
	if mode == 0 {
		mode = 0o777
	}
	if err := d.mkdir(f.Path, mode); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	if f.Mode == 0 {
		return nil
	}
	if err := d.step("chmod", f.Path); err != nil {
		return err
	}
	return d.root.Chmod(f.Path, f.Mode)
}

// write makes a new file and flushes it. A mode of 0 leaves permissions to the
// system's defaults for new files.
func (d *disk) write(name string, data []byte, create, chmod fs.FileMode) (err error) {
	if err := d.step("create", name); err != nil {
		return err
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, create)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	half := len(data) / 2
	for _, part := range [][]byte{data[:half], data[half:]} {
		if err := d.step("write", name); err != nil {
			return err
		}
		if _, err := f.Write(part); err != nil {
			return err
		}
	}
	if chmod != 0 {
		if err := d.step("chmod", name); err != nil {
			return err
		}
		if err := f.Chmod(chmod); err != nil {
			return err
		}
	}
	if err := d.step("sync", name); err != nil {
		return err
	}
	return f.Sync()
}

func (d *disk) symlink(target, name string) error {
	if err := d.step("symlink", name); err != nil {
		return err
	}
	return d.root.Symlink(target, name)
}

func (d *disk) link(from, to string) error {
	if err := d.step("link", to); err != nil {
		return err
	}
	return d.root.Link(from, to)
}

func (d *disk) rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	return d.root.Rename(from, to)
}

func (d *disk) remove(name string) error {
	if err := d.step("remove", name); err != nil {
		return err
	}
	err := d.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d *disk) removeAll(name string) error {
	if err := d.step("removeall", name); err != nil {
		return err
	}
	return d.root.RemoveAll(name)
}

func (d *disk) chtimes(name string, t time.Time) error {
	if err := d.step("chtimes", name); err != nil {
		return err
	}
	return d.root.Chtimes(name, t, t)
}

// syncDir flushes a folder, so that the names in it survive a power cut.
func (d *disk) syncDir(name string) error {
	if err := d.step("syncdir", name); err != nil {
		return err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(f.Sync()), f.Close())
}

// ignoreUnsupported drops the error of systems that cannot flush a folder.
func ignoreUnsupported(err error) error {
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// each calls do for 0 to n-1, several at a time so that the file system can
// flush them together; one by one when the steps are being watched.
func (d *disk) each(n int, do func(i int) error) error {
	if d.before != nil {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var g errgroup.Group
	g.SetLimit(16)
	for i := range n {
		g.Go(func() error { return do(i) })
	}
	return g.Wait()
}

// copyFile copies a regular file's bytes, mode and time.
func (d *disk) copyFile(from, to string) error {
	data, err := d.root.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := d.root.Lstat(from)
	if err != nil {
		return err
	}
	if err := d.write(to, data, 0o600, info.Mode().Perm()); err != nil {
		return err
	}
	return d.chtimes(to, info.ModTime())
}

// state is what stands at a path.
type state struct {
	Exists bool        `json:"exists"`
	Hash   string      `json:"hash,omitempty"` // of the content, or of a link's target
	Mode   fs.FileMode `json:"mode,omitempty"`
	Time   time.Time   `json:"time,omitzero"`
}

// same compares existence, content and mode, not times.
func (s state) same(o state) bool {
	return s.Exists == o.Exists && (!s.Exists || s.Hash == o.Hash && s.Mode == o.Mode)
}

// stand reads what stands at a path and its content.
func (d *disk) stand(name string) (state, []byte, error) {
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return state{}, nil, nil
	}
	if err != nil {
		return state{}, nil, err
	}
	s := state{Exists: true, Mode: info.Mode(), Time: info.ModTime()}
	var data []byte
	switch {
	case info.Mode().IsRegular():
		data, err = d.root.ReadFile(name)
	case info.Mode()&fs.ModeSymlink != 0:
		var target string
		target, err = d.root.Readlink(name)
		data = []byte(target)
	default:
		return s, nil, notRegular(name, info.Mode())
	}
	s.Hash = hashOf(data)
	return s, data, err
}

// straight refuses a path that passes through a symbolic link, which would
// write somewhere else than the path says.
func (d *disk) straight(name string) error {
	for p := parent(name); p != "."; p = parent(p) {
		info, err := d.root.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return notRegular(p, info.Mode())
		}
	}
	return nil
}

// emptyDir reports whether a folder holds nothing.
func (d *disk) emptyDir(name string) bool {
	f, err := d.root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadDir(1)
	return errors.Is(err, io.EOF)
}

func join(parts ...string) string { return path.Join(parts...) }
