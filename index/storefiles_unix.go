//go:build unix

package index

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// mapFile maps a regular file for reading, nil when it cannot be.
func mapFile(path string) *segment {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > 1<<40 {
		return nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	s := &segment{data: data}
	runtime.AddCleanup(s, func(b []byte) { _ = unix.Munmap(b) }, data)
	return s
}

// ownFolder reports whether a folder is this user's own, or not there.
func ownFolder(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return os.IsNotExist(err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return info.IsDir() && (!ok || int(st.Uid) == os.Geteuid())
}

// lockFile takes the lock of a file without waiting; nil when another has it.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		_ = f.Close()
		return nil
	}
	return func() { _ = f.Close() }
}
