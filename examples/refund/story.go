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

// play tells the story twice on the same shop: once with a model that repairs
// what it broke, once with one that deletes the assertions instead.
func play(ctx context.Context, w io.Writer, o options) error {
	dir, err := folder(ctx, o.dir)
	if err != nil {
		return err
	}
	shop := filepath.Join(dir, "shop")
	fmt.Fprintf(w, "the shop is in %s\n", shop)
	if !o.isolated {
		fmt.Fprintln(w, "tests may run without isolation where bubblewrap is missing; the hand-off says which it was")
	}
	t, err := request()
	if err != nil {
		return err
	}
	start, err := state(ctx, shop)
	if err != nil {
		return err
	}
	first, err := tell(ctx, w, shop, t, newModel(w, "attempt1.diff", "attempt2.diff"), o)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "handoff")
	if err := leave(first.Handoff, out); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nthe hand-off is in %s (handoff.md, handoff.json, handoff.html)\n", out)
	if o.keep {
		return nil
	}
	if err := undo(ctx, w, shop, first.Receipt.ID, start); err != nil {
		return err
	}
	return weaken(ctx, w, shop, t, o, start)
}

// folder makes the place to play in, or takes over one that was played in before.
func folder(ctx context.Context, dir string) (string, error) {
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "plumb-refund-"); err != nil {
			return "", err
		}
	}
	shop := filepath.Join(dir, "shop")
	if _, err := os.Stat(filepath.Join(shop, ".git")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(shop, 0o755); err != nil {
		return "", err
	}
	return dir, unpack(ctx, shop)
}

// request reads the task: the paragraph and the contracts its writer declares.
// The capability points are the model's to find.
func request() (task.Task, error) {
	text, err := answer("task.yaml")
	if err != nil {
		return task.Task{}, err
	}
	t, err := task.Read([]byte(text))
	t.ID, t.Capabilities = "refund", nil
	return t, err
}

// chain composes the stages for the shop.
func chain(shop string, w io.Writer, m *storyModel, o options) (*plumb.Chain, error) {
	c, err := plumb.New(shop, golang.Language())
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
func tell(ctx context.Context, w io.Writer, shop string, t task.Task, m *storyModel, o options) (*plumb.Result, error) {
	c, err := chain(shop, w, m, o)
	if err != nil {
		return nil, err
	}
	r, err := c.Run(ctx, t)
	if err != nil {
		return r, fmt.Errorf("the story stopped: %w", err)
	}
	return r, nil
}

// indexed is the shop as it stands.
func indexed(ctx context.Context, shop string) (*index.Snapshot, error) {
	return (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: os.DirFS(shop)})
}

// state is the digest of the whole tree.
func state(ctx context.Context, shop string) (string, error) {
	s, err := indexed(ctx, shop)
	if err != nil {
		return "", err
	}
	return s.Digest(), nil
}

// undo takes the change back and checks that the tree is exactly what it was.
func undo(ctx context.Context, w io.Writer, shop, id, start string) error {
	c, err := plumb.New(shop, golang.Language())
	if err != nil {
		return err
	}
	if err := c.Workspace.Undo(ctx, id); err != nil {
		return err
	}
	now, err := state(ctx, shop)
	if err != nil {
		return err
	}
	if now != start {
		return errors.New("undo did not bring back the exact tree")
	}
	fmt.Fprintf(w, "\nundo %s: the tree is exactly what it was\n", id)
	return nil
}

// weakened are the attempts of the second model.
const weakened = "attempt2.diff+weaken.diff"

// weaken tells the story with the second model. The plan does not let it touch
// the assertions; where there is no plan, as in a bot that checks a difference,
// the gate stops it.
func weaken(ctx context.Context, w io.Writer, shop string, t task.Task, o options, start string) error {
	fmt.Fprintf(w, "\n== another model deletes the assertions that fail\n")
	t.ID, o.dieAfter = "refund-weakened", ""
	_, err := tell(ctx, w, shop, t, newModel(w, "attempt2.diff", weakened).blind(), o)
	if !errors.Is(err, fault.Dangerous) {
		return fmt.Errorf("nothing stopped it: %w", err)
	}
	d, err := judge(ctx, shop, weakened)
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
	now, err := state(ctx, shop)
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
func judge(ctx context.Context, shop, names string) (*gate.Decision, error) {
	before, err := indexed(ctx, shop)
	if err != nil {
		return nil, err
	}
	list, err := edits(names)
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
