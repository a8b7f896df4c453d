package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// storyModel is the scripted model, and the person who answers its questions.
type storyModel struct {
	tale     *tale
	w        io.Writer
	attempts []string // files of edits, joined by "+"
	reads    bool     // looks at uses that only a reader can settle
}

func (t *tale) model(w io.Writer, attempts ...string) *storyModel {
	return &storyModel{tale: t, w: w, attempts: attempts, reads: true}
}

// blind is a model that does not look at what it is shown to confirm.
func (m *storyModel) blind() *storyModel {
	m.reads = false
	return m
}

// asked answers what the chain asks of a model beside the edits: the split of
// the requirement into capability points.
func (m *storyModel) asked() model.Model {
	return model.Func(func(_ context.Context, r model.Request) (model.Reply, error) {
		if r.Purpose != model.Split {
			return model.Reply{}, &fault.Fault{Class: fault.InvalidInput, Op: "refund.model", Subject: fault.Subject{Text: string(r.Purpose)},
				Detail: "the script has no answer for this purpose", Next: "add one to the story"}
		}
		text, err := m.tale.answer("task.yaml")
		if err != nil {
			return model.Reply{}, err
		}
		t, err := task.Read([]byte(text))
		if err != nil {
			return model.Reply{}, err
		}
		points, err := json.Marshal(t.Capabilities)
		return model.Reply{Text: string(points), Usage: model.Usage{InputTokens: len(r.Prompt) / 4, OutputTokens: len(points) / 4}}, err
	})
}

// Edit returns the edits of the attempt that the script has for it.
func (m *storyModel) Edit(_ context.Context, d plumb.Draft) ([]patch.Edit, error) {
	for _, f := range d.Feedback {
		fmt.Fprintf(m.w, "    told: %s\n", f)
	}
	if d.Attempt > len(m.attempts) {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "refund.model", Subject: fault.Subject{Text: fmt.Sprint(d.Attempt)},
			Detail: "the script ends before this attempt", Next: "look at what the last attempt was told"}
	}
	return m.tale.edits(m.attempts[d.Attempt-1])
}

// Confirm adapts what is reached by name.
func (m *storyModel) Confirm(_ context.Context, _ plumb.Draft, uses []index.Ref) ([]patch.Edit, error) {
	if !m.reads {
		return nil, nil
	}
	for _, u := range uses {
		fmt.Fprintf(m.w, "    reads %s:%d %s (%s: %s)\n", u.Span.File, u.Span.Line, u.Name, u.Status, u.Reason)
	}
	return m.tale.edits("adapt.diff")
}

// edits reads and joins files of scripted answers.
func (t *tale) edits(names string) ([]patch.Edit, error) {
	var out []patch.Edit
	for name := range strings.SplitSeq(names, "+") {
		text, err := t.answer(name)
		if err != nil {
			return nil, err
		}
		list, err := patch.Parse([]byte(text))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// answer takes the recommended option, and says so.
func (m *storyModel) answer(_ context.Context, q changeset.Question) (task.Answer, error) {
	fmt.Fprintf(m.w, "    asked %s (%s): %s\n    answer: %s\n", q.ID, q.Kind, q.Text, q.Options[q.Recommended-1].Text)
	return task.Answer{Question: q.ID, Option: q.Recommended}, nil
}

// approve is the person who approves what the gate leaves to one.
func (m *storyModel) approve(_ context.Context, op gate.Operation) (string, error) {
	fmt.Fprintf(m.w, "    approval asked: %s\n", op.What)
	return "the shop's maintainer", nil
}
