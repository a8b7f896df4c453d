package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// massRename asks for evidence when many files move or one name changes in many
// files (GAT-6): every edge has to be static, or its place part of the change.
func massRename(_ context.Context, c *Case) ([]Finding, error) {
	out := movedFiles(c)
	if c.Plan == nil {
		return out, nil
	}
	for _, k := range c.Plan.Contracts {
		s, ok := c.Before.Symbol(k.Symbol)
		if k.Rename == "" || !ok {
			continue
		}
		refs := c.Before.References(k.Symbol, 0)
		files := map[string]bool{}
		for _, r := range append(refs.Sure, refs.Confirm...) {
			files[r.Span.File] = true
		}
		if len(files) <= c.Policy.MovedFiles {
			continue
		}
		f := Finding{Before: s.Ident, Symbol: s.Canonical, Reason: fmt.Sprintf("%s is renamed to %s in %d files", s.Canonical, k.Rename, len(files)),
			Alternative: "rename the symbol by its references, not by a replacement of text, and confirm the uncertain ones first"}
		f.prove(unconfirmed(c, refs.Confirm), "every edge is static or part of the change", "uncertain: ")
		out = append(out, f)
	}
	return out, nil
}

func movedFiles(c *Case) []Finding {
	var moved []*Change
	for i := range c.Changes {
		if c.Changes[i].Moved() {
			moved = append(moved, &c.Changes[i])
		}
	}
	if len(moved) <= c.Policy.MovedFiles {
		return nil
	}
	f := Finding{Before: at(moved[0].Old, 1), After: at(moved[0].New, 1),
		Reason:      fmt.Sprintf("%d files are moved at once, and %d may be", len(moved), c.Policy.MovedFiles),
		Alternative: "move them in smaller steps, each verified on its own"}
	var open []string
	for _, m := range moved {
		open = append(open, unconfirmed(c, c.Before.ByPath(m.Old).Confirm)...)
	}
	slices.Sort(open)
	f.prove(slices.Compact(open), "every edge to them is static or part of the change", "uncertain: ")
	return []Finding{f}
}

// unconfirmed are the uncertain references whose line the change leaves alone.
func unconfirmed(c *Case, refs []index.Ref) []string {
	var out []string
	for _, r := range refs {
		if !touched(c, r.Span) {
			out = append(out, r.Span.String())
		}
	}
	return out
}

// touched reports whether the change has replaced or removed the line of a
// place in the state before.
func touched(c *Case, s index.Span) bool {
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old != s.File {
			continue
		}
		if f.Deleted() {
			return true
		}
		gone, _ := lineChanges(f.Before, f.After)
		return slices.ContainsFunc(gone, func(l line) bool { return l.number == s.Line })
	}
	return false
}
