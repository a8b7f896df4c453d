package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// withPytest makes the Python of this project's own environment the one that
// tests run with.
func withPytest(t *testing.T) {
	t.Helper()
	env, err := filepath.Abs("../../.cache/pytest")
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(env, "bin", "python"))
	require.NoError(t, err, "make the environment of the tests: bash .ci/tools")
	t.Setenv("VIRTUAL_ENV", env)
}

// covers: STY-1, STY-4, STY-5, STY-6, STY-7, STY-8, STY-9, STY-11, STY-12
func TestTheStoryInPython(t *testing.T) {
	withPytest(t)
	tale := inPython()
	shop, err := tale.lay(t.Context(), t.TempDir())
	require.NoError(t, err)
	start := tree(t, shop)
	job, err := tale.request()
	require.NoError(t, err)
	var said bytes.Buffer
	c, err := tale.chain(shop, &said, tale.model(&said, tale.attempts...), options{})
	require.NoError(t, err)
	var reports []*verify.Report
	var sets []*patch.Set
	show := c.Observe
	c.Observe = func(e plumb.Event) {
		show(e)
		switch d := e.Data.(type) {
		case *verify.Report:
			reports = append(reports, d)
		case *patch.Set:
			sets = append(sets, d)
		}
	}
	r, err := c.Run(t.Context(), job)
	require.NoError(t, err, said.String())
	require.Nil(t, r.Stopped, said.String())

	t.Run("four points, two questions", func(t *testing.T) {
		require.Len(t, r.Plan.Capabilities, 4)
		require.Len(t, r.Plan.Questions, 2)
		for _, q := range r.Plan.Questions {
			assert.NotNil(t, q.Answer, q.ID)
		}
	})
	t.Run("noise is restored", func(t *testing.T) {
		assert.Equal(t, 1, sets[0].Noise.Restored)
	})
	t.Run("an override that was left behind is missing", func(t *testing.T) {
		require.Len(t, reports[0].Missing, 1)
		assert.Equal(t, "shop/payment/voucher.py:13", reports[0].Missing[0].Ref.Span.String())
	})
	t.Run("what is reached by name is read before any test", func(t *testing.T) {
		var places []string
		for _, u := range reports[1].Confirm {
			assert.NotEqual(t, index.Static, u.Status)
			places = append(places, u.Span.String())
		}
		assert.Contains(t, places, "shop/jobs.py:5")
		assert.Contains(t, string(r.Set.Diff()), `+    return [operation(order_id, None, f"{job}-{order_id}", "nightly") for order_id in orders]`)
	})
	t.Run("tests beside the baseline", func(t *testing.T) {
		of := map[verify.Attribution][]string{}
		for _, x := range r.Report.Tests {
			of[x.Attribution] = append(of[x.Attribution], x.Test.File+" "+x.Test.Name)
		}
		assert.Equal(t, []string{"test_report.py test_line_of_last_year"}, of[verify.PreExisting])
		assert.Empty(t, of[verify.Regression])
		assert.Empty(t, of[verify.NewFailing])
		assert.Len(t, of[verify.NewPassing], 10, "five tests of the service, three of them one test with three amounts, and two of the back office")
		for _, p := range r.Report.Capabilities {
			assert.Empty(t, p.Missing, p.Capability)
			assert.NotEmpty(t, p.Assertions, p.Capability)
		}
	})
	t.Run("the hand-off says what was not verified", func(t *testing.T) {
		assert.Contains(t, r.Handoff.Markdown(), "two callers at once")
		assert.Contains(t, r.Handoff.Markdown(), "stored form")
	})
	t.Run("undo brings back the exact tree", func(t *testing.T) {
		want, err := tale.answer("want.diff")
		require.NoError(t, err)
		assert.Equal(t, changedLines(want), changedLines(string(r.Set.Diff())))
		require.NoError(t, c.Workspace.Undo(t.Context(), r.Receipt.ID))
		assert.Equal(t, start, tree(t, shop))
	})
}

// changedLines are the lines of a diff that it takes out and puts in, by file.
func changedLines(diff string) []string {
	var out []string
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return out
}

// covers: STY-10
func TestAModelThatWeakensATestInPythonIsBlocked(t *testing.T) {
	withPytest(t)
	tale := inPython()
	shop, err := tale.lay(t.Context(), t.TempDir())
	require.NoError(t, err)
	job, err := tale.request()
	require.NoError(t, err)
	start, err := tale.state(t.Context(), shop)
	require.NoError(t, err)
	var said bytes.Buffer
	require.NoError(t, tale.weaken(t.Context(), &said, shop, job, options{}, start), said.String())
	assert.Regexp(t, `without a plan blocked by tests\.\S+ at tests/test_jobs\.py:5`, said.String())
}
