// Package gate decides whether a change may be written. Its rules stand in the
// tool, not in a prompt; its input is the structured change.
package gate

import (
	"context"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// A Gate decides on a change.
//
// Findings are data. Errors are faults for what could not be evaluated:
// invalid_input (a policy that contradicts itself), canceled.
type Gate interface {
	Decide(ctx context.Context, in Input) (*Decision, error)
}

// Func is a Gate made of a function.
type Func func(ctx context.Context, in Input) (*Decision, error)

// Decide calls f.
func (f Func) Decide(ctx context.Context, in Input) (*Decision, error) { return f(ctx, in) }

// Input is what a Gate works on. Plan and Report may be nil; findings then say
// what could not be judged. Without a Report nothing is authorized.
type Input struct {
	Before, After *index.Snapshot
	Plan          *changeset.Plan
	Set           *patch.Set
	Report        *verify.Report
}

// An Approver approves or refuses one operation. Approve returns who approved
// it; a refusal is a fault of class dangerous. It is asked once for each
// operation digest and never from a retry.
type Approver interface {
	Approve(ctx context.Context, op Operation) (by string, err error)
}

// ApproverFunc is an Approver made of a function.
type ApproverFunc func(ctx context.Context, op Operation) (by string, err error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, op Operation) (string, error) { return f(ctx, op) }

// An Operation is something that a person has to approve.
type Operation struct {
	Digest   string    `json:"digest"`
	What     string    `json:"what"`
	Findings []Finding `json:"findings"`
}

// A Strength is how strongly a finding holds (GAT-2).
type Strength string

// The strengths.
const (
	Pass     Strength = "pass"     // small, reversible, covered by a test
	Evidence Strength = "evidence" // passes with evidence; missing evidence blocks
	Block    Strength = "block"    // never passes here
)

// A Verdict is the outcome of a Decision.
type Verdict string

// The verdicts.
const (
	Allowed      Verdict = "allowed"
	Blocked      Verdict = "blocked"
	NotEvaluated Verdict = "not_evaluated" // zero rules, zero files or an empty base
)

// A Decision is the gate's answer for exactly one Set.
type Decision struct {
	Schema   int       `json:"schema"`
	Set      string    `json:"set"` // Set.Digest
	Verdict  Verdict   `json:"verdict"`
	Why      string    `json:"why"`
	Findings []Finding `json:"findings"`
	// Rules names the rules that were evaluated.
	Rules []string `json:"rules"`
	// Notes report policy entries that matched nothing and what was not judged.
	Notes []string `json:"notes,omitempty"`
	// Authorization is issued only with Allowed and a Report for this Set.
	Authorization *patch.Authorization `json:"authorization,omitempty"`
}

// A Finding is one dangerous or weakening thing (GAT-11).
type Finding struct {
	Rule     string     `json:"rule"`
	Strength Strength   `json:"strength"`
	Before   index.Span `json:"before"`
	After    index.Span `json:"after"`
	Symbol   string     `json:"symbol,omitempty"` // canonical name
	Reason   string     `json:"reason"`
	Present  []string   `json:"evidence_present"`
	Missing  []string   `json:"evidence_missing"`
	// Alternative is what to do instead.
	Alternative string `json:"alternative"`
	// Fingerprint identifies the finding independent of line numbers.
	Fingerprint string `json:"fingerprint"`
	// Approve is what a person has to approve, "" if nothing; Approved is who did.
	Approve  string `json:"approve,omitempty"`
	Approved string `json:"approved,omitempty"`
	// Blocks says whether this finding alone keeps the change out.
	Blocks bool `json:"blocks"`
	// Justified holds the task's reason that answers it, "" if none.
	Justified string `json:"justified,omitempty"`
}
