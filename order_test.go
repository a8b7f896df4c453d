package plumb_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// order is that of ARC-13, without the reader that no reference here needs.
var order = []plumb.Stage{plumb.StageIndex, plumb.StageBaseline, plumb.StageCollect, plumb.StagePlan, plumb.StageEdit,
	plumb.StagePatch, plumb.StageOverlay, plumb.StageScreen, plumb.StageTest, plumb.StageCheck, plumb.StageDecide, plumb.StageWrite, plumb.StageHandoff}

// One change with every default in place: go test, gate and the ten checks.
func TestWholeChain(t *testing.T) {
	dir := repository(t, greeter, true)
	start := fingerprint(t, dir)
	c, err := plumb.New(dir, golang.Language())
	require.NoError(t, err)
	c.Isolate(sandbox.Auto{AllowUnsandboxed: true})
	v := c.Verifier.(*verify.Layered)
	v.Mutate = false // proven where it is made; it costs a run for each mutant
	c.Editor = plumb.Given(parse(t, whole))
	var finished []plumb.Stage
	var changed []plumb.Stage // stages after which the workspace was another
	c.Observe = func(e plumb.Event) {
		if e.State == "finished" {
			finished = append(finished, e.Stage)
			if !assert.ObjectsAreEqual(start, fingerprint(t, dir)) {
				changed = append(changed, e.Stage)
			}
		}
	}
	progress := map[string]bool{}
	c.Progress = func(stage string, done, total int, _ string) {
		progress[stage] = true
		assert.LessOrEqual(t, done, total)
	}
	r, err := c.Run(t.Context(), shout())
	require.NoError(t, err)
	require.Nil(t, r.Stopped)

	// covers: CHN-1
	t.Run("the stages run in their order", func(t *testing.T) {
		assert.Equal(t, order, finished)
		require.NotNil(t, r.Handoff)
		assert.Empty(t, r.Handoff.Failed)
		assert.Len(t, r.Handoff.Checks, 10)
		drift, err := build(t, dir).Drift(t.Context())
		require.NoError(t, err)
		assert.Empty(t, drift)
	})

	// covers: ARC-13
	t.Run("the workspace changes at the write and nowhere before", func(t *testing.T) {
		assert.Equal(t, []plumb.Stage{plumb.StageWrite, plumb.StageHandoff}, changed)
		data, err := os.ReadFile(filepath.Join(dir, "greet/greet.go"))
		require.NoError(t, err)
		assert.Contains(t, string(data), "func Hello(name, mark string) string")
		require.NoError(t, c.Workspace.Undo(t.Context(), r.Receipt.ID))
		assert.Equal(t, start, fingerprint(t, dir))
	})

	// covers: CHN-2
	t.Run("four budgets stand side by side", func(t *testing.T) {
		var names []string
		for _, s := range r.Handoff.Budgets {
			names = append(names, s.Budget)
		}
		assert.Equal(t, []string{"information", "reasoning", "feedback", "authority"}, names)
		assert.Positive(t, r.Spent[0].Used)
		assert.Positive(t, r.Spent[2].Used)
	})

	// covers: ARC-7
	t.Run("progress goes through one callback, for the index and the layers", func(t *testing.T) {
		assert.Greater(t, len(progress), 1, "%v", progress)
	})

	// covers: ARC-4
	t.Run("every document has a schema, keys in lower snake case, and comes back", func(t *testing.T) {
		entries, err := ledger.Entries(t.Context(), c.Store, "shout")
		require.NoError(t, err)
		roundTrip(t, "context", r.Context, &budget.Context{})
		roundTrip(t, "plan", r.Plan, &changeset.Plan{})
		roundTrip(t, "set", r.Set, &patch.Set{})
		roundTrip(t, "report", r.Report, &verify.Report{})
		roundTrip(t, "decision", r.Decision, &gate.Decision{})
		roundTrip(t, "handoff", r.Handoff, &selfcheck.Handoff{})
		roundTrip(t, "receipt", r.Receipt, &patch.Receipt{})
		for i := range entries {
			roundTrip(t, "entry", &entries[i], &ledger.Entry{})
		}
		f := &fault.Fault{Class: fault.Ambiguous, Op: "chain.plan", Detail: "two", Candidates: []fault.Subject{{Line: 1}}, Next: "choose"}
		roundTrip(t, "fault", f, &fault.Fault{})
	})
}

var snake = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// open are keys of documents that hold names from elsewhere.
var open = map[string]bool{"variables": true, "tools": true, "data": true}

func roundTrip(t *testing.T, name string, doc, empty any) {
	t.Helper()
	first, err := json.Marshal(doc)
	require.NoError(t, err, name)
	require.NoError(t, json.Unmarshal(first, empty), name)
	second, err := json.Marshal(empty)
	require.NoError(t, err, name)
	assert.JSONEq(t, string(first), string(second), name)
	var m map[string]any
	require.NoError(t, json.Unmarshal(first, &m))
	schema, ok := m["schema"].(float64)
	assert.True(t, ok && schema >= 1, "%s has no schema number", name)
	for _, key := range keys(m, nil) {
		assert.Regexp(t, snake, key, name)
	}
}

// keys lists the keys of a document, those of open maps left out.
func keys(v any, out []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			out = append(out, k)
			if !open[k] {
				out = keys(x, out)
			}
		}
	case []any:
		for _, x := range v {
			out = keys(x, out)
		}
	}
	return out
}

// covers: CHN-1
func TestNewNeedsALanguageAndAFolder(t *testing.T) {
	_, err := plumb.New(t.TempDir())
	require.ErrorIs(t, err, fault.InvalidInput)
	_, err = plumb.New(filepath.Join(t.TempDir(), "missing"), golang.Language())
	require.ErrorIs(t, err, fault.InvalidInput)

	c, err := plumb.New(repository(t, greeter, false), golang.Language())
	require.NoError(t, err)
	_, err = c.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.Contains(t, err.Error(), "Editor or Model")
}

// covers: ARC-13
func TestDryRunWritesNothing(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	b.DryRun = true
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Nil(t, r.Receipt)
	assert.NotNil(t, r.Handoff)
	assert.NotNil(t, r.Decision.Authorization)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
	assert.NotContains(t, b.states("started"), plumb.StageWrite)
}

// covers: PAT-21
func TestNothingIsWrittenWithoutAnAuthorization(t *testing.T) {
	cases := map[string]gate.Func{
		"allowed without an authorization": func(_ context.Context, in gate.Input) (*gate.Decision, error) {
			return &gate.Decision{Schema: 1, Set: in.Set.Digest(), Verdict: gate.Allowed, Why: "careless"}, nil
		},
		"blocked": func(_ context.Context, in gate.Input) (*gate.Decision, error) {
			return &gate.Decision{Schema: 1, Set: in.Set.Digest(), Verdict: gate.Blocked, Why: "no", Findings: []gate.Finding{
				{Rule: "own.rule", Strength: gate.Evidence, Blocks: true, Reason: "it is risky", Missing: []string{"a review"}, Alternative: "have it reviewed"}}}, nil
		},
		"authorized for another set": func(ctx context.Context, in gate.Input) (*gate.Decision, error) {
			d, err := allowing(ctx, in)
			if d.Authorization != nil {
				d.Authorization.Set = strings.Repeat("0", 64)
			}
			return d, err
		},
	}
	for name, decide := range cases {
		t.Run(name, func(t *testing.T) {
			b := quick(t, greeter, plumb.Given(parse(t, whole)))
			b.Gate = decide
			r, err := b.Run(t.Context(), shout())
			require.ErrorIs(t, err, fault.Dangerous)
			assert.Nil(t, r.Receipt)
			assert.Equal(t, b.start, fingerprint(t, b.dir))
		})
	}
}
