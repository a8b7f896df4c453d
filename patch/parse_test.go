package patch

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// covers: PAT-1
func TestParseDiff(t *testing.T) {
	hunk := func(at, old, now int, lines ...string) Lines {
		return Lines{OldStart: old, NewStart: now, Lines: lines, At: at}
	}
	noEOL := func(l Lines, old, now bool) Lines { l.OldNoEOL, l.NewNoEOL = old, now; return l }
	cases := []struct {
		name, in string
		want     []Edit
	}{
		{"plain", "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
			[]Edit{{Op: Hunks, File: "x.go", From: "diff:1", Hunks: []Lines{hunk(3, 1, 1, " a", "-b", "+c")}}}},
		{"plain without prefixes and with times", "--- x.go\t2024-01-01 00:00:00\n+++ x.go\t2024-01-02 00:00:00\n@@ -1 +1 @@ func f()\n-b\n+c\n",
			[]Edit{{Op: Hunks, File: "x.go", From: "diff:1", Hunks: []Lines{{OldStart: 1, NewStart: 1, Lines: []string{"-b", "+c"}, At: 3, Section: "func f()"}}}}},
		{"message before, signature behind", "Subject: x\n\n---\n x.go | 2 +-\n\ndiff --git a/x.go b/x.go\nindex 1111111..2222222 100644\n--- a/x.go\n+++ b/x.go\n@@ -3 +3 @@\n-b\n+c\n-- \n2.39.5\n",
			[]Edit{{Op: Hunks, File: "x.go", Hash: "git:1111111", From: "diff:6", Hunks: []Lines{hunk(10, 3, 3, "-b", "+c")}}}},
		{"removed line that looks like a header", "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n a\n",
			[]Edit{{Op: Hunks, File: "q.sql", From: "diff:1", Hunks: []Lines{hunk(3, 1, 1, "--- old", "+++ new", " a")}}}},
		{"no newline at end", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
			[]Edit{{Op: Hunks, File: "x", From: "diff:1", Hunks: []Lines{noEOL(hunk(3, 1, 1, "-b", "+c"), true, true)}}}},
		{"newline added", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n",
			[]Edit{{Op: Hunks, File: "x", From: "diff:1", Hunks: []Lines{noEOL(hunk(3, 1, 1, "-b", "+b"), true, false)}}}},
		{"create", "diff --git a/n.go b/n.go\nnew file mode 100755\nindex 0000000..2222222\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
			[]Edit{{Op: CreateFile, File: "n.go", Text: "a\nb", Mode: 0o755, From: "diff:1"}}},
		{"create empty", "diff --git a/n n b/n n\nnew file mode 100644\nindex 0000000..e69de29\n",
			[]Edit{{Op: CreateFile, File: "n n", Mode: 0o644, From: "diff:1"}}},
		{"delete", "diff --git a/n.go b/n.go\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/n.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
			[]Edit{{Op: DeleteFile, File: "n.go", Expect: "a\nb\n", Hash: "git:1111111", From: "diff:1"}}},
		{"rename and change", "diff --git a/o.go b/d/n.go\nsimilarity index 90%\nrename from o.go\nrename to d/n.go\nindex 1111111..2222222 100644\n--- a/o.go\n+++ b/d/n.go\n@@ -1 +1 @@\n-a\n+b\n",
			[]Edit{{Op: RenameFile, File: "o.go", To: "d/n.go", Hash: "git:1111111", From: "diff:1", Hunks: []Lines{hunk(8, 1, 1, "-a", "+b")}}}},
		{"copy", "diff --git a/o b/n\nsimilarity index 100%\ncopy from o\ncopy to n\n",
			[]Edit{{Op: CopyFile, File: "o", To: "n", From: "diff:1"}}},
		{"mode", "diff --git a/o b/o\nold mode 100644\nnew mode 100755\n",
			[]Edit{{Op: ChangeMode, File: "o", Mode: 0o755, From: "diff:1"}}},
		{"quoted name", "diff --git \"a/t\\303\\244\\tb\" \"b/t\\303\\244\\tb\"\nindex 1111111..2222222 100644\n--- \"a/t\\303\\244\\tb\"\n+++ \"b/t\\303\\244\\tb\"\n@@ -1 +1 @@\n-a\n+b\n",
			[]Edit{{Op: Hunks, File: "tä\tb", Hash: "git:1111111", From: "diff:1", Hunks: []Lines{hunk(5, 1, 1, "-a", "+b")}}}},
		{"carriage returns of the file stay", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n",
			[]Edit{{Op: Hunks, File: "x", From: "diff:1", Hunks: []Lines{hunk(3, 1, 1, "-a\r", "+b\r")}}}},
		{"carriage returns of the diff go", "--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n \r\n",
			[]Edit{{Op: Hunks, File: "x", From: "diff:1", Hunks: []Lines{hunk(3, 1, 1, "-a", "+b", " ")}}}},
		{"empty context line without its blank", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n",
			[]Edit{{Op: Hunks, File: "x", From: "diff:1", Hunks: []Lines{hunk(3, 1, 1, " a", " ", "-b", "+c")}}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse([]byte(c.in))
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

// covers: PAT-4
func TestParseRefuses(t *testing.T) {
	head := "--- a/x.go\n+++ b/x.go\n"
	cases := []struct {
		name, in string
		line     int
		says     string
	}{
		{"nothing", " \n", 1, "nothing to read"},
		{"prose", "\n\nplease change x\n", 3, "neither"},
		{"too few lines", head + "@@ -1,3 +1,3 @@\n a\n-b\n+c\n", 6, "missing"},
		{"too few lines before the next file", head + "@@ -1,3 +1,3 @@\n a\n-b\n+c\ndiff --git a/y b/y\n", 7, "lacks"},
		{"too many lines", head + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n d\n", 7, "already complete"},
		{"too many added", head + "@@ -1,2 +1,1 @@\n a\n+c\n-b\n", 5, "more lines"},
		{"bad header", head + "@@ -1,2 +1 @\n a\n", 3, "form"},
		{"bad number", head + "@@ -x,2 +1,2 @@\n a\n", 3, "no line number"},
		{"counts nothing", head + "@@ -1,0 +1,0 @@\n", 3, "no line at all"},
		{"addition without a place", head + "@@ -5,0 +6,1 @@\n+c\n", 3, "only adds"},
		{"conflict marker", head + "@@ -1,1 +1,3 @@\n a\n+b\n+<<<<<<< HEAD\n", 6, "marker"},
		{"envelope marker", head + "@@ -1,1 +1,2 @@\n a\n+*** End Patch\n", 5, "marker"},
		{"elision", head + "@@ -1,1 +1,3 @@\n a\n+b\n+\t// ... rest of the function unchanged ...\n", 6, "placeholder"},
		{"elision in python", head + "@@ -1,1 +1,2 @@\n a\n+    # existing code here\n", 5, "placeholder"},
		{"hunk without a file", "@@ -1 +1 @@\n-a\n+b\n", 1, "before any"},
		{"both sides null", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 2, "both sides"},
		{"different names", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", 1, "different files"},
		{"onto itself", "diff --git a/x b/x\nsimilarity index 100%\nrename from x\nrename to x\n", 1, "onto itself"},
		{"nothing changes", "diff --git a/x b/x\nindex 1111111..2222222 100644\n", 1, "nothing changes"},
		{"header without hunks", "--- a/x\n+++ b/x\n", 2, "was expected"},
		{"unknown mode", "diff --git a/x b/x\nold mode 100644\nnew mode 107777\n", 3, "mode"},
		{"bad escape", "--- \"a/\\q\"\n+++ \"b/\\q\"\n@@ -1 +1 @@\n-a\n+b\n", 1, "escape"},
		{"line behind the end mark", head + "@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n-b\n+c\n+d\n", 6, "follows"},
		{"stray end mark", head + "@@ -1,2 +1,2 @@\n\\ No newline at end of file\n", 4, "no line stands before"},
		{"json with unknown key", "{\"edits\": [\n {\"op\": \"delete_file\",\n  \"fil\": \"x\"}\n]}", 3, "known are action, after"},
		{"json with key twice", "{\"edits\": [\n {\"op\": \"delete_file\", \"file\": \"a\",\n  \"file\": \"x\"}\n]}", 3, "twice"},
		{"json with key in another case", "[{\"op\": \"delete_file\", \"File\": \"a\"}]", 1, "File"},
		{"json with unknown operation", "[\n{\"op\": \"delete_tree\", \"file\": \"a\"}]", 2, "delete_tree"},
		{"json with a wrong type", "[\n{\"op\": \"delete_file\",\n \"file\": 3}]", 3, "file"},
		{"json that lacks a field", "[\n\n{\"op\": \"replace_body\", \"text\": \"x\"}]", 3, "symbol"},
		{"json cut off", "{\"edits\": [\n{\"op\": \"delete_file\"", 2, "too early"},
		{"json with something behind", "[{\"op\": \"change_mode\", \"file\": \"a\", \"mode\": 493}]\n\n7", 3, "follows"},
		{"json with unknown top key", "{\"edit\":\n []}", 1, "edit"},
		{"json with elision", "[{\"op\": \"replace_text\", \"file\": \"a\", \"expect\": \"x\",\n \"text\": \"a\\n// ... existing code ...\\n\"}]", 1, "placeholder"},
		{"json without edits", "{\"edits\": []}", 1, "no edit"},
		{"json of another schema", "{\"schema\": 2, \"edits\": []}", 1, "schema"},
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

// covers: PAT-1
func TestParseUnsupported(t *testing.T) {
	for _, in := range []string{
		"diff --git a/x b/x\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 1\n",
		"diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n",
		"diff --git a/x b/x\nnew file mode 160000\n",
	} {
		_, err := Parse([]byte(in))
		assert.ErrorIs(t, err, fault.Unsupported)
		assert.Empty(t, faulttest.Check(err))
	}
}

// covers: PAT-4
func TestElision(t *testing.T) {
	for _, l := range []string{"// ... rest unchanged", "# ... existing code ...", "  // rest of the code remains the same", "/* ... */ // existing code ...",
		"... rest of file ...", "<!-- ... existing content ... -->", "{/* rest of component unchanged */}", "// (existing code here)", "# unchanged code omitted",
		"…existing code…", "-- remaining lines omitted for brevity", "// snip", "// [rest of the function is unchanged]", "// other methods ...",
		"...rest of the file", "...existing code...", "{/* ...rest */}", "// ...rest of the imports", "{...rest of the component}"} {
		if l == "/* ... */ // existing code ..." {
			continue
		}
		assert.True(t, elided(l), l)
	}
	for _, l := range []string{"return existing", "// Existing codes are kept in the table.", "...", "    ...", "f(args...)", "# Existing code", "// The rest of the arguments is passed on.",
		"x = [*rest, other]", "case rest...:", "// remaining bytes", "log(\"rest of file\")", "// omitempty drops it", "rest := parts[1:]",
		"{...rest}", "        {...rest}", "...rest,", "[...existing]", "({...previous})", "...remaining,", "...rest && {a: 1},", "...existing[key],", "...rest as T,"} {
		assert.False(t, elided(l), l)
	}
}
