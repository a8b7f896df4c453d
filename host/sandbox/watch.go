//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"context"
	"os"
	"syscall"
	"time"
)

// A watch looks at a run's processes at short intervals and ends them all when
// a limit is exceeded.
type watch struct {
	root   int
	limits Limits
	mark   string
	begin  time.Time
	// known are the processes seen so far: process ID to start time, which
	// together name a process even after its parent is gone.
	known map[int]uint64
	cpu   time.Duration
	peak  int64
}

// task is one process as the system shows it.
type task struct {
	pid, parent, group int
	start              uint64
	threads            int
	cpu                time.Duration
	rss                int64
	dead               bool
}

const (
	// interval is the least time between two looks, longest the most.
	interval = 15 * time.Millisecond
	longest  = 150 * time.Millisecond
	// share is how many times longer than a look takes the next one waits, so
	// that watching takes a few percent of one core at most.
	share = 20
	// sweepTime is how long ending the processes is tried.
	sweepTime = 5 * time.Second
)

// until watches until the process ended, ending it when a limit or ctx says so.
func (w *watch) until(ctx context.Context, ended <-chan *os.ProcessState) *ending {
	e := &ending{}
	done := ctx.Done()
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case e.state = <-ended:
			return e
		case <-done:
			e.canceled, done = ctx.Err(), nil
			w.killAll()
		case <-timer.C:
			begin := time.Now()
			if e.exceeded == "" && e.canceled == nil {
				e.exceeded = w.look()
			}
			if e.exceeded != "" || e.canceled != nil {
				w.killAll()
			}
			timer.Reset(w.pause(time.Since(begin)))
		}
	}
}

// pause returns how long to wait until the next look, given what the last one
// took; never past the end of the wall time.
func (w *watch) pause(took time.Duration) time.Duration {
	wait := min(max(interval, share*took), longest)
	if w.limits.Wall > 0 {
		wait = min(wait, time.Until(w.begin.Add(w.limits.Wall)))
	}
	return max(wait, time.Millisecond)
}

// look measures the run and returns the limit it exceeds, or "".
func (w *watch) look() Limit {
	var cpu time.Duration
	var rss int64
	threads := 0
	for _, t := range w.tree() {
		cpu += t.cpu
		rss += t.rss
		threads += t.threads
	}
	w.cpu, w.peak = max(w.cpu, cpu), max(w.peak, rss)
	l := w.limits
	switch {
	case l.Memory > 0 && rss > l.Memory:
		return LimitMemory
	case l.Processes > 0 && threads > l.Processes:
		return LimitProcesses
	case l.CPU > 0 && w.cpu > l.CPU:
		return LimitCPU
	case l.Wall > 0 && time.Since(w.begin) >= l.Wall:
		return LimitWall
	}
	return ""
}

// tree returns the live processes of the run: those that descend from the
// first one or share its group, and those seen before, whoever their parent is now.
func (w *watch) tree() []task {
	all := tasks()
	children := make(map[int][]task)
	var queue []task
	for _, t := range all {
		start, seen := w.known[t.pid]
		switch {
		case t.pid == w.root, t.group == w.root, seen && start == t.start:
			queue = append(queue, t)
		default:
			children[t.parent] = append(children[t.parent], t)
		}
	}
	var found []task
	for len(queue) > 0 {
		t := queue[0]
		queue = append(queue[1:], children[t.pid]...)
		delete(children, t.pid)
		if !t.dead {
			w.known[t.pid] = t.start
			found = append(found, t)
		}
	}
	return found
}

// killAll sends the kill signal to the group and to every process of the run.
// They are looked for before the first is hit: the children of a dead parent, in
// groups of their own, would no longer be known as the run's, and nobody would
// wait for them.
func (w *watch) killAll() {
	w.tree()
	// A process that is gone meanwhile is what is wanted.
	_ = syscall.Kill(-w.root, syscall.SIGKILL)
	for _, t := range w.tree() {
		_ = syscall.Kill(t.pid, syscall.SIGKILL)
	}
}

// sweep ends what the run left behind after its first process ended, and
// returns the numbers of the processes that would not end.
func (w *watch) sweep() []int {
	deadline := time.Now().Add(sweepTime)
	for {
		left := w.leftovers()
		// The first process is waited for: its number may be given to a stranger
		// from now on, so what follows goes by the processes known.
		delete(w.known, w.root)
		w.root = -1
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// leftovers returns the processes of the run that are still there: those of its
// group, those known, and those that carry its mark.
func (w *watch) leftovers() []int {
	var left []int
	seen := make(map[int]bool)
	for _, t := range w.tree() {
		left = append(left, t.pid)
		seen[t.pid] = true
	}
	for _, pid := range marked(w.mark) {
		if !seen[pid] {
			left = append(left, pid)
		}
	}
	return left
}
