package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// options choose how the story is told.
type options struct {
	dir      string
	isolated bool
	keep     bool
	dieAfter string
}

// A tale is a shop in one language, with what its models answer.
type tale struct {
	name     string // of the shop's folder and of the task
	files    string // the folder in testdata
	handoff  string // the folder of the hand-off
	language *index.Language
	// attempts are the edits of the model that repairs what it broke, weakened
	// those of the one that deletes the assertions instead.
	attempts, weakened []string
}

// inGo is the story in full.
func inGo() *tale {
	return &tale{name: "shop", files: "testdata", handoff: "handoff", language: golang.Language(),
		attempts: []string{"attempt1.diff", "attempt2.diff"}, weakened: []string{"attempt2.diff", "attempt2.diff+weaken.diff"}}
}

// inPython is the shorter telling, in a shop whose tests run in pytest.
func inPython() *tale {
	return &tale{name: "shop-python", files: "testdata/python", handoff: "handoff-python", language: python.Language(),
		attempts: []string{"attempt1.diff", "attempt2.diff"}, weakened: []string{"attempt2.diff", "attempt2.diff+weaken.diff"}}
}

// play tells the story in Go and, where there is a Python with pytest, in Python.
func play(ctx context.Context, w io.Writer, o options) error {
	dir, err := base(o.dir)
	if err != nil {
		return err
	}
	if err := inGo().play(ctx, w, dir, o); err != nil || o.keep {
		return err
	}
	fmt.Fprintf(w, "\n== the same in Python\n")
	if err := pytestIsThere(ctx, dir); err != nil {
		fmt.Fprintf(w, "not told: %v\n", err)
		return nil
	}
	return inPython().play(ctx, w, dir, o)
}

// pytestIsThere says what is missing for the telling in Python.
func pytestIsThere(ctx context.Context, dir string) error {
	_, err := plumb.RunnerFor(python.Language()).Tooling(ctx, dir)
	return err
}

// play tells the story twice on the same shop: once with a model that repairs
// what it broke, once with one that deletes the assertions instead.
func (t *tale) play(ctx context.Context, w io.Writer, dir string, o options) error {
	shop, err := t.lay(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the shop is in %s\n", shop)
	if !o.isolated {
		fmt.Fprintln(w, "tests may run without isolation where bubblewrap is missing; the hand-off says which it was")
	}
	job, err := t.request()
	if err != nil {
		return err
	}
	start, err := t.state(ctx, shop)
	if err != nil {
		return err
	}
	first, err := t.tell(ctx, w, shop, job, t.model(w, t.attempts...), o)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, t.handoff)
	if err := leave(first.Handoff, out); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nthe hand-off is in %s (handoff.md, handoff.json, handoff.html)\n", out)
	if o.keep {
		return nil
	}
	if err := t.undo(ctx, w, shop, first.Receipt.ID, start); err != nil {
		return err
	}
	return t.weaken(ctx, w, shop, job, o, start)
}

// base is the folder to play in.
func base(dir string) (string, error) {
	if dir != "" {
		return dir, nil
	}
	return os.MkdirTemp("", "plumb-refund-")
}

// lay makes the shop in dir, or takes over one that was played in before.
func (t *tale) lay(ctx context.Context, dir string) (string, error) {
	shop := filepath.Join(dir, t.name)
	if _, err := os.Stat(filepath.Join(shop, ".git")); err == nil {
		return shop, nil
	}
	if err := os.MkdirAll(shop, 0o755); err != nil {
		return "", err
	}
	return shop, t.unpack(ctx, shop)
}

// request reads the task: the paragraph and the contracts its writer declares.
// The capability points are the model's to find.
func (t *tale) request() (task.Task, error) {
	text, err := t.answer("task.yaml")
	if err != nil {
		return task.Task{}, err
	}
	job, err := task.Read([]byte(text))
	job.ID, job.Capabilities = "refund", nil
	return job, err
}

// chain composes the stages for the shop.
func (t *tale) chain(shop string, w io.Writer, m *storyModel, o options) (*plumb.Chain, error) {
	c, err := plumb.New(shop, t.language)
	if err != nil {
		return nil, err
	}
	c.Isolate(sandbox.Auto{AllowUnsandboxed: !o.isolated})
	if v, ok := c.Verifier.(*verify.Layered); ok {
		v.Budgets.L2 = 5 * time.Minute // the first run builds the standard library's packages
	}
	c.Model, c.Editor, c.Attended = m.asked(), m, true
	c.Answerer = plumb.AnswererFunc(m.answer)
	c.Approver = gate.ApproverFunc(m.approve)
	c.Budgets.Attempts = len(m.attempts)
	c.Observe = func(e plumb.Event) {
		show(w, e)
		if e.State == "finished" && string(e.Stage) == o.dieAfter {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	return c, nil
}

// tell runs the task once.
func (t *tale) tell(ctx context.Context, w io.Writer, shop string, job task.Task, m *storyModel, o options) (*plumb.Result, error) {
	c, err := t.chain(shop, w, m, o)
	if err != nil {
		return nil, err
	}
	r, err := c.Run(ctx, job)
	if err != nil {
		return r, fmt.Errorf("the story stopped: %w", err)
	}
	return r, nil
}

// indexed is the shop as it stands.
func (t *tale) indexed(ctx context.Context, shop string) (*index.Snapshot, error) {
	return (&index.TreeSitter{Languages: []*index.Language{t.language}}).Index(ctx, index.Input{FS: os.DirFS(shop)})
}

// state is the digest of the whole tree.
func (t *tale) state(ctx context.Context, shop string) (string, error) {
	s, err := t.indexed(ctx, shop)
	if err != nil {
		return "", err
	}
	return s.Digest(), nil
}

// undo takes the change back and checks that the tree is exactly what it was.
func (t *tale) undo(ctx context.Context, w io.Writer, shop, id, start string) error {
	c, err := plumb.New(shop, t.language)
	if err != nil {
		return err
	}
	if err := c.Workspace.Undo(ctx, id); err != nil {
		return err
	}
	now, err := t.state(ctx, shop)
	if err != nil {
		return err
	}
	if now != start {
		return errors.New("undo did not bring back the exact tree")
	}
	fmt.Fprintf(w, "\nundo %s: the tree is exactly what it was\n", id)
	return nil
}

// weaken tells the story with the second model. The plan does not let it touch
// the assertions; where there is no plan, as in a bot that checks a difference,
// the gate stops it.
func (t *tale) weaken(ctx context.Context, w io.Writer, shop string, job task.Task, o options, start string) error {
	fmt.Fprintf(w, "\n== another model deletes the assertions that fail\n")
	job.ID, o.dieAfter = "refund-weakened", ""
	_, err := t.tell(ctx, w, shop, job, t.model(w, t.weakened...).blind(), o)
	if !errors.Is(err, fault.Dangerous) {
		return fmt.Errorf("nothing stopped it: %w", err)
	}
	d, err := t.judge(ctx, shop, t.weakened[len(t.weakened)-1])
	if err != nil {
		return err
	}
	if d.Verdict != gate.Blocked {
		return errors.New("the gate did not stop it")
	}
	for _, f := range d.Findings {
		if f.Blocks {
			fmt.Fprintf(w, "without a plan blocked by %s at %s:%d: %s\n", f.Rule, f.Before.File, f.Before.Line, f.Reason)
		}
	}
	now, err := t.state(ctx, shop)
	if err != nil {
		return err
	}
	if now != start {
		return errors.New("a blocked change left something behind")
	}
	fmt.Fprintln(w, "the tree is exactly what it was")
	return nil
}

// judge asks the gate alone about edits for which there is no plan.
func (t *tale) judge(ctx context.Context, shop, names string) (*gate.Decision, error) {
	before, err := t.indexed(ctx, shop)
	if err != nil {
		return nil, err
	}
	list, err := t.edits(names)
	if err != nil {
		return nil, err
	}
	set, err := (&patch.Anchored{FS: os.DirFS(shop)}).Patch(ctx, patch.Input{Before: before, Edits: list})
	if err != nil {
		return nil, err
	}
	after, err := before.Overlay(ctx, set.Overlay())
	if err != nil {
		return nil, err
	}
	return (&gate.Rules{}).Decide(ctx, gate.Input{Before: before, After: after, Set: set})
}

// leave writes the hand-off in its three forms.
func leave(h *selfcheck.Handoff, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	page, err := h.HTML()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"handoff.md": []byte(h.Markdown()), "handoff.json": data, "handoff.html": page} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
