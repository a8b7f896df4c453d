package python

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// TestExtract reads each case of testdata/extract: .py files, and under want/
// what is extracted from them (file, defs, sites, marks). A case holds only the
// parts that it is about. UPDATE_GOLDEN=1 writes them again.
//
// covers: IDX-2, IDX-3, IDX-4, IDX-20
func TestExtract(t *testing.T) {
	cases, err := filepath.Glob("testdata/extract/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	r := newReader(t)
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, r, path) })
	}
}

func runCase(t *testing.T, r *reader, path string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	sources := map[string]rendering{}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			facts := r.facts(t, f.Name, f.Data)
			checkShape(t, facts, f.Data)
			sources[f.Name] = rendering{facts, f.Data}
		}
	}
	for i := range archive.Files {
		f := &archive.Files[i]
		name, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		dot := strings.LastIndexByte(name, '.')
		source, ok := sources[name[:dot]]
		require.True(t, ok, "%s has no source", f.Name)
		part := map[string]func() string{"file": source.file, "defs": source.defs, "sites": source.sites, "marks": source.marks}[name[dot+1:]]
		require.NotNil(t, part, f.Name)
		if os.Getenv("UPDATE_GOLDEN") != "" {
			f.Data = []byte(part())
			continue
		}
		assert.Equal(t, string(f.Data), part(), f.Name)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
	}
}
