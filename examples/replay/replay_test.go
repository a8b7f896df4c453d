package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// history is a clone with the states as commits, oldest first.
func history(t *testing.T, states ...map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	g := git{dir}
	do := func(args ...string) {
		_, err := g.run(t.Context(), args...)
		require.NoError(t, err)
	}
	do("init", "-q", "-b", "main")
	for _, files := range states {
		for name, text := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		do("add", "-A")
		do("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", files["subject"])
	}
	return dir
}

const (
	sum     = "package sum\n\n// Of adds.\nfunc Of(a, b int) int { return a + b }\n"
	sumTest = "package sum\n\nimport \"testing\"\n\nfunc TestOf(t *testing.T) {\n\tif got := Of(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
)

// The commit that rewrites a body is carried; the one that takes its test along
// to another expectation is stopped; a document alone is no ordinary commit.
//
// covers: ACC-10
func TestCommitsAreReplayed(t *testing.T) {
	dir := history(t,
		map[string]string{"subject": "first", "go.mod": "module example.com/sum\n\ngo 1.24\n", "sum.go": sum, "sum_test.go": sumTest},
		map[string]string{"subject": "swap", "sum.go": strings.Replace(sum, "a + b", "b + a", 1)},
		map[string]string{"subject": "notes", "NOTES.md": "notes\n"},
		map[string]string{"subject": "more", "sum.go": strings.Replace(sum, "a + b", "a + b + 1", 1), "sum_test.go": strings.ReplaceAll(sumTest, "!= 3", "!= 4")},
	)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-C", dir, "-unsandboxed", "-json"}, &out, io.Discard))
	var ends []End
	require.NoError(t, json.Unmarshal(out.Bytes(), &ends))
	require.Len(t, ends, 2, "the first commit has no parent, and the notes are no source")

	assert.Equal(t, "more", ends[0].Subject)
	assert.Equal(t, "stopped at screen: gate: tests.expected-changed", ends[0].outcome())
	assert.Equal(t, "swap", ends[1].Subject)
	assert.Equal(t, "handed off, exact tree", ends[1].outcome(), ends[1].Why)
	assert.Equal(t, 1, ends[1].Selected)

	head, err := git{dir}.line(t.Context(), "log", "-1", "--format=%s", "main")
	require.NoError(t, err)
	assert.Equal(t, "more", head)
	left, err := git{dir}.line(t.Context(), "status", "--porcelain")
	require.NoError(t, err)
	assert.Empty(t, left, "the clone is left as it was")

	var text bytes.Buffer
	require.NoError(t, table(&text, ends))
	assert.Contains(t, text.String(), "| handed off, exact tree | 1 |")
}

func TestAReplayDoesNotTouchWorkInProgress(t *testing.T) {
	dir := history(t, map[string]string{"subject": "first", "a.go": "package a\n"}, map[string]string{"subject": "second", "a.go": "package a\n\nvar A = 1\n"})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package b\n"), 0o644))
	err := run(t.Context(), []string{"-C", dir}, io.Discard, io.Discard)
	require.ErrorContains(t, err, "not clean")
	data, err := os.ReadFile(filepath.Join(dir, "a.go"))
	require.NoError(t, err)
	assert.Equal(t, "package b\n", string(data))
}
