//go:build linux

package sandbox_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
)

// TestMain puts a variable into the environment that no command may see, or
// plays the host that is killed.
func TestMain(m *testing.M) {
	if kind := os.Getenv("SANDBOX_TEST_HOST"); kind != "" {
		host(kind, os.Getenv("SANDBOX_TEST_DIR"))
		return
	}
	if err := os.Setenv("PLUMB_TEST_TOKEN", "credential"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func names(ps sandbox.Promises) []sandbox.PromiseName {
	var all []sandbox.PromiseName
	for _, p := range ps {
		all = append(all, p.Name)
	}
	return all
}

// covers: VER-21, VER-22, SEC-4
func TestCheckBubblewrap(t *testing.T) {
	t.Parallel()
	measured, err := sandbox.Check(context.Background(), sandbox.Bubblewrap{})
	if !isolated() {
		assertNoIsolation(t, err)
		return
	}
	require.NoError(t, err)
	assert.Equal(t, sandbox.PromiseNames(), names(measured))
	assert.Empty(t, measured.Broken())
}

// covers: VER-22, SEC-4
func TestCheckFindsWhatDirectDoesNotKeep(t *testing.T) {
	t.Parallel()
	measured, err := sandbox.Check(context.Background(), sandbox.Direct{})
	require.NoError(t, err)
	assert.Equal(t, sandbox.PromiseNames(), names(measured))
	assert.Equal(t, []sandbox.PromiseName{sandbox.SourceReadOnly, sandbox.NoOutsideWrite, sandbox.NoHome, sandbox.NoNetwork, sandbox.NoOrphans},
		names(measured.Broken()), "%+v", measured.Broken())
	for _, p := range measured {
		assert.NotContains(t, p.How, "not measured", "%s", p.Name)
	}
}

// covers: VER-22
func TestCheckMeasuresInsteadOfBelieving(t *testing.T) {
	t.Parallel()
	// A sandbox that drops every limit and passes on the whole environment, and says all is well.
	liar := sandbox.Func(func(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
		c.Env = append(c.Env, os.Environ()...)
		wall := c.Limits.Wall
		c.Limits = sandbox.Limits{Wall: max(wall, 3*time.Second), CPU: -1, Memory: -1, Output: -1, Processes: -1}
		r, err := sandbox.Direct{}.Run(ctx, c)
		for i := range r.Promises {
			r.Promises[i].Held = true
		}
		return r, err
	})
	measured, err := sandbox.Check(context.Background(), liar)
	require.NoError(t, err)
	assert.Equal(t, sandbox.PromiseNames(), names(measured.Broken()), "%+v", measured)
}

// covers: VER-22, ARC-6
func TestCheckLeavesNothingBehind(t *testing.T) {
	before := leftBehind(t)
	_, err := sandbox.Check(context.Background(), sandbox.Func(func(context.Context, sandbox.Command) (sandbox.Result, error) {
		return sandbox.Result{}, &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Detail: "there is no sandbox here", Next: "get one"}
	}))
	assert.ErrorIs(t, err, fault.Environment)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = sandbox.Check(ctx, sandbox.Direct{})
	assert.ErrorIs(t, err, fault.Canceled)
	assert.Equal(t, before, leftBehind(t))
}

func leftBehind(t *testing.T) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	var all []string
	for _, pattern := range []string{filepath.Join(os.TempDir(), "plumb-check-*"), filepath.Join(home, ".plumb-check-*")} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	return all
}
