package plumb_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// kettle is a chain over a fresh repository of one function and one caller.
func kettle(t *testing.T, dir string) *plumb.Chain {
	t.Helper()
	c, err := plumb.New(dir, golang.Language())
	require.NoError(t, err)
	return c
}

func kettleFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module example.com/kettle\n\ngo 1.24\n",
		"water/water.go":     "package water\n\nfunc heat(c int) int { return c + 1 }\n\nfunc Boil() int { return heat(99) }\n",
		"water/boil_test.go": "package water\n\nimport \"testing\"\n\nfunc TestBoil(t *testing.T) {\n\tif got := Boil(); got != 100 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func kettleTask() task.Task {
	return task.Task{Requirement: "Heating takes steps.",
		Capabilities: []task.Capability{{ID: "HEAT-1", Sentence: "Heating adds the step given.", Symbols: []string{"example.com/kettle/water.heat"}}},
		Changes:      []task.Change{{Symbol: "example.com/kettle/water.heat", NewSignature: "(c, by int) int"}}}
}

const (
	heatAlone = "--- a/water/water.go\n+++ b/water/water.go\n@@ -3 +3 @@\n-func heat(c int) int { return c + 1 }\n+func heat(c, by int) int { return c + by }\n"
	heatWhole = "--- a/water/water.go\n+++ b/water/water.go\n@@ -3,3 +3,3 @@\n-func heat(c int) int { return c + 1 }\n+func heat(c, by int) int { return c + by }\n \n-func Boil() int { return heat(99) }\n+func Boil() int { return heat(99, 1) }\n"
)

// Edits that were put right are judged, and not those of the run before.
//
// covers: CHN-1, STY-12
func TestOtherEditsAreAnotherWay(t *testing.T) {
	dir := kettleFiles(t)
	layers := 0
	run := func(diff string) *plumb.Result {
		c := kettle(t, dir)
		edits, err := patch.Parse([]byte(diff))
		require.NoError(t, err)
		c.Editor, c.DryRun = plumb.Given(edits), true
		inner := c.Verifier
		c.Verifier = verify.Func(func(ctx context.Context, in verify.Input) (*verify.Report, error) {
			layers++
			in.Layers = []verify.LayerName{verify.L0, verify.L1}
			return inner.Verify(ctx, in)
		})
		r, err := c.Run(t.Context(), kettleTask())
		if f := new(fault.Fault); err != nil {
			require.ErrorAs(t, err, &f)
			require.Equal(t, fault.Dangerous, f.Class, "only the gate may object: no test ran")
		}
		return r
	}
	first := run(heatAlone)
	require.NotNil(t, first.Stopped)
	assert.Equal(t, plumb.StageOverlay, first.Stopped.Stage)
	assert.Len(t, first.Stopped.Feedback, 1)

	second := run(heatWhole)
	assert.NotEqual(t, first.Set.Digest(), second.Set.Digest())
	if second.Stopped != nil {
		assert.NotEqual(t, plumb.StageOverlay, second.Stopped.Stage, "%v", second.Stopped.Feedback)
	}
	calls := layers
	run(heatWhole)
	assert.Equal(t, calls, layers, "the same edits are not judged again")
}

// What one machine or day could not judge is judged in the next run.
//
// covers: VER-24, STY-12
func TestWhatTheMachineCouldNotJudgeIsJudgedAgain(t *testing.T) {
	dir := kettleFiles(t)
	edits, err := patch.Parse([]byte(heatWhole))
	require.NoError(t, err)
	for name, report := range map[string]verify.Report{
		"a layer": {Layers: []verify.Layer{{Name: verify.L2, Status: verify.LayerEnvironment, Next: "give it more time"}}},
		"a test": {Layers: []verify.Layer{{Name: verify.L0, Status: verify.LayerPassed}, {Name: verify.L1, Status: verify.LayerPassed}, {Name: verify.L2, Status: verify.LayerPassed}},
			Tests: []verify.Result{{Test: verify.TestID{Dir: "water"}, Attribution: verify.Infra, Reason: "a module is missing"}}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			for range 2 {
				c := kettle(t, dir)
				c.Editor = plumb.Given(edits)
				c.Verifier = verify.Func(func(_ context.Context, in verify.Input) (*verify.Report, error) {
					r := &verify.Report{Schema: 1, Set: in.Set.Digest(), Before: in.Before.Digest(), After: in.After.Digest()}
					if len(in.Layers) == 0 {
						asked++
						r.Layers, r.Tests = report.Layers, report.Tests
					}
					return r, nil
				})
				task := kettleTask()
				task.ID = strings.ReplaceAll(name, " ", "-")
				_, err := c.Run(t.Context(), task)
				require.ErrorAs(t, err, new(*fault.Fault))
			}
			assert.Equal(t, 2, asked)
		})
	}
}
