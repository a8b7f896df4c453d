package plumb_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// covers: ARC-6
func TestCancelInTheMiddleOfAnyStageLeavesNothingBehind(t *testing.T) {
	done := quick(t, greeter, plumb.Given(parse(t, whole)))
	_, err := done.Run(t.Context(), shout())
	require.NoError(t, err)
	after := fingerprint(t, done.dir)
	for _, stage := range order {
		t.Run(string(stage), func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			e := &attempts{t: t, diffs: []string{whole}}
			b := quick(t, greeter, e)
			goroutines := runtime.NumGoroutine()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			record := b.Observe
			b.Observe = func(e plumb.Event) {
				record(e)
				if e.Stage == stage && e.State == "started" {
					cancel()
				}
			}
			_, err := b.Run(ctx, shout())
			now := fingerprint(t, b.dir)
			written := assert.ObjectsAreEqual(after, now)
			assert.True(t, written || assert.ObjectsAreEqual(b.start, now), "the workspace is as before or as after")
			if stage != plumb.StageWrite && stage != plumb.StageHandoff {
				require.ErrorIs(t, err, fault.Canceled)
				assert.False(t, written)
			}
			if err != nil {
				require.ErrorIs(t, err, fault.Canceled)
			}
			left, rerr := os.ReadDir(temp)
			require.NoError(t, rerr)
			assert.Empty(t, left, "no temporary folder is left")
			for i := 0; i < 400 && runtime.NumGoroutine() > goroutines; i++ {
				time.Sleep(5 * time.Millisecond)
			}
			assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines, "no goroutine is left")

			b.reopen(t, e)
			r, err := b.Run(t.Context(), shout())
			require.NoError(t, err, "the task goes on")
			assert.NotNil(t, r.Handoff)
			assert.Equal(t, after, fingerprint(t, b.dir))
		})
	}
}

// sleepers counts the processes that run "sleep" with the argument.
func sleepers(t *testing.T, argument string) int {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	n := 0
	for _, p := range dirs {
		data, err := os.ReadFile(p)
		if err == nil && strings.HasSuffix(string(data), "sleep\x00"+argument+"\x00") {
			n++
		}
	}
	return n
}

// covers: ARC-6
func TestCancelEndsTheCommandsOfTests(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	long := strconv.Itoa(30000 + os.Getpid()%10000)
	b.Verifier = &verify.Layered{
		Sandbox: sandbox.Auto{AllowUnsandboxed: true},
		Runner: verify.RunnerFunc(func(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
			_, err := box.Run(ctx, sandbox.Command{Dir: run.Dir, Args: []string{"sleep", long}})
			return nil, err
		}),
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	seen := false
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			if sleepers(t, long) > 0 {
				seen = true
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_, err := b.Run(ctx, shout())
	require.ErrorIs(t, err, fault.Canceled)
	<-watched
	assert.True(t, seen, "the command ran")
	// The sandbox returns only when the processes of the command are gone: within
	// 0.12 s of the cancellation, at a load of 28 on two cores. There is nothing to
	// wait for, and so no time that a loaded machine might not keep.
	assert.Zero(t, sleepers(t, long), "no process is left")
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}
