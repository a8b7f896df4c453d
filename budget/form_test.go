package budget_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/budget/budgettest"
	"github.com/plumbkit/plumb/host/task"
)

// covers: BUD-6
func TestAModuleIsFoldedToWhatConcernsTheTask(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	tk := refundTask
	tk.Requirement += " Orders leave an audit record."
	c := collect(t, &budget.LayeredQuota{}, s, tk, layered+500)
	require.False(t, c.Whole)
	var whole, folded []string
	for _, it := range c.Items {
		switch {
		case it.Span.File == "audit/log.go" && it.Form == budget.Whole && it.Layer == budget.Definitions:
			whole = append(whole, symbols([]budget.Item{it})[0])
		case it.Form == budget.Line && strings.Contains(it.Text, "more members omitted"):
			folded = append(folded, it.Text)
		}
	}
	assert.Subset(t, whole, []string{"audit.Log.OrderPlaced", "audit.Log.OrderRefunded"})
	require.Len(t, folded, 1)
	assert.Contains(t, folded[0], "11 more members omitted: UserAdded, UserRemoved,")
}

// covers: BUD-6
func TestCutsSayWhatTheyLeaveOut(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	tk := task.Task{Requirement: "`Card.Refund`, `Service.RefundOrder`, `postRefund`, `Wallet.Refund`"}
	forms := make(map[budget.Form]bool)
	marker := regexp.MustCompile(`(?m)^\s*… (\d+) lines? of .+ omitted$`)
	for total := layered; total > 300; total -= 40 {
		c, err := (&budget.LayeredQuota{}).Collect(context.Background(), budget.Input{Task: tk, Snapshot: s, Total: total})
		if err != nil {
			continue
		}
		for _, it := range c.Items {
			forms[it.Form] = true
			if it.Form == budget.Line || it.Layer == budget.ConfigHistory {
				continue
			}
			src, err := s.Source(it.Span.File)
			require.NoError(t, err)
			lines := strings.Count(strings.TrimSuffix(string(src[it.Span.Start:it.Span.End]), "\n"), "\n") + 1
			omitted := 0
			for _, m := range marker.FindAllStringSubmatch(it.Text, -1) {
				n := 0
				_, err := fmt.Sscan(m[1], &n)
				require.NoError(t, err)
				omitted += n
			}
			shown := strings.Count(it.Text, "\n") + 1 - len(marker.FindAllString(it.Text, -1))
			assert.Equal(t, it.Omitted, omitted, it.Text)
			assert.Equal(t, lines, shown+omitted, "%s %s", it.Symbol, it.Form)
		}
	}
	for _, f := range []budget.Form{budget.Whole, budget.Summary, budget.Fragment, budget.Line} {
		assert.True(t, forms[f], "no item came as %s", f)
	}
}

// covers: BUD-7
func TestTheSameContentEntersOnce(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	config := budget.Refactoring()
	config.Shares = map[budget.Layer]float64{budget.Definitions: 0.8, budget.Signatures: 0.2}
	c := collect(t, &budget.LayeredQuota{Config: &config}, s, task.Task{Requirement: "`Wallet.Refund`, `Service.RefundOrder`"}, layered+200)
	require.False(t, c.Whole)
	n := 0
	for _, it := range c.Items {
		if strings.Contains(it.Text, "// clean makes a key printable.\nfunc clean") {
			n++
			assert.Contains(t, strings.Join(it.Callers, "\n"), "same content: ")
			assert.Contains(t, strings.Join(it.Callers, "\n"), "Refund")
		}
	}
	assert.Equal(t, 1, n, "two helpers of one text: %s", c.Ledger())
	why := ""
	for _, d := range c.Dropped {
		why += d.Why
	}
	assert.Contains(t, why, "same content as")
}

// covers: BUD-8
func TestACallSiteKeepsThreeLinesAndItsReceiver(t *testing.T) {
	s := snapshot(t, archive(t, "shop.txtar"))
	c := collect(t, &budget.LayeredQuota{}, s, refundTask, layered)
	for _, it := range budgettest.InLayer(c, budget.CallSites) {
		if it.Span.File == "web/server.go" {
			assert.Equal(t, "example.com/shop/refund.Service", it.Receiver)
			assert.Equal(t, 14, it.Span.Line)
			assert.Equal(t, "\tif id == \"\" {\n\t\treturn \"no id\"\n\t}\n\tamount, err := s.refunds.RefundOrder(id, key)\n\tif err != nil {\n\t\treturn \"payment declined by provider\"\n\t}", it.Text)
			return
		}
	}
	t.Fatal("the call in web/server.go is missing")
}

// covers: BUD-9
func TestOrder(t *testing.T) {
	c := collect(t, &budget.LayeredQuota{}, snapshot(t, archive(t, "shop.txtar")), refundTask, layered)
	text := c.Text()
	at := func(s string) int {
		i := strings.Index(text, s)
		require.GreaterOrEqual(t, i, 0, s)
		return i
	}
	assert.True(t, strings.HasPrefix(text, "# Task T-1\nMake `Service.RefundOrder`"), "the task first")
	assert.True(t, strings.HasSuffix(text, "# Acceptance\n- R-1: A part of what was paid is refunded.\n"), "acceptance last")
	implementation, check := -1, -1
	for i, it := range c.Items {
		switch {
		case strings.HasPrefix(it.Symbol, "example.com/shop/refund.Service.RefundOrder@") && it.Layer == budget.Definitions:
			implementation = i
		case strings.HasPrefix(it.Symbol, "example.com/shop/refund.TestRefundOrder@"):
			check = i
		}
	}
	assert.Equal(t, implementation+1, check, "a test stands right behind what it checks")
	assert.Less(t, at("func (s *Service) RefundOrder"), at("## signatures"))
}

// covers: BUD-17
func TestStyles(t *testing.T) {
	files := archive(t, "shop.txtar")
	files["pay/gateway.go"] = strings.ReplaceAll(files["pay/gateway.go"], "\n", "\r\n")
	c := collect(t, &budget.LayeredQuota{}, snapshot(t, files), refundTask, layered)
	require.Len(t, c.Styles, 2)
	assert.Equal(t, budget.Style{File: "pay/gateway.go", Indent: "tab", Width: c.Styles[1].Width, Quotes: "double", EOL: "crlf"}, c.Styles[1])
	assert.InDelta(t, 70, c.Styles[1].Width, 15)
	assert.Equal(t, "lf", c.Styles[0].EOL)
	assert.Contains(t, c.Text(), "style of pay/gateway.go: indent tab")
}
