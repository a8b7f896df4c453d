package plumb_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// What the gate leaves to a person goes to the chain's Approver, within the
// budget of authority, and once for each operation.
//
// covers: CHN-2
func TestTheApproverIsAsked(t *testing.T) {
	dir := kettleFiles(t)
	asked := 0
	run := func(by string, authority int) (*plumb.Result, error) {
		edits, err := patch.Parse([]byte(heatWhole))
		require.NoError(t, err)
		c := kettle(t, dir)
		c.Editor, c.DryRun = plumb.Given(edits), true
		c.Budgets.Authority = authority
		c.Approver = gate.ApproverFunc(func(_ context.Context, op gate.Operation) (string, error) {
			asked++
			assert.Equal(t, "heat more", op.What)
			return by, nil
		})
		c.Gate = &gate.Rules{Use: []gate.Rule{{ID: "kettle.heat", Class: "kettle", Strength: gate.Evidence,
			Check: func(context.Context, *gate.Case) ([]gate.Finding, error) {
				return []gate.Finding{{Reason: "it gets hot", Approve: "heat more", Alternative: "leave it"}}, nil
			}}}}
		c.Verifier = verify.Func(func(_ context.Context, in verify.Input) (*verify.Report, error) {
			r := &verify.Report{Schema: 1, Set: in.Set.Digest(), Before: in.Before.Digest(), After: in.After.Digest()}
			for _, l := range []verify.LayerName{verify.L0, verify.L1, verify.L2} {
				r.Layers = append(r.Layers, verify.Layer{Name: l, Status: verify.LayerPassed})
			}
			return r, nil
		})
		c.Checker = selfcheck.Func(func(context.Context, selfcheck.Evidence) (*selfcheck.Handoff, error) {
			return &selfcheck.Handoff{}, nil
		})
		return c.Run(t.Context(), kettleTask())
	}

	_, err := run("", 0)
	require.ErrorIs(t, err, fault.Dangerous, "a person who does not approve keeps the change out")
	assert.Equal(t, 1, asked)

	_, err = run("Ada", -1)
	require.ErrorIs(t, err, fault.BudgetExceeded, "approvals are paid from the budget of authority")
	assert.Equal(t, 1, asked)

	r, err := run("Ada", 1)
	require.NoError(t, err)
	assert.Equal(t, 2, asked)
	require.NotNil(t, r.Decision)
	assert.Contains(t, r.Decision.Authorization.By, "Ada")

	_, err = run("", 0)
	require.NoError(t, err, "what was approved is not asked again")
	assert.Equal(t, 2, asked)
}
