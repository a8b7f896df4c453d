package verify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index/lang/typescript"
	"github.com/plumbkit/plumb/verify"
)

// What everything uses leads to more tests than the time of L2 reaches for: the
// nearest run first, on both trees; the others follow while there is time, and are
// listed with the reason when there is none, or when the nearest are red.
//
// covers: VER-5, VER-12
func TestTheNearestTestsRunWithinTheTimeOfL2(t *testing.T) {
	const many = 900
	var far strings.Builder
	far.WriteString(`import { order } from "./order";` + "\n")
	for i := range many {
		fmt.Fprintf(&far, "it(\"far %03d\", () => { expect(order(%d)).toBe(%d); });\n", i, i, i)
	}
	before, ws := indexed(t, typescript.Language(), map[string]string{
		"package.json":      `{"name": "shop"}`,
		"refund.ts":         "export function refund(n: number) {\n  return n;\n}\n",
		"order.ts":          `import { refund } from "./refund";` + "\nexport function order(n: number) {\n  return refund(n);\n}\n",
		"a/far.spec.ts":     strings.ReplaceAll(far.String(), "./order", "../order"),
		"b/nearest.spec.ts": `import { refund } from "../refund";` + "\nit(\"near\", () => { expect(refund(1)).toBe(1); });\n",
	})
	after, err := before.Overlay(t.Context(), map[string][]byte{"refund.ts": []byte("export function refund(n: number) {\n  return n + 0;\n}\n")})
	require.NoError(t, err)
	near := verify.TestID{Dir: "b", File: "nearest.spec.ts", Name: "near"}

	for name, c := range map[string]struct {
		start  time.Duration // what is done before the first run
		took   time.Duration // one run of the tool
		red    bool
		runs   []int // tests of each run
		status verify.LayerStatus
		why    string
	}{
		"all of them":         {0, time.Second, false, []int{400, 400, 400, 400, 101, 101}, verify.LayerPassed, ""},
		"a slow start":        {30 * time.Second, time.Second, false, []int{400, 400, 400, 400, 101, 101}, verify.LayerPassed, ""},
		"as far as time goes": {0, 15 * time.Second, false, []int{400, 400}, verify.LayerPassed, "the time of L2 reached for the 400 nearest tests"},
		"red at once":         {0, time.Second, true, []int{400, 400}, verify.LayerFailed, "tests that ran before them are red already"},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(0, 0)
			var runs [][]verify.TestID
			tool := func(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
				now = now.Add(c.took)
				runs = append(runs, run.Tests)
				for _, id := range run.Tests {
					o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
					if id == near && c.red && len(runs) == 2 || len(runs) == len(c.runs)+1 { // the planted failure is the last
						o.Status = verify.Failed
					}
					out = append(out, o)
				}
				return out, nil
			}
			looks := 0
			clock := func() time.Time {
				if looks++; looks == 3 { // the layer has begun, and no test has run
					now = now.Add(c.start)
				}
				return now
			}
			fresh := func() *verify.Layered {
				return &verify.Layered{Runner: verify.RunnerFunc(tool), Sandbox: sandbox.Func(noProcess), Repeat: -1, Clock: clock,
					Budgets: verify.Budgets{L2: time.Minute}}
			}
			r, err := fresh().Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(runs), len(c.runs))
			var got []int
			for _, ids := range runs[:len(c.runs)] {
				got = append(got, len(ids))
			}
			assert.Equal(t, c.runs, got)
			assert.Contains(t, runs[0], near, "the nearest are held against the baseline first")
			assert.Contains(t, runs[1], near)
			assert.Equal(t, c.status, layer(t, r, verify.L2).Status)
			left := r.Selection.Skipped
			if c.why == "" {
				assert.Empty(t, left)
				return
			}
			require.Equal(t, many+1-400, len(left))
			assert.Contains(t, left[0].Why, c.why)
			assert.Contains(t, unverified(r), "501 tests that the change leads to directly, which did not run because "+c.why)
			if c.red {
				assert.Empty(t, layer(t, r, verify.L2).Left, "it failed")
				return
			}
			assert.Contains(t, layer(t, r, verify.L2).Left, "501 tests that the change leads to directly, the first of them a/far.spec.ts")
			assert.Contains(t, layer(t, r, verify.L2).Left, "no layer of this run runs them")

			runs = nil
			r, err = fresh().Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2, verify.L3}})
			require.NoError(t, err)
			assert.Contains(t, layer(t, r, verify.L2).Left, "L3 runs those of the affected packages and files")
			assert.Empty(t, r.Selection.Skipped, "L3 ran them")
			assert.NotContains(t, unverified(r), "which did not run")
		})
	}
}

// Tests of one process can lean on each other: one that is red on both trees when
// it runs without another, which the baseline ran beside it, is no regression.
//
// covers: VER-8
func TestATestThatLeansOnAnotherIsNoRegression(t *testing.T) {
	before, ws := indexed(t, typescript.Language(), map[string]string{
		"package.json": `{"name": "shop"}`,
		"refund.ts":    "export function refund(n: number) {\n  return n;\n}\n",
		"near.spec.ts": `import { refund } from "./refund";` + "\nit(\"leans\", () => { expect(refund(1)).toBe(1); });\nit(\"prepares\", () => { expect(1).toBe(1); });\n",
	})
	after, err := before.Overlay(t.Context(), map[string][]byte{"refund.ts": []byte("export function refund(n: number) {\n  return n + 0;\n}\n")})
	require.NoError(t, err)
	for name, broken := range map[string]bool{"in other company": false, "and broken": true} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			tool := func(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
				runs++
				for _, id := range run.Tests {
					o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
					if id.Name == "leans" && len(run.Tests) == 1 && (!broken || runs == 2) {
						o.Status = verify.Failed
					}
					out = append(out, o)
				}
				return out, nil
			}
			v := &verify.Layered{Runner: verify.RunnerFunc(tool), Sandbox: sandbox.Func(noProcess), Repeat: -1}
			r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
			require.NoError(t, err)
			want := verify.PreExisting
			if broken {
				want = verify.Regression
			}
			assert.Equal(t, want, attributions(r)["L2 . leans"], "%v", attributions(r))
		})
	}
}
