package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/model/modeltest"
)

func ask(m model.Model, p model.Purpose, prompt string) (model.Reply, error) {
	return m.Ask(context.Background(), model.Request{Purpose: p, Prompt: prompt})
}

// covers: CHN-3
func TestScriptedConforms(t *testing.T) {
	modeltest.Run(t, modeltest.Suite{
		New: func(*testing.T) model.Model {
			return &model.Scripted{Steps: slices.Repeat([]model.Step{{Purpose: model.Edits, Text: "edits"}}, modeltest.Asks)}
		},
		Request: model.Request{Purpose: model.Edits, System: "s", Prompt: "write the edits", Schema: []byte(`{}`), MaxTokens: 10},
	})
}

// covers: CHN-3
func TestFuncConforms(t *testing.T) {
	modeltest.Run(t, modeltest.Suite{
		New: func(*testing.T) model.Model {
			return model.Func(func(ctx context.Context, r model.Request) (model.Reply, error) {
				if err := ctx.Err(); err != nil {
					return model.Reply{}, fault.From(err, "model.ask", "ask again")
				}
				if err := r.Check(); err != nil {
					return model.Reply{}, err
				}
				return model.Reply{Text: r.Prompt, Usage: model.Usage{InputTokens: 1, OutputTokens: 1}}, nil
			})
		},
		Request: model.Request{Purpose: model.Split, Prompt: "split this"},
	})
}

// covers: CHN-3
func TestPurposesAreTheOnlyPlaces(t *testing.T) {
	assert.Equal(t, []model.Purpose{"split", "context", "tests", "edits", "fix", "refactor", "conformance",
		"sensitive", "verifier", "inference", "proposal"}, model.Purposes())
	for _, p := range model.Purposes() {
		assert.NoError(t, model.Request{Purpose: p, Prompt: "q"}.Check())
	}
	assert.ErrorIs(t, model.Request{Purpose: "summary", Prompt: "q"}.Check(), fault.InvalidInput)
}

// covers: CHN-3
func TestScriptedAnswersByPurposeInOrder(t *testing.T) {
	s := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Edits, Text: "first"},
		{Purpose: model.Split, Text: "points"},
		{Purpose: model.Edits, Text: "second"},
	}}
	for _, c := range []struct {
		purpose model.Purpose
		want    string
	}{{model.Split, "points"}, {model.Edits, "first"}, {model.Edits, "second"}} {
		reply, err := ask(s, c.purpose, "q")
		require.NoError(t, err)
		assert.Equal(t, c.want, reply.Text)
	}
	assert.Empty(t, s.Remaining())
	assert.Len(t, s.Asked(), 3)
	assert.Equal(t, model.Split, s.Asked()[0].Purpose)
}

// covers: CHN-3
func TestScriptedPicksTheStepThatFits(t *testing.T) {
	s := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Fix, Contains: []string{"TestA"}, Text: "a"},
		{Purpose: model.Fix, Contains: []string{"TestB"}, Text: "b"},
	}}
	reply, err := ask(s, model.Fix, "TestB is red")
	require.NoError(t, err)
	assert.Equal(t, "b", reply.Text)
	assert.Equal(t, []model.Step{{Purpose: model.Fix, Contains: []string{"TestA"}, Text: "a"}}, s.Remaining())
}

// covers: CHN-3, FLT-2
func TestScriptedRefusesWhatNoStepExpects(t *testing.T) {
	s := &model.Scripted{Steps: []model.Step{{Purpose: model.Fix, Contains: []string{"TestA", "red"}}}}

	_, err := ask(s, model.Tests, "q")
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.Empty(t, faulttest.Check(err))
	assert.Contains(t, err.Error(), `no remaining step expects a request for "tests"; 1 remain: [fix containing ["TestA" "red"]]`)

	_, err = ask(s, model.Fix, "TestB is red")
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.Contains(t, err.Error(), `the request for "fix" lacks ["TestA"], which its step looks for`)

	_, err = ask(s, model.Fix, "TestA is red")
	require.NoError(t, err, "a refused request takes no step")
	_, err = ask(s, model.Fix, "TestA is red")
	assert.ErrorContains(t, err, "no step remains")
	assert.Len(t, s.Asked(), 4)
}

func TestScriptedErrors(t *testing.T) {
	down := errors.New("down")
	s := &model.Scripted{Steps: []model.Step{{Purpose: model.Edits, Err: down}, {Purpose: model.Edits, Text: "x"}}}
	_, err := ask(s, model.Edits, "q")
	assert.Same(t, down, err)
	_, err = ask(s, model.Edits, "q")
	assert.NoError(t, err)
}

func TestScriptedUsage(t *testing.T) {
	s := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Edits, Text: "12345"},
		{Purpose: model.Edits, Usage: model.Usage{InputTokens: 7, OutputTokens: 9}},
	}}
	estimated, err := ask(s, model.Edits, "123456789")
	require.NoError(t, err)
	assert.Equal(t, model.Usage{InputTokens: 3, OutputTokens: 2}, estimated.Usage)
	stated, err := ask(s, model.Edits, "q")
	require.NoError(t, err)
	assert.Equal(t, model.Usage{InputTokens: 10, OutputTokens: 11}, estimated.Usage.Add(stated.Usage))
}

func TestScriptedNeverAnswersTwice(t *testing.T) {
	s := &model.Scripted{}
	for i := range 100 {
		s.Steps = append(s.Steps, model.Step{Purpose: model.Tests, Text: strconv.Itoa(i)})
	}
	var mu sync.Mutex
	seen := make(map[string]int)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			reply, err := ask(s, model.Tests, "q")
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			seen[reply.Text]++
		})
	}
	wg.Wait()
	assert.Len(t, seen, 100)
	assert.Empty(t, s.Remaining())
}

// covers: ARC-4
func TestRequestAndReplyJSON(t *testing.T) {
	req := model.Request{Purpose: model.Split, System: "s", Prompt: "p", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 5}
	data, err := json.Marshal(req)
	require.NoError(t, err)
	assert.JSONEq(t, `{"purpose":"split","system":"s","prompt":"p","schema":{"type":"object"},"max_tokens":5}`, string(data))
	var back model.Request
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, req, back)

	data, err = json.Marshal(model.Reply{Text: "t", Usage: model.Usage{InputTokens: 1, OutputTokens: 2}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"text":"t","usage":{"input_tokens":1,"output_tokens":2}}`, string(data))
}

func ExampleScripted() {
	script := &model.Scripted{Steps: []model.Step{
		{Purpose: model.Split, Contains: []string{"partial refund"}, Text: `["refuse a refund above what was paid"]`},
	}}
	reply, err := script.Ask(context.Background(), model.Request{
		Purpose: model.Split,
		Prompt:  "Split into capability points: a partial refund must not exceed what was paid.",
	})
	fmt.Println(reply.Text, err)

	_, err = script.Ask(context.Background(), model.Request{Purpose: model.Edits, Prompt: "Write the edits."})
	fmt.Println(err)
	// Output:
	// ["refuse a refund above what was paid"] <nil>
	// model.ask "edits": invalid_input: no remaining step expects a request for "edits"; no step remains; state: no step was taken; next: add a step for "edits", or find out why it is asked
}
