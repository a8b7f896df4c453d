package python

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// A linkCase is one archive of testdata/link: what it says first, a repository,
// and under want/ what linking finds in it. want/sites lists the sites on lines
// that end in "#?", or all if there is no such line; want/relations the
// relations and want/packages the module names and dependencies. Each is
// checked if it is there.
type linkCase struct {
	archive *txtar.Archive
	files   indextest.Files
	u       index.Universe
	src     map[string][]byte
}

func readLinkCase(t *testing.T, archive *txtar.Archive) *linkCase {
	c := &linkCase{archive: archive, src: map[string][]byte{}, files: indextest.Files{}}
	r := newReader(t)
	files := slices.Clone(archive.Files)
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	for _, f := range files {
		if strings.HasPrefix(f.Name, "want/") {
			continue
		}
		c.files[f.Name] = string(f.Data)
		if slices.Contains(r.lang.Manifests, filepath.Base(f.Name)) {
			c.u.Manifests = append(c.u.Manifests, index.Manifest{Path: f.Name, Data: f.Data})
		}
		if slices.Contains(r.lang.Extensions, filepath.Ext(f.Name)) {
			c.src[f.Name] = f.Data
			c.u.Files = append(c.u.Files, r.facts(t, f.Name, f.Data))
		}
	}
	c.u.Load = func(i int) *index.Facts { return c.u.Files[i] }
	c.u.Head = func(i int) *index.Facts { return packedHead(c.u.Files[i]) }
	c.u.Has = func(path string) bool {
		for p := range c.files {
			if p == path || strings.HasPrefix(p, path+"/") {
				return true
			}
		}
		return false
	}
	return c
}

// packedHead returns what a snapshot may hand out as a file's head.
func packedHead(f *index.Facts) *index.Facts {
	h := &index.Facts{Path: f.Path, Language: f.Language, Module: f.Module, Constraint: f.Constraint, Imports: f.Imports,
		Names: f.Names, Defs: f.Defs, Params: f.Params, Exprs: f.Exprs, Lists: f.Lists, Locals: f.Locals}
	if f.HeadExprs+f.HeadLists+f.HeadLocals > 0 {
		h.Exprs, h.Lists, h.Locals = f.Exprs[:f.HeadExprs], f.Lists[:f.HeadLists], f.Locals[:f.HeadLocals]
	}
	return h
}

func (c *linkCase) linker(t *testing.T) index.Linker {
	l, err := link(context.Background(), c.u)
	require.NoError(t, err)
	return l
}

func (c *linkCase) place(f *index.Facts, at uint32) string {
	line := sort.Search(len(f.LineStarts), func(i int) bool { return f.LineStarts[i] > at })
	return fmt.Sprintf("%s:%d:%d", f.Path, line, at-f.LineStarts[line-1]+1)
}

func (c *linkCase) target(t index.Target) string {
	f := c.u.Files[t.File]
	return c.place(f, f.Defs[t.Def].Ident.Start)
}

func (c *linkCase) resolution(r index.Resolution) string {
	if r.Drop {
		return "dropped"
	}
	status := []string{"unresolved", "static", "ambiguous", "dynamic", "external"}[r.Status]
	out := []string{status, r.Rule}
	if r.Module != "" {
		out = append(out, r.Module)
	}
	if r.ByName && r.Any {
		out = append(out, "by any name")
	} else if r.ByName {
		out = append(out, "by name")
	}
	for _, t := range r.Targets {
		out = append(out, c.target(t))
	}
	if r.Reason != "" {
		out = append(out, "("+r.Reason+")")
	}
	return strings.Join(out, " ")
}

func (c *linkCase) sites(t *testing.T, l index.Linker) string {
	var b strings.Builder
	marked := false
	for _, src := range c.src {
		marked = marked || strings.Contains(string(src), "#?")
	}
	for i, f := range c.u.Files {
		res, err := l.Resolve(context.Background(), i)
		require.NoError(t, err)
		require.Len(t, res, len(f.Sites))
		lines := strings.Split(string(c.src[f.Path]), "\n")
		for n, s := range f.Sites {
			line := sort.Search(len(f.LineStarts), func(i int) bool { return f.LineStarts[i] > s.Start })
			if !marked || strings.HasSuffix(lines[line-1], "#?") {
				fmt.Fprintf(&b, "%s %s %s\n", c.place(f, s.Start), f.Names[s.Name], c.resolution(res[n]))
			}
		}
	}
	return b.String()
}

func (c *linkCase) relations(t *testing.T, l index.Linker) string {
	rs, err := l.Relations(context.Background())
	require.NoError(t, err)
	var lines []string
	for _, r := range rs {
		kind := map[index.RelationKind]string{index.Implements: "implements", index.Extends: "extends", index.Overrides: "overrides"}[r.Kind]
		if !r.Sure {
			kind = "perhaps " + kind
		}
		lines = append(lines, fmt.Sprintf("%s %s %s\n", c.target(r.From), kind, c.target(r.To)))
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

func (c *linkCase) packages(_ *testing.T, l index.Linker) string {
	var b strings.Builder
	for i, f := range c.u.Files {
		var deps []string
		for _, d := range l.Deps(i) {
			if d != i {
				deps = append(deps, c.u.Files[d].Path)
			}
		}
		fmt.Fprintf(&b, "%s %s [%s]\n", f.Path, l.Package(i), strings.Join(deps, " "))
	}
	return b.String()
}

// eachLinkCase runs f on every archive of testdata/link.
func eachLinkCase(t *testing.T, f func(t *testing.T, path string, c *linkCase)) {
	paths, err := filepath.Glob("testdata/link/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			f(t, path, readLinkCase(t, archive))
		})
	}
}

// covers: IDX-7, IDX-8, IDX-10, IDX-11, IDX-12, IDX-13, ACC-8
func TestLink(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, path string, c *linkCase) {
		l := c.linker(t)
		checked := 0
		for i := range c.archive.Files {
			f := &c.archive.Files[i]
			var got string
			switch f.Name {
			case "want/sites":
				got = c.sites(t, l)
			case "want/relations":
				got = c.relations(t, l)
			case "want/packages":
				got = c.packages(t, l)
			default:
				continue
			}
			checked++
			if os.Getenv("UPDATE_GOLDEN") != "" {
				f.Data = []byte(got)
				continue
			}
			assert.Equal(t, string(f.Data), got, f.Name)
		}
		require.Positive(t, checked, "the case checks nothing")
		if os.Getenv("UPDATE_GOLDEN") != "" {
			require.NoError(t, os.WriteFile(path, txtar.Format(c.archive), 0o644))
		}
	})
}

// TestLanguage holds the language to the contract of index on the repositories
// of the link cases, all in one.
//
// covers: IDX-21, ARC-3
func TestLanguage(t *testing.T) {
	files := indextest.Files{}
	eachLinkCase(t, func(_ *testing.T, path string, c *linkCase) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for p, data := range c.files {
			files[name+"/"+p] = data
		}
	})
	indextest.Language(t, Language(), files)
}

// TestIncrementalOnEachCase drives random edits through each small repository,
// where a forgotten dependency shows sooner.
//
// covers: IDX-21
func TestIncrementalOnEachCase(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, _ string, c *linkCase) {
		ix := &index.TreeSitter{Languages: []*index.Language{Language()}}
		indextest.Incremental(t, ix, c.files, 12, 3)
	})
}
