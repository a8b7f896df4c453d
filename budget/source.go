package budget

import (
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A source is one file's text with what the index knows about it, read once a collection.
type source struct {
	file     index.File
	text     string
	starts   []int // offset of each line
	language *index.Language

	marks    []index.Mark // of comments and tests; nil until asked
	hasMarks bool
	comments map[int]bool // 0-based lines that only hold a comment
}

// sources hands out the sources of one Snapshot.
type sources struct {
	snap     *index.Snapshot
	byFile   map[string]*source
	failed   map[string]error
	outlines map[string][]index.Symbol
}

func newSources(snap *index.Snapshot) *sources {
	return &sources{snap: snap, byFile: make(map[string]*source), failed: make(map[string]error), outlines: make(map[string][]index.Symbol)}
}

// outline returns the symbols of a file.
func (s *sources) outline(file string) []index.Symbol {
	out, ok := s.outlines[file]
	if !ok {
		out = s.snap.Outline(file)
		s.outlines[file] = out
	}
	return out
}

// get returns the source of a file, or the fault that says why it cannot be read.
func (s *sources) get(path string) (*source, error) {
	if src, ok := s.byFile[path]; ok {
		return src, s.failed[path]
	}
	data, err := s.snap.Source(path)
	file, _ := s.snap.File(path)
	src := &source{file: file, text: string(data), language: s.snap.Language(path)}
	src.starts = append(src.starts, 0)
	for i := 0; i < len(data); i++ {
		if data[i] == '\n' && i+1 < len(data) {
			src.starts = append(src.starts, i+1)
		}
	}
	s.byFile[path], s.failed[path] = src, err
	return src, err
}

// line returns the 0-based line of an offset.
func (s *source) line(offset int) int {
	return sort.SearchInts(s.starts, offset+1) - 1
}

// lines returns the text of the 0-based lines [from, to], without the last line end.
func (s *source) lines(from, to int) []string {
	var out []string
	for i := max(from, 0); i <= to && i < len(s.starts); i++ {
		end := len(s.text)
		if i+1 < len(s.starts) {
			end = s.starts[i+1]
		}
		out = append(out, strings.TrimRight(s.text[s.starts[i]:end], "\r\n"))
	}
	return out
}

// span returns the Span of the 0-based lines [from, to].
func (s *source) span(from, to int) index.Span {
	end := len(s.text)
	if to+1 < len(s.starts) {
		end = s.starts[to+1]
	}
	return index.Span{File: s.file.Path, Hash: s.file.Hash, Start: s.starts[from], End: end, Line: from + 1, Col: 1}
}

// docStart returns the first line of the doc comment that stands directly above
// a symbol whose definition begins on the 0-based line at; at where there is
// none. The comment's first words, as the index has them, are looked for in the
// lines above; comment marks decide where they are not found.
func (s *source) docStart(snap *index.Snapshot, sym index.Symbol, at int) int {
	words := letters(sym.Doc, 24)
	if words == "" {
		return at
	}
	for i := at - 1; i >= 0 && at-i < mostDoc; i-- {
		line := s.lines(i, i)[0]
		if strings.TrimSpace(line) == "" {
			break
		}
		if have := letters(line, 1<<20); have != "" && (strings.Contains(have, words) || len(have) < len(words) && strings.HasPrefix(words, have)) && s.comment(snap, i) {
			return i
		}
	}
	s.readMarks(snap)
	for at > 0 && s.comments[at-1] {
		at--
	}
	return at
}

// mostDoc bounds the lines of a doc comment.
const mostDoc = 200

// comment reports whether a line above a definition begins as comments do, or
// is marked as one.
func (s *source) comment(snap *index.Snapshot, i int) bool {
	line := strings.TrimSpace(s.lines(i, i)[0])
	for _, begin := range []string{"//", "/*", "#", "*", "--"} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	s.readMarks(snap)
	return s.comments[i]
}

// letters returns the first n letters and digits of a text.
func letters(text string, n int) string {
	var b strings.Builder
	for i := 0; i < len(text) && b.Len() < n; i++ {
		if isLetter(text[i]) || isDigit(text[i]) {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

func (s *source) readMarks(snap *index.Snapshot) {
	if s.hasMarks {
		return
	}
	s.hasMarks, s.marks, s.comments = true, snap.Marks(s.file.Path), make(map[int]bool)
	for _, m := range s.marks {
		if m.Kind != index.MarkComment || m.Span.End > len(s.text) {
			continue
		}
		first, last := s.line(m.Span.Start), s.line(max(m.Span.Start, m.Span.End-1))
		before := s.text[s.starts[first]:m.Span.Start]
		after, _, _ := strings.Cut(s.text[m.Span.End:], "\n")
		if strings.TrimSpace(before) == "" && strings.TrimSpace(after) == "" {
			for i := first; i <= last; i++ {
				s.comments[i] = true
			}
		}
	}
}
