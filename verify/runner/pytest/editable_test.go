package pytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// command runs a program and returns what it prints.
func command(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoErrorf(t, err, "%v: %s", args, out)
	return string(out)
}

// installed makes a repository whose package is installed in place into its own
// virtual environment, which git ignores.
func installed(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range map[string]string{
		".gitignore":               ".venv\n*.egg-info\n__pycache__\nbuild\n",
		"pyproject.toml":           "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"setuptools.build_meta\"\n[project]\nname = \"shop\"\nversion = \"1.0\"\n[tool.setuptools]\npackages = [\"shop\"]\npackage-dir = {shop = \"lib/shop\"}\n",
		"lib/shop/__init__.py":     "",
		"lib/shop/price.py":        "def rounded(amount):\n    return int(amount + 0.5)\n",
		"tests/unit/test_price.py": "from shop.price import rounded\n\n\ndef test_rounded():\n    assert rounded(1.6) == 2\n\n\ndef test_whole():\n    assert rounded(3) == 3\n",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	command(t, dir, "git", "init", "-q")
	tools := environment(t)
	command(t, dir, program(tools), "-m", "venv", "--without-pip", ".venv")
	from, err := filepath.Glob(filepath.Join(tools, "lib", "python*", "site-packages"))
	require.NoError(t, err)
	to, err := filepath.Glob(filepath.Join(dir, ".venv", "lib", "python*", "site-packages"))
	require.NoError(t, err)
	require.Len(t, to, 1)
	require.NoError(t, os.CopyFS(to[0], os.DirFS(from[0])))
	command(t, dir, program(filepath.Join(dir, ".venv")), "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "-e", ".")
	return dir
}

// verified verifies a change of lib/shop/price.py in the repository.
func verified(t *testing.T, dir string, box sandbox.Sandbox, price string) *verify.Report {
	t.Helper()
	ws, err := patch.Open(dir)
	require.NoError(t, err)
	before, err := (&index.TreeSitter{Languages: []*index.Language{python.Language()}}).Index(t.Context(), index.Input{FS: ws.FS()})
	require.NoError(t, err)
	after, err := before.Overlay(t.Context(), map[string][]byte{"lib/shop/price.py": []byte(price)})
	require.NoError(t, err)
	v := &verify.Layered{Runner: &Runner{}, Sandbox: box, Budgets: verify.Budgets{L0: time.Minute, L1: time.Minute, L2: 5 * time.Minute, L3: 5 * time.Minute}}
	r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws})
	require.NoError(t, err)
	return r
}

func layers(r *verify.Report) map[verify.LayerName]verify.LayerStatus {
	out := map[verify.LayerName]verify.LayerStatus{}
	for _, l := range r.Layers {
		out[l.Name] = l.Status
	}
	return out
}

// A package that is installed in place is named in its environment by the
// absolute path of the repository. Where the tree stands in the repository's place
// its tests run the patched bytes; where it cannot, they run the original, a
// planted failure is not noticed, and the result is none.
//
// covers: VER-24, VER-8, VER-5
func TestAnInstallInPlaceRunsThePatchedBytes(t *testing.T) {
	dir := installed(t)
	if _, err := (sandbox.Bubblewrap{}).Run(t.Context(), sandbox.Command{Dir: dir, Args: []string{"true"}}); err == nil {
		r := verified(t, dir, sandbox.Bubblewrap{}, "def rounded(amount):\n    return round(amount)\n")
		assert.Equal(t, map[verify.LayerName]verify.LayerStatus{verify.L0: verify.LayerPassed, verify.L1: verify.LayerPassed,
			verify.L2: verify.LayerPassed, verify.L3: verify.LayerPassed}, layers(r), "%+v", r.Layers)
		for _, x := range r.Tests {
			assert.Equal(t, verify.Unchanged, x.Attribution, "%v", x.Test)
			assert.Equal(t, "test_price.py", x.Test.File)
		}
		assert.Len(t, r.Tests, 2)

		r = verified(t, dir, sandbox.Bubblewrap{}, "def rounded(amount):\n    return int(amount)\n")
		assert.Equal(t, verify.LayerFailed, layers(r)[verify.L2], "%+v", r.Layers)
		for _, x := range r.Tests {
			if x.Test.Name != "test_rounded" {
				continue
			}
			assert.Equal(t, verify.Regression, x.Attribution)
			assert.Equal(t, "E   assert 1 == 2", x.Failure.Assertion)
			assert.Equal(t, "1", x.Failure.Actual)
			assert.Equal(t, "2", x.Failure.Expected)
			assert.Equal(t, "tests/unit/test_price.py", x.Failure.Frame.File)
		}
		for _, c := range r.Commands {
			assert.Empty(t, c.Broken, "%v", c)
		}
	}
	r := verified(t, dir, sandbox.Direct{}, "def rounded(amount):\n    return int(amount)\n")
	assert.Equal(t, verify.LayerEnvironment, layers(r)[verify.L2], "%+v", r.Layers)
	assert.False(t, r.Environment.Sandboxed)
	data, err := os.ReadFile(filepath.Join(dir, "lib/shop/price.py"))
	require.NoError(t, err)
	assert.Contains(t, string(data), "+ 0.5", "the repository is as it was")
	left := command(t, dir, "git", "status", "--porcelain", "--ignored", "-uall")
	assert.NotContains(t, left, ".pyc\n!! tests", "nothing compiled is left beside the tests")
}
