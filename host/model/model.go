// Package model is the seam through which plumb asks a language model.
//
// A model is asked in the places that Purposes lists and nowhere else; what
// comes back is text that the asking stage checks, never a verdict. Hosts bring
// their own Model; Scripted answers from a list, for tests and examples.
package model

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

// A Model answers requests. Implementations must be safe for concurrent use.
type Model interface {
	// Ask sends one request and returns the reply. It returns early with a
	// Canceled fault when ctx ends, an InvalidInput fault for a request that
	// Request.Check refuses, a BudgetExceeded fault where the service's own
	// limits are used up, and an Environment fault where it cannot be reached.
	// Asking again after an error is safe. A reply cut at MaxTokens is an
	// error, BudgetExceeded, not a shorter reply.
	Ask(ctx context.Context, req Request) (Reply, error)
}

// Func makes a function a Model.
type Func func(ctx context.Context, req Request) (Reply, error)

// Ask calls f.
func (f Func) Ask(ctx context.Context, req Request) (Reply, error) { return f(ctx, req) }

// A Request is one question to a model. It is plain data; a Model does not change it.
type Request struct {
	// Purpose is the place that asks; one of Purposes.
	Purpose Purpose `json:"purpose"`
	// System is the standing instruction; it may be empty.
	System string `json:"system,omitempty"`
	// Prompt is the question with everything needed to answer it; not empty.
	Prompt string `json:"prompt"`
	// Schema is a JSON Schema that the reply's text should satisfy, or nil for
	// free text. A model may still miss it: the asking stage checks the text.
	Schema json.RawMessage `json:"schema,omitempty"`
	// MaxTokens limits the reply, in the model's own tokens; 0 leaves it to the model.
	MaxTokens int `json:"max_tokens,omitempty"`
}

// Check returns an InvalidInput fault for a request that cannot be sent: an
// unknown purpose, an empty prompt, a schema that is not JSON, a negative limit.
func (r Request) Check() error {
	refuse := func(detail, next string) error {
		return &fault.Fault{Class: fault.InvalidInput, Op: "model.ask", Subject: fault.Subject{Text: string(r.Purpose)},
			Detail: detail, State: "nothing was asked", Next: next}
	}
	switch {
	case !slices.Contains(Purposes(), r.Purpose):
		return refuse(fmt.Sprintf("%q is no purpose for which a model is asked", r.Purpose), fmt.Sprintf("use one of %q", Purposes()))
	case r.Prompt == "":
		return refuse("the prompt is empty", "put the question and its context into Prompt")
	case len(r.Schema) > 0 && !json.Valid(r.Schema):
		return refuse("the schema is not a JSON document", "pass a JSON Schema or none")
	case r.MaxTokens < 0:
		return refuse(fmt.Sprintf("the reply is limited to %d tokens", r.MaxTokens), "use a positive limit, or 0 for the model's own")
	}
	return nil
}

// A Reply is a model's answer.
type Reply struct {
	// Text is the answer as the model gave it, unchecked.
	Text string `json:"text"`
	// Usage is what the answer cost.
	Usage Usage `json:"usage"`
}

// Usage counts tokens as the model's service reports them; both are at least 0.
type Usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{InputTokens: u.InputTokens + v.InputTokens, OutputTokens: u.OutputTokens + v.OutputTokens}
}
