package changeset_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func Example() {
	ctx := context.Background()
	repo := fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/m\n")},
		"m.go": {Data: []byte(`package m

// Greet says hello.
func Greet(name string) string { return "hello " + name }

func welcome() string { return Greet("you") }
`)},
	}
	snapshot, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: repo})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := (&changeset.Derived{}).Plan(ctx, changeset.Input{Snapshot: snapshot, Task: task.Task{
		Requirement: "Greetings have a language.",
		Changes:     []task.Change{{Symbol: "m.Greet", NewSignature: "(name, lang string) string"}},
		Answers:     []task.Answer{{Question: "Q-1", Option: 2}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range plan.Actions {
		if a.Kind == changeset.Define || a.Kind == changeset.Sync {
			fmt.Println(a.Kind, a.Grade, a.Symbol)
		}
	}
	fmt.Println(plan.Questions[0].Kind, "answered", plan.Questions[0].Answer.Option)
	// Output:
	// define high example.com/m.Greet@m.go
	// sync high example.com/m.welcome@m.go
	// nothing_covers answered 2
}
