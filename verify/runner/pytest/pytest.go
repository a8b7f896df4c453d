// Package pytest runs Python tests with python -m pytest.
//
// The results are those of pytest's JUnit XML report. A plugin of plumb's own
// writes down each step while it is taken: from it come the exact names of the
// tests, and, where the process died before its report, how far it got.
//
// What a project's own options set holds, but for what keeps a test from being
// reported: tests run in one process (-n and --dist of pytest-xdist are off), all
// of them (-x, --maxfail, --lf, --ff, --sw are off), once (--reruns is off). Tests
// that -k, -m or --deselect leave out are reported as not run.
package pytest

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// Runner runs pytest. The zero value is ready to use; it must not be changed while
// it runs. Several runs may go on at once.
type Runner struct {
	// Python is the interpreter; "" takes that of the nearest virtual environment
	// of the project that has pytest (.venv, venv or env, where uv, poetry and
	// others make it), else that of VIRTUAL_ENV, else python3 in PATH.
	Python string
	// Flags are further options of pytest.
	Flags []string
	// Limits bound each command; a zero Wall is the Run's timeout.
	Limits sandbox.Limits
}

// defaultTimeout bounds one command when the Run gives no timeout.
const defaultTimeout = 10 * time.Minute

// Languages returns the names of the languages whose tests the tool runs.
func Languages() []string { return []string{"python"} }

// Run runs the tests: one command for each project that holds some of them, and
// for each repetition. See verify.Runner.
func (r *Runner) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	if run.Timeout <= 0 {
		run.Timeout = defaultTimeout
	}
	jobs, lost, err := plan(run)
	if err != nil {
		return nil, err
	}
	var out []verify.Outcome
	for _, j := range jobs {
		for range max(run.Repeat, 1) {
			got, err := r.once(ctx, box, run, j)
			if err != nil {
				return nil, err
			}
			out = append(out, got...)
		}
	}
	for _, id := range lost {
		out = append(out, verify.Outcome{Test: id, Status: verify.NotRun, Reason: "there is no such file or folder", Command: []string{"pytest"}})
	}
	return out, nil
}

// Tooling returns what Python needs inside a sandbox; see verify.Equipped. The
// interpreter is that of the repository's root.
func (r *Runner) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	py, err := r.locate(ctx, dir, ".")
	if err != nil {
		return verify.Tooling{}, err
	}
	t := verify.Tooling{Env: py.env, Readable: py.readable, Versions: map[string]string{"python": py.version + " of " + py.origin}, Linked: linked()}
	if py.pytest != "" {
		t.Versions["pytest"] = py.pytest
	}
	return t, nil
}

// linked are the names of virtual environments, and of what building a package in
// its place leaves there and git ignores.
func linked() []string {
	return []string{".venv", "venv", "env", "*.egg-info", "*.so", "*.pyd", "_version.py"}
}

// A job is one command: tests of one project.
type job struct {
	project string // folder relative to the run's, "." for it
	asked   []verify.TestID
	wanted  wanted
}

// wanted says what to keep of the tests that pytest collects; paths are relative
// to the project.
type wanted struct {
	Some    bool     `json:"some"` // false: all of them
	Tests   []string `json:"tests"`
	Files   []string `json:"files"`
	Dirs    []string `json:"dirs"`
	Skip    []string `json:"skip"`    // node IDs
	Seconds float64  `json:"seconds"` // when to write down where each thread is, for a test that hangs
}

// inProject is a path of the tree relative to the project.
func (j job) inProject(p string) string {
	if j.project == "." {
		return path.Clean(p)
	}
	if rest := strings.TrimPrefix(path.Clean(p), j.project); rest != path.Clean(p) {
		return path.Join(".", rest)
	}
	return path.Clean(p)
}

// id is the test of a node ID, which is relative to the project.
func (j job) id(node string) verify.TestID {
	file, name, _ := strings.Cut(node, "::")
	file = path.Join(j.project, file)
	return verify.TestID{Dir: path.Dir(file), File: path.Base(file), Name: name}
}

// of is the test that a parametrized one is a case of, zero for others. Names of
// functions and classes hold no bracket.
func of(id verify.TestID) verify.TestID {
	top, _, found := strings.Cut(id.Name, "[")
	if !found {
		return verify.TestID{}
	}
	return verify.TestID{Dir: id.Dir, File: id.File, Name: top}
}
