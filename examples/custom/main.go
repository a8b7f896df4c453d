// Command custom is a host that brings its own test runner, classifier and
// model: each is one function. Everything else is plumb's default.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/judge"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
)

var (
	args = []string{"go", "test", "./..."} // the command that runs the tests
	//go:embed bank.txtar
	repository []byte
	//go:embed edits.diff
	edits string
)

// ask is the model: it has one answer for each purpose.
func ask(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{Text: map[model.Purpose]string{
		model.Split: `[{"id":"BANK-1","sentence":"Allowed(0) is false.","symbols":["bank.Allowed"],"layers":["domain","test"]}]`,
		model.Edits: edits}[r.Purpose]}, nil
}

// command runs the tests by a plain command, of which only the exit code counts.
func command(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	tools, err := (&gotest.Runner{}).Tooling(ctx, run.Dir) // where Go and its caches lie
	if err != nil {
		return nil, err
	}
	res, err := box.Run(ctx, tools.Equip(run.Command(".", args...)))
	for _, dir := range run.Packages { // a package as a whole
		run.Tests = append(run.Tests, verify.TestID{Dir: dir})
	}
	out := make([]verify.Outcome, len(run.Tests))
	for i, t := range run.Tests {
		out[i] = verify.Outcome{Test: t, Status: map[bool]verify.Status{true: verify.Passed, false: verify.Failed}[res.ExitCode == 0], Output: string(res.Stdout), Elapsed: res.Wall, Command: args, Unsandboxed: res.Unsandboxed}
	}
	return out, err
}

// classify is the classifier: amounts are a matter of high risk.
func classify(_ context.Context, q judge.Question) (judge.Answer, error) {
	return judge.Answer{Label: map[bool]string{true: "high", false: "low"}[strings.Contains(q.Text, "amount")], P: 0.97}, nil
}

// risk is a rule of the gate that asks the classifier; in doubt the risk is high.
func risk(ctx context.Context, c *gate.Case) ([]gate.Finding, error) {
	q := judge.Question{Use: "risk", Labels: []string{"low", "high"}, Text: string(c.Set.Diff())}
	if j := (judge.Panel{Classifier: judge.Func(classify)}).Judge(ctx, q, "high"); j.Label == "high" {
		return []gate.Finding{{Reason: fmt.Sprintf("its risk is high (p %.2f)", j.Given.P), Approve: "a change of high risk", Alternative: "split it"}}, nil
	}
	return nil, nil
}

// work makes the repository in a folder and takes one requirement through the chain.
func work(ctx context.Context, dir string, who gate.Approver) (*plumb.Result, error) {
	files, err := txtar.FS(txtar.Parse(repository))
	if err != nil {
		return nil, err
	}
	c, err := plumb.New(dir, golang.Language())
	if err = errors.Join(err, os.CopyFS(dir, files)); err != nil {
		return nil, err
	}
	c.Model, c.Approver = model.Func(ask), who
	c.Verifier = &verify.Layered{Runner: verify.RunnerFunc(command), Sandbox: sandbox.Auto{AllowUnsandboxed: true}}
	c.Gate = &gate.Rules{Extra: []gate.Rule{{ID: "bank.risk", Class: "risk", Strength: gate.Evidence, Check: risk}}}
	c.Observe = func(e plumb.Event) { fmt.Printf("%-8s %s %v\n", e.Stage, e.State, e.Elapsed) }
	return c.Run(ctx, task.Task{ID: "zero", Requirement: "bank.Allowed refuses to withdraw zero or less."})
}

func main() {
	dir, err := os.MkdirTemp("", "plumb-custom-")
	if err == nil {
		_, err = work(context.Background(), dir, gate.ApproverFunc(
			func(context.Context, gate.Operation) (string, error) { return "the host", nil }))
	}
	if err != nil {
		log.Fatal(err)
	}
}
