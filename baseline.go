package plumb

import (
	"context"

	"github.com/plumbkit/plumb/patch"
)

// A Baseline is the state of the workspace before the task, and how the task
// can be taken back from it. What tests did on it is in the Report: the
// verifier runs every selected test on it too (VER-8).
type Baseline struct {
	// Index is the snapshot's digest.
	Index string `json:"index"`
	// Git says whether the workspace is a checkout, Dirty which files differ
	// from its last commit.
	Git   bool     `json:"git"`
	Dirty []string `json:"dirty,omitempty"`
	// Rollback is the kind chosen, and why (PAT-18).
	Rollback patch.RollbackKind `json:"rollback"`
	Why      string             `json:"why"`
	// Protection is the rollback in force.
	Protection patch.Protection `json:"protection"`
}

// baseline chooses the rollback and puts it in force before anything else happens.
func (r *run) baseline(ctx context.Context) (*Baseline, error) {
	ws := r.chain.Workspace
	s, err := ws.Situation(ctx, r.chain.Attended)
	if err != nil {
		return nil, err
	}
	b := &Baseline{Index: r.before.Digest(), Git: s.Git, Dirty: s.Dirty}
	b.Rollback, b.Why = patch.ChooseRollback(s)
	b.Protection, err = ws.Protect(ctx, b.Rollback)
	return b, err
}
