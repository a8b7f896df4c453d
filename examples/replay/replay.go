package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// A replay is one clone with what the chain gets.
type replay struct {
	git         git
	languages   []*index.Language
	budgets     verify.Budgets
	unsandboxed bool
	probe       string          // the repository's own tests, as a command of the shell
	probed      map[string]bool // by commit
	read        map[string]Reading
}

// An End is how one commit ended.
type End struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	Files   int    `json:"files"`
	// HandedOff says that the chain reached the hand-off, Exact that the work
	// tree was then the commit's, to the last byte and mode.
	HandedOff bool `json:"handed_off"`
	Exact     bool `json:"exact"`
	// Stage and Class say where and why it stopped; Class is a rule of the gate or
	// a check, or else the class of a fault. Reasons are what it was told, in full.
	Stage   string   `json:"stage,omitempty"`
	Class   string   `json:"class,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	// Read is what somebody who read the stop says of it.
	Read     Reading       `json:"read,omitzero"`
	Selected int           `json:"tests_selected"`
	Elapsed  time.Duration `json:"elapsed_ns"`
}

// guarded does something with the clone and leaves it as it was. Files that are
// ignored when it begins stay ignored, and so stay, on commits that do not ignore
// them: installed packages, for one.
func (r *replay) guarded(ctx context.Context, do func() error) (err error) {
	if dirty, err := r.git.line(ctx, "status", "--porcelain"); err != nil || dirty != "" {
		return errors.Join(err, fmt.Errorf("the work tree of %s is not clean; give a clone made for this", r.git.dir))
	}
	home, err := r.git.line(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	if err != nil {
		if home, err = r.git.line(ctx, "rev-parse", "HEAD"); err != nil {
			return err
		}
	}
	again, err := r.git.keepIgnored(ctx)
	if err != nil {
		return err
	}
	defer func() {
		end := context.WithoutCancel(ctx)
		_, back := r.git.run(end, "checkout", "-q", "-f", home)
		_, clean := r.git.run(end, "clean", "-fdq")
		err = errors.Join(err, back, clean, again())
	}()
	return do()
}

// all replays the commits one after the other.
func (r *replay) all(ctx context.Context, commits []string, done func(End)) ([]End, error) {
	var out []End
	for _, c := range commits {
		e, err := r.one(ctx, c)
		if err != nil {
			return out, err
		}
		done(e)
		out = append(out, e)
	}
	return out, nil
}

func (r *replay) one(ctx context.Context, commit string) (End, error) {
	start := time.Now()
	subject, err := r.git.line(ctx, "log", "-1", "--format=%s", commit)
	if err != nil {
		return End{}, err
	}
	if err := r.git.checkout(ctx, commit+"^"); err != nil {
		return End{}, err
	}
	diff, err := r.git.run(ctx, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", "-M", commit+"^", commit)
	if err != nil {
		return End{}, err
	}
	e := End{Commit: commit, Subject: subject, Files: strings.Count("\n"+diff, "\ndiff --git "), Read: reading(r.read, commit)}
	if err := r.chain(ctx, &e, diff); err != nil {
		return End{}, err
	}
	e.Elapsed = time.Since(start)
	return e, ctx.Err()
}

// chain runs one commit through all stages; what stops it stands in e.
func (r *replay) chain(ctx context.Context, e *End, diff string) error {
	edits, err := patch.Parse([]byte(diff))
	if err != nil {
		return e.stopped(ctx, "read", err)
	}
	c, err := plumb.New(r.git.dir, r.languages...)
	if err != nil {
		return err
	}
	c.Store = &ledger.Memory{} // an earlier replay's results are not taken over
	c.Isolate(sandbox.Auto{AllowUnsandboxed: r.unsandboxed})
	c.Editor, c.Unplanned = plumb.Given(edits), true
	if v, ok := c.Verifier.(*verify.Layered); ok {
		v.Budgets = r.budgets
	}
	stage := ""
	c.Observe = func(v plumb.Event) { stage = string(v.Stage) }
	got, err := c.Run(ctx, task.Task{ID: e.Commit, Requirement: e.Subject})
	if got != nil && got.Report != nil {
		e.Selected = len(got.Report.Selection.Selected)
	}
	switch {
	case err != nil:
		return e.refused(ctx, stage, got, err)
	case got.Stopped != nil:
		e.Stage, e.Class = string(got.Stopped.Stage), got.Stopped.Feedback[0].Rule
		for _, f := range got.Stopped.Feedback {
			e.Reasons = append(e.Reasons, f.String())
		}
		return nil
	}
	e.HandedOff = true
	have, err := r.git.tree(ctx)
	if err != nil {
		return err
	}
	want, err := r.git.line(ctx, "rev-parse", e.Commit+"^{tree}")
	e.Exact = have == want
	return err
}

// refused names the rules by which the gate refused, or else the fault.
func (e *End) refused(ctx context.Context, stage string, got *plumb.Result, err error) error {
	if err := e.stopped(ctx, stage, err); err != nil || got.Decision == nil || !errors.Is(err, fault.Dangerous) && e.Class != string(fault.Dangerous) {
		return err
	}
	var rules []string
	for _, f := range got.Decision.Findings {
		if !f.Blocks {
			continue
		}
		rules = append(rules, f.Rule)
		at := f.After
		if at.File == "" {
			at = f.Before
		}
		e.Reasons = append(e.Reasons, fmt.Sprintf("%s: %s:%d: %s", f.Rule, at.File, at.Line, f.Reason))
	}
	if len(rules) > 0 {
		slices.Sort(rules)
		e.Class = "gate: " + strings.Join(slices.Compact(rules), ", ")
	}
	return nil
}

// stopped files a fault; whatever is none, and the end of ctx, ends the replay.
func (e *End) stopped(ctx context.Context, stage string, err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) || ctx.Err() != nil {
		return err
	}
	e.Stage, e.Class, e.Reasons = stage, string(f.Class), []string{f.Error()}
	return nil
}
