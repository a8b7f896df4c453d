package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// Check tries each promise out on this machine and returns what was measured,
// in the order of PromiseNames (VER-22). It writes outside, reads a secret,
// opens a connection, starts too many processes, takes too much memory and
// leaves an orphan behind, all within small bounds, and removes what it made.
// Held means that the attempt was made and stopped; an attempt that could not be
// made is not held, and How says so. It needs a POSIX shell and takes some seconds.
//
// The error is that of the sandbox when a command could not be run at all, or
// an Environment fault when the attempts could not be prepared.
func Check(ctx context.Context, s Sandbox) (Promises, error) {
	bench, err := newBench(s)
	if err != nil {
		return nil, &fault.Fault{Class: fault.Environment, Op: "sandbox.check", Detail: "the attempts could not be prepared",
			State: "nothing was run", Next: "make the folder for temporary files writable", Err: errors.Join(err, bench.close())}
	}
	var measured Promises
	for _, name := range PromiseNames() {
		p, err := bench.attempt(ctx, name)
		if err != nil {
			return nil, fault.From(errors.Join(err, bench.close()), "sandbox.check", "run the check again")
		}
		measured = append(measured, p)
	}
	if err := bench.close(); err != nil {
		return nil, fault.From(err, "sandbox.check", "remove the folders whose names begin with plumb-check- by hand")
	}
	return measured, nil
}

// A bench is where the attempts are made.
type bench struct {
	sandbox Sandbox
	// source is the working directory; outside is named to no command.
	source, outside string
	// home is a folder in the user's home that holds a secret, or "".
	home string
}

const secret = "plumb-check-secret"

func newBench(s Sandbox) (*bench, error) {
	b := &bench{sandbox: s}
	var errSource, errOutside error
	b.source, errSource = os.MkdirTemp("", "plumb-check-")
	b.outside, errOutside = os.MkdirTemp("", "plumb-check-")
	if err := errors.Join(errSource, errOutside); err != nil {
		return b, err
	}
	if user, err := os.UserHomeDir(); err == nil {
		// A home that cannot be written leaves home empty: then it cannot be measured.
		b.home, _ = os.MkdirTemp(user, ".plumb-check-")
	}
	if b.home != "" {
		if err := os.WriteFile(filepath.Join(b.home, "secret"), []byte(secret), 0o600); err != nil {
			return b, err
		}
	}
	return b, os.WriteFile(filepath.Join(b.source, "source"), []byte("source"), 0o600)
}

func (b *bench) close() error {
	var errs []error
	for _, dir := range []string{b.source, b.outside, b.home} {
		if dir != "" {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	return errors.Join(errs...)
}

// run runs a script in the sandbox with the arguments as $1 and on.
func (b *bench) run(ctx context.Context, l Limits, script string, args ...string) (Result, error) {
	if l.Wall == 0 {
		l.Wall = 20 * time.Second
	}
	return b.sandbox.Run(ctx, Command{Dir: b.source, Limits: l, Args: append([]string{"sh", "-c", script, "sh"}, args...)})
}

// attempt tries to break one promise and reports what came of it.
func (b *bench) attempt(ctx context.Context, name PromiseName) (Promise, error) {
	attempts := map[PromiseName]func(context.Context) (held bool, how string, err error){
		SourceReadOnly: b.changeSource,
		NoOutsideWrite: b.writeOutside,
		NoHome:         b.readSecret,
		NoNetwork:      b.openConnection,
		EnvReduced:     b.readEnvironment,
		WallLimit:      b.overstay,
		CPULimit:       b.burn,
		MemoryLimit:    b.hog,
		ProcessLimit:   b.multiply,
		OutputLimit:    b.flood,
		NoOrphans:      b.orphan,
	}
	held, how, err := attempts[name](ctx)
	return Promise{Name: name, Held: held, How: how}, err
}

func (b *bench) changeSource(ctx context.Context) (bool, string, error) {
	path := filepath.Join(b.source, "source")
	_, err := b.run(ctx, Limits{}, `echo changed >"$1"; rm -f "$1"; echo new >new; true`, path)
	if err != nil {
		return false, "", err
	}
	data, readErr := os.ReadFile(path)
	_, newErr := os.Lstat(filepath.Join(b.source, "new"))
	if readErr != nil || string(data) != "source" || !os.IsNotExist(newErr) {
		return false, "a command changed the working directory", nil
	}
	return b.changeCovered(ctx)
}

// changeCovered mounts a writable folder over the working directory: what a
// command writes at its path is to reach that folder alone.
func (b *bench) changeCovered(ctx context.Context) (bool, string, error) {
	over, err := os.MkdirTemp(b.outside, "over-")
	if err != nil {
		return false, "not measured: no folder could be made to be mounted", nil
	}
	r, err := b.sandbox.Run(ctx, Command{Dir: b.source, Limits: Limits{Wall: 20 * time.Second},
		Mounts: []Mount{{Source: over, Target: b.source, Writable: true}},
		Args:   []string{"sh", "-c", `ls; rm -f source; echo new >new; cp new source`}})
	if err != nil {
		return false, "", err
	}
	data, readErr := os.ReadFile(filepath.Join(b.source, "source"))
	_, leftErr := os.Lstat(filepath.Join(b.source, "new"))
	written, overErr := os.ReadFile(filepath.Join(over, "new"))
	switch {
	case readErr != nil || string(data) != "source" || !os.IsNotExist(leftErr):
		return false, "a command changed what a mount was to cover", nil
	case !r.Mounted || overErr != nil || string(written) != "new\n" || len(r.Stdout) > 0:
		return false, "a folder could not be mounted over the working directory", nil
	}
	return true, "a file of the working directory could not be changed, removed or added, nor through a folder mounted over it", nil
}

func (b *bench) writeOutside(ctx context.Context) (bool, string, error) {
	path := filepath.Join(b.outside, "written")
	_, err := b.run(ctx, Limits{}, `mkdir -p "$(dirname "$1")"; echo x >"$1"; true`, path)
	if err != nil {
		return false, "", err
	}
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return true, "a file outside could not be written", nil
	}
	return false, "a command wrote a file outside", nil
}

func (b *bench) readSecret(ctx context.Context) (bool, string, error) {
	if b.home == "" {
		return false, "not measured: no secret could be put into the home folder", nil
	}
	r, err := b.run(ctx, Limits{}, `cat "$1"; true`, filepath.Join(b.home, "secret"))
	if err != nil {
		return false, "", err
	}
	if string(r.Stdout) == secret {
		return false, "a command read a secret in the home folder", nil
	}
	return true, "a secret in the home folder could not be read", nil
}

func (b *bench) overstay(ctx context.Context) (bool, string, error) {
	r, err := b.run(ctx, Limits{Wall: 300 * time.Millisecond}, `trap "" TERM INT HUP; sleep 1; sleep 1`)
	if err != nil {
		return false, "", err
	}
	if r.Exceeded == LimitWall && r.Wall < 2*time.Second {
		return true, fmt.Sprintf("a command given 0.3 s was ended after %.1f s", r.Wall.Seconds()), nil
	}
	return false, fmt.Sprintf("a command given 0.3 s ran for %.1f s", r.Wall.Seconds()), nil
}

func (b *bench) burn(ctx context.Context) (bool, string, error) {
	r, err := b.run(ctx, Limits{CPU: 200 * time.Millisecond, Wall: 2 * time.Second}, `while :; do :; done & while :; do :; done`)
	if err != nil {
		return false, "", err
	}
	if r.Exceeded == LimitCPU {
		return true, fmt.Sprintf("two processes given 0.2 s of CPU time were ended after %.1f s", r.CPU.Seconds()), nil
	}
	return false, fmt.Sprintf("two processes given 0.2 s of CPU time used %.1f s", r.CPU.Seconds()), nil
}

func (b *bench) flood(ctx context.Context) (bool, string, error) {
	const given, written = 1000, 1_000_000
	r, err := b.run(ctx, Limits{Output: given}, `head -c 1000000 /dev/zero`)
	if err != nil {
		return false, "", err
	}
	if len(r.Stdout) == given && r.CutStdout == written-given {
		return true, "1,000 of 1,000,000 bytes were kept and the others counted", nil
	}
	return false, fmt.Sprintf("of 1,000,000 bytes %d were kept and %d counted", len(r.Stdout), r.CutStdout), nil
}

func (b *bench) hog(ctx context.Context) (bool, string, error) {
	r, err := b.run(ctx, Limits{Memory: 48 << 20}, `head -c 300000000 /dev/zero | tail -c 300000000 | wc -c; true`)
	if err != nil {
		return false, "", err
	}
	took := r.PeakRSS >> 20
	switch {
	case r.Exceeded == LimitMemory:
		return true, fmt.Sprintf("a command given 48 MiB was ended at %d MiB", took), nil
	case r.ExitCode != 0 || len(r.Stderr) > 0:
		return true, fmt.Sprintf("a command given 48 MiB was refused more, at %d MiB", took), nil
	}
	return false, fmt.Sprintf("a command given 48 MiB took %d MiB", took), nil
}

func (b *bench) multiply(ctx context.Context) (bool, string, error) {
	const script = `i=0; while [ $i -lt 100 ]; do sleep 2 & i=$((i+1)); done; wait; echo all`
	r, err := b.run(ctx, Limits{Processes: 40}, script)
	if err != nil {
		return false, "", err
	}
	switch {
	case r.Exceeded == LimitProcesses:
		return true, "a command given 40 processes that started 100 was ended", nil
	case r.ExitCode != 0 && len(r.Stderr) > 0:
		return true, "a command given 40 processes was refused more", nil
	}
	return false, "a command given 40 processes started 100", nil
}
