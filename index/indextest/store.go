package indextest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// Store holds a Store to its contract. open returns a Store; all that it returns
// within one call of Store share what they keep, as those of several processes do.
func Store(t *testing.T, open func() index.Store) {
	ctx := context.Background()
	key := func(n int) string { return fmt.Sprintf("%064x", n) }
	value := func(n int) []byte { return []byte(strings.Repeat(fmt.Sprint("value ", n, ";"), 1+n%300)) }
	flush := func(s index.Store) {
		if f, ok := s.(interface{ Flush(context.Context) error }); ok {
			require.NoError(t, f.Flush(ctx))
		}
	}
	s := open()
	t.Run("what is not there is no error", func(t *testing.T) {
		data, err := s.Get(ctx, key(1))
		assert.NoError(t, err)
		assert.Nil(t, data)
	})
	t.Run("what was put comes back", func(t *testing.T) {
		for n := range 300 {
			data := value(n)
			require.NoError(t, s.Put(ctx, key(n), data))
			clear(data) // the store has no hold on it
		}
		for n := range 300 {
			data, err := s.Get(ctx, key(n))
			require.NoError(t, err)
			assert.Equal(t, string(value(n)), string(data))
		}
	})
	t.Run("another one finds it", func(t *testing.T) {
		flush(s)
		other := open()
		for n := range 300 {
			data, err := other.Get(ctx, key(n))
			require.NoError(t, err)
			assert.Equal(t, string(value(n)), string(data))
		}
	})
	t.Run("bytes that were handed out stay", func(t *testing.T) {
		data, err := s.Get(ctx, key(7))
		require.NoError(t, err)
		for n := 300; n < 400; n++ {
			require.NoError(t, s.Put(ctx, key(n), value(n)))
		}
		flush(s)
		assert.Equal(t, string(value(7)), string(data))
	})
	t.Run("several at once", func(t *testing.T) {
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				mine := open()
				for n := range 100 {
					assert.NoError(t, mine.Put(ctx, key(1000+(n+g)%110), value((n+g)%110)))
					data, err := mine.Get(ctx, key(1000+(n+g)%110))
					assert.NoError(t, err)
					assert.Equal(t, string(value((n+g)%110)), string(data))
				}
				flush(mine)
			})
		}
		group.Wait()
		after := open()
		for n := range 107 {
			data, err := after.Get(ctx, key(1000+n))
			require.NoError(t, err)
			assert.Equal(t, string(value(n)), string(data))
		}
	})
}
