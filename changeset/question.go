package changeset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// questionList numbers questions in the order in which they come up. That order
// follows from task and Snapshot alone, so that an answer of an earlier run
// finds its question again.
type questionList struct {
	all     []Question
	refused *fault.Fault
}

// ask puts a question, or takes its answer from the task and goes on with it.
// The last option of every question is to refuse.
func (v *derivation) ask(q Question, answered func(option int)) {
	q.ID = fmt.Sprintf("Q-%d", len(v.questions.all)+1)
	if a, ok := v.answers[q.ID]; ok && a.Option <= len(q.Options) {
		q.Answer = &a
		if a.Option == len(q.Options) && v.questions.refused == nil {
			v.questions.refused = refusal(q)
		}
		answered(a.Option)
	}
	v.questions.all = append(v.questions.all, q)
}

// verdict is the plan's error: a refusal, or the first open question.
func (v *derivation) verdict() error {
	if v.questions.refused != nil {
		return v.questions.refused
	}
	for _, q := range v.questions.all {
		if q.Answer != nil {
			continue
		}
		f := &fault.Fault{Class: fault.Ambiguous, Op: "changeset.plan", Subject: fault.Subject{Text: q.ID},
			Detail: q.Text + " Evidence: " + strings.Join(q.Evidence, " | "), State: "a plan was made and waits for the answer",
			Next: fmt.Sprintf("answer %s under answers; option %d is recommended", q.ID, q.Recommended)}
		for i, o := range q.Options {
			f.Candidates = append(f.Candidates, fault.Subject{Text: fmt.Sprintf("%d: %s (%s)", i+1, o.Text, o.Effect)})
		}
		return f
	}
	return nil
}

// refusal is one of the three refusals of CHG-6.
func refusal(q Question) *fault.Fault {
	f := &fault.Fault{Class: fault.Unsupported, Op: "changeset.plan", Subject: fault.Subject{Text: q.ID}, State: "nothing was changed"}
	switch q.Kind {
	case TwoReadings:
		f.Detail, f.Next = "refused: the requirement is ambiguous, and none of its readings is meant", "reword the requirement so that one reading remains"
	case Smaller:
		f.Detail, f.Next = "refused: a smaller way exists, and it is enough", "use what exists; no change is needed"
	case Uncovered:
		f.Detail, f.Next = "refused: the change cannot be verified in this repository", "add a test for the place first, as a task of its own"
	}
	f.Detail += ". Evidence: " + strings.Join(q.Evidence, " | ")
	return f
}

// ambiguousRequirement refuses a task that says nothing to derive from.
func (v *derivation) ambiguousRequirement() error {
	f := &fault.Fault{Class: fault.InvalidInput, Op: "changeset.plan", Detail: "refused: the requirement is ambiguous: it brings no capability point and no declared change, and no splitter is set",
		State: "no plan was made", Next: "list capability points under capabilities, declare changes, or set a Splitter"}
	for _, id := range seedsOf(v.in.Context) {
		if sym, ok := v.snap.Symbol(id); ok {
			f.Candidates = append(f.Candidates, fault.Subject{File: sym.Span.File, Line: sym.Span.Line, Symbol: sym.Canonical})
		}
	}
	return f
}

// readings asks about names that a capability point leaves open: each
// definition is one reading, and leads to another interface.
func (v *derivation) readings() {
	asked := make(map[string]bool)
	for i := range v.points {
		for _, o := range v.points[i].open {
			if asked[o.name] {
				continue
			}
			asked[o.name] = true
			v.askReading(i, o)
		}
	}
	for _, c := range v.in.Task.Changes {
		if defs := definitions(v.snap, c.Symbol); len(identities(defs)) > 1 && !asked[c.Symbol] {
			asked[c.Symbol] = true
			v.askReading(-1, openName{c.Symbol, defs})
		}
	}
}

func (v *derivation) askReading(point int, o openName) {
	q := Question{Kind: TwoReadings, Text: fmt.Sprintf("%q has %d definitions. Which one is meant?", o.name, len(identities(o.defs)))}
	best, most := 0, -1
	for i, d := range o.defs {
		uses := v.snap.References(d.ID, 1).Total
		if uses > most {
			best, most = i, uses
		}
		q.Options = append(q.Options, Option{Text: d.Canonical, Effect: "the plan changes " + orElse(d.Signature.Text, d.Canonical)})
		q.Evidence = append(q.Evidence, fmt.Sprintf("%s at %s:%d, %d uses", d.Canonical, d.Span.File, d.Span.Line, uses))
	}
	q.Options = append(q.Options, Option{Text: "none of these", Effect: "the plan is refused: the requirement has to be reworded"})
	q.Recommended = best + 1
	v.ask(q, func(option int) {
		if option > len(o.defs) {
			return
		}
		for i := range v.points {
			if slices.ContainsFunc(v.points[i].open, func(x openName) bool { return x.name == o.name }) || i == point {
				v.points[i].symbols = append(v.points[i].symbols, o.defs[option-1])
			}
		}
	})
}

// chosen returns the definition of a name that an answer picked.
func (v *derivation) chosen(name string, defs []index.Symbol) (index.Symbol, bool) {
	for _, q := range v.questions.all {
		if q.Kind != TwoReadings || q.Answer == nil || q.Answer.Option > len(defs) || !strings.HasPrefix(q.Text, fmt.Sprintf("%q ", name)) {
			continue
		}
		return defs[q.Answer.Option-1], true
	}
	return index.Symbol{}, false
}
