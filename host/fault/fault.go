// Package fault holds the classified errors that cross plumb's stages.
//
// A fault says what was attempted, on what, what stands there now and what to
// do next, so that neither a person nor a program has to guess. One set of
// classes serves Go errors, structured tool errors and exit codes (FLT-1, FLT-3).
//
// A Class is itself an error, so that callers write
//
//	if errors.Is(err, fault.AnchorMismatch) { … }
package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Fault is an error that says what to do next. The zero value is not useful;
// fill at least Class, Op, Detail and Next.
//
// A Fault is plain data: it is safe for concurrent reading and must not be
// changed once returned.
type Fault struct {
	Class Class `json:"class"`
	// Op is the operation that could not be done, as "stage.verb", for example "patch.apply".
	Op string `json:"operation"`
	// Subject is what the operation was about.
	Subject Subject `json:"subject"`
	// Detail is one or more sentences of what was found.
	Detail string `json:"detail"`
	// Candidates are the possible readings or places when there are several; all of them.
	Candidates []Subject `json:"candidates,omitempty"`
	// State says in what state the fault leaves things, for example "workspace unchanged".
	State string `json:"state,omitempty"`
	// Next is the next action in one sentence.
	Next string `json:"next"`
	// Err is the cause, if there is one. It is rendered in JSON as a string.
	Err error `json:"-"`
}

// A Subject is what a fault is about. Any field may be empty.
type Subject struct {
	// File is a slash-separated path relative to the repository.
	File string `json:"file,omitempty"`
	// Symbol is a canonical name.
	Symbol string `json:"symbol,omitempty"`
	// Line is 1-based; 0 means no line.
	Line int `json:"line,omitempty"`
	// Text is what stands there, or any other name of the subject.
	Text string `json:"text,omitempty"`
}

// String renders the subject as "file:line symbol text", leaving out what is empty.
func (s Subject) String() string {
	var parts []string
	switch {
	case s.File != "" && s.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d", s.File, s.Line))
	case s.File != "":
		parts = append(parts, s.File)
	}
	if s.Symbol != "" {
		parts = append(parts, s.Symbol)
	}
	if s.Text != "" {
		parts = append(parts, fmt.Sprintf("%q", s.Text))
	}
	return strings.Join(parts, " ")
}

// Error renders the whole fault in one line of sentences: operation, subject,
// class, detail, cause, state, candidates and next action.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Op)
	if s := f.Subject.String(); s != "" {
		b.WriteString(" " + s)
	}
	fmt.Fprintf(&b, ": %s: %s", f.Class, f.Detail)
	if f.Err != nil {
		fmt.Fprintf(&b, " (%v)", f.Err)
	}
	if len(f.Candidates) > 0 {
		names := make([]string, len(f.Candidates))
		for i, c := range f.Candidates {
			names[i] = c.String()
		}
		fmt.Fprintf(&b, "; candidates: %s", strings.Join(names, ", "))
	}
	if f.State != "" {
		fmt.Fprintf(&b, "; state: %s", f.State)
	}
	if f.Next != "" {
		fmt.Fprintf(&b, "; next: %s", f.Next)
	}
	return b.String()
}

// Unwrap returns the cause, or nil.
func (f *Fault) Unwrap() error { return f.Err }

// Is reports whether target is the fault's class, so that
// errors.Is(err, fault.Ambiguous) holds for every fault of that class.
func (f *Fault) Is(target error) bool {
	c, ok := target.(Class)
	return ok && c == f.Class
}

// schema is the version of the JSON form of a fault.
const schema = 1

// MarshalJSON renders the fault with its schema number and, where there is one,
// its cause as a string under "cause".
func (f *Fault) MarshalJSON() ([]byte, error) {
	type plain Fault
	doc := struct {
		Schema int `json:"schema"`
		*plain
		Cause string `json:"cause,omitempty"`
	}{Schema: schema, plain: (*plain)(f)}
	if f.Err != nil {
		doc.Cause = f.Err.Error()
	}
	return json.Marshal(doc)
}

// UnmarshalJSON reads what MarshalJSON writes; the cause comes back as a plain
// error. It overwrites all of f, and refuses a schema newer than the one it knows.
func (f *Fault) UnmarshalJSON(data []byte) error {
	type plain Fault
	var read plain
	doc := struct {
		Schema int `json:"schema"`
		*plain
		Cause string `json:"cause"`
	}{plain: &read}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if doc.Schema > schema {
		return &Fault{Class: Unsupported, Op: "fault.read", Subject: Subject{Text: fmt.Sprintf("schema %d", doc.Schema)},
			Detail: fmt.Sprintf("the document was written by a newer version; this one reads up to schema %d", schema),
			Next:   "read it with the version that wrote it"}
	}
	if doc.Cause != "" {
		read.Err = errors.New(doc.Cause)
	}
	*f = Fault(read)
	return nil
}

// From returns err as a fault. A fault in err's chain is returned as it is; a
// canceled context becomes Canceled; anything else becomes Environment with op
// and next. From(nil, …) is a nil *Fault: call it only where err is not nil,
// because a nil *Fault returned as an error is not a nil error.
func From(err error, op, next string) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	class := ClassOf(err)
	if class == Canceled {
		return &Fault{Class: class, Op: op, Detail: "the operation was canceled before it was done",
			State: "as it was before the operation", Next: "run it again; nothing has to be cleaned up", Err: err}
	}
	return &Fault{Class: Environment, Op: op, Detail: "the machine refused the operation", Next: next, Err: err}
}

// ClassOf returns the class of err: that of the first Fault or Class in its
// chain, Canceled for context errors, Environment for anything else, and "" for nil.
func ClassOf(err error) Class {
	var f *Fault
	var c Class
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		return f.Class
	case errors.As(err, &c):
		return c
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Canceled
	}
	return Environment
}
