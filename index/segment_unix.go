//go:build unix

package index

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// newSegment returns memory from the operating system, or nil when it has none.
func newSegment(size int) *segment {
	data, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	s := &segment{data: data}
	runtime.AddCleanup(s, func(b []byte) { _ = unix.Munmap(b) }, data)
	return s
}
