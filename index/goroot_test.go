//go:build unix

package index_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// largeTree returns the tree named by PLUMB_INDEX_ROOT, such as GOROOT/src.
func largeTree(t testing.TB) string {
	root := os.Getenv("PLUMB_INDEX_ROOT")
	if root == "" {
		t.Skip("PLUMB_INDEX_ROOT is not set")
	}
	return root
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident returns a size of the process from /proc/self/status in MB.
func resident(field string) int {
	data, _ := os.ReadFile("/proc/self/status")
	for line := range strings.SplitSeq(string(data), "\n") {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n >> 10
		}
	}
	return 0
}

// TestLargeTree prints the figures of a cold index, for runs by hand.
func TestLargeTree(t *testing.T) {
	root := largeTree(t)
	before, start := cpu(), time.Now()
	stage := ""
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: os.DirFS(root),
		Progress: func(now string, _, _ int, _ string) {
			if now != stage {
				stage = now
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				t.Logf("%s begins after %v, cpu %v: peak %d MB, heap %d of %d MB", stage, time.Since(start), cpu()-before, resident("VmHWM"), m.HeapAlloc>>20, m.HeapSys>>20)
			}
		}})
	require.NoError(t, err)
	st := s.Stats()
	used := cpu() - before
	t.Logf("%s: %+v", filepath.Base(root), st)
	t.Logf("wall %v, cpu %v, parser %v, ratio %.2f, peak %d MB, now %d MB", time.Since(start), used, st.ParseCPU,
		used.Seconds()/st.ParseCPU.Seconds(), resident("VmHWM"), resident("VmRSS"))
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("heap in use %d MB of %d MB from the system", m.HeapAlloc>>20, m.HeapSys>>20)
	runtime.KeepAlive(s)
}

func TestLargeTreeMemory(t *testing.T) {
	root := largeTree(t)
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: os.DirFS(root)})
	require.NoError(t, err)
	parts, sum := index.PackBytes(s)
	t.Logf("packs %d MB", sum>>20)
	for i, n := range parts {
		if n > 1<<20 {
			t.Logf("part %d: %.1f MB", i, float64(n)/(1<<20))
		}
	}
	runtime.GC()
	f, err := os.Create("/tmp/heap.prof")
	require.NoError(t, err)
	require.NoError(t, pprof.WriteHeapProfile(f))
	require.NoError(t, f.Close())
	runtime.KeepAlive(s)
}
