package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index/lang/all"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

func changeCommand(fs *flag.FlagSet) action {
	r := chainFlags(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		t, err := e.task(ctx, r.task)
		if err != nil {
			return err
		}
		given, err := e.edits(ctx, r.edits)
		if err != nil {
			return err
		}
		rules, err := r.policy(ctx, e)
		if err != nil {
			return err
		}
		if _, err := e.workspace(); err != nil {
			return err
		}
		c, err := plumb.New(e.dir, all.Languages()...)
		if err != nil {
			return err
		}
		c.Editor = given
		r.set(e, c, rules)
		result, err := c.Run(ctx, t)
		if result != nil {
			if verr := e.veil.AddSet(context.WithoutCancel(ctx), result.Before, result.After, result.Set); verr != nil {
				return verr
			}
		}
		return e.finish(result, r.out, c.Workspace, err)
	}
}

// chained are the flags of plumb change.
type chained struct {
	task, edits, out    string
	dry, ask, unplanned bool
	approved            *[]string
	tests               *running
	policy              func(ctx context.Context, e *env) (*gate.Policy, error)
	budgets             plumb.Budgets
}

func chainFlags(fs *flag.FlagSet) *chained {
	r := &chained{approved: approvedFlag(fs), tests: &running{within: withinFlag(fs), unsandboxed: unsandboxedFlag(fs)}, policy: policyFlag(fs)}
	fs.StringVar(&r.task, "task", "", "the task `file`; - is standard input")
	fs.StringVar(&r.edits, "edits", "", "the edits, a `file` in any format; - is standard input")
	fs.StringVar(&r.out, "handoff", "", "write the hand-off to this `folder` too; plumb handoff prints it in any case")
	fs.BoolVar(&r.dry, "dry-run", false, "stop before the workspace is written")
	fs.BoolVar(&r.ask, "ask", false, "put the planner's questions, and what the gate leaves to a person, to the terminal")
	fs.BoolVar(&r.unplanned, "unplanned", false, "let a task without capability points run without a plan; nothing then limits what the edits may touch")
	fs.IntVar(&r.budgets.Information, "tokens", 0, "the budget of the context in tokens; 0 is 16000")
	fs.IntVar(&r.budgets.Authority, "authority", 0, "how many questions and approvals a person is asked for at most; 0 is 10")
	fs.DurationVar(&r.budgets.Feedback, "feedback", 0, "the time for running tests; 0 is 10m")
	return r
}

// set puts the flags into a chain.
func (r *chained) set(e *env, c *plumb.Chain, rules *gate.Policy) {
	c.Isolate(sandbox.Auto{AllowUnsandboxed: *r.tests.unsandboxed})
	c.Progress, c.Observe, c.DryRun, c.Unplanned, c.Budgets = e.progress(), e.observe(), r.dry, r.unplanned, r.budgets
	c.Indexer = e.indexer()
	if g, ok := c.Gate.(*gate.Rules); ok {
		g.Policy = rules
	}
	if r.ask {
		c.Answerer = terminal{e}
	}
	c.Approver = approver(e, *r.approved, r.ask)
	if v, ok := c.Verifier.(*verify.Layered); ok {
		v.Budgets = *r.tests.within
	}
}

// edits reads the edits of a change; without a file there is nothing to do, as
// this host has no model.
func (e *env) edits(ctx context.Context, file string) (plumb.Given, error) {
	if file == "" {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb change", Detail: "no edits were given, and this host has no model to ask",
			State: "workspace unchanged", Next: "give them with -edits FILE, or use the library with a model of your own"}
	}
	data, err := e.input(ctx, file)
	if err != nil {
		return nil, err
	}
	if err := e.edited(ctx, data); err != nil {
		return nil, err
	}
	list, err := patch.Parse(data)
	return plumb.Given(list), err
}

// observe prints one line a stage on standard error, for people.
func (e *env) observe() func(plumb.Event) {
	if e.structured() {
		return nil
	}
	return func(v plumb.Event) {
		e.bar.clear()
		switch v.State {
		case "finished":
			fmt.Fprintf(e.stderr, "%-9s done in %d ms\n", v.Stage, v.Elapsed.Milliseconds())
		case "resumed":
			fmt.Fprintf(e.stderr, "%-9s taken from the ledger\n", v.Stage)
		}
	}
}

// finish writes the hand-off and prints what came of the run, also of one that
// stopped.
func (e *env) finish(r *plumb.Result, out string, ws *patch.Workspace, err error) error {
	done := r.Handoff != nil && err == nil && r.Stopped == nil
	if done {
		dirs := []string{handoffDir(ws, r.Handoff.Task)}
		if out != "" {
			dirs = append(dirs, out)
		}
		for _, dir := range dirs {
			if werr := e.writeHandoff(r.Handoff, dir); werr != nil {
				return werr
			}
			out = dir
		}
	}
	if e.structured() {
		if jerr := e.emit(struct {
			Schema  int    `json:"schema"`
			Handoff string `json:"handoff_dir,omitempty"`
			*plumb.Result
		}{1, out, e.showable(r)}); jerr != nil {
			return jerr
		}
	} else {
		e.showResult(r, out, done)
	}
	if err == nil && r.Stopped != nil {
		return errFindings
	}
	return err
}

// showResult prints a run for people.
func (e *env) showResult(r *plumb.Result, out string, done bool) {
	if done {
		e.text(r.Handoff.Markdown())
		if r.Receipt == nil {
			e.printf("\ndry run: the workspace is unchanged")
		}
		e.printf("\nhand-off: %s\n", out)
	}
	if r.Stopped == nil {
		return
	}
	e.printf("stopped at %s; the workspace is unchanged\n", string(r.Stopped.Stage))
	for _, f := range r.Stopped.Feedback {
		e.printf("%s\n", f.String())
		e.text(f.Source)
	}
}

// terminal answers the planner's questions from standard input.
type terminal struct{ e *env }

// Answer prints the question and reads the number of an option.
func (t terminal) Answer(_ context.Context, q changeset.Question) (task.Answer, error) {
	t.e.sayf("%s %s\n", q.ID, q.Text)
	for _, ev := range q.Evidence {
		t.e.sayf("  evidence: %s\n", ev)
	}
	for i, o := range q.Options {
		mark := ""
		if i+1 == q.Recommended {
			mark = " (recommended)"
		}
		t.e.sayf("  %d: %s%s\n", i+1, o.Text, mark)
	}
	fmt.Fprint(t.e.stderr, "number: ")
	line := t.e.answer()
	if line == "" {
		return task.Answer{Question: q.ID}, nil
	}
	n, err := strconv.Atoi(line)
	if err != nil || n < 1 || n > len(q.Options) {
		return task.Answer{}, &fault.Fault{Class: fault.InvalidInput, Op: "plumb change", Subject: fault.Subject{Text: q.ID},
			Detail: fmt.Sprintf("%q is not the number of an option", line), State: "workspace unchanged", Next: "answer with a number, or in the task's answers"}
	}
	return task.Answer{Question: q.ID, Option: n}, nil
}
