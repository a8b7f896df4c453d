package verify

import (
	"context"
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// affected is L3: the packages of what changed and those that import them, each
// as a whole. What L2 showed of a test is not told twice.
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
	dirs, tests := q.area()
	if len(tests) == 0 {
		l.find("no_tests", "the affected packages have no tests, so that nothing was shown", at(q.change.files))
		l.settle("add a test that reaches what changed")
		return nil
	}
	known := q.known(tests)
	before, err := q.baseline(ctx, wholes(q.packagesBefore(dirs), known), known)
	if err != nil {
		return err
	}
	tree, err := q.trees.after(ctx)
	if err != nil {
		return err
	}
	q.outcomes = map[TestID]Outcome{}
	unstable := map[TestID]bool{}
	if err := q.measure(ctx, tree, wholes(dirs, tests), tests, before, unstable); err != nil {
		return err
	}
	q.judge(l, q.results(L3, before, q.outcomes, unstable))
	return nil
}

// packagesBefore returns those of the folders that held a package before.
func (q *inquiry) packagesBefore(dirs []string) []string {
	var out []string
	for _, p := range q.in.Before.Packages() {
		if slices.Contains(dirs, p.Dir) && !slices.Contains(out, p.Dir) {
			out = append(out, p.Dir)
		}
	}
	slices.Sort(out)
	return out
}

// area chooses the affected packages that have tests, and the tests in them; where
// tests are told apart by their file, the affected files.
func (q *inquiry) area() (packages []string, tests []TestID) {
	dirs := map[string]string{}
	note := func(dir, why string) {
		if _, ok := dirs[dir]; !ok {
			dirs[dir] = why
		}
	}
	for _, file := range q.change.files {
		dir, ok := q.packageAbove(file)
		if !ok || testsByFile(q.in.Before, file) || testsByFile(q.in.After, file) {
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
	for _, id := range q.tests.all {
		why, ok := dirs[id.Dir]
		if !ok || id.File != "" {
			continue
		}
		q.chosen.add(id, byArea, why, "", 0)
		tests = append(tests, id)
		if !slices.Contains(packages, id.Dir) {
			packages = append(packages, id.Dir)
		}
	}
	tests = append(tests, q.importing()...)
	runs := map[TestID]bool{}
	for _, id := range tests {
		runs[id] = true
		delete(q.chosen.left, id)
	}
	done := q.ran(L2)
	q.chosen.leaveAll(func(id TestID) bool { return !runs[id] && !done },
		"it is in no package and no file of the affected ones, and L2 was not asked for")
	return packages, tests
}
