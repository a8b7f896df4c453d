package verify

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// prose reports whether a hunk changes nothing but comments, documentation and
// blank lines: no test can notice that it is taken back.
func (q *inquiry) prose(h int) bool {
	hunk := q.change.set.Hunks[h]
	was := hunk.File
	for _, f := range q.change.set.Files {
		if f.Path == hunk.File && f.From != "" {
			was = f.From
		}
	}
	return remarks(q.in.Before, was, hunk.OldLine, hunk.Old) && remarks(q.in.After, hunk.File, hunk.NewLine, hunk.New)
}

// remarks reports whether each of the lines, the first of which is line number
// first (1-based) of the file, is blank or inside of a comment that takes all of it.
func remarks(s *index.Snapshot, file string, first int, lines []string) bool {
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" }) {
		return true
	}
	src, err := s.Source(file)
	if err != nil {
		return false
	}
	covered := map[int]bool{}
	for _, m := range s.Marks(file) {
		if m.Kind != index.MarkComment {
			continue
		}
		start := strings.LastIndexByte(string(src[:m.Span.Start]), '\n') + 1
		if strings.TrimSpace(string(src[start:m.Span.Start])) != "" {
			continue // code stands before it
		}
		for l := m.Span.Line; l <= s.Line(file, max(m.Span.End-1, m.Span.Start)); l++ {
			covered[l] = true
		}
	}
	for i, l := range lines {
		if strings.TrimSpace(l) != "" && !covered[first+i] {
			return false
		}
	}
	return true
}
