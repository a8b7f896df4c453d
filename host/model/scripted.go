package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/host/fault"
)

// A Scripted model answers from a list of steps, for tests and examples.
//
// A request takes the first step not yet taken that has its purpose and whose
// Contains are all found in it. A request that no step expects is an
// InvalidInput fault that shows the purpose, what the nearest step misses in
// it, and the steps that remain; it takes no step. Nothing is ever answered twice.
//
// Set Steps before the first Ask and leave it alone afterwards. The zero value
// expects nothing. A Scripted must not be copied after its first use; it is
// safe for concurrent use.
type Scripted struct {
	Steps []Step

	mu    sync.Mutex
	taken map[int]bool
	asked []Request
}

// A Step is one expected request and its answer.
type Step struct {
	// Purpose is the purpose of the request that this step answers.
	Purpose Purpose
	// Contains are texts that must all stand in the request's system text or prompt.
	Contains []string
	// Text is the reply's text.
	Text string
	// Usage is the reply's cost. The zero value is replaced by an estimate of
	// one token for every four bytes, begun ones included.
	Usage Usage
	// Err, where it is not nil, is returned instead of the reply.
	Err error
}

// String renders the step in one line: its purpose and what it looks for.
func (s Step) String() string {
	if len(s.Contains) == 0 {
		return string(s.Purpose)
	}
	return fmt.Sprintf("%s containing %q", s.Purpose, s.Contains)
}

func (s Step) missing(req Request) []string {
	var missing []string
	for _, text := range s.Contains {
		if !strings.Contains(req.Prompt, text) && !strings.Contains(req.System, text) {
			missing = append(missing, text)
		}
	}
	return missing
}

// Ask answers from the steps; see Scripted for the order and for errors. Every
// request that reaches the script is recorded, answered or not.
func (s *Scripted) Ask(ctx context.Context, req Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, fault.From(err, "model.ask", "ask again")
	}
	if err := req.Check(); err != nil {
		return Reply{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	req.Schema = slices.Clone(req.Schema)
	s.asked = append(s.asked, req)
	i := s.find(req)
	if i < 0 {
		return Reply{}, s.unexpected(req)
	}
	if s.taken == nil {
		s.taken = make(map[int]bool)
	}
	s.taken[i] = true
	step := s.Steps[i]
	if step.Err != nil {
		return Reply{}, step.Err
	}
	return Reply{Text: step.Text, Usage: step.usage(req)}, nil
}

func (s Step) usage(req Request) Usage {
	if s.Usage != (Usage{}) {
		return s.Usage
	}
	return Usage{InputTokens: (len(req.System) + len(req.Prompt) + len(req.Schema) + 3) / 4, OutputTokens: (len(s.Text) + 3) / 4}
}

// find returns the index of the step that answers req, or -1.
func (s *Scripted) find(req Request) int {
	for i, step := range s.Steps {
		if !s.taken[i] && step.Purpose == req.Purpose && len(step.missing(req)) == 0 {
			return i
		}
	}
	return -1
}

func (s *Scripted) remaining() []Step {
	var left []Step
	for i, step := range s.Steps {
		if !s.taken[i] {
			left = append(left, step)
		}
	}
	return left
}

func (s *Scripted) unexpected(req Request) error {
	left := s.remaining()
	detail := fmt.Sprintf("no remaining step expects a request for %q", req.Purpose)
	for _, step := range left {
		if step.Purpose == req.Purpose {
			detail = fmt.Sprintf("the request for %q lacks %q, which its step looks for", req.Purpose, step.missing(req))
			break
		}
	}
	remain := "no step remains"
	if len(left) > 0 {
		remain = fmt.Sprintf("%d remain: %v", len(left), left)
	}
	return &fault.Fault{
		Class: fault.InvalidInput, Op: "model.ask", Subject: fault.Subject{Text: string(req.Purpose)},
		Detail: detail + "; " + remain, State: "no step was taken",
		Next: fmt.Sprintf("add a step for %q, or find out why it is asked", req.Purpose),
	}
}

// Asked returns the requests that reached the script so far, in their order.
func (s *Scripted) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Remaining returns the steps not yet taken, in their order. A test that plays
// a script to its end checks that it is empty.
func (s *Scripted) Remaining() []Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remaining()
}
