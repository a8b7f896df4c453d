package patch

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

func envelope(body string) string { return "*** Begin Patch\n" + body + "*** End Patch\n" }

// covers: PAT-1
func TestParseEnvelope(t *testing.T) {
	all := envelope("*** Add File: new/n.py\n+a\n+\n+b\n*** Delete File: old.py\n*** Update File: x.py\n*** Move to: y.py\n@@ class A\n@@     def f(self):\n     a\n-    b\n+    c\n*** End of File\n")
	want := []Edit{
		{Op: CreateFile, File: "new/n.py", Text: "a\n\nb\n", From: "envelope:2"},
		{Op: DeleteFile, File: "old.py", Rewrite: true, From: "envelope:6"},
		{Op: RenameFile, File: "x.py", To: "y.py", From: "envelope:7", Hunks: []Lines{
			{Under: []string{"class A", "    def f(self):"}, Lines: []string{"     a", "-    b", "+    c"}, AtEnd: true, At: 9}}},
	}
	forms := map[string]string{
		"bare":                     all,
		"carriage returns":         strings.ReplaceAll(all, "\n", "\r\n"),
		"no newline at the end":    strings.TrimSuffix(all, "\n"),
		"blanks behind":            strings.NewReplacer("Patch\n", "Patch  \n", "@@ class A\n", "@@ class A \n", "n.py\n", "n.py \n").Replace(all),
		"blank lines in between":   strings.NewReplacer("*** Delete", "\n*** Delete", "*** Update", "\n*** Update").Replace(all),
		"heading closed as well":   strings.Replace(all, "@@ class A\n", "@@ class A @@\n", 1),
		"heredoc, prose and so on": "apply_patch <<'EOF'\n" + all + "EOF\n",
	}
	for name, in := range forms {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(in))
			require.NoError(t, err)
			shift := strings.Count(in[:strings.Index(in, "*** Begin")], "\n")
			if shift+strings.Count(in, "\n\n") == 0 && name == "bare" {
				assert.Equal(t, want, got)
			}
			require.Len(t, got, 3)
			for i := range got {
				got[i].From = want[i].From
			}
			got[2].Hunks[0].At = 9
			assert.Equal(t, want, got)
		})
	}
}

// covers: PAT-1, PAT-2
func TestEnvelopeApply(t *testing.T) {
	twice := "class A:\n    def f(self):\n        x = 1\n\nclass B:\n    def f(self):\n        x = 1\n"
	cases := []struct{ name, file, in, want string }{
		{"one place", "a\nb\nc\n", "@@\n a\n-b\n+B\n c\n", "a\nB\nc\n"},
		{"without a heading line", "a\nb\nc\n", "-b\n+B\n", "a\nB\nc\n"},
		{"several hunks, in any order", "a\nb\nc\nd\n", "@@\n-d\n+D\n@@\n-b\n+B\n", "a\nB\nc\nD\n"},
		{"the lost blank of an empty line", "a\n\nb\n", "@@\n a\n\n-b\n+c\n", "a\n\nc\n"},
		{"under the first class", twice, "@@ class A:\n-        x = 1\n+        x = 2\n", strings.Replace(twice, "1", "2", 1)},
		{"under the second", twice, "@@ class B:\n-        x = 1\n+        x = 2\n", twice[:len(twice)-2] + "2\n"},
		{"under a method of a class", twice, "@@ class B\n@@     def f(self):\n-        x = 1\n+        x = 2\n", twice[:len(twice)-2] + "2\n"},
		{"a heading without its indentation", twice, "@@ class B:\n@@ def f\n-        x = 1\n+        x = 2\n", twice[:len(twice)-2] + "2\n"},
		{"below a line that encloses nothing", "# one\nx\n# two\nx\n", "@@ # two\n-x\n+y\n", "# one\nx\n# two\ny\n"},
		{"at the end", "x\ny\nx\n", "@@\n-x\n+z\n*** End of File\n", "x\ny\nz\n"},
		{"behind the end", "x\ny\n", "@@\n+z\n*** End of File\n", "x\ny\nz\n"},
		{"behind an end without a newline", "x\ny", "@@\n+z\n*** End of File\n", "x\ny\nz"},
		{"into an empty file", "", "@@\n+z\n*** End of File\n", "z\n"},
		{"the file keeps its carriage returns", "a\r\nb\r\n", "@@\n-b\n+B\n+C\n", "a\r\nB\r\nC\r\n"},
		{"a last newline goes when that is said", "a\nb\n", "@@\n-b\n+b\n" + noNewline + "\n", "a\nb"},
		{"a diff's header proves nothing, and its heading helps", "f\n x\ng\n x\n", "@@ -1,1 +1,1 @@ g\n- x\n+ y\n", "f\n x\ng\n y\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := envelope("*** Update File: a.txt\n" + c.in)
			assert.Equal(t, c.want, patched(t, &Anchored{KeepNoise: true}, tree{"a.txt": c.file, "b.txt": "b"}, "a.txt", parsed(t, in)...))
		})
	}
	t.Run("a symbol encloses what is not indented", func(t *testing.T) {
		src := "package m\n\nvar a = `\nx\n`\n\nfunc f() string {\n\treturn `\nx\n`\n}\n"
		in := envelope("*** Update File: m.go\n@@ func f() string {\n-x\n+y\n")
		got := patched(t, &Anchored{KeepNoise: true}, tree{"go.mod": "module m\n", "m.go": src}, "m.go", parsed(t, in)...)
		assert.Equal(t, src[:len(src)-6]+"y\n`\n}\n", got)
	})
	t.Run("a deletion", func(t *testing.T) {
		set, err := (&Anchored{}).Patch(context.Background(), Input{Before: snapshot(t, calc()), Edits: parsed(t, envelope("*** Delete File: calc.go\n"))})
		require.NoError(t, err)
		assert.Equal(t, Deleted, set.Files[0].Op)
	})
	refused := []struct{ name, file, in, says string }{
		{"two places", "x\ny\nx\n", "@@\n-x\n+z\n", "2 places"},
		{"two places under one heading", twice, "@@     def f(self):\n-        x = 1\n+        x = 2\n", "2 places"},
		{"a heading that is not there", twice, "@@ class C:\n-        x = 1\n+        x = 2\n", "no such line"},
		{"a heading that is part of a word", twice + "class BB:\n    pass\n", "@@ class C\n-    pass\n+    x\n", "no such line"},
		{"above its heading", "a\nx\nb\n", "@@ b\n-x\n+y\n", "above"},
		{"not at the end", "a\nb\n", "@@\n-a\n+c\n*** End of File\n", "end the file"},
		{"the order of hunks is no proof", "x\ny\nx\nz\n", "@@\n-y\n+Y\n@@\n-x\n+X\n", "2 places"},
	}
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			f := refusal(t, &Anchored{}, tree{"a.txt": c.file}, parsed(t, envelope("*** Update File: a.txt\n"+c.in))...)
			assert.Equal(t, fault.AnchorMismatch, f.Class)
			assert.Contains(t, f.Detail, c.says)
		})
	}
}

// covers: PAT-4
func TestEnvelopeRefuses(t *testing.T) {
	cases := []struct {
		name, in string
		line     int
		says     string
	}{
		{"no end", "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n", 1, "does not end"},
		{"an end without a beginning", "a\n" + envelope("*** Delete File: x\n") + "*** End Patch\n", 5, "outside"},
		{"nothing in it", envelope(""), 1, "holds no file"},
		{"a part outside", "*** Update File: y\n" + envelope("*** Delete File: x\n"), 1, "outside"},
		{"an unknown line", envelope("hello\n"), 2, "was expected"},
		{"a move alone", envelope("*** Move to: x\n"), 2, "was expected"},
		{"no path", envelope("*** Update File:\n@@\n-a\n+b\n"), 2, "path is empty"},
		{"onto itself", envelope("*** Update File: x\n*** Move to: x\n"), 3, "onto itself"},
		{"no hunk", envelope("*** Update File: x\n"), 2, "nothing changes"},
		{"an empty hunk", envelope("*** Update File: x\n@@ a\n@@ b\n"), 3, "no line"},
		{"context only", envelope("*** Update File: x\n@@\n a\n"), 4, "nothing changes"},
		{"additions without a place", envelope("*** Update File: x\n@@ def f\n+a\n"), 4, "only adds"},
		{"a line without its sign", envelope("*** Update File: x\n@@\n-a\nb\n"), 5, "begins with"},
		{"a new file's line without its sign", envelope("*** Add File: x\n+a\nb\n"), 4, "begins with '+'"},
		{"a bad diff header", envelope("*** Update File: x\n@@ -1,x +1 @@\n-a\n+b\n"), 3, "neither"},
		{"a line behind the end mark", envelope("*** Update File: x\n@@\n-a\n" + noNewline + "\n-b\n+c\n"), 6, "follows"},
		{"a placeholder", envelope("*** Update File: x\n@@\n-a\n+# ... existing code ...\n"), 5, "placeholder"},
		{"a marker in a new file", envelope("*** Add File: x\n+a\n+>>>>>>> theirs\n"), 4, "marker"},
		{"a diff behind", envelope("*** Delete File: x\n") + "diff --git a/y b/y\n", 4, "one format"},
		{"blocks behind", envelope("*** Delete File: x\n") + "y\n" + block("a\n", "b\n"), 5, "one format"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.in))
			var f *fault.Fault
			require.True(t, errors.As(err, &f), "%v", err)
			assert.Equal(t, fault.InvalidInput, f.Class)
			assert.Equal(t, c.line, f.Subject.Line, "%v", err)
			assert.ErrorContains(t, err, c.says)
			assert.Empty(t, faulttest.Check(err))
		})
	}
}

// What a format cannot say is refused by its writer and never left out.
//
// covers: PAT-1
func TestPrintRefuses(t *testing.T) {
	for name, f := range map[string]File{
		"mode":    {Path: "a", Op: Modified, Old: []byte("a"), New: []byte("b"), OldMode: 0o644, NewMode: 0o755},
		"created": {Path: "a", Op: Created, New: []byte("b"), NewMode: 0o755},
		"link":    {Path: "a", Op: Created, New: []byte("b"), NewMode: fs.ModeSymlink | 0o777},
		"binary":  {Path: "a", Op: Created, New: []byte("b\x00")},
	} {
		_, err := (&Set{Files: []File{f}}).SearchReplace()
		assert.ErrorIs(t, err, fault.Unsupported, name)
		assert.Empty(t, faulttest.Check(err))
		_, err = (&Set{Files: []File{f}}).Envelope()
		assert.ErrorIs(t, err, fault.Unsupported, name)
	}
	_, err := (&Set{Files: []File{{Path: "a", Op: Deleted, Old: []byte("a")}}}).SearchReplace()
	assert.ErrorIs(t, err, fault.Unsupported)
	around := func(l string) []byte { return []byte("=====\n======\n=======\n" + l + "\n========\n=========\n") }
	_, err = (&Set{Files: []File{{Path: "a", Op: Modified, Old: around("a"), New: around("b")}}}).SearchReplace()
	assert.ErrorIs(t, err, fault.Unsupported)
}
