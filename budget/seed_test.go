package budget_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/budget/budgettest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
)

// covers: BUD-2
func TestSeedsKeepWhyAndConfidence(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	cases := map[string]struct {
		text, symbol, confidence string
	}{
		"identifier":  {"RefundOrder is slow", "refund.Service.RefundOrder", "high"},
		"dotted":      {"Wallet.Refund is slow", "pay.Wallet.Refund", "high"},
		"place":       {"panic at pay/gateway.go:30", "pay.Card.Refund", "high"},
		"trace":       {"goroutine 1 [running]:\n\t/home/me/shop/web/server.go:14 +0x1d", "web.Server.postRefund", "high"},
		"message":     {`it answers "payment declined by provider"`, "web.Server.postRefund", "medium"},
		"route":       {"POST /orders/{id}/refund is slow", "web.Server.postRefund", "medium"},
		"key":         {"the key `refund.window` is read twice", "refund.Service.RefundOrder", "medium"},
		"phrase":      {"the post refund handler", "web.Server.postRefund", "medium"},
		"plain word":  {"receipts have to be signed", "pay.Receipt", "low"},
		"test":        {"TestRefundOrder is flaky", "refund.TestRefundOrder", "high"},
		"file":        {"look into notify/a.go", "notify.Mail", "medium"},
		"description": {"records of parcels that are found", "audit.Log.ParcelFound", "low"},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			c := collect(t, &budget.LayeredQuota{}, s, task.Task{Requirement: x.text}, 3000)
			var got []string
			for _, seed := range c.Seeds {
				id, _, _ := strings.Cut(strings.TrimPrefix(seed.Symbol, "example.com/shop/"), "@")
				got = append(got, id+" "+seed.Confidence)
				assert.NotEmpty(t, seed.Why)
				assert.NotEmpty(t, seed.Anchor)
			}
			assert.Contains(t, got, x.symbol+" "+x.confidence)
		})
	}
}

// covers: BUD-2
func TestSeveralDefinitionsAreNeverChosenAmong(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	c := collect(t, &budget.LayeredQuota{}, s, task.Task{Requirement: "Call `Notify` from RefundOrder."}, layered)
	require.Len(t, c.Ambiguities, 1)
	a := c.Ambiguities[0]
	assert.Equal(t, "Notify", a.Anchor)
	assert.Equal(t, budget.AskBeforeEdit, a.Action)
	assert.Len(t, a.Candidates, 2)
	assert.Contains(t, a.Reason, "2 definitions")
	for _, seed := range c.Seeds {
		assert.NotContains(t, seed.Symbol, "Notify")
	}
	assert.Contains(t, c.Text(), "ask before edit")

	// A contract and all that implements it are one thing: the contract is taken.
	c = collect(t, &budget.LayeredQuota{}, s, task.Task{Requirement: "Change `Refund`."}, layered)
	require.NotEmpty(t, c.Seeds)
	assert.Equal(t, "example.com/shop/pay.Gateway.Refund@pay/gateway.go", c.Seeds[0].Symbol)
	assert.Contains(t, c.Seeds[0].Why, "contract of all 3 definitions")

	// The configuration can forbid a choice.
	config := budget.Standard()
	config.Ambiguities = []budget.AmbiguityConfig{{Symbol: "RefundOrder", Reason: "ask first"}}
	c = collect(t, &budget.LayeredQuota{Config: &config}, s, task.Task{Requirement: "`RefundOrder` of a `Card`"}, layered)
	assert.Equal(t, budget.Ambiguity{Anchor: "RefundOrder", Candidates: []string{"example.com/shop/refund.Service.RefundOrder@refund/service.go"}, Reason: "ask first", Action: budget.AskBeforeEdit}, c.Ambiguities[0])
	for _, seed := range c.Seeds {
		assert.NotContains(t, seed.Symbol, "RefundOrder")
	}
}

// covers: BUD-2
func TestNoSeedIsAnAnswerWithNearNames(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	_, err := (&budget.LayeredQuota{}).Collect(context.Background(), budget.Input{Task: task.Task{Requirement: "Call `RefudOrdr`."}, Snapshot: s})
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Empty(t, faulttest.Check(err))
	var f *fault.Fault
	require.ErrorAs(t, err, &f)
	assert.Contains(t, f.Candidates, fault.Subject{Symbol: "example.com/shop/refund.Service.RefundOrder"})
}

// covers: BUD-3
func TestSpreadIsBoundedAndScored(t *testing.T) {
	files := archive(t, "shop.txtar")
	var chain strings.Builder
	chain.WriteString("package chain\n\n// T0 is a link.\ntype T0 struct{ next *T1 }\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&chain, "\n// T%d is a link.\ntype T%d struct{ next *T%d }\n", i, i, i+1)
	}
	chain.WriteString("\n// T9 is the last.\ntype T9 struct{}\n\n// Start begins.\nfunc Start(t *T0) { one() }\n\nfunc one() { two() }\n\nfunc two() { three() }\n\nfunc three() {}\n")
	files["chain/chain.go"] = chain.String()
	s := snapshot(t, files)
	tk := task.Task{Requirement: "`chain.Start`"}
	in := func(q *budget.LayeredQuota, l budget.Layer) []string {
		return symbols(budgettest.InLayer(collect(t, q, s, tk, 900), l))
	}
	assert.ElementsMatch(t, []string{"chain.T0", "chain.T1", "chain.T2"}, in(&budget.LayeredQuota{}, budget.Contracts), "three hops upward")
	assert.ElementsMatch(t, []string{"chain.T0"}, in(&budget.LayeredQuota{Spread: budget.Spread{Contracts: 1}}, budget.Contracts))
	assert.ElementsMatch(t, []string{"chain.Start", "chain.one"}, in(&budget.LayeredQuota{}, budget.Definitions), "one hop to helpers")
	assert.ElementsMatch(t, []string{"chain.Start", "chain.one", "chain.two"}, in(&budget.LayeredQuota{Spread: budget.Spread{Helpers: 2}}, budget.Definitions))
	c := collect(t, &budget.LayeredQuota{Spread: budget.Spread{Candidates: 5}}, s, tk, 900)
	assert.LessOrEqual(t, c.Candidates, 8, "symbols, and what is no symbol")
}
