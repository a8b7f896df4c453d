package gotest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// toolchain is the go command with the folders and variables it needs inside a sandbox.
type toolchain struct {
	command  string
	version  string
	env      []string
	readable []string
	writable []string
}

// locate finds the go command and its folders. It asks the tool itself, in a
// folder without a module, so that no file of a repository takes part.
func (r *Runner) locate(ctx context.Context) (toolchain, error) {
	name := r.Go
	if name == "" {
		name = "go"
	}
	command, err := exec.LookPath(name)
	if err != nil {
		return toolchain{}, missing(err, "install Go and have it in PATH, or set Runner.Go")
	}
	if command, err = filepath.Abs(command); err != nil {
		return toolchain{}, missing(err, "set Runner.Go to an absolute path")
	}
	cmd := exec.CommandContext(ctx, command, "env", "-json", "GOROOT", "GOMODCACHE", "GOFLAGS", "GOVERSION")
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
	data, err := cmd.Output()
	if ctx.Err() != nil {
		return toolchain{}, fault.From(ctx.Err(), "gotest.run", "run it again")
	}
	if err != nil {
		return toolchain{}, missing(err, "run go env and mend what it says")
	}
	var env struct{ GOROOT, GOMODCACHE, GOFLAGS, GOVERSION string }
	if err := json.Unmarshal(data, &env); err != nil {
		return toolchain{}, missing(err, "run go env -json and mend what it says")
	}
	cache := r.Cache
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return toolchain{}, missing(err, "set Runner.Cache")
		}
		cache = filepath.Join(user, "plumb", "gotest")
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return toolchain{}, missing(err, "set Runner.Cache to a folder that can be written")
	}
	return toolchain{
		command: command, version: env.GOVERSION,
		env: []string{
			"PATH=" + filepath.Join(env.GOROOT, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
			"GOROOT=" + env.GOROOT, "GOMODCACHE=" + env.GOMODCACHE, "GOCACHE=" + cache, "GOFLAGS=" + env.GOFLAGS,
			"GOTOOLCHAIN=local", "GOPROXY=off", "GOSUMDB=off", "GOTELEMETRY=off", "GOWORK=" + os.Getenv("GOWORK"),
		},
		readable: existing(env.GOROOT, env.GOMODCACHE),
		writable: []string{cache},
	}, nil
}

// run adds to a command what the go command needs.
func (t toolchain) run(c sandbox.Command, l sandbox.Limits) sandbox.Command {
	c.Env, c.Readable, c.Limits = t.env, t.readable, l
	c.Writable = append(c.Writable, t.writable...)
	return c
}

// Tooling returns what the go command needs inside a sandbox; see verify.Equipped.
func (r *Runner) Tooling(ctx context.Context, _ string) (verify.Tooling, error) {
	t, err := r.locate(ctx)
	if err != nil {
		return verify.Tooling{}, err
	}
	return verify.Tooling{Env: t.env, Readable: t.readable, Writable: t.writable, Versions: map[string]string{"go": t.version}}, nil
}

// existing leaves out folders that are not there: a machine without downloaded
// modules has no module cache.
func existing(dirs ...string) []string {
	var out []string
	for _, d := range dirs {
		if info, err := os.Stat(d); err == nil && info.IsDir() {
			out = append(out, d)
		}
	}
	return out
}

func missing(err error, next string) error {
	return &fault.Fault{Class: fault.Environment, Op: "gotest.run", Subject: fault.Subject{Text: "go"},
		Detail: "the go command cannot be used", Next: next, Err: err}
}
