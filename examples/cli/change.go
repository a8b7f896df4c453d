package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

func changeCommand(fs *flag.FlagSet) action {
	file := fs.String("task", "", "the task file; - is standard input")
	edits := fs.String("edits", "", "the edits, in any format; - is standard input")
	dry := fs.Bool("dry-run", false, "stop before the workspace is written")
	out := fs.String("handoff", "", "the folder for the hand-off; empty is one in the workspace's state folder")
	ask := fs.Bool("ask", false, "put the planner's questions, and what the gate leaves to a person, to the terminal")
	approved := approvedFlag(fs)
	within := withinFlag(fs)
	open := unsandboxedFlag(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		t, err := e.task(*file)
		if err != nil {
			return err
		}
		given, err := e.edits(*edits)
		if err != nil {
			return err
		}
		c, err := plumb.New(e.dir, languages()...)
		if err != nil {
			return err
		}
		c.Isolate(sandbox.Auto{AllowUnsandboxed: *open})
		c.Editor, c.Progress, c.DryRun, c.Observe = given, e.progress(), *dry, e.observe()
		if *ask {
			c.Answerer = terminal{e}
		}
		c.Approver = approver(e, *approved, *ask)
		if v, ok := c.Verifier.(*verify.Layered); ok {
			v.Budgets = *within
		}
		r, err := c.Run(ctx, t)
		return e.finish(r, *out, filepath.Join(c.Workspace.State(), "handoff"), err)
	}
}

// edits reads the edits of a change; without a file there is nothing to do, as
// this host has no model.
func (e *env) edits(file string) (plumb.Given, error) {
	if file == "" {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb change", Detail: "no edits were given, and this host has no model to ask",
			State: "workspace unchanged", Next: "give them with -edits FILE, or use the library with a model of your own"}
	}
	data, err := e.input(file)
	if err != nil {
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
func (e *env) finish(r *plumb.Result, out, state string, err error) error {
	if r.Handoff != nil && err == nil && r.Stopped == nil {
		if out == "" {
			out = filepath.Join(state, safeName(r.Handoff.Task))
		}
		if werr := writeHandoff(r.Handoff, out); werr != nil {
			return werr
		}
		if !e.structured() {
			e.text(r.Handoff.Markdown())
			if r.Receipt == nil {
				e.printf("\ndry run: the workspace is unchanged")
			}
			e.printf("\nhand-off: %s\n", out)
		}
	}
	if e.structured() {
		if jerr := e.emit(struct {
			Schema  int    `json:"schema"`
			Handoff string `json:"handoff_dir,omitempty"`
			*plumb.Result
		}{1, out, r}); jerr != nil {
			return jerr
		}
	}
	if err != nil || r.Stopped == nil {
		return err
	}
	if !e.structured() {
		e.printf("stopped at %s; the workspace is unchanged\n", string(r.Stopped.Stage))
		for _, f := range r.Stopped.Feedback {
			e.printf("%s\n", f.String())
			e.text(f.Source)
		}
	}
	return errFindings
}

func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '_'
		}
		return r
	}, s)
}

// writeHandoff writes the three forms of the hand-off.
func writeHandoff(h *selfcheck.Handoff, dir string) error {
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	page, err := h.HTML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.From(err, "plumb handoff", "give a folder that can be written with -handoff")
	}
	for name, content := range map[string][]byte{"handoff.md": []byte(h.Markdown()), "handoff.json": data, "handoff.html": page} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fault.From(err, "plumb handoff", "give a folder that can be written with -handoff")
		}
	}
	return nil
}

// terminal answers the planner's questions from standard input.
type terminal struct{ e *env }

// Answer prints the question and reads the number of an option.
func (t terminal) Answer(_ context.Context, q changeset.Question) (task.Answer, error) {
	fmt.Fprintf(t.e.stderr, "%s %s\n", q.ID, plain(q.Text))
	for _, ev := range q.Evidence {
		fmt.Fprintf(t.e.stderr, "  evidence: %s\n", plain(ev))
	}
	for i, o := range q.Options {
		mark := ""
		if i+1 == q.Recommended {
			mark = " (recommended)"
		}
		fmt.Fprintf(t.e.stderr, "  %d: %s%s\n", i+1, plain(o.Text), mark)
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
