// Package verifytest holds the conformance suites of verify.Runner and
// verify.Verifier.
package verifytest

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// A Project is a folder of tests whose ends are known. Each tool brings one of its
// own with the same ends; the suite says which are lacking.
type Project struct {
	// Dir is the absolute path of its root.
	Dir string
	// Ends says how each test ends. Every Status has one test with a name at
	// least, but for those in Lacks. A test that ends its process or that times out
	// stands in a file or package of its own, together with those that do not run
	// because of it.
	Ends map[verify.TestID]verify.Status
	// Lacks are ends that no test of the tool can have.
	Lacks []verify.Status
	// Words are what a test alone writes; they must reach no other test.
	Words map[verify.TestID]string
	// Reasons are texts that the reason of a test's end holds, such as that of a skip.
	Reasons map[verify.TestID]string
	// Cases are reported tests with the test that they are a case of; empty for a
	// tool that reports none under names of their own.
	Cases map[verify.TestID]verify.TestID
	// Whole are tests without a name, whole files or packages, and how they end.
	Whole map[verify.TestID]verify.Status
	// Break changes the tree at a folder that holds the same files as Dir, so that
	// the test that it returns, which passes in Dir, fails there.
	Break func(t *testing.T, dir string) verify.TestID
	// Timeout is given to every run; a test that is to time out takes longer.
	Timeout time.Duration
}

// Runner holds a Runner to its contract (VER-7, VER-24), one subtest for each
// promise. The box is the sandbox that its commands run in.
func Runner(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	t.Run("has a test for every end", func(t *testing.T) { complete(t, p) })
	t.Run("reports every end as what it was", func(t *testing.T) { ends(t, r, box, p) })
	t.Run("says which test a case belongs to", func(t *testing.T) { cases(t, r, box, p) })
	t.Run("runs a file or package named as a whole", func(t *testing.T) { wholes(t, r, box, p) })
	t.Run("runs only what is asked for, and repeats it", func(t *testing.T) { repeats(t, r, box, p) })
	t.Run("answers for a test that is not there", func(t *testing.T) { answers(t, r, box, p) })
	t.Run("runs a package as a whole", func(t *testing.T) { packages(t, r, box, p) })
	t.Run("runs the tree that it is given", func(t *testing.T) { placed(t, r, box, p) })
	t.Run("refuses folders outside", func(t *testing.T) { outside(t, r, box, p) })
	t.Run("ends when canceled", func(t *testing.T) { canceled(t, r, box, p) })
	t.Run("hands on what the sandbox refuses", func(t *testing.T) { refused(t, r, p) })
}

// complete demands that the project shows every end that the tool can have.
func complete(t *testing.T, p Project) {
	for _, s := range []verify.Status{verify.Passed, verify.Failed, verify.Skipped, verify.Crashed, verify.TimedOut, verify.NotRun, verify.BuildFailed} {
		if !slices.Contains(p.Lacks, s) {
			p.one(t, s)
		}
	}
	assert.NotEmpty(t, p.Words)
	assert.NotEmpty(t, p.Whole)
	assert.NotNil(t, p.Break)
	assert.Positive(t, p.Timeout)
}

func run(t *testing.T, r verify.Runner, box sandbox.Sandbox, run verify.Run) []verify.Outcome {
	t.Helper()
	out, err := r.Run(t.Context(), box, run)
	require.NoError(t, err)
	for _, o := range out {
		assert.NotEmpty(t, o.Command, "the command of %v", o.Test)
		assert.GreaterOrEqual(t, o.Elapsed, time.Duration(0))
		switch o.Status {
		case verify.Skipped, verify.Crashed, verify.TimedOut, verify.NotRun, verify.BuildFailed:
			assert.NotEmpty(t, o.Reason, "%v is %s without a reason", o.Test, o.Status)
		}
	}
	return out
}

func (p Project) one(t *testing.T, s verify.Status) verify.TestID {
	t.Helper()
	for id, end := range p.Ends {
		if end == s && id.Name != "" {
			return id
		}
	}
	require.Failf(t, "the project lacks a test", "none is %s", s)
	return verify.TestID{}
}

// groups parts the tests into runs: those that share a file or package with one
// that ends its process, or that times out, on their own, all others together.
func (p Project) groups() [][]verify.TestID {
	place := func(id verify.TestID) string { return id.Dir + "/" + id.File }
	alone := map[string]bool{}
	for id, end := range p.Ends {
		if end == verify.Crashed || end == verify.TimedOut {
			alone[place(id)] = true
		}
	}
	by := map[string][]verify.TestID{}
	for id := range p.Ends {
		key := ""
		if alone[place(id)] {
			key = place(id)
		}
		by[key] = append(by[key], id)
	}
	return slices.Collect(maps.Values(by))
}

func ends(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	got := map[verify.TestID]verify.Outcome{}
	for _, asked := range p.groups() {
		for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: asked, Timeout: p.Timeout}) {
			if o.Test.Name == "" {
				continue // of a whole that nobody asked for
			}
			assert.NotContainsf(t, got, o.Test, "%v is reported twice", o.Test)
			got[o.Test] = o
		}
	}
	for id, want := range p.Ends {
		o, ok := got[id]
		if id.Name == "" {
			continue
		}
		if assert.Truef(t, ok, "%v was asked for and not answered", id) {
			assert.Equalf(t, want, o.Status, "%v: %s\n%s", id, o.Reason, o.Output)
			assert.Contains(t, o.Reason, p.Reasons[id], "the reason of %v", id)
		}
	}
	for id, words := range p.Words {
		assert.Contains(t, got[id].Output, words)
		for other, o := range got {
			if other != id && other.Name != "" {
				assert.NotContainsf(t, o.Output, words, "%v shows the output of %v", other, id)
			}
		}
	}
}

func cases(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	var asked []verify.TestID
	for _, of := range p.Cases {
		if !slices.Contains(asked, of) {
			asked = append(asked, of)
		}
	}
	if len(asked) == 0 {
		return
	}
	got := map[verify.TestID]verify.TestID{}
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: asked, Timeout: p.Timeout}) {
		got[o.Test] = o.Of
	}
	for id, of := range p.Cases {
		assert.Containsf(t, got, id, "the case is reported")
		assert.Equalf(t, of, got[id], "%v", id)
	}
}

func wholes(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	for id, want := range p.Whole {
		parts := 0
		seen := false
		for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{id}, Timeout: p.Timeout}) {
			assert.Equal(t, id.Dir, o.Test.Dir)
			if o.Test == id {
				seen = true
				assert.Equalf(t, want, o.Status, "%v: %s", id, o.Reason)
			} else if id.File == "" || assert.Equal(t, id.File, o.Test.File) {
				parts++
			}
		}
		assert.Truef(t, seen, "%v is answered for", id)
		if want == verify.Passed || want == verify.Failed {
			assert.Positivef(t, parts, "the tests of %v are reported too", id)
		}
	}
}

func repeats(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	times := 0
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{id}, Repeat: 3, Timeout: p.Timeout}) {
		switch {
		case o.Test == id:
			times++
			assert.Equal(t, verify.Passed, o.Status)
		case p.Ends[o.Test] != "" && o.Test.Name != "":
			assert.Failf(t, "a test ran that was not asked for", "%v", o.Test)
		}
	}
	assert.Equal(t, 3, times, "one outcome for each time")
}

func answers(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	id.Name += "ThatIsNotThere"
	out := run(t, r, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{id}, Timeout: p.Timeout})
	for _, o := range out {
		if o.Test == id {
			assert.Equal(t, verify.NotRun, o.Status)
			return
		}
	}
	assert.Failf(t, "not answered", "%v in %v", id, out)
}

func packages(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	id := p.one(t, verify.Passed)
	seen := false
	for _, o := range run(t, r, box, verify.Run{Dir: p.Dir, Packages: []string{id.Dir}, Timeout: p.Timeout}) {
		assert.Equal(t, id.Dir, o.Test.Dir)
		seen = seen || o.Test == id && o.Status == verify.Passed
	}
	assert.True(t, seen, "the package's tests ran")
}

// placed runs a broken copy of the tree: with the sandbox's mounts in the place of
// the original, else in a folder of its own. What the tool keeps in the repository
// stays where it is.
func placed(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	tools := verify.Tooling{}
	if e, ok := r.(verify.Equipped); ok {
		var err error
		tools, err = e.Tooling(t.Context(), p.Dir)
		require.NoError(t, err)
		assert.NotEmpty(t, tools.Versions, "the tool says its version")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	linked := copyTree(t, dir, p.Dir, tools.Linked)
	id := p.Break(t, dir)
	given := verify.Run{Dir: dir, Tests: []verify.TestID{id}, Timeout: p.Timeout, At: p.Dir, Mounts: []sandbox.Mount{{Source: dir, Target: p.Dir, Writable: true}}}
	for _, name := range linked {
		given.Mounts = append(given.Mounts, sandbox.Mount{Source: filepath.Join(p.Dir, name), Target: filepath.Join(p.Dir, name)})
	}
	res, err := box.Run(t.Context(), sandbox.Command{Dir: given.At, Args: []string{"true"}, Mounts: given.Mounts})
	require.NoError(t, err)
	if !res.Mounted {
		given.At, given.Mounts = "", nil
		for _, name := range linked {
			require.NoError(t, os.Symlink(filepath.Join(p.Dir, name), filepath.Join(dir, name)))
		}
	}
	for _, o := range run(t, r, box, given) {
		if o.Test == id {
			assert.NotEqual(t, verify.Passed, o.Status, "the original was run")
			return
		}
	}
	assert.Failf(t, "not answered", "%v", id)
}

// copyTree copies a tree but for what the patterns name, and returns that.
func copyTree(t *testing.T, to, from string, patterns []string) (left []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == from {
			return err
		}
		rel, err := filepath.Rel(from, at)
		if err != nil {
			return err
		}
		for _, p := range patterns {
			if ok, _ := path.Match(p, d.Name()); ok {
				left = append(left, rel)
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
		}
		if d.IsDir() {
			return os.Mkdir(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	}))
	return left
}

func outside(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	for _, dir := range []string{"../up", "/etc"} {
		_, err := r.Run(t.Context(), box, verify.Run{Dir: p.Dir, Packages: []string{dir}})
		require.ErrorIsf(t, err, fault.InvalidInput, "%s", dir)
		assert.Empty(t, faulttest.Check(err))
	}
}

func canceled(t *testing.T, r verify.Runner, box sandbox.Sandbox, p Project) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Run(ctx, box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{p.one(t, verify.Passed)}})
	require.ErrorIs(t, err, fault.Canceled)
}

func refused(t *testing.T, r verify.Runner, p Project) {
	no := &fault.Fault{Class: fault.Environment, Op: "sandbox.run", Detail: "there is no isolation", Next: "install it", Err: errors.New("none")}
	box := sandbox.Func(func(context.Context, sandbox.Command) (sandbox.Result, error) { return sandbox.Result{}, no })
	_, err := r.Run(t.Context(), box, verify.Run{Dir: p.Dir, Tests: []verify.TestID{p.one(t, verify.Passed)}})
	require.ErrorIs(t, err, fault.Environment, "a runner never goes around its sandbox")
}

// ByTest returns the outcomes by their tests.
func ByTest(out []verify.Outcome) map[verify.TestID]verify.Outcome {
	m := map[verify.TestID]verify.Outcome{}
	for _, o := range out {
		m[o.Test] = o
	}
	return m
}
