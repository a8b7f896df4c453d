package python

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// BenchmarkExtract prints the CPU time of extraction as a multiple of the bare
// parse of the same files: the sources of the test cases, or the folder in
// PLUMB_PYTHON_ROOT. Garbage collection is included.
func BenchmarkExtract(b *testing.B) {
	files := sources(b)
	if root := os.Getenv("PLUMB_PYTHON_ROOT"); root != "" {
		files = nil
		require.NoError(b, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
				return err
			}
			src, err := os.ReadFile(path)
			if len(src) <= syntax.DefaultMaxBytes {
				files = append(files, src)
			}
			return err
		}))
	}
	r := newReader(b)
	var parse, match, extract time.Duration
	sites, exprs := 0, 0
	for b.Loop() {
		for _, src := range files {
			begin := cpu(b)
			tree, err := r.parser.Parse(context.Background(), r.syntax, src)
			require.NoError(b, err)
			parsed := cpu(b)
			f := &index.Facts{Path: "test_a.py"}
			require.NoError(b, r.lang.Extract(tree, f))
			extract += cpu(b) - parsed
			parse += time.Duration(tree.ParseNanos)
			match += parsed - begin - time.Duration(tree.ParseNanos)
			sites, exprs = sites+len(f.Sites), exprs+len(f.Exprs)
		}
	}
	b.ReportMetric(match.Seconds()/parse.Seconds(), "flatten+match/parse")
	b.ReportMetric(extract.Seconds()/parse.Seconds(), "extract/parse")
	b.ReportMetric(parse.Seconds()/float64(b.N), "parse-s")
	b.ReportMetric(float64(sites)/float64(b.N), "sites")
	b.ReportMetric(float64(exprs)/float64(b.N), "exprs")
}

// cpu returns the CPU time of the whole process.
func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
