package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onQuestion answers yes to what is asked, after something else was done.
type onQuestion struct {
	said bytes.Buffer
	do   func()
	in   *io.PipeWriter
}

func (q *onQuestion) Write(p []byte) (int, error) {
	n, err := q.said.Write(p)
	if strings.Contains(string(p), "approve it?") {
		go func() {
			q.do()
			_, _ = io.WriteString(q.in, "yes\n")
		}()
	}
	return n, err
}

// Somebody edits the repository while a person is asked: what was checked is not
// what would be written, so nothing is (7).
//
// covers: CLI-2
func TestAnEditDuringTheQuestionIsIndexUnavailable(t *testing.T) {
	dir, side := unpack(t, "tiny"), t.TempDir()
	task, edits, policy := filepath.Join(side, "task.yaml"), filepath.Join(side, "edits.diff"), filepath.Join(side, "policy.yaml")
	for name, text := range map[string]string{
		task: "id: shout\nrequirement: Hello takes a mark.\ncapabilities:\n  - {id: GREET-1, sentence: It does., symbols: [greet.Hello], layers: [domain, test]}\n" +
			"changes:\n  - {symbol: greet.Hello, new_signature: \"(name, mark string) string\"}\n",
		policy: "references: 1\n",
		edits: "--- a/greet/greet.go\n+++ b/greet/greet.go\n@@ -5,7 +5,7 @@\n-func Hello(name string) string {\n-\treturn \"hello, \" + name\n+func Hello(name, mark string) string {\n+\treturn \"hello, \" + name + mark\n }\n \n // Twice greets two times.\n func Twice(name string) string {\n-\treturn Hello(name) + \" \" + Hello(name)\n+\treturn Hello(name, \"\") + \" \" + Hello(name, \"\")\n" +
			"--- a/greet/greet_test.go\n+++ b/greet/greet_test.go\n@@ -5,5 +5,11 @@\n func TestHello(t *testing.T) {\n-\tif got := Hello(\"ann\"); got != \"hello, ann\" {\n+\tif got := Hello(\"ann\", \"\"); got != \"hello, ann\" {\n \t\tt.Errorf(\"got %q\", got)\n \t}\n }\n+\n+func TestHelloMark(t *testing.T) {\n+\tif got := Hello(\"ann\", \"!\"); got != \"hello, ann!\" {\n+\t\tt.Errorf(\"got %q\", got)\n+\t}\n+}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	in, out := io.Pipe()
	t.Cleanup(func() { _ = out.Close() })
	late := filepath.Join(dir, "greet", "late.go")
	asked := &onQuestion{in: out, do: func() { assert.NoError(t, os.WriteFile(late, []byte("package greet\n"), 0o600)) }}
	var printed bytes.Buffer
	code := run(t.Context(), []string{"change", "-C", dir, "-task", task, "-edits", edits, "-policy", policy, "-ask", "-unsandboxed"}, in, &printed, asked)
	assert.Equal(t, 7, code, asked.said.String())
	assert.Contains(t, asked.said.String(), "index_unavailable")
	assert.Contains(t, asked.said.String(), "greet/late.go")
	now, err := os.ReadFile(filepath.Join(dir, "greet", "greet.go"))
	require.NoError(t, err)
	assert.Contains(t, string(now), "func Hello(name string) string", "nothing was written")
}
