//go:build unix

package patch

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The variables by which a test tells the child process, which is this test
// binary once more, what to do and when to die.
const (
	childDoes = "PATCH_TEST_CHILD"
	childDir  = "PATCH_TEST_DIR"
	childDies = "PATCH_TEST_DIES_AT"
)

// every is the distance of the points at which processes are killed; 1 is all of them.
var every = flag.Int("every", 3, "kill a transaction at every n-th system call")

func TestMain(m *testing.M) {
	if os.Getenv(childDoes) != "" {
		child(os.Getenv(childDoes), os.Getenv(childDir), os.Getenv(childDies))
		return
	}
	os.Exit(m.Run())
}

// child applies, undoes or recovers, and kills itself in front of the given
// system call, counted from 1.
func child(does, dir, dies string) {
	at, _ := strconv.Atoi(dies)
	n := 0
	before := func(string, string) error {
		if n++; n == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal arrives
		}
		return nil
	}
	_, set := everything()
	w, err := open(dir, before)
	ctx := context.Background()
	for err == nil {
		switch does {
		case "open":
			os.Exit(0)
		case "scratch":
			if _, err = w.Scratch(ctx); err == nil {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		default:
			var r Receipt
			if r, err = w.Apply(ctx, set, allow(set)); err == nil && (does == "undo" || does == "loop") {
				err = w.Undo(ctx, r.ID)
			}
			if err == nil && does != "loop" {
				os.Exit(0)
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func command(does, dir string, dies int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDoes+"="+does, childDir+"="+dir, childDies+"="+strconv.Itoa(dies))
	return cmd
}

// run runs a child and reports whether it was killed.
func run(t *testing.T, does, dir string, dies int) bool {
	t.Helper()
	out, err := command(does, dir, dies).CombinedOutput()
	if err == nil {
		return false
	}
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok && exit.Sys().(syscall.WaitStatus).Signaled(), "%v: %s", err, out)
	return true
}

// covers: PAT-7, REL-1, STY-5
func TestKilledAtEveryStep(t *testing.T) {
	r, set := everything()
	for _, does := range []string{"apply", "undo"} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at += *every {
				dir := lay(t, r)
				before := look(t, dir)
				if !run(t, does, dir, at) {
					require.Greater(t, at, 40)
					break
				}
				w := opened(t, dir)
				now := look(t, dir)
				if now["a.txt"] == before["a.txt"] {
					require.Equal(t, before, now, "killed before call %d", at)
				} else {
					require.Equal(t, want(r, set), found(t, dir), "killed before call %d", at)
				}
				opened(t, dir)
				require.Equal(t, now, look(t, dir), "recovery is idempotent")
				left, err := w.list("journal")
				require.NoError(t, err)
				require.Empty(t, left)
			}
		})
	}
}

// covers: PAT-7
func TestKilledInRecovery(t *testing.T) {
	r, set := everything()
	total := countSteps(t, r, set)
	for _, at := range []int{total - 25, total - 12, total - 2} {
		for again := 1; ; again += *every {
			dir := lay(t, r)
			before := look(t, dir)
			require.True(t, run(t, "apply", dir, at))
			if !run(t, "open", dir, again) {
				break
			}
			opened(t, dir)
			now := look(t, dir)
			if now["a.txt"] == before["a.txt"] {
				require.Equal(t, before, now, "killed at %d, then in recovery at %d", at, again)
			} else {
				require.Equal(t, want(r, set), found(t, dir))
			}
		}
	}
}

// covers: PAT-7
func TestKilledAtAnyTime(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	before := look(t, dir)
	rng := rand.New(rand.NewPCG(7, 7))
	for range 8 {
		cmd := command("loop", dir, 0)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(20+rng.IntN(60)) * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		w := opened(t, dir)
		if now := look(t, dir); now["a.txt"] == before["a.txt"] {
			require.Equal(t, before, now)
		} else {
			require.Equal(t, want(r, set), found(t, dir))
			ids, err := w.list("undo")
			require.NoError(t, err)
			require.NotEmpty(t, ids)
			back := set.Reverse()
			_, err = w.Apply(context.Background(), back, allow(back))
			require.NoError(t, err)
		}
	}
}

// covers: PAT-7
func TestLock(t *testing.T) {
	r, set := everything()
	dir := lay(t, r)
	w, other := opened(t, dir), opened(t, dir)
	unlock, err := w.lock(context.Background())
	require.NoError(t, err)
	other.LockWait = 20 * time.Millisecond
	_, err = other.Apply(context.Background(), set, allow(set))
	assert.ErrorContains(t, err, fmt.Sprintf("another process (process %d)", os.Getpid()))
	unlock()
	_, err = other.Apply(context.Background(), set, allow(set))
	assert.NoError(t, err)
}

// covers: PAT-19
func TestScratchOfADeadProcess(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, _ := everything()
	dir := lay(t, r)
	require.True(t, run(t, "scratch", dir, 0))
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.True(t, strings.HasPrefix(left[0].Name(), "plumb-scratch-"))
	w := opened(t, dir)
	left, err = os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left)
	s, err := w.Scratch(context.Background())
	require.NoError(t, err)
	opened(t, dir)
	_, err = os.Stat(s.Dir())
	assert.NoError(t, err, "the tree of a living process stays")
	require.NoError(t, s.Close())
}
