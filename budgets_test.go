package plumb_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/verify"
)

const points = `[{"id":"GREET-1","sentence":"Hello(\"ann\", \"!\") returns \"hello, ann!\".","symbols":["greet.Hello"],"layers":["domain","test"]}]`

// covers: CHN-3
func TestTheModelIsAskedForTheSplitTheEditsAndTheFixAndNothingElse(t *testing.T) {
	m := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Split, Text: points},
		{Purpose: model.Edits, Contains: []string{"# Requirement", "A-1"}, Text: half},
		{Purpose: model.Fix, Contains: []string{"What was wrong with the last attempt", "greet/greet.go:11", "Ways that are rejected"}, Text: whole},
	}}
	b := quick(t, greeter, nil)
	b.Model = m
	job := shout()
	job.Capabilities = nil
	r, err := b.Run(t.Context(), job)
	require.NoError(t, err)
	require.Nil(t, r.Stopped)
	require.NotNil(t, r.Receipt)
	assert.Empty(t, m.Remaining())
	var purposes []model.Purpose
	for _, q := range m.Asked() {
		purposes = append(purposes, q.Purpose)
		assert.Contains(t, model.Purposes(), q.Purpose)
	}
	assert.Equal(t, []model.Purpose{model.Split, model.Edits, model.Fix}, purposes)
	assert.Positive(t, r.Spent[1].Used, "what the model cost is counted")

	b.reopen(t, nil)
	b.Model = &model.Scripted{}
	_, err = b.Run(t.Context(), job)
	require.NoError(t, err, "a task that is done asks nothing")
}

// covers: CHN-3
func TestWithTaskPointsAndAnEditorNoModelIsNeeded(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	m := &model.Scripted{}
	b.Model = m
	_, err := b.Run(t.Context(), shout())
	require.NoError(t, err)
	assert.Empty(t, m.Asked())
}

// covers: CHN-2
func TestTheModelsTokensAreLimited(t *testing.T) {
	m := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Edits, Text: half, Usage: model.Usage{InputTokens: 900, OutputTokens: 200}},
		{Purpose: model.Fix, Text: whole},
	}}
	b := quick(t, greeter, nil)
	b.Model, b.Budgets.Reasoning = m, 1000
	r, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Contains(t, err.Error(), "Budgets.Reasoning")
	assert.EqualValues(t, 1100, r.Spent[1].Used)
	assert.EqualValues(t, 1000, r.Spent[1].Limit)
	assert.Len(t, m.Asked(), 1, "nothing was asked beyond the limit")
	assert.Equal(t, b.start, fingerprint(t, b.dir))

	b.Budgets.Reasoning = 100000
	r, err = b.Run(t.Context(), shout())
	require.NoError(t, err, "with a larger budget it goes on")
	require.NotNil(t, r.Receipt)
	assert.Len(t, m.Asked(), 2, "and what was answered is not asked again")
}

// covers: CHN-2
func TestTheTimeForTestsIsLimited(t *testing.T) {
	b := quick(t, greeter, plumb.Given(parse(t, whole)))
	b.Budgets.Feedback = 1
	b.Verifier = verify.Func(func(ctx context.Context, in verify.Input) (*verify.Report, error) {
		if len(in.Layers) == 0 {
			<-ctx.Done()
			return nil, fault.From(ctx.Err(), "own.verify", "give more time")
		}
		return passing(ctx, in)
	})
	_, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Contains(t, err.Error(), "Budgets.Feedback")
	assert.Equal(t, b.start, fingerprint(t, b.dir))
}

// covers: CHN-2
func TestImbalanceIsAWarning(t *testing.T) {
	cases := []struct {
		name    string
		context int
		warning string
	}{
		{"no context", 0, "nothing was spent on information"},
		{"a full context and one run of tests", 950, "the context is full and the tests ran once"},
		{"balanced", 100, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := quick(t, greeter, plumb.Given(parse(t, whole)))
			b.Budgets.Information = 1000
			b.Collector = budget.Func(func(context.Context, budget.Input) (*budget.Context, error) {
				return &budget.Context{Schema: 1, Used: c.context}, nil
			})
			r, err := b.Run(t.Context(), shout())
			require.NoError(t, err)
			if c.warning == "" {
				assert.Empty(t, r.Handoff.Warnings)
				return
			}
			require.Len(t, r.Handoff.Warnings, 1)
			assert.Contains(t, r.Handoff.Warnings[0], c.warning)
		})
	}
}
