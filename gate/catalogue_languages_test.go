package gate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// A shop is the base tree of one language's catalogue.
type shop struct {
	dir      string
	base     tree
	snapshot func() (*index.Snapshot, error)
}

func openShop(t testing.TB, dir string, languages ...*index.Language) *shop {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", dir, "base.txtar"))
	require.NoError(t, err)
	s := &shop{dir: dir, base: tree{}}
	fs := fstest.MapFS{}
	for _, f := range a.Files {
		s.base[f.Name] = string(f.Data)
		fs[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	s.snapshot = sync.OnceValues(func() (*index.Snapshot, error) {
		return (&index.TreeSitter{Languages: languages}).Index(context.Background(), index.Input{FS: fs})
	})
	return s
}

// A chapter is one file of a catalogue: cases of one kind. Each file in it is
// named "case verb path", with the verbs of catalogued.apply, or "case want".
type chapter struct {
	file    string
	archive *txtar.Archive
	cases   []string
}

func (s *shop) chapters(t testing.TB, kind string) []*chapter {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", s.dir, kind, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []*chapter
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		c := &chapter{file: file, archive: a}
		for _, f := range a.Files {
			if name, _, _ := strings.Cut(f.Name, " "); !slices.Contains(c.cases, name) {
				c.cases = append(c.cases, name)
			}
		}
		out = append(out, c)
	}
	return out
}

// load reads one case of a chapter.
func (s *shop) load(t testing.TB, c *chapter, name string) *catalogued {
	t.Helper()
	out := &catalogued{archive: c.archive, before: tree{}, after: tree{}, moved: map[string]string{}}
	for p, data := range s.base {
		out.before[p] = data
	}
	each := func(do func(verb, path, data string)) {
		for _, f := range c.archive.Files {
			if rest, ok := strings.CutPrefix(f.Name, name+" "); ok {
				verb, path, _ := strings.Cut(rest, " ")
				do(verb, path, string(f.Data))
			}
		}
	}
	each(func(verb, path, data string) {
		if verb == "base" {
			out.before[path] = data
		}
	})
	for p, data := range out.before {
		out.after[p] = data
	}
	each(func(verb, path, data string) { out.apply(t, verb, path, data) })
	return out
}

func (s *shop) decide(t testing.TB, c *catalogued) *Decision {
	t.Helper()
	before, err := s.snapshot()
	require.NoError(t, err)
	in := c.inputOn(t, before, false)
	d, err := (&Rules{}).Decide(context.Background(), in)
	require.NoError(t, err)
	return d
}

// weakened runs the cases that have to be found, and says how many there are.
func (s *shop) weakened(t *testing.T) { s.weakenedAtLeast(t, 150) }

func (s *shop) weakenedAtLeast(t *testing.T, least int) {
	total := 0
	for _, c := range s.chapters(t, "weaken") {
		for _, name := range c.cases {
			total++
			t.Run(name, func(t *testing.T) {
				d := s.decide(t, s.load(t, c, name))
				assert.Equal(t, Blocked, d.Verdict)
				i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name+" want" })
				require.GreaterOrEqual(t, i, 0, "the case says what is to be found")
				if got := blocking(d); os.Getenv("UPDATE_GOLDEN") == "1" && got != "" {
					c.archive.Files[i].Data = []byte(got)
				} else {
					assert.Equal(t, string(c.archive.Files[i].Data), got)
				}
			})
		}
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			require.NoError(t, os.WriteFile(c.file, txtar.Format(c.archive), 0o644))
		}
	}
	t.Logf("%s: %d weakenings", s.dir, total)
	assert.GreaterOrEqual(t, total, least)
}

// harmless runs the cases that have to pass.
func (s *shop) harmless(t *testing.T) { s.harmlessAtLeast(t, 30) }

func (s *shop) harmlessAtLeast(t *testing.T, least int) {
	total := 0
	for _, c := range s.chapters(t, "harmless") {
		for _, name := range c.cases {
			total++
			t.Run(name, func(t *testing.T) {
				d := s.decide(t, s.load(t, c, name))
				assert.Equal(t, Allowed, d.Verdict, "%s\n%s", d.Why, reasons(d))
			})
		}
	}
	t.Logf("%s: %d ordinary changes", s.dir, total)
	assert.GreaterOrEqual(t, total, least)
}

func reasons(d *Decision) string {
	var b strings.Builder
	for _, f := range d.Findings {
		if f.Blocks {
			b.WriteString(f.Rule + " " + f.Before.String() + " " + f.After.String() + " " + f.Reason + " " + strings.Join(f.Missing, "; ") + "\n")
		}
	}
	return b.String()
}

// covers: GAT-8, GAT-9, GAT-12, ACC-7
func TestPythonCatalogue(t *testing.T) {
	s := openShop(t, "python", python.Language())
	t.Run("weakened", s.weakened)
	t.Run("harmless", s.harmless)
}

// covers: GAT-8, GAT-9, GAT-12, ACC-7
func TestTypeScriptCatalogue(t *testing.T) {
	s := openShop(t, "typescript", typescript.Language(), typescript.TSX(), javascript.Language())
	t.Run("weakened", s.weakened)
	t.Run("harmless", s.harmless)
}

// covers: GAT-8, GAT-9, GAT-12, ACC-7
func TestJavaScriptCatalogue(t *testing.T) {
	s := openShop(t, "javascript", typescript.Language(), typescript.TSX(), javascript.Language())
	t.Run("weakened", func(t *testing.T) { s.weakenedAtLeast(t, 40) })
	t.Run("harmless", func(t *testing.T) { s.harmlessAtLeast(t, 20) })
}
