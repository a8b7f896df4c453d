package sandbox

import (
	"fmt"
	"syscall"

	"github.com/plumbkit/plumb/host/fault"
)

// result turns an ending into a Result, or into a Canceled fault.
func (e *ending) result(code int, promises Promises) (Result, error) {
	if e.canceled != nil {
		return Result{}, &fault.Fault{Class: fault.Canceled, Op: "sandbox.run", Detail: "the run was canceled before the command ended",
			State: "the command and its processes were ended", Next: "run it again; nothing has to be cleaned up", Err: e.canceled}
	}
	r := Result{
		ExitCode: code, Stdout: e.out.kept, Stderr: e.errs.kept, CutStdout: e.out.cut, CutStderr: e.errs.cut,
		Exceeded: e.exceeded, Wall: e.wall, CPU: e.cpu, PeakRSS: e.peak, Promises: promises,
	}
	if code > signalBase && code <= signalBase+64 {
		r.Signal = code - signalBase
	}
	return r, nil
}

// signalBase is added to a signal's number to make an exit code, as shells do.
const signalBase = 128

// exitCode returns the code of a process, in the shells' way for signals.
func (e *ending) exitCode() int {
	if status, ok := e.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalBase + int(status.Signal())
	}
	return e.state.ExitCode()
}

// limitPromises returns the promises about limits, which both sandboxes keep by
// the same means.
func limitPromises(l Limits) Promises {
	watched := func(name PromiseName, set bool, how string) Promise {
		switch {
		case !set:
			return Promise{name, false, "the caller set no limit"}
		case !watches:
			return Promise{name, false, "this platform's processes are not watched"}
		}
		return Promise{name, true, how}
	}
	wall := Promise{WallLimit, l.Wall > 0, fmt.Sprintf("everything is ended after %v", l.Wall)}
	if l.Wall <= 0 {
		wall.How = "the caller set no limit"
	}
	output := Promise{OutputLimit, l.Output >= 0, fmt.Sprintf("%d bytes of each stream are kept, the rest is counted", l.Output)}
	if l.Output < 0 {
		output.How = "the caller set no limit"
	}
	return Promises{
		wall,
		watched(CPULimit, l.CPU > 0, fmt.Sprintf("all processes are watched and ended above %v; each has the kernel's limit too", l.CPU)),
		watched(MemoryLimit, l.Memory > 0, fmt.Sprintf("resident memory is watched and everything ended above %d bytes; no process maps more than %d times that", l.Memory, dataFactor)),
		watched(ProcessLimit, l.Processes > 0, fmt.Sprintf("processes and threads are watched and all ended above %d", l.Processes)),
		output,
	}
}
