package verify_test

import (
	"context"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// A scenario is a repository with a change of it: the files of the archive, and
// below "after/" the files that the change writes; an empty one is deleted.
type scenario struct {
	dir           string
	before, after *index.Snapshot
	set           *patch.Set
	workspace     *patch.Workspace
}

func language() *index.Language {
	l := golang.Language()
	if l.TestFile == nil {
		l.TestFile = func(p string) bool { return strings.HasSuffix(p, "_test.go") }
	}
	if l.Format == nil {
		l.Format = format.Source
	}
	return l
}

func open(t testing.TB, archive string) *scenario {
	t.Helper()
	return unpack(t, txtar.Parse([]byte(archive)))
}

func read(t testing.TB, file string) *scenario {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	return unpack(t, ar)
}

func unpack(t testing.TB, ar *txtar.Archive) *scenario {
	t.Helper()
	s := &scenario{dir: t.TempDir()}
	after := map[string][]byte{}
	for _, f := range ar.Files {
		if name, ok := strings.CutPrefix(f.Name, "after/"); ok {
			after[name] = f.Data
			continue
		}
		path := filepath.Join(s.dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	var err error
	s.before, err = (&index.TreeSitter{Languages: []*index.Language{language()}}).Index(context.Background(), index.Input{FS: os.DirFS(s.dir)})
	require.NoError(t, err)
	s.workspace, err = patch.Open(s.dir)
	require.NoError(t, err)
	s.edit(t, after)
	return s
}

// edit makes the Set that writes the given files, and the snapshot with them.
func (s *scenario) edit(t testing.TB, after map[string][]byte) {
	t.Helper()
	// Reverse works out the hunks, so that the way back is written down.
	back := &patch.Set{Schema: patch.SetSchema}
	for name, data := range after {
		f := patch.File{Path: name, Op: patch.Modified, Old: data, OldMode: 0o644, NewMode: 0o644}
		old, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		if f.New = old; err != nil {
			f.Op = patch.Deleted
		} else if len(data) == 0 {
			f.Op, f.Old = patch.Created, nil
		}
		back.Files = append(back.Files, f)
	}
	s.set = back.Reverse()
	s.set.Base = s.before.Digest()
	var err error
	s.after, err = s.before.Overlay(t.Context(), s.set.Overlay())
	require.NoError(t, err)
}

func (s *scenario) input(layers ...verify.LayerName) verify.Input {
	return verify.Input{Before: s.before, After: s.after, Set: s.set, Workspace: s.workspace, Layers: layers}
}
