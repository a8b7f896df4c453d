package verify_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/verify"
)

// bank is run by the scripted tool: its tests pass unless a comment says otherwise.
const bank = `
-- go.mod --
module example.com/bank

go 1.24
-- account/account.go --
package account

func Open() int { return 1 }

func Close() int { return 2 }
-- account/account_test.go --
package account

import "testing"

func TestOpen(t *testing.T) {
	if Open() != 1 {
		t.Fatal("not open")
	}
}

func TestClose(t *testing.T) { Close() }
-- branch/branch.go --
package branch

import "example.com/bank/account"

func Visit() int { return account.Open() }
-- branch/branch_test.go --
package branch

import "testing"

func TestVisit(t *testing.T) {
	if Visit() != 1 {
		t.Fatal("closed")
	}
}

func TestAlone(t *testing.T) {}
-- vault/vault.go --
package vault
-- vault/vault_test.go --
package vault

import "testing"

func TestVault(t *testing.T) {}
`

func verified(t *testing.T, f *tool, s *scenario, change func(*verify.Layered, *verify.Input)) *verify.Report {
	t.Helper()
	v, in := scripted(f), s.input()
	if change != nil {
		change(v, &in)
	}
	r, err := v.Verify(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, verify.LayerPassed, layer(t, r, verify.L0).Status, "%v", layer(t, r, verify.L0).Findings)
	assert.Empty(t, scratchTrees(t, s))
	return r
}

// covers: VER-24
func TestTestsOfAnotherCopyProveNothing(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	r := verified(t, &tool{installed: s.dir}, s, nil) // as an editable install or a linked package folder does
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.Equal(t, "not_executed", rules(l))
	assert.Contains(t, l.Findings[0].Text, "account/account.go")
	assert.Contains(t, l.Next, "linked copy")
	assert.Equal(t, verify.LayerNotRun, layer(t, r, verify.L3).Status)
}

// covers: VER-8
func TestAttribution(t *testing.T) {
	s := open(t, bank+`
-- account/more_test.go --
package account

import "testing"

// tool: TestRed failed
// tool: TestFixed failed
// tool: TestSkips skipped no reason

func TestRed(t *testing.T)     { Open() }
func TestFixed(t *testing.T)   { Open() }
func TestBreaks(t *testing.T)  { Open() }
func TestSkips(t *testing.T)   { Open() }
func TestRemoved(t *testing.T) { Open() }
func TestWobbly(t *testing.T)  { Open() }
func TestNet(t *testing.T)     { Open() }
-- after/account/account.go --
package account

func Open() int { return 2 - 1 }

func Close() int { return 2 }
-- after/account/more_test.go --
package account

import "testing"

// tool: TestRed failed
// tool: TestBreaks failed dial tcp 127.0.0.1:1: connect: connection refused
// tool: TestSkips skipped no reason
// tool: TestNewRed failed
// tool: TestNewNet failed dial tcp: lookup db: no such host

func TestRed(t *testing.T)    { Open() }
func TestFixed(t *testing.T)  { Open() }
func TestBreaks(t *testing.T) { Open() }
func TestSkips(t *testing.T)  { Open() }
func TestNewRed(t *testing.T) { Open() }
func TestNewNet(t *testing.T) { Open() }
func TestNew(t *testing.T)    { Open() }
func TestWobbly(t *testing.T) { Open() }
func TestNet(t *testing.T)    { Open() }
`)
	r := verified(t, &tool{flaky: map[string]bool{"TestWobbly": true}}, s, nil)
	assert.Equal(t, map[string]verify.Attribution{
		"L2 account TestRed": verify.PreExisting, "L2 account TestFixed": verify.Fixed, "L2 account TestBreaks": verify.Regression,
		"L2 account TestSkips": verify.NotExecuted, "L2 account TestNewRed": verify.NewFailing, "L2 account TestNew": verify.NewPassing,
		"L2 account TestNewNet": verify.Infra, "L2 account TestRemoved": verify.Removed, "L2 account TestWobbly": verify.Flaky,
		"L2 account TestNet": verify.Unchanged, "L2 account TestOpen": verify.Unchanged, "L2 branch TestVisit": verify.Unchanged,
	}, attributions(r))
	l := layer(t, r, verify.L2)
	assert.Equal(t, "regression new_failing", rules(l))
	assert.Contains(t, unverified(r), "its result differs from run to run")
	assert.Contains(t, unverified(r), "test account TestSkips because skipped")
	for _, x := range r.Selection.Skipped {
		if x.Test.Name == "TestClose" {
			assert.Contains(t, x.Why, "red already", "the package set waits for the direct tests")
		}
	}
}

// covers: VER-8, VER-9
func TestGreenWithoutAnAssertionIsInsufficient(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 2", "return 3 - 1")
	plan := &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Symbols: []string{"account.Close"}}, {ID: "C2", Symbols: []string{"account.Nowhere"}}}}
	r := verified(t, &tool{}, s, func(_ *verify.Layered, in *verify.Input) { in.Plan = plan })
	assert.Equal(t, verify.Insufficient, attributions(r)["L2 account TestClose"])
	assert.Equal(t, verify.Unchanged, attributions(r)["L2 account TestOpen"])
	require.Len(t, r.Capabilities, 2)
	assert.Contains(t, r.Capabilities[0].Missing, "assert nothing")
	assert.Contains(t, r.Capabilities[1].Missing, "in the repository")
}

// covers: VER-5
func TestAnEmptySelectionIsNotGreen(t *testing.T) {
	s := open(t, "-- go.mod --\nmodule example.com/bare\n\ngo 1.24\n-- bare.go --\npackage bare\n\nfunc F() {}\n-- after/bare.go --\npackage bare\n\nfunc F() { return }\n")
	r := verified(t, &tool{}, s, nil)
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerFailed, l.Status)
	assert.Equal(t, "no_tests", rules(l))
	assert.Contains(t, l.Next, "add a test")
}

// covers: VER-5
func TestTestsThatAllSkipAreNotGreen(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "vault/vault_test.go", "func TestVault(t *testing.T) {}", "// tool: TestVault skipped later\n\nfunc TestVault(t *testing.T) {}")
	r := verified(t, &tool{}, s, nil)
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerFailed, l.Status)
	assert.Equal(t, "nothing_passed", rules(l))
}

// covers: VER-5
func TestFastTestsRunFirstByRecordedDurations(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	short := &tool{}
	verified(t, short, s, nil)
	require.GreaterOrEqual(t, len(short.runs), 3)
	assert.Len(t, short.runs[1].Tests, 2, "the tests that reach the change: %v", short.runs[1].Tests)
	assert.Equal(t, []verify.TestID{{Dir: "account", Name: "TestClose"}}, short.runs[2].Tests, "then those of its package")

	long := &tool{}
	verified(t, long, s, func(v *verify.Layered, _ *verify.Input) {
		v.Durations = func(verify.TestID) (time.Duration, bool) { return 20 * time.Second, true }
	})
	assert.Len(t, long.runs[1].Tests, 3, "over the limit the package set runs at once")
}

// covers: VER-8
func TestAChangeThatDoesNotBuildIsARegression(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1 }", "return 2 - 1 }\n\n// tool: TestOpen build_failed\n// tool: TestClose build_failed\n// tool: TestVisit build_failed")
	r := verified(t, &tool{}, s, nil)
	assert.Equal(t, verify.LayerFailed, layer(t, r, verify.L2).Status)
	assert.Equal(t, verify.Regression, attributions(r)["L2 account TestOpen"])
	for _, c := range r.Commands {
		assert.NotEqual(t, "planted", c.Tree, "what does not build was read")
	}
}

// covers: VER-8
func TestTheBaselineIsKept(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	dir := t.TempDir()
	for i, want := range []int{1, 0} {
		f := &tool{}
		r := verified(t, f, s, func(v *verify.Layered, in *verify.Input) {
			v.Baselines = verify.FolderBaselines{Dir: dir}
			in.Layers = []verify.LayerName{verify.L0, verify.L2}
		})
		trees := 0
		for _, c := range r.Commands {
			if c.Tree == "before" {
				trees++
			}
		}
		assert.Equal(t, want, trees, "run %d", i)
		assert.Equal(t, verify.Unchanged, attributions(r)["L2 account TestOpen"])
	}
}

// covers: VER-1, VER-22
func TestWithoutIsolationTheLayerIsEnvironment(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	r := verified(t, &tool{}, s, func(v *verify.Layered, _ *verify.Input) { v.Sandbox = sandbox.Func(lost) })
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.NotEmpty(t, l.Next)

	r = verified(t, &tool{}, s, func(v *verify.Layered, _ *verify.Input) {
		v.Sandbox = sandbox.Func(func(context.Context, sandbox.Command) (sandbox.Result, error) {
			return sandbox.Result{Unsandboxed: true}, nil
		})
	})
	assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L2).Status)
	assert.False(t, r.Environment.Sandboxed, "the report is marked")
	assert.True(t, r.Commands[0].Unsandboxed)

	r = verified(t, &tool{}, s, func(v *verify.Layered, _ *verify.Input) { v.Runner = nil })
	assert.Equal(t, verify.LayerEnvironment, layer(t, r, verify.L2).Status)
}

// covers: VER-1
func TestALayerOverItsBudgetIsNotGreen(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	r := verified(t, &tool{}, s, func(v *verify.Layered, _ *verify.Input) {
		v.Budgets.L2 = 200 * time.Millisecond
		v.Sandbox = sandbox.Func(func(ctx context.Context, _ sandbox.Command) (sandbox.Result, error) {
			<-ctx.Done()
			return sandbox.Result{}, fault.From(ctx.Err(), "test", "")
		})
	})
	l := layer(t, r, verify.L2)
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.Equal(t, "over_budget", rules(l))
	assert.Contains(t, unverified(r), "its time budget of 200ms was over")
}

// covers: ARC-6
func TestCancellationLeavesNothing(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	ctx, cancel := context.WithCancel(t.Context())
	v := scripted(&tool{})
	v.Sandbox = sandbox.Func(func(ctx context.Context, _ sandbox.Command) (sandbox.Result, error) {
		require.NotEmpty(t, scratchTrees(t, s))
		cancel()
		return sandbox.Result{}, fault.From(context.Cause(ctx), "test", "")
	})
	_, err := v.Verify(ctx, s.input())
	require.ErrorIs(t, err, fault.Canceled)
	assert.Empty(t, scratchTrees(t, s))
	_, err = v.Verify(ctx, s.input())
	require.ErrorIs(t, err, fault.Canceled)
}

// covers: VER-20
func TestRerunAndCompare(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	f := &tool{}
	first := verified(t, f, s, nil)
	_, differences, err := verify.Rerun(t.Context(), scripted(f), s.input(), first)
	require.NoError(t, err)
	assert.Empty(t, differences)

	f.flaky = map[string]bool{"TestVisit": true}
	f.seen["TestVisit"] = 0
	_, differences, err = verify.Rerun(t.Context(), scripted(f), s.input(), first)
	require.NoError(t, err)
	require.NotEmpty(t, differences)
	assert.Contains(t, differences, verify.Difference{What: "test branch TestVisit", A: "passed → passed: unchanged", B: "passed → failed: flaky"})

	other := open(t, bank)
	other.replace(t, "account/account.go", "return 1", "return 3 - 2")
	_, _, err = verify.Rerun(t.Context(), scripted(f), other.input(), first)
	require.ErrorIs(t, err, fault.InvalidInput)
}

// covers: VER-1
func TestInputsThatDoNotFitAreRefused(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	v := scripted(&tool{})
	_, err := v.Verify(t.Context(), verify.Input{})
	require.ErrorIs(t, err, fault.InvalidInput)

	in := s.input()
	in.After = in.Before
	_, err = v.Verify(t.Context(), in)
	require.ErrorIs(t, err, fault.InvalidInput)
	require.ErrorContains(t, err, "account/account.go")

	in = s.input()
	in.Workspace = nil
	_, err = v.Verify(t.Context(), in)
	require.ErrorIs(t, err, fault.InvalidInput)

	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	assert.NotEmpty(t, f.Next)
}
