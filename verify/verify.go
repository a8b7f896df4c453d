// Package verify finds out what has been proven about a change, what was broken
// before, and what nobody checked. It reports without judging.
package verify

import (
	"context"
	"time"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// A Verifier runs the layers on a change.
//
// A failed check is a Finding, not an error. Errors are faults for what could
// not run: environment (no runner, no sandbox), canceled, invalid_input.
type Verifier interface {
	Verify(ctx context.Context, in Input) (*Report, error)
}

// Func is a Verifier made of a function.
type Func func(ctx context.Context, in Input) (*Report, error)

// Verify calls f.
func (f Func) Verify(ctx context.Context, in Input) (*Report, error) { return f(ctx, in) }

// Input is what a Verifier works on. Plan may be nil; Set may be nil when After
// is an existing state. Workspace is needed from L2 on.
type Input struct {
	Before, After *index.Snapshot
	Plan          *changeset.Plan
	Set           *patch.Set
	Workspace     *patch.Workspace
	// Layers are run in their fixed order; empty runs all.
	Layers []LayerName
}

// A Runner runs tests of one tool.
//
// Run executes in the run's tree through the sandbox and returns one Outcome for
// each test that the tool reported or that run.Tests named; one named without a
// Name, a whole file or package, is answered for as a whole too: failed when one
// of its tests is, passed when one passed and none failed. A test whose process
// panicked, exited or was killed is never passed. Errors are faults of class
// environment when the tool is missing, canceled, or invalid_input.
type Runner interface {
	Run(ctx context.Context, box sandbox.Sandbox, run Run) ([]Outcome, error)
}

// RunnerFunc is a Runner made of a function.
type RunnerFunc func(ctx context.Context, box sandbox.Sandbox, run Run) ([]Outcome, error)

// Run calls f.
func (f RunnerFunc) Run(ctx context.Context, box sandbox.Sandbox, run Run) ([]Outcome, error) {
	return f(ctx, box, run)
}

// A Run is one execution of tests.
type Run struct {
	// Dir is an absolute folder: the root of a scratch tree, where its files can be read.
	Dir string
	// At and Mounts say where commands find the tree; see Place. Command uses them.
	At     string
	Mounts []sandbox.Mount
	// Tests are the tests to run; empty means all in Packages, or all.
	Tests    []TestID
	Packages []string // folders relative to Dir
	// Repeat runs each test that many times (0 and 1: once), to find flaky ones.
	// There is one Outcome for each time.
	Repeat  int
	Timeout time.Duration
}

// A TestID names one test.
type TestID struct {
	// Dir is the folder of the test's package, relative to the root ("." for the root).
	Dir string `json:"dir"`
	// File is the base name of the test's file in Dir, for tools whose tests of one
	// folder may bear the same name (pytest, vitest, jest); "" for those that name a
	// test by its package alone (go test).
	File string `json:"file,omitempty"`
	// Name is the test's name as the tool reports it; "" is the file as a whole, or
	// the package where File is "" too.
	Name string `json:"name"`
}

// A Status is the result of one test (VER-7).
type Status string

// The results.
const (
	Passed      Status = "passed"
	Failed      Status = "failed"
	Skipped     Status = "skipped"
	Crashed     Status = "crashed"
	TimedOut    Status = "timed_out"
	NotRun      Status = "not_run"
	BuildFailed Status = "build_failed"
)

// An Outcome is the result of one test in one run.
type Outcome struct {
	Test TestID `json:"test"`
	// Of is the test that this one is a case of, where the tool reports cases under
	// names of their own, as Go's subtests and pytest's parameters; else zero.
	Of      TestID        `json:"of,omitzero"`
	Status  Status        `json:"status"`
	Reason  string        `json:"reason,omitempty"` // of a skip, crash or build failure
	Output  string        `json:"output,omitempty"` // the test's own
	Elapsed time.Duration `json:"elapsed_ns"`
	Command []string      `json:"command"`
	// Unsandboxed says that the run had no isolation; Broken names the
	// sandbox's promises that did not hold.
	Unsandboxed bool     `json:"unsandboxed,omitempty"`
	Broken      []string `json:"broken,omitempty"`
}

// A LayerName names a layer (VER-1).
type LayerName string

// The layers, in order.
const (
	L0 LayerName = "L0" // syntax and structure
	L1 LayerName = "L1" // symbol consistency
	L2 LayerName = "L2" // selected tests
	L3 LayerName = "L3" // regression of the affected area
)

// A LayerStatus is how a layer ended.
type LayerStatus string

// The ends of a layer.
const (
	LayerPassed      LayerStatus = "passed"
	LayerFailed      LayerStatus = "failed"
	LayerEnvironment LayerStatus = "environment" // could not be judged on this machine
	LayerNotRun      LayerStatus = "not_run"
)

// A Report is everything that was found out.
type Report struct {
	Schema int     `json:"schema"`
	Set    string  `json:"set"`    // Set.Digest, "" without a Set
	Before string  `json:"before"` // Snapshot digests
	After  string  `json:"after"`
	Layers []Layer `json:"layers"`
	// Missing are references that the change breaks and does not adapt.
	Missing []Missing `json:"missing"`
	// Confirm are dynamic and ambiguous references that somebody has to look at.
	Confirm      []index.Ref  `json:"confirm"`
	Selection    Selection    `json:"selection"`
	Tests        []Result     `json:"tests"`
	Capabilities []Coverage   `json:"capabilities"`
	Mutants      []Mutant     `json:"mutants"`
	Unverified   []Unverified `json:"unverified"`
	Commands     []Executed   `json:"commands"`
	Environment  Environment  `json:"environment"`
}

// A Layer is how one layer went.
type Layer struct {
	Name     LayerName     `json:"name"`
	Status   LayerStatus   `json:"status"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	Budget   time.Duration `json:"budget_ns"`
	Findings []Finding     `json:"findings"`
	// Left says which tests that the change leads to directly the layer did not come
	// to for want of time, and whether a later layer runs them; "" if none.
	Left string `json:"left,omitempty"`
	// Next is the next action when the layer did not pass.
	Next string `json:"next,omitempty"`
}

// A Finding is one thing a layer found.
type Finding struct {
	Rule string     `json:"rule"`
	Text string     `json:"text"`
	Span index.Span `json:"span"`
}

// A Missing is a reference that a changed signature breaks (VER-3).
type Missing struct {
	Ref    index.Ref `json:"ref"`
	Symbol string    `json:"symbol"` // canonical name of what changed
	Reason string    `json:"reason"`
}

// A Selection is which tests were chosen, and why (VER-5).
type Selection struct {
	Selected []Selected `json:"selected"`
	Skipped  []Selected `json:"skipped"`
	// Widened says why whole packages or everything was taken, "" if not.
	Widened string `json:"widened,omitempty"`
}

// A Selected is one test with the reason for taking or leaving it.
type Selected struct {
	Test   TestID `json:"test"`
	Source string `json:"source"` // calls, naming, package, input …
	Why    string `json:"why"`
	// Symbols are the changed symbols (canonical) that led to it.
	Symbols []string `json:"symbols,omitempty"`
}

// An Attribution says what a test's result means beside the baseline (VER-8).
type Attribution string

// The attributions.
const (
	PreExisting  Attribution = "pre_existing" // red before, red after
	Regression   Attribution = "regression"   // green before, red after
	Fixed        Attribution = "fixed"        // red before, green after
	Unchanged    Attribution = "unchanged"    // green before and after
	Insufficient Attribution = "insufficient" // green before and after, without an assertion for the capability
	NewFailing   Attribution = "new_failing"  // absent before, red after
	NewPassing   Attribution = "new_passing"  // absent before, green after
	Removed      Attribution = "removed"      // present before, absent after
	Flaky        Attribution = "flaky"        // unstable under repetition
	Infra        Attribution = "environment"  // no database, network or disk
	NotExecuted  Attribution = "not_executed" // skipped or not run after
)

// A Result is one test beside its baseline.
type Result struct {
	Test TestID `json:"test"`
	// Of is the selected test that this one is a case of, zero where it is one itself.
	Of          TestID        `json:"of,omitzero"`
	Before      Status        `json:"before,omitempty"` // "" absent
	After       Status        `json:"after,omitempty"`
	Attribution Attribution   `json:"attribution"`
	Layer       LayerName     `json:"layer"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	// Failure is compressed for the model (VER-11), nil when green.
	Failure *Failure `json:"failure,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// A Failure is a failing test in few lines (VER-11).
type Failure struct {
	Assertion string     `json:"assertion"` // first relevant assertion
	Expected  string     `json:"expected,omitempty"`
	Actual    string     `json:"actual,omitempty"`
	Frame     index.Span `json:"frame"` // in the changed code where there is one
	Output    string     `json:"output"`
	Omitted   int        `json:"omitted"` // output lines left out
}

// A Coverage is what checks one capability point (VER-9).
type Coverage struct {
	Capability string      `json:"capability"`
	Assertions []Assertion `json:"assertions"`
	// Missing says what is lacking, "" if nothing.
	Missing string `json:"missing,omitempty"`
}

// An Assertion is one check that reaches a capability point's symbols.
type Assertion struct {
	Test     TestID     `json:"test"`
	Span     index.Span `json:"span"`
	Text     string     `json:"text"`
	Strength int        `json:"strength"` // as index.Mark.Strength
	Via      string     `json:"via"`      // how it reaches: the path of symbols
}

// A Mutant is one deliberate break of the patch (VER-13).
type Mutant struct {
	Capability string `json:"capability"`
	// Kind is "revert" for reverted hunks.
	Kind  string     `json:"kind"`
	Place index.Span `json:"place"`
	// Result is killed, survived, timed_out or build_failed; only killed counts.
	Result string   `json:"result"`
	Killed []TestID `json:"killed_by,omitempty"`
}

// An Unverified is something not checked, and why (VER-15).
type Unverified struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// An Executed is a command that ran.
type Executed struct {
	Args     []string      `json:"args"`
	Dir      string        `json:"dir"`  // relative to the tree
	Tree     string        `json:"tree"` // "before", "after" or "mutant …"
	ExitCode int           `json:"exit_code"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	// Unsandboxed and Broken are as in Outcome.
	Unsandboxed bool     `json:"unsandboxed,omitempty"`
	Broken      []string `json:"broken,omitempty"`
}

// An Environment is where the run took place (VER-20).
type Environment struct {
	OS        string            `json:"os"`
	Arch      string            `json:"arch"`
	Tools     map[string]string `json:"tools"` // tool to version
	Variables map[string]string `json:"variables"`
	// Sandboxed is false when isolation could not be had and the host allowed it.
	Sandboxed bool `json:"sandboxed"`
}
