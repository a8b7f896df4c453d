package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index/lang/all"
	"github.com/plumbkit/plumb/verify"
)

// unsandboxedFlag is the opt-in to run tests without isolation.
func unsandboxedFlag(fs *flag.FlagSet) *bool {
	return fs.Bool("unsandboxed", false, "run tests without isolation where bubblewrap is missing; every report says so")
}

func verifyCommand(fs *flag.FlagSet) action {
	from := sourceFlags(fs)
	tests := testFlags(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		c, r, err := e.verified(ctx, from, tests)
		if err != nil {
			return err
		}
		if e.structured() {
			if err := e.emit(r); err != nil {
				return err
			}
			return verdict(r)
		}
		c.about(e)
		showReport(e, r)
		return verdict(r)
	}
}

// verified works the change out and runs the layers on it.
func (e *env) verified(ctx context.Context, from *source, tests *running) (*change, *verify.Report, error) {
	wanted, err := layerNames(tests.layers)
	if err != nil {
		return nil, nil, err
	}
	c, err := e.prepare(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	r, err := tests.verifier(e).Verify(ctx, verify.Input{Before: c.before, After: c.after, Plan: c.plan, Set: c.set, Workspace: c.workspace, Layers: wanted})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range c.caveats() {
		r.Unverified = append(r.Unverified, verify.Unverified{What: "the plan", Why: n})
	}
	return c, r, nil
}

// running is how tests are run.
type running struct {
	layers      string
	within      *verify.Budgets
	unsandboxed *bool
}

// testFlags declares -layers, -within and -unsandboxed.
func testFlags(fs *flag.FlagSet) *running {
	t := &running{within: withinFlag(fs), unsandboxed: unsandboxedFlag(fs)}
	fs.StringVar(&t.layers, "layers", "", "the `layers` to run, comma separated: L0,L1,types,L2,L3; empty runs all there are")
	return t
}

// verifier is the verifier that these flags ask for.
func (t *running) verifier(e *env) *verify.Layered {
	return &verify.Layered{Budgets: *t.within, Runner: plumb.RunnerFor(all.Languages()...), Sandbox: sandbox.Auto{AllowUnsandboxed: *t.unsandboxed}, Progress: e.progress()}
}

func layerNames(list string) ([]verify.LayerName, error) {
	var out []verify.LayerName
	for name := range strings.SplitSeq(list, ",") {
		switch n := verify.LayerName(strings.TrimSpace(name)); n {
		case "":
		case verify.L0, verify.L1, verify.L2, verify.L3:
			out = append(out, n)
		case "types":
			return nil, &fault.Fault{Class: fault.Unsupported, Op: "plumb verify", Subject: fault.Subject{Text: name},
				Detail: "this build has no type tier, and so no layer of it", Next: "leave it out; L1 checks symbols without a compiler, L2 builds"}
		default:
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb verify", Subject: fault.Subject{Text: name},
				Detail: "there is no such layer", Next: "use L0, L1, types, L2 and L3"}
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

// showReport prints a report for people: what is wrong first, long lists cut.
func showReport(e *env, r *verify.Report) {
	if !r.Environment.Sandboxed {
		e.printf("NOT SANDBOXED: tests ran, or would run, without isolation\n")
	}
	for _, l := range r.Layers {
		e.printf("%s: %s (%d ms)\n", string(l.Name), string(l.Status), l.Elapsed.Milliseconds())
		for _, f := range l.Findings {
			e.printf("  %s: %s: %s\n", f.Span.String(), f.Rule, f.Text)
		}
		if l.Left != "" {
			e.printf("  left out: %s\n", l.Left)
		}
		if l.Next != "" {
			e.printf("  next: %s\n", inFlags(l.Next))
		}
	}
	for _, m := range r.Missing {
		e.printf("missing: %s: %s: %s\n", m.Ref.Span.String(), m.Symbol, m.Reason)
	}
	for _, c := range head(e, "to confirm", r.Confirm) {
		e.printf("confirm: %s: %s %s: %s\n", c.Span.String(), c.Status.String(), c.Name, c.Reason)
	}
	for _, t := range r.Tests {
		if t.Attribution != verify.Unchanged && t.Attribution != verify.NotExecuted { // these are among what was not verified
			e.printf("test: %s %s: %s -> %s: %s\n", t.Test.Dir, t.Test.Name, string(t.Before), string(t.After), string(t.Attribution))
			if t.Failure != nil && t.Failure.Assertion != "" {
				e.printf("  %s\n", t.Failure.Assertion)
			}
		}
	}
	e.printf("tests: %d selected, %d skipped", len(r.Selection.Selected), len(r.Selection.Skipped))
	if r.Selection.Widened != "" {
		e.printf("; widened: %s", r.Selection.Widened)
	}
	e.printf("\n")
	for _, u := range head(e, "not verified", r.Unverified) {
		e.printf("not verified: %s: %s\n", u.What, u.Why)
	}
}

// shownAtMost is how much of a list of a report is shown to people.
const shownAtMost = 40

// head returns the beginning of a list, and says what it leaves out.
func head[T any](e *env, what string, list []T) []T {
	if len(list) <= shownAtMost {
		return list
	}
	e.printf("%s: %d, of which %d are shown; -json has all\n", what, len(list), shownAtMost)
	return list[:shownAtMost]
}
