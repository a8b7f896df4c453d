package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/ledger"
)

// noon is a clock that stands still.
func noon() time.Time { return time.Date(2024, 5, 1, 14, 0, 0, 5, time.FixedZone("", 7200)) }

func newLog() (*ledger.Log, *ledger.Memory) {
	store := &ledger.Memory{}
	return &ledger.Log{Store: store, Now: noon}, store
}

func mustRecord(t *testing.T, r ledger.Recorder, e ledger.Entry) string {
	t.Helper()
	id, err := r.Record(context.Background(), e)
	require.NoError(t, err)
	return id
}

func entries(t *testing.T, s ledger.Store, task string) []ledger.Entry {
	t.Helper()
	all, err := ledger.Entries(context.Background(), s, task)
	require.NoError(t, err)
	return all
}

// covers: LED-1
func TestLogFillsIn(t *testing.T) {
	log, store := newLog()
	first := mustRecord(t, log, ledger.Entry{Task: "refund", Kind: ledger.KindIndex, Index: "i1", ID: "ignored", Seq: 9})
	second := mustRecord(t, log, ledger.Entry{Task: "refund", Kind: ledger.KindPlan, Refs: []string{first}, Time: noon().Add(time.Hour)})
	assert.Equal(t, []string{"refund#1", "refund#2"}, []string{first, second})
	got := entries(t, store, "refund")
	assert.Equal(t, ledger.Entry{Schema: 1, ID: "refund#1", Task: "refund", Seq: 1, Kind: ledger.KindIndex, Index: "i1",
		Time: time.Date(2024, 5, 1, 12, 0, 0, 5, time.UTC)}, got[0])
	assert.Equal(t, time.Date(2024, 5, 1, 13, 0, 0, 5, time.UTC), got[1].Time)
	assert.Equal(t, []string{first}, got[1].Refs)
}

// covers: LED-1
func TestEveryKindIsRecorded(t *testing.T) {
	want := []ledger.Kind{"index", "context", "plan", "hunks", "authorization", "run", "attribution", "judgement", "question",
		"answer", "provisional", "fingerprint", "budget", "stage", "rejected", "export"}
	assert.Equal(t, want, ledger.Kinds())
	log, store := newLog()
	shapes := map[ledger.Kind]ledger.Entry{
		ledger.KindHunks:    ledger.Hunks{Set: "s"}.Entry("t", "", ""),
		ledger.KindStage:    ledger.Finished{Stage: "plan", Input: "i", Output: json.RawMessage(`{}`)}.Entry("t"),
		ledger.KindRejected: ledger.Failure{Tried: "x", Stage: "plan", Why: "it must not"}.Entry("t"),
	}
	for _, kind := range append(want, "x_mine") {
		e, ok := shapes[kind]
		if !ok {
			e = ledger.Entry{Task: "t", Kind: kind, Data: json.RawMessage(`{"probability":0.25}`)}
		}
		mustRecord(t, log, e)
	}
	assert.Len(t, entries(t, store, "t"), len(want)+1)
}

// covers: LED-1, LED-2, FLT-2
func TestLogRefusesWhatIsNotAnEntry(t *testing.T) {
	log, store := newLog()
	failure := func(f ledger.Failure) ledger.Entry { return f.Entry("t") }
	hunk := func(h ledger.Hunk) ledger.Entry {
		return ledger.Hunks{Set: "s", Hunks: []ledger.Hunk{h}}.Entry("t", "m", "i")
	}
	for want, e := range map[string]ledger.Entry{
		"names no task":                  {Kind: ledger.KindPlan},
		`"" is no kind of entry`:         {Task: "t"},
		`"plans" is no kind of entry`:    {Task: "t", Kind: "plans"},
		`"x_" is no kind of entry`:       {Task: "t", Kind: "x_"},
		"not one JSON document":          {Task: "t", Kind: ledger.KindPlan, Data: json.RawMessage(`{`)},
		"the rejected entry has no data": {Task: "t", Kind: ledger.KindRejected},
		"has the wrong form":             {Task: "t", Kind: ledger.KindHunks, Data: json.RawMessage(`[]`)},
		"what was tried":                 failure(ledger.Failure{Stage: "verify", Why: "it must not"}),
		"at which stage":                 failure(ledger.Failure{Tried: "x", Why: "it must not"}),
		"not a constraint":               failure(ledger.Failure{Tried: "x", Stage: "verify", Why: "failed"}),
		"not one sentence: it has 27":    failure(ledger.Failure{Tried: "x", Stage: "verify", Why: "panic: nil\n\ngoroutine 1 [r]"}),
		"not one sentence: it has 2000":  failure(ledger.Failure{Tried: "x", Stage: "verify", Why: strings.Repeat("why ", 500)}),
		"of which set":                   ledger.Hunks{}.Entry("t", "m", "i"),
		"hunk 0 names no file":           hunk(ledger.Hunk{Start: 1, End: 1, OldStart: 1, OldEnd: 1, Why: "w"}),
		"the lines 0 to 1":               hunk(ledger.Hunk{File: "f", End: 1, OldStart: 1, OldEnd: 1, Why: "w"}),
		"the old lines 3 to 1":           hunk(ledger.Hunk{File: "f", Start: 1, End: 1, OldStart: 3, OldEnd: 1, Why: "w"}),
		"does not say why":               hunk(ledger.Hunk{File: "f", Start: 1, End: 1, OldStart: 1, OldEnd: 1}),
		"stage has no name":              ledger.Finished{Input: "i", Output: json.RawMessage(`1`)}.Entry("t"),
		"what it worked on":              ledger.Finished{Stage: "s", Output: json.RawMessage(`1`)}.Entry("t"),
		"hands on nothing":               {Task: "t", Kind: ledger.KindStage, Data: json.RawMessage(`{"stage":"s","input":"i"}`)},
	} {
		_, err := log.Record(context.Background(), e)
		assert.ErrorIs(t, err, fault.InvalidInput, want)
		assert.ErrorContains(t, err, want)
		assert.Empty(t, faulttest.Check(err), want)
	}
	assert.Empty(t, entries(t, store, "t"))

	_, err := (&ledger.Log{}).Record(context.Background(), ledger.Entry{Task: "t", Kind: ledger.KindPlan})
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.Empty(t, faulttest.Check(err))
}

// brokenStore cannot be written and holds what no Log wrote.
type brokenStore struct{ doc string }

func (s brokenStore) Append(context.Context, string, []byte) (int, error) {
	return 0, fs.ErrPermission
}

func (s brokenStore) Read(context.Context, string) ([][]byte, error) {
	if s.doc == "" {
		return nil, fs.ErrPermission
	}
	return [][]byte{[]byte(s.doc)}, nil
}

// covers: FLT-1
func TestErrorsOfAStoreBecomeFaults(t *testing.T) {
	ctx := context.Background()
	_, err := (&ledger.Log{Store: brokenStore{}}).Record(ctx, ledger.Entry{Task: "t", Kind: ledger.KindPlan})
	assert.ErrorIs(t, err, fault.Environment)
	assert.True(t, errors.Is(err, fs.ErrPermission))
	for doc, class := range map[string]fault.Class{"": fault.Environment, `[]`: fault.Environment, `{"schema":2}`: fault.Unsupported} {
		_, err := ledger.Entries(ctx, brokenStore{doc}, "t")
		assert.ErrorIs(t, err, class)
		assert.Empty(t, faulttest.Check(err))
	}
}

// covers: ARC-2
func TestFuncIsARecorder(t *testing.T) {
	var got ledger.Entry
	r := ledger.Func(func(_ context.Context, e ledger.Entry) (string, error) { got = e; return "id", nil })
	assert.Equal(t, "id", mustRecord(t, r, ledger.Entry{Task: "t"}))
	assert.Equal(t, "t", got.Task)
}
