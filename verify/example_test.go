package verify_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/verify"
)

// A changed signature is held against its callers before anything is written.
func ExampleLayered() {
	ctx := context.Background()
	repository := fstest.MapFS{
		"go.mod":          {Data: []byte("module example.com/shop\n")},
		"price/price.go":  {Data: []byte("package price\n\nfunc Of(item string) int { return len(item) }\n")},
		"basket/total.go": {Data: []byte("package basket\n\nimport \"example.com/shop/price\"\n\nfunc Total() int { return price.Of(\"tea\") }\n")},
	}
	before, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: repository})
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := before.Overlay(ctx, map[string][]byte{
		"price/price.go": []byte("package price\n\nfunc Of(item, currency string) int { return len(item) }\n"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := (&verify.Layered{}).Verify(ctx, verify.Input{Before: before, After: after, Layers: []verify.LayerName{verify.L0, verify.L1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range report.Layers {
		fmt.Println(l.Name, l.Status)
	}
	for _, m := range report.Missing {
		fmt.Printf("%s:%d does not fit %s any more\n", m.Ref.Span.File, m.Ref.Span.Line, m.Symbol)
	}
	// Output:
	// L0 passed
	// L1 failed
	// basket/total.go:5 does not fit example.com/shop/price.Of any more
}

// Two reports of one change are compared by what they found.
func ExampleCompare() {
	a := &verify.Report{Tests: []verify.Result{{Test: verify.TestID{Dir: "price", Name: "TestOf"}, Before: verify.Passed, After: verify.Passed, Attribution: verify.Unchanged}}}
	b := &verify.Report{Tests: []verify.Result{{Test: verify.TestID{Dir: "price", Name: "TestOf"}, Before: verify.Passed, After: verify.Failed, Attribution: verify.Regression}}}
	for _, d := range verify.Compare(a, b) {
		fmt.Printf("%s: %s / %s\n", d.What, d.A, d.B)
	}
	// Output:
	// test price TestOf: passed → passed: unchanged / passed → failed: regression
}
