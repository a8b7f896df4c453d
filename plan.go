package plumb

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
)

// plan derives the plan, and puts its questions to the host until none is open.
func (r *run) plan(ctx context.Context) (*changeset.Plan, error) {
	if err := r.split(ctx); err != nil {
		return nil, err
	}
	t := r.task
	for {
		p, err := r.chain.Planner.Plan(ctx, changeset.Input{Task: t, Snapshot: r.before, Context: r.result.Context})
		r.result.Plan = p
		open := openQuestion(p)
		if open == nil || r.chain.Answerer == nil {
			return p, err
		}
		answer, err := r.question(ctx, *open)
		if err != nil {
			return nil, err
		}
		if answer.Option == 0 {
			return p, &fault.Fault{Class: fault.Ambiguous, Op: "chain.plan", Subject: fault.Subject{Text: open.ID}, Detail: open.Text,
				Candidates: optionSubjects(*open), State: "workspace unchanged", Next: "answer question " + open.ID + " in the task's answers and run it again"}
		}
		t.Answers = append(t.Answers[:len(t.Answers):len(t.Answers)], answer)
	}
}

// unplanned reports whether the run goes without a plan; see Chain.Unplanned.
func (r *run) unplanned() bool {
	_, given := r.editor.(Given)
	return r.chain.Unplanned && given && len(r.task.Capabilities) == 0 && len(r.task.Changes) == 0 && r.chain.Splitter == nil && r.chain.Model == nil
}

func openQuestion(p *changeset.Plan) *changeset.Question {
	if p == nil {
		return nil
	}
	for i := range p.Questions {
		if p.Questions[i].Answer == nil {
			return &p.Questions[i]
		}
	}
	return nil
}

func optionSubjects(q changeset.Question) []fault.Subject {
	out := make([]fault.Subject, len(q.Options))
	for i, o := range q.Options {
		out[i].Text = fmt.Sprintf("%d: %s", i+1, o.Text)
	}
	return out
}

// question asks the host once; an answer given in an earlier run is taken from
// the ledger.
func (r *run) question(ctx context.Context, q changeset.Question) (task.Answer, error) {
	if a, ok := r.answered(q.ID); ok {
		return a, nil
	}
	if err := r.spend.ask(q.ID); err != nil {
		return task.Answer{}, err
	}
	asked, err := r.note(ctx, ledger.KindQuestion, StagePlan, q)
	if err != nil {
		return task.Answer{}, err
	}
	a, err := r.chain.Answerer.Answer(ctx, q)
	if err != nil {
		return task.Answer{}, err
	}
	if a.Question == "" {
		a.Question = q.ID
	}
	_, err = r.note(ctx, ledger.KindAnswer, StagePlan, a, asked)
	return a, err
}

// split has the requirement divided into capability points when the task brings
// none and there is somebody to do it.
func (r *run) split(ctx context.Context) error {
	if len(r.task.Capabilities) > 0 {
		return nil
	}
	s := r.chain.Splitter
	if s == nil && r.chain.Model != nil {
		s = changeset.Asked{Model: metered{r.chain.Model, r.spend}}
	}
	if s == nil {
		return nil // the planner says what is missing
	}
	points, err := s.Split(ctx, changeset.Input{Task: r.task, Snapshot: r.before, Context: r.result.Context})
	if err != nil {
		return err
	}
	r.task.Capabilities = points
	r.result.Task = r.task
	return nil
}

// answered looks for an answer that an earlier run was given.
func (r *run) answered(question string) (task.Answer, bool) {
	all := ledger.OfKind(r.entries, ledger.KindAnswer)
	for i := len(all) - 1; i >= 0; i-- {
		var a task.Answer
		if json.Unmarshal(all[i].Data, &a) == nil && a.Question == question && a.Option > 0 {
			return a, true
		}
	}
	return task.Answer{}, false
}
