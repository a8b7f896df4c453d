package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
)

// The numbers are those of the contract, and not taken from the code.
//
// covers: CLI-2, FLT-3
func TestOneExitCodeForEachClass(t *testing.T) {
	codes := map[fault.Class]int{
		fault.InvalidInput: 2, fault.Ambiguous: 3, fault.AnchorMismatch: 4, fault.Dangerous: 5, fault.BudgetExceeded: 6,
		fault.IndexUnavailable: 7, fault.PartialFailure: 8, fault.Environment: 9, fault.Unsupported: 10, fault.Canceled: 130,
	}
	require.Len(t, codes, len(fault.Classes()))
	for class, code := range codes {
		f := &fault.Fault{Class: class, Op: "test.run", Subject: fault.Subject{File: "a\x1b[2J.go", Line: 3}, Detail: "what was found", State: "as before", Next: "do this",
			Candidates: []fault.Subject{{File: "b\nnext: rm -rf", Line: 1}}, Err: errors.New("the cause")}
		var text, doc bytes.Buffer
		assert.Equal(t, code, (&env{stderr: &text}).report(fmt.Errorf("wrapped: %w", f)), "%s", class)
		for _, part := range []string{string(class), "what was found", "the cause", "as before", "do this", `a\u001b[2J.go:3`, `b\u000anext`} {
			assert.Contains(t, text.String(), part)
		}
		assert.NotContains(t, text.String(), "\x1b")
		assert.Equal(t, code, (&env{stderr: &doc, json: true}).report(f), "%s", class)
		var back fault.Fault
		require.NoError(t, json.Unmarshal(doc.Bytes(), &back))
		assert.Equal(t, class, back.Class, "the same code serves the JSON form")
	}
	e := &env{stderr: io.Discard}
	assert.Equal(t, 0, e.report(nil))
	assert.Equal(t, 1, e.report(errFindings))
	assert.Equal(t, 0, e.report(fmt.Errorf("write: %w", syscall.EPIPE)))
	assert.Equal(t, 9, e.report(errors.New("anything else")))
}

// covers: CLI-2
func TestAnInterruptIs130(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, said bytes.Buffer
	assert.Equal(t, 130, run(ctx, []string{"index", "-C", "."}, strings.NewReader(""), &out, &said))
	assert.Empty(t, out.String())
	assert.Contains(t, said.String(), "canceled")
}

// covers: CLI-2
func TestJSONIsTheSameForAProgramAndSafeForATerminal(t *testing.T) {
	in := map[string]string{"name": "a\u202eb\u009bc\x1b\n\tü\u200f"}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	require.NoError(t, (&env{out: w}).emit(in))
	require.NoError(t, w.Flush())
	assert.NotContains(t, out.String(), "\u202e")
	assert.NotContains(t, out.String(), "\u009b")
	assert.Contains(t, out.String(), "ü")
	var back map[string]string
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	assert.Equal(t, in, back)
}

// covers: CLI-2
func TestQuestionsAreAnsweredOnTheTerminal(t *testing.T) {
	q := changeset.Question{ID: "Q-1", Text: "Which \x1bone?", Evidence: []string{"two places"}, Recommended: 2,
		Options: []changeset.Option{{Text: "this"}, {Text: "that"}}}
	for input, want := range map[string]int{"2\n": 2, " 1 \n": 1, "": 0} {
		var said bytes.Buffer
		a, err := terminal{&env{stdin: strings.NewReader(input), stderr: &said}}.Answer(t.Context(), q)
		require.NoError(t, err)
		assert.Equal(t, task.Answer{Question: "Q-1", Option: want}, a)
		assert.Contains(t, said.String(), "2: that (recommended)")
		assert.Contains(t, said.String(), "evidence: two places")
		assert.NotContains(t, said.String(), "\x1b")
	}
	for _, input := range []string{"3\n", "0\n", "yes\n"} {
		_, err := terminal{&env{stdin: strings.NewReader(input), stderr: io.Discard}}.Answer(t.Context(), q)
		require.ErrorIs(t, err, fault.InvalidInput)
	}
}
