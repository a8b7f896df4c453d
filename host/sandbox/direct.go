package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/plumbkit/plumb/host/fault"
)

// Direct runs commands on the machine itself, without isolation. It reduces the
// environment, gives the command an empty home and temporary folder, keeps the
// limits by watching the processes, and ends what it finds of them; nothing
// keeps the command from reading or writing whatever the user can. Its Results
// are marked Unsandboxed. Use it only where a host chose to: Auto does so when
// it is allowed. The zero value is ready.
type Direct struct{}

// Run runs the command without isolation; see Sandbox.
func (d Direct) Run(ctx context.Context, c Command) (r Result, err error) {
	if err := before(ctx, c); err != nil {
		return Result{}, err
	}
	c = c.unmounted()
	home, err := os.MkdirTemp("", "plumb-run-")
	if err != nil {
		return Result{}, cannotPrepare(err)
	}
	defer func() {
		if removeErr := removeAll(home); removeErr != nil && err == nil {
			r, err = Result{}, cannotClean(home, removeErr)
		}
	}()
	temp := filepath.Join(home, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		return Result{}, cannotPrepare(err)
	}
	env := c.environ(home, temp)
	program, err := c.program(env)
	if err != nil {
		return Result{}, err
	}
	return d.run(ctx, c, program, env)
}

func (Direct) run(ctx context.Context, c Command, program string, env []string) (Result, error) {
	limits := c.Limits.withDefaults()
	args := limited(limits, program, c.Args[1:])
	mark := "PLUMB_RUN=" + rand.Text()
	cmd := &exec.Cmd{Path: shell, Args: args, Env: append(env, mark), Dir: c.Dir, SysProcAttr: attributes()}
	p := &process{cmd: cmd, limits: limits, mark: mark}
	end, err := p.run(ctx, c.Stdin)
	if err != nil {
		return Result{}, err
	}
	r, err := end.result(end.exitCode(), directPromises(c, limits))
	r.Unsandboxed = err == nil
	return r, err
}

// directPromises says what a run without isolation keeps, and what it does not.
func directPromises(c Command, l Limits) Promises {
	const open = "the run is not isolated"
	ps := Promises{
		{SourceReadOnly, false, open},
		{NoOutsideWrite, false, open},
		{NoHome, false, "HOME is an empty folder, but the real one can be reached by its path"},
		{NoNetwork, false, open},
		c.envPromise(),
	}
	ps = append(ps, limitPromises(l)...)
	return append(ps, Promise{NoOrphans, false, "what is found of the processes is ended; one that leaves its group and hides its environment can escape"})
}

// before makes the checks that every sandbox begins with.
func before(ctx context.Context, c Command) error {
	if err := ctx.Err(); err != nil {
		return &fault.Fault{Class: fault.Canceled, Op: "sandbox.run", Detail: "the run was canceled before it began",
			State: "nothing was run", Next: "run it again; nothing has to be cleaned up", Err: err}
	}
	return c.Check()
}

func cannotPrepare(err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Detail: "no temporary folder could be made for the run",
		State: "nothing was run", Next: "make the folder for temporary files writable", Err: err}
}

func cannotClean(dir string, err error) error {
	return &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Subject: fault.Subject{File: dir},
		Detail: "the command was run, but its temporary folder could not be removed", State: "the folder is left behind",
		Next: "remove the folder by hand and run the command again", Err: err}
}

// removeAll removes a folder, read-only ones inside it too: module caches are
// made of them.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	walkErr := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return err
	})
	if err := os.RemoveAll(dir); err != nil {
		return errors.Join(err, walkErr)
	}
	return nil
}
