package budget_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func Example() {
	ctx := context.Background()
	repo := fstest.MapFS{
		"go.mod":   {Data: []byte("module example.com/m\n")},
		"greet.go": {Data: []byte("package m\n\n// Greet says hello.\nfunc Greet(name string) string { return \"hello \" + name }\n")},
	}
	snapshot, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: repo})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := (&budget.LayeredQuota{}).Collect(ctx, budget.Input{
		Task: task.Task{Requirement: "Greet() has to say good evening after six."}, Snapshot: snapshot, Total: 500,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Seeds[0].Symbol, c.Seeds[0].Confidence)
	fmt.Println(c.Used <= c.Total, c.Whole)
	// Output:
	// example.com/m.Greet@greet.go high
	// true true
}
