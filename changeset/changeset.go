// Package changeset derives from a task and a Snapshot the smallest set of
// places that have to change. What is not on the list must not be touched.
package changeset

import (
	"context"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A Planner derives a Plan.
//
// Errors are faults: invalid_input for a malformed capability point (which one,
// and what it lacks), ambiguous for a name with several definitions or an open
// question (the Plan is then returned too, with its Questions), unsupported for
// a change that plumb refuses in one step.
type Planner interface {
	Plan(ctx context.Context, in Input) (*Plan, error)
}

// Func is a Planner made of a function.
type Func func(ctx context.Context, in Input) (*Plan, error)

// Plan calls f.
func (f Func) Plan(ctx context.Context, in Input) (*Plan, error) { return f(ctx, in) }

// Input is what a Planner works on. Context may be nil.
type Input struct {
	Task     task.Task
	Snapshot *index.Snapshot
	Context  *budget.Context
}

// A Plan is what will change, why, how it is verified, and what is left alone.
type Plan struct {
	Schema       int               `json:"schema"`
	Task         string            `json:"task"`
	Requirement  string            `json:"requirement"`
	Index        string            `json:"index"` // the Snapshot's digest
	Capabilities []task.Capability `json:"capabilities"`
	Contracts    []Contract        `json:"contracts,omitempty"`
	Actions      []Action          `json:"actions"`
	NotDone      []NotDone         `json:"not_done"`
	Questions    []Question        `json:"questions"`
	Stages       []Stage           `json:"stages"`
	Limit        Limit             `json:"limit"`
	// Justifications are the task's, carried to the gate.
	Justifications []task.Justification `json:"justifications,omitempty"`
}

// A Contract is a signature before and after.
type Contract struct {
	Symbol string           `json:"symbol"` // ID
	Before index.Signature  `json:"before"`
	After  *index.Signature `json:"after,omitempty"`  // nil: removed
	Rename string           `json:"rename,omitempty"` // new name
	Block  string           `json:"block"`
}

// An ActionKind is the rule that put an action on the list (CHG-2).
type ActionKind string

// The kinds of actions.
const (
	Define   ActionKind = "define"   // the definition itself
	Create   ActionKind = "create"   // a new symbol or file
	Sync     ActionKind = "sync"     // a reference that the new contract breaks
	Document ActionKind = "document" // a comment, document or serializer that names what changed
	Mirror   ActionKind = "mirror"   // a behaviour twin
	AddTest  ActionKind = "add_test" // a test to add
	FixTest  ActionKind = "fix_test" // a test that becomes invalid
	Generate ActionKind = "generate" // a generator to run
)

// A Grade says how well an action is supported and what follows (CHG-3).
type Grade string

// The grades.
const (
	High   Grade = "high"   // the index supports it: go on
	Medium Grade = "medium" // inferred from a pattern: read first
	Low    Grade = "low"    // from meaning alone: ask
)

// An Action is one place to change.
type Action struct {
	ID         string     `json:"id"`
	Kind       ActionKind `json:"kind"`
	Capability string     `json:"capability"`
	Symbol     string     `json:"symbol,omitempty"` // ID of the symbol to change, "" for a new one
	Target     index.Span `json:"target"`           // Start == End for something new
	Block      string     `json:"block"`
	Why        string     `json:"why"`
	Grade      Grade      `json:"grade"`
	Source     string     `json:"source"`            // what supports the grade: a resolution rule, a pattern, the task
	Verify     []string   `json:"verify"`            // how it is checked: tests, assertions to add, type check
	Command    string     `json:"command,omitempty"` // of Generate
	Outputs    []string   `json:"outputs,omitempty"` // files that Generate writes
	// Weak says that the action may land apart from its block when the caller allows it.
	Weak bool `json:"weak,omitempty"`
}

// A NotDone is something deliberately left alone.
type NotDone struct {
	Symbol string     `json:"symbol,omitempty"`
	Place  index.Span `json:"place"`
	Why    string     `json:"why"`
}

// A Question interrupts planning (CHG-5).
type Question struct {
	ID      string       `json:"id"`
	Kind    QuestionKind `json:"kind"`
	Text    string       `json:"text"`
	Options []Option     `json:"options"`
	// Recommended is the 1-based number of the option that plumb would take.
	Recommended int          `json:"recommended"`
	Evidence    []string     `json:"evidence"`
	Answer      *task.Answer `json:"answer,omitempty"`
}

// An Option is one answer to a Question.
type Option struct {
	Text string `json:"text"`
	// Effect says what the plan becomes.
	Effect string `json:"effect"`
}

// A QuestionKind is one of exactly three reasons to ask.
type QuestionKind string

// The kinds of questions.
const (
	TwoReadings QuestionKind = "two_readings"
	Smaller     QuestionKind = "something_smaller"
	Uncovered   QuestionKind = "nothing_covers"
)

// A Stage is one step of a Plan, with its definition of done (CHG-9).
type Stage struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Actions []string `json:"actions"`
	Done    string   `json:"done"`
	Hands   string   `json:"hands"` // what it hands to the next stage
}

// A Limit bounds the size of the change (CHG-7).
type Limit struct {
	Lines   int    `json:"lines"` // changed lines in all
	Files   int    `json:"files"`
	Minutes int    `json:"minutes"` // estimated reading time
	Formula string `json:"formula"`
}
