// Package gotest runs Go tests with go test -json.
//
// The tool runs inside the sandbox with no network, modules from the module
// cache only, and a build cache of plumb's own, so that what a repository
// builds never reaches the user's.
package gotest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// Runner runs go test. The zero value is ready to use; it must not be changed
// while it runs. Several runs may go on at once.
type Runner struct {
	// Go is the go command; "" looks it up in PATH.
	Go string
	// Cache is the folder of the build cache; "" is plumb/gotest in the user's
	// cache folder.
	Cache string
	// Flags are further flags of go test, such as -short or -tags=x.
	Flags []string
	// Limits bound each command; a zero Wall is taken from the Run's timeout, and
	// a zero Output is 256 MiB. A test whose end stood in output that was not kept
	// is reported as not run.
	Limits sandbox.Limits
}

// keptOutput is how much of a command's output is kept: go test -json writes
// several lines for each test, and tens of thousands of subtests are not rare.
const keptOutput = 256 << 20

// defaultTimeout bounds one command when the Run gives no timeout, as go test's own does.
const defaultTimeout = 10 * time.Minute

// Languages returns the names of the languages whose tests the tool runs.
func Languages() []string { return []string{"go"} }

// Run runs the tests: one command for each module that holds some of them. A
// name that go test did not report is returned as not run.
func (r *Runner) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	tool, err := r.locate(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := plan(run)
	if err != nil {
		return nil, err
	}
	var out []verify.Outcome
	for _, j := range jobs {
		got, err := r.command(ctx, box, tool, run, j)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}

// Build builds the packages and their tests without running any; see
// verify.Builder. Packages that do not build are left for Run to report.
func (r *Runner) Build(ctx context.Context, box sandbox.Sandbox, run verify.Run) error {
	tool, err := r.locate(ctx)
	if err != nil {
		return err
	}
	jobs, err := plan(run)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		args := append([]string{tool.command, "test", "-run", "^$"}, r.Flags...)
		if _, err := box.Run(ctx, tool.run(run.Command(j.root, append(args, folders(j)...)...), r.Limits)); err != nil {
			return err
		}
	}
	return nil
}

// job is one command: packages of one module.
type job struct {
	root   string // module root relative to the run's folder
	module string
	dirs   []string // relative to the run's folder, sorted; empty: all
	tests  []verify.TestID
}

// plan groups what is asked for by module.
func plan(run verify.Run) ([]job, error) {
	dirs := slices.Clone(run.Packages)
	for _, t := range run.Tests {
		dirs = append(dirs, t.Dir)
	}
	if len(dirs) == 0 {
		return everything(run.Dir)
	}
	sort.Strings(dirs)
	byRoot := map[string]*job{}
	var order []string
	for _, d := range slices.Compact(dirs) {
		root, module, err := moduleOf(run.Dir, d)
		if err != nil {
			return nil, err
		}
		if byRoot[root] == nil {
			byRoot[root] = &job{root: root, module: module}
			order = append(order, root)
		}
		byRoot[root].dirs = append(byRoot[root].dirs, d)
	}
	for _, t := range run.Tests {
		root, _, err := moduleOf(run.Dir, t.Dir)
		if err != nil {
			return nil, err
		}
		byRoot[root].tests = append(byRoot[root].tests, t)
	}
	jobs := make([]job, len(order))
	for i, root := range order {
		jobs[i] = *byRoot[root]
	}
	return jobs, nil
}

// everything is one job for each module below dir.
func everything(dir string) ([]job, error) {
	var jobs []job
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != dir && (d.Name() == "vendor" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.Name() != "go.mod" || d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(dir, filepath.Dir(p))
		if err != nil {
			return err
		}
		root, module, err := moduleOf(dir, filepath.ToSlash(rel))
		jobs = append(jobs, job{root: root, module: module})
		return err
	})
	if err == nil && len(jobs) == 0 {
		err = noModule(dir)
	}
	return jobs, err
}

// moduleOf finds the module that a folder belongs to.
func moduleOf(base, dir string) (root, module string, err error) {
	if dir == "" || !filepath.IsLocal(filepath.FromSlash(dir)) {
		return "", "", &fault.Fault{Class: fault.InvalidInput, Op: "gotest.run", Subject: fault.Subject{File: dir},
			Detail: "a test's folder must be relative to the tree and inside it", Next: "give folders such as . or pkg/store"}
	}
	for d := path.Clean(dir); ; d = path.Dir(d) {
		data, err := os.ReadFile(filepath.Join(base, filepath.FromSlash(d), "go.mod"))
		if err == nil {
			return d, modfile.ModulePath(data), nil
		}
		if d == "." || d == "/" {
			return "", "", noModule(filepath.Join(base, dir))
		}
	}
}

func noModule(dir string) error {
	return &fault.Fault{Class: fault.Environment, Op: "gotest.run", Subject: fault.Subject{File: dir},
		Detail: "there is no go.mod at or above this folder", Next: "run go mod init in the repository, or bring a runner of your own"}
}

// command runs one job and reads what it printed.
func (r *Runner) command(ctx context.Context, box sandbox.Sandbox, tool toolchain, run verify.Run, j job) ([]verify.Outcome, error) {
	timeout := run.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	args := r.args(tool, run, j, timeout)
	limits := r.Limits
	if limits.Wall <= 0 {
		limits.Wall = timeout + timeout/2 + time.Minute // building comes on top
	}
	if limits.Output == 0 {
		limits.Output = keptOutput
	}
	res, err := box.Run(ctx, tool.run(run.Command(j.root, args...), limits))
	if err != nil {
		return nil, err
	}
	s := newStream(importPaths(run.Dir, j))
	s.read(res.Stdout)
	s.cut = res.CutStdout
	ended := ""
	switch {
	case res.Exceeded != "":
		ended = fmt.Sprintf("go test was ended by the %s limit", res.Exceeded)
	case res.Signal != 0:
		ended = fmt.Sprintf("go test was ended by signal %d", res.Signal)
	}
	out := s.outcomes(res.TimedOut(), ended)
	if len(out) == 0 && res.ExitCode != 0 {
		return nil, &fault.Fault{Class: fault.Environment, Op: "gotest.run", Subject: fault.Subject{File: j.root, Text: strings.Join(args, " ")},
			Detail: "go test could not start: " + brief(string(res.Stderr)+s.loose.String()), Next: "run the command by hand in the repository and mend what it says"}
	}
	for i := range out {
		out[i].Command, out[i].Unsandboxed, out[i].Broken = args, res.Unsandboxed, broken(res.Promises)
	}
	return s.missing(out, j.tests), nil
}

func (r *Runner) args(tool toolchain, run verify.Run, j job, timeout time.Duration) []string {
	args := []string{tool.command, "test", "-json", "-timeout", timeout.String(), "-count", fmt.Sprint(max(run.Repeat, 1))}
	args = append(args, r.Flags...)
	if p := pattern(j.tests); p != "" {
		args = append(args, "-run", p)
	}
	return append(args, folders(j)...)
}

// folders are the packages of a job as arguments, relative to its module.
func folders(j job) []string {
	if len(j.dirs) == 0 {
		return []string{"./..."}
	}
	var out []string
	for _, d := range j.dirs {
		rel, err := filepath.Rel(filepath.FromSlash(j.root), filepath.FromSlash(d))
		if err != nil || rel == "." {
			out = append(out, ".")
			continue
		}
		out = append(out, "./"+filepath.ToSlash(rel))
	}
	return out
}

// pattern is the -run expression for the top-level names; "" when a whole
// package is among the tests.
func pattern(tests []verify.TestID) string {
	var names []string
	for _, t := range tests {
		top, _, _ := strings.Cut(t.Name, "/")
		if top == "" {
			return ""
		}
		names = append(names, regexp.QuoteMeta(top))
	}
	if len(names) == 0 {
		return ""
	}
	sort.Strings(names)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}

// importPaths maps the import paths of every folder that may report to folders.
func importPaths(base string, j job) map[string]string {
	out := map[string]string{}
	add := func(d string) {
		rel := strings.TrimPrefix(strings.TrimPrefix(d, j.root), "/")
		if j.root == "." {
			rel = d
		}
		out[importPath(j.module, rel)] = d
	}
	if len(j.dirs) > 0 {
		for _, d := range j.dirs {
			add(d)
		}
		return out
	}
	root := filepath.Join(base, filepath.FromSlash(j.root))
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			if rel, err := filepath.Rel(base, p); err == nil {
				add(filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return out
}

// importPath joins a module and a folder; the standard library's own module
// has no prefix.
func importPath(module, rel string) string {
	switch {
	case rel == "." || rel == "":
		return module
	case module == "std":
		return rel
	}
	return module + "/" + rel
}

// missing adds what was named and not reported, with the reason as far as the
// rest of its package shows it.
func (s *stream) missing(out []verify.Outcome, asked []verify.TestID) []verify.Outcome {
	seen := map[verify.TestID]bool{}
	ends := map[string]map[verify.Status]bool{} // by folder
	for _, o := range out {
		seen[o.Test] = true
		if ends[o.Test.Dir] == nil {
			ends[o.Test.Dir] = map[verify.Status]bool{}
		}
		ends[o.Test.Dir][o.Status] = true
	}
	for _, t := range asked {
		if seen[t] {
			continue
		}
		o := verify.Outcome{Test: t, Status: verify.NotRun, Reason: "go test did not report it: no test of that name, or its build constraints leave it out"}
		if strings.HasPrefix(t.Name, "Benchmark") {
			o.Status, o.Reason = verify.Skipped, "a benchmark is built and not run as a test"
		}
		switch end := ends[t.Dir]; {
		case s.cut > 0 && o.Status == verify.NotRun:
			o.Reason = s.notKept()
		case end[verify.BuildFailed]:
			o.Status, o.Reason = verify.BuildFailed, "its package does not build"
		case end[verify.Crashed]:
			o.Reason = "its package's process ended before the test began"
		case end[verify.TimedOut]:
			o.Reason = "the time was over before the test began"
		}
		for _, r := range out {
			if o.Command == nil || r.Test.Dir == t.Dir {
				o.Command, o.Unsandboxed, o.Broken = r.Command, r.Unsandboxed, r.Broken
			}
		}
		out = append(out, o)
	}
	return out
}

func broken(ps sandbox.Promises) []string {
	var out []string
	for _, p := range ps.Broken() {
		out = append(out, string(p.Name))
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// briefLimit is how much of a tool's error is shown in a fault, in bytes.
const briefLimit = 2000

func brief(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > briefLimit {
		s = s[:briefLimit] + fmt.Sprintf(" … (%s more)", plural(len(s)-briefLimit, "byte"))
	}
	return s
}
