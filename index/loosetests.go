package index

// looseTests are the tests of one file that are no definitions, as the calls of
// it("…", …) in JavaScript, and the blocks that they stand in.
type looseTests struct {
	tests, blocks []Mark // in order of their start
	linked        []bool // by test: whether it has its link
}

// isLoose reports whether a mark is of a test that is no definition.
func isLoose(m *MarkFact, f *Facts) bool {
	return m.Kind == MarkTest && (m.Form == "" || m.Form == FormOpen) && (m.In < 0 || f.Defs[m.In].Range != m.Range)
}

// looseOf reads a file's tests, once for each search.
func (t *testFinder) looseOf(f *file) *looseTests {
	if l := t.loose[f.path]; l != nil {
		return l
	}
	l := &looseTests{}
	t.loose[f.path] = l
	if !f.loose {
		return l
	}
	facts, marks := f.facts(complete), t.s.Marks(f.path)
	for i := range facts.Marks {
		switch m := &facts.Marks[i]; {
		case isLoose(m, facts):
			l.tests = append(l.tests, marks[i])
		case m.Kind == MarkTest && m.Form == FormBlock:
			l.blocks = append(l.blocks, marks[i])
		}
	}
	l.linked = make([]bool, len(l.tests))
	return l
}

// A looseLink is a link to a test that is no definition; its path is asked for when
// the link is made: most references lead to a test that has one.
type looseLink struct {
	TestLink
	path func() []string
	sure bool
}

func (t *testFinder) take(l looseLink) {
	l.Path = l.path()
	t.link(l.TestLink, l.sure)
}

// within links the test that the offset stands in, if it is one that is no
// definition: what stands in it is run by it, or by what it is handed to.
func (t *testFinder) within(link looseLink, f *file, offset int) bool {
	l := t.looseOf(f)
	i := innermost(l.tests, offset)
	if i >= 0 {
		t.loosely(l, i, link)
	}
	return i >= 0
}

// around links what runs the code at an offset outside of every definition and
// test, as that of a hook: the tests of the innermost block around it, or of the
// file; the file as a whole where they are not known.
func (t *testFinder) around(link looseLink, f *file, offset int) {
	l := t.looseOf(f)
	block, any := innermost(l.blocks, offset), false
	for i, m := range l.tests {
		if block < 0 || l.blocks[block].Span.Start <= m.Span.Start && m.Span.End <= l.blocks[block].Span.End {
			any = true
			t.loosely(l, i, link)
		}
	}
	if !any && !t.files[link.File] {
		t.files[link.File] = true
		t.take(link)
	}
}

func (t *testFinder) loosely(l *looseTests, i int, link looseLink) {
	if !l.linked[i] {
		l.linked[i] = true
		link.Mark = l.tests[i]
		t.take(link)
	}
}

// innermost returns the last of the marks that hold the offset, -1 if none does.
func innermost(marks []Mark, offset int) int {
	found := -1
	for i, m := range marks {
		if m.Span.Start <= offset && offset < m.Span.End {
			found = i
		}
	}
	return found
}
