package main

import (
	"context"
	"flag"
	"strings"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// A source is where the change comes from that a command is about.
type source struct {
	patch, base, task string
	based             bool // -base is a flag of the command
	// mayStand says that edits whose results stand there already are no mistake.
	mayStand bool
}

// patchFlag declares -patch.
func patchFlag(fs *flag.FlagSet) *source {
	s := &source{}
	fs.StringVar(&s.patch, "patch", "", "the edits, a `file` in any format; - is standard input")
	return s
}

// sourceFlags declares -patch, -base and -task.
func sourceFlags(fs *flag.FlagSet) *source {
	s := patchFlag(fs)
	s.based = true
	fs.StringVar(&s.base, "base", "", "in place of -patch: the difference between this git `revision` and the working tree, uncommitted and new files included")
	fs.StringVar(&s.task, "task", "", "judge by the plan of this task `file`; without one, what needs a plan is not judged")
	return s
}

// empty reports whether no change was named.
func (s *source) empty() bool { return s.patch == "" && s.base == "" }

// A change is what check, apply, verify, gate and selfcheck work on: the
// workspace, the states before and after, and the set between them.
type change struct {
	workspace     *patch.Workspace
	before, after *index.Snapshot
	set           *patch.Set
	plan          *changeset.Plan
	task          string
	// made says that the workspace holds the change already; since is the
	// revision that it began at.
	made  bool
	since string
	// left are paths that were not compared.
	left []string
	// stands are the files of edits whose results stand there already; there is
	// no set then.
	stands   []string
	mayStand bool
}

// prepare opens the workspace, indexes it and works the change out; it writes
// nothing.
func (e *env) prepare(ctx context.Context, from *source) (*change, error) {
	switch {
	case from.patch != "" && from.base != "":
		return nil, wrong("-patch and -base are two different changes", "give one of them")
	case from.empty():
		return nil, wrong("no edits were given", "give them with -patch FILE, or -patch - for standard input"+orBase(from))
	}
	var edits []patch.Edit
	if from.patch != "" {
		data, err := e.input(ctx, from.patch)
		if err != nil {
			return nil, err
		}
		if err = e.edited(ctx, data); err != nil {
			return nil, err
		}
		if edits, err = patch.Parse(data); err != nil {
			return nil, err
		}
	}
	ws, err := e.workspace()
	if err != nil {
		return nil, err
	}
	now, err := e.indexed(ctx, ws.FS())
	if err != nil {
		return nil, err
	}
	c := &change{workspace: ws, mayStand: from.mayStand}
	if from.base != "" {
		err = c.standing(ctx, now, from.base)
	} else {
		err = c.intended(ctx, now, edits)
	}
	if err == nil {
		err = e.veil.AddSet(ctx, c.before, c.after, c.set)
	}
	if err == nil && from.task != "" {
		err = c.planned(ctx, e, from.task)
	}
	return c, err
}

func orBase(from *source) string {
	if !from.based {
		return ""
	}
	return "; -base REV takes the difference to a git revision"
}

// workspace opens the repository for writing, and says what it found of
// processes that were killed.
func (e *env) workspace() (*patch.Workspace, error) {
	ws, err := patch.Open(e.dir)
	if err != nil {
		return nil, err
	}
	for _, r := range ws.Recovered() {
		e.sayf("recovered from a process that was killed: transaction %s, %s put back\n", r.ID, plural(len(r.Files), "file", "files"))
		for _, x := range r.Conflicts {
			e.sayf("  left as it is, changed by somebody else: %s; the other version is in %s\n", x.Path, x.Kept)
		}
	}
	return ws, nil
}

// standing takes the change that the workspace holds beside a revision.
func (c *change) standing(ctx context.Context, now *index.Snapshot, rev string) error {
	d, err := c.workspace.Since(ctx, now, rev)
	if err != nil {
		return err
	}
	c.before, c.after, c.set, c.made, c.since, c.left = d.Before, now, d.Set, true, d.Revision, d.Left
	return nil
}

// intended works out what edits would make of the workspace.
func (c *change) intended(ctx context.Context, now *index.Snapshot, edits []patch.Edit) error {
	set, err := (&patch.Anchored{FS: c.workspace.FS()}).Patch(ctx, patch.Input{Before: now, Edits: edits})
	if err != nil {
		if c.mayStand && already(ctx, c.workspace, now, edits) {
			c.stands = standingFiles(edits)
			return nil
		}
		return err
	}
	c.before, c.set = now, set
	c.after, err = now.Overlay(ctx, set.Overlay())
	return err
}

// planned derives the plan of a task on the state before the change.
func (c *change) planned(ctx context.Context, e *env, file string) error {
	t, err := e.task(ctx, file)
	if err != nil {
		return err
	}
	collected, err := (&budget.LayeredQuota{History: budget.Git{Dir: e.dir}}).Collect(ctx, budget.Input{Task: t, Snapshot: c.before})
	if err != nil {
		return err
	}
	c.plan, err = (&changeset.Derived{}).Plan(ctx, changeset.Input{Task: t, Snapshot: c.before, Context: collected})
	c.task = t.ID
	return err
}

// decide asks the gate.
func (c *change) decide(ctx context.Context, policy *gate.Policy, r *verify.Report) (*gate.Decision, error) {
	return (&gate.Rules{Policy: policy, Extra: []gate.Rule{secrets.Rule()}}).Decide(ctx, gate.Input{Before: c.before, After: c.after, Plan: c.plan, Set: c.set, Report: r})
}

// about says in one line what is judged.
func (c *change) about(e *env) {
	from := "the edits"
	if c.made {
		from = "the difference since " + c.since[:min(12, len(c.since))]
	}
	e.printf("%s: %s, %s\n", from, plural(len(c.set.Files), "file", "files"), plural(len(c.set.Hunks), "hunk", "hunks"))
}

// caveats are what could not be judged, for people.
func (c *change) caveats() []string {
	var out []string
	if c.plan == nil {
		out = append(out, "there is no plan: whether every place is meant and every capability point is covered was not judged; -task FILE gives one")
	}
	if len(c.left) > 0 {
		out = append(out, "not compared: "+strings.Join(c.left, "; "))
	}
	return out
}
