package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// mostAtOnce is how many tests L2 holds against the baseline at a time. What
// everything uses leads to thousands: the nearest of them answer within the time
// of L2, and the area of the change as a whole is L3's question.
const mostAtOnce = 400

// inBatches runs the chosen tests on both trees, the nearest first, until one
// counts against the change or the time does not reach for the next batch. What
// then has not run is listed with the reason. start is when the layer began: what
// it did since then counts for the time that is left, not for what a test takes.
func (q *inquiry) inBatches(ctx context.Context, start time.Time, l *Layer, c *trial) error {
	done, short, first := 0, false, q.now()
	for _, batch := range q.chosen.batches() {
		if len(c.against) > 0 {
			break
		}
		now := q.now()
		if short = done > 0 && !reaches(now.Sub(start), now.Sub(first), l.Budget, done, len(batch)); short {
			break
		}
		there := q.stood(batch)
		if done == 0 {
			there = q.known(batch)
		}
		before, err := q.baseline(ctx, Run{Tests: there}, there)
		if err != nil {
			return err
		}
		maps.Copy(c.before, before)
		if err := q.inStages(ctx, batch, c); err != nil {
			return err
		}
		done += len(batch)
	}
	q.leaveRest(l, c, done, short)
	return nil
}

// leaveRest moves what has not run to the skipped tests, with the reason, and says
// so in the layer where time was short for tests that the change leads to directly:
// that does not fail it, and is not to be missed.
func (q *inquiry) leaveRest(l *Layer, c *trial, done int, short bool) {
	why := "tests that ran before them are red already"
	if short {
		why = fmt.Sprintf("the time of L2 reached for the %d nearest tests", done)
	}
	left := q.chosen.leaveAll(func(id TestID) bool { return !c.ran[id] }, why)
	left = slices.DeleteFunc(left, func(id TestID) bool { return !direct(q.chosen.chosen[id].source) })
	if !short || len(left) == 0 {
		return
	}
	rest := "no layer of this run runs them"
	if len(q.in.Layers) == 0 || slices.Contains(q.in.Layers, L3) {
		rest = "L3 runs those of the affected packages and files"
	}
	l.Left = fmt.Sprintf("%d tests that the change leads to directly, the first of them %s: %s; %s", len(left), left[0], why, rest)
}

// reaches reports whether the time that is left is enough for the next tests, when
// they take as long as those that are done, which took running of all that is
// spent, and something remains for what L2 does behind its tests.
func reaches(spent, running, budget time.Duration, done, next int) bool {
	return spent+running*time.Duration(next)/time.Duration(done) <= budget*3/4
}

// batches cuts the chosen tests, nearest first, into batches, each in order.
func (s *selection) batches() [][]TestID {
	all := s.ids(func(*choice) bool { return true })
	slices.SortStableFunc(all, func(a, b TestID) int {
		x, y := s.chosen[a], s.chosen[b]
		return cmp.Or(cmp.Compare(strength(x.source), strength(y.source)), cmp.Compare(x.depth, y.depth))
	})
	var out [][]TestID
	for batch := range slices.Chunk(all, mostAtOnce) {
		slices.SortFunc(batch, compareTests)
		out = append(out, batch)
	}
	return out
}
