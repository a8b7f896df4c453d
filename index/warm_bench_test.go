//go:build unix

package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// BenchmarkWarmOpen prints the figures of PRF-2 and PRF-3 on a copy of the tree
// named by PLUMB_INDEX_ROOT, or without it of the go folder of the standard
// library, made a git repository: the time to open an index that was saved, with
// nothing and with one file changed, beside that of `git status` in the same run,
// and the size of the cache beside that of the source.
//
//	PLUMB_INDEX_ROOT=$(go env GOROOT)/src go test ./index -run - -bench WarmOpen -benchtime 1x
func BenchmarkWarmOpen(b *testing.B) {
	from := os.Getenv("PLUMB_INDEX_ROOT")
	if from == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		require.NoError(b, err)
		from = filepath.Join(string(out[:len(out)-1]), "src", "go")
	}
	root, cache := filepath.Join(b.TempDir(), "tree"), filepath.Join(b.TempDir(), "cache")
	size := checkout(b, from, root)
	time.Sleep(2100 * time.Millisecond) // what changed just before it was read is read again
	open := func() (*index.Snapshot, time.Duration) {
		start := time.Now()
		ix := &index.TreeSitter{Languages: []*index.Language{golang.Language()}, Store: &index.FileStore{Dir: cache}}
		s, err := ix.Index(context.Background(), index.Input{FS: os.DirFS(root)})
		require.NoError(b, err)
		return s, time.Since(start)
	}
	for range b.N {
		first, cold := open()
		status := median(9, func() time.Duration { return clocked(b, root, "git", "status") })
		warm := median(9, func() time.Duration { _, took := open(); return took })
		again, _ := open()
		require.Equal(b, first.Digest(), again.Digest())
		edited := pick(b, root, first)
		n := 0
		changed := median(9, func() time.Duration {
			n++
			src, err := os.ReadFile(edited)
			require.NoError(b, err)
			require.NoError(b, os.WriteFile(edited, append(src, fmt.Sprintf("\nfunc added%d() {}\n", n)...), 0o644))
			_, took := open()
			return took
		})
		b.ReportMetric(float64(cold.Milliseconds()), "cold-ms")
		b.ReportMetric(float64(status.Microseconds())/1000, "git-status-ms")
		b.ReportMetric(float64(warm.Microseconds())/1000, "warm-ms")
		b.ReportMetric(float64(warm)/float64(status), "warm/status")
		b.ReportMetric(float64(changed.Microseconds())/1000, "one-changed-ms")
		b.ReportMetric(float64(changed)/float64(status), "one-changed/status")
		b.ReportMetric(float64(folderSize(b, cache))/float64(size), "disk/source")
	}
}

// checkout copies a tree, makes it a git repository and returns its size.
func checkout(b *testing.B, from, to string) (size int64) {
	require.NoError(b, os.CopyFS(to, os.DirFS(from)))
	require.NoError(b, os.RemoveAll(filepath.Join(to, ".git")))
	size = folderSize(b, to)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"}, {"status"}} {
		clocked(b, to, "git", args...)
	}
	return size
}

func clocked(b *testing.B, dir, name string, args ...string) time.Duration {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	start := time.Now()
	require.NoError(b, cmd.Run())
	return time.Since(start)
}

func median(n int, measure func() time.Duration) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = measure()
	}
	slices.Sort(all)
	return all[n/2]
}

func folderSize(b *testing.B, dir string) (size int64) {
	require.NoError(b, filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			info, err := e.Info()
			if err != nil {
				return err
			}
			size += info.Size()
		}
		return err
	}))
	return size
}

// pick returns a file in the middle of the tree.
func pick(b *testing.B, root string, s *index.Snapshot) string {
	var files []string
	for _, f := range s.Files() {
		if f.Language == "go" && f.Origin == index.Handwritten {
			files = append(files, f.Path)
		}
	}
	require.NotEmpty(b, files)
	return filepath.Join(root, files[len(files)/2])
}
