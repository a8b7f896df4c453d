package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// Layered is the default Verifier: it runs L0 to L3 in their order, each within
// its own time, and stops behind the first layer that does not pass.
//
// The zero value runs L0 and L1; from L2 on a Runner is needed. Its fields must
// not be changed while it runs; it is then safe for concurrent use.
type Layered struct {
	// Runner runs the tests of L2 and L3.
	Runner Runner
	// Sandbox is what commands run in; nil is sandbox.Auto{}, which refuses to
	// run without isolation.
	Sandbox sandbox.Sandbox
	// Budgets are the time that each layer has.
	Budgets Budgets
	// Warm is the time for building before the tests of L2, for a Runner that is
	// a Builder; it does not count for the layer. 5 minutes.
	Warm time.Duration
	// Durations tells how long a test took before, if that is known.
	Durations func(TestID) (time.Duration, bool)
	// Fast is how long, by Durations, the tests that a change leads to directly
	// may take in all for them to be run before the tests of whole packages; 25 s.
	Fast time.Duration
	// Repeat is how often a test that turned red is run again, to find those
	// that are not stable; 2. A negative number turns it off, which is listed.
	Repeat int
	// Mutate breaks the change on purpose, one capability point at a time, and
	// looks whether its tests notice (VER-13). It costs a run of tests for each.
	Mutate bool
	// Mutants bounds the runs of Mutate for one capability point; 4.
	Mutants int
	// Baselines keeps the results on the tree as it was; nil keeps them in
	// memory, as long as this Layered lives.
	Baselines Baselines
	// Clock tells the time that Elapsed is measured by; nil is time.Now.
	Clock func() time.Time
	// Progress, if not nil, is told which layer runs.
	Progress index.Progress

	memory memoryBaselines
}

// Budgets are the times that the layers have; a zero one stands for the default
// beside it (VER-1).
type Budgets struct {
	L0 time.Duration // 1 s
	L1 time.Duration // 5 s
	L2 time.Duration // 60 s
	L3 time.Duration // 600 s
}

func (b Budgets) of(name LayerName) time.Duration {
	given := map[LayerName]time.Duration{L0: b.L0, L1: b.L1, L2: b.L2, L3: b.L3}[name]
	if given > 0 {
		return given
	}
	return map[LayerName]time.Duration{L0: time.Second, L1: 5 * time.Second, L2: time.Minute, L3: 10 * time.Minute}[name]
}

// layerNames returns every layer in its order.
func layerNames() []LayerName { return []LayerName{L0, L1, L2, L3} }

// An inquiry is one call of Verify.
type inquiry struct {
	v      *Layered
	in     Input
	change *change
	report *Report
	box    *recorder
	trees  trees
	warmed bool
	mounts *bool // whether the sandbox mounts; nil: not tried yet
	places map[*patch.Scratch]Place
	tools  Tooling
	tests  *catalog // of After
	old    *catalog // of Before
	// of are the tests that cases belong to, as their runner says.
	of     map[TestID]TestID
	chosen *selection
	// outcomes are those of the tests on the tree after the change.
	outcomes map[TestID]Outcome
	// covers lists the tests that reach each capability point, by its ID;
	// unasserted holds those that reach only points without an assertion.
	covers     map[string][]TestID
	unasserted map[TestID]bool
	files      *readFiles // while coverage runs
	// What is asked often of the snapshots, once: whether nothing imports or names a
	// file, and which files import which.
	unused     map[sourceAt]bool
	importedBy map[*index.Snapshot]map[string][]string
}

// A sourceAt is a file as one of the snapshots holds it.
type sourceAt struct {
	snapshot *index.Snapshot
	file     string
}

// Verify runs the layers; see Verifier. Errors besides those of the interface:
// index_unavailable when the repository changed since the snapshots were made,
// and those of patch.Workspace.Scratch.
func (v *Layered) Verify(ctx context.Context, in Input) (*Report, error) {
	if in.Before == nil || in.After == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "verify.run", Detail: "Before and After are both needed",
			State: "nothing was run", Next: "give the snapshots before and after the change"}
	}
	if err := ctx.Err(); err != nil {
		return nil, fault.From(err, "verify.run", "run it again")
	}
	q := &inquiry{v: v, in: in, report: newReport(in), outcomes: map[TestID]Outcome{}, of: map[TestID]TestID{}, places: map[*patch.Scratch]Place{},
		unused: map[sourceAt]bool{}, importedBy: map[*index.Snapshot]map[string][]string{}}
	q.box = &recorder{inner: v.Sandbox, report: q.report, mu: &sync.Mutex{}}
	if v.Sandbox == nil {
		q.box.inner = sandbox.Auto{}
	}
	err := q.layers(ctx)
	if closed := q.trees.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	q.unverified()
	return q.report, nil
}

func newReport(in Input) *Report {
	r := &Report{Schema: schema, Before: in.Before.Digest(), After: in.After.Digest(), Layers: []Layer{}, Missing: []Missing{},
		Confirm: []index.Ref{}, Selection: Selection{Selected: []Selected{}, Skipped: []Selected{}}, Tests: []Result{},
		Capabilities: []Coverage{}, Mutants: []Mutant{}, Unverified: []Unverified{}, Commands: []Executed{}, Environment: hostEnvironment()}
	if in.Set != nil {
		r.Set = in.Set.Digest()
	}
	return r
}

// layers runs what was asked for. A layer behind one that did not pass is not run.
func (q *inquiry) layers(ctx context.Context) error {
	stopped := ""
	for i, name := range layerNames() {
		if len(q.in.Layers) > 0 && !slices.Contains(q.in.Layers, name) {
			continue
		}
		if q.v.Progress != nil {
			q.v.Progress("verify", i, len(layerNames()), string(name))
		}
		layer := Layer{Name: name, Status: LayerNotRun, Budget: q.v.Budgets.of(name), Findings: []Finding{}}
		if stopped != "" {
			layer.Next = "make " + stopped + " pass first"
		} else if err := q.timed(ctx, &layer); err != nil {
			return err
		} else if layer.Status != LayerPassed {
			stopped = string(name)
		}
		q.report.Layers = append(q.report.Layers, layer)
	}
	return nil
}

// timed runs one layer; what has to be built for its tests does not count.
func (q *inquiry) timed(ctx context.Context, l *Layer) error {
	if l.Name == L2 || l.Name == L3 {
		if err := q.read(ctx); err != nil {
			return err
		}
		q.warm(ctx)
	}
	return q.layer(ctx, l)
}

// layer runs one layer within its budget. What the machine refuses is the end
// of the layer, not an error.
func (q *inquiry) layer(ctx context.Context, l *Layer) error {
	within, cancel := context.WithTimeout(ctx, l.Budget)
	defer cancel()
	start := q.now()
	err := q.run(within, l)
	l.Elapsed = q.now().Sub(start)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fault.From(ctx.Err(), "verify."+string(l.Name), "run it again; nothing has to be cleaned up")
	case within.Err() != nil:
		l.Status, l.Next = LayerEnvironment, fmt.Sprintf("give the layer more time than %v, or verify on a faster machine", l.Budget)
		l.Findings = append(l.Findings, Finding{Rule: "over_budget", Text: fmt.Sprintf("the layer was stopped after its %v", l.Budget)})
		q.unchecked("what "+string(l.Name)+" had not reached", fmt.Sprintf("its time budget of %v was over", l.Budget))
	case errors.Is(err, fault.Environment):
		f := fault.From(err, "verify."+string(l.Name), "")
		l.Status, l.Next = LayerEnvironment, f.Next
		l.Findings = append(l.Findings, Finding{Rule: "environment", Text: f.Error()})
	default:
		return err
	}
	return nil
}

// read works out what changed, once.
func (q *inquiry) read(ctx context.Context) error {
	if q.change != nil {
		return nil
	}
	c, err := newChange(ctx, q.in)
	if err != nil {
		return err
	}
	q.change = c
	q.trees = trees{workspace: q.in.Workspace, in: q.in, set: c.set}
	return nil
}

func (q *inquiry) run(ctx context.Context, l *Layer) error {
	if err := q.read(ctx); err != nil {
		return err
	}
	switch l.Name {
	case L0:
		return q.structure(ctx, l)
	case L1:
		return q.consistency(ctx, l)
	case L2:
		return q.selected(ctx, l)
	default:
		return q.affected(ctx, l)
	}
}

func (q *inquiry) now() time.Time {
	if q.v.Clock != nil {
		return q.v.Clock()
	}
	return time.Now()
}

func (q *inquiry) unchecked(what, why string) {
	q.report.Unverified = append(q.report.Unverified, Unverified{What: what, Why: why})
}

// settle sets the status of a layer that ran to its end.
func (l *Layer) settle(next string) {
	if len(l.Findings) == 0 {
		l.Status = LayerPassed
		return
	}
	l.Status, l.Next = LayerFailed, next
}

func (l *Layer) find(rule, text string, at index.Span) {
	l.Findings = append(l.Findings, Finding{Rule: rule, Text: text, Span: at})
}

// failed settles a layer that found something and reports whether it did.
func (l *Layer) failed(next string) bool {
	if len(l.Findings) == 0 {
		return false
	}
	l.settle(next)
	return true
}
