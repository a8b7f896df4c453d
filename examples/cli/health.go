package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// healthRows is how many rows of the table people see without -all.
const healthRows = 30

// riskyShown is how many of the symbols on which most depends people see.
const riskyShown = 10

func healthCommand(fs *flag.FlagSet) action {
	by := fs.String("by", string(index.ByDir), "count by dir, file or symbol")
	every := fs.Bool("all", false, "show every row, and not only the worst")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		if !slices.Contains([]index.Grouping{index.ByDir, index.ByFile, index.BySymbol}, index.Grouping(*by)) {
			f := wrong("there is no such grouping", "use dir, file or symbol")
			f.Subject.Text = *by
			return f
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		stale, err := s.Drift(ctx)
		if err != nil {
			return err
		}
		h := s.WithStale(stale).Health(index.Grouping(*by))
		if e.structured() {
			err = e.emit(struct {
				Schema int `json:"schema"`
				index.Health
			}{1, h})
		} else {
			showHealth(e, s, h, *every)
		}
		if err == nil && len(h.Findings) > 0 {
			err = errFindings
		}
		return err
	}
}

// showHealth prints what is out of its range first, and the worst groups.
func showHealth(e *env, s *index.Snapshot, h index.Health, every bool) {
	w := h.Whole
	e.printf("definitions: %d of %d binding points are known (%s)\n", w.Bound-w.Missed, w.Bound, share(w.Coverage))
	e.printf("references: %d of %d resolve (%s), %d lead out; of the rest %s resolve, %d ambiguous, %d dynamic, %d unresolved\n",
		w.Static, w.References, share(w.Resolution), w.External, share(w.Inside), w.Ambiguous, w.Dynamic, w.Unresolved)
	e.printf("files: %d, %d skipped, %d stale, %d generated (%s of the lines)\n", w.Files, w.Skipped, w.Stale, w.Generated, share(w.GeneratedShare))
	e.printf("last update: %d files read, %d linked, %d ms\n", h.Update.Changed, h.Update.Linked, h.Update.Elapsed.Milliseconds())
	for _, f := range h.Findings {
		where := f.Where
		if where == "" {
			where = "the whole"
		}
		e.printf("out of range: %s of %s is %s, healthy is %s; %s\n", f.Metric, where, f.Value, f.Healthy, f.Action)
	}
	for _, g := range h.Unresolved.Concentrated {
		e.printf("unresolved gather in %s: %d (%s of its references), most because %s\n", g.Dir, g.Unresolved, share(g.Share), g.Reason)
	}
	for _, x := range h.HighRisk[:min(riskyShown, len(h.HighRisk))] {
		e.printf("high risk: %s, %s: %d certain references, %d to confirm, from %s\n", canonical(s, x.ID), strings.Join(x.Why, " and "), x.Sure, x.Confirm, plural(x.Packages, "package", "packages"))
	}
	if n := len(h.HighRisk); n > riskyShown {
		e.printf("high risk: and %d more; -json has all\n", n-riskyShown)
	}
	for _, f := range head(e, "skipped", h.Skipped) {
		e.printf("skipped %s: %s\n", f.File, f.Reason)
	}
	showRows(e, s, h, every)
}

// showRows prints the table, the worst groups first; those that hold nothing to
// count are left out.
func showRows(e *env, s *index.Snapshot, h index.Health, every bool) {
	rows := slices.DeleteFunc(slices.Clone(h.Rows), func(r index.HealthRow) bool { return r.Bound+r.References+r.Skipped+r.Stale == 0 })
	slices.SortStableFunc(rows, func(a, b index.HealthRow) int {
		return cmp.Or(cmp.Compare(b.Unresolved+b.Missed+b.Skipped+b.Stale, a.Unresolved+a.Missed+a.Skipped+a.Stale), cmp.Compare(b.Ambiguous+b.Dynamic, a.Ambiguous+a.Dynamic))
	})
	if shown := min(healthRows, len(rows)); !every && shown < len(rows) {
		e.printf("by %s, the worst %d of %d; -all shows all\n", string(h.By), shown, len(rows))
		rows = rows[:shown]
	} else {
		e.printf("by %s:\n", string(h.By))
	}
	e.printf("%9s %9s %9s %7s %7s %7s %7s\n", "coverage", "resolved", "of inside", "unres.", "ambig.", "dynamic", "missed")
	for _, r := range rows {
		e.printf("%9s %9s %9s %7d %7d %7d %7d  %s\n", share(r.Coverage), share(r.Resolution), share(r.Inside), r.Unresolved, r.Ambiguous, r.Dynamic, r.Missed, canonical(s, r.Name))
	}
}

// share is a ratio for people; "-" where there is nothing to divide.
func share(r float64) string {
	if r < 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*r)
}
