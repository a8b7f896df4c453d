package verify

import (
	"context"
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// alone returns the hunks in the order in which they are taken back one by one:
// first those in the files that define the point's own symbols, since what
// follows from these, as an adapted call, shows less of the point.
func (q *inquiry) alone(capability string, hunks []int) []int {
	own := map[string]bool{}
	for _, c := range q.in.Plan.Capabilities {
		if c.ID != capability {
			continue
		}
		for _, name := range append(slices.Clone(c.Symbols), c.Creates...) {
			for _, sym := range q.resolve(name) {
				own[sym.Span.File] = true
			}
		}
	}
	out := slices.Clone(hunks)
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := own[q.change.set.Hunks[a].File], own[q.change.set.Hunks[b].File]
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return out
}

// coherent reports whether the symbols still fit each other when hunks are taken
// back; one whose calls and definitions disagree need not be run to know that it
// does not build. Both ways are looked at: what the hunks changed against the
// state before, and what is left of the change against the state after.
func (q *inquiry) coherent(ctx context.Context, set *patch.Set) (bool, error) {
	mutated, err := q.in.Before.Overlay(ctx, set.Overlay())
	if err != nil {
		return false, err
	}
	for _, from := range []*index.Snapshot{q.in.Before, q.in.After} {
		in := Input{Before: from, After: mutated, Plan: q.in.Plan}
		sub := &inquiry{v: q.v, in: in, report: newReport(in)}
		if err := sub.read(ctx); err != nil {
			return false, err
		}
		if err := sub.consistency(ctx, &Layer{}); err != nil {
			return false, err
		}
		if len(sub.report.Missing) > 0 {
			return false, nil
		}
	}
	return true, nil
}

// builtBy returns the tests whose packages are, or import, directly or not, one
// that holds a hunk: for the others a hunk that is taken back changes nothing.
func (q *inquiry) builtBy(tests []TestID, hunks []int) []TestID {
	seen := map[string]bool{}
	var queue []string
	visit := func(dir string) {
		if !seen[dir] {
			seen[dir] = true
			queue = append(queue, dir)
		}
	}
	for _, h := range hunks {
		visit(path.Dir(q.change.set.Hunks[h].File))
	}
	files := map[string]string{} // one file of each folder
	for _, f := range q.in.After.Files() {
		if f.Language != "" && f.Origin != index.Test {
			files[path.Dir(f.Path)] = f.Path
		}
	}
	for len(queue) > 0 {
		file := files[queue[0]]
		queue = queue[1:]
		importers := q.in.After.ByPath(file)
		for _, ref := range append(slices.Clone(importers.Sure), importers.Confirm...) {
			if ref.Kind == index.RefImport {
				visit(path.Dir(ref.Span.File))
			}
		}
	}
	var out []TestID
	for _, id := range tests {
		if seen[id.Dir] {
			out = append(out, id)
		}
	}
	return out
}
