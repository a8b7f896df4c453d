// Package selfcheck looks at a finished change once more, cheapest check first,
// and writes the hand-off.
package selfcheck

import (
	"context"
	"time"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// A Checker runs the ten checks and writes the Handoff. A failed check is data
// with the action to take; errors are faults for what could not run.
type Checker interface {
	Check(ctx context.Context, ev Evidence) (*Handoff, error)
}

// Func is a Checker made of a function.
type Func func(ctx context.Context, ev Evidence) (*Handoff, error)

// Check calls f.
func (f Func) Check(ctx context.Context, ev Evidence) (*Handoff, error) { return f(ctx, ev) }

// Evidence is all that the earlier stages produced. Every pointer may be nil;
// the Handoff then says what could not be judged.
type Evidence struct {
	Task          task.Task
	Before, After *index.Snapshot
	Context       *budget.Context
	Plan          *changeset.Plan
	Set           *patch.Set
	Report        *verify.Report
	Decision      *gate.Decision
	// Entries are the task's ledger entries; figures link to them.
	Entries []ledger.Entry
	// Receipt is that of the write, nil before it.
	Receipt *patch.Receipt
	// Spent are the four budgets (CHN-2).
	Spent []Spent
}

// Spent is one of the four budgets, as set and as used.
type Spent struct {
	Budget string `json:"budget"` // information, reasoning, feedback, authority
	Unit   string `json:"unit"`
	Limit  int64  `json:"limit"` // 0: none
	Used   int64  `json:"used"`
	Entry  string `json:"entry,omitempty"`
}

// An Action is what follows a failed check (SLF-1).
type Action string

// The actions.
const (
	None          Action = ""
	Shrink        Action = "shrink"
	Restore       Action = "restore"
	RollBackFile  Action = "roll_back_file"
	AddCallSites  Action = "add_call_sites"
	AddTest       Action = "add_test"
	Stop          Action = "block"
	CleanAndRerun Action = "clean_and_rerun"
	Regenerate    Action = "regenerate"
	BackToPatch   Action = "back_to_patch"
	BackToPlan    Action = "back_to_plan"
)

// A Check is one of the ten, with its signal.
type Check struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Judged is false when the evidence for it was missing; Signal says which.
	Judged bool   `json:"judged"`
	Signal string `json:"signal"`
	// Action is what the chain does next when the check did not pass.
	Action Action       `json:"action,omitempty"`
	Places []index.Span `json:"places,omitempty"`
}

// A Handoff is what a reader gets: the JSON of it is the whole, Markdown and
// HTML are renderings.
type Handoff struct {
	Schema      int    `json:"schema"`
	Task        string `json:"task"`
	Requirement string `json:"requirement"`
	Set         string `json:"set"`
	// Checks are those that ran; the first that failed is the last one.
	Checks []Check `json:"checks"`
	// Failed is the name of the check that failed, "" if none.
	Failed      string              `json:"failed,omitempty"`
	Changed     []Changed           `json:"changed"`
	Choices     []Choice            `json:"choices"`
	NotChanged  []NotChanged        `json:"not_changed"`
	Verified    Verified            `json:"verified"`
	NotVerified []verify.Unverified `json:"not_verified"`
	Risks       []Risk              `json:"risks"`
	Loosened    []Loosened          `json:"loosened"`
	Reproduce   []string            `json:"reproduce"`
	RollBack    []string            `json:"roll_back"`
	Budgets     []Spent             `json:"budgets"`
	Warnings    []string            `json:"warnings"`
	Layers      []budget.Use        `json:"context_layers"`
	Graph       []Edge              `json:"graph"`
	Hunks       []patch.Hunk        `json:"hunks"`
	// Ledger are the entries that figures link to, in order.
	Ledger []Link `json:"ledger"`
	// Written is the transaction that wrote the change, "" before it.
	Written string `json:"written,omitempty"`
}

// A Link is a ledger entry that something in the hand-off rests on.
type Link struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Stage string    `json:"stage,omitempty"`
	By    string    `json:"by,omitempty"`
	Time  time.Time `json:"time"`
}

// A Changed groups what changed by capability point.
type Changed struct {
	Capability  string   `json:"capability"`
	Requirement string   `json:"requirement,omitempty"`
	Sentence    string   `json:"sentence"`
	Symbols     []string `json:"symbols"`
	Files       []string `json:"files"`
	Lines       int      `json:"lines"`
	Tests       []string `json:"tests"`
	Entry       string   `json:"entry,omitempty"`
	// Model says that a model wrote Sentence (SLF-5).
	Model bool `json:"model,omitempty"`
}

// A Choice is a decision that is not obvious, with its reason.
type Choice struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Entry string `json:"entry,omitempty"`
	// Model marks text that a model wrote (SLF-5).
	Model bool `json:"model,omitempty"`
}

// A NotChanged is something left alone, with its reason.
type NotChanged struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Verified is what was run and how it went.
type Verified struct {
	Commands []string       `json:"commands"`
	Range    string         `json:"range"`
	Counts   map[string]int `json:"counts"` // by attribution
	Layers   []string       `json:"layers"`
	Skipped  []string       `json:"skipped"` // test and why
	Mutants  string         `json:"mutants"`
	// Sandboxed repeats the report's: false is shown prominently.
	Sandboxed bool   `json:"sandboxed"`
	Entry     string `json:"entry,omitempty"`
}

// A Risk is what remains: dynamic and ambiguous edges, platforms.
type Risk struct {
	What  string     `json:"what"`
	Place index.Span `json:"place"`
	Why   string     `json:"why"`
}

// A Loosened is a check that was weakened with a stated reason.
type Loosened struct {
	Rule   string     `json:"rule"`
	Place  index.Span `json:"place"`
	Reason string     `json:"reason"`
}

// An Edge is one edge of the affected part of the graph.
type Edge struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Status string `json:"status"`
}
