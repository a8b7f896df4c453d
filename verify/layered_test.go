package verify_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
)

// real returns a Layered that runs go test; its budgets are for a busy machine.
func real() *verify.Layered {
	return &verify.Layered{Runner: &gotest.Runner{}, Sandbox: sandbox.Auto{AllowUnsandboxed: true},
		Budgets: verify.Budgets{L0: time.Minute, L1: time.Minute, L2: 5 * time.Minute, L3: 5 * time.Minute}, Mutate: true}
}

func scaling(s *scenario) *changeset.Plan {
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "C1"
	}
	return &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Sentence: "Scaling by 0 leaves alone.", Symbols: []string{"calc.Scale"}}}}
}

func attributions(r *verify.Report) map[string]verify.Attribution {
	out := map[string]verify.Attribution{}
	for _, t := range r.Tests {
		out[string(t.Layer)+" "+t.Test.Dir+" "+t.Test.Name] = t.Attribution
	}
	return out
}

// covers: VER-1, VER-5, VER-8, VER-9, VER-13, VER-15, VER-20, VER-24
func TestAGoodChangePassesEveryLayer(t *testing.T) {
	s := read(t, "calc.txtar")
	in := s.input()
	in.Plan = scaling(s)
	v := real()
	r, err := v.Verify(t.Context(), in)
	require.NoError(t, err)
	for _, l := range r.Layers {
		require.Equal(t, verify.LayerPassed, l.Status, "%s %v", l.Name, l.Findings)
	}
	assert.Equal(t, map[string]verify.Attribution{
		"L2 calc TestAdd": verify.Unchanged, "L2 calc TestScale": verify.Unchanged, "L2 calc TestScaleByNothing": verify.NewPassing,
		"L2 calc TestWasRed": verify.PreExisting, "L2 calc TestDatabase": verify.Infra, "L2 desk TestDouble": verify.Unchanged,
		"L3 desk TestHalf": verify.Unchanged,
	}, attributions(r))

	reasons := map[string]string{}
	for _, x := range append(r.Selection.Selected, r.Selection.Skipped...) {
		require.NotEmpty(t, x.Why)
		reasons[x.Test.Name] = x.Source
	}
	assert.Equal(t, map[string]string{"TestAdd": "changed", "TestScale": "changed", "TestScaleByNothing": "changed", "TestWasRed": "changed",
		"TestDatabase": "changed", "TestDouble": "calls", "TestHalf": "importer", "TestName": "none"}, reasons)

	require.Len(t, r.Capabilities, 1)
	assert.Empty(t, r.Capabilities[0].Missing)
	assert.Len(t, r.Capabilities[0].Assertions, 3)
	require.Len(t, r.Mutants, 1)
	assert.Equal(t, "killed", r.Mutants[0].Result)
	assert.Equal(t, []verify.TestID{{Dir: "calc", Name: "TestScaleByNothing"}}, r.Mutants[0].Killed)

	trees := map[string]int{}
	for _, c := range r.Commands {
		trees[c.Tree]++
		assert.Equal(t, ".", c.Dir)
	}
	assert.Equal(t, map[string]int{"before": 3, "after": 2, "planted": 1, "mutant C1 1": 1}, trees, "the first one builds")
	assert.Contains(t, r.Environment.Tools["go"], "go1.")
	assert.NotEmpty(t, r.Environment.Variables["GOCACHE"])
	for _, what := range []string{"concurrency", "performance", "long-run leaks", "platforms other than", "external systems", "stored and wire form", "wording", "test calc TestDatabase", "1 tests that were not selected", "types"} {
		assert.Contains(t, unverified(r), what)
	}
	assert.Empty(t, scratchTrees(t, s), "every scratch tree is removed")
}

// unverified joins what a report says was not checked.
func unverified(r *verify.Report) string {
	var out []string
	for _, u := range r.Unverified {
		out = append(out, u.What+" because "+u.Why)
	}
	return strings.Join(out, "\n")
}

// scratchTrees returns what is left of the scratch trees of the scenario's workspace.
func scratchTrees(t *testing.T, s *scenario) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(s.workspace.State(), "scratch", "*"))
	require.NoError(t, err)
	return left
}

// covers: VER-1, VER-8, VER-11
func TestARegressionStopsTheRun(t *testing.T) {
	s := read(t, "calc.txtar")
	s.edit(t, map[string][]byte{"calc/calc.go": []byte(`// Package calc calculates.
package calc

// Add adds.
func Add(a, b int) int { return a + b }

// Scale multiplies.
func Scale(a, by int) int {
	if by == 2 {
		panic("no twos")
	}
	return a * by * by
}
`)})
	r, err := real().Verify(t.Context(), s.input())
	require.NoError(t, err)
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerFailed, l.Status)
	assert.Equal(t, "regression regression", rules(l))
	assert.Contains(t, l.Next, "roll the change back")
	assert.Equal(t, verify.LayerNotRun, layer(t, r, verify.L3).Status)
	assert.Equal(t, verify.Regression, attributions(r)["L2 calc TestScale"])
	assert.Equal(t, verify.Regression, attributions(r)["L2 desk TestDouble"])
	for _, x := range r.Tests {
		switch x.Test.Name {
		case "TestScale":
			assert.Equal(t, "calc_test.go:13: Scale(2, 3) = 18, want 6", x.Failure.Assertion)
			assert.Equal(t, "18", x.Failure.Actual)
			assert.Equal(t, "6", x.Failure.Expected)
			assert.Equal(t, "calc/calc_test.go", x.Failure.Frame.File)
		case "TestDouble":
			assert.Equal(t, verify.Crashed, x.After)
			assert.Contains(t, x.Failure.Assertion, "no twos")
			assert.Equal(t, "calc/calc.go:10", fmt.Sprintf("%s:%d", x.Failure.Frame.File, x.Failure.Frame.Line), "the frame in the changed code")
		}
	}
}

// covers: ARC-6
func TestCancellationEndsWhatRuns(t *testing.T) {
	s := open(t, "-- go.mod --\nmodule example.com/slow\n\ngo 1.24\n-- slow.go --\npackage slow\n\nfunc F() int { return 1 }\n-- slow_test.go --\npackage slow\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestF(t *testing.T) { F(); time.Sleep(time.Hour) }\n")
	s.replace(t, "slow.go", "return 1", "return 2")
	ctx, cancel := context.WithCancel(t.Context())
	v := real()
	inner := v.Sandbox
	v.Sandbox = sandbox.Func(func(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
		time.AfterFunc(500*time.Millisecond, cancel)
		return inner.Run(ctx, c)
	})
	start := time.Now()
	_, err := v.Verify(ctx, s.input())
	require.ErrorIs(t, err, fault.Canceled)
	assert.Less(t, time.Since(start), time.Minute)
	assert.Empty(t, scratchTrees(t, s))
}
