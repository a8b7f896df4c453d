package index

import (
	"slices"
	"strings"
)

// maxMissed is how many places of binding points without a definition are kept.
const maxMissed = 100

// countBound counts the binding points that the language's query finds in the
// tree outside of function bodies, and keeps the places of those that no
// definition came of. It is what the extractor is measured with, so that it
// shares nothing with it but the query.
func (f *Facts) countBound(tree *Tree) {
	nodes := boundNodes(tree)
	if len(nodes) == 0 {
		return
	}
	covered := make([]bool, len(nodes))
	for i := range f.Defs {
		if n := innermostNode(nodes, f.Defs[i].Ident); n >= 0 {
			covered[n] = true
		}
	}
	bodies := f.bodies()
	for i, n := range nodes {
		switch {
		case covered[i]:
			f.Bound++
		case innermostNode(bodies, n) < 0:
			f.Bound++
			if len(f.Missed) < maxMissed {
				f.Missed = append(f.Missed, n)
			}
		}
	}
}

// boundNodes returns the ranges of all nodes captured as a definition, outer
// ones first, those that bind nothing but "_" left out.
func boundNodes(tree *Tree) []Range {
	if tree.Language == nil {
		return nil
	}
	names := tree.Language.Captures()
	seen := make(map[int32]bool)
	var out []Range
	for _, c := range tree.Captures {
		if int(c.Name) < len(names) && strings.HasPrefix(names[c.Name], "definition.") && !seen[c.Node] {
			seen[c.Node] = true
			if name := tree.Field(c.Node, "name"); name < 0 || string(tree.Text(name)) != "_" {
				out = append(out, Range{tree.Nodes[c.Node].Start, tree.Nodes[c.Node].End})
			}
		}
	}
	slices.SortFunc(out, func(a, b Range) int {
		if a.Start != b.Start {
			return int(a.Start) - int(b.Start)
		}
		return int(b.End) - int(a.End)
	})
	return slices.Compact(out)
}

// innermostNode returns the last of the ranges, which are in order and nested or
// apart, that contains r, or -1.
func innermostNode(nodes []Range, r Range) int {
	at, _ := slices.BinarySearchFunc(nodes, r.Start, func(n Range, start uint32) int {
		if n.Start <= start {
			return -1
		}
		return 1
	})
	const near = 256 // siblings that end before r
	for i := at - 1; i >= 0 && i >= at-near; i-- {
		if r.End <= nodes[i].End {
			return i
		}
	}
	return -1
}

// bodies returns the outermost function bodies, in order.
func (f *Facts) bodies() []Range {
	var out []Range
	for i := range f.Defs {
		switch d := &f.Defs[i]; d.Kind {
		case KindFunction, KindMethod, KindConstructor:
			if b := (Range{d.Body, d.Range.End}); b.Start < b.End && (len(out) == 0 || b.End > out[len(out)-1].End) {
				out = append(out, b)
			}
		}
	}
	return out
}
