//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sandbox

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

const (
	watches    = false
	shell      = "/bin/sh"
	dataFactor = 4
)

type process struct {
	cmd    *exec.Cmd
	limits Limits
	mark   string
}

type capped struct {
	kept []byte
	cut  int64
}

type ending struct {
	state     *os.ProcessState
	exceeded  Limit
	canceled  error
	wall      time.Duration
	cpu       time.Duration
	peak      int64
	out, errs capped
}

func limited(Limits, string, []string) []string { return nil }

func attributes() *syscall.SysProcAttr { return nil }

func (p *process) run(context.Context, []byte) (*ending, error) {
	return nil, &fault.Fault{Class: fault.Unsupported, Op: "sandbox.run",
		Detail: "this platform has no process groups that plumb uses", State: "nothing was run",
		Next: "run on Linux, or bring a Sandbox of your own"}
}
