package verify_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/verify"
)

// A difference that is in the workspace already is verified against an earlier
// state, which nobody has a Set or a plan for: of files that were changed, that
// are new and that are gone, of programs and of data.
//
// covers: VER-8
func TestAnEarlierStateIsTheBaseline(t *testing.T) {
	s := open(t, bank+"-- account/run.sh --\necho now\n-- account/testdata/new.bin --\n\x01\x02\n")
	require.NoError(t, os.Chmod(filepath.Join(s.dir, "account/run.sh"), 0o755))
	require.NoError(t, os.Symlink("run.sh", filepath.Join(s.dir, "account/link")))
	after, err := (&index.TreeSitter{Languages: []*index.Language{language()}}).Index(t.Context(), index.Input{FS: os.DirFS(s.dir)})
	require.NoError(t, err)

	earlier := fstest.MapFS{}
	for _, f := range after.Files() {
		data, err := after.Source(f.Path)
		if err != nil {
			continue // the link
		}
		earlier[f.Path] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	delete(earlier, "account/testdata/new.bin")
	earlier["account/run.sh"] = &fstest.MapFile{Data: []byte("echo before\n"), Mode: 0o755}
	earlier["account/link"] = &fstest.MapFile{Data: []byte("gone.sh"), Mode: fs.ModeSymlink | 0o777}
	earlier["account/gone.sh"] = &fstest.MapFile{Data: []byte("echo gone\n"), Mode: 0o755}
	earlier["account/account.go"] = &fstest.MapFile{Data: append([]byte("// tool: TestOpen failed it was red\n"), earlier["account/account.go"].Data...), Mode: 0o644}
	before, err := (&index.TreeSitter{Languages: []*index.Language{language()}}).Index(t.Context(), index.Input{FS: earlier})
	require.NoError(t, err)

	seen := map[string]string{}
	f := &tool{}
	f.look = func(run verify.Run) {
		if len(f.runs) > 2 {
			return // before, after
		}
		for _, name := range []string{"account/run.sh", "account/gone.sh", "account/testdata/new.bin"} {
			is := "absent"
			if data, err := os.ReadFile(filepath.Join(run.Dir, name)); err == nil {
				info, err := os.Stat(filepath.Join(run.Dir, name))
				require.NoError(t, err)
				is = info.Mode().String() + " " + strings.TrimSpace(string(data))
			}
			seen[name] = strings.TrimPrefix(seen[name]+", "+is, ", ")
		}
	}
	v := scripted(f)
	r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: s.workspace})
	require.NoError(t, err)
	for _, l := range r.Layers {
		assert.Equal(t, verify.LayerPassed, l.Status, "%s: %v", l.Name, l.Findings)
	}
	got := attributions(r)
	assert.Equal(t, verify.Fixed, got["L2 account TestOpen"], "%v", got)
	assert.Equal(t, map[string]string{
		"account/run.sh":           "-rwxr-xr-x echo before, -rwxr-xr-x echo now",
		"account/gone.sh":          "-rwxr-xr-x echo gone, absent",
		"account/testdata/new.bin": "absent, -rw-r--r-- \x01\x02",
	}, map[string]string{
		"account/run.sh": seen["account/run.sh"], "account/gone.sh": seen["account/gone.sh"], "account/testdata/new.bin": seen["account/testdata/new.bin"],
	})
	assert.Contains(t, unverified(r), "what the change of account/link does because it is a link")
}
