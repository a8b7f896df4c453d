package task

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/strictyaml"
)

// schema is the version of the task file that this package reads.
const schema = 1

// Layers returns the layers that a capability point can touch, in the order in
// which a change travels through them.
func Layers() []string {
	return []string{"domain", "persistence", "contract", "configuration", "test"}
}

// Read reads a task file in YAML (CLI-3) and checks it as Check does.
//
// Errors are faults: invalid_input for anything malformed, naming the key and
// its 1-based line (Subject.Line, Subject.Text); unsupported for a schema newer
// than this package knows. It is safe for concurrent use.
func Read(data []byte) (Task, error) {
	var t Task
	if err := strictyaml.Decode(data, &t); err != nil {
		return Task{}, unreadable(err)
	}
	if t.Schema > schema {
		return Task{}, &fault.Fault{Class: fault.Unsupported, Op: "task.read", Subject: fault.Subject{Text: fmt.Sprintf("schema %d", t.Schema)},
			Detail: fmt.Sprintf("the file was written for a newer version; this one reads up to schema %d", schema),
			State:  "nothing was read", Next: "use the version that the file was written for"}
	}
	t.Schema = schema
	if err := t.Check(); err != nil {
		return Task{}, err
	}
	return t, nil
}

func unreadable(err error) error {
	f := &fault.Fault{Class: fault.InvalidInput, Op: "task.read", Detail: err.Error(), State: "nothing was read",
		Next: "correct the task file; its keys are schema, id, requirement, source, capabilities, changes, answers and justifications"}
	var e *strictyaml.Error
	if errors.As(err, &e) {
		f.Subject = fault.Subject{Line: e.Line, Text: e.Key}
		if e.Unknown {
			f.Detail = fmt.Sprintf("line %d uses the key %q, which no task file has here", e.Line, e.Key)
		}
	}
	return f
}

// Check returns an invalid_input fault for the first thing in t that
// contradicts the shape of a task: no requirement, source or capability; a
// capability without ID, an ID given twice, an unknown layer; a change that
// declares none or several of new signature, new name and removal; an answer
// without question or with an option below 1; a justification without rule,
// reason or place. Whether a capability point is complete is the planner's
// question (CHG-1), not Check's.
func (t Task) Check() error {
	if strings.TrimSpace(t.Requirement) == "" && t.Source == nil && len(t.Capabilities) == 0 && len(t.Changes) == 0 {
		return wrong("requirement", "the task states no requirement, source, capability point or change", "write the requirement under the key requirement")
	}
	if t.Source != nil {
		if err := t.Source.check(); err != nil {
			return err
		}
	}
	seen := make(map[string]bool)
	for i, c := range t.Capabilities {
		if err := c.check(i); err != nil {
			return err
		}
		if seen[c.ID] {
			return wrong(fmt.Sprintf("capabilities[%d].id", i), fmt.Sprintf("the ID %q is given to two capability points", c.ID), "give each capability point an ID of its own")
		}
		seen[c.ID] = true
	}
	for i, c := range t.Changes {
		if err := c.check(i); err != nil {
			return err
		}
	}
	for i, a := range t.Answers {
		if a.Question == "" || a.Option < 1 {
			return wrong(fmt.Sprintf("answers[%d]", i), "an answer needs the question's ID and an option of at least 1", "name the question, such as Q-1, and the 1-based number of the option")
		}
	}
	for i, j := range t.Justifications {
		if err := j.check(i); err != nil {
			return err
		}
	}
	return nil
}

func wrong(key, detail, next string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "task.check", Subject: fault.Subject{Text: key}, Detail: detail, State: "the task was not used", Next: next}
}

func (s Source) check() error {
	switch {
	case s.Document == "":
		return wrong("source.document", "the source names no document", "give the document's path, relative to the repository")
	case s.Hash != "" && !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(s.Hash):
		return wrong("source.hash", fmt.Sprintf("%q is no SHA-256 in hexadecimal", s.Hash), "pin the section's normalized text with 64 lower-case hexadecimal digits, or leave the hash out")
	}
	return nil
}

func (c Capability) check(i int) error {
	if c.ID == "" {
		return wrong(fmt.Sprintf("capabilities[%d].id", i), "the capability point has no ID", "give it one, such as REFUND-1")
	}
	for _, l := range c.Layers {
		if !slices.Contains(Layers(), l) {
			return wrong(fmt.Sprintf("capabilities[%d].layers", i), fmt.Sprintf("%s touches %q, which is no layer", c.ID, l), "use some of "+strings.Join(Layers(), ", "))
		}
	}
	return nil
}

func (c Change) check(i int) error {
	key := fmt.Sprintf("changes[%d]", i)
	given := 0
	for _, is := range []bool{c.NewSignature != "", c.NewName != "", c.Remove} {
		if is {
			given++
		}
	}
	switch {
	case c.Symbol == "":
		return wrong(key+".symbol", "the change names no symbol", "name the symbol that changes")
	case given != 1:
		return wrong(key, fmt.Sprintf("the change of %s declares %d of new_signature, new_name and remove; it takes exactly one", c.Symbol, given), "declare one change at a time")
	}
	return nil
}

func (j Justification) check(i int) error {
	key := fmt.Sprintf("justifications[%d]", i)
	switch {
	case j.Rule == "" || strings.TrimSpace(j.Reason) == "":
		return wrong(key, "a justification needs the rule it answers and a reason", "give rule and reason")
	case j.File == "" && j.Symbol == "":
		return wrong(key, fmt.Sprintf("the justification of %s says neither file nor symbol", j.Rule), "narrow it to a file or a symbol")
	}
	return nil
}
