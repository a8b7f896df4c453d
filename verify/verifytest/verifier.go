package verifytest

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/verify"
)

// Verifier holds a Verifier to its contract. Good is a change that passes every
// layer, bad one that breaks a reference and leaves it; both need a Workspace.
func Verifier(t *testing.T, v verify.Verifier, good, bad verify.Input) {
	t.Run("passes a good change and says what it is about", func(t *testing.T) { passes(t, v, good) })
	t.Run("stops behind the layer that fails", func(t *testing.T) { stops(t, v, bad) })
	t.Run("runs the layers asked for", func(t *testing.T) { asked(t, v, good) })
	t.Run("round-trips through JSON", func(t *testing.T) { roundTrip(t, v, good) })
	t.Run("refuses input that does not fit", func(t *testing.T) { misfits(t, v, good) })
	t.Run("ends when canceled", func(t *testing.T) { ended(t, v, good) })
}

func report(t *testing.T, v verify.Verifier, in verify.Input) *verify.Report {
	t.Helper()
	r, err := v.Verify(t.Context(), in)
	require.NoError(t, err)
	return r
}

func passes(t *testing.T, v verify.Verifier, in verify.Input) {
	r := report(t, v, in)
	var names []verify.LayerName
	for _, l := range r.Layers {
		names = append(names, l.Name)
		assert.Equal(t, verify.LayerPassed, l.Status, "%s %v", l.Name, l.Findings)
		assert.Positive(t, l.Budget)
		assert.Empty(t, l.Next)
	}
	assert.Equal(t, []verify.LayerName{verify.L0, verify.L1, verify.L2, verify.L3}, names)
	assert.Equal(t, in.Before.Digest(), r.Before)
	assert.Equal(t, in.After.Digest(), r.After)
	if in.Set != nil {
		assert.Equal(t, in.Set.Digest(), r.Set)
	}
	assert.NotEmpty(t, r.Unverified, "no change is verified in everything")
	assert.NotEmpty(t, r.Tests)
	for _, s := range append(slices.Clone(r.Selection.Selected), r.Selection.Skipped...) {
		assert.NotEmpty(t, s.Source)
		assert.NotEmptyf(t, s.Why, "%v without a reason", s.Test)
	}
	for _, x := range r.Tests {
		assert.NotEmpty(t, x.Attribution)
		assert.NotContains(t, []verify.Attribution{verify.Regression, verify.NewFailing}, x.Attribution)
	}
}

func stops(t *testing.T, v verify.Verifier, in verify.Input) {
	r := report(t, v, in)
	require.NotEmpty(t, r.Missing)
	for _, m := range r.Missing {
		assert.NotEmpty(t, m.Symbol)
		assert.NotEmpty(t, m.Reason)
		assert.NotEmpty(t, m.Ref.Span.File)
		assert.Positive(t, m.Ref.Span.Line)
	}
	failed := false
	for _, l := range r.Layers {
		switch {
		case failed:
			assert.Equal(t, verify.LayerNotRun, l.Status, "%s runs behind a layer that failed", l.Name)
		case l.Status != verify.LayerPassed:
			failed = true
			assert.Equal(t, verify.L1, l.Name)
			assert.NotEmpty(t, l.Next, "the next action")
			assert.NotEmpty(t, l.Findings)
		}
	}
	assert.True(t, failed)
	assert.Empty(t, r.Commands, "nothing runs before the symbols agree")
}

func asked(t *testing.T, v verify.Verifier, in verify.Input) {
	in.Layers = []verify.LayerName{verify.L1, verify.L0} // the order is theirs
	in.Workspace = nil                                   // they need none
	r := report(t, v, in)
	require.Len(t, r.Layers, 2)
	assert.Equal(t, verify.L0, r.Layers[0].Name)
	assert.Equal(t, verify.L1, r.Layers[1].Name)
	assert.Empty(t, r.Commands)
}

func roundTrip(t *testing.T, v verify.Verifier, in verify.Input) {
	in.Layers = []verify.LayerName{verify.L0, verify.L1}
	r := report(t, v, in)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var back verify.Report
	require.NoError(t, json.Unmarshal(data, &back))
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.JSONEq(t, string(data), string(again))
	assert.Positive(t, back.Schema)
}

func misfits(t *testing.T, v verify.Verifier, in verify.Input) {
	for name, bad := range map[string]verify.Input{"nothing": {}, "no After": {Before: in.Before}, "no Before": {After: in.After}} {
		_, err := v.Verify(t.Context(), bad)
		require.ErrorIsf(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err))
	}
}

func ended(t *testing.T, v verify.Verifier, in verify.Input) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := v.Verify(ctx, in)
	require.ErrorIs(t, err, fault.Canceled)
}
