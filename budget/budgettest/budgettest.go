// Package budgettest is the conformance suite of budget.Collector.
package budgettest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A Suite says what to collect from.
type Suite struct {
	Collector budget.Collector
	Snapshot  *index.Snapshot
	// Task names symbols of the Snapshot; Total holds a good part of what it reaches.
	Task  task.Task
	Total int
	// Counter is the one that the Collector counts with.
	Counter budget.Counter
}

// Run checks what Collector promises, one subtest for each promise.
func Run(t *testing.T, s Suite) {
	t.Run("never exceeds the total", s.total)
	t.Run("gives the same context twice", s.deterministic)
	t.Run("accounts for everything", s.accounts)
	t.Run("round-trips as JSON", s.json)
	t.Run("answers a task without anchors", s.noSeed)
	t.Run("refuses wrong input", s.refuses)
	t.Run("stops when canceled", s.cancels)
}

func (s Suite) collect(t *testing.T, total int) *budget.Context {
	t.Helper()
	c, err := s.Collector.Collect(context.Background(), budget.Input{Task: s.Task, Snapshot: s.Snapshot, Total: total})
	require.NoError(t, err)
	return c
}

func (s Suite) total(t *testing.T) {
	held := 0
	for total := s.Total; total > 10; total = total * 4 / 5 {
		c, err := s.Collector.Collect(context.Background(), budget.Input{Task: s.Task, Snapshot: s.Snapshot, Total: total})
		if err != nil {
			require.ErrorIs(t, err, fault.BudgetExceeded, "total %d", total)
			assert.Empty(t, faulttest.Check(err))
			continue
		}
		held++
		assert.Equal(t, total, c.Total)
		assert.Equal(t, s.Counter.Count(c.Text()), c.Used, "what Used says is what Text holds")
		assert.LessOrEqual(t, c.Used, total)
	}
	assert.Positive(t, held, "no total at all held the task")
}

func (s Suite) deterministic(t *testing.T) {
	first, second := s.collect(t, s.Total), s.collect(t, s.Total)
	assert.Equal(t, first.Text(), second.Text())
	assert.Equal(t, first, second)
}

func (s Suite) accounts(t *testing.T) {
	c := s.collect(t, s.Total*2/3)
	seen := make(map[string]bool)
	for _, it := range c.Items {
		assert.Contains(t, budget.Layers(), it.Layer)
		assert.NotEmpty(t, it.Why, it.Symbol)
		assert.Positive(t, it.Tokens)
		assert.Equal(t, it.Omitted == 0, it.Complete, "%s: complete means that nothing is missing", it.Symbol)
		if it.Omitted > 0 {
			assert.Contains(t, it.Text, "omitted")
		}
		if f, ok := s.Snapshot.File(it.Span.File); ok && it.Span.Hash != "" {
			assert.Equal(t, f.Hash, it.Span.Hash, "an item is a receipt")
		}
		if it.Symbol != "" && it.Layer != budget.CallSites {
			assert.False(t, seen[it.Symbol], "%s stands in two layers", it.Symbol)
			seen[it.Symbol] = true
		}
	}
	for _, d := range c.Dropped {
		assert.NotEmpty(t, d.Why)
		assert.NotEmpty(t, d.File)
		if d.Tokens > 0 && d.Layer != budget.CallSites && d.Symbol != "" {
			assert.False(t, seen[d.Symbol], "%s is in and dropped", d.Symbol)
		}
	}
	for _, u := range c.Layers {
		items, dropped, used := 0, 0, 0
		for _, it := range c.Items {
			if it.Layer == u.Layer {
				items++
				used += it.Tokens
			}
		}
		for _, d := range c.Dropped {
			if d.Layer == u.Layer {
				dropped++
			}
		}
		assert.Equal(t, []int{items, dropped, used}, []int{u.Items, u.Dropped, u.Used}, "layer %s", u.Layer)
	}
}

func (s Suite) json(t *testing.T) {
	c := s.collect(t, s.Total)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(data), `{"schema":1,`), "the schema stands first")
	var back budget.Context
	require.NoError(t, json.Unmarshal(data, &back))
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
	assert.Equal(t, c.Text(), back.Text(), "the text follows from the document alone")
}

func (s Suite) noSeed(t *testing.T) {
	_, err := s.Collector.Collect(context.Background(), budget.Input{Task: task.Task{Requirement: "Zzyzx qwrtz xqzv."}, Snapshot: s.Snapshot, Total: s.Total})
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Empty(t, faulttest.Check(err))
}

func (s Suite) refuses(t *testing.T) {
	for name, in := range map[string]budget.Input{
		"no snapshot":    {Task: s.Task, Total: s.Total},
		"no task":        {Snapshot: s.Snapshot, Total: s.Total},
		"negative total": {Task: s.Task, Snapshot: s.Snapshot, Total: -1},
	} {
		_, err := s.Collector.Collect(context.Background(), in)
		require.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
}

func (s Suite) cancels(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Collector.Collect(ctx, budget.Input{Task: s.Task, Snapshot: s.Snapshot, Total: s.Total})
	require.ErrorIs(t, err, fault.Canceled)
}

// InLayer returns the items of a layer, in order.
func InLayer(c *budget.Context, l budget.Layer) []budget.Item {
	return slices.DeleteFunc(slices.Clone(c.Items), func(it budget.Item) bool { return it.Layer != l })
}
