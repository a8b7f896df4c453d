package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
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
	// a layer, or else the class of a fault. Why is the first reason in full.
	Stage    string        `json:"stage,omitempty"`
	Class    string        `json:"class,omitempty"`
	Why      string        `json:"why,omitempty"`
	Selected int           `json:"tests_selected"`
	Elapsed  time.Duration `json:"elapsed_ns"`
}

// ordinary lists the newest commits with one parent that change a source file
// and not too many files in all.
func (r *replay) ordinary(ctx context.Context, from string, n, most int) ([]string, error) {
	log, err := r.git.run(ctx, "log", "--no-merges", "--first-parent", "--format=%H", "-n", fmt.Sprint(50*n), from)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, commit := range strings.Fields(log) {
		names, err := r.git.run(ctx, "diff-tree", "--no-commit-id", "--name-only", "-r", "-z", commit)
		if err != nil {
			return nil, err
		}
		files := strings.FieldsFunc(names, func(c rune) bool { return c == 0 })
		if len(files) > 0 && len(files) <= most && slices.ContainsFunc(files, r.isSource) {
			out = append(out, commit)
		}
		if len(out) == n {
			break
		}
	}
	return out, nil
}

// isSource reports whether a file is code of a language that is read, and no test.
func (r *replay) isSource(file string) bool {
	return slices.ContainsFunc(r.languages, func(l *index.Language) bool {
		return slices.Contains(l.Extensions, path.Ext(file)) && (l.TestFile == nil || !l.TestFile(file))
	})
}

// all replays the commits one after the other and leaves the clone as it was.
func (r *replay) all(ctx context.Context, commits []string, done func(End)) ([]End, error) {
	if dirty, err := r.git.line(ctx, "status", "--porcelain"); err != nil || dirty != "" {
		return nil, errors.Join(err, fmt.Errorf("the work tree of %s is not clean; give a clone made for this", r.git.dir))
	}
	home, err := r.git.line(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	if err != nil {
		if home, err = r.git.line(ctx, "rev-parse", "HEAD"); err != nil {
			return nil, err
		}
	}
	defer func() { _, _ = r.git.run(context.WithoutCancel(ctx), "checkout", "-q", "-f", home) }()
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
	e := End{Commit: commit, Subject: subject, Files: strings.Count("\n"+diff, "\ndiff --git ")}
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
		f := got.Stopped.Feedback[0]
		e.Stage, e.Class, e.Why = string(got.Stopped.Stage), f.Rule, f.String()
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
		if f.Blocks && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
			e.Why = firstOr(e.Why, rules, f)
		}
	}
	if len(rules) > 0 {
		slices.Sort(rules)
		e.Class = "gate: " + strings.Join(rules, ", ")
	}
	return nil
}

// firstOr is why for all but the first rule, whose finding tells more.
func firstOr(why string, rules []string, f gate.Finding) string {
	if len(rules) > 1 {
		return why
	}
	return f.Rule + ": " + f.Reason
}

// stopped files a fault; whatever is none, and the end of ctx, ends the replay.
func (e *End) stopped(ctx context.Context, stage string, err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) || ctx.Err() != nil {
		return err
	}
	e.Stage, e.Class, e.Why = stage, string(f.Class), f.Error()
	return nil
}

// outcome is the end in a few words.
func (e *End) outcome() string {
	switch {
	case e.Exact:
		return "handed off, exact tree"
	case e.HandedOff:
		return "handed off, ANOTHER TREE"
	}
	return "stopped at " + e.Stage + ": " + e.Class
}
