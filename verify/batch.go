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
// then has not run is listed with the reason.
func (q *inquiry) inBatches(ctx context.Context, start time.Time, budget time.Duration, c *trial) error {
	done, short := 0, false
	for _, batch := range q.chosen.batches() {
		if len(c.against) > 0 {
			break
		}
		if short = done > 0 && !reaches(q.now().Sub(start), budget, done, len(batch)); short {
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
	why := "the tests that the change leads to directly are red already"
	if short {
		why = fmt.Sprintf("the time of L2 reached for the %d nearest tests", done)
	}
	for _, id := range q.chosen.ids(func(*choice) bool { return true }) {
		if !c.ran[id] {
			q.chosen.leave(id, why)
		}
	}
	return nil
}

// reaches reports whether the time that is left is enough for the next tests, when
// they take as long as those that are done, and something remains for what L2 does
// behind its tests.
func reaches(spent, budget time.Duration, done, next int) bool {
	return spent+spent*time.Duration(next)/time.Duration(done) <= budget*3/4
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
