package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// check returns an InvalidInput fault for a mount that cannot be made.
func (m Mount) check() error {
	if err := checkPath(m.Source); err != nil {
		return err
	}
	target := filepath.Clean(m.Target)
	if !filepath.IsAbs(m.Target) || target == "/" {
		return refuse(m.Target, "a mount has to have an absolute path below the root as its target", "correct Mounts")
	}
	for _, path := range append(systemPaths(), "/proc", "/dev", "/tmp", "/run") {
		if within(path, target) {
			return refuse(m.Target, "a mount would hide "+path+", which every command needs", "mount into another place")
		}
	}
	return nil
}

// mountOf returns the mount that a path inside comes from, the innermost one.
func (c Command) mountOf(path string) (m Mount, ok bool) {
	for _, x := range c.Mounts {
		if within(path, x.Target) && (!ok || len(filepath.Clean(x.Target)) >= len(filepath.Clean(m.Target))) {
			m, ok = x, true
		}
	}
	return m, ok
}

// outside is where the machine has what a path inside leads to.
func (c Command) outside(path string) string {
	m, ok := c.mountOf(path)
	if !ok {
		return path
	}
	rest := strings.TrimPrefix(filepath.Clean(path), filepath.Clean(m.Target))
	return filepath.Join(m.Source, rest)
}

// unmounted is the command for a sandbox that cannot mount: it runs where its
// folder comes from.
func (c Command) unmounted() Command {
	dir := c.Dir
	c.Dir = c.outside(dir)
	if m, ok := c.mountOf(dir); ok && m.Writable {
		c.Writable = append(slices.Clone(c.Writable), m.Source)
	}
	c.Mounts = nil
	return c
}

// covered reports whether the working directory lies in a mount that hides what
// the machine has in its place, so that writing to it changes nothing there.
func (c Command) covered() (Mount, bool) {
	m, ok := c.mountOf(c.Dir)
	if !ok || filepath.Clean(m.Source) == filepath.Clean(m.Target) {
		return Mount{}, false
	}
	for _, path := range c.Writable {
		if inner := filepath.Clean(path); inner != filepath.Clean(m.Target) && within(inner, m.Target) {
			return Mount{}, false
		}
	}
	for _, other := range c.Mounts {
		if other.Writable && within(other.Source, m.Target) {
			return Mount{}, false
		}
	}
	return m, true
}
