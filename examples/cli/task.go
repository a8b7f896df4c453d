package main

import (
	"context"
	"flag"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// task reads a task file.
func (e *env) task(ctx context.Context, file string) (task.Task, error) {
	if file == "" {
		return task.Task{}, &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Detail: "no task was given", Next: "give one with -task TASK.yaml"}
	}
	data, err := e.input(ctx, file)
	if err != nil {
		return task.Task{}, err
	}
	if err := e.edited(ctx, data); err != nil {
		return task.Task{}, err
	}
	return task.Read(data)
}

// collected is the context of a task on the repository.
func (e *env) collected(ctx context.Context, t task.Task, tokens int) (*index.Snapshot, *budget.Context, error) {
	s, err := e.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := (&budget.LayeredQuota{History: budget.Git{Dir: e.dir}}).Collect(ctx, budget.Input{Task: t, Snapshot: s, Total: tokens})
	return s, c, err
}

func collectCommand(fs *flag.FlagSet) action {
	file := fs.String("task", "", "the task `file`; - is standard input")
	tokens := fs.Int("tokens", 16000, "the budget in tokens")
	ledger := fs.Bool("ledger", false, "print the ledger in place of the context: what came in, why, and what was left out")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		if err := atLeastZero("-tokens", *tokens); err != nil {
			return err
		}
		t, err := e.task(ctx, *file)
		if err != nil {
			return err
		}
		_, c, err := e.collected(ctx, t, *tokens)
		if err != nil {
			return err
		}
		if err := e.cover(ctx, c); err != nil {
			return err
		}
		switch {
		case e.structured():
			return e.emit(c)
		case *ledger:
			e.text(c.Ledger())
		default:
			e.text(c.Text())
		}
		return nil
	}
}

func planCommand(fs *flag.FlagSet) action {
	file := fs.String("task", "", "the task `file`; - is standard input")
	brief := fs.Bool("brief", false, "print one line an action in place of the whole plan")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		t, err := e.task(ctx, *file)
		if err != nil {
			return err
		}
		s, c, err := e.collected(ctx, t, 0)
		if err != nil {
			return err
		}
		p, err := (&changeset.Derived{}).Plan(ctx, changeset.Input{Task: t, Snapshot: s, Context: c})
		if p == nil {
			return err
		}
		if cerr := e.cover(ctx, p); cerr != nil {
			return cerr
		}
		if e.structured() {
			if jerr := e.emit(p); jerr != nil {
				return jerr
			}
			return err
		}
		if *brief {
			e.briefPlan(p)
		} else {
			e.text(p.Markdown())
		}
		return err
	}
}

// briefPlan prints a plan at a glance.
func (e *env) briefPlan(p *changeset.Plan) {
	for _, c := range p.Contracts {
		after := "is removed"
		if c.After != nil {
			after = c.After.Text
		}
		if c.Rename != "" {
			after = "is called " + c.Rename
		}
		e.printf("contract %s: %s\n", c.Symbol, after)
	}
	for _, a := range p.Actions {
		e.printf("%-5s %-9s %-6s %s: %s\n", a.ID, string(a.Kind), string(a.Grade), a.Target.String(), a.Why)
	}
	for _, n := range p.NotDone {
		e.printf("left alone: %s %s: %s\n", n.Place.String(), n.Symbol, n.Why)
	}
	for _, q := range p.Questions {
		e.printf("%s %s\n", q.ID, q.Text)
		for i, o := range q.Options {
			e.printf("  %d: %s\n", i+1, o.Text)
		}
	}
	e.printf("%s in %s, at most %d changed lines in %d files\n", plural(len(p.Actions), "action", "actions"), plural(len(p.Stages), "stage", "stages"), p.Limit.Lines, p.Limit.Files)
}
