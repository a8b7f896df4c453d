package changeset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/model"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A Splitter turns a requirement into capability points. What it returns is
// checked as a task's own points are (CHG-1).
type Splitter interface {
	// Split returns at least one point; faults are those of what it asks, and
	// invalid_input for an answer that is no list of points.
	Split(ctx context.Context, in Input) ([]task.Capability, error)
}

// SplitterFunc is a Splitter made of a function.
type SplitterFunc func(ctx context.Context, in Input) ([]task.Capability, error)

// Split calls f.
func (f SplitterFunc) Split(ctx context.Context, in Input) ([]task.Capability, error) {
	return f(ctx, in)
}

// Asked is the Splitter that asks a model, once, and checks the form of what comes back.
type Asked struct {
	Model model.Model
}

const splitSystem = `You split a requirement into capability points. A point is one testable sentence, the symbols of the repository that it sits on, and the layers it touches.
A need that the requirement implies but does not state becomes a constraint of the point it belongs to, not a point of its own.
Answer with a JSON array and nothing else: [{"id": "...", "sentence": "...", "symbols": ["canonical name"], "creates": ["canonical name"], "layers": ["domain" | "persistence" | "contract" | "configuration" | "test"], "requirement": "ID or empty", "constraints": ["..."]}]`

// splitSchema describes the answer.
const splitSchema = `{"type":"array","minItems":1,"items":{"type":"object","required":["id","sentence"],"additionalProperties":false,"properties":{"id":{"type":"string"},"sentence":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"creates":{"type":"array","items":{"type":"string"}},"layers":{"type":"array","items":{"enum":["domain","persistence","contract","configuration","test"]}},"requirement":{"type":"string"},"constraints":{"type":"array","items":{"type":"string"}}}}}`

// Split implements Splitter.
func (a Asked) Split(ctx context.Context, in Input) ([]task.Capability, error) {
	if a.Model == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "changeset.split", Detail: "there is no model to ask", State: "nothing was asked", Next: "set a model, or list capability points in the task"}
	}
	reply, err := a.Model.Ask(ctx, model.Request{Purpose: model.Split, System: splitSystem, Prompt: splitPrompt(in), Schema: json.RawMessage(splitSchema)})
	if err != nil {
		return nil, err
	}
	return ParseCapabilities(reply.Text)
}

func splitPrompt(in Input) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Requirement\n%s\n", strings.TrimSpace(in.Task.Requirement))
	if in.Context == nil {
		return b.String()
	}
	b.WriteString("\n# Symbols found\n")
	for _, it := range in.Context.Items {
		if name := index.CanonicalOf(it.Symbol); name != "" {
			fmt.Fprintf(&b, "- %s (%s)\n", name, it.Why)
		}
	}
	return b.String()
}

// ParseCapabilities reads a list of capability points as JSON, in a fence or
// not. Unknown keys, an empty list and points without ID or sentence are
// invalid_input faults that say which.
func ParseCapabilities(text string) ([]task.Capability, error) {
	body := strings.TrimSpace(text)
	if _, rest, ok := strings.Cut(body, "```"); ok {
		body, _, _ = strings.Cut(strings.TrimPrefix(rest, "json"), "```")
	}
	dec := json.NewDecoder(strings.NewReader(body))
	dec.DisallowUnknownFields()
	var points []task.Capability
	if err := dec.Decode(&points); err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "changeset.split", Detail: "the answer is no list of capability points: " + err.Error(), State: "no point was taken",
			Next: "answer with a JSON array of points with id, sentence, symbols and layers", Err: err}
	}
	if len(points) == 0 {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "changeset.split", Detail: "the answer holds no capability point", State: "no point was taken", Next: "answer with at least one point"}
	}
	for i, p := range points {
		if p.ID == "" || strings.TrimSpace(p.Sentence) == "" {
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "changeset.split", Subject: fault.Subject{Text: orElse(p.ID, fmt.Sprintf("point %d", i+1))},
				Detail: fmt.Sprintf("capability point %d lacks its ID or its sentence", i+1), State: "no point was taken", Next: "give every point an ID and one testable sentence"}
		}
	}
	return points, task.Task{Requirement: "x", Capabilities: points}.Check()
}
