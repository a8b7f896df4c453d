package budget_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/budget/budgettest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
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

func symbols(items []budget.Item) []string {
	var out []string
	for _, it := range items {
		name, _, _ := strings.Cut(it.Symbol, "@")
		out = append(out, strings.TrimPrefix(name, "example.com/shop/"))
	}
	return out
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
