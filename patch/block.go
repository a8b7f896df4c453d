package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// orderBlocks lists the blocks so that each stands after those it has to follow
// (PAT-22), and refuses unknown names, cycles, and blocks behind a refused one.
func (b *builder) orderBlocks() error {
	after := map[string][]string{}
	var names []string
	for _, path := range b.order {
		for _, u := range b.files[path].effective() {
			if !slices.Contains(names, u.block) {
				names = append(names, u.block)
			}
			after[u.block] = append(after[u.block], u.edit.After...)
		}
	}
	for _, n := range names {
		for _, dep := range after[n] {
			if f := b.refused[dep]; f != nil {
				return &blockFault{n, &fault.Fault{Class: f.Class, Op: "patch.order", Subject: f.Subject, State: unchanged,
					Detail: fmt.Sprintf("block %q has to follow block %q, which is refused: %s", n, dep, f.Detail), Next: f.Next, Candidates: f.Candidates}}
			}
			if !slices.Contains(names, dep) {
				return &fault.Fault{Class: fault.InvalidInput, Op: "patch.order", Subject: fault.Subject{Text: dep}, State: unchanged,
					Detail: fmt.Sprintf("block %q has to follow block %q, which does not exist", n, dep), Next: "name a block of this set"}
			}
		}
	}
	ordered, cycle := topological(names, after)
	if cycle != nil {
		return &fault.Fault{Class: fault.InvalidInput, Op: "patch.order", Subject: fault.Subject{Text: cycle[0]}, State: unchanged,
			Detail: "the order of the blocks is a cycle: " + strings.Join(cycle, " after "), Next: "drop one of these orders"}
	}
	for _, n := range ordered {
		deps := sorted(slices.Clone(after[n]))
		b.blocks = append(b.blocks, Block{Name: n, After: deps, Files: b.filesOf(n), Calls: b.plan.calls(n)})
	}
	return nil
}

// effective lists the units that change the file.
func (w *fileWork) effective() []*unit {
	var out []*unit
	for _, u := range []*unit{w.whole, w.modeUnit} {
		if u != nil {
			out = append(out, u)
		}
	}
	for _, s := range w.splices {
		out = append(out, s.unit)
	}
	slices.SortStableFunc(out, func(a, b *unit) int { return a.order - b.order })
	return out
}

// filesOf lists the files that a block changes, under their new names too.
func (b *builder) filesOf(block string) []string {
	var files []string
	for path, w := range b.files {
		for _, u := range w.effective() {
			if u.block != block {
				continue
			}
			files = append(files, path)
			if u == w.whole && u.edit.To != "" {
				files = append(files, u.edit.To)
			}
		}
	}
	return sorted(files)
}

// topological orders names so that each comes after those in after[name], in
// order of first mention otherwise; a cycle is returned instead, closed.
func topological(names []string, after map[string][]string) (ordered, cycle []string) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(n string) bool
	visit = func(n string) bool {
		switch state[n] {
		case done:
			return true
		case visiting:
			cycle = append(slices.Clone(path[slices.Index(path, n):]), n)
			return false
		}
		state[n] = visiting
		path = append(path, n)
		for _, d := range after[n] {
			if !visit(d) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[n] = done
		ordered = append(ordered, n)
		return true
	}
	for _, n := range names {
		if !visit(n) {
			return nil, cycle
		}
	}
	return ordered, nil
}

// calls lists the call sites that the plan's contracts bind to a block.
func (v *planView) calls(block string) []string {
	if v.plan == nil {
		return nil
	}
	var out []string
	for _, c := range v.plan.Contracts {
		if c.Block != block {
			continue
		}
		for _, r := range v.before.References(c.Symbol, 0).Sure {
			out = append(out, fmt.Sprintf("%s:%d", r.Span.File, r.Span.Line))
		}
	}
	return sorted(out)
}
