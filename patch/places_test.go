package patch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
)

func created(path string) string {
	return "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n"
}

// covers: PAT-4, PAT-6
func TestNothingIsAFileAndAFolder(t *testing.T) {
	r := tree{"go.mod": "module m\n", "d/a.txt": "a\n"}
	for name, diff := range map[string]string{
		"both in one set":          created("q") + created("q/x"),
		"the folder first":         created("q/x/y") + created("q"),
		"a file is there":          created("go.mod/x"),
		"a folder is there":        created("d"),
		"moved to where a file is": "diff --git a/d/a.txt b/go.mod/a.txt\nsimilarity index 100%\nrename from d/a.txt\nrename to go.mod/a.txt\n",
	} {
		f := refusal(t, &Anchored{}, r, parsed(t, diff)...)
		assert.Equal(t, fault.InvalidInput, f.Class, name)
		assert.NotEmpty(t, f.Next, name)
	}
}

// covers: PAT-12
func TestPathThroughALinkOutIsDangerous(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	ws, err := Open(dir)
	require.NoError(t, err)
	f := refusal(t, &Anchored{FS: ws.FS()}, tree{"go.mod": "module m\n"}, parsed(t, created("link/x"))...)
	assert.Equal(t, fault.Dangerous, f.Class)
}
