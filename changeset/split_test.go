package changeset_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/task"
)

const points = "```json\n" + `[{"id": "R-1", "sentence": "A refund gives back an amount.", "symbols": ["pay.Gateway.Refund"], "layers": ["contract", "test"]}]` + "\n```"

// covers: CHG-1, CHN-3
func TestAModelSplitsTheRequirement(t *testing.T) {
	c := readCase(t, "interface")
	script := &model.Scripted{Steps: []model.Step{{Purpose: model.Split, Contains: []string{"give back a part"}, Text: points}}}
	p, err := (&changeset.Derived{Splitter: changeset.Asked{Model: script}}).Plan(context.Background(),
		changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "Please give back a part."}})
	require.NoError(t, onlyQuestions(err))
	require.Len(t, p.Capabilities, 1)
	assert.Equal(t, "R-1", p.Capabilities[0].ID)
	assert.NotNil(t, find(p, changeset.Define, "Gateway.Refund"))
	assert.Empty(t, script.Remaining())
	assert.NotEmpty(t, script.Asked()[0].Schema)

	// A task that brings its points is not split again.
	_, err = (&changeset.Derived{Splitter: changeset.Asked{Model: &model.Scripted{}}}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: c.task})
	assert.NoError(t, onlyQuestions(err))
}

// covers: CHG-1
func TestWhatAModelSaysIsChecked(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "I would split it like this.",
		"empty":         "[]",
		"unknown key":   `[{"id": "R-1", "sentence": "x", "symbol": "y"}]`,
		"no sentence":   `[{"id": "R-1"}]`,
		"twice":         `[{"id": "R-1", "sentence": "x"}, {"id": "R-1", "sentence": "y"}]`,
		"no such layer": `[{"id": "R-1", "sentence": "x", "layers": ["screen"]}]`,
	} {
		_, err := changeset.ParseCapabilities(text)
		require.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
	_, err := changeset.Asked{}.Split(context.Background(), changeset.Input{})
	require.ErrorIs(t, err, fault.InvalidInput)
	down := errors.New("down")
	_, err = changeset.Asked{Model: &model.Scripted{Steps: []model.Step{{Purpose: model.Split, Err: down}}}}.Split(context.Background(), changeset.Input{Task: task.Task{Requirement: "x"}})
	assert.ErrorIs(t, err, down)
}
