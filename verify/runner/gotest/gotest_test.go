package gotest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
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

// bare runs commands with no isolation at all; these tests are about reading
// what go test says.
func bare(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return sandbox.Result{}, err
	}
	return sandbox.Result{ExitCode: cmd.ProcessState.ExitCode(), Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Unsandboxed: true}, nil
}

// unpack writes a txtar archive into a temporary folder.
func unpack(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range ar.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	return dir
}

// covers: VER-7
func TestEveryEndIsReportedAsWhatItWas(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	out, err := (&Runner{}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: dir, Timeout: 2 * time.Second})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	for _, c := range []struct {
		dir, name string
		status    verify.Status
		reason    string
	}{
		{"good", "TestPasses", verify.Passed, ""},
		{"good", "TestSubtests", verify.Failed, ""},
		{"good", "TestSubtests/one_two", verify.Passed, ""},
		{"good", "TestSubtests/red", verify.Failed, ""},
		{"good", "TestSkips", verify.Skipped, "no database here"},
		{"good", "TestPretends", verify.Failed, ""},
		{"good", "", verify.Failed, ""},
		{"panics", "TestBefore", verify.Passed, ""},
		{"panics", "TestPanics", verify.Crashed, "panic: assignment to entry in nil map"},
		{"exits", "TestExits", verify.Crashed, "os.Exit"},
		{"killed", "TestKilled", verify.Crashed, "signal: killed"},
		{"slow", "TestQuick", verify.Passed, ""},
		{"slow", "TestSlow", verify.TimedOut, ""},
		{"broken", "", verify.BuildFailed, "do not build"},
		{"nested/inner", "TestInner", verify.Passed, ""},
		{"parallel", "TestA", verify.Passed, ""},
		{"parallel", "TestB", verify.Failed, ""},
		{"cleanup", "TestCleanupPanics", verify.Crashed, "in the cleanup"},
		{"gopanics", "TestGoroutinePanics", verify.Crashed, "in a goroutine"},
		{"main", "TestUnderMain", verify.Passed, ""},
		{"main", "", verify.Failed, ""},
		{"fatal", "TestDeadlock", verify.TimedOut, ""},
		{"examples", "Example", verify.Failed, ""},
	} {
		o, ok := got[verify.TestID{Dir: c.dir, Name: c.name}]
		require.Truef(t, ok, "%s %s is not reported", c.dir, c.name)
		assert.Equalf(t, c.status, o.Status, "%s %s: %s\n%s", c.dir, c.name, o.Reason, o.Output)
		assert.Containsf(t, o.Reason, c.reason, "%s %s", c.dir, c.name)
		assert.True(t, o.Unsandboxed, "the lack of isolation is reported")
	}
	assert.NotContains(t, got, verify.TestID{Dir: "panics", Name: "TestAfter"}, "a test that never began is not reported as run")
	assert.Contains(t, got[verify.TestID{Dir: "broken"}].Output, "undefined: undefined")
	assert.Contains(t, got[verify.TestID{Dir: "good", Name: "TestSubtests/red"}].Output, "got 1, want 2")
	assert.NotContains(t, got[verify.TestID{Dir: "good", Name: "TestPasses"}].Output, "want 2", "output goes to the test that wrote it")
	assert.NotContains(t, got[verify.TestID{Dir: "parallel", Name: "TestA"}].Output, "words of B")
	assert.NotContains(t, got[verify.TestID{Dir: "parallel", Name: "TestB"}].Output, "words of A")
	assert.Contains(t, got[verify.TestID{Dir: "parallel", Name: "TestB"}].Output, "words of B")
}

// covers: VER-7
func TestNamedTestsAreAllAnsweredFor(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	asked := []verify.TestID{
		{Dir: "good", Name: "TestPasses"}, {Dir: "good", Name: "TestGone"},
		{Dir: "panics", Name: "TestPanics"}, {Dir: "panics", Name: "TestAfter"},
		{Dir: "broken", Name: "TestBroken"}, {Dir: "nested/inner", Name: "TestInner"},
	}
	out, err := (&Runner{}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: dir, Tests: asked, Timeout: time.Minute})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	want := map[verify.TestID]verify.Status{
		asked[0]: verify.Passed, asked[1]: verify.NotRun, asked[2]: verify.Crashed,
		asked[3]: verify.NotRun, asked[4]: verify.BuildFailed, asked[5]: verify.Passed,
	}
	for id, status := range want {
		assert.Equalf(t, status, got[id].Status, "%v: %s", id, got[id].Reason)
	}
	assert.NotContains(t, got, verify.TestID{Dir: "good", Name: "TestSkips"}, "only what was asked for runs")
	assert.Contains(t, got[asked[3]].Reason, "before the test began")
}

// covers: VER-7, VER-24, ARC-3
func TestConformance(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	verifytest.Runner(t, &Runner{}, sandbox.Auto{AllowUnsandboxed: true}, verifytest.Project{
		Dir: dir, Timeout: 5 * time.Second,
		Ends: map[verify.TestID]verify.Status{
			{Dir: "good", Name: "TestPasses"}:              verify.Passed,
			{Dir: "good", Name: "TestSubtests"}:            verify.Failed,
			{Dir: "good", Name: "TestSkips"}:               verify.Skipped,
			{Dir: "panics", Name: "TestPanics"}:            verify.Crashed,
			{Dir: "panics", Name: "TestAfter"}:             verify.NotRun,
			{Dir: "slow", Name: "TestSlow"}:                verify.TimedOut,
			{Dir: "broken", Name: "TestBroken"}:            verify.BuildFailed,
			{Dir: "exits", Name: "TestExits"}:              verify.Crashed,
			{Dir: "nested/inner", Name: "TestInner"}:       verify.Passed,
			{Dir: "parallel", Name: "TestB"}:               verify.Failed,
			{Dir: "gopanics", Name: "TestGoroutinePanics"}: verify.Crashed,
		},
		Words:   map[verify.TestID]string{{Dir: "parallel", Name: "TestB"}: "words of B", {Dir: "good", Name: "TestPasses"}: "words without a line end"},
		Reasons: map[verify.TestID]string{{Dir: "good", Name: "TestSkips"}: "no database here"},
		Cases: map[verify.TestID]verify.TestID{
			{Dir: "good", Name: "TestSubtests/one_two"}: {Dir: "good", Name: "TestSubtests"},
			{Dir: "good", Name: "TestSubtests/red"}:     {Dir: "good", Name: "TestSubtests"},
		},
		Whole: map[verify.TestID]verify.Status{{Dir: "nested/inner"}: verify.Passed, {Dir: "good"}: verify.Failed, {Dir: "broken"}: verify.BuildFailed},
		Break: func(t *testing.T, dir string) verify.TestID {
			at := filepath.Join(dir, "nested", "inner", "broken_test.go")
			require.NoError(t, os.WriteFile(at, []byte("package inner\n\nfunc init() { panic(1) }\n"), 0o644))
			return verify.TestID{Dir: "nested/inner", Name: "TestInner"}
		},
	})
}

// covers: VER-7, FLT-2
func TestWithoutAModuleTheFaultSaysWhatToDo(t *testing.T) {
	_, err := (&Runner{}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: t.TempDir()})
	require.ErrorIs(t, err, fault.Environment)
	assert.ErrorContains(t, err, "go mod init")
	_, err = (&Runner{}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: t.TempDir(), Packages: []string{"../up"}})
	require.ErrorIs(t, err, fault.InvalidInput)
	_, err = (&Runner{Go: "no-such-go"}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: t.TempDir()})
	require.ErrorIs(t, err, fault.Environment)
}

// covers: VER-7
func TestRepetitionReportsEachRun(t *testing.T) {
	dir := unpack(t, "shapes.txtar")
	asked := []verify.TestID{{Dir: "flaky", Name: "TestEverySecondTime"}, {Dir: "flaky", Name: "BenchmarkNothing"}}
	out, err := (&Runner{}).Run(t.Context(), sandbox.Func(bare), verify.Run{Dir: dir, Tests: asked, Repeat: 4})
	require.NoError(t, err)
	var got []verify.Status
	for _, o := range out {
		if o.Test == asked[0] {
			got = append(got, o.Status)
		}
	}
	assert.Equal(t, []verify.Status{verify.Passed, verify.Failed, verify.Passed, verify.Failed}, got)
	assert.Equal(t, verify.Skipped, verifytest.ByTest(out)[asked[1]].Status)
}

func TestLongOutputIsCutAndSaysSo(t *testing.T) {
	var s stream = *newStream(nil)
	tt := s.test(verify.TestID{Name: "TestLoud"})
	tt.write(string(bytes.Repeat([]byte("x"), outputLimit+10)))
	assert.Contains(t, tt.text(), "10 bytes of output omitted")
}

// What stands behind the end of the kept output is not known, and neither a
// crash nor a success.
//
// covers: VER-7
func TestCutOutputIsNoCrash(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o644))
	const kept = `{"Action":"start","Package":"m"}
{"Action":"run","Package":"m","Test":"TestA"}
{"Action":"pass","Package":"m","Test":"TestA"}
{"Action":"run","Package":"m","Test":"TestB"}
{"Action":"out`
	limit := int64(0)
	box := func(_ context.Context, c sandbox.Command) (sandbox.Result, error) {
		limit = c.Limits.Output
		return sandbox.Result{Stdout: []byte(kept), CutStdout: 7}, nil
	}
	tests := []verify.TestID{{Dir: ".", Name: "TestA"}, {Dir: ".", Name: "TestB"}, {Dir: ".", Name: "TestC"}}
	out, err := (&Runner{}).Run(t.Context(), sandbox.Func(box), verify.Run{Dir: dir, Tests: tests})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	assert.Equal(t, verify.Passed, got[tests[0]].Status)
	for _, id := range tests[1:] {
		assert.Equal(t, verify.NotRun, got[id].Status, id.Name)
		assert.Contains(t, got[id].Reason, "7 bytes of go test's output were not kept", id.Name)
	}
	assert.EqualValues(t, 256<<20, limit)
}

// covers: VER-7
func TestSkipReasonIsWhatTheTestSaid(t *testing.T) {
	for said, want := range map[string]string{
		"=== RUN   TestA\n    a_test.go:12: no display\n--- SKIP: TestA (0.00s)\n": "no display",
		"=== RUN   TestA\n    a_test.go:12: \n--- SKIP: TestA (0.00s)\n":           "no reason given",
		"=== RUN   TestA\n    a_test.go:12:\n--- SKIP: TestA (0.00s)\n":            "no reason given",
	} {
		assert.Equal(t, want, skipReason(said, "TestA"))
	}
}
