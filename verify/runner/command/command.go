// Package command runs tests with any command. Whether they passed is told by its
// exit code, or, test by test, by a report in JUnit's XML that it writes, as
// Maven Surefire, Gradle, mocha, pytest and many others do.
package command

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// Runner runs a command. It must not be changed while it runs; several runs may
// go on at once.
type Runner struct {
	// Args are the program and its arguments. An argument that is one of these
	// alone stands for many, none included:
	//
	//	{files}     the files of the selected tests, relative to the root
	//	{packages}  the folders of the selected tests and packages, relative to the root
	//	{tests}     the names of the selected tests
	//
	// Inside a longer argument each stands for all of them, joined by Separator.
	Args []string
	// Separator joins what stands inside of a longer argument; "" is a comma.
	Separator string
	// Dir is the folder that the command runs in, relative to the root; "" is the root.
	Dir string
	// Report is a glob, relative to the root, of the XML files that the command
	// writes; those that stand there before are removed. "" takes the exit code
	// for the whole.
	Report string
	// Needs is what the command needs inside a sandbox beside the system's programs.
	Needs verify.Tooling
	// Limits bound the command; a zero Wall is taken from the Run's timeout.
	Limits sandbox.Limits
}

// defaultTimeout bounds the command when the Run gives no timeout.
const defaultTimeout = 10 * time.Minute

// Tooling returns Needs; see verify.Equipped.
func (r *Runner) Tooling(context.Context, string) (verify.Tooling, error) { return r.Needs, nil }

// Run runs the command, as often as run.Repeat says. Without a report, one
// Outcome stands for the whole of what was asked for, and its Test is that test or
// package when it is the only one, else the root; what else was asked for ends as
// the whole did, but for passed: the command does not say that it ran it.
func (r *Runner) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	if len(r.Args) == 0 {
		return nil, invalid("", "the command names no program", "set Runner.Args")
	}
	for _, dir := range folders(run) {
		if dir == "" || !filepath.IsLocal(filepath.FromSlash(dir)) {
			return nil, invalid(dir, "a test's folder must be relative to the tree and inside it", "give folders such as . or pkg/store")
		}
	}
	var out []verify.Outcome
	for range max(run.Repeat, 1) {
		got, err := r.once(ctx, box, run)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}

func invalid(file, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "command.run", Subject: fault.Subject{File: file}, Detail: detail, State: "nothing was run", Next: next}
}

// once runs the command one time.
func (r *Runner) once(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	if err := r.clear(run.Dir); err != nil {
		return nil, err
	}
	limits := r.Limits
	if limits.Wall <= 0 {
		if limits.Wall = run.Timeout; limits.Wall <= 0 {
			limits.Wall = defaultTimeout
		}
	}
	dir := r.Dir
	if dir == "" {
		dir = "."
	}
	cmd := r.Needs.Equip(run.Command(dir, r.expand(run)...))
	cmd.Limits = limits
	res, err := box.Run(ctx, cmd)
	if err != nil {
		return nil, err
	}
	whole := verify.Outcome{Elapsed: res.Wall, Command: cmd.Args, Unsandboxed: res.Unsandboxed, Output: tail(res)}
	for _, p := range res.Promises.Broken() {
		whole.Broken = append(whole.Broken, string(p.Name))
	}
	whole.Status, whole.Reason = ended(res)
	if r.Report == "" {
		return wholeOnly(run, whole), nil
	}
	cases, err := r.read(run.Dir)
	if err != nil {
		return nil, err
	}
	return reported(run, whole, cases), nil
}

// ended says how the command ended by its exit code.
func ended(res sandbox.Result) (verify.Status, string) {
	switch {
	case res.TimedOut():
		return verify.TimedOut, fmt.Sprintf("the %s limit ended the command", res.Exceeded)
	case res.Exceeded != "":
		return verify.Crashed, fmt.Sprintf("the %s limit ended the command", res.Exceeded)
	case res.Signal != 0:
		return verify.Crashed, fmt.Sprintf("signal %d ended the command", res.Signal)
	case res.ExitCode != 0:
		return verify.Failed, fmt.Sprintf("the command ended with code %d", res.ExitCode)
	}
	return verify.Passed, ""
}

// outputLimit is how much of the command's output is kept, in bytes, from its end.
const outputLimit = 64 << 10

func tail(res sandbox.Result) string {
	text := string(res.Stdout)
	if len(res.Stderr) > 0 {
		text = strings.TrimRight(text, "\n") + "\n" + string(res.Stderr)
	}
	if cut := len(text) - outputLimit; cut > 0 {
		text = fmt.Sprintf("… %d bytes of output omitted\n%s", cut, strings.ToValidUTF8(text[cut:], ""))
	}
	return strings.TrimLeft(text, "\n")
}

// wholeOnly answers for what was asked for by the whole alone.
func wholeOnly(run verify.Run, whole verify.Outcome) []verify.Outcome {
	asked := slices.Clone(run.Tests)
	for _, dir := range run.Packages {
		asked = append(asked, verify.TestID{Dir: path.Clean(dir)})
	}
	if len(asked) == 1 {
		whole.Test = asked[0]
		return []verify.Outcome{whole}
	}
	whole.Test = verify.TestID{Dir: "."}
	out := []verify.Outcome{whole}
	for _, id := range asked {
		if id == whole.Test {
			continue
		}
		o := whole
		o.Test, o.Output = id, ""
		if o.Status == verify.Passed {
			o.Status, o.Reason = verify.NotRun, "the command passed as a whole, and does not say that it ran this test"
		}
		out = append(out, o)
	}
	return out
}

// folders are those that the run asks for.
func folders(run verify.Run) []string {
	dirs := slices.Clone(run.Packages)
	for _, t := range run.Tests {
		dirs = append(dirs, t.Dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// expand fills in what is selected.
func (r *Runner) expand(run verify.Run) []string {
	var files, tests []string
	for _, t := range run.Tests {
		if t.File != "" {
			files = append(files, path.Join(t.Dir, t.File))
		}
		if t.Name != "" {
			tests = append(tests, t.Name)
		}
	}
	values := map[string][]string{"{files}": unique(files), "{packages}": folders(run), "{tests}": unique(tests)}
	separator := r.Separator
	if separator == "" {
		separator = ","
	}
	var out []string
	for _, arg := range r.Args {
		if many, ok := values[arg]; ok {
			out = append(out, many...)
			continue
		}
		for name, many := range values {
			arg = strings.ReplaceAll(arg, name, strings.Join(many, separator))
		}
		out = append(out, arg)
	}
	return out
}

func unique(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// clear removes the reports of earlier commands from the tree: one that stands
// there afterwards is of this command.
func (r *Runner) clear(dir string) error {
	files, err := r.reports(dir)
	for _, f := range files {
		if err == nil {
			err = os.Remove(filepath.Join(dir, filepath.FromSlash(f)))
		}
	}
	if err != nil {
		return fault.From(err, "command.run", "remove the reports that match "+r.Report+" by hand")
	}
	return nil
}

// reports are the files that Report names, in order of path.
func (r *Runner) reports(dir string) ([]string, error) {
	if r.Report == "" {
		return nil, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(r.Report)) || !doublestar.ValidatePattern(r.Report) {
		return nil, invalid(r.Report, "the report must be a glob relative to the tree and inside it", "give a path such as target/surefire-reports/*.xml")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := doublestar.Glob(root.FS(), r.Report, doublestar.WithFilesOnly())
	slices.Sort(files)
	return files, err
}

// read reads the reports that the command wrote.
func (r *Runner) read(dir string) ([]testCase, error) {
	files, err := r.reports(dir)
	if err != nil {
		return nil, fault.From(err, "command.run", "set Runner.Report to a glob of the files that the command writes")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.From(err, "command.run", "make the tree readable")
	}
	defer root.Close()
	var out []testCase
	for _, f := range files {
		data, err := fs.ReadFile(root.FS(), f)
		if err != nil {
			return nil, fault.From(err, "command.run", "make "+f+" readable")
		}
		cases, err := parse(data)
		if err != nil {
			return nil, &fault.Fault{Class: fault.Environment, Op: "command.run", Subject: fault.Subject{File: f},
				Detail: "the report is no JUnit XML", State: "the command was run", Next: "see what the command writes there, or leave Runner.Report empty", Err: err}
		}
		out = append(out, cases...)
	}
	return out, nil
}
