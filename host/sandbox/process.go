//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// A process is a command being run and watched, the way both sandboxes do it.
type process struct {
	cmd    *exec.Cmd
	limits Limits
	// mark is an environment entry that every process of the run inherits
	// unless it clears its environment; "" where none is needed.
	mark string
}

// An ending is how a process ended.
type ending struct {
	state     *os.ProcessState
	exceeded  Limit
	canceled  error
	wall      time.Duration
	cpu       time.Duration
	peak      int64
	out, errs capped
}

// limitScript sets the limits that the kernel keeps for each single process and
// becomes the command: CPU seconds, KiB of data (both "-" for none), program,
// arguments. It also makes the command the first that a machine out of memory ends.
const limitScript = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0 2>/dev/null
[ "$1" = - ] || ulimit -t "$1" 2>/dev/null
[ "$2" = - ] || ulimit -d "$2" 2>/dev/null
shift 2
exec "$@"`

// shell is where POSIX systems keep their shell.
const shell = "/bin/sh"

// limited wraps program and args so that they run under the kernel's limits.
// Those are coarser than the watched ones and catch what happens between two looks.
func limited(l Limits, program string, args []string) []string {
	cpu, data := "-", "-"
	if l.CPU > 0 {
		cpu = strconv.Itoa(int((l.CPU+time.Second-1)/time.Second) + 1)
	}
	if l.Memory > 0 {
		data = strconv.FormatInt(dataFactor*l.Memory/1024, 10)
	}
	return append([]string{shell, "-c", limitScript, shell, cpu, data, program}, args...)
}

// dataFactor times the memory limit is what one process may map as data. Mapped
// is not resident: thread stacks and heaps are mapped far ahead of their use.
const dataFactor = 4

// run starts the process, watches it to its end, and leaves none of it behind.
func (p *process) run(ctx context.Context, stdin []byte) (*ending, error) {
	pipes, err := p.connect(stdin)
	if err != nil {
		return nil, cannotStart(err)
	}
	started, ended := make(chan error, 1), make(chan *os.ProcessState, 1)
	begin := time.Now()
	go p.startAndWait(started, ended)
	err = <-started
	pipes.closeChildEnds()
	if err != nil {
		pipes.abandon()
		return nil, cannotStart(err)
	}
	w := &watch{root: p.cmd.Process.Pid, limits: p.limits, mark: p.mark, begin: begin, known: make(map[int]uint64)}
	e := w.until(ctx, ended)
	e.wall = time.Since(begin)
	left := w.sweep()
	e.out, e.errs = pipes.finish()
	if len(left) > 0 {
		return nil, leftBehind(left)
	}
	e.cpu = max(w.cpu, e.state.UserTime()+e.state.SystemTime())
	e.peak = max(w.peak, maxRSS(e.state))
	return e, nil
}

// startAndWait keeps one system thread from start to end: the kernel ends the
// child when the thread that started it ends, not the program.
func (p *process) startAndWait(started chan<- error, ended chan<- *os.ProcessState) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	// The exit code is in the state; that it is not 0 is no error here.
	_ = p.cmd.Wait()
	ended <- p.cmd.ProcessState
}

func cannotStart(err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Detail: "the process could not be started",
		State: "nothing was run", Next: "make the machine able to start processes, then run it again", Err: err}
}

func leftBehind(pids []int) error {
	return &fault.Fault{Class: fault.PartialFailure, Op: "sandbox.run", Subject: fault.Subject{Text: fmt.Sprint(pids)},
		Detail: fmt.Sprintf("%d processes of the command would not end", len(pids)), State: "the command is over, these processes still run",
		Next: "end them by hand, and run the command in Bubblewrap, where the kernel ends them"}
}

// maxRSS returns the most resident memory of one of the processes, in bytes.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}

// capped is what was kept of a stream.
type capped struct {
	kept []byte
	cut  int64
}

// pipes are the parent's and the child's ends of the three streams.
type pipes struct {
	parent   []*os.File
	child    []*os.File
	out, err chan capped
}

// connect gives the command its streams and starts to serve them.
func (p *process) connect(stdin []byte) (*pipes, error) {
	s := &pipes{out: make(chan capped, 1), err: make(chan capped, 1)}
	inR, inW, errIn := os.Pipe()
	outR, outW, errOut := os.Pipe()
	errR, errW, errErr := os.Pipe()
	s.child, s.parent = []*os.File{inR, outW, errW}, []*os.File{inW, outR, errR}
	if err := errors.Join(errIn, errOut, errErr); err != nil {
		s.closeChildEnds()
		s.closeParentEnds()
		return nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
	go func() {
		// A command that does not read its input is no error.
		_, _ = inW.Write(stdin)
		_ = inW.Close()
	}()
	go func() { s.out <- readCapped(outR, p.limits.Output) }()
	go func() { s.err <- readCapped(errR, p.limits.Output) }()
	return s, nil
}

// readCapped reads r to its end, keeps the first limit bytes (all of them for a
// negative limit) and counts the rest.
func readCapped(r io.Reader, limit int64) capped {
	var c capped
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		keep := int64(n)
		if limit >= 0 {
			keep = min(keep, limit-int64(len(c.kept)))
		}
		c.kept = append(c.kept, buf[:keep]...)
		c.cut += int64(n) - keep
		if err != nil {
			return c
		}
	}
}

func (s *pipes) closeChildEnds() { closeAll(s.child) }

func (s *pipes) closeParentEnds() { closeAll(s.parent) }

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// abandon ends the goroutines that serve the streams of a command that never started.
func (s *pipes) abandon() {
	s.closeParentEnds()
	<-s.out
	<-s.err
}

// drainTime is how long output is still read after the run when a process that
// escaped holds a stream open.
const drainTime = time.Second

// finish returns what was kept of both streams and closes them.
func (s *pipes) finish() (out, errs capped) {
	timer := time.AfterFunc(drainTime, s.closeParentEnds)
	out, errs = <-s.out, <-s.err
	timer.Stop()
	s.closeParentEnds()
	return out, errs
}
