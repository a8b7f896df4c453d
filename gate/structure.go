package gate

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// structured are the statements of a unit, in order of start.
type structured []index.Statement

// inside are the statements that stand in [start, end). A block that holds
// nothing else stands around it.
func (s structured) inside(start, end int) structured {
	var out structured
	for _, st := range s {
		around := int(st.Start) == start && int(st.End) == end && (st.Kind == index.Branch || st.Kind == index.Handler || st.Kind == index.Loop)
		if int(st.Start) >= start && int(st.End) <= end && !around {
			out = append(out, st)
		}
	}
	return out
}

// of are the statements of the given kinds.
func (s structured) of(kinds ...index.StatementKind) structured {
	var out structured
	for _, st := range s {
		if slices.Contains(kinds, st.Kind) {
			out = append(out, st)
		}
	}
	return out
}

func holds(r index.Range, offset int) bool { return int(r.Start) <= offset && offset < int(r.End) }

func isBlock(k index.StatementKind) bool {
	switch k {
	case index.Function, index.Branch, index.Loop, index.Handler, index.Concurrent:
		return true
	}
	return false
}

// around are the blocks around an offset, outermost first.
func (s structured) around(offset int) structured {
	var out structured
	for _, st := range s {
		if isBlock(st.Kind) && holds(st.Range, offset) {
			out = append(out, st)
		}
	}
	return out
}

// conditions counts the blocks around an offset that need not be gone through:
// those that a condition or a failure leads to, and those that nobody waits for.
func (s structured) conditions(offset int) int {
	return len(s.around(offset).of(index.Branch, index.Handler, index.Concurrent))
}

// inClosure reports whether an offset stands in a function inside the unit.
func (s structured) inClosure(offset int) bool {
	return len(s.around(offset).of(index.Function, index.Concurrent)) > 1
}

// innermost is where the innermost block around an offset starts, -1 without one.
func (s structured) innermost(offset int) int {
	best := -1
	for _, st := range s.around(offset) {
		best = max(best, int(st.Start))
	}
	return best
}

// within reports whether an offset stands in a statement of the kind.
func (s structured) within(kind index.StatementKind, offset int) bool {
	return slices.ContainsFunc(s, func(st index.Statement) bool { return st.Kind == kind && holds(st.Range, offset) })
}

// assertion is what a mark of an assertion compares.
func (s structured) assertion(m index.Mark) (index.Statement, bool) {
	i := slices.IndexFunc(s, func(st index.Statement) bool {
		return st.Kind == index.Assertion && int(st.Start) == m.Span.Start && int(st.End) == m.Span.End
	})
	if i < 0 {
		return index.Statement{}, false
	}
	return s[i], true
}

// place is where a statement of a unit stands.
func (u *unit) place(st index.Statement) index.Span {
	line := 1 + strings.Count(string(u.src[:st.Start]), "\n")
	return index.Span{File: u.file, Hash: u.sym.Span.Hash, Start: int(st.Start), End: int(st.End), Line: line, Col: column(u.src, int(st.Start))}
}

// written is the source of a statement, white space normalized.
func (u *unit) written(st index.Statement) string { return squeeze(string(u.src[st.Start:st.End])) }
