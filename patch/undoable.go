package patch

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// A Transaction is one that Undo knows.
type Transaction struct {
	// ID is that of its receipt; Undoes is the transaction that it took back, "" for none.
	ID     string `json:"id"`
	Undoes string `json:"undoes,omitempty"`
	// At is when it began, UTC.
	At time.Time `json:"at"`
	// Files are the paths it touched, in the order in which they were written.
	Files []string `json:"files"`
	// Undone is true where every file is as it was before: there is nothing left to
	// undo. Changed is true where somebody changed one since: Undo would refuse it.
	Undone  bool `json:"undone,omitempty"`
	Changed bool `json:"changed,omitempty"`
}

// Transactions lists the recorded transactions as the tree stands now, newest
// first. A record that cannot be read is left out. Faults: environment, canceled,
// and those of a recovery, as for Undo.
func (w *Workspace) Transactions(ctx context.Context) ([]Transaction, error) {
	if !w.hasState() {
		return nil, nil
	}
	unlock, err := w.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := w.recover(); err != nil {
		return nil, err
	}
	ids, err := w.list("undo")
	if err != nil {
		return nil, w.environment("make the state folder readable", err)
	}
	var out []Transaction
	for _, id := range slices.Backward(ids) {
		j, err := w.readJournal(join(w.state, "undo", id))
		if err != nil {
			continue
		}
		t := Transaction{ID: id, Undoes: j.Undoes, At: j.At, Undone: true}
		for i := range j.Entries {
			e := &j.Entries[i]
			now, _, err := w.disk.stand(e.Path)
			if err != nil && !errors.Is(err, fault.Dangerous) {
				return nil, w.environment("make the file readable", err)
			}
			t.Files = append(t.Files, e.Path)
			t.Undone = t.Undone && now.same(e.Old)
			t.Changed = t.Changed || !now.same(e.Old) && !now.same(e.New)
		}
		out = append(out, t)
	}
	return out, nil
}
