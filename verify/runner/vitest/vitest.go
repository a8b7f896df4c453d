// Package vitest runs TypeScript and JavaScript tests with vitest.
//
// The project's own vitest runs inside the sandbox, in the folder that
// configures it, without coverage, type tests, watching or new snapshots, and
// with no network. A test is named by its file and by the titles around it and
// its own, joined by " > ".
package vitest

import (
	"context"
	_ "embed"
	"io/fs"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/internal/nodejs"
)

//go:embed script/reporter.mjs
var reporter []byte

// Runner runs vitest, from version 1 on. The zero value is ready to use; it must
// not be changed while it runs. Several runs may go on at once.
type Runner struct {
	// Node is the node command; "" looks it up in PATH.
	Node string
	// Flags are further flags of vitest run, such as --pool=forks.
	Flags []string
	// Limits bound each command; a zero Wall is taken from the Run's timeout.
	Limits sandbox.Limits
}

// Languages returns the names of the languages whose tests the tool runs.
func Languages() []string { return nodejs.Languages() }

// Run runs the tests: one command for each project that holds some of them. A
// name that vitest did not report is returned as not run.
func (r *Runner) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	return r.tool().Run(ctx, box, run)
}

// Tooling returns what the tool needs inside a sandbox; see verify.Equipped.
func (r *Runner) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	return r.tool().Tooling(ctx, dir)
}

// Uses reports whether vitest runs a test file, or the tests of a folder, of a
// tree, and how that is known. The path is relative to the tree.
func Uses(fsys fs.FS, file string) (uses bool, why string) {
	u := nodejs.Detect(fsys, file)
	return u.Tool == "vitest", u.Why
}

func (r *Runner) tool() nodejs.Tool {
	return nodejs.Tool{Name: "vitest", Reporter: reporter, ReporterFile: "reporter.mjs", Args: r.args, Node: r.Node, Limits: r.Limits}
}

func (r *Runner) args(c nodejs.Call) []string {
	args := []string{"run", "--passWithNoTests", "--coverage.enabled=false", "--typecheck.enabled=false"}
	if c.Reporter != "" {
		args = append(args, "--reporter="+c.Reporter, "--no-cache")
	}
	if c.Pattern != "" {
		args = append(args, "--testNamePattern="+c.Pattern)
	}
	return append(append(args, r.Flags...), c.Files...)
}
