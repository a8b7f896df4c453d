// Package jest runs JavaScript and TypeScript tests with jest.
//
// The project's own jest runs inside the sandbox, in the folder that configures
// it, without coverage, watching or new snapshots, and with no network. A test
// is named by its file and by the titles around it and its own, joined by " > ".
package jest

import (
	"context"
	_ "embed"
	"io/fs"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/internal/nodejs"
)

//go:embed script/reporter.cjs
var reporter []byte

// Runner runs jest, from version 27 on. The zero value is ready to use; it must
// not be changed while it runs. Several runs may go on at once.
type Runner struct {
	// Node is the node command; "" looks it up in PATH.
	Node string
	// Flags are further flags of jest, such as --runInBand.
	Flags []string
	// Limits bound each command; a zero Wall is taken from the Run's timeout.
	Limits sandbox.Limits
}

// Languages returns the names of the languages whose tests the tool runs.
func Languages() []string { return nodejs.Languages() }

// Run runs the tests: one command for each project that holds some of them. A
// name that jest did not report is returned as not run.
func (r *Runner) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	return r.tool().Run(ctx, box, run)
}

// Tooling returns what the tool needs inside a sandbox; see verify.Equipped.
func (r *Runner) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	return r.tool().Tooling(ctx, dir)
}

// Uses reports whether jest runs a test file, or the tests of a folder, of a
// tree, and how that is known. The path is relative to the tree.
func Uses(fsys fs.FS, file string) (uses bool, why string) {
	u := nodejs.Detect(fsys, file)
	return u.Tool == "jest", u.Why
}

func (r *Runner) tool() nodejs.Tool {
	return nodejs.Tool{Name: "jest", Reporter: reporter, ReporterFile: "reporter.cjs", Args: r.args, Node: r.Node, Limits: r.Limits}
}

func (r *Runner) args(c nodejs.Call) []string {
	args := []string{"--ci", "--passWithNoTests", "--coverage=false", "--watchAll=false", "--notify=false"}
	if c.Reporter != "" {
		args = append(args, "--reporters="+c.Reporter, "--cacheDirectory="+c.Cache)
	}
	if c.Pattern != "" {
		args = append(args, "--testNamePattern="+c.Pattern)
	}
	args = append(args, r.Flags...)
	if len(c.Files) > 0 {
		args = append(append(args, "--runTestsByPath"), c.Files...)
	}
	return args
}
