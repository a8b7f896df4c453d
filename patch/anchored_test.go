package patch

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

const calcGo = `package calc

import (
	"errors"
	"fmt"
)

// Add adds.
func Add(a, b int) int {
	return a + b
}

// Div divides.
func Div(a, b int) (int, error) {
	if b == 0 {
		return 0, errors.New("zero")
	}
	return a / b, nil
}

// A Calc counts.
type Calc struct {
	n int
}

func (c *Calc) Show() string {
	return fmt.Sprint(c.n)
}
`

func calc() tree { return tree{"go.mod": "module example.org/calc\n", "calc.go": calcGo} }

// patched applies edits and returns the result of one file.
func patched(t *testing.T, a *Anchored, r tree, path string, edits ...Edit) string {
	t.Helper()
	set, err := a.Patch(context.Background(), Input{Before: snapshot(t, r), Edits: edits})
	require.NoError(t, err)
	for _, f := range set.Files {
		if f.Path == path {
			return string(f.New)
		}
	}
	t.Fatalf("%s is not in the set", path)
	return ""
}

// refusal applies edits that must be refused and returns the fault.
func refusal(t *testing.T, a *Anchored, r tree, edits ...Edit) *fault.Fault {
	t.Helper()
	_, err := a.Patch(context.Background(), Input{Before: snapshot(t, r), Edits: edits})
	require.Error(t, err)
	assert.Empty(t, faulttest.Check(err))
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	return f
}

func parsed(t *testing.T, s string) []Edit {
	t.Helper()
	e, err := Parse([]byte(s))
	require.NoError(t, err)
	return e
}

func diffOf(path, hunks string) string { return "--- a/" + path + "\n+++ b/" + path + "\n" + hunks }

// covers: PAT-2
func TestAnchorExact(t *testing.T) {
	t.Run("lands wherever the text stands, whatever the line numbers say", func(t *testing.T) {
		got := patched(t, &Anchored{}, calc(), "calc.go", parsed(t, diffOf("calc.go", "@@ -900,2 +900,2 @@\n func Add(a, b int) int {\n-\treturn a + b\n+\treturn b + a\n"))...)
		assert.Contains(t, got, "func Add(a, b int) int {\n\treturn b + a\n}\n")
	})
	t.Run("names the first line that differs and what stands there", func(t *testing.T) {
		f := refusal(t, &Anchored{}, calc(), parsed(t, diffOf("calc.go", "@@ -14,4 +14,4 @@\n func Div(a, b int) (int, error) {\n \tif b == 0 {\n-\t\treturn 1, errors.New(\"zero\")\n+\t\treturn 2, nil\n \t}\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Equal(t, 16, f.Subject.Line)
		assert.Equal(t, "\t\treturn 0, errors.New(\"zero\")", f.Subject.Text)
		assert.Equal(t, unchanged, f.State)
	})
	t.Run("names where a line like the missing one stands", func(t *testing.T) {
		f := refusal(t, &Anchored{}, calc(), parsed(t, diffOf("calc.go", "@@ -1 +1 @@\n-func  Add(a, b int) int {\n+func Add(b, a int) int {\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		require.NotEmpty(t, f.Candidates)
		assert.Equal(t, 9, f.Candidates[0].Line)
	})
	t.Run("several places are no place", func(t *testing.T) {
		r := tree{"a.txt": "x\ny\nx\n"}
		f := refusal(t, &Anchored{}, r, Edit{Op: ReplaceText, File: "a.txt", Expect: "x", Text: "z"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		require.Len(t, f.Candidates, 2)
		assert.Equal(t, []int{1, 3}, []int{f.Candidates[0].Line, f.Candidates[1].Line})
	})
	t.Run("several places of a hunk", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "x\ny\nx\n"}, parsed(t, diffOf("a.txt", "@@ -3 +3 @@\n-x\n+z\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Len(t, f.Candidates, 2)
	})
	t.Run("the blob that the diff was made from settles it", func(t *testing.T) {
		const blob = "index 1e5bcdb..2222222 100644\n"
		in := "diff --git a/a.txt b/a.txt\n" + blob + diffOf("a.txt", "@@ -3 +3 @@\n-x\n+z\n")
		e := parsed(t, in)
		e[0].Hash = "git:" + gitBlobName("x\ny\nx\n")[:8]
		assert.Equal(t, "x\ny\nz\n", patched(t, &Anchored{}, tree{"a.txt": "x\ny\nx\n"}, "a.txt", e...))
	})
	t.Run("the hunks around it settle it", func(t *testing.T) {
		in := diffOf("a.txt", "@@ -1,2 +1,2 @@\n-x\n+X\n y\n@@ -3,2 +3,2 @@\n-x\n+Z\n w\n")
		assert.Equal(t, "X\ny\nZ\nw\nx\n", patched(t, &Anchored{}, tree{"a.txt": "x\ny\nx\nw\nx\n"}, "a.txt", parsed(t, in)...))
	})
	t.Run("the heading of the hunk settles it", func(t *testing.T) {
		r := tree{"a.txt": "func a\n x\nfunc b\n x\n"}
		assert.Equal(t, "func a\n x\nfunc b\n y\n", patched(t, &Anchored{}, r, "a.txt", parsed(t, diffOf("a.txt", "@@ -9 +9 @@ func b\n- x\n+ y\n"))...))
		twice := tree{"a.txt": "func b\n x\n x\n"}
		assert.Len(t, refusal(t, &Anchored{}, twice, parsed(t, diffOf("a.txt", "@@ -2 +2 @@ func b\n- x\n+ y\n"))...).Candidates, 2)
	})
	t.Run("the end of the file settles it, if the line is right too", func(t *testing.T) {
		r := tree{"a.txt": "a\n}\nb\n}\n"}
		at := func(line int) []Edit {
			return parsed(t, diffOf("a.txt", fmt.Sprintf("@@ -%d,1 +%d,2 @@\n }\n+c\n", line, line)))
		}
		assert.Equal(t, "a\n}\nb\n}\nc\n", patched(t, &Anchored{}, r, "a.txt", at(4)...))
		assert.Len(t, refusal(t, &Anchored{}, r, at(2)...).Candidates, 2, "a line number alone proves nothing")
		assert.Len(t, refusal(t, &Anchored{}, tree{"a.txt": r["a.txt"] + "}\n"}, at(4)...).Candidates, 3, "nor does one that is no longer the end")
	})
	t.Run("a pinned hash that is not the file's", func(t *testing.T) {
		f := refusal(t, &Anchored{}, calc(), Edit{Op: WriteFile, File: "calc.go", Hash: hashOf([]byte("other")), Text: "package calc\n"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Equal(t, "calc.go", f.Subject.File)
	})
	t.Run("a whole file without any base", func(t *testing.T) {
		f := refusal(t, &Anchored{}, calc(), Edit{Op: WriteFile, File: "calc.go", Text: "package calc\n"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
	t.Run("insert_line goes to the line that reads as expected", func(t *testing.T) {
		r := tree{"a.txt": "a\nb\nc\n"}
		assert.Equal(t, "a\nx\nb\nc\n", patched(t, &Anchored{}, r, "a.txt", Edit{Op: InsertLine, File: "a.txt", Line: 3, Expect: "b", Text: "x"}))
	})
	t.Run("replacement is literal", func(t *testing.T) {
		assert.Equal(t, "a\n$1 \\1 \\n%s\nc\n", patched(t, &Anchored{}, tree{"a.txt": "a\nb\nc\n"}, "a.txt", Edit{Op: ReplaceText, File: "a.txt", Expect: "b", Text: "$1 \\1 \\n%s"}))
	})
}

// covers: PAT-2
func TestLoosening(t *testing.T) {
	r := tree{"a.txt": "\tone  \n\ttwo\n\tthree — “x”\n"}
	hunk := func(h string) []Edit { return parsed(t, diffOf("a.txt", h)) }
	trailing := hunk("@@ -1,2 +1,3 @@\n \tone\n+\tnew\n \ttwo\n")
	indent := hunk("@@ -1,2 +1,3 @@\n     two\n+    new\n     three — “x”\n")
	_ = indent
	t.Run("nothing is loosened unasked", func(t *testing.T) {
		assert.Equal(t, fault.AnchorMismatch, refusal(t, &Anchored{}, r, trailing...).Class)
	})
	t.Run("trailing blanks, reported, the context kept as it is", func(t *testing.T) {
		a := &Anchored{Loosen: []Loosening{TrailingBlanks}}
		set, err := a.Patch(context.Background(), Input{Before: snapshot(t, r), Edits: trailing})
		require.NoError(t, err)
		assert.Equal(t, "\tone  \n\tnew\n\ttwo\n\tthree — “x”\n", string(set.Files[0].New))
		assert.Equal(t, []string{"hunks of diff:1 landed at a.txt:1 by trailing_blanks"}, set.Loosened)
	})
	t.Run("uniform indentation moves the added lines too", func(t *testing.T) {
		a := &Anchored{Loosen: []Loosening{UniformIndentation}}
		got := patched(t, a, tree{"a.txt": "\t\tone\n\t\t\ttwo\n"}, "a.txt", hunk("@@ -1,2 +1,3 @@\n one\n+\tnew\n \ttwo\n")...)
		assert.Equal(t, "\t\tone\n\t\t\tnew\n\t\t\ttwo\n", got)
	})
	t.Run("punctuation", func(t *testing.T) {
		a := &Anchored{Loosen: []Loosening{UnicodePunctuation}}
		got := patched(t, a, r, "a.txt", hunk("@@ -2,2 +2,3 @@\n \ttwo\n+\tnew\n \tthree - \"x\"\n")...)
		assert.Equal(t, "\tone  \n\ttwo\n\tnew\n\tthree — “x”\n", got)
	})
	t.Run("removed lines are never loosened", func(t *testing.T) {
		a := &Anchored{Loosen: []Loosening{TrailingBlanks, UniformIndentation, UnicodePunctuation}}
		f := refusal(t, a, r, hunk("@@ -1,2 +1,2 @@\n-\tone\n+\tnew\n \ttwo\n")...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
	t.Run("a tier that finds two places settles nothing", func(t *testing.T) {
		a := &Anchored{Loosen: []Loosening{TrailingBlanks}}
		f := refusal(t, a, tree{"a.txt": "one \ntwo\none  \ntwo\n"}, hunk("@@ -1,2 +1,3 @@\n one\n+new\n two\n")...)
		assert.Len(t, f.Candidates, 2)
	})
}

// covers: PAT-3
func TestSymbolAnchors(t *testing.T) {
	above := "// Something above.\nvar above = 1\n\n"
	r := calc()
	moved := calc()
	moved["calc.go"] = calcGo[:len("package calc\n\n")] + calcGo[len("package calc\n\n"):]
	moved["calc.go"] = "package calc\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\n" + above + calcGo[len("package calc\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\n"):]
	edit := Edit{Op: ReplaceBody, Symbol: "Add", Kind: "function", ExpectContains: "a + b", Text: "{\n\treturn b + a\n}"}
	for name, tr := range map[string]tree{"as it was": r, "with lines above": moved} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, patched(t, &Anchored{}, tr, "calc.go", edit), "// Add adds.\nfunc Add(a, b int) int {\n\treturn b + a\n}\n\n// Div")
		})
	}
	t.Run("replace, insert and delete", func(t *testing.T) {
		got := patched(t, &Anchored{}, r, "calc.go",
			Edit{Op: InsertAfter, Symbol: "Add", Text: "func Sub(a, b int) int {\n\treturn a - b\n}"},
			Edit{Op: ReplaceNode, Symbol: "Calc.Show", ExpectContains: "Sprint", Text: "func (c *Calc) Show() string {\n\treturn fmt.Sprintln(c.n)\n}"},
			Edit{Op: InsertLine, File: "calc.go", Line: 23, Expect: "\tn int", Text: "\tm int"})
		assert.Contains(t, got, "\treturn a + b\n}\n\nfunc Sub(a, b int) int {\n\treturn a - b\n}\n\n// Div divides.\n")
		assert.Contains(t, got, "return fmt.Sprintln(c.n)\n}\n")
		assert.Contains(t, got, "type Calc struct {\n\tm int\n\tn int\n}\n")
	})
	t.Run("gone: the nearest names", func(t *testing.T) {
		f := refusal(t, &Anchored{}, r, Edit{Op: ReplaceBody, Symbol: "Addd", ExpectContains: "x", File: "calc.go", Text: "{}"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
	t.Run("moved to another file: where it stands", func(t *testing.T) {
		two := calc()
		two["other.go"] = "package calc\n"
		f := refusal(t, &Anchored{}, two, Edit{Op: ReplaceBody, Symbol: "Add", File: "other.go", ExpectContains: "x", Text: "{}"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		require.Len(t, f.Candidates, 1)
		assert.Equal(t, "calc.go", f.Candidates[0].File)
	})
	t.Run("ambiguous: all candidates", func(t *testing.T) {
		two := calc()
		two["sub/other.go"] = "package sub\n\nfunc Add() {}\n"
		f := refusal(t, &Anchored{}, two, Edit{Op: ReplaceBody, Symbol: "Add", ExpectContains: "x", Text: "{}"})
		assert.Equal(t, fault.Ambiguous, f.Class)
		assert.Len(t, f.Candidates, 2)
	})
	t.Run("another body than expected", func(t *testing.T) {
		f := refusal(t, &Anchored{}, r, Edit{Op: ReplaceBody, Symbol: "Add", Expect: "{\n\treturn a * b\n}", Text: "{\n\treturn 0\n}"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Equal(t, 10, f.Subject.Line)
	})
	t.Run("no base given", func(t *testing.T) {
		f := refusal(t, &Anchored{}, r, Edit{Op: ReplaceBody, Symbol: "Add", Text: "{\n\treturn 0\n}"})
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
}

// covers: PAT-4
func TestContradictions(t *testing.T) {
	hash := hashOf([]byte(calcGo))
	two := calc()
	two["b.go"] = "package calc\n"
	cases := map[string][]Edit{
		"overlapping hunks":        parsed(t, diffOf("calc.go", "@@ -9,2 +9,2 @@\n func Add(a, b int) int {\n-\treturn a + b\n+\treturn 1\n")+diffOf("calc.go", "@@ -10,2 +10,2 @@\n-\treturn a + b\n+\treturn 2\n }\n")),
		"overlapping replacements": {{Op: ReplaceText, File: "calc.go", Expect: "a + b", Text: "1"}, {Op: ReplaceText, File: "calc.go", Expect: "return a + b", Text: "return 2"}},
		"add over existing":        {{Op: CreateFile, File: "calc.go", Text: "package calc\n"}},
		"delete of missing":        {{Op: DeleteFile, File: "no.go", Expect: "x"}},
		"rename of missing":        {{Op: RenameFile, File: "no.go", To: "c.go"}},
		"move onto itself":         {{Op: RenameFile, File: "calc.go", To: "calc.go"}},
		"move onto another":        {{Op: RenameFile, File: "calc.go", To: "b.go"}},
		"two moves onto one":       {{Op: RenameFile, File: "calc.go", To: "c.go"}, {Op: RenameFile, File: "b.go", To: "c.go"}},
		"write and edit":           {{Op: WriteFile, File: "calc.go", Hash: hash, Text: "package calc\n"}, {Op: ReplaceText, File: "calc.go", Expect: "a + b", Text: "1"}},
		"delete and edit":          {{Op: DeleteFile, File: "calc.go", Hash: hash}, {Op: ReplaceText, File: "calc.go", Expect: "a + b", Text: "1"}},
		"elision":                  {{Op: WriteFile, File: "calc.go", Hash: hash, Text: "package calc\n\n// ... rest of the file unchanged ...\n"}},
		"unknown operation":        {{Op: "move_symbol", File: "calc.go"}},
		"the import is there":      {{Op: AddImport, File: "calc.go", Text: "\"fmt\""}},
	}
	for name, edits := range cases {
		t.Run(name, func(t *testing.T) {
			f := refusal(t, &Anchored{}, two, edits...)
			assert.Equal(t, fault.InvalidInput, f.Class, "%v", f)
		})
	}
}

// covers: PAT-6
func TestResultsParse(t *testing.T) {
	f := refusal(t, &Anchored{}, calc(), Edit{Op: ReplaceText, File: "calc.go", Expect: "return a + b", Text: "return a + + ) b"})
	assert.Equal(t, fault.InvalidInput, f.Class)
	assert.Equal(t, fault.Subject{File: "calc.go", Line: 10, Text: "\treturn a + + ) b"}, f.Subject)
	a := &Anchored{MayBreak: func(p string) bool { return p == "calc.go" }}
	assert.Contains(t, patched(t, a, calc(), "calc.go", Edit{Op: ReplaceText, File: "calc.go", Expect: "return a + b", Text: "return a + + ) b"}), "+ + )")
	t.Run("an error that was there before is not held against the edit", func(t *testing.T) {
		r := tree{"go.mod": "module m\n", "a.go": "package a\n\nfunc {\n\nvar X = 1\n"}
		assert.Contains(t, patched(t, &Anchored{}, r, "a.go", Edit{Op: ReplaceText, File: "a.go", Expect: "X = 1", Text: "X = 2"}), "X = 2")
	})
}

// covers: PAT-11
func TestUntouchedBytes(t *testing.T) {
	cases := []struct {
		name, file string
		edit       Edit
		want       string
	}{
		{"line ends of their own", "a\r\nb\nc\r\nd\n", Edit{Op: ReplaceText, File: "a.txt", Expect: "c", Text: "C"}, "a\r\nb\nC\r\nd\n"},
		{"new lines take the ends around them", "a\r\nb\r\nc\r\n", Edit{Op: ReplaceText, File: "a.txt", Expect: "b\n", Text: "b\nb2\n"}, "a\r\nb\r\nb2\r\nc\r\n"},
		{"missing final newline", "a\nb", Edit{Op: ReplaceText, File: "a.txt", Expect: "a", Text: "A"}, "A\nb"},
		{"byte order mark", bom + "a\nb\n", Edit{Op: InsertLine, File: "a.txt", Line: 1, Expect: "a", Text: "x"}, bom + "x\na\nb\n"},
		{"an encoding that is not UTF-8", "caf\xe9\nb\n", Edit{Op: ReplaceText, File: "a.txt", Expect: "b", Text: "c"}, "caf\xe9\nc\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, patched(t, &Anchored{KeepNoise: true}, tree{"a.txt": c.file}, "a.txt", c.edit))
		})
	}
	hunks := []struct{ name, file, hunk, want string }{
		{"CRLF file, LF diff", "a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n", "a\r\nB\r\nB2\r\nc\r\n"},
		{"CRLF file, git's diff", "a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\r\n-b\r\n+B\r\n+B2\n c\r\n", "a\r\nB\r\nB2\nc\r\n"},
		{"mark, first line replaced", bom + "a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", bom + "A\nb\n"},
		{"no final newline, last line replaced without marks", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nB"},
		{"no final newline, lines added behind", "a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "a\nb\nc"},
		{"final newline added", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"},
		{"final newline removed", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"},
		{"everything removed", "a\n", "@@ -1 +0,0 @@\n-a\n", ""},
		{"into an empty file", "", "@@ -0,0 +1 @@\n+a\n", "a\n"},
	}
	for _, c := range hunks {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, patched(t, &Anchored{KeepNoise: true}, tree{"a.txt": c.file}, "a.txt", parsed(t, diffOf("a.txt", c.hunk))...))
		})
	}
	t.Run("bytes that cannot be kept are refused", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "a\x00b\n"}, Edit{Op: ReplaceText, File: "a.txt", Expect: "a", Text: "b"})
		assert.Equal(t, fault.Unsupported, f.Class)
		f = refusal(t, &Anchored{}, tree{"a.txt": "caf\xe9\nb\n"}, Edit{Op: ReplaceText, File: "a.txt", Expect: "b", Text: "ü"})
		assert.Equal(t, fault.Unsupported, f.Class)
	})
}

// covers: PAT-10, PAT-21
func TestOverlayAndDigest(t *testing.T) {
	s := snapshot(t, calc())
	edit := Edit{Op: ReplaceText, File: "calc.go", Expect: "a + b", Text: "b + a"}
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Edits: []Edit{edit, {Op: CreateFile, File: "new.go", Text: "package calc\n"}}})
	require.NoError(t, err)
	over := set.Overlay()
	assert.Len(t, over, 2)
	after, err := s.Overlay(context.Background(), over)
	require.NoError(t, err)
	_, ok := after.File("new.go")
	assert.True(t, ok)
	again, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Edits: []Edit{edit, {Op: CreateFile, File: "new.go", Text: "package calc\n"}}})
	require.NoError(t, err)
	assert.Equal(t, set.Digest(), again.Digest())
	again.Files[0].New = append([]byte{}, again.Files[0].New...)
	again.Files[0].New[10] ^= 1
	assert.NotEqual(t, set.Digest(), again.Digest())
}
