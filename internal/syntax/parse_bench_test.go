package syntax

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// cpu returns the CPU time of the calling thread.
func cpu(tb testing.TB) time.Duration {
	var t unix.Timespec
	require.NoError(tb, unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t))
	return time.Duration(t.Nano())
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
	require.NoError(tb, filepath.WalkDir(goSource(tb), func(path string, d fs.DirEntry, err error) error {
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

// BenchmarkParse prints the CPU time of parse and flatten, of parse, flatten and
// a query of 47 patterns, and of the query alone, each as a multiple of the bare
// parse of the same files. The three take turns file by file, so that a busy
// machine slows all of them alike.
//
// covers: PRF-1
func BenchmarkParse(b *testing.B) {
	raw := samples[0].get()
	plain, err := NewLanguage("go", raw, "")
	require.NoError(b, err)
	queried, err := NewLanguage("go", raw, goQuery(b))
	require.NoError(b, err)
	files, size := goFiles(b)
	bare := sitter.NewParser()
	defer bare.Close()
	bare.SetLanguage(raw)
	p, q := NewParser(), NewParser()
	defer p.Close()
	defer q.Close()
	var spent [3]time.Duration
	var inside time.Duration
	for b.Loop() {
		for _, src := range files {
			spent[0] += timed(b, func() {
				tree, err := bare.ParseCtx(context.Background(), nil, src)
				require.NoError(b, err)
				tree.Close()
			})
			spent[1] += timed(b, func() { inside += parse(b, p, plain, src) })
			spent[2] += timed(b, func() { parse(b, q, queried, src) })
		}
	}
	b.SetBytes(int64(size))
	b.ReportMetric(float64(len(files)), "files")
	b.ReportMetric(float64(size)*float64(b.N)/spent[0].Seconds()/1e6, "bare-MB/s")
	b.ReportMetric(inside.Seconds()/spent[0].Seconds(), "parse/bare")
	b.ReportMetric(spent[1].Seconds()/spent[0].Seconds(), "flat/bare")
	b.ReportMetric((spent[0]+spent[2]-spent[1]).Seconds()/spent[0].Seconds(), "query/bare")
	b.ReportMetric(spent[2].Seconds()/spent[0].Seconds(), "both/bare")
}

func parse(tb testing.TB, p *Parser, lang *Language, src []byte) time.Duration {
	tree, err := p.Parse(context.Background(), lang, src)
	require.NoError(tb, err)
	return time.Duration(tree.ParseNanos)
}

// timed returns the CPU time that f takes on this thread.
func timed(tb testing.TB, f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := cpu(tb)
	f()
	return cpu(tb) - before
}

func goQuery(tb testing.TB) string {
	text, err := os.ReadFile("testdata/go.scm")
	require.NoError(tb, err)
	return string(text)
}
