package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
)

// unsandboxedFlag is the opt-in to run tests without isolation.
func unsandboxedFlag(fs *flag.FlagSet) *bool {
	return fs.Bool("unsandboxed", false, "run tests without isolation where bubblewrap is missing; every report says so")
}

func verifyCommand(fs *flag.FlagSet) action {
	file := fs.String("patch", "", "the edits, in any format; - is standard input")
	layers := fs.String("layers", "", "layers to run, comma separated: L0,L1,L2,L3; empty runs all")
	within := withinFlag(fs)
	open := unsandboxedFlag(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		wanted, err := layerNames(*layers)
		if err != nil {
			return err
		}
		c, err := e.prepare(ctx, *file)
		if err != nil {
			return err
		}
		v := &verify.Layered{Budgets: *within, Runner: &gotest.Runner{}, Sandbox: sandbox.Auto{AllowUnsandboxed: *open}}
		r, err := v.Verify(ctx, verify.Input{Before: c.before, After: c.after, Set: c.set, Workspace: c.workspace, Layers: wanted})
		if err != nil {
			return err
		}
		if e.structured() {
			err = e.emit(r)
		} else {
			showReport(e, r)
		}
		if err != nil {
			return err
		}
		return verdict(r)
	}
}

func layerNames(list string) ([]verify.LayerName, error) {
	var out []verify.LayerName
	for name := range strings.SplitSeq(list, ",") {
		switch n := verify.LayerName(strings.TrimSpace(name)); n {
		case "":
		case verify.L0, verify.L1, verify.L2, verify.L3:
			out = append(out, n)
		default:
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb verify", Subject: fault.Subject{Text: name},
				Detail: "there is no such layer", Next: "use L0, L1, L2 and L3"}
		}
	}
	return out, nil
}

// withinFlag is the time that each layer may take, as in -within L2=5m,L3=20m.
func withinFlag(fs *flag.FlagSet) *verify.Budgets {
	b := &verify.Budgets{}
	of := map[string]*time.Duration{"L0": &b.L0, "L1": &b.L1, "L2": &b.L2, "L3": &b.L3}
	fs.Func("within", "the time of layers, comma separated, such as L2=5m; by default L0=1s,L1=5s,L2=1m,L3=10m", func(list string) error {
		for one := range strings.SplitSeq(list, ",") {
			name, text, _ := strings.Cut(one, "=")
			d, err := time.ParseDuration(text)
			if of[name] == nil || err != nil || d <= 0 {
				return fmt.Errorf("%q is no layer with its time, such as L2=5m", one)
			}
			*of[name] = d
		}
		return nil
	})
	return b
}

// verdict turns a report into an exit code: failed checks are findings, layers
// that the machine could not judge an environment fault.
func verdict(r *verify.Report) error {
	for _, l := range r.Layers {
		switch l.Status {
		case verify.LayerFailed:
			return errFindings
		case verify.LayerEnvironment:
			detail := "the layer could not be judged on this machine"
			for _, f := range l.Findings {
				detail += "; " + f.Text
			}
			return &fault.Fault{Class: fault.Environment, Op: "plumb verify", Subject: fault.Subject{Text: string(l.Name)}, Detail: detail, Next: l.Next}
		}
	}
	return nil
}

func showReport(e *env, r *verify.Report) {
	if !r.Environment.Sandboxed {
		e.printf("NOT SANDBOXED: tests ran, or would run, without isolation\n")
	}
	for _, l := range r.Layers {
		e.printf("%s: %s (%d ms)\n", string(l.Name), string(l.Status), l.Elapsed.Milliseconds())
		for _, f := range l.Findings {
			e.printf("  %s:%d: %s: %s\n", f.Span.File, f.Span.Line, f.Rule, f.Text)
		}
		if l.Next != "" {
			e.printf("  next: %s\n", l.Next)
		}
	}
	for _, m := range r.Missing {
		e.printf("missing: %s:%d: %s: %s\n", m.Ref.Span.File, m.Ref.Span.Line, m.Symbol, m.Reason)
	}
	for _, c := range r.Confirm {
		e.printf("confirm: %s:%d: %s %s: %s\n", c.Span.File, c.Span.Line, c.Status.String(), c.Name, c.Reason)
	}
	for _, t := range r.Tests {
		if t.Attribution != verify.Unchanged && t.Attribution != verify.NotExecuted { // these are among what was not verified
			e.printf("test: %s %s: %s -> %s: %s\n", t.Test.Dir, t.Test.Name, string(t.Before), string(t.After), string(t.Attribution))
		}
	}
	e.printf("tests: %d selected, %d skipped\n", len(r.Selection.Selected), len(r.Selection.Skipped))
	for _, u := range r.Unverified {
		e.printf("not verified: %s: %s\n", u.What, u.Why)
	}
}

func gateCommand(fs *flag.FlagSet) action {
	file := fs.String("patch", "", "the edits, in any format; - is standard input")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		c, err := e.prepare(ctx, *file)
		if err != nil {
			return err
		}
		d, err := (&gate.Rules{}).Decide(ctx, gate.Input{Before: c.before, After: c.after, Set: c.set})
		if err != nil {
			return err
		}
		if !e.structured() {
			return findings(e, d)
		}
		return blocked(e.emit(d), d)
	}
}
