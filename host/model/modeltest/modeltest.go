// Package modeltest is the conformance suite of model.Model.
package modeltest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/model"
)

// A Suite says how to make the model under test and what to ask it.
type Suite struct {
	// New returns a model that can answer Request at least Asks times.
	New func(t *testing.T) model.Model
	// Request is a request that the model answers.
	Request model.Request
}

// Asks is how often a model that New returns is asked at most.
const Asks = 8

// Run checks what Model promises, one subtest for each promise.
func Run(t *testing.T, s Suite) {
	t.Run("answers", s.answers)
	t.Run("refuses a request that cannot be sent", s.refuses)
	t.Run("stops when canceled", s.cancels)
	t.Run("is safe for concurrent use", s.concurrent)
}

func (s Suite) answers(t *testing.T) {
	reply, err := s.New(t).Ask(context.Background(), s.Request)
	require.NoError(t, err)
	assert.NotEmpty(t, reply.Text)
	assert.Positive(t, reply.Usage.InputTokens, "what was read is counted")
	assert.Positive(t, reply.Usage.OutputTokens, "what was written is counted")
}

func (s Suite) refuses(t *testing.T) {
	m := s.New(t)
	broken := map[string]func(*model.Request){
		"unknown purpose": func(r *model.Request) { r.Purpose = "chat" },
		"no prompt":       func(r *model.Request) { r.Prompt = "" },
		"broken schema":   func(r *model.Request) { r.Schema = []byte("{") },
		"negative limit":  func(r *model.Request) { r.MaxTokens = -1 },
	}
	for name, spoil := range broken {
		req := s.Request
		spoil(&req)
		_, err := m.Ask(context.Background(), req)
		assert.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
}

func (s Suite) cancels(t *testing.T) {
	m := s.New(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := m.Ask(ctx, s.Request)
	assert.ErrorIs(t, err, fault.Canceled)
	assert.Empty(t, faulttest.Check(err))
	_, err = m.Ask(context.Background(), s.Request)
	assert.NoError(t, err, "asking again after a cancellation is safe")
}

func (s Suite) concurrent(t *testing.T) {
	m := s.New(t)
	var wg sync.WaitGroup
	errs := make([]error, Asks)
	for i := range errs {
		wg.Go(func() { _, errs[i] = m.Ask(context.Background(), s.Request) })
	}
	wg.Wait()
	for _, err := range errs {
		assert.NoError(t, err)
	}
}
