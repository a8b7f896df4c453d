//go:build linux

package sandbox_test

import (
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/sandbox/sandboxtest"
)

// isolated reports whether this machine lets bubblewrap work, asked of
// bubblewrap itself.
func isolated() bool {
	return exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true").Run() == nil
}

// covers: VER-21, ARC-6
func TestDirectConforms(t *testing.T) {
	t.Parallel()
	sandboxtest.Run(t, sandbox.Direct{})
}

// covers: VER-21, VER-22, ARC-6
func TestBubblewrapConforms(t *testing.T) {
	t.Parallel()
	if isolated() {
		sandboxtest.Run(t, sandbox.Bubblewrap{})
		return
	}
	_, err := sandbox.Bubblewrap{}.Run(context.Background(), sandbox.Command{Dir: t.TempDir(), Args: []string{"true"}})
	assertNoIsolation(t, err)
}

func assertNoIsolation(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, fault.Environment)
	assert.ErrorIs(t, err, sandbox.ErrNoIsolation)
	assert.ErrorContains(t, err, "AllowUnsandboxed", "it says how to opt in")
	assert.Empty(t, faulttest.Check(err))
}
