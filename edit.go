package plumb

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// An Editor writes the edits that carry out a plan. It is asked once for each
// attempt; from the second on Draft.Feedback says what was wrong. Errors end
// the run; a reply that cannot be read as edits is a fault of class
// invalid_input and counts as an attempt.
type Editor interface {
	Edit(ctx context.Context, d Draft) ([]patch.Edit, error)
}

// EditorFunc is an Editor made of a function.
type EditorFunc func(ctx context.Context, d Draft) ([]patch.Edit, error)

// Edit calls f.
func (f EditorFunc) Edit(ctx context.Context, d Draft) ([]patch.Edit, error) { return f(ctx, d) }

// A Confirmer is an Editor that can look at references which only a reader can
// settle: dynamic and ambiguous uses of what the change touches. It returns
// further edits, written for the state that d.After shows, that adapt them; none
// means that they need no change.
type Confirmer interface {
	Confirm(ctx context.Context, d Draft, uses []index.Ref) ([]patch.Edit, error)
}

// A Draft is what an Editor works from.
type Draft struct {
	Task    task.Task
	Before  *index.Snapshot
	Context *budget.Context
	Plan    *changeset.Plan
	Attempt int // 1-based
	// After is the state that the last edits lead to; nil but for a Confirmer.
	After *index.Snapshot
	// Feedback is what went wrong with the last attempt; empty on the first.
	Feedback []Feedback
	// Last are the edits that led to After; nil but for a Confirmer.
	Last []patch.Edit
	// Rejected are ways that failed before and must not be tried again.
	Rejected []ledger.Failure
}

// A Feedback is one thing that an attempt has to put right.
type Feedback struct {
	Stage Stage  `json:"stage"`
	Rule  string `json:"rule"`
	Text  string `json:"text"`
	// Place is where; its File may be empty.
	Place index.Span `json:"place"`
	// Source is what stands there now, re-read, "" where there is no place.
	Source string `json:"source,omitempty"`
}

// Given is an Editor with one list of edits, made beforehand. It has nothing to
// say to a second attempt: what ends the first ends the run.
type Given []patch.Edit

// Edit returns the edits.
func (g Given) Edit(context.Context, Draft) ([]patch.Edit, error) { return g, nil }

// Asked is an Editor that asks a model (CHN-3: purposes edits and fix).
type Asked struct {
	Model model.Model
	// MaxTokens limits a reply; 0 leaves it to the model.
	MaxTokens int
}

// Edit asks for the edits in any format that patch.Parse reads.
func (a Asked) Edit(ctx context.Context, d Draft) ([]patch.Edit, error) {
	purpose := model.Edits
	if d.Attempt > 1 {
		purpose = model.Fix
	}
	return a.ask(ctx, purpose, prompt(d))
}

// Confirm shows the uses with their source and asks for edits that adapt them.
func (a Asked) Confirm(ctx context.Context, d Draft, uses []index.Ref) ([]patch.Edit, error) {
	var b strings.Builder
	b.WriteString(prompt(d))
	b.WriteString("\n# Uses that only a reader can settle\nReply with edits that adapt those that need it, or with the word none.\n")
	for _, u := range uses {
		fmt.Fprintf(&b, "\n%s:%d %s (%s: %s)\n%s", u.Span.File, u.Span.Line, u.Name, u.Status, u.Reason, excerpt(d.After, u.Span))
	}
	return a.ask(ctx, model.Fix, b.String())
}

func (a Asked) ask(ctx context.Context, purpose model.Purpose, text string) ([]patch.Edit, error) {
	reply, err := a.Model.Ask(ctx, model.Request{Purpose: purpose, System: editSystem, Prompt: text, MaxTokens: a.MaxTokens})
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(strings.TrimSpace(reply.Text), "none") {
		return nil, nil
	}
	return patch.Parse([]byte(reply.Text))
}

const editSystem = `You change a repository. Reply with the edits alone: a unified git diff, or a JSON document {"edits":[…]}.
Change only what the plan lists. Keep indentation, quotes, import order and wording of everything else as they are.`

// prompt renders a draft for a model: the task first, the plan, the context,
// what went wrong, the acceptance sentences last (BUD-9).
func prompt(d Draft) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Requirement\n%s\n", strings.TrimSpace(d.Task.Requirement))
	if d.Plan != nil {
		fmt.Fprintf(&b, "\n%s\n", d.Plan.Markdown())
	}
	if d.Context != nil {
		fmt.Fprintf(&b, "\n# Context\n%s\n", d.Context.Text())
	}
	if len(d.Feedback) > 0 {
		b.WriteString("\n# What was wrong with the last attempt\n")
		for _, f := range d.Feedback {
			fmt.Fprintf(&b, "- %s\n%s", f, f.Source)
		}
	}
	for i, r := range d.Rejected {
		if i == 0 {
			b.WriteString("\n# Ways that are rejected\n")
		}
		fmt.Fprintf(&b, "- %s: %s\n", r.Tried, r.Why)
	}
	if d.Plan != nil {
		b.WriteString("\n# Accepted when\n")
		for _, c := range d.Plan.Capabilities {
			fmt.Fprintf(&b, "- %s %s\n", c.ID, c.Sentence)
		}
	}
	return b.String()
}

// String renders the feedback as one line: stage, rule, place and text.
func (f Feedback) String() string {
	place := ""
	if f.Place.File != "" {
		place = fmt.Sprintf(" %s:%d", f.Place.File, f.Place.Line)
	}
	return fmt.Sprintf("%s (%s)%s: %s", f.Stage, f.Rule, place, f.Text)
}

// excerptLines is how many lines stand before and after a place that is shown
// again, as for call sites (BUD-8).
const excerptLines = 3

// excerpt returns the numbered lines around a place, or "" when its file cannot
// be read at the snapshot's state.
func excerpt(s *index.Snapshot, at index.Span) string {
	if s == nil || at.File == "" {
		return ""
	}
	src, err := s.Source(at.File)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(src), "\n")
	var b strings.Builder
	for n := max(1, at.Line-excerptLines); n <= min(len(lines), at.Line+excerptLines); n++ {
		fmt.Fprintf(&b, "%5d  %s\n", n, strings.TrimSuffix(lines[n-1], "\r"))
	}
	return b.String()
}
