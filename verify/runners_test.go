package verify_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// A named runner passes whatever it is asked for and says which tool it is.
type named struct {
	name string
	lost bool
}

func (n named) Run(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
	ids := run.Tests
	for _, dir := range run.Packages {
		ids = append(ids, verify.TestID{Dir: dir, Name: "all of " + n.name})
	}
	if len(ids) == 0 {
		ids = []verify.TestID{{Dir: ".", Name: "everything"}}
	}
	for _, id := range ids {
		out = append(out, verify.Outcome{Test: id, Status: verify.Passed, Command: []string{n.name}})
	}
	return out, nil
}

func (n named) Tooling(context.Context, string) (verify.Tooling, error) {
	if n.lost {
		return verify.Tooling{}, &fault.Fault{Class: fault.Environment, Op: "named.tooling", Detail: n.name + " is missing", Next: "install it"}
	}
	return verify.Tooling{Env: []string{"PATH=/" + n.name + ":/bin", "HOME_OF=" + n.name}, Readable: []string{"/" + n.name},
		Versions: map[string]string{n.name: "1"}, Linked: []string{"." + n.name}}, nil
}

func ending(suffix string) func(fs.FS, string) bool {
	return func(_ fs.FS, file string) bool { return strings.HasSuffix(file, suffix) }
}

func twoTools() *verify.Runners {
	return &verify.Runners{Tools: []verify.Tool{
		{Runner: named{name: "pytest"}, Takes: ending("_test.py"), ByFile: true},
		{Runner: named{name: "gotest"}, Takes: ending("_test.go")},
	}}
}

// covers: VER-7
func TestEachTestGoesToTheToolOfItsFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"both/a_test.go", "both/a_test.py", "py/b_test.py", "none/c.txt"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	who := func(run verify.Run) map[string]string {
		run.Dir = dir
		out, err := twoTools().Run(t.Context(), sandbox.Func(noProcess), run)
		require.NoError(t, err)
		got := map[string]string{}
		for _, o := range out {
			got[o.Test.String()] = o.Command[0] + " " + string(o.Status)
		}
		return got
	}
	assert.Equal(t, map[string]string{
		"both TestA": "gotest passed", "both/a_test.py test_a": "pytest passed", "py/b_test.py": "pytest passed",
		"gone TestB": "gotest passed", "none/c.txt test_c": "none not_run",
	}, who(verify.Run{Tests: []verify.TestID{
		{Dir: "both", Name: "TestA"}, {Dir: "both", File: "a_test.py", Name: "test_a"}, {Dir: "py", File: "b_test.py"},
		{Dir: "gone", Name: "TestB"}, {Dir: "none", File: "c.txt", Name: "test_c"},
	}}))
	assert.Equal(t, map[string]string{"both all of pytest": "pytest passed", "both all of gotest": "gotest passed", "py all of pytest": "pytest passed"},
		who(verify.Run{Packages: []string{"both", "py", "none"}}))
	assert.Len(t, who(verify.Run{}), 1)
	_, err := twoTools().Run(t.Context(), sandbox.Func(noProcess), verify.Run{Dir: dir, Packages: []string{"../up"}})
	require.ErrorIs(t, err, fault.InvalidInput)
}

// covers: VER-7
func TestToolsSayTogetherWhatTheyNeed(t *testing.T) {
	all, err := twoTools().Tooling(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Equal(t, verify.Tooling{Env: []string{"PATH=/pytest:/bin:/gotest", "HOME_OF=gotest"}, Readable: []string{"/pytest", "/gotest"},
		Versions: map[string]string{"pytest": "1", "gotest": "1"}, Linked: []string{".pytest", ".gotest"}}, all)

	r := twoTools()
	r.Tools[0].Runner = named{name: "pytest", lost: true}
	one, err := r.Tooling(t.Context(), t.TempDir())
	require.NoError(t, err, "what is missing is said when it is to run")
	assert.Equal(t, map[string]string{"gotest": "1"}, one.Versions)
	r.Tools[1].Runner = named{name: "gotest", lost: true}
	_, err = r.Tooling(t.Context(), t.TempDir())
	require.ErrorIs(t, err, fault.Environment)
}
