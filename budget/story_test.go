package budget_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/budget/budgettest"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index/indextest"
)

// shop is the repository of the story, as plain files.
func shop(t testing.TB) indextest.Files {
	t.Helper()
	root := filepath.Join("..", "examples", "refund", "testdata", "repo")
	files := make(indextest.Files)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files[strings.TrimSuffix(filepath.ToSlash(rel), ".in")] = string(data)
		return err
	}))
	return files
}

func storyTask(t testing.TB) task.Task {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "examples", "refund", "testdata", "edits", "task.yaml"))
	require.NoError(t, err)
	tk, err := task.Read(data)
	require.NoError(t, err)
	return tk
}

// covers: STY-3
func TestStoryContext(t *testing.T) {
	s := snapshot(t, shop(t))
	c := collect(t, &budget.LayeredQuota{}, s, storyTask(t), 16_000)
	assert.GreaterOrEqual(t, c.Candidates, 150)
	for _, u := range c.Layers {
		assert.Positive(t, u.Items, "layer %s", u.Layer)
	}
	var whole, lines []string
	for _, it := range c.Items {
		switch {
		case it.Span.File == "audit/events.go" && it.Form == budget.Whole && it.Layer == budget.Definitions:
			whole = append(whole, symbols([]budget.Item{it})[0])
		case it.Span.File == "audit/events.go" && it.Form == budget.Line:
			lines = append(lines, it.Text)
		}
	}
	assert.ElementsMatch(t, []string{"audit.Log.OrderPlaced", "audit.Log.OrderCancelled", "audit.Log.OrderRefunded"}, whole)
	require.Len(t, lines, 1, "one line names the rest")
	assert.Regexp(t, `… \d\d more members omitted: .*StaffSignedIn`, lines[0])
}

// covers: STY-2
func TestStorySeedsFindTheFullRefund(t *testing.T) {
	s := snapshot(t, shop(t))
	c := collect(t, &budget.LayeredQuota{}, s, task.Task{Requirement: storyTask(t).Requirement}, 16_000)
	var found []string
	for _, seed := range c.Seeds {
		found = append(found, seed.Symbol)
	}
	assert.Contains(t, found, "example.com/shop/refund.Service.Refund@refund/service.go", "from the paragraph alone")
}

// covers: STY-13
func TestStoryContractsShowBothKindsOfMoney(t *testing.T) {
	s := snapshot(t, shop(t))
	c := collect(t, &budget.LayeredQuota{}, s, storyTask(t), 16_000)
	assert.Subset(t, symbols(budgettest.InLayer(c, budget.Contracts)), []string{"money.Cents", "decimal.Decimal"})
}
