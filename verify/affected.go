package verify

import (
	"context"
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// affected is L3: the packages of what changed and those that import them.
func (q *inquiry) affected(ctx context.Context, l *Layer) error {
	if err := q.equip(ctx); err != nil {
		return err
	}
	if q.chosen == nil {
		var err error
		if q.chosen, err = q.choose(ctx); err != nil {
			return err
		}
	}
	tests := q.area()
	if len(tests) == 0 {
		l.settle("") // L2 ran every test of the area
		return nil
	}
	before, err := q.baseline(ctx, q.known(tests))
	if err != nil {
		return err
	}
	tree, err := q.trees.after(ctx)
	if err != nil {
		return err
	}
	earlier := q.outcomes
	q.outcomes = map[TestID]Outcome{}
	unstable := map[TestID]bool{}
	if err := q.measure(ctx, tree, tests, before, unstable); err != nil {
		return err
	}
	against := q.results(L3, before, q.outcomes, unstable)
	for id, o := range earlier {
		q.outcomes[id] = o
	}
	q.judge(l, against)
	return nil
}

// area chooses the tests of the affected packages that did not run yet.
func (q *inquiry) area() []TestID {
	dirs := map[string]string{}
	note := func(dir, why string) {
		if _, ok := dirs[dir]; !ok {
			dirs[dir] = why
		}
	}
	for _, file := range q.change.files {
		dir, ok := q.packageAbove(file)
		if !ok {
			continue
		}
		note(dir, file+" is in its package")
		for _, s := range []*index.Snapshot{q.in.Before, q.in.After} {
			importers := s.ByPath(file)
			for _, ref := range append(slices.Clone(importers.Sure), importers.Confirm...) {
				if ref.Kind == index.RefImport {
					note(path.Dir(ref.Span.File), ref.Span.File+" imports the package of "+file)
				}
			}
		}
	}
	var out []TestID
	for _, t := range q.tests.all {
		why, ok := dirs[t.id.Dir]
		if _, ran := q.outcomes[t.id]; !ok || ran {
			continue
		}
		q.chosen.add(t.id, byArea, why, "", 0)
		out = append(out, t.id)
	}
	left := q.report.Selection.Skipped
	q.report.Selection = q.chosen.describe()
	q.keepReasons(left)
	return out
}

// keepReasons keeps why tests were skipped that still are.
func (q *inquiry) keepReasons(earlier []Selected) {
	for i := range q.report.Selection.Skipped {
		now := &q.report.Selection.Skipped[i]
		for _, e := range earlier {
			if e.Test == now.Test {
				*now = e
			}
		}
	}
}
