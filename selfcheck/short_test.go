package selfcheck_test

import (
	"encoding/json"
	"fmt"
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

// A capability point that hundreds of tests check names the first eight; JSON
// keeps all of them.
//
// covers: SLF-4
func TestTheHandoffNamesTheFirstTestsOfAPoint(t *testing.T) {
	h := check(t, selfchecktest.Evidence(t))
	require.NotEmpty(t, h.Changed)
	name := func(i int) string { return fmt.Sprintf("lamp TestBulb%02d", i) }
	h.Changed[0].Tests = nil
	for i := range 8 {
		h.Changed[0].Tests = append(h.Changed[0].Tests, name(i))
	}
	assert.Contains(t, h.Markdown(), "checked by: "+strings.Join(h.Changed[0].Tests, ", ")+"\n", "eight are all shown")
	for i := 8; i < 500; i++ {
		h.Changed[0].Tests = append(h.Changed[0].Tests, name(i))
	}
	want := "checked by: " + strings.Join(h.Changed[0].Tests[:8], ", ") + " and 492 more"
	assert.Contains(t, h.Markdown(), want)
	assert.NotContains(t, h.Markdown(), name(8))
	page, err := h.HTML()
	require.NoError(t, err)
	assert.Contains(t, string(page), want)
	assert.NotContains(t, string(page), name(8))
	data, err := json.Marshal(h)
	require.NoError(t, err)
	assert.Contains(t, string(data), name(499))
}

// A command that names hundreds of tests is cut in the head of the page, which
// says so, and stands whole below.
//
// covers: SLF-4
func TestTheHeadOfTheHandoffCutsLongCommands(t *testing.T) {
	h := check(t, selfchecktest.Evidence(t))
	long := "tool run " + strings.Repeat("lamp.", 400) + " (in ., tree after, exit code 0, 1s)"
	h.Verified.Commands = []string{long}
	head, rest, found := strings.Cut(h.Markdown(), "## What changed")
	require.True(t, found)
	assert.NotContains(t, head, long)
	assert.Regexp(t, `tool run lamp.* … \(\d+ bytes left out; whole under Verified\) … .*exit code 0`, head)
	assert.Contains(t, rest, long)
}
