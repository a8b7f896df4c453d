package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// A Log is the default Recorder: it checks, redacts and numbers entries and
// appends them to a Store. Store must be set; the rest may be left zero. It is
// safe for concurrent use, and so are several Logs over one store.
type Log struct {
	// Store keeps the entries.
	Store Store
	// Redact masks secrets in a text; every string of an entry goes through it
	// before it is stored, those inside Data one by one. nil means MaskSecrets.
	Redact func(text string) string
	// Now is the clock; nil means the machine's.
	Now func() time.Time
}

// Record appends e and returns its ID. An entry without a task, with an unknown
// kind (a host's own begin with "x_") or with Data that is not JSON or not of
// its kind's shape is an InvalidInput fault, and nothing is stored.
func (l *Log) Record(ctx context.Context, e Entry) (string, error) {
	if l.Store == nil {
		return "", invalid("ledger.record", e, "the log has no store", "set Log.Store, for example to &ledger.Files{Dir: …}")
	}
	if err := check(e); err != nil {
		return "", err
	}
	e.Schema, e.ID, e.Seq = schema, "", 0
	if e.Time.IsZero() {
		e.Time = l.now()
	}
	e.Time = e.Time.UTC().Round(0)
	e = l.mask(e)
	data, err := json.Marshal(e)
	if err != nil {
		return "", invalid("ledger.record", e, "the entry has no JSON form: "+err.Error(), "correct its time or data")
	}
	seq, err := l.Store.Append(ctx, e.Task, data)
	if err != nil {
		return "", fault.From(err, "ledger.record", "make the store writable and record the entry again")
	}
	return ID(e.Task, seq), nil
}

func (l *Log) now() time.Time {
	if l.Now != nil {
		return l.Now()
	}
	return time.Now()
}

func (l *Log) mask(e Entry) Entry {
	redact := l.Redact
	if redact == nil {
		redact = MaskSecrets
	}
	e.Masked = 0
	for _, text := range []*string{&e.Stage, &e.By} {
		if masked := redact(*text); masked != *text {
			*text = masked
			e.Masked++
		}
	}
	if e.Data != nil {
		data, n := redactJSON(e.Data, redact, redact)
		e.Data, e.Masked = data, e.Masked+n
	}
	return e
}

// ID returns the ID of the entry at position seq, from 1, of the task's record.
func ID(task string, seq int) string { return fmt.Sprintf("%s#%d", task, seq) }

func check(e Entry) error {
	switch {
	case e.Task == "":
		return invalid("ledger.record", e, "the entry names no task", "set Entry.Task")
	case !e.Kind.known():
		return invalid("ledger.record", e, fmt.Sprintf("%q is no kind of entry", e.Kind), "use one of ledger.Kinds, or a name of your own that begins with x_")
	case e.Data != nil && !json.Valid(e.Data):
		return invalid("ledger.record", e, "the data of the entry is not one JSON document", "marshal what happened into Entry.Data")
	}
	return checkShape(e)
}

// checkShape holds an entry's data against the shape its kind gives.
func checkShape(e Entry) error {
	var err error
	switch e.Kind {
	case KindRejected:
		_, err = decode[Failure](e)
	case KindHunks:
		_, err = decode[Hunks](e)
	case KindStage:
		_, err = decode[Finished](e)
	}
	return err
}

func invalid(op string, e Entry, detail, next string) *fault.Fault {
	return &fault.Fault{Class: fault.InvalidInput, Op: op, Subject: fault.Subject{Text: subject(e)},
		Detail: detail, State: "nothing was recorded", Next: next}
}

// subject names an entry for a fault: its ID, or else its task and kind.
func subject(e Entry) string {
	if e.ID != "" {
		return e.ID
	}
	if e.Kind == "" {
		return e.Task
	}
	return fmt.Sprintf("%s (%s)", e.Task, e.Kind)
}
