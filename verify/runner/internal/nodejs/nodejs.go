// Package nodejs is what the runners of tools that run on Node.js share: where a
// test's project begins, how a tool of that project is started inside the
// sandbox, and how what it reports becomes outcomes.
//
// The tools' own JSON reports are written when everything is over, so that a
// process that dies leaves nothing. A reporter of plumb's own therefore writes
// the same results as they come, one JSON event a line, into a file outside the
// tree.
package nodejs

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

//go:embed script/launch.cjs
var launchScript []byte

//go:embed script/watch.cjs
var watchScript []byte

// A Tool is a test tool that runs on Node.js.
type Tool struct {
	// Name is the name of its package and of its program, such as "jest".
	Name string
	// Reporter is the source of its reporter, and ReporterFile the base name that it needs.
	Reporter     []byte
	ReporterFile string
	// Args are its arguments for a call.
	Args func(c Call) []string
	// Node is the node command; "" looks it up in PATH.
	Node string
	// Limits bound each command; a zero Wall is taken from the Run's timeout.
	Limits sandbox.Limits
}

// A Call is what a tool is started for.
type Call struct {
	// Reporter is the reporter's path and Cache that of a folder that can be written.
	Reporter, Cache string
	// Files are the files to run, relative to the folder that it runs in; empty
	// runs what the project's configuration collects.
	Files []string
	// Pattern is a regular expression that the titles of a test, joined by
	// spaces, must match; "" is every test.
	Pattern string
}

// defaultTimeout bounds the tests of one command when the Run gives no timeout.
const defaultTimeout = 10 * time.Minute

// Run runs tests as verify.Runner asks: for each project one command, or, when a
// process died before it came to some files, one more for these.
func (t Tool) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	node, err := t.locate(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := t.plan(run)
	if err != nil {
		return nil, err
	}
	if run.Timeout <= 0 {
		run.Timeout = defaultTimeout
	}
	var out []verify.Outcome
	for _, j := range jobs {
		for range max(run.Repeat, 1) {
			got, err := t.job(ctx, box, node, run, j)
			if err != nil {
				return nil, err
			}
			out = append(out, got...)
		}
	}
	return out, nil
}

// job runs a job to its end: when the tool's process dies, a further one runs the
// files that it had not come to, and when that gets nowhere, each one alone.
func (t Tool) job(ctx context.Context, box sandbox.Sandbox, node node, run verify.Run, j job) ([]verify.Outcome, error) {
	if !j.all && len(j.files) == 0 {
		return t.answer(nil, &report{over: true, command: t.byHand(Call{Pattern: j.pattern()})}, j), nil
	}
	var out []verify.Outcome
	settled := map[string]bool{}
	var last *report
	alone := 0
	for todo := j.files; ; {
		r, err := t.command(ctx, box, node, run, j, todo)
		if err != nil {
			return nil, err
		}
		last = r
		out = append(out, r.outcomes(t.Name, j, settled)...)
		fresh := r.settle(settled)
		if len(todo) == 1 {
			settled[todo[0]] = true
			alone++
		}
		if !r.died() || r.timedOut || alone > maxAlone {
			break
		}
		todo = slices.DeleteFunc(j.candidates(run.Dir), func(f string) bool { return settled[f] })
		if len(todo) == 0 {
			break
		}
		if !fresh || alone > 0 {
			todo = todo[:1]
		}
	}
	return t.answer(out, last, j), nil
}

// maxAlone is how many files are run alone after processes that died.
const maxAlone = 20

// answer adds what was asked for and not reported.
func (t Tool) answer(out []verify.Outcome, r *report, j job) []verify.Outcome {
	files, tests := map[verify.TestID]verify.Outcome{}, map[verify.TestID]bool{}
	for _, o := range out {
		tests[o.Test] = true
		if o.Test.Name == "" {
			files[o.Test] = o
		}
	}
	for _, id := range j.tests {
		if tests[id] {
			continue
		}
		o := verify.Outcome{Test: id, Status: verify.NotRun, Reason: t.Name + " did not report it: no test of that name, or the project's configuration leaves it out"}
		file := id
		file.Name = ""
		switch whole, reported := files[file]; {
		case whole.Status == verify.BuildFailed:
			o.Status, o.Reason, o.Output = verify.BuildFailed, whole.Reason, whole.Output
		case whole.Status == verify.Crashed:
			o.Reason = "its file's process ended before the test began"
		case whole.Status == verify.TimedOut, r.timedOut:
			o.Reason = "the time was over before the test began"
		case !reported && r.died():
			o.Reason = r.died0()
		}
		r.stamp(&o)
		out = append(out, o)
		tests[id] = true
	}
	return out
}

// refuse is the fault for what a caller gave wrongly.
func refuse(op, file, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: op, Subject: fault.Subject{File: file}, Detail: detail, State: "nothing was run", Next: next}
}

// Languages returns the names of the languages whose tests run on Node.js.
func Languages() []string { return []string{"javascript", "typescript", "tsx"} }
