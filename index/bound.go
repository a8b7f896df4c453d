package index

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/internal/syntax"
)

// maxMissed is how many places of binding points without a definition are kept.
const maxMissed = 100

// countBound counts the binding points in the tree outside of function bodies,
// and keeps the places of those that no definition came of: those that the
// language's query captures as definitions or, where it captures none, every
// declaration that has a name. It is what the extractor is measured with, so that
// it shares nothing with it but the query.
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
	if !slices.ContainsFunc(names, isDefinition) {
		return declarations(tree)
	}
	seen := make(map[int32]bool)
	var out []Range
	for _, c := range tree.Captures {
		if int(c.Name) < len(names) && isDefinition(names[c.Name]) && !seen[c.Node] {
			seen[c.Node] = true
			if name := tree.Field(c.Node, "name"); name < 0 || string(tree.Text(name)) != "_" {
				out = append(out, Range{tree.Nodes[c.Node].Start, tree.Nodes[c.Node].End})
			}
		}
	}
	return ordered(out)
}

func isDefinition(capture string) bool { return strings.HasPrefix(capture, "definition.") }

// declarations returns the ranges of all nodes that have a name and a kind that
// says that they declare it, those that are local to a function without a name or to a block left out.
func declarations(tree *Tree) []Range {
	field, ok := tree.Language.Field("name")
	if !ok {
		return nil
	}
	kinds := tree.Language.Kinds()
	declares, function, branch := make([]bool, len(kinds)), make([]bool, len(kinds)), make([]bool, len(kinds))
	for i, kind := range kinds {
		for _, end := range []string{"_declaration", "_definition", "_declarator", "_signature", "_spec", "_item"} {
			declares[i] = declares[i] || strings.HasSuffix(kind, end) && kind != "index_signature" // which names no member
		}
		function[i] = strings.Contains(kind, "func") || strings.Contains(kind, "lambda") || strings.Contains(kind, "closure") || kind == "class_static_block"
		for _, start := range []string{"if_", "else_", "for_", "while_", "do_", "try_", "catch_", "finally_", "switch_", "with_", "match_"} {
			branch[i] = branch[i] || strings.HasPrefix(kind, start)
		}
	}
	var out []Range
	for n := range tree.Nodes {
		node := &tree.Nodes[n]
		if node.Field != field || node.Parent < 0 || !declares[tree.Nodes[node.Parent].Kind] || node.Is(syntax.HasError) {
			continue
		}
		if p := node.Parent; !tree.Nodes[p].Is(syntax.HasError) && !local(tree, p, field, function, branch) {
			out = append(out, Range{tree.Nodes[p].Start, tree.Nodes[p].End})
		}
	}
	return ordered(out)
}

// local reports whether the node stands in a function that has no name, or in a
// block of a statement.
func local(tree *Tree, n int32, name uint16, function, branch []bool) bool {
	for p := tree.Nodes[n].Parent; p >= 0; p = tree.Nodes[p].Parent {
		if kind := tree.Nodes[p].Kind; branch[kind] || function[kind] && tree.Child(p, name) < 0 {
			return true
		}
	}
	return false
}

// ordered sorts ranges, outer ones first, and leaves out what is there twice.
func ordered(out []Range) []Range {
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
