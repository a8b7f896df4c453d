package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/verify"
)

// mutation runs the mutation check on a change of a line that takes its comment
// away: what the tool reads there comes back with the hunk. With first it is the
// only hunk; with second it is one of four.
func mutation(t *testing.T, first, second string, change func(*verify.Layered)) *verify.Report {
	t.Helper()
	var s *scenario
	if first != "" {
		s = open(t, bank+"-- account/limit.go --\npackage account\n\nvar Said = 1 "+first+"\n")
		s.replace(t, "account/limit.go", "1 "+first, "2")
	} else {
		s = open(t, bank+"-- account/limit.go --\npackage account\n\nfunc Limit() int { return 3 }\n\nvar Said = 1 "+second+"\n\n// end\n\nfunc Floor() int { return 4 }\n")
		s.replace(t, "account/account.go", "func Open() int { return 1 }", "func Open() int { return Limit() - 2 }",
			"account/limit.go", "1 "+second, "2", "account/limit.go", "return 3 }", "return 4 - 1 }", "account/limit.go", "return 4 }", "return 5 - 1 }")
	}
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "C1"
	}
	plan := &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Symbols: []string{"account.Open"}}}}
	return verified(t, &tool{}, s, func(v *verify.Layered, in *verify.Input) {
		v.Mutate, in.Plan = true, plan
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
		if change != nil {
			change(v)
		}
	})
}

func ends(r *verify.Report) []string {
	out := []string{}
	for _, m := range r.Mutants {
		out = append(out, m.Result)
	}
	return out
}

// covers: VER-13
func TestAMutantOfACommentIsNone(t *testing.T) {
	s := open(t, bank+"-- account/limit.go --\npackage account\n\n// Said is said.\nvar Said = 1\n")
	s.replace(t, "account/limit.go", "// Said is said.", "// Said is what is said.\n//\n// More.\n")
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "C1"
	}
	r := verified(t, &tool{}, s, func(v *verify.Layered, in *verify.Input) {
		v.Mutate = true
		in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Symbols: []string{"account.Open"}}}}
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
	})
	assert.Empty(t, r.Mutants)
	assert.Contains(t, unverified(r), "no hunk outside of tests belongs to it")
}

// covers: VER-13
func TestMutants(t *testing.T) {
	t.Run("killed", func(t *testing.T) {
		r := mutation(t, "// tool: TestOpen failed", "", nil)
		require.Equal(t, []string{"killed"}, ends(r))
		assert.Equal(t, []verify.TestID{{Dir: "account", Name: "TestOpen"}}, r.Mutants[0].Killed)
		assert.Equal(t, "revert", r.Mutants[0].Kind)
		assert.Equal(t, "account/limit.go", r.Mutants[0].Place.File)
	})
	t.Run("survived", func(t *testing.T) {
		assert.Equal(t, []string{"survived"}, ends(mutation(t, "// said to nobody", "", nil)))
	})
	t.Run("one that hangs is not killed", func(t *testing.T) {
		assert.Equal(t, []string{"timed_out"}, ends(mutation(t, "// tool: TestOpen timed_out", "", nil)))
	})
	t.Run("one that does not build is not killed, and its hunks are tried alone", func(t *testing.T) {
		r := mutation(t, "", "// tool: TestOpen build_failed", nil)
		assert.Equal(t, []string{"build_failed", "survived", "survived", "build_failed"}, ends(r))
		assert.Contains(t, unverified(r), "4 of 5 mutants were run")
		r = mutation(t, "", "// tool: TestOpen build_failed", func(v *verify.Layered) { v.Mutants = 1 })
		assert.Equal(t, []string{"build_failed"}, ends(r))
		assert.Contains(t, unverified(r), "1 of 5 mutants were run")
	})
	t.Run("what the time does not allow is listed", func(t *testing.T) {
		r := mutation(t, "// tool: TestOpen failed", "", func(v *verify.Layered) {
			v.Mutate = false
			v.Budgets.L2 = time.Minute
		})
		assert.Empty(t, r.Mutants)
		assert.Contains(t, unverified(r), "the mutation check is off")
	})
}

const stove = `
-- go.mod --
module example.com/stove

go 1.24
-- heat/heat.go --
package heat

const cold = 0

func Heat(c int) int {
	c = max(c, cold)
	// tool: TestHeat failed
	return c + 1
}
-- heat/heat_test.go --
package heat

import "testing"

func TestHeat(t *testing.T) {
	if Heat(1) != 2 {
		t.Error("cold")
	}
}
-- shop/shop.go --
package shop

import "example.com/stove/heat"

func Sell() int { return heat.Heat(2) }
`

// A call that was adapted to a new signature cannot be taken back alone, and
// tests that do not build its package would not see it: such mutants say nothing.
//
// covers: VER-13
func TestMutantsThatCannotTellAreNotRun(t *testing.T) {
	s := open(t, stove)
	s.replace(t, "heat/heat.go", "Heat(c int)", "Heat(c, by int)", "heat/heat.go", "\t// tool: TestHeat failed\n\treturn c + 1", "\treturn c + by",
		"heat/heat_test.go", "Heat(1)", "Heat(1, 1)", "shop/shop.go", "Heat(2)", "Heat(2, 1)")
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "HEAT-1"
	}
	f := &tool{}
	r := verified(t, f, s, func(v *verify.Layered, in *verify.Input) {
		v.Mutate = true
		in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "HEAT-1", Symbols: []string{"example.com/stove/heat.Heat"}}}}
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
	})
	assert.Equal(t, []string{"build_failed", "build_failed", "killed"}, ends(r))
	ran := 0
	for _, c := range r.Commands {
		if strings.HasPrefix(c.Tree, "mutant") {
			ran++
		}
	}
	assert.Equal(t, 1, ran, "only the body's hunk can tell")
	assert.Contains(t, unverified(r), "mutation of HEAT-1 in shop/shop.go because no test that reaches HEAT-1 builds its package")
}

// What was written with an import is taken back with it; alone it would not build.
//
// covers: VER-13
func TestAMutantTakesTheImportAlong(t *testing.T) {
	s := open(t, stove)
	s.replace(t, "heat/heat.go", "package heat\n", "package heat\n\nimport \"math\"\n", "heat/heat.go", "Heat(c int)", "Heat(c, by int)",
		"heat/heat.go", "\t// tool: TestHeat failed\n\treturn c + 1", "\treturn int(math.Ceil(float64(c))) + by", "heat/heat_test.go", "Heat(1)", "Heat(1, 1)",
		"shop/shop.go", "Heat(2)", "Heat(2, 1)")
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "HEAT-1"
	}
	f, killing := &tool{}, ""
	r := verified(t, f, s, func(v *verify.Layered, in *verify.Input) {
		v.Mutate = true
		v.Runner = verify.RunnerFunc(func(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
			data, err := os.ReadFile(filepath.Join(run.Dir, "heat", "heat.go"))
			if err == nil && strings.Contains(string(data), "tool: TestHeat failed") && strings.Contains(string(data), "by int") {
				killing = string(data)
			}
			return f.Run(ctx, box, run)
		})
		in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "HEAT-1", Symbols: []string{"example.com/stove/heat.Heat"}}}}
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
	})
	assert.Contains(t, ends(r), "killed")
	assert.NotEmpty(t, killing)
	assert.NotContains(t, killing, "import")
}

// covers: VER-13, VER-15
func TestAPointWhoseMutantsDoNotBuildIsListed(t *testing.T) {
	s := open(t, stove)
	s.replace(t, "heat/heat.go", "Heat(c int)", "Heat(c, _ int)", "heat/heat_test.go", "Heat(1)", "Heat(1, 1)", "shop/shop.go", "Heat(2)", "Heat(2, 1)")
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "HEAT-1"
	}
	f := &tool{}
	r := verified(t, f, s, func(v *verify.Layered, in *verify.Input) {
		v.Mutate = true
		v.Runner = verify.RunnerFunc(func(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
			out, err := f.Run(ctx, box, run)
			for i := range out {
				if out[i].Status == verify.Failed {
					out[i].Status = verify.Passed // the red one of the tree as it was
				}
			}
			return out, err
		})
		in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "HEAT-1", Symbols: []string{"example.com/stove/heat.Heat"}}}}
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
	})
	for _, e := range ends(r) {
		assert.Equal(t, "build_failed", e)
	}
	assert.Contains(t, unverified(r), "whether the tests notice when HEAT-1 is broken because none of the 2 mutants that were tried builds")
}
