package index

import (
	"io/fs"
	"time"
)

// A stamp lets a file be taken as unchanged without reading it, as git does:
// inode, size and change time are the same, and the change time was old enough
// when the file was read that no later change can bear the same. The change
// time, unlike the modification time, cannot be set back by a program. File
// systems that do not tell it give no stamp, and their files are always read.
type stamp struct {
	inode, size int64
	changed     int64 // nanoseconds since 1970; 0: no stamp
}

// settled is how long before reading a file must have changed last.
const settled = 2 * time.Second

// stampOf returns the stamp of a file that is read no sooner than since.
func stampOf(info fs.FileInfo, since time.Time) stamp {
	if info == nil {
		return stamp{}
	}
	st := sysStamp(info)
	if st.changed > since.Add(-settled).UnixNano() {
		return stamp{}
	}
	return st
}

// same reports whether the stamps say that the content is the same.
func (s stamp) same(o stamp) bool { return s.changed != 0 && s == o }

// holds reports whether the file was last seen with the stamp.
func (f *file) holds(s stamp) bool {
	mine := f.stamp.Load()
	return mine != nil && mine.same(s)
}

// stampWith notes that the file's content was just found on disk under s.
func (f *file) stampWith(s stamp) *file {
	f.stamp.Store(&s)
	return f
}
