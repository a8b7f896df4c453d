package budget_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/budget/budgettest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// covers: BUD-11, BUD-13, BUD-16
func TestConformance(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	for _, counter := range []budget.Counter{budget.Estimate{}, budget.O200K(), budget.CL100K()} {
		t.Run(fmt.Sprintf("%T", counter), func(t *testing.T) {
			budgettest.Run(t, budgettest.Suite{Collector: &budget.LayeredQuota{Counter: counter}, Snapshot: s, Task: refundTask, Total: layered, Counter: counter})
		})
	}
	t.Run("func", func(t *testing.T) {
		budgettest.Run(t, budgettest.Suite{Collector: budget.Func((&budget.LayeredQuota{}).Collect), Snapshot: s, Task: refundTask, Total: layered, Counter: budget.Estimate{}})
	})
}

// covers: BUD-4
func TestLayers(t *testing.T) {
	config := budget.Refactoring()
	c := collect(t, &budget.LayeredQuota{Config: &config}, snapshot(t, archive(t, "shop.txtar")), refundTask, layered+200)
	require.False(t, c.Whole)
	in := func(l budget.Layer) []string { return symbols(budgettest.InLayer(c, l)) }
	assert.Subset(t, in(budget.Definitions), []string{"refund.Service.RefundOrder", "pay.Gateway.Refund", "config.Get"})
	assert.Subset(t, in(budget.Contracts), []string{"pay.Gateway", "pay.Receipt", "pay.Cents", "refund.Service", "audit.Log"})
	assert.Subset(t, in(budget.CallSites), []string{"web.Server.postRefund"})
	assert.Subset(t, in(budget.Tests), []string{"refund.TestRefundOrder"})
	assert.NotEmpty(t, in(budget.Signatures))
	for _, it := range budgettest.InLayer(c, budget.Definitions) {
		if strings.HasPrefix(it.Symbol, "example.com/shop/refund.Service.RefundOrder@") {
			assert.ElementsMatch(t, []string{"postRefund: web/server.go:17", "TestRefundOrder: refund/service_test.go:9"}, it.Callers)
			assert.True(t, it.Complete)
			assert.Equal(t, budget.Whole, it.Form)
			assert.Contains(t, it.Text, "// RefundOrder gives back", "the doc comment comes along")
		}
	}
}

// covers: BUD-10
func TestTwoStages(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	q := &budget.LayeredQuota{Outline: true}
	first := collect(t, q, s, refundTask, layered)
	for _, it := range first.Items {
		assert.Equal(t, budget.Signatures, it.Layer, "the first stage is an outline")
	}
	assert.Less(t, first.Used, layered*3/4)

	second, err := (&budget.LayeredQuota{}).Collect(context.Background(), budget.Input{Task: refundTask, Snapshot: s, Total: layered,
		Want: []string{"pay.Card.Refund", "clean", "Card.Refnd"}, First: first})
	require.NoError(t, err)
	require.Len(t, second.Requests, 3)
	assert.Equal(t, budget.Request{Name: "pay.Card.Refund", Got: "example.com/shop/pay.Card.Refund@pay/gateway.go"}, second.Requests[0])
	assert.Empty(t, second.Requests[1].Got, "two functions bear the name")
	assert.ElementsMatch(t, []string{"example.com/shop/pay.clean", "example.com/shop/refund.clean"}, second.Requests[1].Near)
	assert.Contains(t, second.Requests[2].Near, "example.com/shop/pay.Gateway.Refund")
	assert.Equal(t, "example.com/shop/pay.Card.Refund@pay/gateway.go", second.Seeds[0].Symbol, "what was asked for comes first")
	assert.Contains(t, symbols(budgettest.InLayer(second, budget.Definitions)), "pay.Card.Refund")

	third, err := (&budget.LayeredQuota{}).Collect(context.Background(), budget.Input{Task: refundTask, Snapshot: s, Total: layered, Want: []string{"pay.Wallet"}, First: second})
	require.NoError(t, err)
	assert.Len(t, third.Requests, 4, "all stages stay in the record")
}

// covers: BUD-11
func TestExceeded(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	c := collect(t, &budget.LayeredQuota{}, s, refundTask, 1100)
	err := c.Exceeded()
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Empty(t, faulttest.Check(err))
	assert.Contains(t, err.Error(), "signatures: ")
	assert.Contains(t, err.Error(), fmt.Sprintf("raise the total to %d tokens", c.Smallest))

	enough := collect(t, &budget.LayeredQuota{}, s, refundTask, c.Smallest)
	require.NoError(t, enough.Exceeded(), "the smallest total holds everything")
	if !enough.Whole {
		short := collect(t, &budget.LayeredQuota{}, s, refundTask, c.Smallest-25)
		assert.Error(t, short.Exceeded(), "a smaller one does not")
	}
	_, err = (&budget.LayeredQuota{Strict: true}).Collect(context.Background(), budget.Input{Task: refundTask, Snapshot: s, Total: 1100})
	require.ErrorIs(t, err, fault.BudgetExceeded)

	_, err = (&budget.LayeredQuota{}).Collect(context.Background(), budget.Input{Task: refundTask, Snapshot: s, Total: 60})
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Empty(t, faulttest.Check(err))
	assert.Contains(t, err.Error(), "definitions: ")
}

// covers: BUD-5, BUD-11
func TestQuotaFlowsOnAndIsNeverExceeded(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		config := budget.Standard()
		left := 100
		for i, l := range budget.Layers() {
			n := random.IntN(left + 1)
			if i == 5 {
				n = left
			}
			config.Shares[l] = float64(n) / 100
			left -= n
		}
		total := 500 + random.IntN(1500)
		c, err := (&budget.LayeredQuota{Config: &config}).Collect(context.Background(), budget.Input{Task: refundTask, Snapshot: s, Total: total})
		if err != nil {
			require.ErrorIs(t, err, fault.BudgetExceeded)
			continue
		}
		assert.LessOrEqual(t, c.Used, total)
		if len(c.Dropped) > 3 && !c.Whole {
			least := 1 << 30
			for _, d := range c.Dropped {
				if d.Tokens > 0 {
					least = min(least, d.Tokens)
				}
			}
			assert.Less(t, total-c.Used, least+60, "quota that one layer does not need is used by others")
		}
	}
}

// covers: BUD-12
func TestConfigurationAndHistory(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	var asked []string
	history := budget.HistoryFunc(func(_ context.Context, files []string, n int) ([]budget.Commit, error) {
		asked = append(asked, files...)
		assert.Equal(t, 5, n)
		return []budget.Commit{{Hash: "abc1234", Date: "2024-03-19", Subject: "pay: give money back"}}, nil
	})
	c := collect(t, &budget.LayeredQuota{History: history}, s, refundTask, layered)
	text := ""
	for _, it := range budgettest.InLayer(c, budget.ConfigHistory) {
		text += it.Text + "\n--\n"
	}
	assert.Contains(t, text, "refund.window: 30", "a key that a seed reads")
	assert.NotContains(t, text, "port: 8080", "and no more of the file")
	assert.Contains(t, text, "require example.com/ledger v1.2.3", "dependency declarations")
	assert.Contains(t, text, "abc1234 2024-03-19 pay: give money back")
	assert.Contains(t, text, "Money goes back through `Gateway.Refund`", "a document that names a seed")
	assert.ElementsMatch(t, []string{"refund/service.go", "pay/gateway.go"}, asked)
}

// covers: BUD-13
func TestLedgerAndTextComeFromTheSameFacts(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	c := collect(t, &budget.LayeredQuota{}, s, refundTask, 1100)
	data, err := json.MarshalIndent(c, "", "  ")
	require.NoError(t, err)
	golden(t, "context.json", string(data)+"\n")
	golden(t, "context.md", c.Text())
	ledger := c.Ledger()
	golden(t, "ledger.txt", ledger)
	for _, it := range c.Items {
		assert.Contains(t, ledger, fmt.Sprintf("%s, %s, %d tokens", it.Layer, it.Form, it.Tokens))
		assert.Contains(t, c.Text(), it.Text)
	}
	for _, d := range c.Dropped {
		assert.Contains(t, ledger, d.Why)
	}
}

// What a Context holds goes to a model.
//
// covers: BUD-14, SEC-3
func TestFilesThatHoldSecretsStayOut(t *testing.T) {
	files := archive(t, "shop.txtar")
	files[".env"] = "REFUND_TOKEN=tiny\n"
	files["deploy/server.key"] = "-----BEGIN PRIVATE KEY-----\n"
	files[".env.example"] = "REFUND_TOKEN=\n"
	s := snapshot(t, files)
	c := collect(t, &budget.LayeredQuota{}, s, refundTask, 20_000)
	require.True(t, c.Whole)
	assert.NotContains(t, c.Text(), "tiny")
	assert.NotContains(t, c.Text(), "PRIVATE KEY")
	assert.Contains(t, c.Text(), ".env.example")
	var held []string
	for _, d := range c.Dropped {
		held = append(held, d.File)
	}
	assert.ElementsMatch(t, []string{".env", "deploy/server.key"}, held, "and it is said")
	assert.NotContains(t, collect(t, &budget.LayeredQuota{}, s, refundTask, layered).Text(), "tiny")
}

// covers: BUD-14
func TestASmallRepositoryGoesInAsAWhole(t *testing.T) {
	files := archive(t, "shop.txtar")
	s := snapshot(t, files)
	c := collect(t, &budget.LayeredQuota{}, s, refundTask, 20_000)
	assert.True(t, c.Whole)
	assert.Len(t, c.Items, len(files))
	assert.Contains(t, c.Ledger(), "went in as a whole")
	assert.Contains(t, c.Text(), "stands here as a whole")
	assert.Contains(t, []string{"refund/service.go", "pay/gateway.go"}, c.Items[0].Span.File, "files with seeds first")
	for _, it := range c.Items {
		assert.Equal(t, strings.TrimRight(files[it.Span.File], "\n"), it.Text)
	}
	assert.False(t, collect(t, &budget.LayeredQuota{}, s, refundTask, layered).Whole)
}
