// Package ledger keeps the record of a task: what was decided, by whom, on
// which state of the index, and why.
//
// The record is append-only. An entry is durable before Record returns, so an
// act is recorded first and counts as done after. A Log makes entries out of
// what stages hand it (number, time, redaction) and puts them into a Store;
// Files is the store that survives a crash, Memory the one for tests. The
// functions of this package read a record back: what is missing from it, what
// was rejected, which stages are finished, who changed a line and why.
//
// Retention: nothing is ever removed by plumb. A task's record is kept until
// the host removes it, with Files.Remove or by deleting its file.
package ledger

import (
	"context"
	"encoding/json"
	"time"
)

// A Store keeps each task's entries in the order in which they were appended.
// Implementations must be safe for concurrent use, and appends to one task are
// serialized across every writer that shares the store, other processes included.
type Store interface {
	// Append adds one entry, a JSON document, to the end of the task's record
	// and returns its position, 1 for the first. When it returns without an
	// error the entry is durable; when it returns an error the entry may or may
	// not have been kept, and later entries are unaffected. An empty task name
	// or an entry that is not JSON is an InvalidInput fault.
	Append(ctx context.Context, task string, entry []byte) (seq int, err error)
	// Read returns all entries of the task by position, the first at index 0.
	// An entry comes back as the same JSON document; insignificant white space
	// may be gone. A task without a record has no entries, which is no error.
	// A record that cannot be read in full is an Environment fault: Read never
	// returns a part of it.
	Read(ctx context.Context, task string) ([][]byte, error)
}

// A Recorder takes what stages record. Log is the default one.
type Recorder interface {
	// Record makes e durable and returns its ID. ID, Seq, Masked and a zero
	// Time are filled in; what e holds there of the first three is ignored.
	Record(ctx context.Context, e Entry) (id string, err error)
}

// Func makes a function a Recorder.
type Func func(ctx context.Context, e Entry) (id string, err error)

// Record calls f.
func (f Func) Record(ctx context.Context, e Entry) (string, error) { return f(ctx, e) }

// An Entry is one thing that happened in a task.
type Entry struct {
	// Schema is the version of this form; 1.
	Schema int `json:"schema"`
	// ID names the entry among all tasks; other entries and the hand-off refer to it.
	ID string `json:"id,omitempty"`
	// Task is the task's name; not empty.
	Task string `json:"task"`
	// Seq is the entry's position in the task's record, from 1.
	Seq int `json:"seq,omitempty"`
	// Time is when it was recorded, in UTC.
	Time time.Time `json:"time"`
	// Kind says what Data holds.
	Kind Kind `json:"kind"`
	// Stage is the stage that recorded it, such as "patch".
	Stage string `json:"stage,omitempty"`
	// By is who did it: a person, a model or a part of plumb.
	By string `json:"by,omitempty"`
	// Index is the digest of the snapshot the entry rests on; "" where it rests on none.
	Index string `json:"index,omitempty"`
	// Data is what happened, a JSON document whose shape the kind gives; it may be nil.
	Data json.RawMessage `json:"data,omitempty"`
	// Masked is the number of strings in which a secret was masked. Where it is
	// not 0 the entry is not exactly what was recorded.
	Masked int `json:"masked,omitempty"`
	// Refs are the IDs of earlier entries that this one rests on.
	Refs []string `json:"refs,omitempty"`
}

// schema is the version of the form of an Entry.
const schema = 1
