package plumb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// program is what the README shows: four stages on a repository.
func program(ctx context.Context, dir string, t task.Task, diff []byte) error {
	ws, err := patch.Open(dir)
	if err != nil {
		return err
	}
	before, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: ws.FS()})
	if err != nil {
		return err
	}
	plan, err := (&changeset.Derived{}).Plan(ctx, changeset.Input{Task: t, Snapshot: before})
	if err != nil {
		return err // a fault: what was found, and what to do next
	}
	edits, err := patch.Parse(diff)
	if err != nil {
		return err
	}
	set, err := (&patch.Anchored{}).Patch(ctx, patch.Input{Before: before, Plan: plan, Edits: edits})
	if err != nil {
		return err
	}
	after, err := before.Overlay(ctx, set.Overlay()) // nothing is written
	if err != nil {
		return err
	}
	report, err := (&verify.Layered{}).Verify(ctx, verify.Input{
		Before: before, After: after, Plan: plan, Set: set, Layers: []verify.LayerName{verify.L0, verify.L1}})
	if err != nil {
		return err
	}
	for _, m := range report.Missing {
		fmt.Printf("%s:%d: %s\n", m.Ref.Span.File, m.Ref.Span.Line, m.Reason)
	}
	return nil
}

func Example() {
	dir, err := os.MkdirTemp("", "plumb-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range greeter {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			fmt.Println(err)
			return
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			fmt.Println(err)
			return
		}
	}
	// The edits change a signature and forget who calls it.
	if err := program(context.Background(), dir, shout(), []byte(half)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// greet/greet.go:11: the call passes 1 values; at least 2 are needed
	// greet/greet.go:11: the call passes 1 values; at least 2 are needed
	// greet/greet_test.go:6: the call passes 1 values; at least 2 are needed
}
