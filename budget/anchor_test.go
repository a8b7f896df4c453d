package budget

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func texts(kind anchorKind, text string) []string {
	var out []string
	for _, a := range anchorsOf(text) {
		if a.kind == kind {
			out = append(out, a.text)
		}
	}
	return out
}

// covers: BUD-1
func TestAnchorsOfText(t *testing.T) {
	cases := map[string]struct {
		kind anchorKind
		text string
		want []string
	}{
		"camel case":    {anchorName, "call refundOrder and NewClient here", []string{"refundOrder", "NewClient"}},
		"snake case":    {anchorName, "the max_retries of a client", []string{"max_retries"}},
		"dotted":        {anchorName, "PaymentGateway.charge is too slow", []string{"PaymentGateway.charge"}},
		"called":        {anchorName, "flush() is never called", []string{"flush"}},
		"Go method":     {anchorName, "in pay.(*Gateway).Charge we see", []string{"pay.Gateway.Charge"}},
		"test name":     {anchorName, "TestRefundTwice fails, so does test_refund", []string{"TestRefundTwice", "test_refund"}},
		"quoted word":   {anchorName, "the function `flush` leaks", []string{"flush"}},
		"parts":         {anchorWord, "`partialRefund`", []string{"partial", "refund", "partialrefund"}},
		"Go trace":      {anchorPlace, "goroutine 1:\n\t/home/x/shop/pay/refund.go:42 +0x1d", []string{"/home/x/shop/pay/refund.go"}},
		"Python trace":  {anchorPlace, `  File "shop/pay.py", line 12, in charge`, []string{"shop/pay.py"}},
		"JS trace":      {anchorPlace, "at charge (src/pay.ts:10:5)", []string{"src/pay.ts"}},
		"path":          {anchorPath, "see docs/money.md for this", []string{"docs/money.md"}},
		"key":           {anchorLiteral, "reads payment.timeout at start", []string{"payment.timeout"}},
		"environment":   {anchorLiteral, "set SHOP_TIMEOUT first", []string{"SHOP_TIMEOUT"}},
		"error code":    {anchorLiteral, "fails with E1234 or ERR-77", []string{"E1234", "ERR-77"}},
		"message":       {anchorLiteral, `prints "no such order" twice`, []string{"no such order"}},
		"route":         {anchorRoute, "POST /orders/{id}/refund answers 500", []string{"/orders/{id}/refund"}},
		"phrase":        {anchorPhrase, "start a partial refund", []string{"partial refund"}},
		"plain words":   {anchorWord, "The amount must not exceed what was paid.", []string{"amount", "exceed", "paid"}},
		"no identifier": {anchorName, "Support staff can refund. Orders are kept, e.g. here", []string{"e.g"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, texts(c.kind, c.text)) })
	}
	for _, a := range anchorsOf("x.go:7") {
		if a.kind == anchorPlace {
			assert.Equal(t, 7, a.line)
		}
	}
}

func TestStemsMeet(t *testing.T) {
	for _, group := range [][]string{{"refund", "refunds", "refunded", "refunding"}, {"ship", "shipped", "shipping"}, {"order", "orders", "ordered"},
		{"cancel", "cancels", "cancelled"}, {"authorize", "authorized", "authorizes"}, {"policy", "policies"}, {"record", "records", "recorded"}} {
		for _, w := range group {
			assert.Equal(t, stem(group[0]), stem(w), w)
		}
	}
	assert.NotEqual(t, stem("address"), stem("add"))
}

func TestNamePartsAndSpellings(t *testing.T) {
	assert.Equal(t, []string{"http", "server", "new", "conn", "2"}, nameParts("HTTPServer.newConn_2"))
	assert.True(t, slices.Contains(spellings("partial refunds"), "PartialRefund"))
	assert.True(t, slices.Contains(spellings("back office"), "backoffice"))
}
