//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openPlain opens a regular file, following no link in its last element and
// waiting for nobody, and closes it to others than its owner.
func openPlain(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err == nil && flags != os.O_RDONLY && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openLocked opens the file for reading and writing, makes it when it is not
// there, and holds its lock until it is closed. It waits for other writers
// until ctx ends.
func openLocked(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := openPlain(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		if err := lock(ctx, f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if same(f, path) {
			return f, nil
		}
		// It was removed while this writer waited: lock the new one.
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// lock polls, so that a waiting writer can be canceled.
func lock(ctx context.Context, f *os.File) error {
	wait := 100 * time.Microsecond
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait = min(2*wait, 5*time.Millisecond)
	}
}

func same(f *os.File, path string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}

// syncDir makes a new or removed name in the folder durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
