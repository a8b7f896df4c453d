//go:build unix

package index_test

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
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

// resident returns a size of the process from /proc/self/status in MB, 0 where
// there is none.
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

// BenchmarkColdIndex indexes the tree named by PLUMB_INDEX_ROOT, or without it
// the go folder of the standard library, and prints the figures of PRF-1, PRF-2
// and PRF-5: CPU time beside that of the bare parse of the same files in the
// same run, wall time beside CPU time, peak and loaded memory, references by
// status, and medians of queries.
//
//	PLUMB_INDEX_ROOT=$(go env GOROOT)/src go test ./index -run - -bench ColdIndex -benchtime 1x
func BenchmarkColdIndex(b *testing.B) {
	root := os.Getenv("PLUMB_INDEX_ROOT")
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		require.NoError(b, err)
		root = filepath.Join(strings.TrimSpace(string(out)), "src", "go")
	}
	for range b.N {
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak so far, where Linux lets us
		before, start := cpu(), time.Now()
		s, err := goIndexer().Index(context.Background(), index.Input{FS: os.DirFS(root)})
		require.NoError(b, err)
		used, wall := cpu()-before, time.Since(start)
		b.ReportMetric(float64(resident("VmHWM")), "peak-MB")
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		_, packed := index.PackBytes(s)
		b.ReportMetric(float64(m.HeapAlloc+uint64(packed))/(1<<20), "loaded-MB") // the heap, and what lies beside it
		b.ReportMetric(float64(resident("VmRSS")), "resident-MB")
		bare := bareParse(b, root, s)
		b.ReportMetric(used.Seconds(), "cpu-s")
		b.ReportMetric(bare.Seconds(), "parse-cpu-s")
		b.ReportMetric(used.Seconds()/bare.Seconds(), "cpu/parse")
		b.ReportMetric(wall.Seconds()/used.Seconds(), "wall/cpu")
		at := time.Now()
		st := s.Stats()
		b.Logf("%d files, %d lines, %d symbols, %d references: %d static, %d ambiguous, %d dynamic, %d external, %d unresolved (counted in %v)",
			st.Files, st.Lines, st.Symbols, st.References, st.Static, st.Ambiguous, st.Dynamic, st.External, st.Unresolved, time.Since(at))
		queries(b, s)
	}
}

// bareParse parses the files that were indexed with the binding alone, on as
// many threads, and returns the CPU time. Reading them is not counted.
func bareParse(t testing.TB, root string, s *index.Snapshot) time.Duration {
	var sources [][]byte
	for _, f := range s.Files() {
		if f.Language == "go" && f.Skipped == "" {
			src, err := os.ReadFile(filepath.Join(root, f.Path))
			require.NoError(t, err)
			sources = append(sources, src)
		}
	}
	before := cpu()
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			parser := sitter.NewParser()
			defer parser.Close()
			parser.SetLanguage(golang.Language().Grammar)
			for i := next.Add(1) - 1; int(i) < len(sources); i = next.Add(1) - 1 {
				if tree, err := parser.ParseCtx(context.Background(), nil, sources[i]); err == nil {
					tree.Close()
				}
			}
		})
	}
	group.Wait()
	return cpu() - before
}

// queries reports the medians over the 100 most referenced symbols.
func queries(b *testing.B, s *index.Snapshot) {
	ids := mostReferenced(s, 100)
	for what, ask := range map[string]func(id string){
		"definitions": func(id string) { s.DefinitionsUpTo(id, 50) },
		"references":  func(id string) { s.References(id, 50) },
		"impact":      func(id string) { s.ImpactUpTo(id, 2, 50) },
	} {
		all := make([]time.Duration, len(ids))
		for i, id := range ids {
			start := time.Now()
			ask(id)
			all[i] = time.Since(start)
		}
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, what+"-ms")
	}
}

// mostReferenced returns the IDs of the n symbols with most references.
func mostReferenced(s *index.Snapshot, n int) []string {
	counts := make(map[string]int)
	for sym := range s.Symbols() {
		counts[sym.ID] = s.Uses(sym.ID)
	}
	ids := make([]string, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	return ids[:min(n, len(ids))]
}

// TestLargeTreeMemory prints what the packed facts are made of, for runs by hand.
func TestLargeTreeMemory(t *testing.T) {
	s, err := goIndexer().Index(context.Background(), index.Input{FS: os.DirFS(largeTree(t))})
	require.NoError(t, err)
	parts, sum := index.PackBytes(s)
	t.Logf("packs %d MB", sum>>20)
	for i, n := range parts {
		if n > 1<<20 {
			t.Logf("part %d: %.1f MB", i, float64(n)/(1<<20))
		}
	}
}
