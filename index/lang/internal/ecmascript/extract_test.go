package ecmascript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

func family() []*index.Language {
	return []*index.Language{typescript.Language(), typescript.TSX(), javascript.Language()}
}

// Each case of testdata/extract begins with a sentence saying why; want/FILE.defs
// and want/FILE.sites hold what the extraction of FILE must say.
//
// covers: IDX-3, IDX-4
func TestExtractCases(t *testing.T) {
	eachCase(t, "extract", func(t *testing.T, files indextest.Files, want func(name, got string)) {
		s := indextest.Index(t, &index.TreeSitter{Languages: family()}, files, nil)
		for _, file := range files.Sorted() {
			want(file+".defs", definitionsOf(s, file))
		}
	})
}

func definitionsOf(s *index.Snapshot, file string) string {
	var b strings.Builder
	for d := range s.Symbols() {
		if d.Span.File != file || d.Kind == index.KindPackage && d.Span.End == 0 {
			continue
		}
		_, id, _ := strings.Cut(d.ID, ".")
		id, _, _ = strings.Cut(id, "@")
		fmt.Fprintf(&b, "%d %s %s %s", d.Ident.Line, d.Kind, d.Visibility, id)
		if n := d.Signature; len(n.Params)+len(n.Results)+len(n.TypeParams) > 0 {
			fmt.Fprintf(&b, " %s", signatureOf(n))
		}
		if d.Doc != "" {
			fmt.Fprintf(&b, " // %s", strings.ReplaceAll(d.Doc, "\n", " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func signatureOf(s index.Signature) string {
	text := func(ps []index.Param) string {
		var out []string
		for _, p := range ps {
			w := p.Name
			if p.Variadic {
				w = "..." + w
			}
			if p.Optional {
				w += "?"
			}
			if p.Type != "" {
				w += ": " + p.Type
			}
			if p.Default != "" {
				w += " = " + p.Default
			}
			out = append(out, w)
		}
		return strings.Join(out, ", ")
	}
	out := "(" + text(s.Params) + ")"
	if len(s.TypeParams) > 0 {
		out = "<" + text(s.TypeParams) + ">" + out
	}
	return out + text(s.Results)
}

// eachCase runs f on the files of every txtar archive of a folder of testdata.
func eachCase(t *testing.T, folder string, f func(t *testing.T, files indextest.Files, want func(name, got string))) {
	cases, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "a case says why it is there")
			files, wanted := indextest.Files{}, map[string]string{}
			for _, file := range archive.Files {
				if rest, ok := strings.CutPrefix(file.Name, "want/"); ok {
					wanted[rest] = string(file.Data)
					continue
				}
				files[file.Name] = string(file.Data)
			}
			got := map[string]string{}
			f(t, files, func(name, text string) {
				if text != "" {
					got[name] = text
				}
			})
			if os.Getenv("UPDATE_GOLDEN") != "" {
				writeCase(t, name, archive, got)
				return
			}
			assert.Equal(t, wanted, got)
		})
	}
}

func writeCase(t *testing.T, name string, archive *txtar.Archive, got map[string]string) {
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	var names []string
	for n := range got {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		archive.Files = append(archive.Files, txtar.File{Name: "want/" + n, Data: []byte(got[n])})
	}
	require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o666))
}
