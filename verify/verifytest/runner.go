// Package verifytest holds the conformance suites of verify.Runner and
// verify.Verifier.
package verifytest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// A Project is a folder of tests whose ends are known.
type Project struct {
	// Dir is the absolute path of its root.
	Dir string
	// Ends says how each test ends. There must be one that passes and one that
	// fails; the more of the other ends the tool can have, the better.
	Ends map[verify.TestID]verify.Status
	// Words are what a test alone writes; they must reach no other test.
	Words map[verify.TestID]string
	// Timeout is given to every run; a test that is to time out takes longer.
	Timeout time.Duration
}

// Runner holds a Runner to its contract (VER-7), one subtest for each promise.
// The box is the sandbox that its commands run in.
func Runner(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	t.Run("reports every end as what it was", func(t *testing.T) { ends(t, r, box, p) })
	t.Run("runs only what is asked for, and repeats it", func(t *testing.T) { repeats(t, r, box, p) })
	t.Run("answers for a test that is not there", func(t *testing.T) { answers(t, r, box, p) })
	t.Run("runs a package as a whole", func(t *testing.T) { packages(t, r, box, p) })
	t.Run("refuses folders outside", func(t *testing.T) { outside(t, r, box, p) })
	t.Run("ends when canceled", func(t *testing.T) { canceled(t, r, box, p) })
	t.Run("hands on what the sandbox refuses", func(t *testing.T) { refused(t, r, p) })
}

func run(t *testing.T, r verify.Runner, box sandbox.Sandbox, run verify.Run) []verify.Outcome {
	t.Helper()
	out, err := r.Run(t.Context(), box, run)
	require.NoError(t, err)
	for _, o := range out {
		assert.NotEmpty(t, o.Command, "the command of %v", o.Test)
		assert.GreaterOrEqual(t, o.Elapsed, time.Duration(0))
		switch o.Status {
		case verify.Skipped, verify.Crashed, verify.TimedOut, verify.NotRun, verify.BuildFailed:
			assert.NotEmpty(t, o.Reason, "%v is %s without a reason", o.Test, o.Status)
		}
	}
	return out
}

func (p Project) one(t *testing.T, s verify.Status) verify.TestID {
	t.Helper()
	for id, end := range p.Ends {
		if end == s && id.Name != "" {
			return id
		}
	}
	require.Failf(t, "the project lacks a test", "none is %s", s)
	return verify.TestID{}
}

func ends(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	var asked []verify.TestID
	for id := range p.Ends {
		asked = append(asked, id)
	}
	got := map[verify.TestID]verify.Outcome{}
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: asked, Timeout: p.Timeout}) {
		assert.NotContainsf(t, got, o.Test, "%v is reported twice", o.Test)
		got[o.Test] = o
	}
	for id, want := range p.Ends {
		o, ok := got[id]
		if assert.Truef(t, ok, "%v was asked for and not answered", id) {
			assert.Equalf(t, want, o.Status, "%v: %s\n%s", id, o.Reason, o.Output)
		}
	}
	for id, words := range p.Words {
		assert.Contains(t, got[id].Output, words)
		for other, o := range got {
			if other != id && other.Name != "" {
				assert.NotContainsf(t, o.Output, words, "%v shows the output of %v", other, id)
			}
		}
	}
}

func repeats(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	times := 0
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{id}, Repeat: 3, Timeout: p.Timeout}) {
		switch {
		case o.Test == id:
			times++
			assert.Equal(t, verify.Passed, o.Status)
		case p.Ends[o.Test] != "" && o.Test.Name != "":
			assert.Failf(t, "a test ran that was not asked for", "%v", o.Test)
		}
	}
	assert.Equal(t, 3, times, "one outcome for each time")
}

func answers(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	id.Name += "ThatIsNotThere"
	out := run(t, r, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{id}, Timeout: p.Timeout})
	for _, o := range out {
		if o.Test == id {
			assert.Equal(t, verify.NotRun, o.Status)
			return
		}
	}
	assert.Failf(t, "not answered", "%v in %v", id, out)
}

func packages(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	seen := false
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Packages: []string{id.Dir}, Timeout: p.Timeout}) {
		assert.Equal(t, id.Dir, o.Test.Dir)
		seen = seen || o.Test == id && o.Status == verify.Passed
	}
	assert.True(t, seen, "the package's tests ran")
}

func outside(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	for _, dir := range []string{"../up", "/etc"} {
		_, err := r.Run(t.Context(), box, verify.Run{Dir: p.Dir, Packages: []string{dir}})
		require.ErrorIsf(t, err, fault.InvalidInput, "%s", dir)
		assert.Empty(t, faulttest.Check(err))
	}
}

func canceled(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Run(ctx, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{p.one(t, verify.Passed)}})
	require.ErrorIs(t, err, fault.Canceled)
}

func refused(t *testing.T, r verify.Runner, p Project) {
	no := &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Detail: "there is no isolation", Next: "install it", Err: errors.New("none")}
	box := sandbox.Func(func(context.Context, sandbox.Command) (sandbox.Result, error) { return sandbox.Result{}, no })
	_, err := r.Run(t.Context(), box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{p.one(t, verify.Passed)}})
	require.ErrorIs(t, err, fault.Environment, "a runner never goes around its sandbox")
}
