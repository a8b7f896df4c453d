// Package audit records who did what. Every event has a method of its own, so
// that the fields of an event are the same wherever it is written.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// Entry is one line of the log.
type Entry struct {
	At      time.Time         `json:"at"`
	Actor   string            `json:"actor"`
	Event   string            `json:"event"`
	Subject string            `json:"subject"`
	Fields  map[string]string `json:"fields,omitempty"`
}

// Log writes entries as lines of JSON, and keeps those of this run.
type Log struct {
	mu      sync.Mutex
	out     io.Writer
	now     func() time.Time
	entries []Entry
}

// New returns a log that writes to out.
func New(out io.Writer, now func() time.Time) *Log {
	return &Log{out: out, now: now}
}

// About returns the entries about one subject, oldest first.
func (l *Log) About(subject string) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []Entry
	for _, e := range l.entries {
		if e.Subject == subject {
			found = append(found, e)
		}
	}
	return found
}

func (l *Log) write(ctx context.Context, actor, event, subject string, fields ...string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if actor == "" {
		return fmt.Errorf("audit %s %s: no actor", event, subject)
	}
	e := Entry{At: l.now().UTC(), Actor: actor, Event: event, Subject: subject}
	if len(fields) > 0 {
		e.Fields = make(map[string]string, len(fields)/2)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		e.Fields[fields[i]] = fields[i+1]
	}
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("audit %s %s: %w", event, subject, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("audit %s %s: %w", event, subject, err)
	}
	l.entries = append(l.entries, e)
	return nil
}
