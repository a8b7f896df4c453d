package plumb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// overlay checks the set on the overlay before anything is written (PAT-10).
// Uses that only a reader can settle go to the editor once; what it adapts
// joins the set, which is then checked again.
func (r *run) overlay(ctx context.Context, set *patch.Set, edits []patch.Edit) (*patch.Set, error) {
	report, err := r.consistent(ctx)
	if err != nil || r.feedback != nil {
		return set, err
	}
	confirmer, ok := r.editor.(Confirmer)
	open := unsettled(report.Confirm, set)
	if !ok || len(open) == 0 {
		return set, nil
	}
	more, err := step(ctx, r, StageConfirm, func(ctx context.Context) ([]patch.Edit, error) {
		d := r.draft()
		d.Last, d.After = edits, r.result.After
		return confirmer.Confirm(ctx, d, open)
	})
	if err != nil || len(more) == 0 {
		return set, err
	}
	both, err := r.further(ctx, set, more, open)
	if err != nil {
		_, err = r.retry(ctx, StageConfirm, err)
		return set, err
	}
	joined, err := r.patch(ctx, both)
	if err != nil {
		_, err = r.retry(ctx, StageConfirm, err)
		return set, err
	}
	joined = withNoise(joined, set.Noise)
	r.result.Set = joined
	_, err = r.consistent(ctx)
	return joined, err
}

// consistent runs L0 and L1 and leaves feedback when one of them fails.
func (r *run) consistent(ctx context.Context) (*verify.Report, error) {
	report, err := step(ctx, r, StageOverlay, func(ctx context.Context) (*verify.Report, error) {
		return r.chain.Verifier.Verify(ctx, r.verifyInput(verify.L0, verify.L1))
	})
	if err != nil {
		return nil, err
	}
	r.result.Report = report
	return report, r.learn(ctx, StageOverlay, report)
}

// unsettled are the references to confirm that lie outside the lines the set changes.
func unsettled(refs []index.Ref, set *patch.Set) []index.Ref {
	var out []index.Ref
	for _, ref := range refs {
		if !touches(set, ref.Span) {
			out = append(out, ref)
		}
	}
	return out
}

func touches(set *patch.Set, at index.Span) bool {
	for _, h := range set.Hunks {
		if h.File == at.File && at.Line >= h.NewLine && at.Line < h.NewLine+max(h.NewCount, 1) {
			return true
		}
	}
	return false
}

// learn turns failed layers into feedback.
func (r *run) learn(ctx context.Context, stage Stage, report *verify.Report) error {
	var fb []Feedback
	for _, m := range report.Missing {
		fb = append(fb, Feedback{Stage: stage, Rule: "missing_sync", Text: fmt.Sprintf("%s: %s", m.Symbol, m.Reason), Place: m.Ref.Span, Source: excerpt(r.result.After, m.Ref.Span)})
	}
	for _, t := range report.Tests {
		if f := t.Failure; f != nil && turnedRed(t) && !throughSubtest(report.Tests, t) {
			fb = append(fb, Feedback{Stage: stage, Rule: string(t.Attribution), Place: f.Frame,
				Text:   failureText(t),
				Source: f.Output})
		}
	}
	for _, l := range report.Layers {
		if l.Status != verify.LayerFailed {
			continue
		}
		for _, f := range l.Findings {
			if !slices.ContainsFunc(fb, func(b Feedback) bool {
				return b.Rule == f.Rule && b.Place.File == f.Span.File && b.Place.Line == f.Span.Line
			}) {
				fb = append(fb, Feedback{Stage: stage, Rule: f.Rule, Text: f.Text, Place: f.Span, Source: excerpt(r.result.After, f.Span)})
			}
		}
		if len(l.Findings) == 0 && len(fb) == 0 {
			fb = append(fb, Feedback{Stage: stage, Rule: string(l.Name), Text: l.Next})
		}
	}
	if len(fb) == 0 {
		return nil
	}
	r.feedback = distinct(fb)
	return r.reject(ctx, stage, fb[0].Text)
}

func turnedRed(t verify.Result) bool {
	return t.Attribution == verify.Regression || t.Attribution == verify.NewFailing
}

// throughSubtest reports whether a test is red for one of its subtests, which
// then says why.
func throughSubtest(all []verify.Result, t verify.Result) bool {
	return slices.ContainsFunc(all, func(s verify.Result) bool {
		return turnedRed(s) && s.Of == t.Test
	})
}

// failureText is a failed test in one sentence.
func failureText(t verify.Result) string {
	text := fmt.Sprintf("%s: %s", t.Test, t.Failure.Assertion)
	if t.Failure.Expected != "" || t.Failure.Actual != "" {
		text += fmt.Sprintf("; expected %s, got %s", t.Failure.Expected, t.Failure.Actual)
	}
	return text
}

// screen asks the gate on what is known before any test runs: a hard block
// needs no test to be one.
func (r *run) screen(ctx context.Context, set *patch.Set) error {
	d, err := step(ctx, r, StageScreen, func(ctx context.Context) (*gate.Decision, error) {
		return r.gate.Decide(ctx, r.gateInput(nil))
	})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(d.Findings, func(f gate.Finding) bool { return f.Strength == gate.Block && f.Blocks }) {
		return nil
	}
	r.result.Decision = d
	return r.stop(ctx, StageScreen, refused(d, set))
}

// refused is the fault of a change that the gate does not let pass, with every
// finding that keeps it out.
func refused(d *gate.Decision, set *patch.Set) error {
	f := &fault.Fault{Class: fault.Dangerous, Op: "chain.gate", Subject: fault.Subject{Text: set.Digest()},
		Detail: d.Why, State: "workspace unchanged", Next: "take the alternative of each finding"}
	for _, x := range d.Findings {
		if !x.Blocks {
			continue
		}
		at := x.After
		if at.File == "" {
			at = x.Before
		}
		text := x.Rule + ": " + x.Reason
		if len(x.Missing) > 0 {
			text += "; missing: " + strings.Join(x.Missing, ", ")
		}
		f.Candidates = append(f.Candidates, fault.Subject{File: at.File, Line: at.Line, Symbol: x.Symbol, Text: text})
		if x.Alternative != "" {
			f.Next = x.Alternative
		}
	}
	return f
}

// test runs every layer; the tests run in scratch trees.
func (r *run) test(ctx context.Context, set *patch.Set) (again bool, err error) {
	report, err := stepUnless(ctx, r, StageTest, func(ctx context.Context) (*verify.Report, error) {
		limited, cancel := context.WithTimeout(ctx, r.spend.limits.Feedback)
		defer cancel()
		start := time.Now()
		defer r.spent(start)
		got, err := r.chain.Verifier.Verify(limited, r.verifyInput())
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			return nil, r.spend.late(err)
		}
		if err != nil {
			return nil, err
		}
		r.result.Report = got
		return got, environment(got) // not finished: the next run judges it anew
	}, unjudged)
	if err != nil {
		return false, err
	}
	r.result.Report = report
	if err := r.results(ctx, set, report); err != nil {
		return false, err
	}
	if err := r.learn(ctx, StageTest, report); err != nil {
		return false, err
	}
	return r.feedback != nil, nil
}

// unjudged reports whether the machine kept a test from saying anything, or its
// result is not stable: another run may tell.
func unjudged(report *verify.Report) bool {
	return slices.ContainsFunc(report.Tests, func(t verify.Result) bool {
		return t.Attribution == verify.Infra || t.Attribution == verify.Flaky
	})
}

// environment is the fault of layers that this machine could not judge: they
// are never taken for green (VER-24).
func environment(report *verify.Report) error {
	for _, l := range report.Layers {
		if l.Status != verify.LayerEnvironment {
			continue
		}
		var why []string
		for _, f := range l.Findings {
			why = append(why, f.Text)
		}
		return &fault.Fault{Class: fault.Environment, Op: "chain.test", Subject: fault.Subject{Text: string(l.Name)},
			Detail: "the layer could not be judged on this machine: " + strings.Join(why, "; "), State: "workspace unchanged", Next: l.Next}
	}
	return nil
}

// results records the patch and what running it showed, together (LED-1).
func (r *run) results(ctx context.Context, set *patch.Set, report *verify.Report) error {
	id, err := r.note(ctx, ledger.KindHunks, StagePatch, r.hunks(set))
	if err != nil {
		return err
	}
	data := struct {
		Set      string            `json:"set"`
		Commands []verify.Executed `json:"commands"`
		Tests    []verify.Result   `json:"tests"`
	}{set.Digest(), report.Commands, report.Tests}
	_, err = r.note(ctx, ledger.KindRun, StageTest, data, id)
	return err
}

// hunks renders a set for the ledger, where each changed line keeps its reason.
func (r *run) hunks(set *patch.Set) ledger.Hunks {
	stats := r.before.Stats()
	out := ledger.Hunks{Schema: 1, Set: set.Digest(),
		Coverage: fmt.Sprintf("%d of %d files, %d references of which %d static", stats.Files-stats.Skipped, stats.Files, stats.References, stats.Static)}
	from := map[string]string{}
	for _, f := range set.Files {
		from[f.Path] = f.From
	}
	for _, h := range set.Hunks {
		out.Hunks = append(out.Hunks, ledger.Hunk{
			File: h.File, OldFile: from[h.File], Start: h.NewLine, End: h.NewLine + h.NewCount - 1,
			OldStart: h.OldLine, OldEnd: h.OldLine + h.OldCount - 1,
			Action: h.Action, Capability: h.Capability, Why: r.why(h),
		})
	}
	return out
}

func (r *run) why(h patch.Hunk) string {
	if r.result.Plan != nil {
		for _, a := range r.result.Plan.Actions {
			if a.ID == h.Action {
				return a.Why
			}
		}
	}
	return "part of the task " + r.task.ID + "; no action of the plan names it"
}

// distinct leaves out what is said twice: a layer's finding for a reference that
// is missing, or the same of two references in one line.
func distinct(list []Feedback) []Feedback {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(f Feedback) bool {
		text := f.String()
		again := seen[text]
		seen[text] = true
		return again
	})
}

// check runs the ten checks and returns the one that failed, nil if none did.
func (r *run) check(ctx context.Context) (*selfcheck.Check, error) {
	h, err := step(ctx, r, StageCheck, func(ctx context.Context) (*selfcheck.Handoff, error) {
		return r.chain.Checker.Check(ctx, r.evidence())
	})
	if err != nil {
		return nil, err
	}
	r.result.Handoff = h
	if h.Failed == "" || len(h.Checks) == 0 {
		return nil, nil
	}
	return &h.Checks[len(h.Checks)-1], nil
}

// sendBack carries out the action of a failed check that needs somebody: the
// gate's refusal, a new plan, or another attempt.
func (r *run) sendBack(ctx context.Context, failed selfcheck.Check) (again bool, err error) {
	switch failed.Action {
	case selfcheck.Stop:
		return false, r.decide(ctx) // the gate's own words
	case selfcheck.BackToPlan:
		return false, &fault.Fault{Class: fault.InvalidInput, Op: "chain.check", Subject: fault.Subject{Text: failed.Name}, Detail: failed.Signal,
			State: "workspace unchanged", Next: "correct the capability points or the plan and run the task again"}
	}
	r.feedback = nil
	for _, p := range failed.Places {
		r.feedback = append(r.feedback, Feedback{Stage: StageCheck, Rule: failed.Name, Text: string(failed.Action) + ": " + failed.Signal, Place: p, Source: excerpt(r.result.After, p)})
	}
	if len(r.feedback) == 0 {
		r.feedback = []Feedback{{Stage: StageCheck, Rule: failed.Name, Text: string(failed.Action) + ": " + failed.Signal}}
	}
	return true, r.reject(ctx, StageCheck, failed.Name+": "+failed.Signal)
}

// decide asks the gate on the final digest with the report. A refusal is
// recorded and not kept as finished: a person may allow it in the next run.
func (r *run) decide(ctx context.Context) error {
	d, err := step(ctx, r, StageDecide, func(ctx context.Context) (*gate.Decision, error) {
		d, err := r.gate.Decide(ctx, r.gateInput(r.result.Report))
		if err != nil || d.Verdict == gate.Allowed && d.Authorization != nil {
			return d, err
		}
		if _, err := r.note(ctx, ledger.KindJudgement, StageDecide, d); err != nil {
			return nil, err
		}
		return d, refused(d, r.result.Set)
	})
	if d != nil {
		r.result.Decision = d
	}
	return err
}

// sentence makes a constraint of one line out of a text (LED-2).
func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const longest = 390
	if len(s) > longest {
		cut := strings.ToValidUTF8(s[:longest], "")
		s = cut + " …"
	}
	if len(strings.Fields(s)) < 3 {
		s = "this way does not hold: " + s
	}
	return s
}
