package jest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/internal/nodejs/nodetest"
	"github.com/plumbkit/plumb/verify/verifytest"
)

// box isolates where the machine can.
var box = sandbox.Auto{AllowUnsandboxed: true}

func byTest(out []verify.Outcome) map[verify.TestID]verify.Outcome {
	m := map[verify.TestID]verify.Outcome{}
	for _, o := range out {
		m[o.Test] = o
	}
	return m
}

func id(dir, file, name string) verify.TestID {
	return verify.TestID{Dir: dir, File: file, Name: name}
}

// covers: VER-7
func TestEveryEndIsReportedAsWhatItWas(t *testing.T) {
	dir := nodetest.Unpack(t, "shapes.txtar")
	out, err := (&Runner{}).Run(t.Context(), box, verify.Run{Dir: dir, Packages: []string{"src"}, Timeout: time.Minute})
	require.NoError(t, err)
	got := byTest(out)
	assert.Len(t, got, len(out), "every test is reported once")
	for _, c := range []struct {
		file, name string
		status     verify.Status
		reason     string
	}{
		{"good.test.ts", "adding (a) + [b] > small $ numbers? > adds", verify.Passed, ""},
		{"good.test.ts", "adding (a) + [b] > small $ numbers? > adds more", verify.Failed, ""},
		{"good.test.ts", "adding (a) + [b] > is skipped", verify.Skipped, "marked to be skipped"},
		{"good.test.ts", "adding (a) + [b] > is to do", verify.Skipped, "todo"},
		{"good.test.ts", "adding (a) + [b] > each 1", verify.Passed, ""},
		{"good.test.ts", "adding (a) + [b] > each 2", verify.Passed, ""},
		{"good.test.ts", "adds", verify.Passed, ""},
		{"good.test.ts", "retried > in the end", verify.Passed, ""},
		{"good.test.ts", "slow", verify.TimedOut, "Exceeded timeout of 200 ms"},
		{"good.test.ts", "is known to fail", verify.Passed, ""},
		{"good.test.ts", "around > does not run", verify.Failed, ""},
		{"good.test.ts", "leaves > this", verify.Passed, ""},
		{"good.test.ts", "", verify.Failed, ""},
		{"exit.test.ts", "exits", verify.Crashed, "process.exit called with"},
		{"killed.test.ts", "comes before", verify.Passed, ""},
		{"killed.test.ts", "is killed", verify.Crashed, ""},
		{"killed.test.ts", "", verify.Crashed, ""},
		{"unresolved.test.ts", "", verify.BuildFailed, "./nothing"},
		{"syntax.test.ts", "", verify.BuildFailed, ""},
		{"throws.test.ts", "", verify.BuildFailed, "thrown while loading"},
		{"rejects.test.ts", "rejects", verify.Failed, ""},
	} {
		o, ok := got[id("src", c.file, c.name)]
		if assert.Truef(t, ok, "%s %s is not reported", c.file, c.name) {
			assert.Equalf(t, c.status, o.Status, "%s %s: %s\n%s", c.file, c.name, o.Reason, o.Output)
			assert.Containsf(t, o.Reason, c.reason, "%s %s", c.file, c.name)
		}
	}
	more := got[id("src", "good.test.ts", "adding (a) + [b] > small $ numbers? > adds more")]
	for _, want := range []string{`Expected: "3"`, `Received: "words of more2"`, "good.test.ts:6"} {
		assert.Contains(t, more.Output, want)
	}
	assert.Contains(t, got[id("src", "good.test.ts", "around > does not run")].Output, "no before")
}

// covers: VER-7
func TestNamesAreTakenAsTheyStand(t *testing.T) {
	dir := nodetest.Unpack(t, "shapes.txtar")
	asked := []verify.TestID{
		id("src", "good.test.ts", "adding (a) + [b] > small $ numbers? > adds"), id("src", "good.test.ts", "leaves > this"),
		id("src", "unresolved.test.ts", "does not load"), id("other", "adds.test.ts", "adds"), id("src", "gone.test.ts", "adds"),
	}
	out, err := (&Runner{}).Run(t.Context(), box, verify.Run{Dir: dir, Tests: asked})
	require.NoError(t, err)
	got := byTest(out)
	assert.Equal(t, verify.Passed, got[asked[0]].Status)
	assert.Equal(t, verify.Passed, got[asked[1]].Status)
	assert.Equal(t, verify.BuildFailed, got[asked[2]].Status)
	assert.Equal(t, verify.Passed, got[asked[3]].Status)
	assert.Equal(t, verify.NotRun, got[asked[4]].Status)
	assert.NotContains(t, got, id("src", "good.test.ts", "adds"), "a test of the same title under no describe")
	assert.NotContains(t, got, id("src", "good.test.ts", "adding (a) + [b] > small $ numbers? > adds more"))
}

// The clock goes on while a test never yields.
//
// covers: VER-7
func TestATestThatNeverYieldsTimesOut(t *testing.T) {
	dir := nodetest.Unpack(t, "shapes.txtar")
	asked := []verify.TestID{id("other", "hangs.test.ts", "hangs"), id("other", "hangs.test.ts", "comes too late"), id("other", "hangs.test.ts", "")}
	out, err := (&Runner{}).Run(t.Context(), box, verify.Run{Dir: dir, Tests: asked, Timeout: 3 * time.Second})
	require.NoError(t, err)
	got := byTest(out)
	assert.Equal(t, verify.TimedOut, got[asked[0]].Status)
	assert.Equal(t, verify.NotRun, got[asked[1]].Status)
	assert.Equal(t, verify.TimedOut, got[asked[2]].Status)
}

// covers: VER-7, VER-24, ARC-3
func TestConformance(t *testing.T) {
	dir := nodetest.Unpack(t, "shapes.txtar")
	good := func(name string) verify.TestID { return id("src", "good.test.ts", name) }
	adds, more := good("adding (a) + [b] > small $ numbers? > adds"), good("adding (a) + [b] > small $ numbers? > adds more")
	verifytest.Runner(t, &Runner{}, box, verifytest.Project{
		Dir: dir,
		Ends: map[verify.TestID]verify.Status{
			adds: verify.Passed, more: verify.Failed, good("adding (a) + [b] > is skipped"): verify.Skipped, good("slow"): verify.TimedOut,
			id("src", "exit.test.ts", "exits"): verify.Crashed, id("src", "unresolved.test.ts", "does not load"): verify.BuildFailed,
			id("src", "killed.test.ts", "is killed"): verify.Crashed, id("src", "killed.test.ts", "comes after"): verify.NotRun,
		},
		Words:   map[verify.TestID]string{more: "words of more"},
		Reasons: map[verify.TestID]string{good("adding (a) + [b] > is skipped"): "marked to be skipped"},
		Whole: map[verify.TestID]verify.Status{
			id("other", "adds.test.ts", ""): verify.Passed, id("src", "good.test.ts", ""): verify.Failed, id("src", "unresolved.test.ts", ""): verify.BuildFailed,
		},
		Break: func(t *testing.T, dir string) verify.TestID {
			nodetest.Write(t, filepath.Join(dir, "src", "add.ts"), "export const add = (a: number, b: number): number => a - b;\n")
			return adds
		},
		Timeout: time.Minute,
	})
}

// A package that node_modules links to is the tree's own, not the original: a
// failure planted in it turns a test of another package red.
//
// covers: VER-24
func TestALinkedPackageIsTheTreesOwn(t *testing.T) {
	ws, read := nodetest.Linked(t, box, "linked.txtar")
	runner := &Runner{}
	tools, err := runner.Tooling(t.Context(), ws.Dir())
	require.NoError(t, err)
	asked := id("packages/b", "b.test.ts", "doubles")
	for planted, want := range map[bool]verify.Status{false: verify.Passed, true: verify.Failed} {
		tree, err := ws.Scratch(t.Context())
		require.NoError(t, err)
		defer tree.Close()
		if planted {
			nodetest.Write(t, filepath.Join(tree.Dir(), "packages", "a", "index.ts"), "export const one = () => { throw new Error('planted') };\n")
		}
		place, err := verify.PlaceOf(t.Context(), read, ws, tree, tools.Linked)
		require.NoError(t, err)
		if planted && place.At == "" {
			want = verify.Passed // without mounts the original is run: Verify reports that as environment
		}
		out, err := runner.Run(t.Context(), read, verify.Run{Dir: place.Dir, At: place.At, Mounts: place.Mounts, Tests: []verify.TestID{asked}})
		require.NoError(t, err)
		got := byTest(out)[asked]
		assert.Equal(t, want, got.Status, "%s %s", got.Reason, got.Output)
		assert.Equal(t, want == verify.Failed, strings.Contains(got.Output, "planted"))
	}
}
