package plumb

import (
	"context"
	"time"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// A Chain takes one task through all stages. New fills every field with a
// working default; a host replaces what it wants before the first call. A Chain
// must not be changed while it runs, and runs one task at a time.
type Chain struct {
	Workspace *patch.Workspace

	Indexer   index.Indexer
	Collector budget.Collector
	Planner   changeset.Planner
	// Editor writes the edits; nil asks Model.
	Editor   Editor
	Patcher  patch.Patcher
	Verifier verify.Verifier
	Gate     gate.Gate
	Checker  selfcheck.Checker
	// Runner runs the tests, and says what generators need, in the default Patcher
	// and Verifier; another Verifier brings its own.
	Runner verify.Runner

	// Model is asked where no other seam is set: for capability points and
	// edits. nil means that tasks bring their points and Editor is set.
	Model model.Model
	// Splitter turns a requirement without capability points into some; nil
	// asks Model.
	Splitter changeset.Splitter
	// Answerer settles the planner's questions; nil stops the run with the
	// question as an ambiguous fault.
	Answerer Answerer
	// Approver approves what the gate leaves to a person; nil refuses.
	Approver gate.Approver

	// Store keeps the ledger. Runs of the same task on the same state resume
	// from what it holds (LED-1, STY-12).
	Store ledger.Store
	// Unplanned lets a task without capability points run without context and plan, when its
	// edits are given (Given) and nobody is set who could find points: nothing
	// limits then what the edits may touch, and the stages say what they cannot
	// judge without a plan. It is for changes that were decided on elsewhere, such
	// as an existing commit: their noise is counted and left in.
	Unplanned bool
	// Attended says that a person may edit the workspace while a task runs; it
	// is an input of the choice of a rollback (PAT-18).
	Attended bool
	// DryRun stops before the write: the hand-off then says what would be written.
	DryRun bool
	// Budgets are the limits of a run (CHN-2).
	Budgets Budgets
	// Observe, if not nil, is called as stages start and end, from the
	// goroutine that runs the task.
	Observe func(Event)
	// Progress, if not nil, is called as long stages advance.
	Progress index.Progress
	// Now is the clock; nil means time.Now.
	Now func() time.Time

	// patcher and verifier are those that Isolate made.
	patcher  *patch.Anchored
	verifier *verify.Layered
}

// An Answerer settles one question of the planner. An answer with Option 0
// leaves it open. Errors end the run.
type Answerer interface {
	Answer(ctx context.Context, q changeset.Question) (task.Answer, error)
}

// AnswererFunc is an Answerer made of a function.
type AnswererFunc func(ctx context.Context, q changeset.Question) (task.Answer, error)

// Answer calls f.
func (f AnswererFunc) Answer(ctx context.Context, q changeset.Question) (task.Answer, error) {
	return f(ctx, q)
}

// An Event is one stage starting, ending, or being taken over from the ledger.
type Event struct {
	Task  string
	Stage Stage
	// State is "started", "finished", "resumed" or "failed".
	State   string
	Attempt int // 1-based, of the stages from edit to check
	Elapsed time.Duration
	// Err is set when State is "failed".
	Err error
	// Data is the stage's output when it finished or was resumed: *index.Snapshot,
	// *budget.Context, *changeset.Plan, []patch.Edit, *patch.Set, *verify.Report,
	// *gate.Decision, *selfcheck.Handoff or patch.Receipt.
	Data any
}

// A Stage names one step of the chain, in the order of ARC-13.
type Stage string

// The stages of a run.
const (
	StageIndex    Stage = "index"
	StageBaseline Stage = "baseline"
	StageCollect  Stage = "collect"
	StagePlan     Stage = "plan"
	StageEdit     Stage = "edit"
	StagePatch    Stage = "patch"
	StageOverlay  Stage = "overlay" // L0 and L1 on the overlay
	StageConfirm  Stage = "confirm" // dynamic and ambiguous references are read
	StageScreen   Stage = "screen"  // the gate on what is known before tests
	StageTest     Stage = "test"    // L2 and L3 in a scratch tree
	StageCheck    Stage = "check"
	StageDecide   Stage = "decide" // the gate on the final digest, with the report
	StageWrite    Stage = "write"
	StageHandoff  Stage = "handoff"
)

// A Result is everything a run produced. Fields of stages that were not reached are nil.
type Result struct {
	Task     task.Task          `json:"task"`
	Before   *index.Snapshot    `json:"-"`
	After    *index.Snapshot    `json:"-"`
	Baseline *Baseline          `json:"baseline,omitempty"`
	Context  *budget.Context    `json:"context,omitempty"`
	Plan     *changeset.Plan    `json:"plan,omitempty"`
	Set      *patch.Set         `json:"set,omitempty"`
	Report   *verify.Report     `json:"report,omitempty"`
	Decision *gate.Decision     `json:"decision,omitempty"`
	Handoff  *selfcheck.Handoff `json:"handoff,omitempty"`
	Receipt  *patch.Receipt     `json:"receipt,omitempty"`
	Attempts int                `json:"attempts"`
	// Stopped is set when the checks of the last attempt failed: nothing was written.
	Stopped *Stop             `json:"stopped,omitempty"`
	Spent   []selfcheck.Spent `json:"spent"`
}

// A Stop is a run that ended before its write because checks failed.
type Stop struct {
	Stage    Stage      `json:"stage"`
	Attempts int        `json:"attempts"`
	Feedback []Feedback `json:"feedback"`
}
