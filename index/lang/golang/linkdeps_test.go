package golang

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

// A file's answers rest on what its Deps reach and on nothing else: taking the
// definitions of all other files away changes none of them.
//
// covers: IDX-21
func TestLinkDepsAreSound(t *testing.T) {
	kit().EachLinkCase(t, func(t *testing.T, c *langtest.LinkCase) {
		l := c.Linker(t)
		for i := range c.Universe.Files {
			reach := closure(l, i)
			u := c.Universe
			u.Head = func(f int) *index.Facts {
				if reach[f] {
					return c.Universe.Head(f)
				}
				bare := *c.Universe.Files[f]
				bare.Defs = nil
				return &bare
			}
			want, err := l.Resolve(context.Background(), i)
			require.NoError(t, err)
			alone, err := link(context.Background(), u)
			require.NoError(t, err)
			got, err := alone.Resolve(context.Background(), i)
			require.NoError(t, err)
			assert.Equal(t, want, got, c.Universe.Files[i].Path)
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
