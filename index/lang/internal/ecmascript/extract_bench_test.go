package ecmascript_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/typescript"
	"github.com/plumbkit/plumb/internal/syntax"
)

// BenchmarkExtract prints the time of extraction as a multiple of the bare parse
// of the same files: those of the extraction cases, or the .ts and .tsx files of
// the folder in PLUMB_TS_ROOT.
func BenchmarkExtract(b *testing.B) {
	langs := map[string]*index.Language{".ts": typescript.Language(), ".tsx": typescript.TSX()}
	grammars := map[string]*syntax.Language{}
	for ext, l := range langs {
		g, err := syntax.NewLanguage(l.Name, l.Grammar, l.Query)
		require.NoError(b, err)
		grammars[ext] = g
	}
	files := benchFiles(b)
	parser := syntax.NewParser()
	var parse, match, extract time.Duration
	sites, exprs, size := 0, 0, 0
	for b.Loop() {
		for path, src := range files {
			ext := filepath.Ext(path)
			begin := time.Now()
			tree, err := parser.Parse(context.Background(), grammars[ext], src)
			require.NoError(b, err)
			parsed := time.Now()
			f := &index.Facts{Path: path, Language: langs[ext].Name}
			require.NoError(b, langs[ext].Extract(tree, f))
			extract += time.Since(parsed)
			parse += time.Duration(tree.ParseNanos)
			match += parsed.Sub(begin) - time.Duration(tree.ParseNanos)
			sites, exprs, size = sites+len(f.Sites), exprs+len(f.Exprs), size+len(src)
		}
	}
	b.SetBytes(int64(size / b.N))
	b.ReportMetric(match.Seconds()/parse.Seconds(), "flatten+match/parse")
	b.ReportMetric(extract.Seconds()/parse.Seconds(), "extract/parse")
	b.ReportMetric(float64(sites)/float64(b.N), "sites")
	b.ReportMetric(float64(exprs)/float64(b.N), "exprs")
}

func benchFiles(b *testing.B) map[string][]byte {
	files := map[string][]byte{}
	if root := os.Getenv("PLUMB_TS_ROOT"); root != "" {
		require.NoError(b, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".tsx")) {
				files[path], err = os.ReadFile(path)
			}
			return err
		}))
		return files
	}
	cases, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(b, err)
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		require.NoError(b, err)
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".ts") && !strings.HasPrefix(f.Name, "want/") {
				files[c+"/"+f.Name] = f.Data
			}
		}
	}
	return files
}
