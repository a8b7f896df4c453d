package indextest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
)

// Structure holds Language.Structure to golden files: the txtar files that glob
// matches hold source files, and under want/, by the same name, what Statements
// writes of them. UPDATE_GOLDEN=1 writes those again.
//
// In every file the statements stand in order, inside of the file, and every
// mark of an assertion that a test compares has its Assertion.
func Structure(t *testing.T, lang *index.Language, glob string) {
	cases, err := filepath.Glob(glob)
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { structureCase(t, lang, file) })
	}
}

func structureCase(t *testing.T, lang *index.Language, file string) {
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	files := Files{}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			files[f.Name] = string(f.Data)
		}
	}
	s := Index(t, &index.TreeSitter{Languages: []*index.Language{lang}}, files, nil)
	for i := range archive.Files {
		f := &archive.Files[i]
		name, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		statements, err := s.Structure(context.Background(), name)
		require.NoError(t, err)
		wellFormed(t, s, name, statements)
		got := Statements([]byte(files[name]), statements)
		if os.Getenv("UPDATE_GOLDEN") != "" {
			f.Data = []byte(got)
			continue
		}
		assert.Equal(t, string(f.Data), got, f.Name)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

func wellFormed(t *testing.T, s *index.Snapshot, name string, statements []index.Statement) {
	src, err := s.Source(name)
	require.NoError(t, err)
	last := uint32(0)
	compared := map[index.Range]bool{}
	for _, st := range statements {
		require.NotEmpty(t, st.Kind.String())
		require.LessOrEqual(t, last, st.Start, "the statements stand in order")
		require.LessOrEqual(t, st.Start, st.End)
		require.LessOrEqual(t, int(st.End), len(src))
		require.LessOrEqual(t, st.Head, st.Start)
		for _, r := range st.Parts {
			require.LessOrEqual(t, r.Start, r.End)
			require.LessOrEqual(t, int(r.End), len(src))
		}
		last = st.Start
		if st.Kind == index.Assertion {
			compared[st.Range] = true
		}
	}
	for _, m := range s.Marks(name) {
		if m.Kind == index.MarkAssertion && m.Form != "output" {
			assert.True(t, compared[index.Range{Start: uint32(m.Span.Start), End: uint32(m.Span.End)}], "%s:%d: %q is marked as an assertion, and nothing says what it compares", name, m.Span.Line, m.Text)
		}
	}
}

// Statements writes statements one a line: the 1-based line, the kind, name, form
// and value, the condition behind "?" and the parts between "|".
func Statements(src []byte, statements []index.Statement) string {
	var b strings.Builder
	text := func(r index.Range) string {
		const most = 60
		s := strings.Join(strings.Fields(string(src[r.Start:r.End])), " ")
		if len(s) > most {
			s = s[:most] + "…"
		}
		return s
	}
	for _, st := range statements {
		fmt.Fprintf(&b, "%d %s", 1+strings.Count(string(src[:st.Start]), "\n"), st.Kind)
		if st.Name != "" {
			b.WriteString(" " + st.Name)
		}
		if st.Form != "" {
			b.WriteString(" (" + st.Form + ")")
		}
		switch st.Kind {
		case index.Assertion, index.Branch:
			if st.Condition.End > st.Condition.Start {
				b.WriteString(" ? " + text(st.Condition))
			}
			for _, r := range st.Parts {
				b.WriteString(" | " + text(r))
			}
		case index.Tolerance:
			fmt.Fprintf(&b, " %g", st.Value)
		default:
			b.WriteString(": " + text(st.Range))
		}
		b.WriteString("\n")
	}
	return b.String()
}
