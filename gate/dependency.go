package gate

import (
	"context"
	"path"
	"slices"
	"strings"
)

// dependencyFiles asks for evidence when files that pin dependencies change: a
// change set of its own, and the lock file in step (GAT-4, by path).
func dependencyFiles(_ context.Context, c *Case) ([]Finding, error) {
	var deps, others []string
	for i := range c.Changes {
		p := c.Changes[i].Path()
		switch {
		case c.pins(p):
			if c.needsOther(&c.Changes[i]) { // what says the same of them goes with either
				deps = append(deps, p)
			}
		case !isDocument(c, p):
			others = append(others, p)
		}
	}
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if !slices.Contains(deps, f.Path()) {
			continue
		}
		found := Finding{Before: at(f.Old, 1), After: at(f.New, 1), Reason: f.Path() + " says which versions of dependencies are used, and changes",
			Alternative: "make the change of dependencies a change set of its own, manifest and lock file together"}
		if line := firstChanged(f); line > 0 && f.New != "" {
			found.After.Line = line
		}
		found.prove(others, "the change set holds nothing but dependencies", "it also changes ")
		found.prove(outOfStep(c, f, deps), "manifest and lock file are in step", "unchanged: ")
		out = append(out, found)
	}
	return out, nil
}

// needsOther reports whether a file that declares dependencies says something
// else of them than before, as far as its language can tell.
func (c *Case) needsOther(f *Change) bool {
	if f.Old == "" || f.New == "" {
		return true
	}
	for _, l := range c.Before.Languages() {
		if l.Needs == nil || matches(l.Dependencies, f.New) == "" {
			continue
		}
		was, before := l.Needs(f.Old, f.Before)
		now, after := l.Needs(f.New, f.After)
		return !before || !after || was != now
	}
	return true
}

func firstChanged(f *Change) int {
	if _, came := lineChanges(f.Before, f.After); len(came) > 0 {
		return came[0].number
	}
	return 1
}

// outOfStep lists the lock files of a changed manifest that exist and do not
// change with it. A manifest whose lines about dependencies stay needs none.
func outOfStep(c *Case, f *Change, changed []string) []string {
	var out []string
	for _, lock := range c.Before.Locks(f.Path()) {
		p := path.Join(path.Dir(f.Path()), lock)
		if _, ok := c.Before.File(p); ok && !slices.Contains(changed, p) && pinsChanged(f) {
			out = append(out, p)
		}
	}
	return out
}

// pinsChanged reports whether a line with a version number came or went; the
// version of the language itself is pinned by no lock file.
func pinsChanged(f *Change) bool {
	gone, came := lineChanges(f.Before, f.After)
	return slices.ContainsFunc(append(gone, came...), func(l line) bool {
		return strings.ContainsAny(l.text, "0123456789") && !strings.HasPrefix(l.text, "go ") && !strings.HasPrefix(l.text, "toolchain ")
	})
}
