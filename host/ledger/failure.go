package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Failure is the data of a KindRejected entry: a way that was tried and is
// not to be tried again (LED-2).
type Failure struct {
	// Schema is the version of this form; 1.
	Schema int `json:"schema"`
	// Tried is what was tried, in one sentence.
	Tried string `json:"tried"`
	// Stage is the stage at which it failed.
	Stage string `json:"stage"`
	// Why is the reason as a constraint in one sentence that later stages can
	// check against, such as "the refund must be stored before the gateway is
	// called"; never a stack trace.
	Why string `json:"why"`
	// Fingerprint identifies the way, for example the digest of its edits; it may be empty.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Places are the files or symbols the constraint is about; there may be none.
	Places []string `json:"places,omitempty"`
}

// maxWhy is the longest constraint, in bytes, that still passes for a sentence.
const maxWhy = 400

func (f Failure) lacks() string {
	switch {
	case strings.TrimSpace(f.Tried) == "":
		return "the failure does not say what was tried"
	case strings.TrimSpace(f.Stage) == "":
		return "the failure does not say at which stage it failed"
	case len(strings.Fields(f.Why)) < 3:
		return fmt.Sprintf("why %q is not a constraint in one sentence", f.Why)
	case strings.ContainsAny(f.Why, "\r\n") || len(f.Why) > maxWhy:
		return fmt.Sprintf("why is not one sentence: it has %d bytes and %d lines", len(f.Why), strings.Count(f.Why, "\n")+1)
	}
	return ""
}

// Entry returns an entry of the task that records f.
func (f Failure) Entry(task string) Entry {
	f.Schema = schema
	return Entry{Task: task, Kind: KindRejected, Stage: f.Stage, Data: marshal(f)}
}

// Failures returns what was rejected, in order. An entry whose data is not a
// Failure is an InvalidInput fault naming it.
func Failures(entries []Entry) ([]Failure, error) {
	var failures []Failure
	for _, e := range OfKind(entries, KindRejected) {
		f, err := decode[Failure](e)
		if err != nil {
			return nil, err
		}
		failures = append(failures, f)
	}
	return failures, nil
}

// RejectedBefore returns the latest failure that rejects the way: one with the
// same non-empty fingerprint, or whose Tried is the same up to white space and
// letter case. ok is false when nothing rejects it.
func RejectedBefore(failures []Failure, tried, fingerprint string) (f Failure, ok bool) {
	for i := len(failures) - 1; i >= 0; i-- {
		f := failures[i]
		same := fingerprint != "" && f.Fingerprint == fingerprint
		if same || tried != "" && fold(f.Tried) == fold(tried) {
			return f, true
		}
	}
	return Failure{}, false
}

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// marshal renders data that always has a JSON form.
func marshal(data any) json.RawMessage {
	doc, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	return doc
}
