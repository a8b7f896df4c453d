package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// watches says that this platform shows its processes, so that the limits on
// CPU time, memory and processes can be kept.
const watches = true

// clockTick is the unit of times in /proc; the kernel fixes it at 100 a second
// for user space on every platform that Go supports.
const clockTick = time.Second / 100

// tasks returns every process of the machine that can be seen.
func tasks() []task {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	page := int64(os.Getpagesize())
	var all []task
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if stat, err := os.ReadFile("/proc/" + name + "/stat"); err == nil {
			if t, ok := parseStat(stat, page); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// parseStat reads a line of /proc/PID/stat, see proc(5).
func parseStat(stat []byte, page int64) (task, bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return task{}, false
	}
	fields := strings.Fields(string(stat[end+1:]))
	// fields[0] is the third field of proc(5).
	const first = 3
	if len(fields) < 25-first {
		return task{}, false
	}
	number := func(field int) int64 {
		n, err := strconv.ParseInt(fields[field-first], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(stat[:open])))
	if err != nil {
		return task{}, false
	}
	ticks := number(14) + number(15) + number(16) + number(17)
	state := fields[0]
	return task{
		pid: pid, parent: int(number(4)), group: int(number(5)), start: uint64(number(22)), threads: int(number(20)),
		cpu: time.Duration(ticks) * clockTick, rss: number(24) * page, dead: state == "Z" || state == "X",
	}, true
}

// marked returns the processes whose environment holds the mark.
func marked(mark string) []int {
	if mark == "" {
		return nil
	}
	var found []int
	for _, t := range tasks() {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(t.pid) + "/environ")
		if err == nil && !t.dead && bytes.Contains(env, []byte(mark)) && t.pid != os.Getpid() {
			found = append(found, t.pid)
		}
	}
	return found
}

// attributes puts the process into a group of its own and ends it when the
// thread that started it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
