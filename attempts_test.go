package plumb_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// covers: ARC-13
func TestASecondAttemptIsToldWhatTheFirstLeftOut(t *testing.T) {
	e := &attempts{t: t, diffs: []string{half, whole}}
	b := quick(t, greeter, e)
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.Nil(t, r.Stopped)
	assert.Equal(t, 2, r.Attempts)
	require.Len(t, e.drafts, 2)
	fb := e.drafts[1].Feedback
	require.Len(t, fb, 2, "each place once: %v", fb)
	assert.Equal(t, plumb.StageOverlay, fb[0].Stage)
	assert.Equal(t, "missing_sync", fb[0].Rule)
	assert.Equal(t, 11, fb[0].Place.Line)
	assert.Contains(t, fb[0].Source, "11  \treturn Hello(name) + \" \" + Hello(name)", "what stands there is shown again")
	require.Len(t, e.drafts[1].Rejected, 1)
	assert.Equal(t, "overlay", e.drafts[1].Rejected[0].Stage)
}

// covers: FLT-2
func TestAttemptsUsedUpStopWithEverythingThatWasWrong(t *testing.T) {
	e := &attempts{t: t, diffs: []string{half}}
	b := quick(t, greeter, e)
	b.Budgets.Attempts = 2
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped)
	assert.Equal(t, plumb.Stop{Stage: plumb.StageOverlay, Attempts: 2, Feedback: r.Stopped.Feedback}, *r.Stopped)
	assert.Len(t, r.Stopped.Feedback, 2)
	assert.Nil(t, r.Receipt)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
	entries, err := ledger.Entries(t.Context(), b.Store, "shout")
	require.NoError(t, err)
	failures, err := ledger.Failures(entries)
	require.NoError(t, err)
	assert.Len(t, failures, 2)
	for _, f := range failures {
		assert.Contains(t, f.Why, "at least 2 are needed")
	}
}

// covers: ARC-13
func TestGivenEditsAreTriedOnce(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, half)))
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped)
	assert.Equal(t, 1, r.Stopped.Attempts)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: ARC-13
func TestGivenEditsNeedNoPlanWhenTheHostSaysSo(t *testing.T) {
	kept := "--- a/greet/greet.go\n+++ b/greet/greet.go\n@@ -7 +7 @@\n-\treturn \"hello, \" + name\n+\treturn \"hello, \" + string(name)\n"
	asked := task.Task{ID: "keep", Requirement: "Hello converts the name."}

	b := quick(t, greeter, plumb.Given(parse(t, kept)))
	_, err := b.Run(t.Context(), asked)
	require.ErrorIs(t, err, fault.InvalidInput, "without being told, a task needs capability points")
	assert.Equal(t, b.start, fingerprint(t, b.dir))

	b = quick(t, greeter, plumb.Given(parse(t, kept)))
	b.Unplanned = true
	r, err := b.Run(t.Context(), asked)
	require.NoError(t, err)
	require.NotNil(t, r.Receipt)
	assert.Nil(t, r.Plan)
	assert.Nil(t, r.Context)
	assert.NotContains(t, b.states("finished"), plumb.StagePlan)

	b.Editor = plumb.Given(parse(t, kept))
	again, err := b.Run(t.Context(), asked)
	require.NoError(t, err)
	assert.Equal(t, "already_applied", again.Receipt.Status)
}

// covers: ARC-13
func TestEditsOutsideThePlanAreSentBack(t *testing.T) {
	outside := "--- a/go.mod\n+++ b/go.mod\n@@ -1,3 +1,3 @@\n module example.com/tiny\n \n-go 1.24\n+go 1.23\n"
	e := &attempts{t: t, diffs: []string{outside, whole}}
	b := quick(t, greeter, e)
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Receipt)
	require.Len(t, e.drafts, 2)
	require.Len(t, e.drafts[1].Feedback, 1)
	assert.Equal(t, plumb.StagePatch, e.drafts[1].Feedback[0].Stage)
	assert.Equal(t, "dangerous", e.drafts[1].Feedback[0].Rule)

	b = quick(t, greeter, plumb.Given(parse(t, outside)))
	_, err = b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.Dangerous)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: FLT-2
func TestAnEditorsErrorEndsTheRun(t *testing.T) {
	b := quick(t, greeter, plumb.EditorFunc(func(context.Context, plumb.Draft) ([]patch.Edit, error) { return nil, errors.New("no line") }))
	_, err := b.Run(t.Context(), shout())
	require.ErrorContains(t, err, "no line")
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: ARC-8
func TestResidueThatTheEditsAddedIsRemoved(t *testing.T) {
	noisy := strings.Replace(whole, "+func Hello(name, mark string) string {\n+\treturn", "+func Hello(name, mark string) string {\n+\tprintln(\"here\")\n+\treturn", 1)
	noisy = strings.Replace(noisy, "@@ -4,9 +4,9 @@", "@@ -4,9 +4,10 @@", 1)
	e := &attempts{t: t, diffs: []string{noisy}}
	b := quick(t, greeter, e)
	b.Checker = &selfcheck.Ten{}
	b.Gate = gate.Func(allowing)
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.Nil(t, r.Stopped, "%+v", r.Stopped)
	assert.Equal(t, 1, r.Attempts, "no model was needed")
	assert.Len(t, e.drafts, 1)
	var checks int
	for _, s := range b.states("finished") {
		if s == plumb.StageTest {
			checks++
		}
	}
	assert.Equal(t, 2, checks, "the smaller change is tested again")
	assert.NotContains(t, string(r.Set.Diff()), "println")
	assert.Contains(t, string(r.Set.Diff()), "+func Hello(name, mark string) string {")
}

// failing is a checker that always demands the same.
func failing(a selfcheck.Action) selfcheck.Func {
	return func(_ context.Context, ev selfcheck.Evidence) (*selfcheck.Handoff, error) {
		return &selfcheck.Handoff{Schema: 1, Set: ev.Set.Digest(), Failed: "own",
			Checks: []selfcheck.Check{{Name: "own", Judged: true, Signal: "something is off", Action: a}}}, nil
	}
}

// covers: ARC-8
func TestActionsOfTheSelfCheckAreCarriedOut(t *testing.T) {
	e := &attempts{t: t, diffs: []string{whole}}
	b := quick(t, greeter, e)
	b.Checker, b.Budgets.Attempts = failing(selfcheck.AddTest), 2
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	require.NotNil(t, r.Stopped)
	assert.Equal(t, plumb.StageCheck, r.Stopped.Stage)
	assert.Len(t, e.drafts, 2, "a check that needs somebody is another attempt")

	b = quick(t, greeter, e)
	b.Checker = failing(selfcheck.BackToPlan)
	_, err = b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.Contains(t, err.Error(), "something is off")
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: FLT-2
func TestWhatTheMachineCannotJudgeIsNoSuccess(t *testing.T) {
	missing := true
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	b.Verifier = verify.Func(func(ctx context.Context, in verify.Input) (*verify.Report, error) {
		r, err := passing(ctx, in)
		if err == nil && missing && len(in.Layers) == 0 {
			r.Layers[2].Status, r.Layers[2].Next = verify.LayerEnvironment, "install the tool"
		}
		return r, err
	})
	_, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.Environment)
	assert.Contains(t, err.Error(), "install the tool")
	assert.Equal(t, b.start, fingerprint(t, b.dir))

	missing = false
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err, "once the tool is there, the run goes on")
	assert.NotNil(t, r.Receipt)
}

// twoReadings names two functions, so that the task has two readings.
func twoReadings() (map[string]string, task.Task) {
	files := map[string]string{
		"shout/shout.go": "package shout\n\n// Hello shouts.\nfunc Hello(name string) string { return name }\n",
		"greet/bye.go":   "package greet\n\n// Bye parts.\nfunc Bye() string { return \"bye\" }\n",
	}
	for k, v := range greeter {
		files[k] = v
	}
	t := shout()
	t.Capabilities[0].Symbols, t.Changes = []string{"greet.Bye", "Hello"}, nil
	return files, t
}

// covers: FLT-2
func TestAQuestionWithoutAnybodyToAskStopsTheRun(t *testing.T) {
	files, job := twoReadings()
	b := quick(t, files, plumb.Given(nil))
	r, err := b.Run(t.Context(), job)
	require.ErrorIs(t, err, fault.Ambiguous)
	require.NotNil(t, r.Plan, "the plan holds the question")
	require.NotEmpty(t, r.Plan.Questions)
	assert.NotEmpty(t, r.Plan.Questions[0].Options)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: CHN-1
func TestAnswersAreAskedOnceAndKept(t *testing.T) {
	files, job := twoReadings()
	e := &attempts{t: t, diffs: []string{"--- a/greet/greet.go\n+++ b/greet/greet.go\n@@ -6 +6 @@\n-\treturn \"hello, \" + name\n+\treturn \"hello \" + name\n"}}
	b := quick(t, files, e)
	asked := 0
	b.Answerer = plumb.AnswererFunc(func(_ context.Context, q changeset.Question) (task.Answer, error) {
		asked++
		for i, o := range q.Options {
			if strings.Contains(o.Text, "greet") {
				return task.Answer{Question: q.ID, Option: i + 1}, nil
			}
		}
		return task.Answer{Question: q.ID, Option: max(q.Recommended, 1)}, nil
	})
	r, err := b.Run(t.Context(), job)
	require.NoError(t, err)
	require.NotNil(t, r.Receipt)
	first := asked
	assert.Positive(t, first)
	assert.EqualValues(t, first, r.Spent[3].Used)

	require.NoError(t, b.Workspace.Undo(t.Context(), r.Receipt.ID))
	_, err = b.Run(t.Context(), job)
	require.NoError(t, err)
	assert.Equal(t, first, asked, "a question that was answered is not put again")
}

// covers: CHN-2
func TestQuestionsSpendAuthority(t *testing.T) {
	files, job := twoReadings()
	b := quick(t, files, plumb.Given(nil))
	b.Budgets.Authority = -1
	b.Answerer = plumb.AnswererFunc(func(context.Context, changeset.Question) (task.Answer, error) {
		t.Error("nothing may be asked")
		return task.Answer{}, nil
	})
	_, err := b.Run(t.Context(), job)
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Contains(t, err.Error(), "Budgets.Authority")
}

// risky is a rule of a host's own that leaves every change to a person.
func risky() *gate.Rules {
	return &gate.Rules{Use: []gate.Rule{{ID: "own.risky", Class: "own", Strength: gate.Evidence,
		Check: func(_ context.Context, c *gate.Case) ([]gate.Finding, error) {
			return []gate.Finding{{Reason: "somebody has to look", Approve: "the change", Alternative: "have it looked at"}}, nil
		}}}}
}

// covers: GAT-13
func TestTheChainsApproverIsAsked(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	b.Gate = risky()
	_, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.Dangerous, "nobody approves")
	assert.Equal(t, b.start, fingerprint(t, b.dir))

	asked := 0
	b.Approver = gate.ApproverFunc(func(_ context.Context, op gate.Operation) (string, error) {
		asked++
		assert.NotEmpty(t, op.Digest)
		return "the maintainer", nil
	})
	r, err := b.Run(t.Context(), shout())
	require.NoError(t, err, "a refusal for want of an approval is not kept")
	require.NotNil(t, r.Receipt)
	assert.Equal(t, 1, asked)
	assert.EqualValues(t, 1, r.Spent[3].Used)
	entries, err := ledger.Entries(t.Context(), b.Store, "shout")
	require.NoError(t, err)
	var said bool
	for _, x := range ledger.OfKind(entries, ledger.KindAuthorization) {
		said = said || strings.Contains(string(x.Data), "the maintainer")
	}
	assert.True(t, said, "the ledger says who approved")
	assert.Empty(t, ledger.OpenQuestions(entries))

	_, err = b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Equal(t, 1, asked, "what was approved is not asked again")
}
