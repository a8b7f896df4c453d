// Package budget collects the context for a task under a token budget: chosen
// by structure, layer by layer, and saying what it left out.
package budget

import (
	"context"

	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A Collector chooses what a model or person has to see for a task.
//
// Errors are faults: ambiguous when no anchor of the task is in the index (with
// near names), budget_exceeded when even the first layer does not fit,
// invalid_input for a bad configuration, index_unavailable when the Snapshot
// has drifted. The same input gives the same Context, byte for byte.
type Collector interface {
	Collect(ctx context.Context, in Input) (*Context, error)
}

// Func is a Collector made of a function.
type Func func(ctx context.Context, in Input) (*Context, error)

// Collect calls f.
func (f Func) Collect(ctx context.Context, in Input) (*Context, error) { return f(ctx, in) }

// Input is what a Collector works on.
type Input struct {
	Task     task.Task
	Snapshot *index.Snapshot
	// Total is the budget in tokens; 0 takes the configuration's.
	Total int
	// Want names symbols asked for after a first collection (BUD-10).
	Want []string
	// First is the Context of the first stage when Want is given.
	First *Context
}

// A Counter counts tokens. Count must be safe for concurrent use and must not
// depend on anything but its argument.
type Counter interface{ Count(text string) int }

// A Layer is one of the six layers of a Context; every item sits in exactly one.
type Layer string

// The layers, in the order in which quota flows on.
const (
	Signatures    Layer = "signatures"
	Definitions   Layer = "definitions"
	CallSites     Layer = "call_sites"
	Contracts     Layer = "contracts"
	Tests         Layer = "tests"
	ConfigHistory Layer = "config_history"
)

// A Form is how much of an item's source it holds.
type Form string

// The forms, from most to least.
const (
	Whole      Form = "whole"
	Summary    Form = "summary"
	Skeleton   Form = "skeleton"
	Assertions Form = "assertions"
	Fragment   Form = "fragment"
	Line       Form = "line"
)

// A Context is what was collected, what was not, and why.
type Context struct {
	Schema int    `json:"schema"`
	Task   string `json:"task"`
	// Requirement and Acceptance stand first and last in Text.
	Requirement string   `json:"requirement,omitempty"`
	Acceptance  []string `json:"acceptance,omitempty"`
	// Index is the Snapshot's digest.
	Index string `json:"index"`
	// Total and Used are tokens of Text; Used never exceeds Total. When
	// something was dropped, Smallest is the smallest total in which nothing
	// would have been; otherwise it is Used.
	Total    int    `json:"total"`
	Used     int    `json:"used"`
	Smallest int    `json:"smallest"`
	Counter  string `json:"counter"`
	// Whole says that the repository is small enough to go in as a whole (BUD-14).
	Whole       bool        `json:"whole,omitempty"`
	Seeds       []Seed      `json:"seeds"`
	Ambiguities []Ambiguity `json:"ambiguities"`
	// Candidates counts the symbols considered.
	Candidates int     `json:"candidates"`
	Layers     []Use   `json:"layers"`
	Items      []Item  `json:"items"`
	Dropped    []Drop  `json:"dropped"`
	Styles     []Style `json:"styles,omitempty"`
	// Requests are the symbols asked for in the second stage, with what came of each.
	Requests []Request `json:"requests,omitempty"`
}

// A Seed is a symbol at which collection starts.
type Seed struct {
	Symbol     string `json:"symbol"` // ID
	Anchor     string `json:"anchor"` // the text that led to it
	Why        string `json:"why"`
	Confidence string `json:"confidence"` // high, medium or low
}

// An Ambiguity is an anchor with several definitions; none is chosen.
type Ambiguity struct {
	Anchor     string   `json:"anchor"`
	Candidates []string `json:"candidates"` // symbol IDs
	Reason     string   `json:"reason"`
	Action     string   `json:"action"` // "ask_before_edit"
}

// A Use is one layer's share of the budget in tokens.
type Use struct {
	Layer Layer `json:"layer"`
	Quota int   `json:"quota"`
	// Received was passed on by layers that did not need theirs.
	Received int `json:"received"`
	Used     int `json:"used"`
	Items    int `json:"items"`
	Dropped  int `json:"dropped"`
}

// An Item is one piece of a Context, with the receipt of what was read.
type Item struct {
	Layer  Layer        `json:"layer"`
	Symbol string       `json:"symbol,omitempty"` // ID
	Span   index.Span   `json:"span"`
	Form   Form         `json:"form"`
	Tokens int          `json:"tokens"`
	Why    string       `json:"why"`
	Origin index.Origin `json:"origin"`
	// Complete says that nothing of Span is missing from Text.
	Complete bool `json:"complete"`
	// Omitted counts source lines of Span that Text leaves out.
	Omitted int `json:"omitted,omitempty"`
	// Receiver is the static type that a call is made on, where it is known (BUD-8).
	Receiver string `json:"receiver,omitempty"`
	// Callers are "caller: file:line" of those who want this item or are not
	// expanded, and "same content: file:line" of what repeats it.
	Callers []string `json:"callers,omitempty"`
	Text    string   `json:"text"`
}

// A Drop is something that was recalled and did not get in.
type Drop struct {
	Layer  Layer  `json:"layer"`
	Symbol string `json:"symbol,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line"` // 1-based
	Tokens int    `json:"tokens"`
	Why    string `json:"why"`
}

// A Style is what an edit of a file should keep (BUD-17).
type Style struct {
	File   string `json:"file"`
	Indent string `json:"indent"` // "tab" or a number of spaces
	Width  int    `json:"width"`  // longest usual line, in columns
	Quotes string `json:"quotes,omitempty"`
	EOL    string `json:"eol"` // lf, crlf or mixed
}

// A Request is one symbol asked for in the second stage.
type Request struct {
	Name string `json:"name"`
	// Got is the symbol's ID, "" if the name is unknown; Near then holds close names.
	Got  string   `json:"got,omitempty"`
	Near []string `json:"near,omitempty"`
}
