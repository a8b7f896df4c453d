package gate

import (
	"context"
	"fmt"
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

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
)

// tree is a small repository: content by path.
type tree map[string]string

// A catalogued change is a base tree and what happens to it.
type catalogued struct {
	archive *txtar.Archive
	before  tree
	after   tree
	moved   map[string]string // new path to old
	plan    *changeset.Plan
}

// load reads a case: files of the base tree are replaced ("base"), changed
// ("replace", with the old and the new text around ====), written, deleted or moved.
func load(t testing.TB, file string) *catalogued {
	t.Helper()
	baseTree, err := txtar.ParseFile("testdata/base.txtar")
	require.NoError(t, err)
	c := &catalogued{before: tree{}, after: tree{}, moved: map[string]string{}}
	for _, f := range baseTree.Files {
		c.before[f.Name] = string(f.Data)
	}
	c.archive, err = txtar.ParseFile(file)
	require.NoError(t, err)
	each := func(do func(verb, path, data string)) {
		for _, f := range c.archive.Files {
			verb, path, _ := strings.Cut(f.Name, " ")
			do(verb, path, string(f.Data))
		}
	}
	each(func(verb, path, data string) {
		if verb == "base" {
			c.before[path] = data
		}
	})
	for p, data := range c.before {
		c.after[p] = data
	}
	each(func(verb, path, data string) { c.apply(t, verb, path, data) })
	return c
}

func (c *catalogued) apply(t testing.TB, verb, path, data string) {
	t.Helper()
	switch verb {
	case "replace":
		old, now, ok := strings.Cut("\n"+data, "\n====\n")
		require.True(t, ok, "no ==== in the replacement of %s", path)
		old = strings.TrimPrefix(old, "\n")
		if strings.Contains(data, "\n====\n") {
			now = strings.TrimSuffix(now, "\n")
		}
		require.Equal(t, 1, strings.Count(c.after[path], old), "%q in %s", old, path)
		if now == "" {
			old += "\n"
		}
		c.after[path] = strings.Replace(c.after[path], old, now, 1)
	case "write":
		c.after[path] = data
	case "delete":
		require.Contains(t, c.after, path)
		delete(c.after, path)
	case "move":
		to := strings.TrimSpace(data)
		c.after[to] = c.after[path]
		delete(c.after, path)
		c.moved[to] = path
	case "justify":
		parts := strings.SplitN(strings.TrimSpace(data), " ", 2)
		c.plan = &changeset.Plan{Justifications: []task.Justification{{Rule: parts[0], File: path, Reason: parts[1]}}}
	}
}

// set is the change as a Set; a moved file is a deleted and a created one where
// disguised.
func (c *catalogued) set(base string, disguised bool) *patch.Set {
	s := &patch.Set{Schema: 1, Base: base}
	gone := map[string]bool{}
	for to, from := range c.moved {
		if !disguised {
			gone[to], gone[from] = true, true
			s.Files = append(s.Files, patch.File{Path: to, From: from, Op: patch.Renamed, Old: []byte(c.before[from]), New: []byte(c.after[to]), OldMode: 0o644, NewMode: 0o644})
		}
	}
	for p, old := range c.before {
		now, ok := c.after[p]
		switch {
		case gone[p] || ok && now == old:
		case !ok:
			s.Files = append(s.Files, patch.File{Path: p, Op: patch.Deleted, Old: []byte(old), OldMode: 0o644})
		default:
			s.Files = append(s.Files, patch.File{Path: p, Op: patch.Modified, Old: []byte(old), New: []byte(now), OldMode: 0o644, NewMode: 0o644})
		}
	}
	for p, now := range c.after {
		if _, ok := c.before[p]; !ok && !gone[p] {
			s.Files = append(s.Files, patch.File{Path: p, Op: patch.Created, New: []byte(now), NewMode: 0o644})
		}
	}
	slices.SortFunc(s.Files, func(a, b patch.File) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// baseSnapshot is the index of the base tree, made once: what a case has beside
// it is an overlay.
var baseSnapshot = sync.OnceValues(func() (*index.Snapshot, error) {
	a, err := txtar.ParseFile("testdata/base.txtar")
	if err != nil {
		return nil, err
	}
	fs := fstest.MapFS{}
	for _, f := range a.Files {
		fs[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	x := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	return x.Index(context.Background(), index.Input{FS: fs})
})

func (c *catalogued) input(t testing.TB, disguised bool) Input {
	before, err := baseSnapshot()
	require.NoError(t, err)
	return c.inputOn(t, before, disguised)
}

func (c *catalogued) inputOn(t testing.TB, before *index.Snapshot, disguised bool) Input {
	var err error
	more := map[string][]byte{}
	for p, data := range c.before {
		if info, ok := before.File(p); !ok || info.Hash != index.ContentHash([]byte(data)) {
			more[p] = []byte(data)
		}
	}
	if len(more) > 0 {
		before, err = before.Overlay(context.Background(), more)
		require.NoError(t, err)
	}
	set := c.set(before.Digest(), disguised)
	after, err := before.Overlay(context.Background(), set.Overlay())
	require.NoError(t, err)
	return Input{Before: before, After: after, Set: set, Plan: c.plan}
}

// blocking renders what keeps the change out, one finding a line: its rule and
// its places before and after.
func blocking(d *Decision) string {
	var lines []string
	for _, f := range d.Findings {
		if !f.Blocks {
			continue
		}
		place := func(s index.Span) string {
			if s.File == "" {
				return "-"
			}
			return fmt.Sprintf("%s:%d", s.File, s.Line)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Rule, place(f.Before), place(f.After)))
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func (c *catalogued) want() *txtar.File {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == "want" {
			return &c.archive.Files[i]
		}
	}
	return nil
}

// covers: GAT-1, GAT-7, GAT-8, GAT-9, GAT-12, ACC-7, STY-10
func TestCatalogueOfDangerousChanges(t *testing.T) {
	files, err := filepath.Glob("testdata/weaken/*.txtar")
	require.NoError(t, err)
	more, err := filepath.Glob("testdata/danger/*.txtar")
	require.NoError(t, err)
	dangerous := 0
	for _, file := range append(files, more...) {
		dangerous++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := load(t, file)
			in := c.input(t, false)
			d, err := (&Rules{}).Decide(context.Background(), in)
			require.NoError(t, err)
			assert.Equal(t, Blocked, d.Verdict)
			got := blocking(d)
			want := c.want()
			require.NotNil(t, want)
			if os.Getenv("UPDATE_GOLDEN") == "1" && got != "" {
				want.Data = []byte(got)
				require.NoError(t, os.WriteFile(file, txtar.Format(c.archive), 0o644))
			}
			lines := strings.Split(strings.TrimSpace(string(want.Data)), "\n")
			slices.Sort(lines)
			assert.Equal(t, strings.Join(lines, "\n")+"\n", got)
			for _, f := range d.Findings {
				assert.NotEmpty(t, f.Reason)
				assert.NotEmpty(t, f.Alternative)
				assert.NotEmpty(t, f.Fingerprint)
			}
		})
	}
	assert.GreaterOrEqual(t, dangerous, 60)
}

// covers: ACC-7
func TestOrdinaryChangesAreNotFlagged(t *testing.T) {
	files, err := filepath.Glob("testdata/harmless/*.txtar")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(files), 25)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := load(t, file)
			d, err := (&Rules{}).Decide(context.Background(), c.input(t, false))
			require.NoError(t, err)
			assert.Equal(t, Allowed, d.Verdict, "%s\n%s", d.Why, blocking(d))
			assert.Empty(t, blocking(d))
		})
	}
}
