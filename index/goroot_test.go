package index_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
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
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: os.DirFS(root)})
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
