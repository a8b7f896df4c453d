package langtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// A LinkCase is one archive of testdata/link: what it says first, a repository,
// and under want/ what linking finds in it. want/sites lists the sites on lines
// that end in the Kit's Marker, or all if there is no such line; want/relations
// the relations and want/packages the packages and dependencies. Each is checked
// if it is there.
type LinkCase struct {
	Name     string
	Files    indextest.Files
	Universe index.Universe
	kit      Kit
	archive  *txtar.Archive
}

// EachLinkCase runs f on every case of testdata/link.
func (k Kit) EachLinkCase(t *testing.T, f func(t *testing.T, c *LinkCase)) {
	eachArchive(t, "link", func(t *testing.T, file string, archive *txtar.Archive) {
		c := k.universe(t, archive)
		c.Name = strings.TrimSuffix(path.Base(file), ".txtar")
		f(t, c)
	})
}

func (k Kit) universe(t *testing.T, archive *txtar.Archive) *LinkCase {
	c := &LinkCase{kit: k, archive: archive, Files: indextest.Files{}}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			c.Files[f.Name] = string(f.Data)
		}
	}
	r := NewReader(t, k.Language)
	for _, name := range c.Files.Sorted() {
		data := []byte(c.Files[name])
		if slices.Contains(k.Language.Manifests, path.Base(name)) {
			c.Universe.Manifests = append(c.Universe.Manifests, index.Manifest{Path: name, Data: data})
		}
		if slices.Contains(k.Language.Extensions, path.Ext(name)) {
			c.Universe.Files = append(c.Universe.Files, r.Facts(t, name, data))
		}
	}
	c.Universe.Load = func(i int) *index.Facts { return c.Universe.Files[i] }
	c.Universe.Head = func(i int) *index.Facts { return packedHead(c.Universe.Files[i]) }
	c.Universe.Has = func(file string) bool {
		for p := range c.Files {
			if p == file || strings.HasPrefix(p, file+"/") {
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

// Linker returns a new Linker of the case's files.
func (c *LinkCase) Linker(t *testing.T) index.Linker {
	l, err := c.kit.Language.Link(context.Background(), c.Universe)
	require.NoError(t, err)
	return l
}

func (c *LinkCase) link(t *testing.T) {
	l := c.Linker(t)
	parts := map[string]func(*testing.T, index.Linker) string{"want/sites": c.sites, "want/relations": c.relations, "want/packages": c.packages}
	checked := 0
	for i := range c.archive.Files {
		f := &c.archive.Files[i]
		part, ok := parts[f.Name]
		if !ok {
			continue
		}
		checked++
		if os.Getenv("UPDATE_GOLDEN") != "" {
			f.Data = []byte(part(t, l))
			continue
		}
		assert.Equal(t, string(f.Data), part(t, l), f.Name)
	}
	require.Positive(t, checked, "the case checks nothing")
}

func (k Kit) link(t *testing.T) {
	k.EachLinkCase(t, func(t *testing.T, c *LinkCase) { c.link(t) })
}

func lineOf(f *index.Facts, at uint32) int {
	return sort.Search(len(f.LineStarts), func(i int) bool { return f.LineStarts[i] > at })
}

func place(f *index.Facts, at uint32) string {
	line := lineOf(f, at)
	return fmt.Sprintf("%s:%d:%d", f.Path, line, at-f.LineStarts[line-1]+1)
}

func (c *LinkCase) target(t index.Target) string {
	f := c.Universe.Files[t.File]
	return place(f, f.Defs[t.Def].Ident.Start)
}

func (c *LinkCase) resolution(r index.Resolution) string {
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

func (c *LinkCase) sites(t *testing.T, l index.Linker) string {
	var b strings.Builder
	marked := false
	for _, f := range c.Universe.Files {
		marked = marked || strings.Contains(c.Files[f.Path], c.kit.Marker)
	}
	for i, f := range c.Universe.Files {
		res, err := l.Resolve(context.Background(), i)
		require.NoError(t, err)
		require.Len(t, res, len(f.Sites))
		lines := strings.Split(c.Files[f.Path], "\n")
		for n, s := range f.Sites {
			if !marked || strings.HasSuffix(lines[lineOf(f, s.Start)-1], c.kit.Marker) {
				fmt.Fprintf(&b, "%s %s %s\n", place(f, s.Start), f.Names[s.Name], c.resolution(res[n]))
			}
		}
	}
	return b.String()
}

func (c *LinkCase) relations(t *testing.T, l index.Linker) string {
	rs, err := l.Relations(context.Background())
	require.NoError(t, err)
	var lines []string
	for _, r := range rs {
		kind := map[index.RelationKind]string{index.Implements: "implements", index.Embeds: "embeds", index.Extends: "extends",
			index.Overrides: "overrides"}[r.Kind]
		if !r.Sure {
			kind = "perhaps " + kind
		}
		line := fmt.Sprintf("%s %s %s\n", c.target(r.From), kind, c.target(r.To))
		if name := c.kit.Notation.Name; name != nil {
			line = fmt.Sprintf("%s %s %s %s %s\n", name(c.Universe.Files[r.From.File], r.From.Def), kind, name(c.Universe.Files[r.To.File], r.To.Def),
				c.target(r.From), c.target(r.To))
		}
		lines = append(lines, line)
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

func (c *LinkCase) packages(_ *testing.T, l index.Linker) string {
	var b strings.Builder
	for i, f := range c.Universe.Files {
		var deps []string
		for _, d := range l.Deps(i) {
			if d != i {
				deps = append(deps, c.Universe.Files[d].Path)
			}
		}
		fmt.Fprintf(&b, "%s %s [%s]\n", f.Path, l.Package(i), strings.Join(deps, " "))
	}
	return b.String()
}

// order asks in other orders, and all at once: the answers stay.
func (k Kit) order(t *testing.T) {
	k.EachLinkCase(t, func(t *testing.T, c *LinkCase) {
		want := c.sites(t, c.Linker(t))
		for seed := range uint64(3) {
			l := c.Linker(t)
			if seed == 0 {
				_, err := l.Relations(context.Background())
				require.NoError(t, err)
			}
			var g errgroup.Group
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(c.Universe.Files)) {
				g.Go(func() error {
					_, err := l.Resolve(context.Background(), i)
					return err
				})
			}
			require.NoError(t, g.Wait())
			assert.Equal(t, want, c.sites(t, l))
		}
	})
}

// canceled links with a context that has ended.
func (k Kit) canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k.EachLinkCase(t, func(t *testing.T, c *LinkCase) {
		file := slices.IndexFunc(c.Universe.Files, func(f *index.Facts) bool { return len(f.Sites) > 0 })
		if file < 0 {
			return
		}
		_, err := k.Language.Link(ctx, c.Universe)
		require.ErrorIs(t, err, context.Canceled)
		l := c.Linker(t)
		_, err = l.Resolve(ctx, file)
		require.ErrorIs(t, err, context.Canceled)
		_, err = l.Relations(ctx)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// damagedFacts links damaged facts, as from a broken file or a corrupt store:
// they cost at most answers.
func (k Kit) damagedFacts(t *testing.T) {
	k.EachLinkCase(t, func(t *testing.T, c *LinkCase) {
		rng := rand.New(rand.NewPCG(7, 7))
		for range 20 {
			u := c.Universe
			u.Files = slices.Clone(u.Files)
			for i, f := range u.Files {
				u.Files[i] = damage(f, rng)
			}
			u.Head = func(i int) *index.Facts { return u.Files[i] }
			u.Load = u.Head
			l, err := k.Language.Link(context.Background(), u)
			require.NoError(t, err)
			for i := range u.Files {
				_, err := l.Resolve(context.Background(), i)
				require.NoError(t, err)
			}
			_, err = l.Relations(context.Background())
			require.NoError(t, err)
		}
	})
}

// damage returns a copy in which some expressions are others and refer to others.
func damage(f *index.Facts, rng *rand.Rand) *index.Facts {
	damaged := *f
	damaged.Exprs = slices.Clone(f.Exprs)
	for range 5 {
		if len(damaged.Exprs) > 0 {
			x := &damaged.Exprs[rng.IntN(len(damaged.Exprs))]
			*x = f.Exprs[rng.IntN(len(f.Exprs))]
			x.A, x.B = int32(rng.IntN(len(f.Exprs)+2))-1, int32(rng.IntN(len(f.Exprs)+2))-1
		}
	}
	return &damaged
}
