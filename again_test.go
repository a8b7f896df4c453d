package plumb_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// covers: CHN-4
func TestATaskThatIsDoneIsNotDoneAgain(t *testing.T) {
	e := &attempts{t: t, diffs: []string{whole}}
	b := quick(t, greeter, e)
	first, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.Equal(t, "applied", first.Receipt.Status)
	after := fingerprint(t, b.dir)

	b.reopen(t, e)
	again, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Equal(t, "already_applied", again.Receipt.Status)
	assert.Equal(t, first.Set.Digest(), again.Set.Digest())
	assert.Equal(t, after, fingerprint(t, b.dir))
	assert.Len(t, e.drafts, 1, "the editor is not asked again")
	for _, s := range []plumb.Stage{plumb.StageBaseline, plumb.StageCollect, plumb.StagePlan, plumb.StagePatch, plumb.StageTest, plumb.StageDecide} {
		assert.Contains(t, b.states("resumed"), s)
	}
	assert.Equal(t, []plumb.Stage{plumb.StageIndex, plumb.StageWrite, plumb.StageHandoff}, b.states("finished"))
}

// covers: CHN-4
func TestATaskThatMadeAndRemovedFilesIsNotDoneAgain(t *testing.T) {
	made := "--- /dev/null\n+++ b/greet/mark_test.go\n@@ -0,0 +1,9 @@\n+package greet\n+\n+import \"testing\"\n+\n+func TestMark(t *testing.T) {\n+\tif got := Hello(\"bob\", \"?\"); got != \"hello, bob?\" {\n+\t\tt.Errorf(\"got %q\", got)\n+\t}\n+}\n"
	gone := "--- a/greet/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
	e := &attempts{t: t, diffs: []string{half + made + gone, whole + made + gone}}
	files := map[string]string{"greet/old.txt": "old\n"}
	maps.Copy(files, greeter)
	b := quick(t, files, e)
	unplanned(b)
	first, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, first.Receipt)
	assert.Equal(t, 2, first.Attempts)
	after := fingerprint(t, b.dir)
	assert.NotContains(t, after, "greet/old.txt")

	b.reopen(t, e)
	unplanned(b)
	again, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Equal(t, "already_applied", again.Receipt.Status)
	assert.Equal(t, first.Set.Digest(), again.Set.Digest())
	assert.Len(t, e.drafts, 2)
	assert.Equal(t, after, fingerprint(t, b.dir))
}

// unplanned lets edits pass that the plan has no action for.
func unplanned(b *bench) {
	inner := b.Planner
	b.Planner = changeset.Func(func(ctx context.Context, in changeset.Input) (*changeset.Plan, error) {
		p, err := inner.Plan(ctx, in)
		if err == nil {
			p.Limit.Files++
			p.Actions = append(p.Actions, changeset.Action{ID: "A-99", Kind: changeset.Document, Capability: "GREET-1", Block: "greet.Hello", Why: "it is out of date",
				Grade: changeset.High, Target: index.Span{File: "greet/old.txt", Line: 1, Col: 1, End: 4}})
		}
		return p, err
	})
}

// covers: CHN-4
func TestARunThatFailedMidwayGoesOnWhereItWas(t *testing.T) {
	e := &attempts{t: t, diffs: []string{whole}}
	b := quick(t, greeter, e)
	b.Checker = selfcheck.Func(func(context.Context, selfcheck.Evidence) (*selfcheck.Handoff, error) {
		return nil, &fault.Fault{Class: fault.Environment, Op: "own.check", Detail: "the disk is full", Next: "make room"}
	})
	_, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.Environment)

	b.reopen(t, e)
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Receipt)
	assert.Len(t, e.drafts, 1)
	assert.Contains(t, b.states("resumed"), plumb.StageTest, "the tests are not run again")
	assert.Contains(t, b.states("finished"), plumb.StageCheck)
}

// covers: CHN-4
func TestAStoppedTaskIsAttemptedAnew(t *testing.T) {
	e := &attempts{t: t, diffs: []string{half, whole}}
	b := quick(t, greeter, e)
	b.Budgets.Attempts = 1
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped)

	r, err = b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.Nil(t, r.Stopped)
	require.NotNil(t, r.Receipt)
	require.Len(t, e.drafts, 2)
	assert.Len(t, e.drafts[1].Rejected, 1, "what failed in the run before is a rejected way")
}

// covers: CHN-4
func TestGivenEditsAreNotTakenFromTheLedger(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, half)))
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped)

	b.Editor = plumb.Given(parse(t, whole))
	r, err = b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Nil(t, r.Stopped)
	assert.NotNil(t, r.Receipt)
}

// covers: CHN-4
func TestEachStageCanBeCalledAlone(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NoError(t, b.Workspace.Undo(t.Context(), r.Receipt.ID))
	before := build(t, b.dir)
	assert.Equal(t, r.Before.Digest(), before.Digest())
	set, err := b.Patcher.Patch(t.Context(), patch.Input{Before: before, Plan: r.Plan, Edits: parse(t, whole)})
	require.NoError(t, err)
	assert.Equal(t, r.Set.Digest(), set.Digest(), "a stage that is run again says the same")
	after, err := before.Overlay(t.Context(), set.Overlay())
	require.NoError(t, err)
	assert.Equal(t, r.After.Digest(), after.Digest())
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// meddle writes a file of the workspace, as a person would.
func meddle(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// covers: IDX-22
func TestWorkOnAStateThatIsGoneIsDerivedAnew(t *testing.T) {
	b := quick(t, greeter, nil)
	b.Editor = plumb.EditorFunc(func(context.Context, plumb.Draft) ([]patch.Edit, error) {
		meddle(t, b.dir, "greet/more.go", "package greet\n\nfunc three(name string) string { return Hello(name) }\n")
		return parse(t, whole), nil
	})
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped, "the new caller was seen although it came while the edits were made")
	assert.Equal(t, plumb.StageOverlay, r.Stopped.Stage)
	assert.Equal(t, "greet/more.go", r.Stopped.Feedback[0].Place.File)
	var indexed int
	for _, s := range b.states("finished") {
		if s == plumb.StageIndex {
			indexed++
		}
	}
	assert.Greater(t, indexed, 1)
	assert.Equal(t, b.start["greet/greet.go"], fingerprint(t, b.dir)["greet/greet.go"])
}

// covers: IDX-22
func TestNothingIsWrittenOverAStateThatWasNotChecked(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	meddled := false
	b.Verifier = verify.Func(func(ctx context.Context, in verify.Input) (*verify.Report, error) {
		if len(in.Layers) == 0 && !meddled {
			meddled = true
			meddle(t, b.dir, "greet/more.go", "package greet\n\nconst answer = 42\n")
		}
		return passing(ctx, in)
	})
	_, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.IndexUnavailable)
	assert.Contains(t, err.Error(), "greet/more.go")
	assert.Contains(t, err.Error(), "workspace unchanged")
	assert.Equal(t, b.start["greet/greet.go"], fingerprint(t, b.dir)["greet/greet.go"])

	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err, "the fault's next action holds")
	assert.NotNil(t, r.Receipt)
}
