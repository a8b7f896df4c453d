package gate_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
)

// A change that makes a test pass by taking its assertion away.
func ExampleRules() {
	ctx := context.Background()
	const before = "package m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	const after = "package m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tAdd(1, 2)\n}\n"
	files := fstest.MapFS{
		"go.mod":      {Data: []byte("module m\n")},
		"add.go":      {Data: []byte("package m\n\n// Add adds.\nfunc Add(a, b int) int { return a - b }\n")},
		"add_test.go": {Data: []byte(before)},
	}
	indexer := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	snap, err := indexer.Index(ctx, index.Input{FS: files})
	if err != nil {
		fmt.Println(err)
		return
	}
	set := &patch.Set{Base: snap.Digest(), Files: []patch.File{{Path: "add_test.go", Op: patch.Modified, Old: []byte(before), New: []byte(after)}}}
	now, err := snap.Overlay(ctx, set.Overlay())
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := (&gate.Rules{}).Decide(ctx, gate.Input{Before: snap, After: now, Set: set})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Verdict)
	for _, f := range d.Findings {
		fmt.Printf("%s:%d %s: %s\n", f.Before.File, f.Before.Line, f.Rule, f.Reason)
	}
	// Output:
	// blocked
	// add_test.go:7 tests.assertion-removed: the assertion "got != 3" of TestAdd is removed
}
