package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/plumbkit/plumb/host/fault"
)

// Memory is a Store that keeps entries in memory, for tests and dry runs: its
// entries are gone with the process. The zero value is empty and ready; it must
// not be copied after its first use.
type Memory struct {
	mu    sync.RWMutex
	tasks map[string][][]byte
}

// Append keeps a copy of entry.
func (m *Memory) Append(ctx context.Context, task string, entry []byte) (int, error) {
	entry, err := prepare(ctx, task, entry)
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = make(map[string][][]byte)
	}
	m.tasks[task] = append(m.tasks[task], entry)
	return len(m.tasks[task]), nil
}

// Read returns copies of the task's entries.
func (m *Memory) Read(ctx context.Context, task string) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.From(err, "ledger.read", "read again")
	}
	if task == "" {
		return nil, noTask("ledger.read")
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var entries [][]byte
	for _, entry := range m.tasks[task] {
		entries = append(entries, slices.Clone(entry))
	}
	return entries, nil
}

// prepare checks what both stores demand of an append and returns the entry
// without insignificant white space, as a copy.
func prepare(ctx context.Context, task string, entry []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.From(err, "ledger.append", "append again")
	}
	if task == "" {
		return nil, noTask("ledger.append")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, entry); err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "ledger.append", Subject: fault.Subject{Text: task},
			Detail: "the entry is not one JSON document", State: "nothing was appended", Next: "marshal the entry to JSON", Err: err}
	}
	return compact.Bytes(), nil
}

func noTask(op string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: op, Detail: "the task has an empty name",
		State: "nothing was appended or read", Next: "name the task"}
}
