package ledger_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/ledger"
)

// covers: ARC-4, LED-1
func TestRecordFileFormat(t *testing.T) {
	s := &ledger.Files{Dir: t.TempDir()}
	log := &ledger.Log{Store: s, Now: noon}
	first := mustRecord(t, log, ledger.Entry{Task: "refund", Kind: ledger.KindIndex, Stage: "index", By: "plumb", Index: "i1",
		Data: json.RawMessage(`{"files": 40}`)})
	mustRecord(t, log, ledger.Hunks{Set: "s1", Coverage: "40 of 40 files", Hunks: []ledger.Hunk{
		{File: "pay/refund.go", OldFile: "pay/pay.go", Start: 3, End: 5, OldStart: 3, OldEnd: 4, Action: "A1", Capability: "CAP-1", Why: "upper limit"}}}.
		Entry("refund", "model", "i1"))
	mustRecord(t, log, ledger.Failure{Tried: "gateway first", Stage: "verify", Why: "store before the call", Fingerprint: "f1", Places: []string{"pay.Refund"}}.Entry("refund"))
	mustRecord(t, log, ledger.Finished{Stage: "plan", Input: "d1", Output: json.RawMessage(`{}`), Done: "planned", Symbols: []string{"a"}, Tests: []string{"b"},
		Rejected: []string{"c"}, Questions: []string{first}}.Entry("refund"))
	got, err := os.ReadFile(filepath.Join(s.Dir, "refund.jsonl"))
	require.NoError(t, err)
	golden := filepath.Join("testdata", "refund.jsonl")
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))

	// The committed file reads back, and every entry round-trips.
	all, err := ledger.Entries(context.Background(), &ledger.Files{Dir: "testdata"}, "refund")
	require.NoError(t, err)
	require.Len(t, all, 4)
	for _, e := range all {
		doc, err := json.Marshal(e)
		require.NoError(t, err)
		var back ledger.Entry
		require.NoError(t, json.Unmarshal(doc, &back))
		assert.Equal(t, e, back)
	}
}
