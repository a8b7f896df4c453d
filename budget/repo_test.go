package budget_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func archive(t testing.TB, name string) indextest.Files {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	files := make(indextest.Files)
	for _, f := range txtar.Parse(data).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func snapshot(t testing.TB, files indextest.Files) *index.Snapshot {
	t.Helper()
	return indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{golang.Language()}}, files, nil)
}

var refundTask = task.Task{ID: "T-1", Requirement: "Make `Service.RefundOrder` refund a part of what was paid.",

	Capabilities: []task.Capability{{ID: "R-1", Sentence: "A part of what was paid is refunded.", Symbols: []string{"refund.Service.RefundOrder", "pay.Gateway.Refund"}}}}

func collect(t testing.TB, q *budget.LayeredQuota, s *index.Snapshot, tk task.Task, total int) *budget.Context {
	t.Helper()
	c, err := q.Collect(context.Background(), budget.Input{Task: tk, Snapshot: s, Total: total})
	require.NoError(t, err)
	return c
}

// layered collects with a total below that of the whole repository.
const layered = 1600

func symbols(items []budget.Item) []string {
	var out []string
	for _, it := range items {
		name, _, _ := strings.Cut(it.Symbol, "@")
		out = append(out, strings.TrimPrefix(name, "example.com/shop/"))
	}
	return out
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}
