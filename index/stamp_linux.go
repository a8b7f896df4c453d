package index

import (
	"io/fs"
	"syscall"
)

func sysStamp(info fs.FileInfo) stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}
	}
	return stamp{inode: int64(st.Ino), size: st.Size, changed: st.Ctim.Nano()}
}
