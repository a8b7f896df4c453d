package verify

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// alone returns the sets of hunks that are taken back one after another: each
// hunk, and before it, where its file has changed lines outside of every symbol,
// the two together, since an import that nothing uses any more does not build.
// Hunks in the files that define the point's own symbols come first: what follows
// from these, as an adapted call, shows less of the point.
func (q *inquiry) alone(capability string, hunks []int) [][]int {
	own := q.definedIn(capability)
	rank := func(h int) int {
		if own[q.change.set.Hunks[h].File] {
			return 0
		}
		return 1
	}
	ordered := slices.Clone(hunks)
	slices.SortStableFunc(ordered, func(a, b int) int { return rank(a) - rank(b) })
	var out [][]int
	for _, h := range ordered {
		if q.loose(h) {
			continue
		}
		with := []int{h}
		for _, other := range hunks {
			if q.change.set.Hunks[other].File == q.change.set.Hunks[h].File && q.loose(other) {
				with = append(with, other)
			}
		}
		if len(with) > 1 && rank(h) == 0 {
			out = append(out, with)
		}
		out = append(out, []int{h})
	}
	return out
}

// definedIn returns the files that define the point's symbols.
func (q *inquiry) definedIn(capability string) map[string]bool {
	out := map[string]bool{}
	for _, c := range q.in.Plan.Capabilities {
		if c.ID != capability {
			continue
		}
		for _, name := range append(slices.Clone(c.Symbols), c.Creates...) {
			for _, sym := range q.resolve(name) {
				out[sym.Span.File] = true
			}
		}
	}
	return out
}

// loose reports whether a hunk writes lines outside of every symbol alone, as an import.
func (q *inquiry) loose(h int) bool {
	hunk := q.change.set.Hunks[h]
	outline := q.in.After.Outline(hunk.File)
	for i := range hunk.NewCount {
		if inSymbol(q.in.After, outline, hunk.NewLine+i) {
			return false
		}
	}
	return slices.Contains(q.change.loose, hunk.File) && hunk.NewCount > 0
}

// noneTold lists a point whose mutants all failed to build.
func (q *inquiry) noneTold(capability string, tried []Mutant) {
	if len(tried) > 0 && !slices.ContainsFunc(tried, func(m Mutant) bool { return m.Result != mutantBuildFailed }) {
		q.unchecked("whether the tests notice when "+capability+" is broken", fmt.Sprintf("none of the %d mutants that were tried builds", len(tried)))
	}
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
