package main

import (
	"fmt"
	"io"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// show prints a stage as it ends.
func show(w io.Writer, e plumb.Event) {
	if e.State == "started" {
		return
	}
	fmt.Fprintf(w, "%-9s %-8s %6d ms", e.Stage, e.State, e.Elapsed.Milliseconds())
	if e.Err != nil {
		f := fault.From(e.Err, "refund", "")
		fmt.Fprintf(w, "  %s: %s\n", f.Class, f.Detail)
		return
	}
	switch d := e.Data.(type) {
	case *index.Snapshot:
		s := d.Stats()
		fmt.Fprintf(w, "  %d files, %d symbols, %d references (%d static)", s.Files, s.Symbols, s.References, s.Static)
	case *plumb.Baseline:
		fmt.Fprintf(w, "  rollback: %s, because %s", d.Rollback, d.Why)
	case *budget.Context:
		fmt.Fprintf(w, "  %d candidates, %d items in %d of %d tokens", d.Candidates, len(d.Items), d.Used, d.Total)
	case *changeset.Plan:
		fmt.Fprintf(w, "  %d capability points, %d actions, %d questions", len(d.Capabilities), len(d.Actions), len(d.Questions))
	case []patch.Edit:
		fmt.Fprintf(w, "  %d edits", len(d))
	case *patch.Set:
		fmt.Fprintf(w, "  %d files, %d hunks, %d noise lines restored", len(d.Files), len(d.Hunks), d.Noise.Restored)
	case *verify.Report:
		report(w, d)
	case *gate.Decision:
		fmt.Fprintf(w, "  %s: %s", d.Verdict, d.Why)
	case *selfcheck.Handoff:
		fmt.Fprintf(w, "  %d checks", len(d.Checks))
		if d.Failed != "" {
			fmt.Fprintf(w, ", %s failed", d.Failed)
		}
	case patch.Receipt:
		fmt.Fprintf(w, "  %s %s, %d files", d.ID, d.Status, len(d.Files))
	}
	fmt.Fprintln(w)
}

func report(w io.Writer, r *verify.Report) {
	counts := map[verify.Attribution]int{}
	for _, t := range r.Tests {
		counts[t.Attribution]++
	}
	killed := 0
	for _, m := range r.Mutants {
		if m.Result == "killed" {
			killed++
		}
	}
	for _, l := range r.Layers {
		fmt.Fprintf(w, "  %s %s", l.Name, l.Status)
	}
	fmt.Fprintf(w, "; %d missing, %d to confirm", len(r.Missing), len(r.Confirm))
	if len(r.Tests) > 0 {
		fmt.Fprintf(w, "; %d tests selected, %d skipped", len(r.Selection.Selected), len(r.Selection.Skipped))
		for _, a := range []verify.Attribution{verify.PreExisting, verify.Regression, verify.NewFailing, verify.NewPassing, verify.Unchanged} {
			fmt.Fprintf(w, ", %d %s", counts[a], a)
		}
		fmt.Fprintf(w, "; %d of %d mutants killed", killed, len(r.Mutants))
	}
	if !r.Environment.Sandboxed {
		fmt.Fprint(w, "; not sandboxed")
	}
}
