package patch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Link makes a folder or file of the workspace that git ignores visible in the
// copy by symbolic links. Links in the folder, or in a folder of it whose name
// begins with "@", that lead back into the workspace, as those of node_modules to
// packages of the same repository do, lead into the copy instead. Nothing happens
// when the workspace has nothing there, or the copy has something.
//
// Errors are faults: dangerous for a path that leads out, environment.
func (s *Scratch) Link(name string) error {
	if err := checkPath(name, false); err != nil {
		return err
	}
	if _, err := s.w.disk.root.Stat(name); err != nil {
		return nil // nothing there to be linked
	}
	if _, err := s.inner.disk.root.Lstat(name); err == nil {
		return nil
	}
	err := s.inner.disk.root.MkdirAll(parent(name), 0o777)
	if err == nil {
		err = s.linkTree(name, 2)
	}
	return s.w.environment("make the folder for temporary files writable", err)
}

// linkTree links one entry. A folder with links back into the workspace becomes a
// folder of links, to the given depth.
func (s *Scratch) linkTree(name string, depth int) error {
	from := filepath.Join(s.w.dir, filepath.FromSlash(name))
	to := filepath.Join(s.dir, filepath.FromSlash(name))
	inner, err := s.leadsBack(name, depth)
	if err != nil {
		return err
	}
	if !inner {
		if err := os.Symlink(from, to); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	}
	if err := os.Mkdir(to, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		child := join(name, e.Name())
		if target, ok := s.back(child); ok {
			err = os.Symlink(target, filepath.Join(to, e.Name()))
		} else if e.IsDir() {
			err = s.linkTree(child, depth-1)
		} else {
			err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// leadsBack reports whether the folder holds a link back into the workspace.
func (s *Scratch) leadsBack(name string, depth int) (bool, error) {
	if depth == 0 {
		return false, nil
	}
	dir := filepath.Join(s.w.dir, filepath.FromSlash(name))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		child := join(name, e.Name())
		if _, ok := s.back(child); ok {
			return true, nil
		}
		if !e.IsDir() || !strings.HasPrefix(e.Name(), "@") {
			continue
		}
		if ok, err := s.leadsBack(child, depth-1); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// back returns where a link of the workspace that leads to a file which the copy
// has too leads there.
func (s *Scratch) back(name string) (string, bool) {
	link := filepath.Join(s.w.dir, filepath.FromSlash(name))
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(s.w.dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if _, err := s.inner.disk.root.Stat(filepath.ToSlash(rel)); err != nil {
		return "", false
	}
	return filepath.Join(s.dir, rel), true
}
