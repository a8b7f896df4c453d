package patch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// workspace makes a folder with one file, as an example's starting point.
func workspace() (dir string, before *index.Snapshot) {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "greeting.txt"), []byte("Hello,\nworld.\n"), 0o644); err != nil {
		panic(err)
	}
	before, err = (&index.TreeSitter{}).Index(context.Background(), index.Input{FS: os.DirFS(dir)})
	if err != nil {
		panic(err)
	}
	return dir, before
}

// A unified diff becomes a Set, is authorized, written, and taken back.
func Example() {
	ctx := context.Background()
	dir, before := workspace()
	defer os.RemoveAll(dir)

	edits, err := patch.Parse([]byte("--- a/greeting.txt\n+++ b/greeting.txt\n@@ -1,2 +1,2 @@\n Hello,\n-world.\n+reader.\n"))
	if err != nil {
		panic(err)
	}
	set, err := (&patch.Anchored{}).Patch(ctx, patch.Input{Before: before, Edits: edits})
	if err != nil {
		panic(err)
	}
	fmt.Print(string(set.Diff()))

	w, err := patch.Open(dir)
	if err != nil {
		panic(err)
	}
	receipt, err := w.Apply(ctx, set, patch.Authorization{Set: set.Digest(), By: "the reviewer", Reason: "looks right"})
	if err != nil {
		panic(err)
	}
	fmt.Println(receipt.Status, receipt.Files)
	if err := w.Undo(ctx, receipt.ID); err != nil {
		panic(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "greeting.txt"))
	fmt.Printf("%q\n", data)
	// Output:
	// diff --git a/greeting.txt b/greeting.txt
	// --- a/greeting.txt
	// +++ b/greeting.txt
	// @@ -1,2 +1,2 @@
	//  Hello,
	// -world.
	// +reader.
	// applied [greeting.txt]
	// "Hello,\nworld.\n"
}

// An edit for a line that has moved on is refused with what stands there now.
func ExampleAnchored() {
	dir, before := workspace()
	defer os.RemoveAll(dir)
	edits := []patch.Edit{{Op: patch.ReplaceText, File: "greeting.txt", Expect: "Hello,\nmoon.\n", Text: "Hi.\n"}}
	_, err := (&patch.Anchored{}).Patch(context.Background(), patch.Input{Before: before, Edits: edits})
	var f *fault.Fault
	if errors.As(err, &f) {
		fmt.Printf("%s at line %d, which reads %q\n", f.Class, f.Subject.Line, f.Subject.Text)
	}
	// Output:
	// anchor_mismatch at line 2, which reads "world."
}

// A scratch tree is a copy in which tests may run and edits need no authorization.
func ExampleWorkspace_Scratch() {
	ctx := context.Background()
	dir, before := workspace()
	defer os.RemoveAll(dir)
	set, err := (&patch.Anchored{}).Patch(ctx, patch.Input{Before: before, Edits: []patch.Edit{{Op: patch.CreateFile, File: "new.txt", Text: "new\n"}}})
	if err != nil {
		panic(err)
	}
	w, err := patch.Open(dir)
	if err != nil {
		panic(err)
	}
	s, err := w.Scratch(ctx, set)
	if err != nil {
		panic(err)
	}
	defer s.Close()
	_, inCopy := os.Stat(filepath.Join(s.Dir(), "new.txt"))
	_, inWorkspace := os.Stat(filepath.Join(dir, "new.txt"))
	fmt.Println(inCopy == nil, errors.Is(inWorkspace, os.ErrNotExist))
	// Output:
	// true true
}

// The format of a change follows the file.
func ExampleStrategy_Choose() {
	format, why := patch.Strategy{}.Choose(400, 12, true)
	fmt.Printf("%s: %s\n", format, why)
	// Output:
	// structured: the places to change lie in symbols, which hold when lines move
}
