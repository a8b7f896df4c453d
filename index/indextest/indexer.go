package indextest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// Indexer holds an Indexer to its contract on the given repository, which the
// Indexer's languages must be able to read, and on states made from it.
func Indexer(t *testing.T, ix index.Indexer, files Files) {
	t.Run("describes exactly what it read", func(t *testing.T) { describes(t, ix, files) })
	t.Run("is deterministic", func(t *testing.T) {
		Same(t, Index(t, ix, files, nil), Index(t, ix, files, nil), "two builds of one state")
	})
	t.Run("incremental equals full", func(t *testing.T) { Incremental(t, ix, files, 20, 1) })
	t.Run("snapshots are consistent", func(t *testing.T) { Snapshot(t, Index(t, ix, files, nil)) })
	t.Run("snapshots do not change", func(t *testing.T) { immutable(t, ix, files) })
	t.Run("faults", func(t *testing.T) { faults(t, ix, files) })
	t.Run("no goroutine is left", func(t *testing.T) { noLeak(t, ix, files) })
}

func describes(t *testing.T, ix index.Indexer, files Files) {
	s := Index(t, ix, files, nil)
	var got []string
	for _, f := range s.Files() {
		got = append(got, f.Path)
		assert.Equal(t, index.ContentHash([]byte(files[f.Path])), f.Hash, f.Path)
		assert.Equal(t, len(files[f.Path]), f.Size, f.Path)
		data, err := s.Source(f.Path)
		require.NoError(t, err)
		assert.Equal(t, files[f.Path], string(data))
	}
	assert.Equal(t, files.Sorted(), got)
	drift, err := s.Drift(context.Background())
	require.NoError(t, err)
	assert.Empty(t, drift)
}

// immutable reads a snapshot from many goroutines while overlays of it are made.
func immutable(t *testing.T, ix index.Indexer, files Files) {
	s := Index(t, ix, files, nil)
	before, facts := Dump(s), s.Facts()
	m := NewMutator(files, 7)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for sym := range s.Symbols() {
				s.References(sym.ID, 5)
				s.Definitions(sym.Name)
			}
		})
	}
	for range 5 {
		next := m.Next(files)
		_, err := s.Overlay(context.Background(), next.Overlay(files))
		require.NoError(t, err)
	}
	group.Wait()
	assert.Equal(t, before, Dump(s))
	assert.Equal(t, facts, s.Facts())
}

func faults(t *testing.T, ix index.Indexer, files Files) {
	_, err := ix.Index(context.Background(), index.Input{})
	assert.ErrorIs(t, err, fault.InvalidInput, "no file system")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = ix.Index(ctx, index.Input{FS: files.FS()})
	assert.ErrorIs(t, err, fault.Canceled)
	var f *fault.Fault
	if assert.True(t, errors.As(err, &f)) {
		assert.NotEmpty(t, f.Next)
	}
	_, err = Index(t, ix, files, nil).Source("no/such/file")
	assert.ErrorIs(t, err, fault.InvalidInput)
}

func noLeak(t *testing.T, ix index.Indexer, files Files) {
	before := runtime.NumGoroutine()
	for i := range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*200*time.Microsecond)
		_, _ = ix.Index(ctx, index.Input{FS: files.FS()})
		cancel()
	}
	for deadline := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// Incremental drives random edits, creations, deletions and renames, and
// compares the updated snapshot and the overlay with a build from nothing
// after each.
func Incremental(t *testing.T, ix index.Indexer, files Files, steps int, seed uint64) {
	m := NewMutator(files, seed)
	state := files
	updated := Index(t, ix, state, nil)
	overlay := updated
	for range steps {
		next := m.Next(state)
		full := Index(t, ix, next, nil)
		updated = Index(t, ix, next, updated)
		Same(t, full, updated, "updated: "+m.Did)
		var err error
		overlay, err = overlay.Overlay(context.Background(), next.Overlay(state))
		require.NoError(t, err)
		Same(t, full, overlay, "overlay: "+m.Did)
		state = next
	}
}
