package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

// Entries returns the task's record, in order, with ID and Seq filled in. It
// never returns a part: an entry that cannot be read is an error naming it,
// Unsupported when it was written by a newer version and Environment otherwise.
func Entries(ctx context.Context, store Store, task string) ([]Entry, error) {
	raw, err := store.Read(ctx, task)
	if err != nil {
		return nil, fault.From(err, "ledger.read", "make the store readable and read again")
	}
	entries := make([]Entry, len(raw))
	for i, doc := range raw {
		if entries[i], err = parse(task, i+1, doc); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func parse(task string, seq int, doc []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(doc, &e); err != nil {
		return Entry{}, &fault.Fault{Class: fault.Environment, Op: "ledger.read", Subject: fault.Subject{Text: ID(task, seq)},
			Detail: "the entry is not of the ledger's form", State: "the record is as it was",
			Next: "restore the record from a copy, or start the task anew", Err: err}
	}
	if e.Schema > schema {
		return Entry{}, &fault.Fault{Class: fault.Unsupported, Op: "ledger.read", Subject: fault.Subject{Text: ID(task, seq)},
			Detail: fmt.Sprintf("the entry has schema %d; this version reads up to %d", e.Schema, schema),
			State:  "the record is as it was", Next: "read the record with the version that wrote it"}
	}
	e.ID, e.Seq = ID(task, seq), seq
	return e, nil
}

// OfKind returns the entries of the given kinds, in order.
func OfKind(entries []Entry, kinds ...Kind) []Entry {
	var found []Entry
	for _, e := range entries {
		if slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	return found
}

// OpenQuestions returns the questions that no answer entry refers to, in order.
func OpenQuestions(entries []Entry) []Entry {
	answered := make(map[string]bool)
	for _, e := range OfKind(entries, KindAnswer) {
		for _, ref := range e.Refs {
			answered[ref] = true
		}
	}
	return slices.DeleteFunc(OfKind(entries, KindQuestion), func(e Entry) bool { return answered[e.ID] })
}

// shape is the data of a kind that the ledger itself reads.
type shape interface {
	// lacks says in a sentence what the data lacks, or "".
	lacks() string
}

// decode reads e.Data as T, or returns an InvalidInput fault that says why it is not one.
func decode[T shape](e Entry) (T, error) {
	var data T
	next := fmt.Sprintf("marshal a ledger.%s into Entry.Data", nameOf(data))
	if len(e.Data) == 0 {
		return data, invalid("ledger.record", e, fmt.Sprintf("the %s entry has no data", e.Kind), next)
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return data, invalid("ledger.record", e, fmt.Sprintf("the %s entry's data has the wrong form: %v", e.Kind, err), next)
	}
	if lack := data.lacks(); lack != "" {
		return data, invalid("ledger.record", e, lack, "complete the data and record the entry again")
	}
	return data, nil
}

func nameOf(data shape) string {
	switch data.(type) {
	case Failure:
		return "Failure"
	case Hunks:
		return "Hunks"
	}
	return "Finished"
}
