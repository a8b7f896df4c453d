package selfcheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// handoffSchema is the version of a Handoff's form.
const handoffSchema = 1

// assemble gathers the hand-off from the evidence; nothing in it is worded by a
// model.
func assemble(ev *Evidence) *Handoff {
	h := &Handoff{Schema: handoffSchema, Task: ev.Task.ID, Requirement: ev.Task.Requirement, Budgets: ev.Spent,
		Checks: []Check{}, Changed: []Changed{}, Choices: []Choice{}, NotChanged: []NotChanged{}, NotVerified: []verify.Unverified{},
		Risks: []Risk{}, Loosened: []Loosened{}, Reproduce: []string{}, RollBack: []string{}, Warnings: []string{}, Graph: []Edge{}, Hunks: []patch.Hunk{}}
	if ev.Set != nil {
		h.Set, h.Hunks = ev.Set.Digest(), ev.Set.Hunks
		h.Changed = changed(ev)
	}
	if ev.Context != nil {
		h.Layers = ev.Context.Layers
	}
	h.choices(ev)
	h.verified(ev)
	h.risks(ev)
	h.graph(ev)
	h.rollBack(ev)
	return h
}

// changed groups the set by capability point; what belongs to none comes last.
func changed(ev *Evidence) []Changed {
	entry := last(ev, ledger.KindHunks)
	groups := map[string]*Changed{}
	var order []string
	group := func(id string) *Changed {
		if groups[id] == nil {
			groups[id] = &Changed{Capability: id, Symbols: []string{}, Files: []string{}, Tests: []string{}, Entry: entry}
			order = append(order, id)
		}
		return groups[id]
	}
	if ev.Plan != nil {
		for _, c := range ev.Plan.Capabilities {
			g := group(c.ID)
			g.Sentence, g.Requirement = c.Sentence, c.Requirement
		}
	}
	for _, hunk := range ev.Set.Hunks {
		g := group(hunk.Capability)
		g.Lines += max(hunk.OldCount, hunk.NewCount)
		g.Files = append(g.Files, hunk.File)
		if hunk.Symbol != "" {
			g.Symbols = append(g.Symbols, hunk.Symbol)
		}
	}
	if ev.Report != nil {
		for _, c := range ev.Report.Capabilities {
			for _, a := range c.Assertions {
				group(c.Capability).Tests = append(group(c.Capability).Tests, a.Test.Dir+" "+a.Test.Name)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(boolInt(a == ""), boolInt(b == "")) })
	out := make([]Changed, len(order))
	for i, id := range order {
		g := groups[id]
		for _, list := range []*[]string{&g.Symbols, &g.Files, &g.Tests} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		out[i] = *g
	}
	return out
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// choices are the answers given, and what the plan left alone.
func (h *Handoff) choices(ev *Evidence) {
	if ev.Plan == nil {
		return
	}
	entry := last(ev, ledger.KindPlan)
	for _, q := range ev.Plan.Questions {
		if a := q.Answer; a != nil && a.Option >= 1 && a.Option <= len(q.Options) {
			h.Choices = append(h.Choices, Choice{What: q.Text + " — " + q.Options[a.Option-1].Text, Why: strings.Join(q.Evidence, "; "), Entry: entry})
		}
	}
	for _, n := range ev.Plan.NotDone {
		what := n.Symbol
		if n.Place.File != "" {
			what = strings.TrimSpace(fmt.Sprintf("%s:%d %s", n.Place.File, n.Place.Line, n.Symbol))
		}
		h.NotChanged = append(h.NotChanged, NotChanged{What: what, Why: n.Why})
	}
	for _, j := range ev.Plan.Justifications {
		h.Loosened = append(h.Loosened, Loosened{Rule: j.Rule, Place: index.Span{File: j.File}, Reason: j.Reason})
	}
}

// verified says what ran, on what, and how it went.
func (h *Handoff) verified(ev *Evidence) {
	v := &h.Verified
	v.Commands, v.Layers, v.Skipped, v.Counts = []string{}, []string{}, []string{}, map[string]int{}
	r := ev.Report
	if r == nil {
		h.NotVerified = append(h.NotVerified, verify.Unverified{What: "everything", Why: "nothing was verified"})
		return
	}
	v.Entry, v.Sandboxed = last(ev, ledger.KindRun), r.Environment.Sandboxed
	for _, c := range r.Commands {
		line := fmt.Sprintf("(cd %s && %s)  # tree %s, exit %d", orDot(c.Dir), strings.Join(c.Args, " "), c.Tree, c.ExitCode)
		v.Commands = append(v.Commands, line)
		if c.Tree == "after" {
			h.Reproduce = append(h.Reproduce, fmt.Sprintf("(cd %s && %s)", orDot(c.Dir), strings.Join(c.Args, " ")))
		}
	}
	for _, l := range r.Layers {
		v.Layers = append(v.Layers, fmt.Sprintf("%s %s in %d ms", l.Name, l.Status, l.Elapsed.Milliseconds()))
	}
	v.Range = fmt.Sprintf("%d tests selected, %d left out", len(r.Selection.Selected), len(r.Selection.Skipped))
	if r.Selection.Widened != "" {
		v.Range += "; widened: " + r.Selection.Widened
	}
	for _, t := range r.Tests {
		v.Counts[string(t.Attribution)]++
		if t.After == verify.Skipped || t.After == verify.NotRun {
			v.Skipped = append(v.Skipped, fmt.Sprintf("%s %s: %s", t.Test.Dir, t.Test.Name, t.Reason))
		}
	}
	v.Mutants = mutants(r.Mutants)
	h.NotVerified = append(h.NotVerified, r.Unverified...)
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func mutants(ms []verify.Mutant) string {
	if len(ms) == 0 {
		return "none tried"
	}
	counts := map[string]int{}
	for _, m := range ms {
		counts[m.Result]++
	}
	var parts []string
	for _, k := range []string{"killed", "survived", "timed_out", "build_failed"} {
		if counts[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

// risks are the edges that nobody can be certain of, and what the gate noted.
func (h *Handoff) risks(ev *Evidence) {
	if ev.Report != nil {
		for _, ref := range ev.Report.Confirm {
			h.Risks = append(h.Risks, Risk{What: fmt.Sprintf("%s reference to %s", ref.Status, ref.Name), Place: ref.Span, Why: ref.Reason})
		}
	}
	if ev.Decision == nil {
		return
	}
	for _, f := range ev.Decision.Findings {
		at := f.After
		if at.File == "" {
			at = f.Before
		}
		switch {
		case f.Justified != "":
			h.Loosened = append(h.Loosened, Loosened{Rule: f.Rule, Place: at, Reason: f.Justified})
		case len(f.Missing) > 0 || f.Blocks:
			h.Risks = append(h.Risks, Risk{What: f.Rule, Place: at, Why: f.Reason})
		}
	}
	h.Warnings = append(h.Warnings, ev.Decision.Notes...)
}

// graph is the affected part of the call graph: who calls what changed.
func (h *Handoff) graph(ev *Evidence) {
	if ev.After == nil || ev.Set == nil {
		return
	}
	seen := map[string]bool{}
	for _, hunk := range ev.Set.Hunks {
		if hunk.Symbol == "" || seen[hunk.Symbol] {
			continue
		}
		seen[hunk.Symbol] = true
		for _, d := range ev.After.Definitions(hunk.Symbol).Sure {
			callers := ev.After.Callers(d.ID, graphCallers)
			for _, c := range callers.Sure {
				h.Graph = append(h.Graph, edge(ev.After, c, "static"))
			}
			for _, c := range callers.Confirm {
				h.Graph = append(h.Graph, edge(ev.After, c, c.Ref.Status.String()))
			}
			if callers.Cut() {
				h.Warnings = append(h.Warnings, fmt.Sprintf("the graph shows %d of the %d callers of %s", graphCallers, callers.Total, hunk.Symbol))
			}
		}
	}
}

// graphCallers is how many callers of one symbol the hand-off's graph shows.
const graphCallers = 50

func edge(s *index.Snapshot, c index.Call, status string) Edge {
	return Edge{From: canonical(s, c.From), To: canonical(s, c.To), Status: status}
}

func canonical(s *index.Snapshot, id string) string {
	if x, ok := s.Symbol(id); ok {
		return x.Canonical
	}
	return id
}

func (h *Handoff) rollBack(ev *Evidence) {
	switch {
	case ev.Receipt != nil:
		h.RollBack = append(h.RollBack, "plumb undo "+ev.Receipt.ID)
	case ev.Set != nil:
		h.RollBack = append(h.RollBack, "nothing to do: the change has not been written")
	}
}

// last returns the ID of the task's latest ledger entry of a kind, "" if there is none.
func last(ev *Evidence, kind ledger.Kind) string {
	list := ledger.OfKind(ev.Entries, kind)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].ID
}
