package extract

import (
	"cmp"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// SortMarks puts marks in order, a longer one before those that begin with it.
func SortMarks(marks []index.MarkFact) {
	slices.SortStableFunc(marks, func(a, b index.MarkFact) int {
		return cmp.Or(cmp.Compare(a.Range.Start, b.Range.Start), cmp.Compare(b.Range.End, a.Range.End))
	})
}

// PlaceMarks puts marks in order and sets In of each to the innermost of defs
// that it stands in, outside where it stands in none. The definitions stand in
// order, and one stands inside of another only as its child.
func PlaceMarks(marks []index.MarkFact, defs []index.Def, outside int32) {
	SortMarks(marks)
	next, in := 0, int32(-1)
	for i := range marks {
		m := &marks[i]
		for next < len(defs) && defs[next].Range.Start <= m.Range.Start {
			in = int32(next)
			next++
		}
		for in >= 0 && defs[in].Range.End < m.Range.End {
			in = defs[in].Parent
		}
		if m.In = in; in < 0 {
			m.In = outside
		}
	}
}

// CommentMarks returns the marks of the comments at nodes: one for each that
// isSuppression says tells a checker to look away, and one for each group.
// continues reports whether the comment at next belongs to the group at r.
func CommentMarks(t *index.Tree, nodes []int32, isSuppression func(comment []byte) bool, continues func(r, next index.Range) bool) []index.MarkFact {
	var marks []index.MarkFact
	group := -1
	for _, n := range nodes {
		at := index.Range{Start: t.Nodes[n].Start, End: t.Nodes[n].End}
		if isSuppression(t.Text(n)) {
			marks = append(marks, index.MarkFact{Kind: index.MarkSuppression, In: -1, Range: at, Text: MarkText(t, n)})
		}
		if group >= 0 && continues(marks[group].Range, at) {
			marks[group].Range.End = at.End
			continue
		}
		group = len(marks)
		marks = append(marks, index.MarkFact{Kind: index.MarkComment, In: -1, Range: at})
	}
	return marks
}
