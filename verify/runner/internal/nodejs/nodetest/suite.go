package nodetest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/verifytest"
)

// A Suite holds a runner to the projects shapes.txtar and linked.txtar in the
// testdata of its own tests. Both projects are alike for all tools; what differs
// is how a tool names an end.
type Suite struct {
	Runner interface {
		verify.Runner
		verify.Equipped
	}
	// Ends are those of the tests below src.
	Ends []End
	// Says are words of the output of the failed comparison.
	Says []string
	// Skipped is a test that says why it is skipped.
	Skipped End
}

// An End is how a test of src ends. Name is "" for the file as a whole; Reason
// is a part of the reason.
type End struct {
	File, Name string
	Status     verify.Status
	Reason     string
}

const (
	adds = "adding (a) + [b] > small $ numbers? > adds"
	more = adds + " more"
)

// Box isolates where the machine can.
func Box() sandbox.Sandbox { return sandbox.Auto{AllowUnsandboxed: true} }

// ID names a test.
func ID(dir, file, name string) verify.TestID {
	return verify.TestID{Dir: dir, File: file, Name: name}
}

func good(name string) verify.TestID { return ID("src", "good.test.ts", name) }

// EveryEnd runs all tests of src: every end is reported as what it was.
func (s Suite) EveryEnd(t *testing.T) {
	dir := Unpack(t, "shapes.txtar")
	out, err := s.Runner.Run(t.Context(), Box(), verify.Run{Dir: dir, Packages: []string{"src"}, Timeout: time.Minute})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	assert.Len(t, got, len(out), "every test is reported once")
	for _, c := range s.Ends {
		o, ok := got[ID("src", c.File, c.Name)]
		if assert.Truef(t, ok, "%s %s is not reported", c.File, c.Name) {
			assert.Equalf(t, c.Status, o.Status, "%s %s: %s\n%s", c.File, c.Name, o.Reason, o.Output)
			assert.Containsf(t, o.Reason, c.Reason, "%s %s", c.File, c.Name)
		}
	}
	for _, want := range s.Says {
		assert.Contains(t, got[good(more)].Output, want)
	}
	assert.Contains(t, got[good("around > does not run")].Output, "no before")
}

// Names asks for tests by names that are patterns as well: they are taken as they
// stand.
func (s Suite) Names(t *testing.T) {
	dir := Unpack(t, "shapes.txtar")
	asked := map[verify.TestID]verify.Status{
		good(adds): verify.Passed, good("leaves > this"): verify.Passed, ID("other", "adds.test.ts", "adds"): verify.Passed,
		ID("src", "unresolved.test.ts", "does not load"): verify.BuildFailed, ID("src", "gone.test.ts", "adds"): verify.NotRun,
	}
	run := verify.Run{Dir: dir}
	for test := range asked {
		run.Tests = append(run.Tests, test)
	}
	out, err := s.Runner.Run(t.Context(), Box(), run)
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	for test, want := range asked {
		assert.Equal(t, want, got[test].Status, test.String())
	}
	assert.NotContains(t, got, good("adds"), "a test of the same title under no describe")
	assert.NotContains(t, got, good(more))
}

// NeverYields runs a test that never yields; ends are those of the test, of the
// one behind it and of the file.
func (s Suite) NeverYields(t *testing.T, ends [3]verify.Status) {
	dir := Unpack(t, "shapes.txtar")
	asked := []verify.TestID{ID("other", "hangs.test.ts", "hangs"), ID("other", "hangs.test.ts", "comes too late"), ID("other", "hangs.test.ts", "")}
	out, err := s.Runner.Run(t.Context(), Box(), verify.Run{Dir: dir, Tests: asked, Timeout: 3 * time.Second})
	require.NoError(t, err)
	got := verifytest.ByTest(out)
	for i, test := range asked {
		assert.Equal(t, ends[i], got[test].Status, test.Name)
	}
}

// Conforms holds the runner to what every runner must do.
func (s Suite) Conforms(t *testing.T) {
	skipped := ID("src", s.Skipped.File, s.Skipped.Name)
	verifytest.Runner(t, s.Runner, Box(), verifytest.Project{
		Dir: Unpack(t, "shapes.txtar"),
		Ends: map[verify.TestID]verify.Status{
			good(adds): verify.Passed, good(more): verify.Failed, skipped: verify.Skipped, good("slow"): verify.TimedOut,
			ID("src", "exit.test.ts", "exits"): verify.Crashed, ID("src", "unresolved.test.ts", "does not load"): verify.BuildFailed,
			ID("src", "killed.test.ts", "is killed"): verify.Crashed, ID("src", "killed.test.ts", "comes after"): verify.NotRun,
		},
		Words:   map[verify.TestID]string{good(more): "words of more"},
		Reasons: map[verify.TestID]string{skipped: s.Skipped.Reason},
		Whole: map[verify.TestID]verify.Status{
			ID("other", "adds.test.ts", ""): verify.Passed, good(""): verify.Failed, ID("src", "unresolved.test.ts", ""): verify.BuildFailed,
		},
		Break: func(t *testing.T, dir string) verify.TestID {
			Write(t, filepath.Join(dir, "src", "add.ts"), "export const add = (a: number, b: number): number => a - b;\n")
			return good(adds)
		},
		Timeout: time.Minute,
	})
}

// LinkedPackage plants a failure in a package that node_modules links to: the
// package is the tree's own, not the original, so that a test of another package
// turns red.
func (s Suite) LinkedPackage(t *testing.T) {
	ws, read := Linked(t, Box(), "linked.txtar")
	tools, err := s.Runner.Tooling(t.Context(), ws.Dir())
	require.NoError(t, err)
	asked := ID("packages/b", "b.test.ts", "doubles")
	for planted, want := range map[bool]verify.Status{false: verify.Passed, true: verify.Failed} {
		tree, err := ws.Scratch(t.Context())
		require.NoError(t, err)
		defer tree.Close()
		if planted {
			Write(t, filepath.Join(tree.Dir(), "packages", "a", "index.ts"), "export const one = () => { throw new Error('planted') };\n")
		}
		place, err := verify.PlaceOf(t.Context(), read, ws, tree, tools.Linked)
		require.NoError(t, err)
		if planted && place.At == "" {
			want = verify.Passed // without mounts the original is run: Verify reports that as environment
		}
		out, err := s.Runner.Run(t.Context(), read, verify.Run{Dir: place.Dir, At: place.At, Mounts: place.Mounts, Tests: []verify.TestID{asked}})
		require.NoError(t, err)
		got := verifytest.ByTest(out)[asked]
		assert.Equal(t, want, got.Status, "%s %s", got.Reason, got.Output)
		assert.Equal(t, want == verify.Failed, strings.Contains(got.Output, "planted"))
	}
}
