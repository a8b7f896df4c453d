package command

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

var box = sandbox.Auto{AllowUnsandboxed: true}

func shell(script string) *Runner { return &Runner{Args: []string{"sh", "-c", script}} }

// The exit code tells how the whole ended, and only that.
//
// covers: VER-7
func TestTheExitCodeTellsTheWhole(t *testing.T) {
	asked := verify.TestID{Dir: "a", Name: "T"}
	for _, c := range []struct {
		script string
		status verify.Status
		reason string
	}{
		{"echo fine", verify.Passed, ""},
		{"echo wrong; exit 3", verify.Failed, "code 3"},
		{"kill -9 $$", verify.Crashed, "signal 9"},
		{"sleep 20", verify.TimedOut, "wall limit"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o755))
		out, err := shell(c.script).Run(t.Context(), box, verify.Run{Dir: dir, Tests: []verify.TestID{asked}, Timeout: 2 * time.Second})
		require.NoError(t, err)
		require.Len(t, out, 1)
		assert.Equal(t, asked, out[0].Test)
		assert.Equal(t, c.status, out[0].Status, c.script)
		assert.Contains(t, out[0].Reason, c.reason)
		assert.Equal(t, []string{"sh", "-c", c.script}, out[0].Command)
	}
}

// A command that passed does not say that it ran each of several tests.
//
// covers: VER-7
func TestOneOfManyIsNotSaidToHavePassed(t *testing.T) {
	asked := []verify.TestID{{Dir: ".", Name: "A"}, {Dir: ".", Name: "B"}}
	out, err := shell("exit 0").Run(t.Context(), box, verify.Run{Dir: t.TempDir(), Tests: asked, Repeat: 2})
	require.NoError(t, err)
	require.Len(t, out, 6)
	assert.Equal(t, verify.TestID{Dir: "."}, out[0].Test)
	assert.Equal(t, verify.Passed, out[0].Status)
	assert.Equal(t, verify.NotRun, out[1].Status)
	assert.NotEmpty(t, out[1].Reason)
}

// covers: VER-7
func TestSelectedTestsAreFilledIn(t *testing.T) {
	r := &Runner{Args: []string{"run", "{files}", "--only={tests}", "{packages}", "-x"}, Separator: "|"}
	run := verify.Run{Tests: []verify.TestID{{Dir: "b", File: "x.js", Name: "two"}, {Dir: "a", File: "y.js", Name: "one"}}, Packages: []string{"c"}}
	assert.Equal(t, []string{"run", "a/y.js", "b/x.js", "--only=one|two", "a", "b", "c", "-x"}, r.expand(run))
	assert.Equal(t, []string{"run", "--only=", "-x"}, r.expand(verify.Run{}))
}

const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="s" file="src/x.js" time="1">
  <testcase classname="org.x.Adding" name="adds" time="0.25"><system-out>said</system-out></testcase>
  <testcase classname="org.x.Adding" name="fails"><failure message="expected 1" type="E">expected 1
  at x.js:3</failure></testcase>
  <testcase classname="org.x.Adding" name="errs"><error message="null"/></testcase>
  <testsuite name="inner"><testcase name="skips"><skipped message="no database"/></testcase></testsuite>
</testsuite></testsuites>`

// covers: VER-7
func TestAReportTellsEachTest(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in.xml"), []byte(report), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "out"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "out", "old.xml"), []byte("stale"), 0o644))
	r := shell("cp in.xml out/new.xml; exit 1")
	r.Report = "out/*.xml"
	id := func(name string) verify.TestID { return verify.TestID{Dir: "src", File: "x.js", Name: name} }
	out, err := r.Run(t.Context(), box, verify.Run{Dir: dir, Tests: []verify.TestID{id("Adding#adds"), id("fails"), id("gone")}})
	require.NoError(t, err)
	got := map[verify.TestID]verify.Outcome{}
	for _, o := range out {
		got[o.Test] = o
	}
	assert.Equal(t, verify.Passed, got[id("Adding#adds")].Status)
	assert.Equal(t, 250*time.Millisecond, got[id("Adding#adds")].Elapsed)
	assert.Equal(t, "said\n", got[id("Adding#adds")].Output)
	assert.Equal(t, verify.Failed, got[id("fails")].Status)
	assert.Contains(t, got[id("fails")].Output, "at x.js:3")
	assert.Equal(t, verify.Failed, got[id("org.x.Adding.errs")].Status)
	assert.Equal(t, verify.Skipped, got[id("skips")].Status)
	assert.Equal(t, "no database", got[id("skips")].Reason)
	assert.Equal(t, verify.NotRun, got[id("gone")].Status)
	assert.Equal(t, verify.Failed, got[verify.TestID{Dir: "."}].Status)
	assert.NoFileExists(t, filepath.Join(dir, "out", "old.xml"), "a report of an earlier run tells nothing")
}

// A command that dies before its report leaves no test passed, nor one that
// leaves half of it.
//
// covers: VER-7
func TestAMissingReportPassesNothing(t *testing.T) {
	asked := verify.TestID{Dir: ".", Name: "adds"}
	for script, want := range map[string]verify.Status{"exit 0": verify.NotRun, "exit 1": verify.BuildFailed, "kill -9 $$": verify.Crashed} {
		r := shell(script)
		r.Report = "r.xml"
		out, err := r.Run(t.Context(), box, verify.Run{Dir: t.TempDir(), Tests: []verify.TestID{asked}})
		require.NoError(t, err)
		require.Len(t, out, 2)
		assert.Equal(t, verify.NotRun, out[0].Status)
		assert.NotEmpty(t, out[0].Reason)
		assert.Equal(t, want, out[1].Status, script)
	}
	r := shell("echo '<testsuite><testcase name=\"adds\"/>' > r.xml")
	r.Report = "r.xml"
	_, err := r.Run(t.Context(), box, verify.Run{Dir: t.TempDir(), Tests: []verify.TestID{asked}})
	require.ErrorIs(t, err, fault.Environment)
}

// covers: VER-7
func TestRefusals(t *testing.T) {
	_, err := (&Runner{}).Run(t.Context(), box, verify.Run{Dir: t.TempDir()})
	require.ErrorIs(t, err, fault.InvalidInput)
	for _, dir := range []string{"../up", "/etc"} {
		_, err = shell("exit 0").Run(t.Context(), box, verify.Run{Dir: t.TempDir(), Packages: []string{dir}})
		require.ErrorIs(t, err, fault.InvalidInput)
	}
	r := shell("exit 0")
	r.Report = "../*.xml"
	_, err = r.Run(t.Context(), box, verify.Run{Dir: t.TempDir()})
	require.ErrorIs(t, err, fault.InvalidInput)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = shell("exit 0").Run(ctx, box, verify.Run{Dir: t.TempDir()})
	require.ErrorIs(t, err, fault.Canceled)
}

// Whatever stands in a report, reading it ends, and only a testcase that says
// nothing else has passed.
//
// covers: REL-2, VER-7
func FuzzReport(f *testing.F) {
	f.Add([]byte(report))
	f.Add([]byte("<testsuite><testcase/></testsuite>"))
	f.Add([]byte("<a/>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := parse(data)
		if err == nil {
			reported(verify.Run{}, verify.Outcome{Status: verify.Passed}, cases)
		}
	})
}
