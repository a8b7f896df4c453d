package pytest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/verifytest"
)

// box isolates where the machine can.
var box = sandbox.Auto{AllowUnsandboxed: true}

// environment is the virtual environment that these tests run in. Where it is not
// there the test fails and says how to make it: one that is left out proves nothing.
func environment(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../../.cache/pytest")
	require.NoError(t, err)
	_, err = os.Stat(program(dir))
	require.NoErrorf(t, err, "make the environment of these tests: python3 -m venv .cache/pytest && .cache/pytest/bin/pip install -r verify/runner/pytest/testdata/requirements.txt")
	return dir
}

// unpack writes an archive of testdata into a new folder with the environment in it.
func unpack(t testing.TB, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, f := range ar.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
	require.NoError(t, os.Symlink(environment(t), filepath.Join(dir, ".venv")))
	return dir
}

func write(t testing.TB, at, data string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
	require.NoError(t, os.WriteFile(at, []byte(data), 0o644))
}

func good(name string) verify.TestID {
	return verify.TestID{Dir: "tests", File: "test_good.py", Name: name}
}

// covers: VER-7
func TestEveryEndIsReportedAsWhatItWas(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	tests := []verify.TestID{good(""), {Dir: "tests", File: "test_same.py"}, {Dir: "tests", File: "test_broken.py"}, {Dir: "tests", File: "test_module.py"},
		{Dir: "packages/inner/checks", File: "check_it.py"}, {Dir: "tests", File: "test_gone.py"}, good("test_slow"), good("test_rows")}
	out, err := (&Runner{}).Run(t.Context(), box, verify.Run{Dir: dir, Tests: tests, Timeout: time.Minute})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	assert.Len(t, got, len(out), "every test is reported once")
	for _, c := range []struct {
		test           verify.TestID
		status         verify.Status
		reason, output string
	}{
		{good("test_passes"), verify.Passed, "", "words of passes"},
		{good("test_fails"), verify.Failed, "", "assert 2 == 1"},
		{good("test_fails"), verify.Failed, "", "errors of fails"},
		{good("test_rows[1]"), verify.Passed, "", ""},
		{good("test_rows[2.5]"), verify.Failed, "", "assert 2.5 != 2.5"},
		{good("test_rows[a/b[c]]"), verify.Passed, "", ""},
		{good("test_rows"), verify.Failed, "test_rows[2.5]", ""},
		{good("test_skips"), verify.Skipped, "no display", ""},
		{good("test_marked"), verify.Skipped, "not today", ""},
		{good("test_known"), verify.Skipped, "it is expected to fail, and failed: known bug", ""},
		{good("test_mended"), verify.Passed, "it was expected to fail, and passed", ""},
		{good("test_mended_strictly"), verify.Failed, "", "XPASS(strict)"},
		{good("test_slow"), verify.NotRun, "options of pytest leave it out", ""},
		{good("test_setup"), verify.Failed, "error in setup", "no database here"},
		{good("test_teardown"), verify.Failed, "error in teardown", "still open"},
		{good("TestClass::test_method"), verify.Passed, "", ""},
		{good("TestClass::test_row[1]"), verify.Passed, "", ""},
		{good("TestClass::TestInner::test_deep"), verify.Passed, "", ""},
		{good("CaseTest::test_inherited"), verify.Passed, "", ""},
		{good("CaseTest::test_own"), verify.Failed, "", "1 != 2"},
		{good(""), verify.Failed, "", ""},
		{verify.TestID{Dir: "tests", File: "test_same.py", Name: "test_passes"}, verify.Passed, "", ""},
		{verify.TestID{Dir: "tests", File: "test_same.py"}, verify.Passed, "", ""},
		{verify.TestID{Dir: "tests", File: "test_broken.py"}, verify.BuildFailed, "cannot import name 'nothing'", "test_broken.py:1"},
		{verify.TestID{Dir: "tests", File: "test_module.py"}, verify.Skipped, "no such platform", ""},
		{verify.TestID{Dir: "packages/inner/checks", File: "check_it.py", Name: "test_it"}, verify.Passed, "", ""},
		{verify.TestID{Dir: "tests", File: "test_gone.py"}, verify.NotRun, "no such file", ""},
	} {
		o, ok := got[c.test]
		if assert.Truef(t, ok, "%v is not reported", c.test) {
			assert.Equalf(t, c.status, o.Status, "%v: %s\n%s", c.test, o.Reason, o.Output)
			assert.Containsf(t, o.Reason, c.reason, "%v", c.test)
			assert.Containsf(t, o.Output, c.output, "%v", c.test)
		}
	}
	assert.Equal(t, good("test_rows"), got[good("test_rows[2.5]")].Of)
	assert.NotContains(t, got[good("test_passes")].Output, "words of fails")
}

// covers: VER-7, VER-24, ARC-3
func TestConformance(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	in := func(file, name string) verify.TestID { return verify.TestID{Dir: "tests", File: file, Name: name} }
	verifytest.Runner(t, &Runner{}, box, verifytest.Project{
		Dir: dir, Timeout: 5 * time.Second,
		Ends: map[verify.TestID]verify.Status{
			good("test_passes"): verify.Passed, good("test_fails"): verify.Failed, good("test_skips"): verify.Skipped,
			good("TestClass::test_method"): verify.Passed, good("test_rows[1]"): verify.Passed,
			in("test_exits.py", "test_before"): verify.Passed, in("test_exits.py", "test_exits"): verify.Crashed, in("test_exits.py", "test_after"): verify.Passed,
			in("test_killed.py", "test_killed"): verify.Crashed,
			in("test_hangs.py", "test_quick"):   verify.Passed, in("test_hangs.py", "test_hangs"): verify.TimedOut, in("test_hangs.py", "test_late"): verify.NotRun,
			in("test_broken.py", "test_broken"): verify.BuildFailed,
			in("test_module.py", "test_never"):  verify.Skipped,
		},
		Words: map[verify.TestID]string{good("test_passes"): "words of passes", good("test_fails"): "words of fails"},
		Reasons: map[verify.TestID]string{good("test_skips"): "no display", in("test_module.py", "test_never"): "no such platform",
			in("test_killed.py", "test_killed"): "Segmentation fault", in("test_hangs.py", "test_late"): "another test ended the run"},
		Cases: map[verify.TestID]verify.TestID{good("test_rows[a/b[c]]"): good("test_rows"), good("TestClass::test_row[1]"): good("TestClass::test_row")},
		Whole: map[verify.TestID]verify.Status{good(""): verify.Failed, in("test_same.py", ""): verify.Passed, in("test_broken.py", ""): verify.BuildFailed,
			in("test_module.py", ""): verify.Skipped, {Dir: "packages/inner/checks"}: verify.Passed},
		Break: func(t *testing.T, dir string) verify.TestID {
			write(t, filepath.Join(dir, "shop", "price.py"), "def rounded(amount):\n    raise ValueError(amount)\n")
			return good("test_passes")
		},
	})
}

// A conftest that cannot be imported keeps every test from being collected: none
// of them passes, and it is no fault of the machine.
//
// covers: VER-7
func TestAConftestThatBreaksIsABuildThatFails(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	id := verify.TestID{Dir: "late", File: "test_late.py", Name: "test_late"}
	for _, run := range []verify.Run{{Dir: dir, Tests: []verify.TestID{id}}, {Dir: dir, Packages: []string{"late"}}} {
		out, err := (&Runner{}).Run(t.Context(), box, run)
		require.NoError(t, err)
		require.Len(t, out, 1)
		assert.Equal(t, verify.BuildFailed, out[0].Status, "%v", out[0])
		assert.Contains(t, out[0].Reason, "nothing_of_that_name")
	}
}

// covers: VER-7
func TestRepetitionReportsEachRun(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	state := filepath.Join(t.TempDir(), "state")
	open := sandbox.Func(func(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
		c.Env = append(c.Env, "PLUMB_FLAKY="+state)
		c.Writable = append(c.Writable, filepath.Dir(state))
		return box.Run(ctx, c)
	})
	id := verify.TestID{Dir: "tests", File: "test_flaky.py", Name: "test_every_second_time"}
	out, err := (&Runner{}).Run(t.Context(), open, verify.Run{Dir: dir, Tests: []verify.TestID{id}, Repeat: 3})
	require.NoError(t, err)
	var got []verify.Status
	for _, o := range out {
		got = append(got, o.Status)
	}
	assert.Equal(t, []verify.Status{verify.Passed, verify.Failed, verify.Passed}, got)
}

// covers: VER-7, FLT-2
func TestWithoutPytestTheFaultSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "test_a.py"), "def test_a(): pass\n")
	run := verify.Run{Dir: dir, Tests: []verify.TestID{{Dir: ".", File: "test_a.py", Name: "test_a"}}}
	_, err := (&Runner{Python: "no-such-python"}).Run(t.Context(), box, run)
	require.ErrorIs(t, err, fault.Environment)
	assert.ErrorContains(t, err, "install Python")

	bare := filepath.Join(t.TempDir(), "python")
	write(t, bare, "#!/bin/sh\necho '{\"executable\": \"/opt/python\", \"version\": \"3.12.0\", \"pytest\": \"\"}'\n")
	require.NoError(t, os.Chmod(bare, 0o755))
	_, err = (&Runner{Python: bare}).Run(t.Context(), box, run)
	require.ErrorIs(t, err, fault.Environment)
	assert.ErrorContains(t, err, "/opt/python -m pip install pytest")

	_, err = (&Runner{}).Run(t.Context(), box, verify.Run{Dir: dir, Tests: []verify.TestID{{Dir: ".", File: "../x.py", Name: "test_a"}}})
	require.ErrorIs(t, err, fault.InvalidInput)
}

// covers: VER-7, VER-20
func TestTheInterpreterIsNamed(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	tools, err := (&Runner{}).Tooling(t.Context(), dir)
	require.NoError(t, err)
	assert.Equal(t, "8.3.4", tools.Versions["pytest"])
	assert.Regexp(t, `^3\.\d+\.\d+.* of \.venv$`, tools.Versions["python"])
	assert.Contains(t, tools.Env, "VIRTUAL_ENV="+filepath.Join(dir, ".venv"))
}
