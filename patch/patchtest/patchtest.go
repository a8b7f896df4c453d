// Package patchtest holds what every patch.Patcher has to do, whoever wrote it.
//
//	func TestMine(t *testing.T) { patchtest.Run(t, mine.New()) }
package patchtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// A Case is one repository, edits on it, and what a Patcher owes for them.
type Case struct {
	Name  string
	Files map[string]string
	Edits []patch.Edit
	// Want is the content of every changed file afterwards; a file with the
	// content Gone is not there any more.
	Want map[string]string
	// Fault is the class of fault that is due instead; Line, if not 0, its line.
	Fault fault.Class
	Line  int
}

// Gone stands in Case.Want for a file that was removed.
const Gone = "\x00gone"

// Cases are the cases that Run uses. Every edit in them carries its base as
// text, so that a Patcher which does not support symbols passes as well.
func Cases() []Case {
	text := map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "x\ny\nx\n", "crlf.txt": "one\r\ntwo\r\nthree", "d/e.txt": "e\n"}
	replace := func(file, expect, with string) patch.Edit {
		return patch.Edit{Op: patch.ReplaceText, File: file, Expect: expect, Text: with}
	}
	hunk := func(file string, lines ...string) patch.Edit {
		return patch.Edit{Op: patch.Hunks, File: file, Hunks: []patch.Lines{{OldStart: 700, NewStart: 700, Lines: lines}}}
	}
	return []Case{
		{Name: "a unique text is replaced", Files: text, Edits: []patch.Edit{replace("a.txt", "two", "TWO")}, Want: map[string]string{"a.txt": "one\nTWO\nthree\n"}},
		{Name: "a hunk lands by its text", Files: text, Edits: []patch.Edit{hunk("a.txt", " one", "-two", "+TWO", "+2")}, Want: map[string]string{"a.txt": "one\nTWO\n2\nthree\n"}},
		{Name: "edits are worked out against the original", Files: text, Edits: []patch.Edit{replace("a.txt", "three", "two"), replace("a.txt", "two", "2")}, Want: map[string]string{"a.txt": "one\n2\ntwo\n"}},
		{Name: "line ends and a missing final newline stay", Files: text, Edits: []patch.Edit{replace("crlf.txt", "two", "2")}, Want: map[string]string{"crlf.txt": "one\r\n2\r\nthree"}},
		{Name: "replacement is literal", Files: text, Edits: []patch.Edit{replace("a.txt", "two", `$1\n%s`)}, Want: map[string]string{"a.txt": "one\n" + `$1\n%s` + "\nthree\n"}},
		{Name: "files are created, removed and moved", Files: text, Edits: []patch.Edit{
			{Op: patch.CreateFile, File: "new.txt", Text: "new\n"}, {Op: patch.DeleteFile, File: "d/e.txt", Expect: "e\n"}, {Op: patch.RenameFile, File: "b.txt", To: "c.txt"}},
			Want: map[string]string{"new.txt": "new\n", "d/e.txt": Gone, "b.txt": Gone, "c.txt": "x\ny\nx\n"}},
		{Name: "a text that is not there", Files: text, Edits: []patch.Edit{hunk("a.txt", " one", "-zwei", "+2")}, Fault: fault.AnchorMismatch, Line: 2},
		{Name: "a text in several places", Files: text, Edits: []patch.Edit{replace("b.txt", "x", "z")}, Fault: fault.AnchorMismatch},
		{Name: "one bad edit refuses all", Files: text, Edits: []patch.Edit{replace("a.txt", "two", "TWO"), replace("b.txt", "nothing", "z")}, Fault: fault.AnchorMismatch},
		{Name: "overlapping edits", Files: text, Edits: []patch.Edit{replace("a.txt", "one\ntwo", "1"), replace("a.txt", "two\nthree", "2")}, Fault: fault.InvalidInput},
		{Name: "a file over another", Files: text, Edits: []patch.Edit{{Op: patch.CreateFile, File: "a.txt", Text: "x\n"}}, Fault: fault.InvalidInput},
		{Name: "removing what is not there", Files: text, Edits: []patch.Edit{{Op: patch.DeleteFile, File: "no.txt", Expect: "x"}}, Fault: fault.InvalidInput},
		{Name: "moving onto another file", Files: text, Edits: []patch.Edit{{Op: patch.RenameFile, File: "a.txt", To: "b.txt"}}, Fault: fault.InvalidInput},
		{Name: "an existing file without a base", Files: text, Edits: []patch.Edit{{Op: patch.WriteFile, File: "a.txt", Text: "x\n"}}, Fault: fault.AnchorMismatch},
		{Name: "a placeholder instead of code", Files: text, Edits: []patch.Edit{replace("a.txt", "two", "// ... existing code ...")}, Fault: fault.InvalidInput},
		{Name: "outside of the workspace", Files: text, Edits: []patch.Edit{{Op: patch.CreateFile, File: "../x", Text: "x\n"}}, Fault: fault.Dangerous},
		{Name: "inside of git", Files: text, Edits: []patch.Edit{{Op: patch.CreateFile, File: ".GIT/config", Text: "x\n"}}, Fault: fault.Dangerous},
		{Name: "no edit", Files: text, Fault: fault.InvalidInput},
	}
}

// Run checks a Patcher. It must be safe for concurrent use.
func Run(t *testing.T, p patch.Patcher) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			check(t, p, c)
		})
	}
	t.Run("a canceled context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		c := Cases()[0]
		if _, err := p.Patch(ctx, patch.Input{Before: snapshot(t, c.Files), Edits: c.Edits}); !errors.Is(err, fault.Canceled) {
			t.Errorf("got %v, want a canceled fault", err)
		}
	})
}

func snapshot(t *testing.T, files map[string]string) *index.Snapshot {
	t.Helper()
	fsys := fstest.MapFS{}
	for p, c := range files {
		fsys[p] = &fstest.MapFile{Data: []byte(c), Mode: 0o644}
	}
	s, err := (&index.TreeSitter{}).Index(context.Background(), index.Input{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func check(t *testing.T, p patch.Patcher, c Case) {
	before := snapshot(t, c.Files)
	edits := slices.Clone(c.Edits)
	set, err := p.Patch(context.Background(), patch.Input{Before: before, Edits: edits})
	if c.Fault != "" {
		checkFault(t, err, c)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if set.Base != before.Digest() {
		t.Errorf("the base is %q, not the snapshot's digest", set.Base)
	}
	if !slices.IsSortedFunc(set.Files, func(a, b patch.File) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("the files are not in order")
	}
	checkResult(t, set, c)
	again, err := p.Patch(context.Background(), patch.Input{Before: before, Edits: edits})
	if err != nil || again.Digest() != set.Digest() {
		t.Errorf("the same edits give another set (%v)", err)
	}
}

func checkFault(t *testing.T, err error, c Case) {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Class != c.Fault {
		t.Fatalf("got %v, want a fault of class %s", err, c.Fault)
	}
	if lacks := faulttest.Check(err); len(lacks) > 0 {
		t.Errorf("%v lacks %v", err, lacks)
	}
	if c.Line > 0 && f.Subject.Line != c.Line {
		t.Errorf("the fault names line %d, not %d", f.Subject.Line, c.Line)
	}
}

func checkResult(t *testing.T, set *patch.Set, c Case) {
	over := set.Overlay()
	for path, want := range c.Want {
		got, ok := over[path]
		switch {
		case !ok:
			t.Errorf("%s is not in the set", path)
		case want == Gone && got != nil:
			t.Errorf("%s is still there", path)
		case want != Gone && string(got) != want:
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for path := range over {
		if _, ok := c.Want[path]; !ok {
			t.Errorf("%s is changed, and no edit asked for it", path)
		}
	}
}
