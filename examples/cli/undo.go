package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/patch"
)

func undoCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		ws, err := e.workspace()
		if err != nil {
			return err
		}
		known, err := ws.Transactions(ctx)
		if err != nil {
			return err
		}
		id, err := one(args, "the ID of a transaction")
		if err != nil {
			return undoable(err, known)
		}
		status, said := "undone", id+": undone"
		if slices.ContainsFunc(known, func(t patch.Transaction) bool { return t.ID == id && t.Undone }) {
			status, said = "nothing to undo", id+": nothing to undo, every file is as it was before it"
		}
		if err := ws.Undo(ctx, id); err != nil {
			if errors.Is(err, fault.InvalidInput) {
				return undoable(err, known)
			}
			return err
		}
		if e.structured() {
			return e.emit(struct {
				Schema int    `json:"schema"`
				ID     string `json:"id"`
				Status string `json:"status"`
			}{1, id, status})
		}
		e.printf("%s\n", said)
		return nil
	}
}

// undoable gives a fault about an ID the transactions that can be undone, newest
// first, at most ten.
func undoable(err error, known []patch.Transaction) error {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return err
	}
	for _, t := range known {
		if t.Undone || t.Changed || len(f.Candidates) == 10 {
			continue
		}
		about := plural(len(t.Files), "file", "files") + ": " + strings.Join(t.Files[:min(3, len(t.Files))], ", ")
		if len(t.Files) > 3 {
			about += " …"
		}
		if t.Undoes != "" {
			about += ", took back " + t.Undoes
		}
		f.Candidates = append(f.Candidates, fault.Subject{Text: fmt.Sprintf("%s of %s, %s", t.ID, t.At.Format(time.RFC3339), about)})
	}
	if len(f.Candidates) == 0 {
		f.Detail += "; no transaction can be undone now"
	}
	return f
}
