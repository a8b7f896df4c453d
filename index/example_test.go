package index_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func repository() fstest.MapFS {
	return fstest.MapFS{
		"go.mod":      {Data: []byte("module example.org/pay\n")},
		"refund.go":   {Data: []byte("package pay\n\nfunc Refund(n int) error { return check(n) }\n\nfunc check(n int) error { return nil }\n")},
		"cmd/main.go": {Data: []byte("package main\n\nimport \"example.org/pay\"\n\nfunc main() { _ = pay.Refund(1) }\n")},
	}
}

func Example() {
	ctx := context.Background()
	ix := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	s, err := ix.Index(ctx, index.Input{FS: repository()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range s.References("pay.Refund", 10).Sure {
		fmt.Printf("%s:%d:%d %s %s, by rule %q\n", r.Span.File, r.Span.Line, r.Span.Col, r.Status, r.Kind, r.Rule)
	}
	for _, e := range s.Impact("pay.check", 2).Cross {
		fmt.Println("verify again:", e.Symbol.Canonical)
	}
	// Output:
	// cmd/main.go:5:23 static call, by rule "import"
	// verify again: example.org/pay/cmd.main
}

func ExampleSnapshot_Overlay() {
	ctx := context.Background()
	ix := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	s, err := ix.Index(ctx, index.Input{FS: repository()})
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := s.Overlay(ctx, map[string][]byte{"refund.go": []byte("package pay\n\nfunc Repay(n int) error { return nil }\n")})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range after.RefsIn("cmd/main.go") {
		if r.Name == "Refund" {
			fmt.Println(r.Name, "is", r.Status)
		}
	}
	fmt.Println(s.References("pay.Refund", 0).Total, "reference before")
	// Output:
	// Refund is unresolved
	// 1 reference before
}

func ExampleReadBoundaries() {
	policy, err := index.ReadBoundaries([]byte("domains:\n  - {name: core, packages: [\".\"]}\n  - {name: tool, packages: [\"cmd/**\"]}\ndeny:\n  - {from: tool, to: core}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: repository()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range s.Violations(policy) {
		fmt.Printf("%s:%d uses %s: %s\n", v.From.File, v.From.Line, v.To, v.Rule)
	}
	// Output:
	// cmd/main.go:3 uses refund.go: deny tool -> core
}
