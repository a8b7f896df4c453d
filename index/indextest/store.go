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
	c := storeCase{open: open, Store: open()}
	t.Run("what is not there is no error", func(t *testing.T) {
		data, err := c.Get(t.Context(), storeKey(1))
		assert.NoError(t, err)
		assert.Nil(t, data)
	})
	t.Run("what was put comes back", c.comesBack)
	t.Run("another one finds it", c.isFound)
	t.Run("bytes that were handed out stay", c.stays)
	t.Run("several at once", c.atOnce)
}

// A storeCase is a Store that keeps values, and a way to another one.
type storeCase struct {
	index.Store
	open func() index.Store
}

const storedValues = 300

func storeKey(n int) string { return fmt.Sprintf("%064x", n) }

func storeValue(n int) []byte {
	return []byte(strings.Repeat(fmt.Sprint("value ", n, ";"), 1+n%300))
}

func flush(t *testing.T, s index.Store) {
	if f, ok := s.(interface{ Flush(context.Context) error }); ok {
		require.NoError(t, f.Flush(t.Context()))
	}
}

// holds checks that s has the values of the first n keys.
func holds(t *testing.T, s index.Store, n int, key func(n int) string) {
	for i := range n {
		data, err := s.Get(t.Context(), key(i))
		require.NoError(t, err)
		assert.Equal(t, string(storeValue(i)), string(data))
	}
}

func (c storeCase) comesBack(t *testing.T) {
	for n := range storedValues {
		data := storeValue(n)
		require.NoError(t, c.Put(t.Context(), storeKey(n), data))
		clear(data) // the store has no hold on it
	}
	holds(t, c.Store, storedValues, storeKey)
}

func (c storeCase) isFound(t *testing.T) {
	flush(t, c.Store)
	holds(t, c.open(), storedValues, storeKey)
}

func (c storeCase) stays(t *testing.T) {
	data, err := c.Get(t.Context(), storeKey(7))
	require.NoError(t, err)
	for n := storedValues; n < storedValues+100; n++ {
		require.NoError(t, c.Put(t.Context(), storeKey(n), storeValue(n)))
	}
	flush(t, c.Store)
	assert.Equal(t, string(storeValue(7)), string(data))
}

func (c storeCase) atOnce(t *testing.T) {
	ctx := t.Context()
	key := func(n int) string { return storeKey(1000 + n) }
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			mine := c.open()
			for n := range 100 {
				v := (n + g) % 110
				assert.NoError(t, mine.Put(ctx, key(v), storeValue(v)))
				data, err := mine.Get(ctx, key(v))
				assert.NoError(t, err)
				assert.Equal(t, string(storeValue(v)), string(data))
			}
			if f, ok := mine.(interface{ Flush(context.Context) error }); ok {
				assert.NoError(t, f.Flush(ctx))
			}
		})
	}
	group.Wait()
	holds(t, c.open(), 107, key)
}
