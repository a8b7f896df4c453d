package python

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A reader extracts files, one after the other.
type reader struct {
	lang   *index.Language
	syntax *syntax.Language
	parser *syntax.Parser
}

func newReader(t testing.TB) *reader {
	lang := Language()
	l, err := syntax.NewLanguage(lang.Name, lang.Grammar, lang.Query)
	require.NoError(t, err)
	p := syntax.NewParser()
	t.Cleanup(p.Close)
	return &reader{lang, l, p}
}

func (r *reader) facts(t testing.TB, path string, src []byte) *index.Facts {
	tree, err := r.parser.Parse(context.Background(), r.syntax, src)
	require.NoError(t, err, path)
	f := &index.Facts{Path: path, Language: "python", Size: len(src)}
	for line := 1; line <= tree.Lines(); line++ {
		f.LineStarts = append(f.LineStarts, tree.LineStart(line))
	}
	require.NoError(t, r.lang.Extract(tree, f), path)
	return f
}
