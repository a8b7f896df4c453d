package patch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// many makes 200 files of 100 lines with five changed lines each: 1,000 edits.
func many() (tree, *Set) {
	r, s := tree{}, &Set{Schema: 1}
	for i := range 200 {
		p := fmt.Sprintf("pkg%02d/file%03d.txt", i%20, i)
		var old, now bytes.Buffer
		for l := range 100 {
			fmt.Fprintf(&old, "line %d of file %d is quite an ordinary line\n", l, i)
			if l%20 == 7 {
				fmt.Fprintf(&now, "line %d of file %d was changed\n", l, i)
			} else {
				fmt.Fprintf(&now, "line %d of file %d is quite an ordinary line\n", l, i)
			}
		}
		r[p] = old.String()
		s.Files = append(s.Files, File{Path: p, Op: Modified, Old: old.Bytes(), New: now.Bytes()})
	}
	sortFiles(s.Files)
	return r, s
}

// plainly writes and flushes the same files, one after the other.
func plainly(tb testing.TB, dir string, s *Set, reverse bool) time.Duration {
	start := time.Now()
	for _, f := range s.Files {
		data := f.New
		if reverse {
			data = f.Old
		}
		h, err := os.OpenFile(filepath.Join(dir, f.Path), os.O_WRONLY|os.O_TRUNC, 0)
		require.NoError(tb, err)
		_, err = h.Write(data)
		require.NoError(tb, err)
		require.NoError(tb, h.Sync())
		require.NoError(tb, h.Close())
	}
	return time.Since(start)
}

// BenchmarkApply prints the time of one durable transaction of 1,000 edits in
// 200 files and its ratio to writing and flushing the same files plainly, on
// the disk that holds the working folder (PRF-7).
//
// covers: PRF-7
func BenchmarkApply(b *testing.B) {
	r, set := many()
	at, err := os.MkdirTemp(".", "bench-")
	require.NoError(b, err)
	defer os.RemoveAll(at)
	for p, c := range r {
		require.NoError(b, os.MkdirAll(filepath.Join(at, filepath.Dir(p)), 0o755))
		require.NoError(b, os.WriteFile(filepath.Join(at, p), []byte(c), 0o644))
	}
	w := opened(b, at)
	var ours, plain time.Duration
	for b.Loop() {
		plain += plainly(b, at, set, false) + plainly(b, at, set, true)
		start := time.Now()
		got, err := w.Apply(context.Background(), set, allow(set))
		require.NoError(b, err)
		ours += time.Since(start)
		require.NoError(b, w.Undo(context.Background(), got.ID))
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms/apply")
	b.ReportMetric(float64(plain.Milliseconds())/float64(2*b.N), "ms/plain")
	b.ReportMetric(2*float64(ours)/float64(plain), "ratio")
}

// BenchmarkReject prints the time in which a bad set is refused; it writes nothing.
//
// covers: PRF-7
func BenchmarkReject(b *testing.B) {
	r, set := many()
	w := opened(b, lay(b, r))
	bad := *set
	bad.Files = append([]File{}, set.Files...)
	bad.Files[199].Old = []byte("other\n")
	_, err := w.Apply(context.Background(), &bad, allow(&bad))
	require.Error(b, err)
	calls := 0
	w.disk.before = func(call, _ string) error { calls++; return nil }
	for b.Loop() {
		_, _ = w.Apply(context.Background(), &bad, allow(&bad))
	}
	require.Zero(b, calls, "nothing is written")
}
