package syntax

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/stretchr/testify/require"
)

// cpu returns the CPU time of the whole process.
func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// goFiles reads Go files below GOROOT/src until they hold about
// PLUMB_SYNTAX_MB megabytes (default 2; 1000 takes the whole tree).
func goFiles(tb testing.TB) (files [][]byte, size int) {
	limit := 2
	if s := os.Getenv("PLUMB_SYNTAX_MB"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(tb, err)
		limit = n
	}
	root := filepath.Join(runtime.GOROOT(), "src")
	require.NoError(tb, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if size >= limit<<20 {
			return fs.SkipAll
		}
		src, err := os.ReadFile(path)
		files, size = append(files, src), size+len(src)
		return err
	}))
	return files, size
}

// bareParse is what the ratios are taken against: the binding's parse and nothing else.
func bareParse(tb testing.TB, raw *sitter.Language, files [][]byte) {
	p := sitter.NewParser()
	defer p.Close()
	p.SetLanguage(raw)
	for _, src := range files {
		tree, err := p.ParseCtx(context.Background(), nil, src)
		require.NoError(tb, err)
		tree.Close()
	}
}

func parseAll(tb testing.TB, lang *Language, files [][]byte) {
	p := NewParser()
	defer p.Close()
	for _, src := range files {
		_, err := p.Parse(context.Background(), lang, src)
		require.NoError(tb, err)
	}
}

// BenchmarkParse prints the CPU time of parse and flatten, and of parse, flatten
// and a query of about 45 patterns, each as a multiple of the bare parse of the same files.
func BenchmarkParse(b *testing.B) {
	raw := samples[0].get()
	plain, err := NewLanguage("go", raw, "")
	require.NoError(b, err)
	queried, err := NewLanguage("go", raw, goQuery(b))
	require.NoError(b, err)
	files, size := goFiles(b)
	var bare, flat, query time.Duration
	for b.Loop() {
		bare += timed(b, func() { bareParse(b, raw, files) })
		flat += timed(b, func() { parseAll(b, plain, files) })
		query += timed(b, func() { parseAll(b, queried, files) })
	}
	b.SetBytes(int64(size))
	b.ReportMetric(float64(len(files)), "files")
	b.ReportMetric(float64(size)*float64(b.N)/bare.Seconds()/1e6, "bare-MB/s")
	b.ReportMetric(flat.Seconds()/bare.Seconds(), "flat/bare")
	b.ReportMetric(query.Seconds()/bare.Seconds(), "query/bare")
}

func timed(tb testing.TB, f func()) time.Duration {
	before := cpu(tb)
	f()
	return cpu(tb) - before
}

func goQuery(tb testing.TB) string {
	text, err := os.ReadFile("testdata/go.scm")
	require.NoError(tb, err)
	return string(text)
}
