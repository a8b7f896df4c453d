package verify

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// How a mutant ended. Only killed counts: a mutant that did not build, or that
// hung, proves nothing about the assertions.
const (
	mutantKilled      = "killed"
	mutantSurvived    = "survived"
	mutantTimedOut    = "timed_out"
	mutantBuildFailed = "build_failed"
)

// mutate breaks the change by taking hunks back, one capability point at a time,
// and looks whether the point's tests turn red (VER-13). The tests themselves are
// left as the change has them.
func (q *inquiry) mutate(ctx context.Context) error {
	if !q.v.Mutate || q.in.Plan == nil {
		return nil
	}
	for _, c := range q.in.Plan.Capabilities {
		hunks := q.hunksOf(c.ID)
		tests := q.passing(c.ID)
		switch {
		case len(hunks) == 0:
			q.unchecked("mutation of "+c.ID, "no hunk outside of tests belongs to it")
		case len(tests) == 0:
			q.unchecked("mutation of "+c.ID, "no test that passed reaches it")
		default:
			if err := q.mutants(ctx, c.ID, hunks, tests); err != nil {
				return err
			}
		}
	}
	return nil
}

// mutants takes all hunks of the point back; if that says nothing, because what
// is left does not build, each alone. Those that are known not to build are not
// run. Time that is over is listed, no error.
func (q *inquiry) mutants(ctx context.Context, capability string, hunks []int, tests []TestID) error {
	attempts := [][]int{hunks}
	if len(hunks) > 1 {
		attempts = append(attempts, q.alone(capability, hunks)...)
	}
	limit := q.v.Mutants
	if limit <= 0 {
		limit = 4
	}
	ran, first, told := 0, len(q.report.Mutants), false
	defer func() { q.noneTold(capability, q.report.Mutants[first:]) }()
	for i, a := range attempts {
		if i > 1 && a[0] == attempts[i-1][0] && told {
			continue // with its import it has told already
		}
		if ran == limit {
			q.unchecked("mutation of "+capability, fmt.Sprintf("%d of %d mutants were run", i, len(attempts)))
			return nil
		}
		within := q.builtBy(tests, a)
		if len(within) == 0 {
			q.unchecked("mutation of "+capability+" in "+q.change.set.Hunks[a[0]].File, "no test that reaches "+capability+" builds its package")
			continue
		}
		before := len(q.report.Commands)
		m, err := q.mutant(ctx, capability, a, within)
		if ctx.Err() != nil {
			q.unchecked("mutation of "+capability, "the time budget of L2 was over")
			return nil
		}
		if err != nil {
			return err
		}
		q.report.Mutants = append(q.report.Mutants, m)
		told = m.Result != mutantBuildFailed
		if told || len(q.report.Commands) > before {
			ran++
		}
		if i == 0 && (m.Result == mutantKilled || m.Result == mutantSurvived) {
			return nil
		}
	}
	return nil
}

func (q *inquiry) mutant(ctx context.Context, capability string, hunks []int, tests []TestID) (Mutant, error) {
	first := q.change.set.Hunks[hunks[0]]
	m := Mutant{Capability: capability, Kind: "revert", Place: index.Span{File: first.File, Line: max(first.NewLine, 1), Col: 1}}
	set := reverted(q.change.set, hunks)
	if fits, err := q.coherent(ctx, set); err != nil || !fits {
		m.Result = mutantBuildFailed
		return m, err
	}
	tree, err := q.trees.with(ctx, set)
	if err != nil {
		return m, fault.From(err, "verify.mutate", "run it again without Mutate")
	}
	m.Result = mutantSurvived
	near, rest := q.nearest(tests)
	for _, stage := range [][]TestID{near, rest} {
		if len(stage) == 0 || m.Result != mutantSurvived {
			continue
		}
		got, err := q.exec(ctx, tree, fmt.Sprintf("mutant %s %d", capability, len(q.report.Mutants)+1), Run{Tests: stage})
		if err != nil {
			return m, err
		}
		q.judgeMutant(&m, got)
	}
	return m, q.trees.drop(tree)
}

// nearest parts the tests that the change itself brought or touched from the others.
func (q *inquiry) nearest(tests []TestID) (near, rest []TestID) {
	for _, id := range tests {
		if c := q.chosen.chosen[id]; c != nil && c.source == bySelf {
			near = append(near, id)
		} else {
			rest = append(rest, id)
		}
	}
	return near, rest
}

func (q *inquiry) judgeMutant(m *Mutant, got []Outcome) {
	for _, o := range got {
		switch {
		case o.Status == BuildFailed:
			m.Result = mutantBuildFailed
		case o.Status == TimedOut && m.Result == mutantSurvived:
			m.Result = mutantTimedOut
		case (o.Status == Failed || o.Status == Crashed) && o.Test.Name != "" && q.outcomes[o.Test].Status == Passed:
			m.Killed = append(m.Killed, o.Test)
		}
	}
	if len(m.Killed) > 0 {
		m.Result = mutantKilled
		slices.SortFunc(m.Killed, compareTests)
	}
}

// hunksOf returns the point's hunks, by number, that are not in tests, that can
// be taken back and that a test could miss.
func (q *inquiry) hunksOf(capability string) []int {
	var out []int
	for i, h := range q.change.set.Hunks {
		f, ok := q.in.After.File(h.File)
		if h.Capability == capability && ok && f.Origin != index.Test && !q.isFixture(h.File) && !q.prose(i) {
			out = append(out, i)
		}
	}
	return out
}

// passing returns the tests that passed and reach the point.
func (q *inquiry) passing(capability string) []TestID {
	var out []TestID
	for _, id := range q.covers[capability] {
		if q.outcomes[id].Status == Passed && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, compareTests)
	return out
}

// reverted returns the set without some of its hunks, given by number. A file
// of which nothing is left is not in it.
func reverted(set *patch.Set, hunks []int) *patch.Set {
	out := &patch.Set{Schema: set.Schema, Base: set.Base}
	for _, f := range set.Files {
		var keep []patch.Hunk
		took := false
		for i, h := range set.Hunks {
			switch {
			case h.File != f.Path:
			case slices.Contains(hunks, i):
				took = true
			default:
				keep = append(keep, h)
			}
		}
		if took {
			f.New = apply(f, keep)
			if len(keep) == 0 && (f.Op == patch.Created || f.Op == patch.Modified) {
				continue
			}
		}
		out.Files = append(out.Files, f)
	}
	return out
}

// apply writes the lines of some hunks of a file over its old content.
func apply(f patch.File, hunks []patch.Hunk) []byte {
	var old [][]byte
	if f.Op != patch.Created {
		old = splitLines(f.Old)
	}
	now := splitLines(f.New)
	var out bytes.Buffer
	at := 0 // lines of old that were written or replaced
	for _, h := range hunks {
		for ; at < min(h.OldLine-1, len(old)); at++ {
			out.Write(old[at])
		}
		for i := h.NewLine - 1; i < h.NewLine-1+h.NewCount && i < len(now); i++ {
			out.Write(now[i])
		}
		at = max(at, h.OldLine-1) + h.OldCount
	}
	for ; at < len(old); at++ {
		out.Write(old[at])
	}
	return out.Bytes()
}
