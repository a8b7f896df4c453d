//go:build linux

package sandbox_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
)

// everySandbox returns the sandboxes that work on this machine.
func everySandbox() map[string]sandbox.Sandbox {
	all := map[string]sandbox.Sandbox{"direct": sandbox.Direct{}}
	if isolated() {
		all["bubblewrap"] = sandbox.Bubblewrap{}
	}
	return all
}

// covers: ARC-6
func TestNoGoroutineFileOrFolderIsLeft(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := t.TempDir()
	for name, s := range everySandbox() {
		once := func(i int) {
			ctx, cancel := context.WithCancel(context.Background())
			if i%2 == 0 {
				time.AfterFunc(time.Duration(i)*3*time.Millisecond, cancel)
			}
			_, _ = s.Run(ctx, sandbox.Command{Dir: dir, Args: []string{"sh", "-c", "sleep 0.02; echo out"}})
			cancel()
		}
		once(1)
		routines, files := runtime.NumGoroutine(), openFiles(t)
		for i := range 12 {
			once(i)
		}
		for deadline := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > routines && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
		assert.LessOrEqual(t, runtime.NumGoroutine(), routines, name)
		assert.LessOrEqual(t, openFiles(t), files, name)
		left, err := os.ReadDir(temp)
		require.NoError(t, err)
		assert.Empty(t, left, name)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(fds)
}

// covers: ARC-6
func TestDaemonsThatKeepTheirEnvironmentEndWithTheRun(t *testing.T) {
	for name, s := range everySandbox() {
		number := strconv.Itoa(os.Getpid()) + "9" + strconv.Itoa(len(name))
		const script = `n=0; while [ $n -lt 10 ]; do ( ( setsid sleep "30.$1" >/dev/null 2>&1 </dev/null & ) & ); n=$((n+1)); done; sleep 0.1; echo begun`
		r, err := s.Run(context.Background(), sandbox.Command{Dir: t.TempDir(), Args: []string{"sh", "-c", script, "sh", number}})
		require.NoError(t, err)
		assert.Equal(t, "begun\n", string(r.Stdout))
		assert.False(t, sleeping(number), name)
	}
}

// covers: ARC-6
func TestACommandOutlivesTheThreadsOfItsHost(t *testing.T) {
	for name, s := range everySandbox() {
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
					// The thread of a goroutine that ends locked ends with it.
					go runtime.LockOSThread()
					time.Sleep(time.Millisecond)
				}
			}
		}()
		r, err := s.Run(context.Background(), sandbox.Command{Dir: t.TempDir(), Args: []string{"sleep", "0.4"}})
		close(stop)
		require.NoError(t, err)
		assert.Zero(t, r.ExitCode, name)
	}
}

// host runs a command that prints its process ID as the machine knows it and
// waits; it is this test binary run again, so that it can be killed.
func host(kind, dir string) {
	var s sandbox.Sandbox = sandbox.Direct{}
	if kind == "bubblewrap" {
		s = sandbox.Bubblewrap{}
	}
	_, _ = s.Run(context.Background(), sandbox.Command{Dir: dir, Args: []string{"sh", "-c", "exec sleep 30." + dir[strings.LastIndexByte(dir, '-')+1:]}})
}

// covers: ARC-6, VER-21
func TestCommandEndsWithItsHost(t *testing.T) {
	for name := range everySandbox() {
		number := strconv.Itoa(os.Getpid()) + strconv.Itoa(len(name))
		dir := t.TempDir() + "/d-" + number
		require.NoError(t, os.Mkdir(dir, 0o700))
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SANDBOX_TEST_HOST="+name, "SANDBOX_TEST_DIR="+dir, "TMPDIR="+dir)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return sleeping(number) }, 10*time.Second, 5*time.Millisecond, name)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		assert.Eventually(t, func() bool { return !sleeping(number) }, 5*time.Second, 5*time.Millisecond, "%s: the command outlives a killed host", name)
	}
}

// sleeping reports whether a process sleeps for 30.number seconds.
func sleeping(number string) bool {
	out, err := exec.Command("ps", "-eo", "args").Output()
	if err != nil {
		return false
	}
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		if lines.Text() == "sleep 30."+number {
			return true
		}
	}
	return false
}
