package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// importChanges lists added and removed imports (GAT-5): a removed one may be a
// misjudged dead import, an added one a new dependency.
func importChanges(_ context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		before, after := importMarks(c.Before, f.Old), importMarks(c.After, f.New)
		if f.Created() || f.Deleted() {
			continue
		}
		for _, m := range after {
			if !hasText(before, m.Text) {
				out = append(out, Finding{Before: at(f.Old, 1), After: m.Span, Reason: fmt.Sprintf("%s imports %q now", f.New, m.Text),
					Alternative: "use what is imported already where it does the same"})
			}
		}
		for _, m := range before {
			if !hasText(after, m.Text) {
				out = append(out, Finding{Before: m.Span, After: at(f.New, 1), Reason: fmt.Sprintf("%s no longer imports %q", f.New, m.Text),
					Alternative: "keep the import where it was for its effects"})
			}
		}
	}
	return out, nil
}

func importMarks(s *index.Snapshot, file string) []index.Mark {
	if file == "" {
		return nil
	}
	return marksOf(s, file, index.MarkImport)
}

// marksOf returns a file's marks of one kind.
func marksOf(s *index.Snapshot, file string, kind index.MarkKind) []index.Mark {
	if file == "" {
		return nil
	}
	return slices.DeleteFunc(s.Marks(file), func(m index.Mark) bool { return m.Kind != kind })
}

func hasText(marks []index.Mark, text string) bool {
	return slices.ContainsFunc(marks, func(m index.Mark) bool { return m.Text == text })
}

// suppressions blocks instructions to checkers to look away (GAT-9).
func suppressions(_ context.Context, c *Case) ([]Finding, error) {
	count := map[string]int{}
	for i := range c.Changes {
		for _, m := range marksOf(c.Before, c.Changes[i].Old, index.MarkSuppression) {
			count[m.Text]++
		}
	}
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		for _, m := range marksOf(c.After, f.New, index.MarkSuppression) {
			if count[m.Text] > 0 {
				count[m.Text]--
				continue
			}
			out = append(out, Finding{Before: at(f.Old, 1), After: m.Span, Symbol: canonical(m.In), Reason: fmt.Sprintf("a checker is told to look away: %q", m.Text),
				Missing: []string{"a reason in the plan"}, Alternative: "put right what the checker finds, or give the reason in the task's justifications"})
		}
	}
	return out, nil
}
