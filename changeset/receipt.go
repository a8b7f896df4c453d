package changeset

import (
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// Receipts are places that were read, each with the content hash of its file at
// the time: the Spans of a Context's items, for example.
type Receipts []index.Span

// Check reports whether the action may be carried out on the Snapshot with
// these receipts (CHG-8): its target lines were read, at the file's present
// content. Something new in a folder needs no receipt.
//
// Faults: anchor_mismatch when the file changed since it was read, or since the
// plan was made, or when the target was not read at all.
func (r Receipts) Check(snap *index.Snapshot, a Action) error {
	f, ok := snap.File(a.Target.File)
	if !ok && a.Target.Start == a.Target.End {
		return nil
	}
	refuse := func(detail, next string) error {
		return &fault.Fault{Class: fault.AnchorMismatch, Op: "changeset.check", Subject: fault.Subject{File: a.Target.File, Line: a.Target.Line, Symbol: a.Symbol},
			Detail: detail, State: "nothing was changed", Next: next}
	}
	if !ok || a.Target.Hash != "" && a.Target.Hash != f.Hash {
		return refuse(fmt.Sprintf("%s is not what it was when action %s was planned", a.Target.File, a.ID), "plan again on the present state")
	}
	stale := false
	for _, s := range r {
		if s.File != a.Target.File || s.Start > a.Target.Start || s.End < a.Target.End {
			continue
		}
		if s.Hash == f.Hash {
			return nil
		}
		stale = true
	}
	if stale {
		return refuse(fmt.Sprintf("the target lines of action %s were read when %s had other content", a.ID, a.Target.File), "read the lines again and resend the edit")
	}
	return refuse(fmt.Sprintf("nobody has read the target lines of action %s", a.ID), fmt.Sprintf("read %s from line %d first", a.Target.File, a.Target.Line))
}

// Fresh returns those receipts whose files have the same content in the Snapshot.
func (r Receipts) Fresh(snap *index.Snapshot) Receipts {
	return slices.DeleteFunc(slices.Clone(r), func(s index.Span) bool {
		f, ok := snap.File(s.File)
		return !ok || f.Hash != s.Hash
	})
}
