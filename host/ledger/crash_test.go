//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package ledger_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
)

// TestMain plays the writer when the test binary runs itself.
func TestMain(m *testing.M) {
	switch dir := os.Getenv("LEDGER_TEST_DIR"); os.Getenv("LEDGER_TEST_ROLE") {
	case "writer":
		os.Exit(writer(dir, os.Getenv("LEDGER_TEST_NAME"), os.Getenv("LEDGER_TEST_COUNT")))
	case "full":
		os.Exit(fullDisk(dir))
	}
	os.Exit(m.Run())
}

// writer appends entries and prints each one's position once it counts as done.
func writer(dir, name, count string) int {
	s := &ledger.Files{Dir: dir}
	n, err := strconv.Atoi(count)
	for i := 0; err == nil && i < n; i++ {
		var seq int
		doc := fmt.Sprintf(`{"by":%q,"n":%d,"fill":%q}`, name, i, strings.Repeat("x", 3000))
		if seq, err = s.Append(context.Background(), "t", []byte(doc)); err == nil {
			fmt.Println(seq)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func child(role, dir, name string, count int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LEDGER_TEST_ROLE="+role, "LEDGER_TEST_DIR="+dir, "LEDGER_TEST_NAME="+name, "LEDGER_TEST_COUNT="+strconv.Itoa(count))
	cmd.Stderr = os.Stderr
	return cmd
}

// covers: LED-3
func TestKilledWriterLosesNothingThatCountsAsDone(t *testing.T) {
	t.Parallel()
	s := &ledger.Files{Dir: t.TempDir()}
	before := 0
	for round := range 25 {
		cmd := child("writer", s.Dir, strconv.Itoa(round), 1_000_000)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		done := before
		wait := sync.OnceFunc(func() {
			time.AfterFunc(time.Duration(rand.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		})
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if seq, err := strconv.Atoi(lines.Text()); err == nil {
				done = max(done, seq)
			}
			wait()
		}
		require.Error(t, cmd.Wait(), "it was killed")
		raw, err := s.Read(context.Background(), "t")
		require.NoError(t, err, "round %d", round)
		require.GreaterOrEqual(t, len(raw), done, "what was acknowledged is there")
		require.LessOrEqual(t, len(raw), done+1, "and at most the entry whose acknowledgement was cut off")
		before = len(raw)
	}
	mustAppend(t, s, "t", `"after"`)
	raw, err := s.Read(context.Background(), "t")
	require.NoError(t, err)
	assert.Equal(t, `"after"`, string(raw[len(raw)-1]))
	assert.Greater(t, len(raw), 25)
}

// covers: LED-3
func TestTwoProcessesAreSerialized(t *testing.T) {
	t.Parallel()
	const each = 60
	s := &ledger.Files{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		cmd := child("writer", s.Dir, name, each)
		require.NoError(t, cmd.Start())
		wg.Go(func() { assert.NoError(t, cmd.Wait()) })
	}
	wg.Wait()
	raw, err := s.Read(context.Background(), "t")
	require.NoError(t, err)
	require.Len(t, raw, 2*each)
	next := map[string]int{}
	for _, doc := range raw {
		var by string
		var n int
		_, err := fmt.Sscanf(string(doc), `{"by":%q,"n":%d`, &by, &n)
		require.NoError(t, err)
		require.Equal(t, next[by], n, "entries of %s are in order, none lost and none twice", by)
		next[by]++
	}
}

// fullDisk appends until a file size limit stops it, lifts the limit and goes on.
func fullDisk(dir string) int {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return 2
	}
	low := limit
	low.Cur = 5000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &low); err != nil {
		return 2
	}
	s, ctx := &ledger.Files{Dir: dir}, context.Background()
	kept := 0
	for {
		_, err := s.Append(ctx, "t", []byte(`"`+strings.Repeat("x", 700)+`"`))
		if fault.ClassOf(err) == fault.Environment {
			break
		}
		if kept++; err != nil || kept > 100 {
			return 3
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return 2
	}
	seq, err := s.Append(ctx, "t", []byte(`"last"`))
	if err != nil || seq != kept+1 || kept == 0 {
		return 4
	}
	return 0
}

// covers: LED-3, REL-1
func TestDiskFull(t *testing.T) {
	t.Parallel()
	s := &ledger.Files{Dir: t.TempDir()}
	require.NoError(t, child("full", s.Dir, "", 0).Run())
	raw, err := s.Read(context.Background(), "t")
	require.NoError(t, err)
	assert.Equal(t, `"last"`, string(raw[len(raw)-1]))
	data, err := os.ReadFile(filepath.Join(s.Dir, "t.jsonl"))
	require.NoError(t, err)
	assert.NotContains(t, string(data), `"torn"`, "a write that did not fit was taken back")
}

// covers: LED-3, ARC-6
func TestWaitingWriterCanBeCanceled(t *testing.T) {
	t.Parallel()
	s := &ledger.Files{Dir: t.TempDir()}
	mustAppend(t, s, "t", `1`)
	held, err := os.OpenFile(filepath.Join(s.Dir, "t.jsonl"), os.O_RDWR, 0)
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, syscall.Flock(int(held.Fd()), syscall.LOCK_EX))

	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err = s.Append(ctx, "t", []byte(`2`))
	assert.ErrorIs(t, err, fault.Canceled)
	require.NoError(t, syscall.Flock(int(held.Fd()), syscall.LOCK_UN))
	mustAppend(t, s, "t", `3`)
	assert.Equal(t, []string{`1`, `3`}, readAll(t, s))
}

// covers: LED-3
func TestAppendThatWaitedForARemovedFileIsNotLost(t *testing.T) {
	t.Parallel()
	s := &ledger.Files{Dir: t.TempDir()}
	mustAppend(t, s, "t", `1`)
	path := filepath.Join(s.Dir, "t.jsonl")
	held, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, syscall.Flock(int(held.Fd()), syscall.LOCK_EX))
	done := make(chan error)
	go func() {
		_, err := s.Append(context.Background(), "t", []byte(`2`))
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	require.NoError(t, os.Remove(path))
	require.NoError(t, syscall.Flock(int(held.Fd()), syscall.LOCK_UN))
	require.NoError(t, <-done)
	assert.Equal(t, []string{`2`}, readAll(t, s))
}

// covers: LED-3
func TestAppendAndRemoveAtOnce(t *testing.T) {
	t.Parallel()
	s := &ledger.Files{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 15 {
				_, err := s.Append(context.Background(), "t", []byte(`1`))
				assert.NoError(t, err)
			}
		})
	}
	for range 15 {
		assert.NoError(t, s.Remove(context.Background(), "t"))
	}
	wg.Wait()
	_, err := s.Read(context.Background(), "t")
	assert.NoError(t, err)
}
