package verify

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/host/sandbox"
)

// A recorder is a sandbox that writes into the report what ran in it (VER-20).
type recorder struct {
	inner  sandbox.Sandbox
	report *Report
	// root is the folder of the tree that commands run in, seen where they find it
	// in the sandbox, tree its name.
	root, seen, tree string
	mu               *sync.Mutex // of report
}

// in returns the recorder for commands in a tree.
func (r *recorder) in(root, tree string) *recorder {
	return &recorder{inner: r.inner, report: r.report, root: root, tree: tree, mu: r.mu}
}

// at is the recorder with the place that commands find the tree at, "" for its own.
func (r *recorder) at(seen string) *recorder {
	r.seen = seen
	return r
}

// Run runs the command in the inner sandbox. A runner may run several at once.
func (r *recorder) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	res, err := r.inner.Run(ctx, cmd)
	if err != nil {
		return res, err
	}
	e := Executed{Args: cmd.Args, Dir: relative(cmd.Dir, r.root, r.seen), Tree: r.tree, ExitCode: res.ExitCode, Elapsed: res.Wall, Unsandboxed: res.Unsandboxed}
	for _, p := range res.Promises.Broken() {
		e.Broken = append(e.Broken, string(p.Name))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Commands = append(r.report.Commands, e)
	env := &r.report.Environment
	env.Sandboxed = env.Sandboxed && !res.Unsandboxed
	for _, pair := range cmd.Env {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env.Variables[name] = value
		}
	}
	return res, nil
}

// relative is the folder relative to the first of the roots that it lies in.
func relative(dir string, roots ...string) string {
	for _, root := range roots {
		if rel, err := filepath.Rel(root, dir); root != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return dir
}

// hostEnvironment is the Environment before anything ran.
func hostEnvironment() Environment {
	return Environment{OS: runtime.GOOS, Arch: runtime.GOARCH, Tools: map[string]string{}, Variables: map[string]string{}, Sandboxed: true}
}
