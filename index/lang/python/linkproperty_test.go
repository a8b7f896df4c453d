package python

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// Answers do not depend on what was asked before.
//
// covers: IDX-21
func TestLinkOrderDoesNotMatter(t *testing.T) {
	eachLinkCase(t, func(t *testing.T, _ string, c *linkCase) {
		want := c.linker(t)
		var all [][]index.Resolution
		for i := range c.u.Files {
			res, err := want.Resolve(context.Background(), i)
			require.NoError(t, err)
			all = append(all, res)
		}
		l := c.linker(t)
		_, err := l.Relations(context.Background())
		require.NoError(t, err)
		for i := len(c.u.Files) - 1; i >= 0; i-- {
			got, err := l.Resolve(context.Background(), i)
			require.NoError(t, err)
			assert.Equal(t, all[i], got, c.u.Files[i].Path)
		}
	})
}

// covers: ARC-6
func TestLinkStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	u := index.Universe{Files: []*index.Facts{newReader(t).facts(t, "a.py", []byte("def f(): g()\ndef g(): pass\n"))}}
	u.Head = func(i int) *index.Facts { return u.Files[i] }
	u.Load = u.Head
	u.Has = func(string) bool { return false }
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
