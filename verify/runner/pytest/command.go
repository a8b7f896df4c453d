package pytest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

//go:embed script/plumb_pytest_report.py
var plugin []byte

const (
	pluginName = "plumb_pytest_report"
	eventsFile = "events.jsonl"
	junitFile  = "junit.xml"
	stacksFile = "stacks.txt"
	wantedFile = "wanted.json"
)

// maxDeaths is how often a process that died is followed by another one for the
// tests that it left.
const maxDeaths = 8

// once runs the job's tests once each. Where the process dies, another one runs
// what had not begun, as long as there is time.
func (r *Runner) once(ctx context.Context, box sandbox.Sandbox, run verify.Run, j job) ([]verify.Outcome, error) {
	py, err := r.locate(ctx, run.Root(), j.project)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(run.Timeout)
	var out []verify.Outcome
	for deaths := 0; ; deaths++ {
		s, err := r.command(ctx, box, py, run, j)
		if err != nil {
			return nil, err
		}
		done := s.ended()
		out = append(out, done...)
		if run.Timeout = time.Until(deadline); s.over || len(done) == 0 || s.waiting() == 0 || deaths == maxDeaths || run.Timeout < time.Second {
			return s.marked(r.byHand(py, run, j), s.answer(parents(out))), nil
		}
		for _, i := range s.items {
			if i.began {
				j.wanted.Skip = append(j.wanted.Skip, i.node)
			}
		}
	}
}

// marked adds to every outcome how it came about.
func (s *session) marked(command []string, out []verify.Outcome) []verify.Outcome {
	for i := range out {
		out[i].Command, out[i].Unsandboxed = command, s.result.Unsandboxed
		for _, p := range s.result.Promises.Broken() {
			out[i].Broken = append(out[i].Broken, string(p.Name))
		}
	}
	return out
}

// command runs pytest once and reads what came of it.
func (r *Runner) command(ctx context.Context, box sandbox.Sandbox, py interpreter, run verify.Run, j job) (s *session, err error) {
	j.wanted.Seconds = (run.Timeout - min(run.Timeout/5, 2*time.Second)).Seconds()
	work, err := prepare(j.wanted)
	if err != nil {
		return nil, fault.From(err, "pytest.run", "make the folder for temporary files writable")
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	cmd := run.Command(j.project, r.args(py, work, run, j)...)
	cmd.Env = append(slices.Clone(py.env), "PYTHONPATH="+work, "PLUMB_EVENTS="+filepath.Join(work, eventsFile),
		"PLUMB_WANTED="+filepath.Join(work, wantedFile), "PLUMB_STACKS="+filepath.Join(work, stacksFile))
	cmd.Readable = append(cmd.Readable, py.readable...)
	cmd.Writable = append(cmd.Writable, work)
	cmd.Limits = r.Limits
	if cmd.Limits.Wall <= 0 {
		cmd.Limits.Wall = run.Timeout
	}
	res, err := box.Run(ctx, cmd)
	if err != nil {
		return nil, err
	}
	s = &session{job: j, result: res, stacks: read(work, stacksFile)}
	if err := s.read(read(work, eventsFile), read(work, junitFile)); err != nil {
		return nil, err
	}
	return s, s.started(py)
}

func read(dir, name string) []byte {
	data, _ := os.ReadFile(filepath.Join(dir, name)) // what is missing was not written
	return data
}

// prepare makes the folder outside of the tree that the plugin and the reports are in.
func prepare(w wanted) (string, error) {
	dir, err := os.MkdirTemp("", "plumb-pytest-")
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	for _, list := range []*[]string{&w.Tests, &w.Files, &w.Dirs, &w.Skip} {
		*list = append([]string{}, *list...)
	}
	data, err := json.Marshal(w)
	if err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{pluginName + ".py": plugin, wantedFile: data, eventsFile: nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// args is the command line. Options given here count more than the project's own.
func (r *Runner) args(py interpreter, work string, run verify.Run, j job) []string {
	root := filepath.Join(run.Root(), filepath.FromSlash(j.project))
	args := []string{py.command, "-m", "pytest", "-p", pluginName, "--rootdir=" + root,
		"--junitxml=" + filepath.Join(work, junitFile), "-o", "junit_family=xunit1", "-o", "junit_logging=all",
		"-o", "cache_dir=" + filepath.Join(work, "cache"), "--continue-on-collection-errors", "--capture=fd", "--tb=short", "--color=no"}
	return append(append(args, r.Flags...), j.places()...)
}

// places are the files and folders to be collected: single tests are chosen among
// what is collected, since pytest runs nothing at all when one of them is gone.
func (j job) places() []string {
	out := append(slices.Clone(j.wanted.Files), j.wanted.Dirs...)
	for _, t := range j.wanted.Tests {
		file, _, _ := strings.Cut(t, "::")
		out = append(out, file)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// byHand is the command that a person would type for the job, in its project.
func (r *Runner) byHand(py interpreter, run verify.Run, j job) []string {
	name := py.command
	if rel, err := filepath.Rel(filepath.Join(run.Root(), filepath.FromSlash(j.project)), name); err == nil && !strings.HasPrefix(rel, "../../..") {
		name = rel
	}
	args := append([]string{name, "-m", "pytest"}, r.Flags...)
	return append(args, slices.Concat(j.wanted.Tests, j.wanted.Files, j.wanted.Dirs)...)
}

// started returns a fault when pytest itself could not be used.
func (s *session) started(py interpreter) error {
	said := strings.TrimSpace(string(s.result.Stderr) + "\n" + string(s.result.Stdout))
	f := &fault.Fault{Class: fault.Environment, Op: "pytest.run", Subject: fault.Subject{File: s.job.project, Text: py.command}, State: "no test was run"}
	switch {
	case !s.begun && strings.Contains(said, "No module named pytest"):
		f.Detail = "pytest is not installed for " + py.origin
		f.Next = "install it: " + py.command + " -m pip install pytest"
	case len(s.items) == 0 && strings.Contains(said, "error: unrecognized arguments"):
		f.Detail = "the project's options name what this pytest does not know: " + brief(said)
		f.Next = "install the plugins that the project's configuration of pytest uses into " + py.origin
	case !s.begun && !s.result.TimedOut() && s.result.Exceeded == "" && s.result.Signal == 0:
		f.Detail = fmt.Sprintf("pytest could not start (code %d): %s", s.result.ExitCode, brief(said))
		f.Next = "run the command by hand in the project and mend what it says"
	default:
		return nil
	}
	return f
}

// briefLimit is how much of a tool's words is shown, in bytes.
const briefLimit = 2000

func brief(s string) string {
	if s = strings.TrimSpace(s); len(s) > briefLimit {
		return fmt.Sprintf("(%d bytes more) … ", len(s)-briefLimit) + s[len(s)-briefLimit:]
	}
	return s
}
