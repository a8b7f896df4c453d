//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// usageOfProcess returns the CPU time spent so far and the largest resident
// size, in bytes.
func usageOfProcess() (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	peak = int64(u.Maxrss) << 10 // kilobytes
	if runtime.GOOS == "darwin" {
		peak = int64(u.Maxrss) // bytes
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), peak
}
