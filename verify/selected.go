package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// selected is L2: the tests that the change can break, on the tree as it was
// and as it is.
func (q *inquiry) selected(ctx context.Context, l *Layer) error {
	start := q.now()
	if err := q.equip(ctx); err != nil {
		return err
	}
	var err error
	if q.chosen, err = q.choose(ctx); err != nil {
		return err
	}
	q.coverage()
	if err := q.derived(ctx, l); err != nil || l.failed("run the generators named in the findings and take their output into the set") {
		return err
	}
	all := q.chosen.ids(func(*choice) bool { return true })
	if len(all) == 0 {
		l.find("no_tests", "no test is selected, so that nothing was shown", at(q.change.files))
		l.settle("add a test that reaches what changed")
		return nil
	}
	c := trial{before: map[TestID]Outcome{}, unstable: map[TestID]bool{}, ran: map[TestID]bool{}}
	if err := q.inBatches(ctx, start, l, &c); err != nil {
		return err
	}
	q.results(L2, c.before, q.outcomes, c.unstable)
	if err := q.proof(ctx, l, c.against); err != nil || l.Status == LayerEnvironment {
		return err
	}
	q.judge(l, c.against)
	if l.Status == LayerPassed {
		return q.mutate(ctx)
	}
	return nil
}

// A trial is what L2 found on the tree as it was and as it is.
type trial struct {
	before        map[TestID]Outcome
	unstable, ran map[TestID]bool
	against       []Result // what counts against the change
}

// equip checks that tests can be run at all.
func (q *inquiry) equip(ctx context.Context) error {
	if q.v.Runner == nil {
		return &fault.Fault{Class: fault.Environment, Op: "verify.tests", Detail: "no runner was given, so that no test can be run",
			State: "nothing was run", Next: "set Layered.Runner"}
	}
	if err := q.trees.check(ctx); err != nil {
		return err
	}
	equipped, ok := q.v.Runner.(Equipped)
	if !ok || q.tools.Versions != nil {
		return nil
	}
	tools, err := equipped.Tooling(ctx, q.in.Workspace.Dir())
	if err != nil {
		return err
	}
	q.tools = tools
	for name, version := range tools.Versions {
		q.report.Environment.Tools[name] = version
	}
	return nil
}

// known returns the tests that were there before the change, those that it
// removed included.
func (q *inquiry) known(tests []TestID) []TestID {
	out := q.stood(tests)
	for _, file := range q.change.files {
		for _, id := range q.old.file[file] {
			if !q.tests.known[id] && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	slices.SortFunc(out, compareTests)
	return out
}

// stood returns those of the tests that were there before the change.
func (q *inquiry) stood(tests []TestID) []TestID {
	var out []TestID
	for _, id := range tests {
		if q.old.known[id] {
			out = append(out, id)
		}
	}
	return out
}

// inStages runs the direct ones of the tests first, when they are fast enough, and
// the others when these are green.
func (q *inquiry) inStages(ctx context.Context, tests []TestID, c *trial) error {
	var first, rest []TestID
	for _, id := range tests {
		if direct(q.chosen.chosen[id].source) {
			first = append(first, id)
		} else {
			rest = append(rest, id)
		}
	}
	if !q.fast(first) {
		first, rest = tests, nil
	}
	for _, stage := range [][]TestID{first, rest} {
		if len(stage) == 0 {
			continue
		}
		tree, err := q.trees.after(ctx)
		if err != nil {
			return err
		}
		if err := q.measure(ctx, tree, Run{Tests: stage}, stage, c.before, c.unstable); err != nil {
			return err
		}
		for _, id := range stage {
			c.ran[id] = true
		}
		if c.against = q.against(c.before, c.unstable); len(c.against) == 0 {
			continue
		}
		if err := q.inTheSameCompany(ctx, stage, c); err != nil || len(c.against) > 0 {
			return err
		}
	}
	return nil
}

// inTheSameCompany runs the tests of a red stage on the tree as it was: one that
// is red there as well leans on what another test leaves behind in the process, and
// the baseline ran them together.
func (q *inquiry) inTheSameCompany(ctx context.Context, stage []TestID, c *trial) error {
	there := q.stood(stage)
	before, err := q.baseline(ctx, Run{Tests: there}, there)
	if err != nil {
		return err
	}
	for id, o := range before {
		if o.Status.colour() == red {
			c.before[id] = o
		}
	}
	c.against = q.against(c.before, c.unstable)
	return nil
}

// leaveAll moves the selected tests for which leave holds to the skipped ones, and
// returns them, in order.
func (s *selection) leaveAll(leave func(TestID) bool, why string) []TestID {
	var out []TestID
	for _, id := range s.q.tests.all {
		if s.chosen[id] != nil && leave(id) {
			s.left[id] = why
			out = append(out, id)
		}
	}
	s.q.report.Selection = s.describe()
	return out
}

// fast reports whether the tests together take no longer than the direct set
// may, by recorded durations; a test without one counts as no time.
func (q *inquiry) fast(tests []TestID) bool {
	limit := q.v.Fast
	if limit <= 0 {
		limit = 25 * time.Second
	}
	var total time.Duration
	for _, id := range tests {
		if q.v.Durations != nil {
			if d, ok := q.v.Durations(id); ok {
				total += d
			}
		}
	}
	return len(tests) > 0 && total <= limit
}

// measure runs tests, alone or with their packages and files as a whole, on a tree
// after the change, and again what has to be run again, into q.outcomes.
func (q *inquiry) measure(ctx context.Context, tree *patch.Scratch, run Run, tests []TestID, before map[TestID]Outcome, unstable map[TestID]bool) error {
	got, err := q.exec(ctx, tree, "after", run)
	if err != nil {
		return err
	}
	outcomes := byTest(got)
	if again := kept(outcomes, tests); len(again) > 0 {
		more, err := q.exec(ctx, tree, "after", Run{Tests: again})
		if err != nil {
			return err
		}
		for _, o := range more {
			if o.Test.Name != "" {
				outcomes[o.Test] = o
			}
		}
	}
	for id, o := range outcomes {
		q.outcomes[id] = o
	}
	return q.repeat(ctx, tree, outcomes, before, unstable)
}

// kept returns the tests that did not run because another one ended the process:
// one of the same folder, or of the same command.
func kept(outcomes map[TestID]Outcome, tests []TestID) []TestID {
	ended := map[string]bool{}
	command := func(o Outcome) string { return "\x00" + strings.Join(o.Command, "\x00") }
	for id, o := range outcomes {
		if o.Status == Crashed || o.Status == TimedOut {
			ended[id.Dir], ended[command(o)] = true, true
		}
	}
	var out []TestID
	for _, id := range tests {
		if o, reported := outcomes[id]; (ended[id.Dir] || reported && ended[command(o)]) && (o.Status == NotRun || !reported) {
			out = append(out, id)
		}
	}
	return out
}

// repeat runs again what turned red, to find tests that are not stable.
func (q *inquiry) repeat(ctx context.Context, tree *patch.Scratch, outcomes, before map[TestID]Outcome, unstable map[TestID]bool) error {
	times := q.v.Repeat
	if times == 0 {
		times = 2
	}
	again := map[TestID]bool{}
	for id, o := range outcomes {
		if (o.Status == Failed || o.Status == Crashed) && before[id].Status.colour() != red && id.Name != "" {
			again[q.root(id)] = true
		}
	}
	if times < 0 || len(again) == 0 {
		return nil
	}
	var tests []TestID
	for id := range again {
		tests = append(tests, id)
	}
	slices.SortFunc(tests, compareTests)
	got, err := q.exec(ctx, tree, "after", Run{Tests: tests, Repeat: times})
	if err != nil {
		return err
	}
	for _, o := range got {
		if o.Status == Passed && outcomes[o.Test].Status.colour() == red {
			unstable[o.Test] = true
		}
	}
	return nil
}

// wholes is a run of packages as a whole, and of the whole files of tests that are
// told apart by their file.
func wholes(packages []string, tests []TestID) Run {
	return Run{Packages: packages, Tests: filesOfTests(tests)}
}

// exec runs tests on a tree.
func (q *inquiry) exec(ctx context.Context, tree *patch.Scratch, name string, run Run) ([]Outcome, error) {
	box := q.box.in(tree.Dir(), name)
	run, err := q.placed(ctx, tree, run)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		// A test that hangs is to be reported as such before the layer's time is over.
		run.Timeout = max(time.Until(deadline)/2, time.Second).Round(time.Millisecond)
	}
	stood := q.sources(tree.FS())
	got, err := q.v.Runner.Run(ctx, box.at(run.At), run)
	if err != nil {
		return nil, err
	}
	q.belong(got)
	return got, untouched(stood, q.sources(tree.FS()), name)
}

// against returns what counts against the change so far, without writing results.
func (q *inquiry) against(before map[TestID]Outcome, unstable map[TestID]bool) []Result {
	var out []Result
	for id := range q.outcomes {
		if !telling(id, before, q.outcomes) {
			continue
		}
		if r := q.result(L2, id, before, q.outcomes, unstable); r.counts() {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Result) int { return compareTests(a.Test, b.Test) })
	return out
}

// counts reports whether the result counts against the change.
func (r Result) counts() bool { return r.Attribution == Regression || r.Attribution == NewFailing }

// at is the place of the first of the files.
func at(files []string) index.Span {
	if len(files) == 0 {
		return index.Span{}
	}
	return index.Span{File: files[0], Line: 1, Col: 1}
}

// judge sets how a layer of tests ended.
func (q *inquiry) judge(l *Layer, against []Result) {
	for _, r := range against {
		l.find(string(r.Attribution), fmt.Sprintf("%s: %s", r.Test, r.Failure.Assertion), r.Failure.Frame)
	}
	if len(against) == 0 && !q.anyGreen() {
		l.find("nothing_passed", "of the selected tests none passed, so that nothing was shown", at(q.change.files))
	}
	l.settle("attribute each failure to a hunk and mend it, or roll the change back")
}

func (q *inquiry) anyGreen() bool {
	for _, o := range q.outcomes {
		if o.Status == Passed {
			return true
		}
	}
	return false
}
