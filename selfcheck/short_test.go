package selfcheck_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/selfcheck/selfchecktest"
	"github.com/plumbkit/plumb/verify"
)

// A hand-off is read in a sitting: a table of skipped rows is one line, and a
// place that the plan allowed and nobody used is none.
//
// covers: SLF-4
func TestTheHandoffLeavesOutWhatNobodyReads(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	for _, row := range []string{"red", "green", "blue"} {
		ev.Report.Tests = append(ev.Report.Tests, verify.Result{Test: verify.TestID{Dir: "lamp", Name: "TestBulbs/" + row}, Of: verify.TestID{Dir: "lamp", Name: "TestBulbs"}, After: verify.Skipped,
			Attribution: verify.NotExecuted, Reason: "no " + row + " bulb"})
	}
	ev.Plan.Actions = append(ev.Plan.Actions, changeset.Action{ID: "A-99", Kind: "create", Symbol: "lamp.Shade", Grade: changeset.Medium, Why: "a helper may be needed"})
	h := check(t, ev)
	require.Len(t, slices.DeleteFunc(slices.Clone(h.Verified.Skipped), func(s string) bool { return !strings.Contains(s, "TestBulbs") }), 1)
	assert.Contains(t, h.Markdown(), "no red bulb; and 2 more subtests of TestBulbs")
	for _, c := range h.Choices {
		assert.NotContains(t, c.Why, "a helper may be needed")
	}
}
