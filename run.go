package plumb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// Run takes the task through all stages in the order of ARC-13; the workspace
// changes at one point only, after the gate has decided on the final digest.
//
// The Result holds what was reached, also beside an error. Checks that failed on
// the last attempt are no error: Result.Stopped holds them, and nothing was
// written; a run after that starts anew, with what failed as rejected ways.
// Errors are faults for what could not run or is refused; the workspace
// is then unchanged unless the fault says otherwise. Running the
// same task again resumes after the last finished stage; running a task that is
// done again returns its result and changes nothing.
func (c *Chain) Run(ctx context.Context, t task.Task) (*Result, error) {
	r, err := c.start(ctx, t)
	if err != nil {
		return &Result{Task: t}, err
	}
	err = r.all(ctx)
	r.result.Attempts = r.attempt
	r.result.Spent = r.spend.rows()
	return r.result, err
}

// start reads the ledger of the task.
func (c *Chain) start(ctx context.Context, t task.Task) (*run, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if t.ID == "" {
		t.ID = "task-" + digest(t.Requirement)[:12]
	}
	entries, err := ledger.Entries(ctx, c.Store, t.ID)
	if err != nil {
		return nil, err
	}
	r := &run{
		chain: c, task: t, entries: entries,
		veil:   &secrets.Veil{},
		spend:  &spending{limits: c.Budgets.withDefaults()},
		result: &Result{Task: t},
		given:  encoded(t),
	}
	r.log = &ledger.Log{Store: c.Store, Now: c.Now, Redact: r.veil.Hide}
	r.gate = c.Gate
	if rules, ok := c.Gate.(*gate.Rules); ok && rules.Approver == nil && c.Approver != nil {
		asked := *rules
		asked.Approver = gate.ApproverFunc(r.approve)
		r.gate = &asked
	}
	r.stops = len(stops(entries))
	r.editor = c.Editor
	if r.editor == nil {
		r.editor = Asked{Model: metered{c.Model, r.spend}}
	}
	return r, nil
}

// check names what the chain cannot run without.
func (c *Chain) check() error {
	missing := ""
	switch {
	case c.Workspace == nil:
		missing = "Workspace"
	case c.Store == nil:
		missing = "Store"
	case c.Editor == nil && c.Model == nil:
		missing = "Editor or Model"
	default:
		return nil
	}
	return &fault.Fault{Class: fault.InvalidInput, Op: "chain.run", Detail: "the chain has no " + missing,
		State: "workspace unchanged", Next: "make the chain with plumb.New and set " + missing}
}

// approve puts an operation to the host's approver and records what came of it;
// it spends authority as a question does.
func (r *run) approve(ctx context.Context, op gate.Operation) (string, error) {
	if err := r.spend.ask(op.What); err != nil {
		return "", err
	}
	by, err := r.chain.Approver.Approve(ctx, op)
	if err != nil {
		return "", err
	}
	_, err = r.note(ctx, ledger.KindAuthorization, StageDecide, struct {
		Operation gate.Operation `json:"operation"`
		By        string         `json:"by"`
	}{op, by})
	return by, err
}

func (r *run) all(ctx context.Context) error {
	if err := r.index(ctx); err != nil {
		return err
	}
	if l, err := r.landed(ctx, r.before); err != nil {
		return err
	} else if l != nil && !r.chain.DryRun {
		return r.resumeAfter(ctx, l)
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for {
		r.attempt++
		again, err := r.try(ctx)
		if err != nil {
			return err
		}
		if !again {
			break
		}
		if r.last() {
			r.result.Stopped = &Stop{Stage: r.feedback[0].Stage, Attempts: r.attempt, Feedback: r.feedback}
			return r.stop(ctx, r.feedback[0].Stage, nil)
		}
		if err := r.refresh(ctx); err != nil {
			return err
		}
	}
	if r.chain.DryRun { // the hand-off now knows what the gate has decided
		h, err := r.chain.Checker.Check(ctx, r.evidence())
		if err == nil {
			r.result.Handoff = h
		}
		return err
	}
	return r.finish(ctx)
}

// last reports whether there is no attempt after this one: they are used up
// (VER-10), or the edits were given once and for all.
func (r *run) last() bool {
	_, given := r.editor.(Given)
	return given || r.attempt >= r.spend.limits.Attempts
}

// prepare derives the plan on the index as it stands.
func (r *run) prepare(ctx context.Context) error {
	var err error
	if r.result.Baseline, err = step(ctx, r, StageBaseline, r.baseline); err != nil {
		return err
	}
	if r.unplanned() {
		return nil // nobody reads a context either
	}
	if r.result.Context, err = step(ctx, r, StageCollect, r.collect); err != nil {
		return err
	}
	r.spend.information = r.result.Context.Used
	if _, err := r.note(ctx, ledger.KindContext, StageCollect, r.result.Context); err != nil {
		return err
	}
	if r.result.Plan, err = step(ctx, r, StagePlan, r.plan); err != nil {
		return err
	}
	r.task.Capabilities = r.result.Plan.Capabilities
	r.result.Task = r.task
	_, err = r.note(ctx, ledger.KindPlan, StagePlan, r.result.Plan)
	return err
}

// refresh derives everything anew when the workspace has changed meanwhile, so
// that no stage works on a state that is gone (IDX-22).
func (r *run) refresh(ctx context.Context) error {
	drift, err := r.before.Drift(ctx)
	if err != nil || len(drift) == 0 {
		return err
	}
	if err := r.index(ctx); err != nil {
		return err
	}
	return r.prepare(ctx)
}

// unchanged is the last look at the workspace before it is written: what the
// checks have seen must still be what stands there (IDX-22).
func (r *run) unchanged(ctx context.Context) error {
	drift, err := r.before.Drift(ctx)
	if err != nil || len(drift) == 0 {
		return err
	}
	f := &fault.Fault{Class: fault.IndexUnavailable, Op: "chain.write", Subject: fault.Subject{Text: r.result.Set.Digest()},
		Detail: "files changed after the checks had begun, so that what was checked is not what would be written", State: "workspace unchanged",
		Next: "run the task again: it derives everything from what stands there now"}
	for _, name := range drift {
		f.Candidates = append(f.Candidates, fault.Subject{File: name})
	}
	return f
}

// index brings the index to zero staleness, and begins the trail anew.
func (r *run) index(ctx context.Context) error {
	snap, err := observed(ctx, r, StageIndex, func(ctx context.Context) (*index.Snapshot, error) {
		return r.chain.Indexer.Index(ctx, index.Input{FS: r.chain.Workspace.FS(), Prev: r.before, Progress: r.chain.Progress})
	})
	if err != nil {
		return err
	}
	r.before, r.result.Before = snap, snap
	r.trail = digest(snap.Digest(), r.given, fmt.Sprint(r.spend.limits.Information), fmt.Sprint(r.stops))
	_, err = r.note(ctx, ledger.KindIndex, StageIndex, snap.Stats())
	return err
}

func (r *run) collect(ctx context.Context) (*budget.Context, error) {
	return r.chain.Collector.Collect(ctx, budget.Input{Task: r.task, Snapshot: r.before, Total: r.spend.limits.Information})
}

// try makes one attempt: edits, set, checks on the overlay, gate, tests,
// self-check, gate on the result. again is true when it did not hold and
// r.feedback says why.
func (r *run) try(ctx context.Context) (again bool, err error) {
	r.trail = digest(r.trail, r.asked()) // other edits than those of an earlier run are another way
	edits, err := step(ctx, r, StageEdit, r.edit)
	r.feedback = nil // it was told
	if err != nil {
		return r.retry(ctx, StageEdit, err)
	}
	if err := r.refresh(ctx); err != nil {
		return false, err
	}
	set, err := r.patch(ctx, edits)
	if err != nil {
		return r.retry(ctx, StagePatch, err)
	}
	if again, err := r.checked(ctx, set, edits); again || err != nil {
		return again, err
	}
	return false, r.decide(ctx)
}

func (r *run) edit(ctx context.Context) ([]patch.Edit, error) {
	failures, err := ledger.Failures(r.entries)
	if err != nil {
		return nil, err
	}
	d := r.draft()
	d.Rejected = failures
	return r.editor.Edit(ctx, d)
}

func (r *run) draft() Draft {
	return Draft{Task: r.task, Before: r.before, Context: r.result.Context, Plan: r.result.Plan, Attempt: r.attempt, Feedback: r.feedback}
}

// patch works the edits out. The set is not kept in the ledger: it follows from
// the snapshot and the edits, which are.
func (r *run) patch(ctx context.Context, edits []patch.Edit) (*patch.Set, error) {
	set, err := observed(ctx, r, StagePatch, func(ctx context.Context) (*patch.Set, error) {
		return r.chain.Patcher.Patch(ctx, patch.Input{Before: r.before, Plan: r.result.Plan, Edits: edits, AsCame: r.unplanned()})
	})
	if err != nil {
		return nil, err
	}
	r.trail = digest(r.trail, set.Digest())
	return set, r.adopt(ctx, set)
}

// adopt makes a set the run's own: the state after it is an overlay.
func (r *run) adopt(ctx context.Context, set *patch.Set) error {
	after, err := r.before.Overlay(ctx, set.Overlay())
	if err != nil {
		return err
	}
	r.result.Set, r.result.After = set, after
	return nil
}

// retry turns a fault into feedback for the next attempt where another attempt
// can put it right, and records the way as rejected. Other faults end the run.
func (r *run) retry(ctx context.Context, stage Stage, err error) (bool, error) {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return false, err
	}
	switch {
	case f.Class == fault.AnchorMismatch, f.Class == fault.InvalidInput:
	case f.Class == fault.BudgetExceeded && stage != StageEdit: // a change above its limits, not the model's own budget
	case f.Class == fault.Dangerous: // of a patch: outside the write set, or a derived file
	default:
		return false, err
	}
	if r.last() {
		return false, r.stop(ctx, stage, err)
	}
	place := index.Span{File: f.Subject.File, Line: f.Subject.Line}
	r.feedback = []Feedback{{Stage: stage, Rule: string(f.Class), Text: f.Detail + "; " + f.Next, Place: place, Source: excerpt(r.before, place)}}
	return true, r.reject(ctx, stage, f.Detail)
}

// reject records a way that failed, as a constraint (LED-2).
func (r *run) reject(ctx context.Context, stage Stage, why string) error {
	f := ledger.Failure{Tried: fmt.Sprintf("attempt %d of %s", r.attempt, r.task.ID), Stage: string(stage), Why: sentence(why), Fingerprint: r.trail}
	_, err := r.record(ctx, f.Entry(r.task.ID))
	return err
}

// spent times a run of tests.
func (r *run) spent(start time.Time) {
	r.spend.feedback += time.Since(start)
	r.spend.runs++
}

// verifyInput is what the verifier gets for the run's set.
func (r *run) verifyInput(layers ...verify.LayerName) verify.Input {
	return verify.Input{Before: r.before, After: r.result.After, Plan: r.result.Plan, Set: r.result.Set, Workspace: r.chain.Workspace, Layers: layers}
}

func (r *run) gateInput(report *verify.Report) gate.Input {
	return gate.Input{Before: r.before, After: r.result.After, Plan: r.result.Plan, Set: r.result.Set, Report: report}
}

func (r *run) evidence() selfcheck.Evidence {
	return selfcheck.Evidence{Task: r.task, Before: r.before, After: r.result.After, Context: r.result.Context, Plan: r.result.Plan,
		Set: r.result.Set, Report: r.result.Report, Decision: r.result.Decision, Entries: r.entries, Receipt: r.result.Receipt, Spent: r.spend.rows()}
}
