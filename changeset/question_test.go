package changeset_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
)

// covers: CHG-1
func TestMalformedCapabilityPoints(t *testing.T) {
	c := readCase(t, "interface")
	ok := task.Capability{ID: "R-1", Sentence: "It works.", Symbols: []string{"pay.Card"}, Requirement: "REQ-7"}
	cases := map[string]struct {
		spoil func(*task.Capability)
		want  string
	}{
		"no sentence":    {func(p *task.Capability) { p.Sentence = " " }, "has no sentence"},
		"unknown symbol": {func(p *task.Capability) { p.Symbols = []string{"pay.Gatway"} }, `symbol "pay.Gatway" is not in the index`},
		"no symbol":      {func(p *task.Capability) { p.Symbols = nil }, "sits on no symbol"},
		"no requirement": {func(p *task.Capability) { p.Requirement = "" }, "serves no requirement"},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			point := ok
			x.spoil(&point)
			_, err := (&changeset.Derived{IDs: ids}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "x", Capabilities: []task.Capability{ok, point}[1:]}})
			require.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
			assert.ErrorContains(t, err, x.want)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, "R-1", f.Subject.Text, "it says which")
		})
	}
	_, err := (&changeset.Derived{IDs: ids}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "x", Capabilities: []task.Capability{ok}}})
	assert.NoError(t, onlyQuestions(err))
}

// covers: CHG-6
func TestRefusals(t *testing.T) {
	for name, x := range map[string]struct {
		option int
		want   string
	}{
		"readings":  {3, "the requirement is ambiguous"},
		"uncovered": {3, "cannot be verified in this repository"},
		"smaller":   {3, "a smaller way exists"},
	} {
		t.Run(name, func(t *testing.T) {
			c := readCase(t, name)
			c.task.Answers = []task.Answer{{Question: "Q-1", Option: x.option}}
			p, err := c.plan(t, &changeset.Derived{})
			require.ErrorIs(t, err, fault.Unsupported)
			assert.Empty(t, faulttest.Check(err))
			assert.ErrorContains(t, err, x.want)
			assert.ErrorContains(t, err, "Evidence: ")
			require.NotNil(t, p)
			assert.NotEmpty(t, p.Questions[0].Evidence)
		})
	}
	c := readCase(t, "smaller")
	_, err := (&changeset.Derived{}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "Make it better."}})
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.ErrorContains(t, err, "ambiguous")
}

// covers: CHG-5
func TestQuestionsInterruptAndTheAnswerResumes(t *testing.T) {
	c := readCase(t, "readings")
	c.task.Answers = nil
	p, err := c.plan(t, &changeset.Derived{})
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Empty(t, faulttest.Check(err))
	require.Len(t, p.Questions, 1)
	q := p.Questions[0]
	assert.Equal(t, changeset.TwoReadings, q.Kind)
	assert.Equal(t, 2, q.Recommended, "the one that is used more")
	assert.Len(t, q.Options, 3)
	assert.NotEmpty(t, q.Evidence)
	assert.Nil(t, q.Answer)
	assert.Empty(t, p.Actions, "nothing is derived from an open reading")

	c.task.Answers = []task.Answer{{Question: q.ID, Option: q.Recommended}}
	p, err = c.plan(t, &changeset.Derived{})
	require.NoError(t, err)
	assert.NotNil(t, find(p, changeset.Define, "Conn.Close"))
	assert.Equal(t, 2, p.Questions[0].Answer.Option, "question and answer stay in the plan")

	c.task.Answers[0].Option = 9
	_, err = c.plan(t, &changeset.Derived{})
	assert.ErrorIs(t, err, fault.Ambiguous, "an option that is none leaves the question open")
}
