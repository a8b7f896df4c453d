//go:build unix

package patch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// keepOwner gives a staged file the owner of the file it will replace, where
// the system lets it.
func (d *disk) keepOwner(name string, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && (int(st.Uid) != os.Geteuid() || int(st.Gid) != os.Getegid()) {
		_ = d.root.Lchown(name, int(st.Uid), int(st.Gid))
	}
}

// lockFile takes the lock for itself alone, or fails when ctx ends. The system
// releases it when the process dies.
func lockFile(ctx context.Context, f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
