package fault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// samples is one fault of every class, as a stage would return it.
func samples() map[fault.Class]*fault.Fault {
	list := []*fault.Fault{
		{Class: fault.AnchorMismatch, Op: "patch.apply", Subject: fault.Subject{File: "pay/refund.go", Symbol: "pay.Refund", Line: 42, Text: "return g.Full(o)"},
			Detail: "the line reads `return g.Full(o)` where the edit expects `return g.Full(ctx, o)`", State: "workspace unchanged", Next: "read lines 40-50 again and resend the edit"},
		{Class: fault.IndexUnavailable, Op: "index.references", Subject: fault.Subject{Symbol: "pay.Refund"},
			Detail: "three files have changed since the snapshot was taken", State: "snapshot unchanged", Next: "bring the index up to date"},
		{Class: fault.BudgetExceeded, Op: "budget.collect", Subject: fault.Subject{File: "audit/audit.go"},
			Detail: "the first layer alone takes 9,120 of 8,000 tokens", State: "nothing was collected", Next: "raise the total to at least 12,000 tokens"},
		{Class: fault.Ambiguous, Op: "index.definitions", Subject: fault.Subject{Symbol: "Close"},
			Detail:     "two methods of this name fit the receiver",
			Candidates: []fault.Subject{{File: "a/a.go", Symbol: "a.T.Close", Line: 3}, {File: "b/b.go", Symbol: "b.T.Close", Line: 9}},
			State:      "nothing was changed", Next: "name one of the candidates in full"},
		{Class: fault.Dangerous, Op: "gate.decide", Subject: fault.Subject{File: "order/order_test.go", Line: 17},
			Detail: "an assertion was removed", State: "workspace unchanged", Next: "restore the assertion, or have the removal authorized with its reason"},
		{Class: fault.PartialFailure, Op: "patch.write", Subject: fault.Subject{File: "pay/gateway.go"},
			Detail: "the third of five files could not be written", State: "all files are as they were before", Next: "free some disk space and apply the set again",
			Err: errors.New("no space left on device")},
		{Class: fault.InvalidInput, Op: "changeset.plan", Subject: fault.Subject{Text: "CAP-3"},
			Detail: "the capability point has no sentence", State: "no plan was made", Next: "give it one testable sentence"},
		{Class: fault.Unsupported, Op: "index.index", Subject: fault.Subject{File: "main.cob"},
			Detail: "no language is registered for this file", State: "the other files are indexed", Next: "add the language to the list given to the indexer"},
		{Class: fault.Environment, Op: "sandbox.run", Subject: fault.Subject{Text: "bwrap"},
			Detail: "bubblewrap is not installed", State: "nothing was run", Next: "install bubblewrap, or allow runs without a sandbox", Err: fs.ErrNotExist},
		{Class: fault.Canceled, Op: "index.index", Detail: "the operation was canceled before it was done",
			State: "as it was before the operation", Next: "run it again; nothing has to be cleaned up", Err: context.Canceled},
	}
	byClass := make(map[fault.Class]*fault.Fault)
	for _, f := range list {
		byClass[f.Class] = f
	}
	return byClass
}

// covers: FLT-1
func TestEveryClassIsAFaultWithANextAction(t *testing.T) {
	all := samples()
	require.Len(t, all, len(fault.Classes()))
	for class, f := range all {
		assert.Empty(t, faulttest.Check(f), "%s", class)
	}
}

// covers: FLT-1
func TestJSONIsStable(t *testing.T) {
	for class, f := range samples() {
		t.Run(string(class), func(t *testing.T) {
			compact, err := json.Marshal(f)
			require.NoError(t, err)
			golden(t, string(class)+".json", compact)

			var back fault.Fault
			require.NoError(t, json.Unmarshal(compact, &back))
			again, err := json.Marshal(&back)
			require.NoError(t, err)
			assert.Equal(t, string(compact), string(again), "the document round-trips")
			assert.Equal(t, f.Error(), back.Error())
		})
	}
}

func golden(t *testing.T, name string, compact []byte) {
	t.Helper()
	var got bytes.Buffer
	require.NoError(t, json.Indent(&got, compact, "", "  "))
	got.WriteByte('\n')
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// covers: FLT-1
func TestJSONOfANewerSchemaIsRefused(t *testing.T) {
	var f fault.Fault
	err := json.Unmarshal([]byte(`{"schema":2,"class":"ambiguous"}`), &f)
	assert.ErrorIs(t, err, fault.Unsupported)
	assert.Equal(t, fault.Fault{}, f)
	assert.Error(t, json.Unmarshal([]byte(`{"class":7}`), &f))
}

// covers: FLT-1
func TestReadingOverwritesWhatWasThere(t *testing.T) {
	f := fault.Fault{State: "old", Err: errors.New("old"), Candidates: []fault.Subject{{File: "old"}}}
	require.NoError(t, json.Unmarshal([]byte(`{"schema":1,"class":"ambiguous","operation":"a.b","subject":{},"detail":"d","next":"n"}`), &f))
	assert.Equal(t, fault.Fault{Class: fault.Ambiguous, Op: "a.b", Detail: "d", Next: "n"}, f)
}

// covers: FLT-1
func TestIsAndAs(t *testing.T) {
	all := samples()
	for _, class := range fault.Classes() {
		err := fmt.Errorf("outer: %w", all[class])
		for _, other := range fault.Classes() {
			assert.Equal(t, class == other, errors.Is(err, other), "%s is %s", class, other)
		}
		var f *fault.Fault
		require.ErrorAs(t, err, &f)
		assert.Same(t, all[class], f)
	}
	assert.ErrorIs(t, all[fault.Environment], fs.ErrNotExist, "the cause stays reachable")
}

// covers: FLT-2
func TestErrorSaysEverything(t *testing.T) {
	assert.Equal(t, `index.definitions Close: ambiguous: two methods of this name fit the receiver; `+
		`candidates: a/a.go:3 a.T.Close, b/b.go:9 b.T.Close; state: nothing was changed; next: name one of the candidates in full`,
		samples()[fault.Ambiguous].Error())
	assert.Equal(t, `patch.write pay/gateway.go: partial_failure: the third of five files could not be written (no space left on device); `+
		`state: all files are as they were before; next: free some disk space and apply the set again`,
		samples()[fault.PartialFailure].Error())
}

func TestSubjectString(t *testing.T) {
	assert.Equal(t, "", fault.Subject{}.String())
	assert.Equal(t, `a.go:3 p.F "text"`, fault.Subject{File: "a.go", Line: 3, Symbol: "p.F", Text: "text"}.String())
	assert.Equal(t, "p.F", fault.Subject{Line: 3, Symbol: "p.F"}.String(), "a line without a file says nothing")
}

// covers: FLT-3
func TestExitCodes(t *testing.T) {
	want := map[fault.Class]int{
		fault.InvalidInput: 2, fault.Ambiguous: 3, fault.AnchorMismatch: 4, fault.Dangerous: 5, fault.BudgetExceeded: 6,
		fault.IndexUnavailable: 7, fault.PartialFailure: 8, fault.Environment: 9, fault.Unsupported: 10, fault.Canceled: 130,
	}
	last := 0
	for _, class := range fault.Classes() {
		assert.Equal(t, want[class], class.ExitCode(), "%s", class)
		assert.Greater(t, class.ExitCode(), last, "in the order of their exit codes")
		last = class.ExitCode()
	}
	assert.Len(t, want, len(fault.Classes()))
	assert.Equal(t, 0, fault.Class("").ExitCode())
	assert.Equal(t, 1, fault.Class("new").ExitCode())
}

// covers: FLT-3
func TestClassOf(t *testing.T) {
	assert.Equal(t, fault.Class(""), fault.ClassOf(nil))
	assert.Equal(t, fault.Dangerous, fault.ClassOf(fmt.Errorf("x: %w", samples()[fault.Dangerous])))
	assert.Equal(t, fault.Unsupported, fault.ClassOf(fmt.Errorf("x: %w", fault.Unsupported)))
	assert.Equal(t, fault.Canceled, fault.ClassOf(context.DeadlineExceeded))
	assert.Equal(t, fault.Environment, fault.ClassOf(fs.ErrPermission))
}

// covers: FLT-1, FLT-2
func TestFrom(t *testing.T) {
	assert.Nil(t, fault.From(nil, "a.b", "n"))

	whole := samples()[fault.Dangerous]
	assert.Same(t, whole, fault.From(fmt.Errorf("x: %w", whole), "a.b", "n"))

	canceled := fault.From(context.Canceled, "index.index", "n")
	assert.Empty(t, faulttest.Check(canceled))
	assert.ErrorIs(t, canceled, fault.Canceled)
	assert.ErrorIs(t, canceled, context.Canceled)

	machine := fault.From(fs.ErrPermission, "index.save", "make the folder writable")
	assert.Empty(t, faulttest.Check(machine))
	assert.ErrorIs(t, machine, fault.Environment)
	assert.ErrorIs(t, machine, fs.ErrPermission)
	assert.Contains(t, machine.Error(), "permission denied")
}
