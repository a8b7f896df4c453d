package verify_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/verify"
)

// wide writes a repository of 100 packages with 100 files each, in which each
// file calls the next package's, and indexes it.
func wide(b *testing.B) (dir string, before *index.Snapshot) {
	b.Helper()
	dir = b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/wide\n\ngo 1.24\n"), 0o644))
	for p := range 100 {
		pkg := filepath.Join(dir, fmt.Sprintf("p%02d", p))
		require.NoError(b, os.Mkdir(pkg, 0o755))
		for f := range 100 {
			require.NoError(b, os.WriteFile(filepath.Join(pkg, fmt.Sprintf("f%02d.go", f)), wideFile(p, f, "n int"), 0o644))
		}
	}
	before, err := (&index.TreeSitter{Languages: []*index.Language{language()}}).Index(b.Context(), index.Input{FS: os.DirFS(dir)})
	require.NoError(b, err)
	return dir, before
}

func wideFile(p, f int, params string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package p%02d\n\n", p)
	call := "n + 1"
	if p < 99 {
		fmt.Fprintf(&out, "import \"example.com/wide/p%02d\"\n\n", p+1)
		call = fmt.Sprintf("p%02d.F%02d(n) + 1", p+1, f)
	}
	fmt.Fprintf(&out, "type T%02d struct{ n int }\n\nfunc (t *T%02d) Do(n int) int { return t.n + n }\n\nfunc F%02d(%s) int {\n\treturn %s\n}\n", f, f, f, params, call)
	return out.Bytes()
}

// BenchmarkOverlayLayers prints PRF-9: L0 and L1 of a change of 20 files, ten of
// which change a signature, in a repository of 10,000, beside git's own diff of it.
//
// covers: PRF-9
func BenchmarkOverlayLayers(b *testing.B) {
	dir, before := wide(b)
	over := map[string][]byte{}
	for i := range 20 {
		params := "n int"
		if i%2 == 0 {
			params = "n, m int"
		}
		over[fmt.Sprintf("p%02d/f%02d.go", i, i)] = append(wideFile(i, i, params), []byte("\n// changed\n")...)
	}
	after, err := before.Overlay(b.Context(), over)
	require.NoError(b, err)
	var l0, l1 time.Duration
	for b.Loop() {
		r, err := (&verify.Layered{}).Verify(b.Context(), verify.Input{Before: before, After: after, Layers: []verify.LayerName{verify.L0, verify.L1}})
		require.NoError(b, err)
		require.Len(b, r.Missing, 9) // p00 is called by nobody
		l0, l1 = l0+r.Layers[0].Elapsed, l1+r.Layers[1].Elapsed
	}
	b.ReportMetric(float64(l0.Milliseconds())/float64(b.N), "L0-ms")
	b.ReportMetric(float64(l1.Milliseconds())/float64(b.N), "L1-ms")
	b.ReportMetric(float64(gitDiff(b, dir, over).Milliseconds()), "git-diff-ms")
}

// gitDiff returns how long git takes to show the change in a fresh repository.
func gitDiff(b *testing.B, dir string, over map[string][]byte) time.Duration {
	b.Helper()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	for path, data := range over {
		require.NoError(b, os.WriteFile(filepath.Join(dir, path), data, 0o644))
	}
	start := time.Now()
	git("diff")
	return time.Since(start)
}
