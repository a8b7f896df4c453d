package plumb

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/selfcheck"
)

// Budgets are the four budgets of a run, set once (CHN-2). Zero means the
// default that stands beside each field.
type Budgets struct {
	// Information is the context's size in tokens; 16,000.
	Information int
	// Reasoning is the model's tokens, in and out; 0 is no limit.
	Reasoning int
	// Feedback is the time for running tests; 10 minutes.
	Feedback time.Duration
	// Authority is how many questions and approvals a person is asked for; 10.
	Authority int
	// Attempts is how often the edits may be made; 3.
	Attempts int
}

func (b Budgets) withDefaults() Budgets {
	if b.Information == 0 {
		b.Information = 16000
	}
	if b.Feedback == 0 {
		b.Feedback = 10 * time.Minute
	}
	if b.Authority == 0 {
		b.Authority = 10
	}
	if b.Attempts == 0 {
		b.Attempts = 3
	}
	return b
}

// spending counts what a run uses up.
type spending struct {
	limits      Budgets
	information int
	reasoning   atomic.Int64
	feedback    time.Duration
	runs        int
	authority   int
}

// ask spends one unit of authority.
func (s *spending) ask(what string) error {
	if s.authority >= s.limits.Authority {
		return &fault.Fault{Class: fault.BudgetExceeded, Op: "chain.ask", Subject: fault.Subject{Text: what},
			Detail: "the questions and approvals of this run are used up", State: "workspace unchanged",
			Next: "raise Budgets.Authority, or settle the open questions in the task's answers"}
	}
	s.authority++
	return nil
}

// late is the fault of tests that did not end within the feedback budget.
func (s *spending) late(err error) error {
	return &fault.Fault{Class: fault.BudgetExceeded, Op: "chain.test", Subject: fault.Subject{Text: s.limits.Feedback.String()},
		Detail: "the time for running tests is used up", State: "workspace unchanged",
		Next: "raise Budgets.Feedback, or select fewer tests, and run the task again; finished stages are not repeated", Err: err}
}

// rows reports the four budgets side by side.
func (s *spending) rows() []selfcheck.Spent {
	return []selfcheck.Spent{
		{Budget: "information", Unit: "tokens", Limit: int64(s.limits.Information), Used: int64(s.information)},
		{Budget: "reasoning", Unit: "tokens", Limit: int64(s.limits.Reasoning), Used: s.reasoning.Load()},
		{Budget: "feedback", Unit: "ms", Limit: s.limits.Feedback.Milliseconds(), Used: s.feedback.Milliseconds()},
		{Budget: "authority", Unit: "questions and approvals", Limit: int64(s.limits.Authority), Used: int64(s.authority)},
	}
}

// imbalance says where the budgets were spent one-sidedly (CHN-2). tested is
// whether tests ran for this change, in an earlier run of the task perhaps.
func (s *spending) imbalance(tested bool) []string {
	var out []string
	switch {
	case s.information == 0:
		out = append(out, "nothing was spent on information: the edits were made without a context from the index")
	case s.runs == 0 && !tested:
		out = append(out, "everything was spent on information and nothing on feedback: no test ran")
	case s.runs == 1 && s.information*10 >= s.limits.Information*9:
		out = append(out, "the context is full and the tests ran once: consider a smaller context and more feedback")
	}
	return out
}

// metered is a Model that counts tokens and stops at the limit.
type metered struct {
	model model.Model
	spend *spending
}

// Ask passes the request on unless the budget is used up.
func (m metered) Ask(ctx context.Context, r model.Request) (model.Reply, error) {
	if limit := int64(m.spend.limits.Reasoning); limit > 0 && m.spend.reasoning.Load() >= limit {
		return model.Reply{}, &fault.Fault{Class: fault.BudgetExceeded, Op: "chain.model", Subject: fault.Subject{Text: string(r.Purpose)},
			Detail: "the model's tokens for this run are used up", State: "workspace unchanged",
			Next: "raise Budgets.Reasoning and run the task again; it resumes where it stopped"}
	}
	reply, err := m.model.Ask(ctx, r)
	m.spend.reasoning.Add(int64(reply.Usage.InputTokens + reply.Usage.OutputTokens))
	return reply, err
}
