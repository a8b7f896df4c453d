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

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
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
		map[string]string{"subject": "wrap", "sum.go": strings.NewReplacer("(a, b int)", "(\n\ta, b int,\n)", "{ return a + b }", "{\n\treturn b + a\n}").Replace(sum)},
		map[string]string{"subject": "notes", "NOTES.md": "notes\n"},
		map[string]string{"subject": "look", "sum.go": strings.Replace(sum, "{ return a + b }", "{\n\tprintln(a)\n\treturn a + b\n}", 1), "more.go": "package sum\n"},
		map[string]string{"subject": "more", "sum.go": strings.Replace(sum, "a + b", "a + b + 1", 1), "sum_test.go": strings.ReplaceAll(sumTest, "!= 3", "!= 4")},
	)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-C", dir, "-unsandboxed", "-json"}, &out, io.Discard))
	var got struct {
		Ends    []End   `json:"ends"`
		Skipped Skipped `json:"skipped"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	ends := got.Ends
	assert.Equal(t, Skipped{noSource: 1}, got.Skipped)
	require.Len(t, ends, 4, "the first commit has no parent, and the notes are no source")

	assert.Equal(t, "more", ends[0].Subject)
	assert.Equal(t, "stopped at screen: gate: tests.expected-changed", ends[0].outcome())
	assert.Equal(t, "stopped at check: residue", ends[1].outcome(), "and not rewritten")
	for i, subject := range []string{"wrap", "swap"} { // what only wraps is a commit's own too
		e := ends[i+2]
		assert.Equal(t, subject, e.Subject)
		assert.Equal(t, "handed off, exact tree", e.outcome(), e.Reasons)
		assert.Equal(t, 1, e.Selected)
	}

	head, err := git{dir}.line(t.Context(), "log", "-1", "--format=%s", "main")
	require.NoError(t, err)
	assert.Equal(t, "more", head)
	left, err := git{dir}.line(t.Context(), "status", "--porcelain")
	require.NoError(t, err)
	assert.Empty(t, left, "the clone is left as it was")

	var text bytes.Buffer
	ends[0].Read = Reading{"right", "another expectation"}
	require.NoError(t, table(&text, ends, got.Skipped))
	for _, row := range []string{"| handed off, exact tree | 2 |", "| stopped, rightly | 1 |", "| " + noSource + " | 1 |", "  - right: another expectation"} {
		assert.Contains(t, text.String(), row)
	}
}

// A rule is named once, wherever its findings stand among those of others.
func TestARuleThatRefusesTwiceIsNamedOnce(t *testing.T) {
	d := &gate.Decision{}
	for _, rule := range []string{"b.x", "a.x", "b.x", "a.x"} {
		d.Findings = append(d.Findings, gate.Finding{Rule: rule, Blocks: true})
	}
	var e End
	require.NoError(t, e.refused(t.Context(), "screen", &plumb.Result{Decision: d}, &fault.Fault{Class: fault.Dangerous, Op: "gate", Detail: "refused"}))
	assert.Equal(t, "gate: a.x, b.x", e.Class)
	assert.Len(t, e.Reasons, 5, "the fault, and each place")
}

// Commits on which the repository's own tests are red, before or after, are left
// out and counted; what was installed and ignored is still there on a commit that
// does not ignore it, and is no part of its tree.
func TestOrdinaryCommitsAreGreenByThemselves(t *testing.T) {
	dir := history(t,
		map[string]string{"subject": "first", "a.go": "package a\n", "state": "green\n"},
		map[string]string{"subject": "break", "a.go": "package a\n\nvar A = 1\n", "state": "red\n"},
		map[string]string{"subject": "mend", "a.go": "package a\n\nvar A = 2\n", "state": "green\n"},
		map[string]string{"subject": "go on", "a.go": "package a\n\nvar A = 3\n"},
		map[string]string{"subject": "ignore", ".gitignore": "installed/\n"},
	)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "installed"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "installed", "tool"), []byte("tool\n"), 0o644))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-C", dir, "-list", "-probe", "test -e installed/tool && test -z \"$(git status --porcelain)\" && grep -q green state"}, &out, io.Discard))
	assert.Contains(t, out.String(), " go on\n")
	assert.NotContains(t, out.String(), " mend\n")
	for _, row := range []string{"| " + redAtParent + " | 1 |", "| " + redAtCommit + " | 1 |", "| " + noSource + " | 1 |"} {
		assert.Contains(t, out.String(), row)
	}
	left, err := git{dir}.line(t.Context(), "status", "--porcelain", "--ignored")
	require.NoError(t, err)
	assert.Equal(t, "!! installed/", left)
	list, err := os.ReadFile(filepath.Join(dir, ".git", "info", "exclude"))
	require.NoError(t, err)
	assert.NotContains(t, string(list), "installed", "the list is as it was")
}

func TestReadings(t *testing.T) {
	got, err := readings(strings.NewReader("# read by hand\n\nabc123 wrong the call fits\ndef456 right  a test is gone \n"))
	require.NoError(t, err)
	assert.Equal(t, Reading{"wrong", "the call fits"}, reading(got, "abc123f00"))
	assert.Equal(t, Reading{"right", "a test is gone"}, reading(got, "def456"))
	assert.Zero(t, reading(got, "0"))
	_, err = readings(strings.NewReader("abc123 right why\ndef456 perhaps\n"))
	assert.ErrorContains(t, err, `line 2: "perhaps" is no verdict`)
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
