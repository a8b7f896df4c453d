// Package sandbox runs commands apart from the machine: the source can be read,
// only named folders can be written, there is no network, no home folder and no
// credential, and time, memory, processes and output are limited.
//
// Bubblewrap is the default. Direct runs without isolation and is an explicit
// choice; Auto takes Bubblewrap where it works and Direct only where the host
// allowed it. Nothing falls back in silence: each Result says which promises
// held, and Unsandboxed marks a run without isolation. Check tries the promises
// out on the machine at hand.
package sandbox

import (
	"context"
	"time"
)

// A Sandbox runs commands. Implementations must be safe for concurrent use.
type Sandbox interface {
	// Run runs the command to its end and returns what it did. A command that
	// exits with a code, is killed by a limit or crashes is a Result, not an
	// error. Errors are faults: InvalidInput for a Command that Check refuses,
	// Environment when the program or the isolation cannot be had (then nothing
	// was run), Canceled when ctx ended. However Run ends, no process that the
	// command started is left; where a sandbox cannot promise that, its Result
	// says so.
	Run(ctx context.Context, cmd Command) (Result, error)
}

// Func makes a function a Sandbox.
type Func func(ctx context.Context, cmd Command) (Result, error)

// Run calls f.
func (f Func) Run(ctx context.Context, cmd Command) (Result, error) { return f(ctx, cmd) }

// A Command is what to run and what it may do. In JSON, here and in Result,
// times are in nanoseconds and streams in base64.
type Command struct {
	// Dir is the absolute path of the working directory. It can be read; it can
	// be written only when it lies in Writable.
	Dir string `json:"dir"`
	// Args are the program and its arguments. A program without a slash is
	// looked up in the command's PATH.
	Args []string `json:"args"`
	// Env are further variables as "NAME=value", added to the allow-list that
	// the sandbox passes on (see Environment); the last of a name counts.
	Env []string `json:"env,omitempty"`
	// Stdin is the standard input; nil is an empty one.
	Stdin []byte `json:"stdin,omitempty"`
	// Readable and Writable are absolute paths of existing files or folders that
	// the command may read, or read and write, beside the system's programs and
	// libraries. A module or build cache goes here.
	Readable []string `json:"readable,omitempty"`
	Writable []string `json:"writable,omitempty"`
	// Mounts put folders or files of the machine in other places, over whatever
	// is seen there otherwise; Dir may lie in one. A sandbox that cannot mount runs
	// the command in the Source that its Dir comes from, and Result.Mounted stays
	// false: what the command or its variables name by path is then not found.
	Mounts []Mount `json:"mounts,omitempty"`
	// Network lets the command reach the machine's network.
	Network bool `json:"network,omitempty"`
	// Limits end the command when it takes more.
	Limits Limits `json:"limits"`
}

// A Mount shows Source, a folder or file of the machine, at Target inside. What
// the machine has at Target cannot be reached then. Both are absolute paths; of
// two mounts the inner one counts for what lies in it.
type Mount struct {
	Source   string `json:"source"`
	Target   string `json:"target"`
	Writable bool   `json:"writable,omitempty"`
}

// Limits end a command. A zero field stands for the default named beside it, a
// negative one for no limit. Each counts the command with every process it starts.
type Limits struct {
	// Wall is the time from start to end; 10 minutes.
	Wall time.Duration `json:"wall,omitempty"`
	// CPU is the processor time of all processes together; 30 minutes.
	CPU time.Duration `json:"cpu,omitempty"`
	// Memory is the resident memory of all processes together, in bytes; 4 GiB.
	Memory int64 `json:"memory,omitempty"`
	// Output is what is kept of each of the two output streams, in bytes; 16
	// MiB. More is read and counted but not kept; it does not end the command.
	Output int64 `json:"output,omitempty"`
	// Processes is the number of processes and threads at one time; 2048.
	Processes int `json:"processes,omitempty"`
}

// withDefaults fills in zero fields; negative ones stay.
func (l Limits) withDefaults() Limits {
	fill(&l.Wall, 10*time.Minute)
	fill(&l.CPU, 30*time.Minute)
	fill(&l.Memory, 4<<30)
	fill(&l.Output, 16<<20)
	fill(&l.Processes, 2048)
	return l
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// A Result is what a command did.
type Result struct {
	// ExitCode is the command's exit code; 128 plus the signal's number when a
	// signal ended it.
	ExitCode int `json:"exit_code"`
	// Signal is the number of the signal that ended the command, or 0. In
	// Bubblewrap an exit code above 128 reads as a signal, as in a shell.
	Signal int `json:"signal,omitempty"`
	// Stdout and Stderr are the beginnings of the two streams, at most Limits.Output each.
	Stdout []byte `json:"stdout,omitempty"`
	Stderr []byte `json:"stderr,omitempty"`
	// CutStdout and CutStderr are the numbers of bytes that were not kept.
	CutStdout int64 `json:"cut_stdout,omitempty"`
	CutStderr int64 `json:"cut_stderr,omitempty"`
	// Exceeded is the limit that ended the command, or "".
	Exceeded Limit `json:"exceeded,omitempty"`
	// Wall and CPU are the time it took; PeakRSS is the most resident memory, in
	// bytes, that was seen of all processes together or of one of them.
	Wall    time.Duration `json:"wall"`
	CPU     time.Duration `json:"cpu"`
	PeakRSS int64         `json:"peak_rss"`
	// Unsandboxed says that the command ran without isolation. Whoever reports
	// the result reports this too.
	Unsandboxed bool `json:"unsandboxed,omitempty"`
	// Mounted says that the command's Mounts were made.
	Mounted bool `json:"mounted,omitempty"`
	// Promises says of each promise whether it held in this run.
	Promises Promises `json:"promises"`
}

// TimedOut reports whether the wall or CPU limit ended the command.
func (r Result) TimedOut() bool { return r.Exceeded == LimitWall || r.Exceeded == LimitCPU }

// A Limit names one of Limits that ended a command.
type Limit string

// The limits that can end a command.
const (
	LimitWall      Limit = "wall"
	LimitCPU       Limit = "cpu"
	LimitMemory    Limit = "memory"
	LimitProcesses Limit = "processes"
)
