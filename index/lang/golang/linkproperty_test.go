package golang

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/plumbkit/plumb/index"
)

// covers: IDX-21, REL-3
func TestLinkOrderDoesNotMatter(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, _ string, c *linkCase) {
		want := c.sites(t, c.linker(t))
		for seed := range uint64(3) {
			l := c.linker(t)
			order := rand.New(rand.NewPCG(seed, 1)).Perm(len(c.u.Files))
			var g errgroup.Group
			for _, i := range order {
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

// A file's answers rest on what its Deps reach and on nothing else: taking the
// definitions of all other files away changes none of them.
//
// covers: IDX-21
func TestLinkDepsAreSound(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, _ string, c *linkCase) {
		l := c.linker(t)
		for i := range c.u.Files {
			reach := closure(l, i)
			u := c.u
			u.Head = func(f int) *index.Facts {
				if reach[f] {
					return c.u.Head(f)
				}
				bare := *c.u.Files[f]
				bare.Defs = nil
				return &bare
			}
			want, err := l.Resolve(context.Background(), i)
			require.NoError(t, err)
			alone, err := link(context.Background(), u)
			require.NoError(t, err)
			got, err := alone.Resolve(context.Background(), i)
			require.NoError(t, err)
			assert.Equal(t, want, got, c.u.Files[i].Path)
		}
	})
}

func closure(l index.Linker, file int) map[int]bool {
	reach := map[int]bool{}
	for todo := []int{file}; len(todo) > 0; todo = todo[1:] {
		if !reach[todo[0]] {
			reach[todo[0]] = true
			todo = append(todo, l.Deps(todo[0])...)
		}
	}
	return reach
}

// covers: ARC-6
func TestLinkStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src := []byte("package a\n\nfunc f() { g() }\nfunc g() {}\n")
	u := index.Universe{Files: []*index.Facts{newReader(t).facts(t, "a.go", src)}}
	u.Head = func(i int) *index.Facts { return u.Files[i] }
	u.Load = u.Head
	_, err := link(ctx, u)
	require.ErrorIs(t, err, context.Canceled)
	l, err := link(context.Background(), u)
	require.NoError(t, err)
	_, err = l.Resolve(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
	_, err = l.Relations(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// Damaged facts, as from a broken file or a corrupt store, cost at most answers.
//
// covers: IDX-4
func TestLinkSurvivesDamage(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, _ string, c *linkCase) {
		rng := rand.New(rand.NewPCG(7, 7))
		for range 20 {
			u := c.u
			u.Files = slices.Clone(c.u.Files)
			for i, f := range u.Files {
				damaged := *f
				damaged.Exprs = slices.Clone(f.Exprs)
				for range 5 {
					if len(damaged.Exprs) > 0 {
						x := &damaged.Exprs[rng.IntN(len(damaged.Exprs))]
						*x = f.Exprs[rng.IntN(len(f.Exprs))]
						x.A, x.B = int32(rng.IntN(len(f.Exprs)+2))-1, int32(rng.IntN(len(f.Exprs)+2))-1
					}
				}
				u.Files[i] = &damaged
			}
			u.Head = func(i int) *index.Facts { return u.Files[i] }
			u.Load = u.Head
			l, err := link(context.Background(), u)
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
