package patch

import (
	"context"
	"errors"
	"testing"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// checkParse holds what every parser owes for any input: a complete fault with
// a line of the input, or edits that are well formed on their own.
func checkParse(t *testing.T, data []byte, edits []Edit, err error) {
	t.Helper()
	if err != nil {
		var f *fault.Fault
		if !errors.As(err, &f) || f.Class != fault.InvalidInput && f.Class != fault.Unsupported {
			t.Fatalf("no fault: %v", err)
		}
		if n := len(splitLines(data)) + 1; f.Subject.Line < 1 || f.Subject.Line > n {
			t.Fatalf("line %d of %d: %v", f.Subject.Line, n, err)
		}
		if lacks := faulttest.Check(err); len(lacks) > 0 {
			t.Fatalf("%v lacks %v", err, lacks)
		}
		return
	}
	for i := range edits {
		if why := checkEdit(&edits[i]); why != "" && edits[i].Op != CreateFile {
			t.Fatalf("%+v: %s", edits[i], why)
		}
	}
}

// covers: REL-2, PAT-4
func FuzzParseDiff(f *testing.F) {
	_, set := everything()
	f.Add(set.Diff())
	f.Add([]byte("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := ParseDiff(data)
		checkParse(t, data, edits, err)
	})
}

// covers: REL-2, PAT-4
func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"edits": [{"op": "replace_text", "file": "a", "expect": "b", "text": "c"}]}`))
	f.Add([]byte(`[{"op": "hunks", "file": "a", "hunks": [{"old_start": 1, "new_start": 1, "lines": ["-a", "+b"]}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := ParseJSON(data)
		checkParse(t, data, edits, err)
	})
}

// covers: REL-2, PAT-4
func FuzzParseBlocks(f *testing.F) {
	f.Add([]byte("a/x.py\n```python\n" + block("a\nb\n", "a\nc\n") + "```\n"))
	f.Add([]byte("x\n<<<<< SEARCH\r\n=====\r\na\r\n>>>>> REPLACE"))
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := ParseBlocks(data)
		checkParse(t, data, edits, err)
	})
}

// covers: REL-2, PAT-4
func FuzzParseEnvelope(f *testing.F) {
	f.Add([]byte(envelope("*** Update File: x\n*** Move to: y\n@@ a\n@@ b\n c\n-d\n+e\n*** End of File\n*** Delete File: z\n")))
	f.Add([]byte(envelope("*** Add File: x\n+a\n\\ No newline at end of file\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := ParseEnvelope(data)
		checkParse(t, data, edits, err)
	})
}

// FuzzPrinted holds the writers of blocks and envelopes against their readers:
// what they print of two texts turns one into the other.
//
// covers: REL-2, PAT-1, PAT-11
func FuzzPrinted(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nB\nc"))
	f.Add([]byte("a\r\n=======\na\n"), []byte("a\n"))
	f.Add([]byte("x\nx\nx\nx\nx\nx\nx\nx\nx\n"), []byte("x\nx\nx\nx\nx\nx\nx\nx\n"))
	f.Fuzz(func(t *testing.T, old, now []byte) {
		set := &Set{Files: []File{{Path: "x.txt", Op: Modified, Old: old, New: now}}}
		if string(old) == string(now) {
			return
		}
		for _, print := range []func(*Set) ([]byte, error){(*Set).SearchReplace, (*Set).Envelope} {
			data, err := print(set)
			if errors.Is(err, fault.Unsupported) || errors.Is(err, fault.InvalidInput) { // binary, or with markers and placeholders
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			edits, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			a := &Anchored{KeepNoise: true, MaxFileLines: -1, NewFileLines: -1}
			got, err := a.Patch(context.Background(), Input{Before: snapshot(t, tree{"x.txt": string(old)}), Edits: edits})
			if errors.Is(err, fault.Unsupported) {
				continue // would mix encodings
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if string(got.Files[0].New) != string(now) {
				t.Fatalf("got %q, want %q\n%s", got.Files[0].New, now, data)
			}
		}
	})
}

// FuzzApplyDiff holds the writer against the reader: the diff of two texts
// turns one into the other.
//
// covers: REL-2, PAT-1, PAT-11
func FuzzApplyDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nB\nc"))
	f.Add([]byte("a\r\nb\n"), []byte(""))
	f.Fuzz(func(t *testing.T, old, now []byte) {
		if isBinary(old) || isBinary(now) || string(old) == string(now) || len(old) == 0 {
			return
		}
		file := File{Path: "x.txt", Op: Modified, Old: old, New: now}
		edits, err := ParseDiff((&Set{Files: []File{file}}).Diff())
		if err != nil {
			if errors.Is(err, fault.InvalidInput) { // markers and placeholders in the content
				return
			}
			t.Fatal(err)
		}
		edits[0].Hash = "git:" + gitBlobName(string(old))
		set, err := (&Anchored{KeepNoise: true, MaxFileLines: -1}).Patch(context.Background(), Input{Before: snapshot(t, tree{"x.txt": string(old)}), Edits: edits})
		if err != nil {
			if errors.Is(err, fault.Unsupported) {
				return // would mix encodings
			}
			t.Fatal(err)
		}
		if string(set.Files[0].New) != string(now) {
			t.Fatalf("got %q, want %q", set.Files[0].New, now)
		}
	})
}
