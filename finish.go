package plumb

import (
	"context"
	"encoding/json"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
)

// landing is recorded before the write, so that a run that was interrupted
// after it recognizes the state that it left and goes on from there.
type landing struct {
	Asked  string              `json:"asked"`  // digest of what the run was asked for
	Before string              `json:"before"` // snapshot digests
	After  string              `json:"after"`
	Digest string              `json:"digest"` // of the set
	Auth   patch.Authorization `json:"authorization"`
	Result *Result             `json:"result"`
}

// finish writes the workspace and the hand-off.
func (r *run) finish(ctx context.Context) error {
	if err := r.unchanged(ctx); err != nil {
		return err
	}
	auth := *r.result.Decision.Authorization
	entry, err := r.note(ctx, ledger.KindAuthorization, StageDecide, auth)
	if err != nil {
		return err
	}
	auth.Entry, r.result.Attempts = entry, r.attempt
	land := landing{Asked: r.asked(), Before: r.before.Digest(), After: r.result.After.Digest(), Digest: r.result.Set.Digest(), Auth: auth, Result: r.result}
	if _, err := r.note(ctx, ledger.KindProvisional, StageWrite, land, entry); err != nil {
		return err
	}
	return r.write(ctx, auth)
}

// write applies the set; applying it again is a no-op.
func (r *run) write(ctx context.Context, auth patch.Authorization) error {
	receipt, err := observed(ctx, r, StageWrite, func(ctx context.Context) (patch.Receipt, error) {
		return r.chain.Workspace.Apply(ctx, r.result.Set, auth)
	})
	if err != nil {
		return err
	}
	r.result.Receipt = &receipt
	return r.handoff(ctx)
}

// handoff brings the index to the new state, and writes the hand-off for what
// is now in the workspace.
func (r *run) handoff(ctx context.Context) error {
	now, err := r.chain.Indexer.Index(ctx, index.Input{FS: r.chain.Workspace.FS(), Prev: r.result.After})
	if err != nil {
		return err
	}
	if now.Digest() != r.result.After.Digest() {
		return &fault.Fault{Class: fault.IndexUnavailable, Op: "chain.handoff", Subject: fault.Subject{Text: r.result.Set.Digest()},
			Detail: "the workspace holds something else than the change: it was edited while the change was written",
			State:  "the change is written as " + r.result.Receipt.ID, Next: "look at the workspace's differences; plumb undo " + r.result.Receipt.ID + " takes the change back"}
	}
	if _, err := r.note(ctx, ledger.KindBudget, StageHandoff, r.spend.rows()); err != nil {
		return err
	}
	h, err := observed(ctx, r, StageHandoff, func(ctx context.Context) (*selfcheck.Handoff, error) {
		return r.chain.Checker.Check(ctx, r.evidence())
	})
	if err != nil {
		return err
	}
	h.Warnings = append(h.Warnings, r.spend.imbalance(r.result.Report != nil && len(r.result.Report.Commands) > 0)...)
	r.result.Handoff = h
	return nil
}

// asked identifies what the run was asked for: the task, and the edits where
// they were given beforehand. The same task with other edits is another run.
func (r *run) asked() string {
	if given, ok := r.editor.(Given); ok {
		return digest(r.given, encoded(given))
	}
	return digest(r.given)
}

// landed finds the write of an earlier run of this task whose result the
// workspace now holds, and takes that run's results over.
func (r *run) landed(ctx context.Context, now *index.Snapshot) (*landing, error) {
	marks := ledger.OfKind(r.entries, ledger.KindProvisional)
	for i := len(marks) - 1; i >= 0; i-- {
		var l landing
		if marks[i].Stage != string(StageWrite) || json.Unmarshal(marks[i].Data, &l) != nil || l.After != now.Digest() || l.Asked != r.asked() {
			continue
		}
		if l.Result == nil || l.Result.Set == nil || l.Result.Set.Digest() != l.Digest {
			continue
		}
		before, err := now.Overlay(ctx, original(l.Result.Set))
		if err != nil {
			return nil, err
		}
		if before.Digest() != l.Before {
			continue
		}
		l.Result.Before, l.Result.After = before, now
		return &l, nil
	}
	return nil, nil
}

// resumeAfter goes on behind the write of an earlier run: nothing of what was
// finished is repeated.
func (r *run) resumeAfter(ctx context.Context, l *landing) error {
	r.before, r.result, r.attempt, r.task = l.Result.Before, l.Result, l.Result.Attempts, l.Result.Task
	r.spend.runs++
	events := []Event{{Stage: StageBaseline, Data: l.Result.Baseline}}
	if l.Result.Plan != nil {
		r.spend.information = l.Result.Context.Used
		events = append(events, Event{Stage: StageCollect, Data: l.Result.Context}, Event{Stage: StagePlan, Data: l.Result.Plan})
	}
	for _, e := range append(events, []Event{
		{Stage: StagePatch, Data: l.Result.Set}, {Stage: StageTest, Data: l.Result.Report}, {Stage: StageDecide, Data: l.Result.Decision},
	}...) {
		e.State = "resumed"
		r.observe(e)
	}
	return r.write(ctx, l.Auth)
}

// original is the overlay that takes a set back: what its files held before.
func original(set *patch.Set) map[string][]byte {
	out := map[string][]byte{}
	for _, f := range set.Files {
		switch f.Op {
		case patch.Created, patch.Copied:
			out[f.Path] = nil
		case patch.Renamed:
			out[f.Path] = nil
			out[f.From] = nonNil(f.Old)
		default:
			out[f.Path] = nonNil(f.Old)
		}
	}
	return out
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
