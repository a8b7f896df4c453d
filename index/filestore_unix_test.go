//go:build unix

package index_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// repositoryOf returns files enough to fill several buffers.
func repositoryOf(n int) indextest.Files {
	files := indextest.Files{"toy.mod": "big\n"}
	for i := range n {
		files[fmt.Sprintf("p%d/f.toy", i)] = fmt.Sprintf("def F%d\ncall F%d\n", i, i) + strings.Repeat(fmt.Sprintf("# comment %d\ndef G%d\n", i, i), 50)
	}
	return files
}

// TestStoreChild is no test of its own: it is what other processes run.
func TestStoreChild(t *testing.T) {
	cache, dir := os.Getenv("PLUMB_TEST_CACHE"), os.Getenv("PLUMB_TEST_DIR")
	if cache == "" {
		t.Skip("runs as a child of other tests")
	}
	if os.Getenv("PLUMB_TEST_FULL") != "" {
		limit := unix.Rlimit{Cur: 64 << 10, Max: 64 << 10}
		require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &limit))
	}
	fmt.Println("begin")
	s := kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir))
	fmt.Println("facts", s.Facts())
}

func child(t *testing.T, cache, dir string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run", "^TestStoreChild$", "-test.v")
	cmd.Env = append(append(os.Environ(), "PLUMB_TEST_CACHE="+cache, "PLUMB_TEST_DIR="+dir), env...)
	return cmd
}

func factsOf(t *testing.T, out []byte) string {
	_, rest, ok := strings.Cut(string(out), "facts ")
	require.True(t, ok, "the child gave no facts: %s", out)
	return strings.Fields(rest)[0]
}

// covers: IDX-23, REL-1
func TestACacheSurvivesBeingKilled(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	files := repositoryOf(300)
	write(t, dir, files)
	want := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, files, nil).Facts()
	random := rand.New(rand.NewPCG(5, 6))
	for range 12 {
		cmd := child(t, cache, dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for lines.Scan() && !strings.Contains(lines.Text(), "begin") {
		}
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		_ = cmd.Process.Kill()
		for lines.Scan() {
		}
		_ = cmd.Wait()
	}
	assert.Equal(t, want, kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir)).Facts())
	n := 0
	s, err := (&index.TreeSitter{Languages: counted(&n), Store: &index.FileStore{Dir: cache}, Jobs: 1}).Index(context.Background(), index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	assert.Equal(t, want, s.Facts())
	assert.Zero(t, n, "what the last run wrote is whole")
}

// covers: IDX-23
func TestTwoProcessesShareACache(t *testing.T) {
	dir, other, cache := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "cache")
	files := repositoryOf(100)
	write(t, dir, files)
	write(t, other, files)
	want := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, files, nil).Facts()
	for range 2 {
		var outs [4][]byte
		done := make(chan int)
		for i := range outs {
			go func() {
				outs[i], _ = child(t, cache, []string{dir, other}[i%2]).CombinedOutput()
				done <- i
			}()
		}
		for range outs {
			<-done
		}
		for _, out := range outs {
			assert.Equal(t, want, factsOf(t, out))
		}
	}
}

// covers: IDX-23
func TestAFullDiskCostsTheCacheOnly(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	files := repositoryOf(400)
	write(t, dir, files)
	want := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, files, nil).Facts()
	out, err := child(t, cache, dir, "PLUMB_TEST_FULL=1").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, want, factsOf(t, out), "no file can grow beyond 64 KB")
	for name, data := range cacheFiles(t, cache) {
		assert.LessOrEqual(t, len(data), 64<<10, name)
	}
	assert.Equal(t, want, kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir)).Facts())
}
