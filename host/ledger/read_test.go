package ledger_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/ledger"
)

// covers: LED-1, LED-6
func TestOpenQuestions(t *testing.T) {
	log, store := newLog()
	first := mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindQuestion, Data: json.RawMessage(`{"text":"one refund or many?"}`)})
	second := mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindQuestion})
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindAnswer, Refs: []string{first}})
	all := entries(t, store, "t")
	open := ledger.OpenQuestions(all)
	require.Len(t, open, 1)
	assert.Equal(t, second, open[0].ID)
	assert.Len(t, ledger.OfKind(all, ledger.KindQuestion, ledger.KindAnswer), 3)
	assert.Empty(t, ledger.OfKind(all))
}

// covers: LED-2
func TestFailuresComeBackAsConstraints(t *testing.T) {
	log, store := newLog()
	want := []ledger.Failure{
		{Schema: 1, Tried: "call the gateway first", Stage: "verify", Why: "the refund must be stored before the gateway is called", Fingerprint: "f1", Places: []string{"pay.Refund"}},
		{Schema: 1, Tried: "a second refund path", Stage: "changeset", Why: "refunds must go through pay.Refund"},
	}
	for _, f := range want {
		mustRecord(t, log, f.Entry("t"))
	}
	all := entries(t, store, "t")
	assert.Equal(t, "verify", all[0].Stage)
	got, err := ledger.Failures(all)
	require.NoError(t, err)
	assert.Equal(t, want, got)

	f, ok := ledger.RejectedBefore(got, "  Call the\tgateway FIRST ", "")
	assert.True(t, ok)
	assert.Equal(t, want[0], f)
	f, ok = ledger.RejectedBefore(got, "in other words", "f1")
	assert.True(t, ok)
	assert.Equal(t, want[0], f)
	_, ok = ledger.RejectedBefore(got, "call the gateway last", "")
	assert.False(t, ok)
	_, ok = ledger.RejectedBefore(got, "", "")
	assert.False(t, ok, "nothing asked, nothing rejected")

	all[1].Data = json.RawMessage(`{}`)
	_, err = ledger.Failures(all)
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.ErrorContains(t, err, "t#2")
}

// covers: CHG-9, LED-4, LED-6
func TestFinishedStageComesBackExactly(t *testing.T) {
	log, store := newLog()
	want := ledger.Finished{Schema: 1, Stage: "plan", Input: "digest-1", Output: json.RawMessage(`{"z":1,"a":[1.50,null],"s":"<&>\u2028"}`),
		Done: "every capability point has an action", Symbols: []string{"pay.Partial"}, Tests: []string{"TestPartial"},
		Rejected: []string{"a second path"}, Questions: []string{"t#4"}}
	mustRecord(t, log, want.Entry("t"))
	for range 200 {
		mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindBudget})
	}
	mustRecord(t, log, ledger.Finished{Stage: "plan", Input: "digest-2", Output: json.RawMessage(`2`)}.Entry("t"))
	all := entries(t, store, "t")

	got, ok, err := ledger.FinishedOn(all, "plan", "digest-1")
	require.NoError(t, err)
	require.True(t, ok)
	assert.JSONEq(t, string(want.Output), string(got.Output))
	assert.Contains(t, string(got.Output), "1.50", "numbers keep their form")
	got.Output = want.Output
	assert.Equal(t, want, got)

	_, ok, err = ledger.FinishedOn(all, "plan", "digest-3")
	require.NoError(t, err)
	assert.False(t, ok, "a stage finished on other input is not finished")
	_, ok, err = ledger.FinishedOn(all, "gate", "digest-1")
	require.NoError(t, err)
	assert.False(t, ok)
	all[0].Data = json.RawMessage(`{}`)
	_, _, err = ledger.FinishedOn(all, "plan", "digest-1")
	assert.ErrorIs(t, err, fault.InvalidInput)
}

// complete records a task in which nothing is missing.
func complete(t *testing.T) []ledger.Entry {
	log, store := newLog()
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindIndex, Index: "i1"})
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindContext, Index: "i1"})
	patch := mustRecord(t, log, ledger.Hunks{Set: "s1"}.Entry("t", "model", "i1"))
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindRun, Refs: []string{patch}})
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindIndex, Index: "i2"})
	mustRecord(t, log, ledger.Hunks{Set: "s2"}.Entry("t", "model", "i2"))
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindAttribution, Data: json.RawMessage(`{"set":"s2"}`)})
	return entries(t, store, "t")
}

// covers: LED-1
func TestComplete(t *testing.T) {
	assert.NoError(t, ledger.Complete(complete(t)))
	for without, want := range map[int]string{
		0: "the index entry for snapshot i1 of patch t#3",
		1: "the context ledger of patch t#3; the context ledger of patch t#6",
		3: "the results of patch t#3 (set s1)",
		4: "the index entry for snapshot i2 of patch t#6",
		6: "the results of patch t#6 (set s2)",
	} {
		all := complete(t)
		err := ledger.Complete(slices.Delete(all, without, without+1))
		assert.ErrorIs(t, err, fault.PartialFailure)
		assert.ErrorContains(t, err, "the record lacks "+want+";", "without %d", without)
		assert.Empty(t, faulttest.Check(err))
	}
}

// covers: LED-1
func TestCompleteWithoutAPatch(t *testing.T) {
	err := ledger.Complete(nil)
	assert.ErrorIs(t, err, fault.PartialFailure)
	for _, want := range []string{"the patch", "the snapshot digest", "the context ledger", "the results"} {
		assert.ErrorContains(t, err, want)
	}
	all := complete(t)
	err = ledger.Complete([]ledger.Entry{all[0], all[1], all[3]})
	assert.ErrorContains(t, err, "the record lacks the patch (no hunks entry);")

	all = complete(t)
	all[2].Index = ""
	assert.ErrorContains(t, ledger.Complete(all), "the snapshot digest of patch t#3")
	all[2].Data = json.RawMessage(`{}`)
	assert.ErrorIs(t, ledger.Complete(all), fault.InvalidInput)
}

// covers: LED-1
func TestWhoChanged(t *testing.T) {
	log, store := newLog()
	// Before: 10 lines. The first patch replaces lines 3-4 by three lines and removes line 8.
	mustRecord(t, log, ledger.Hunks{Set: "s1", Coverage: "9 of 9 files", Hunks: []ledger.Hunk{
		{File: "a.go", Start: 3, End: 5, OldStart: 3, OldEnd: 4, Capability: "CAP-1", Action: "A1", Why: "upper limit"},
		{File: "a.go", Start: 9, End: 8, OldStart: 8, OldEnd: 8, Why: "dead code"},
		{File: "b.go", Start: 1, End: 1, OldStart: 1, OldEnd: 0, Why: "new file"},
	}}.Entry("t", "model", "i1"))
	// The second renames the file, puts two lines on top and replaces what is then line 6 (line 4 before).
	mustRecord(t, log, ledger.Hunks{Set: "s2", Coverage: "10 of 10 files", Hunks: []ledger.Hunk{
		{File: "c.go", OldFile: "a.go", Start: 1, End: 2, OldStart: 1, OldEnd: 0, Why: "licence"},
		{File: "c.go", OldFile: "a.go", Start: 6, End: 6, OldStart: 4, OldEnd: 4, Why: "wording"},
	}}.Entry("t", "Ada", "i2"))
	all := entries(t, store, "t")

	for at, want := range map[string]string{
		"c.go:1": "licence", "c.go:2": "licence", "c.go:3": "", "c.go:4": "", "c.go:5": "upper limit", "c.go:6": "wording",
		"c.go:7": "upper limit", "c.go:8": "", "c.go:11": "", "b.go:1": "new file", "b.go:2": "", "a.go:1": "", "d.go:1": "",
	} {
		var file string
		var line int
		_, err := fmt.Sscanf(at, "%4s:%d", &file, &line)
		require.NoError(t, err)
		c, ok, err := ledger.WhoChanged(all, file, line)
		require.NoError(t, err)
		assert.Equal(t, want != "", ok, at)
		assert.Equal(t, want, c.Hunk.Why, at)
	}

	c, ok, err := ledger.WhoChanged(all, "c.go", 7)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, "model", c.Entry.By, "who")
	assert.Equal(t, noon().UTC(), c.Entry.Time, "when")
	assert.Equal(t, "CAP-1", c.Hunk.Capability, "why")
	assert.Equal(t, "i1", c.Entry.Index, "on which index state")
	assert.Equal(t, "9 of 9 files", c.Coverage, "and coverage")
	assert.Equal(t, "s1", c.Set)

	_, _, err = ledger.WhoChanged(all, "c.go", 0)
	assert.ErrorIs(t, err, fault.InvalidInput)
	all[1].Data = nil
	_, _, err = ledger.WhoChanged(all, "c.go", 1)
	assert.ErrorIs(t, err, fault.InvalidInput)
}
