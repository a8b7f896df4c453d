package patch

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

func block(search, replace string) string {
	return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n"
}

// Every form in which the same change of one file is written.
//
// covers: PAT-1
func TestBlockForms(t *testing.T) {
	want := []string{" a", "-b", "+c", " d"}
	body := block("a\nb\nd\n", "a\nc\nd\n")
	forms := map[string]string{
		"name above":                 "src/x.py\n" + body,
		"name above a fence":         "src/x.py\n```python\n" + body + "```\n",
		"name inside the fence":      "```python\nsrc/x.py\n" + body + "```\n",
		"name behind the fence's":    "```python src/x.py\n" + body + "```\n",
		"tildes":                     "src/x.py\n~~~\n" + body + "~~~\n",
		"prose around":               "Here is the change you asked for:\n\nsrc/x.py\n" + body + "\nIt does what was said.\n",
		"prose between name and it":  "src/x.py\n\nThis is the change:\n" + body,
		"bold name":                  "**src/x.py**\n" + body,
		"name in backticks":          "`src/x.py`:\n" + body,
		"name as heading":            "### src/x.py\n" + body,
		"labelled name":              "File: `src/x.py`\n" + body,
		"name as comment":            "# src/x.py\n" + body,
		"quoted name":                "\"src/x.py\"\n" + body,
		"blanks behind the markers":  "src/x.py  \n" + strings.NewReplacer("SEARCH\n", "SEARCH  \n", "=======\n", "======= \n", "REPLACE\n", "REPLACE\t\n").Replace(body),
		"five signs":                 "src/x.py\n" + strings.NewReplacer("<<<<<<<", "<<<<<", "=======", "=====", ">>>>>>>", ">>>>>").Replace(body),
		"nine signs":                 "src/x.py\n" + strings.NewReplacer("<<<<<<<", "<<<<<<<<<", "=======", "=========", ">>>>>>>", ">>>>>>>>>").Replace(body),
		"signs of different lengths": "src/x.py\n" + strings.NewReplacer("=======", "=====", ">>>>>>>", ">>>>>>>>").Replace(body),
		"carriage returns":           strings.ReplaceAll("src/x.py\n"+body, "\n", "\r\n"),
		"no newline at the end":      strings.TrimSuffix("src/x.py\n"+body, "\n"),
		"byte order mark":            bom + "src/x.py\n" + body,
	}
	for name, in := range forms {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(in))
			require.NoError(t, err)
			require.Len(t, got, 1)
			assert.Equal(t, Hunks, got[0].Op)
			assert.Equal(t, "src/x.py", got[0].File)
			require.Len(t, got[0].Hunks, 1)
			assert.Equal(t, want, got[0].Hunks[0].Lines)
		})
	}
}

// covers: PAT-1, PAT-2
func TestBlocksApply(t *testing.T) {
	long := "a\nb\nc\nd\ne\nf\n"
	cases := []struct{ name, file, in, want string }{
		{"several of one file", long, "a.txt\n" + block("b\n", "B\n") + "\n" + block("e\n", "E\nE2\n"), "a\nB\nc\nd\nE\nE2\nf\n"},
		{"in another order than the file's", long, "a.txt\n" + block("e\n", "E\n") + block("b\n", ""), "a\nc\nd\nE\nf\n"},
		{"the file keeps its carriage returns", "a\r\nb\r\nc\r\n", "a.txt\n" + block("b\n", "B\nB2\n"), "a\r\nB\r\nB2\r\nc\r\n"},
		{"and its missing last newline", "a\nb", "a.txt\n" + block("b\n", "b\nc\n"), "a\nb\nc"},
		{"when the last line goes too", "a\nb", "a.txt\n" + block("a\nb\n", "a\n"), "a"},
		{"a last newline goes when that is said", "a\nb\n", "a.txt\n" + block("b\n", "b\n"+noNewline+"\n"), "a\nb"},
		{"and comes", "a\nb", "a.txt\n" + block("b\n"+noNewline+"\n", "b\n"), "a\nb\n"},
		{"the whole file goes", "a\nb\n", "a.txt\n" + block("a\nb\n", ""), ""},
		{"into an empty file", "", "a.txt\n" + block("", "a\n"), "a\n"},
		{"a divider in the content, of another length", "a\n=======\nb\n", "a.txt\n<<<<< SEARCH\na\n=======\n=====\nA\n=======\n>>>>> REPLACE\n", "A\n=======\nb\n"},
		{"an end in the content, of another length", ">>>>> REPLACE\nb\n", "a.txt\n" + block(">>>>> REPLACE\nb\n", ">>>>> REPLACE\nc\n"), ">>>>> REPLACE\nc\n"},
		{"replacement is literal", "a\n", "a.txt\n" + block("a\n", "$1 \\1 \\n %s\n"), "$1 \\1 \\n %s\n"},
		{"an ellipsis that stands there", "def f():\n    ...\n", "a.txt\n" + block("def f():\n    ...\n", "def g():\n    ...\n"), "def g():\n    ...\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, patched(t, &Anchored{KeepNoise: true}, tree{"a.txt": c.file, "b.txt": "b"}, "a.txt", parsed(t, c.in)...))
		})
	}
	t.Run("a new file", func(t *testing.T) {
		assert.Equal(t, "a\n", patched(t, &Anchored{}, tree{"b.txt": "b"}, "d/a.txt", parsed(t, "d/a.txt\n"+block("", "a\n"))...))
	})
	t.Run("lines that stand inside of a longer line are no place", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "xfoo()\n"}, parsed(t, "a.txt\n"+block("foo()\n", "bar()\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
	t.Run("several places are no place", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "x\ny\nx\n"}, parsed(t, "a.txt\n"+block("x\n", "z\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Len(t, f.Candidates, 2)
	})
	t.Run("an empty search over content", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "x\n"}, parsed(t, "a.txt\n"+block("", "z\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Contains(t, f.Detail, "empty SEARCH")
	})
	t.Run("a block that is based on what another makes", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "x\n"}, parsed(t, "a.txt\n"+block("x\n", "y\n")+block("y\n", "z\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
	})
	t.Run("an ellipsis stands for itself, and the refusal says so", func(t *testing.T) {
		f := refusal(t, &Anchored{}, tree{"a.txt": "a\nb\nc\n"}, parsed(t, "a.txt\n"+block("a\n...\nc\n", "A\n...\nc\n"))...)
		assert.Equal(t, fault.AnchorMismatch, f.Class)
		assert.Contains(t, f.Detail, "not filled in")
	})
}

// covers: PAT-4
func TestBlocksRefuse(t *testing.T) {
	cases := []struct {
		name, in string
		line     int
		says     string
	}{
		{"no file", block("a\n", "b\n"), 1, "no file is named"},
		{"prose instead of a file", "Please change it as follows:\n" + block("a\n", "b\n"), 2, "no file is named"},
		{"prose that speaks of another file", "x.py\n" + block("a\n", "b\n") + "And now the same in `y.py`, please:\n" + block("a\n", "b\n"), 8, "y.py"},
		{"no end", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n", 2, "does not end"},
		{"no end before the next", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n" + block("c\n", "d\n"), 2, "does not end"},
		{"no divider", "x.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", 4, "between its sides"},
		{"two dividers", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", 6, "second divider"},
		{"an end without a beginning", "x.py\n" + block("a\n", "b\n") + ">>>>>>> REPLACE\n", 7, "none was begun"},
		{"indented", "x.py\n" + block("a\n", "b\n") + "  <<<<<<< SEARCH\n  a\n", 7, "indented"},
		{"nothing changes", "x.py\n" + block("a\n", "a\n"), 2, "nothing changes"},
		{"a placeholder", "x.py\n" + block("a\n", "b\n# ... rest of the function unchanged ...\n"), 6, "placeholder"},
		{"a conflict marker", "x.py\n" + block("a\n", "<<<<<<< HEAD\nb\n"), 5, "marker"},
		{"a diff behind", "x.py\n" + block("a\n", "b\n") + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", 7, "one format"},
		{"an envelope behind", "x.py\n" + block("a\n", "b\n") + "*** Begin Patch\n", 7, "one format"},
		{"a bad quoted name", "\"x\\q.py\"\n" + block("a\n", "b\n"), 1, "escape"},
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
func TestBlockNames(t *testing.T) {
	for _, path := range []string{"a b/c d.txt", "-", "#x", "**", "Makefile", "x:", "tä\tb", "`a`", "```", "File: x", "~~~", "# x", "a\"b", " x "} {
		t.Run(path, func(t *testing.T) {
			set := &Set{Files: []File{{Path: path, Op: Created, New: []byte("a\n")}}}
			data, err := set.SearchReplace()
			require.NoError(t, err)
			edits, err := ParseBlocks(data)
			require.NoError(t, err)
			require.Len(t, edits, 1)
			assert.Equal(t, path, edits[0].File)
			data, err = set.Envelope()
			require.NoError(t, err)
			edits, err = ParseEnvelope(data)
			require.NoError(t, err)
			require.Len(t, edits, 1)
			assert.Equal(t, path, edits[0].File)
		})
	}
}
