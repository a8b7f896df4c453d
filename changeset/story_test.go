package changeset_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/changeset/changesettest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// story is the repository and the task of the story, as plain files.
func story(t testing.TB) testCase {
	t.Helper()
	root := filepath.Join("..", "examples", "refund", "testdata")
	files := make(indextest.Files)
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "repo"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(filepath.Join(root, "repo"), path)
		files[strings.TrimSuffix(filepath.ToSlash(rel), ".in")] = string(data)
		return err
	}))
	data, err := os.ReadFile(filepath.Join(root, "edits", "task.yaml"))
	require.NoError(t, err)
	tk, err := task.Read(data)
	require.NoError(t, err)
	return testCase{task: tk, snap: indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{golang.Language()}}, files, nil)}
}

// covers: STY-2, STY-4
func TestStoryPlan(t *testing.T) {
	c := story(t)
	c.task.Answers = nil
	p, err := c.plan(t, &changeset.Derived{})
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Equal(t, []string{"backoffice/refunds.go", "order/status.go", "payment/gateway.go", "payment/providers.go", "refund/service.go"}, p.Targets())

	require.Len(t, p.Questions, 2)
	assert.Equal(t, changeset.Smaller, p.Questions[0].Kind)
	assert.Contains(t, p.Questions[0].Text, "idempotency")
	assert.Contains(t, strings.Join(p.Questions[0].Evidence, "\n"), "repeated with its key")
	assert.Equal(t, changeset.Uncovered, p.Questions[1].Kind)
	assert.Contains(t, p.Questions[1].Text, "order.transitions")

	c.task.Answers = []task.Answer{{Question: "Q-1", Option: 1}, {Question: "Q-2", Option: 1}}
	p, err = c.plan(t, &changeset.Derived{})
	require.NoError(t, err)
	assert.Equal(t, []string{"The same request sent twice takes effect once."}, p.Capabilities[0].Constraints, "absorbed by the first point, not a sixth")
	assert.Len(t, p.Capabilities, 5)
	pinned := false
	for _, a := range p.Actions {
		assert.NotEmpty(t, a.Why)
		assert.NotEmpty(t, a.Grade)
		pinned = pinned || a.Kind == changeset.AddTest && a.Block == "order" && strings.Contains(a.Why, "transitions")
	}
	assert.True(t, pinned, "a test of the state machine is added because of the answer")

	blocks := make(map[string][]string)
	for _, a := range p.Actions {
		if (a.Kind == changeset.Define || a.Kind == changeset.Sync) && a.Grade == changeset.High {
			blocks[a.Block] = append(blocks[a.Block], strings.TrimPrefix(short(a.Symbol), "example.com/shop/"))
			assert.Equal(t, a.Block == "calls of Gateway.Refund", a.Weak, a.Symbol)
		}
	}
	assert.Equal(t, map[string][]string{
		"Gateway.Refund":          {"payment.Gateway.Refund", "payment.Card.Refund", "payment.Wallet.Refund"},
		"calls of Gateway.Refund": {"backoffice.Server.postRefund", "refund.Service.Refund"},
		"order":                   {"order.Status", "order.transitions"},
	}, blocks, "interface with implementations, two call sites, state enumeration")

	assert.Equal(t, []string{"order/status_string.go"}, p.WriteSet().Outputs)
	low := ""
	for _, a := range p.Actions {
		if a.Grade == changeset.Low {
			low += a.Symbol + "\n"
		}
	}
	for _, name := range []string{"postMenu", "postBatch"} {
		assert.Contains(t, low, name, "reached by name, to be confirmed")
	}
	for _, a := range p.Actions {
		for _, name := range []string{"giveBack", "Desk.Refund", "audit.", "permission."} {
			assert.NotContains(t, a.Symbol, name, "stays compatible")
		}
	}
}

func TestStoryConformance(t *testing.T) {
	c := story(t)
	changesettest.Run(t, changesettest.Suite{Planner: changeset.Func((&changeset.Derived{}).Plan), Input: changeset.Input{Task: c.task, Snapshot: c.snap}})
}

// BenchmarkPlan measures PRF-6's plan on the story's repository.
func BenchmarkPlan(b *testing.B) {
	c := story(b)
	for b.Loop() {
		if _, err := c.plan(b, &changeset.Derived{}); onlyQuestions(err) != nil {
			b.Fatal(err)
		}
	}
}
