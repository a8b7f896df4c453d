// Package changesettest is the conformance suite of changeset.Planner.
package changesettest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
)

// A Suite says what to plan.
type Suite struct {
	Planner changeset.Planner
	// Input is something that the Planner finds actions for.
	Input changeset.Input
}

// Run checks what Planner promises, one subtest for each promise.
func Run(t *testing.T, s Suite) {
	t.Run("says why, how sure and how checked", s.reasons)
	t.Run("gives the same plan twice", s.deterministic)
	t.Run("is lossless as Markdown and JSON", s.lossless)
	t.Run("never targets a derived file", s.derived)
	t.Run("answers every open question with a fault", s.questions)
	t.Run("refuses wrong input", s.refuses)
	t.Run("stops when canceled", s.cancels)
}

func (s Suite) plan(t *testing.T) *changeset.Plan {
	t.Helper()
	p, err := s.Planner.Plan(context.Background(), s.Input)
	if err != nil {
		require.ErrorIs(t, err, fault.Ambiguous, "an open question is the only fault that comes with a plan")
	}
	require.NotNil(t, p)
	require.NotEmpty(t, p.Actions)
	return p
}

func (s Suite) reasons(t *testing.T) {
	p := s.plan(t)
	points := make(map[string]bool)
	for _, c := range p.Capabilities {
		points[c.ID] = true
	}
	ids := make(map[string]bool)
	for _, a := range p.Actions {
		assert.False(t, ids[a.ID], "%s is given twice", a.ID)
		ids[a.ID] = true
		for what, text := range map[string]string{"id": a.ID, "why": a.Why, "source": a.Source, "block": a.Block, "file": a.Target.File} {
			assert.NotEmpty(t, text, "%s has no %s", a.ID, what)
		}
		assert.Contains(t, []changeset.Grade{changeset.High, changeset.Medium, changeset.Low}, a.Grade)
		assert.NotEmpty(t, a.Verify, "%s says how it is verified", a.ID)
		assert.True(t, points[a.Capability], "%s belongs to a capability point", a.ID)
		if f, ok := s.Input.Snapshot.File(a.Target.File); ok && a.Target.Hash != "" {
			assert.Equal(t, f.Hash, a.Target.Hash)
			assert.LessOrEqual(t, a.Target.End, f.Size)
		}
	}
	for _, n := range p.NotDone {
		assert.NotEmpty(t, n.Why)
	}
	staged := 0
	for _, st := range p.Stages {
		staged += len(st.Actions)
		assert.NotEmpty(t, st.Done)
	}
	assert.Equal(t, len(p.Actions), staged, "every action stands in one stage")
	assert.Positive(t, p.Limit.Lines)
	assert.NotEmpty(t, p.Limit.Formula)
}

func (s Suite) deterministic(t *testing.T) { assert.Equal(t, s.plan(t), s.plan(t)) }

func (s Suite) lossless(t *testing.T) {
	p := s.plan(t)
	data, err := json.Marshal(p)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(data), `{"schema":1,`))
	var fromJSON changeset.Plan
	require.NoError(t, json.Unmarshal(data, &fromJSON))
	fromMarkdown, err := changeset.ParseMarkdown(p.Markdown())
	require.NoError(t, err)
	for _, back := range []*changeset.Plan{&fromJSON, fromMarkdown} {
		again, err := json.Marshal(back)
		require.NoError(t, err)
		assert.Equal(t, string(data), string(again))
	}
}

func (s Suite) derived(t *testing.T) {
	for _, f := range s.plan(t).WriteSet().Files {
		d, ok := s.Input.Snapshot.Derived(f)
		assert.False(t, ok, "%s is made from %s", f, d.Source)
	}
}

func (s Suite) questions(t *testing.T) {
	p, err := s.Planner.Plan(context.Background(), s.Input)
	open := 0
	for _, q := range p.Questions {
		assert.GreaterOrEqual(t, len(q.Options), 2)
		assert.True(t, q.Recommended >= 1 && q.Recommended <= len(q.Options))
		assert.NotEmpty(t, q.Evidence)
		assert.Contains(t, []changeset.QuestionKind{changeset.TwoReadings, changeset.Smaller, changeset.Uncovered}, q.Kind)
		if q.Answer == nil {
			open++
		}
	}
	if open == 0 {
		assert.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Empty(t, faulttest.Check(err))
	in := s.Input
	in.Task.Answers = nil
	for _, q := range p.Questions {
		in.Task.Answers = append(in.Task.Answers, task.Answer{Question: q.ID, Option: q.Recommended})
	}
	_, err = s.Planner.Plan(context.Background(), in)
	assert.NoError(t, err, "with every answer given, the plan stands")
}

func (s Suite) refuses(t *testing.T) {
	for name, in := range map[string]changeset.Input{
		"no snapshot": {Task: s.Input.Task},
		"no task":     {Snapshot: s.Input.Snapshot},
		"unknown symbol": {Snapshot: s.Input.Snapshot, Task: task.Task{Requirement: "x",
			Capabilities: []task.Capability{{ID: "X-1", Sentence: "It works.", Symbols: []string{"no.such.symbol.Anywhere"}}}}},
	} {
		_, err := s.Planner.Plan(context.Background(), in)
		require.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
}

func (s Suite) cancels(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Planner.Plan(ctx, s.Input)
	require.ErrorIs(t, err, fault.Canceled)
}
