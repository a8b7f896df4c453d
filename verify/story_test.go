package verify_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// refund is the shop of the example with an answer of its scripted model.
func refund(t *testing.T, diff string) *scenario {
	t.Helper()
	const data = "../examples/refund/testdata"
	s := &scenario{dir: t.TempDir()}
	root := os.DirFS(filepath.Join(data, "repo"))
	require.NoError(t, fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(s.dir, strings.TrimSuffix(p, ".in"))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	}))
	var err error
	s.before, err = (&index.TreeSitter{Languages: []*index.Language{language()}}).Index(t.Context(), index.Input{FS: os.DirFS(s.dir)})
	require.NoError(t, err)
	s.workspace, err = patch.Open(s.dir)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(data, "edits", diff))
	require.NoError(t, err)
	edits, err := patch.ParseDiff(text)
	require.NoError(t, err)
	s.set, err = (&patch.Anchored{}).Patch(t.Context(), patch.Input{Before: s.before, Edits: edits})
	require.NoError(t, err)
	s.after, err = s.before.Overlay(t.Context(), s.set.Overlay())
	require.NoError(t, err)
	return s
}

// covers: VER-3, STY-7
func TestHandlersReachedByNameAreToBeConfirmed(t *testing.T) {
	s := refund(t, "attempt2.diff")
	r, err := (&verify.Layered{}).Verify(t.Context(), s.input(verify.L0, verify.L1))
	require.NoError(t, err)
	assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L0).Status, "%v", layer(t, r, verify.L0).Findings)
	assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L1).Status, "%v", layer(t, r, verify.L1).Findings)
	in := map[string]bool{}
	for _, ref := range r.Confirm {
		if ref.Status == index.Dynamic {
			symbol, _, _ := strings.Cut(ref.In, "@")
			in[symbol] = true
		}
	}
	assert.True(t, in["example.com/shop/backoffice.menu"], "the registry of strings: %v", in)
	assert.True(t, in["example.com/shop/backoffice.Server.postBatch"], "reflection by name: %v", in)
}

// covers: VER-5, VER-15, STY-8, STY-11
func TestTheShopsSelectionIsAProperSubset(t *testing.T) {
	s := refund(t, "attempt2.diff")
	in := s.input()
	in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "REFUND-1", Symbols: []string{"refund.Service.Refund"}}}}
	v := scripted(&tool{})
	v.Sandbox = sandbox.Func(lost) // what is selected is known before anything runs
	r, err := v.Verify(t.Context(), in)
	require.NoError(t, err)
	chosen := map[string]bool{}
	for _, x := range r.Selection.Selected {
		chosen[x.Test.Dir+" "+x.Test.Name] = true
	}
	assert.NotEmpty(t, r.Selection.Skipped)
	assert.Empty(t, r.Selection.Widened)
	for _, name := range []string{"refund TestSlipWritesAmountsLikeTheInvoice", "returns TestLabelShowsTheTimeOfTheDesk",
		"refund TestRefundInFull", "refund TestRefundOnceForEachKey", "refund TestRefusals", "refund TestWalletGetsTheMoney"} {
		assert.True(t, chosen[name], name)
	}
	assert.False(t, chosen["catalog TestSearch"], "the catalog has nothing to do with refunds")
	assert.Contains(t, unverified(r), "two callers at once on example.com/shop/payment")
	assert.Contains(t, unverified(r), "stored form of what example.com/shop/audit.Log.OrderRefunded records")
}
