// Package langtest holds the tests that every language passes: what is extracted
// and linked in the cases of its testdata, whatever bytes there are, in whatever
// order. A language brings a Kit and its txtar cases.
package langtest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A Kit is what the tests have to know of a language.
type Kit struct {
	Language *index.Language
	// Operands are those of the operations that Extract writes.
	Operands extract.Operands
	Notation Notation
	// Marker ends the lines whose sites want/sites of a link case lists, as "//?".
	Marker string
	// TestFile and File are paths of a file with tests and of another one.
	TestFile, File string
	// Damaged matches the cases whose sources are cut to pieces, below testdata.
	Damaged string
	// Step is how many bytes lie between two cuts.
	Step int
}

// Test holds the language to its cases of testdata/extract and testdata/link, and
// to what must hold of any source.
func (k Kit) Test(t *testing.T) {
	t.Run("extract", k.extract)
	t.Run("damaged", k.damaged)
	t.Run("pure", k.pure)
	t.Run("link", k.link)
	t.Run("order", k.order)
	t.Run("canceled", k.canceled)
	t.Run("damaged facts", k.damagedFacts)
}

// A Reader extracts files, one after the other.
type Reader struct {
	lang   *index.Language
	syntax *syntax.Language
	parser *syntax.Parser
}

// NewReader returns a Reader that lives as long as the test.
func NewReader(t testing.TB, lang *index.Language) *Reader {
	l, err := syntax.NewLanguage(lang.Name, lang.Grammar, lang.Query)
	require.NoError(t, err)
	p := syntax.NewParser()
	t.Cleanup(p.Close)
	return &Reader{lang, l, p}
}

// Facts extracts one file.
func (r *Reader) Facts(t testing.TB, path string, src []byte) *index.Facts {
	tree, err := r.parser.Parse(context.Background(), r.syntax, src)
	require.NoError(t, err, path)
	f := &index.Facts{Path: path, Language: r.lang.Name, Size: len(src)}
	for line := 1; line <= tree.Lines(); line++ {
		f.LineStarts = append(f.LineStarts, tree.LineStart(line))
	}
	require.NoError(t, r.lang.Extract(tree, f), path)
	return f
}

// Symbol returns the first definition of name in a file, the zero value where
// there is none. Its ID is the name.
func (r *Reader) Symbol(t testing.TB, path, src, name string) index.Symbol {
	f := r.Facts(t, path, []byte(src))
	f.SetText([]byte(src))
	for i, d := range f.Defs {
		if f.Names[d.Name] != name || d.Kind == index.KindPackage {
			continue
		}
		s := index.Symbol{ID: name, Name: name, Kind: d.Kind, Fingerprint: strconv.FormatUint(d.Fingerprint, 16)}
		s.Signature = index.Signature{Text: f.Text[f.Texts[2*i]:f.Texts[2*i+1]], Params: f.Params[d.P0:d.P1],
			Results: f.Params[d.P1:d.P2], TypeParams: f.Params[d.P2:d.P3]}
		if d.Owner >= 0 {
			s.Signature.Receiver = f.Names[d.Owner]
			if d.Flags&index.DefPointer != 0 {
				s.Signature.Receiver = "*" + s.Signature.Receiver
			}
		}
		return s
	}
	return index.Symbol{}
}

// Use returns the last use of name in a file, which has one.
func (r *Reader) Use(t testing.TB, path, src, name string) index.Ref {
	f := r.Facts(t, path, []byte(src))
	for _, s := range slices.Backward(f.Sites) {
		if f.Names[s.Name] != name {
			continue
		}
		ref := index.Ref{Name: name, Kind: s.Kind}
		if s.Call >= 0 {
			ref.Args = &f.Calls[s.Call]
		}
		return ref
	}
	require.Fail(t, "no use of "+name, src)
	return index.Ref{}
}

// Words are the texts of the tokens of src with a space between them.
func Words(lang *index.Language, src string) string {
	var all []string
	for _, t := range lang.Tokens([]byte(src)) {
		all = append(all, t.Text)
	}
	return strings.Join(all, " ")
}

// eachArchive runs f on every txtar archive of a folder of testdata.
func eachArchive(t *testing.T, folder string, f func(t *testing.T, path string, archive *txtar.Archive)) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			f(t, path, archive)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
			}
		})
	}
}

// Sources returns the language's files in the cases that glob matches below
// testdata.
func (k Kit) Sources(t testing.TB, glob string) (all [][]byte) {
	cases, err := filepath.Glob(filepath.Join("testdata", glob))
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, path := range cases {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, f := range archive.Files {
			if !strings.HasPrefix(f.Name, "want/") && slices.Contains(k.Language.Extensions, filepath.Ext(f.Name)) {
				all = append(all, f.Data)
			}
		}
	}
	return all
}
