package requirement

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// named finds IDs inside names: PAT-7, PAT_7 and, at a word's start, PAT7.
var named = regexp.MustCompile(`([A-Z][A-Z]+)[-_]?([0-9]+)`)

// annotation is the line of a comment that names requirements.
var annotation = regexp.MustCompile(`(?:^|\s)covers:\s*(.+)$`)

// links finds every place in test code that names a requirement.
func (t *Table) links(s *index.Snapshot, prefixes map[string]bool) []Link {
	var out []Link
	for _, f := range s.Files() {
		lang := s.Language(f.Path)
		if lang == nil || lang.TestFile == nil || !lang.TestFile(f.Path) {
			continue
		}
		out = append(out, t.file(s, f.Path, prefixes)...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// testFile is what one file holds: its tests and its comments, in order.
type testFile struct {
	path     string
	src      []byte
	tests    []index.Mark // of test functions and subtests
	comments []index.Mark
}

func (t *Table) file(s *index.Snapshot, path string, prefixes map[string]bool) []Link {
	src, err := s.Source(path)
	if err != nil {
		return nil // the Snapshot's drift is the caller's question
	}
	f := testFile{path: path, src: src}
	for _, m := range s.Marks(path) {
		switch {
		case m.Kind == index.MarkTest && m.Form != index.FormBlock:
			f.tests = append(f.tests, m)
		case m.Kind == index.MarkComment:
			f.comments = append(f.comments, m)
		}
	}
	links := append(f.annotated(t, s), f.fromNames(s, prefixes)...)
	t.Untagged += f.untagged(s, links)
	return links
}

// untagged counts the test functions that name no requirement.
func (f testFile) untagged(s *index.Snapshot, links []Link) int {
	n := 0
	for _, m := range f.tests {
		if strings.Contains(m.Text, "/") {
			continue
		}
		name := f.canonical(s, m)
		if !slices.ContainsFunc(links, func(l Link) bool { return l.Test == name || strings.HasPrefix(l.Test, name+"/") }) {
			n++
		}
	}
	return n
}

// annotated reads the "covers:" comments. One that belongs to no test is a gap:
// it would otherwise look like proof.
func (f testFile) annotated(t *Table, s *index.Snapshot) []Link {
	var out []Link
	for _, c := range f.comments {
		text := string(f.src[c.Span.Start:min(c.Span.End, len(f.src))])
		for i, line := range strings.Split(text, "\n") {
			m := annotation.FindStringSubmatch(strings.TrimRight(strings.TrimLeft(line, "/* \t"), "*/ \t\r"))
			if m == nil || !strings.Contains(line, "covers:") {
				continue
			}
			at := c.Span.Line + i
			test, ok := f.owner(s, c, at)
			for _, id := range splitIDs(m[1]) {
				if !ok {
					t.Gaps = append(t.Gaps, Gap{LooseAnnotation, id, f.path, at, "the comment stands neither above nor inside a test"})
					continue
				}
				out = append(out, Link{ID: id, Test: test, File: f.path, Line: at, Via: "comment"})
			}
		}
	}
	return out
}

// splitIDs splits a list of IDs; what has not the form of one ends it.
func splitIDs(list string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		word = strings.TrimRight(word, ".")
		if !IsID(word) {
			break
		}
		out = append(out, word)
	}
	return out
}

// owner returns the canonical name of the test that a comment is inside of, or
// that starts directly below it with nothing but comments between.
func (f testFile) owner(s *index.Snapshot, c index.Mark, line int) (string, bool) {
	for _, m := range f.tests {
		if c.Span.Start >= m.Span.Start && c.Span.End <= m.Span.End {
			return f.canonical(s, m), true
		}
	}
	next := f.nextCode(c.Span.End)
	for _, m := range f.tests {
		if next >= 0 && m.Span.Start <= next && next < m.Span.End && m.Span.Line >= line {
			return f.canonical(s, m), true
		}
	}
	return "", false
}

// nextCode is the offset of the first byte behind at that is neither white
// space nor part of a comment, -1 if there is none. A blank line ends the
// search: a comment belongs to what it touches.
func (f testFile) nextCode(at int) int {
	newlines := 0
	for i := at; i < len(f.src); i++ {
		switch f.src[i] {
		case '\n':
			if newlines++; newlines > 1 {
				return -1
			}
			continue
		case ' ', '\t', '\r':
			continue
		}
		if end := f.commentAt(i); end > i {
			i, newlines = end-1, 0
			continue
		}
		return i
	}
	return -1
}

func (f testFile) commentAt(offset int) int {
	for _, c := range f.comments {
		if c.Span.Start == offset {
			return c.Span.End
		}
	}
	return 0
}

// canonical names the test function of a mark, subtests after "/".
func (f testFile) canonical(s *index.Snapshot, m index.Mark) string {
	top, sub, _ := strings.Cut(m.Text, "/")
	name := top
	if x, ok := s.At(f.path, m.Span.Start); ok {
		name = x.Canonical
	}
	if sub != "" {
		return name + "/" + sub
	}
	return name
}

// fromNames finds IDs in the names of tests and subtests, as far as their
// prefix is one that the documents use.
func (f testFile) fromNames(s *index.Snapshot, prefixes map[string]bool) []Link {
	var out []Link
	for _, m := range f.tests {
		via, name := "name", m.Text
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			via, name = "subtest", name[i+1:]
		}
		for _, id := range named.FindAllStringSubmatch(name, -1) {
			if prefixes[id[1]] {
				out = append(out, Link{ID: id[1] + "-" + id[2], Test: f.canonical(s, m), File: f.path, Line: m.Span.Line, Via: via})
			}
		}
	}
	return out
}
