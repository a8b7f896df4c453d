package selfcheck

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// Ten is the default Checker: the ten checks of SLF-1, cheapest first, and the
// hand-off. The zero value is useful. A Ten is safe for concurrent use as long
// as nobody changes its fields.
type Ten struct {
	// Noise is the largest share of changed lines that may be noise; 0 means
	// 0.1, negative that any may.
	Noise float64
	// Edges is the largest number of edges of the affected graph in the
	// hand-off; 0 means 60, negative none.
	Edges int
	// Redact takes credentials out of a text of the hand-off; nil is
	// ledger.MaskSecrets. The chain of package plumb has one that knows more.
	Redact func(string) string
}

// handoffSchema is the version of a Handoff's form.
const handoffSchema = 1

// A review is the evidence of one Check with what the checks have in common.
type review struct {
	Evidence
	ten    *Ten
	digest string                  // of the Set, "" without one
	added  map[string]map[int]bool // added lines by file, 1-based
	cut    []string                // what a limit left out of the hand-off
}

// An outcome is what one check found.
type outcome struct {
	// missing is the evidence that was lacking, "" when the check was judged.
	missing string
	failed  bool
	signal  string
	places  []index.Span
}

// A checkup is one of the ten: a signal that a machine computes and the action
// that follows when it is bad.
type checkup struct {
	name   string
	action Action
	signal func(*review) (outcome, error)
}

// checkups are the ten, in the order of SLF-1.
func checkups() []checkup {
	return []checkup{
		{"diff_size", Shrink, size},
		{"format_noise", Restore, noise},
		{"changed_files", RollBackFile, whitelist},
		{"contracts", AddCallSites, contracts},
		{"test_mapping", AddTest, coverage},
		{"dangerous_operations", Stop, dangers},
		{"residue", CleanAndRerun, residue},
		{"derived_files", Regenerate, derived},
		{"baseline", BackToPatch, baseline},
		{"capabilities", BackToPlan, capabilities},
	}
}

// Check implements Checker. It stops at the first check that fails (SLF-2); a
// check whose evidence is missing neither passes nor fails, and the Handoff
// says so. Faults: canceled, and index_unavailable when a changed file can no
// longer be read.
func (t *Ten) Check(ctx context.Context, ev Evidence) (*Handoff, error) {
	r := newReview(t, ev)
	h := &Handoff{Schema: handoffSchema, Checks: []Check{}}
	for _, c := range checkups() {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "selfcheck.check", "check again; nothing was changed")
		}
		o, err := c.signal(r)
		if err != nil {
			return nil, fault.From(err, "selfcheck.check", "index the workspace again and check again")
		}
		h.Checks = append(h.Checks, judged(c, o))
		if o.failed && o.missing == "" {
			h.Failed = c.name
			break
		}
	}
	r.fill(h)
	return t.masked(h)
}

func judged(c checkup, o outcome) Check {
	out := Check{Name: c.name, Signal: o.signal, Places: o.places}
	if o.missing != "" {
		out.Signal = "not judged: " + o.missing
		return out
	}
	out.Judged = true
	if out.Passed = !o.failed; o.failed {
		out.Action = c.action
	}
	return out
}

func lacking(format string, args ...any) (outcome, error) {
	return outcome{missing: fmt.Sprintf(format, args...)}, nil
}

func newReview(t *Ten, ev Evidence) *review {
	r := &review{Evidence: ev, ten: t, added: map[string]map[int]bool{}}
	if ev.Set == nil {
		return r
	}
	r.digest = ev.Set.Digest()
	for _, h := range ev.Set.Hunks {
		if r.added[h.File] == nil {
			r.added[h.File] = map[int]bool{}
		}
		for i, line := range h.New {
			if !slices.Contains(h.Old, line) { // else it only moved
				r.added[h.File][h.NewLine+i] = true
			}
		}
	}
	return r
}

// isAdded reports whether a line, 1-based, of the state after was added.
func (r *review) isAdded(file string, line int) bool { return r.added[file][line] }
