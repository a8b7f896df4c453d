//go:build unix

package langtest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// FilesBelow returns the language's files below the folders, but for those too
// large to be read.
func (k Kit) FilesBelow(t testing.TB, roots ...string) (files [][]byte) {
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains(k.Language.Extensions, filepath.Ext(path)) {
				return err
			}
			src, err := os.ReadFile(path)
			if len(src) <= syntax.DefaultMaxBytes {
				files = append(files, src)
			}
			return err
		}))
	}
	return files
}

// Bench prints the CPU time of extraction as a multiple of the bare parse of the
// same files. Garbage collection is included.
func (k Kit) Bench(b *testing.B, files [][]byte) {
	r := NewReader(b, k.Language)
	var parse, match, extract time.Duration
	sites, exprs := 0, 0
	for b.Loop() {
		for _, src := range files {
			begin := cpu(b)
			tree, err := r.parser.Parse(context.Background(), r.syntax, src)
			require.NoError(b, err)
			parsed := cpu(b)
			f := &index.Facts{Path: k.TestFile, Language: k.Language.Name}
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
