package selfcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// fill writes the hand-off from the evidence.
func (r *review) fill(h *Handoff) {
	h.Task, h.Requirement, h.Set = r.Task.ID, r.Task.Requirement, r.digest
	if h.Requirement == "" && r.Plan != nil {
		h.Requirement = r.Plan.Requirement
	}
	h.Changed, h.Choices, h.NotChanged = r.changed(), r.choices(), r.notChanged()
	h.Verified, h.NotVerified = r.verified(), r.notVerified(h.Checks)
	h.Risks, h.Loosened = r.risks(), r.loosened()
	h.Reproduce, h.RollBack = r.reproduce(), r.rollBack()
	h.Budgets = r.budgets()
	h.Graph, h.Hunks, h.Layers = r.graph(), nonNil(r.hunks()), nonNil(r.layers())
	h.Ledger = r.links()
	h.Warnings = append(r.warnings(h), r.cut...)
	if r.Receipt != nil {
		h.Written = r.Receipt.ID
	}
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (r *review) hunks() []patch.Hunk {
	if r.Set == nil {
		return nil
	}
	return r.Set.Hunks
}

// entry returns the ID of the latest entry of a kind that names the Set, or of
// the latest of that kind where none does; "" without one.
func (r *review) entry(kind ledger.Kind) string {
	all := ledger.OfKind(r.Entries, kind)
	for i := len(all) - 1; i >= 0; i-- {
		var named struct {
			Set string `json:"set"`
		}
		if json.Unmarshal(all[i].Data, &named) == nil && named.Set == r.digest && r.digest != "" {
			return all[i].ID
		}
	}
	if kind == ledger.KindHunks || kind == ledger.KindRun || len(all) == 0 {
		return "" // an entry for another set is none for this one
	}
	return all[len(all)-1].ID
}

// byModel reports whether a text stands in an entry that a model wrote (SLF-5).
func (r *review) byModel(text string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.Entries, func(e ledger.Entry) bool {
		return strings.HasPrefix(e.By, "model") && bytes.Contains(e.Data, bytes.Trim(quoted, `"`))
	})
}

func (r *review) links() []Link {
	out := []Link{}
	for _, e := range r.Entries {
		out = append(out, Link{ID: e.ID, Kind: string(e.Kind), Stage: e.Stage, By: e.By, Time: e.Time})
	}
	return out
}

// changed groups the changed lines by capability point; lines of none come last.
func (r *review) changed() []Changed {
	out := []Changed{}
	if r.Plan != nil {
		for _, c := range r.Plan.Capabilities {
			g := Changed{Capability: c.ID, Requirement: c.Requirement, Sentence: c.Sentence, Model: r.byModel(c.Sentence)}
			out = append(out, r.gather(g))
		}
	}
	if rest := r.gather(Changed{Sentence: "changed lines that belong to no capability point"}); len(rest.Files) > 0 {
		out = append(out, rest)
	}
	return out
}

func (r *review) gather(g Changed) Changed {
	g.Symbols, g.Files, g.Tests, g.Entry = []string{}, []string{}, []string{}, r.entry(ledger.KindHunks)
	if r.Set == nil {
		return g
	}
	for _, h := range r.Set.Hunks {
		if h.Capability != g.Capability {
			continue
		}
		g.Lines += max(h.OldCount, h.NewCount)
		g.Files = addOnce(g.Files, h.File)
		g.Symbols = addOnce(g.Symbols, h.Symbol)
	}
	if g.Capability == "" {
		for _, f := range r.Set.Files {
			if len(hunksIn(r.Set, f.Path)) == 0 {
				g.Files = addOnce(g.Files, f.Path) // moved, binary or with another mode only
			}
		}
	}
	if r.reportMissing() == "" {
		for _, c := range r.Report.Capabilities {
			if c.Capability == g.Capability && g.Capability != "" {
				for _, a := range c.Assertions {
					g.Tests = addOnce(g.Tests, testName(a.Test))
				}
			}
		}
	}
	return g
}

func addOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func testName(t verify.TestID) string {
	return t.String()
}

// carriedOut reports whether a changed line belongs to the action; what the plan
// allowed and nobody needed is no choice.
func (r *review) carriedOut(action string) bool {
	return r.Set == nil || slices.ContainsFunc(r.Set.Hunks, func(h patch.Hunk) bool { return h.Action == action })
}

// choices are the decisions that are not obvious: questions that were answered,
// places taken by a pattern or by meaning, ways that were rejected, approvals.
func (r *review) choices() []Choice {
	out := []Choice{}
	add := func(what, why, entry string) {
		out = append(out, Choice{What: what, Why: why, Entry: entry, Model: r.byModel(what) || r.byModel(why)})
	}
	if r.Plan != nil {
		for _, q := range r.Plan.Questions {
			if q.Answer != nil && q.Answer.Option >= 1 && q.Answer.Option <= len(q.Options) {
				add(q.Text, fmt.Sprintf("answered with option %d: %s", q.Answer.Option, q.Options[q.Answer.Option-1].Text), r.entry(ledger.KindAnswer))
			}
		}
		for _, a := range r.Plan.Actions {
			if a.Grade != changeset.High && a.Grade != "" && r.carriedOut(a.ID) {
				add(fmt.Sprintf("%s of %s in %s", a.Kind, orFile(a.Symbol, a.Target.File), a.Target.File), fmt.Sprintf("%s (grade %s, by %s)", a.Why, a.Grade, a.Source), r.entry(ledger.KindPlan))
			}
		}
	}
	for _, e := range ledger.OfKind(r.Entries, ledger.KindRejected) {
		var f ledger.Failure
		if json.Unmarshal(e.Data, &f) == nil {
			add("not done as: "+f.Tried, f.Why, e.ID)
			out[len(out)-1].Model = r.byModel(f.Tried) || r.byModel(f.Why)
		}
	}
	if r.Decision != nil {
		for _, f := range r.Decision.Findings {
			if f.Approved != "" {
				add(f.Approve, "approved by "+f.Approved, r.entry(ledger.KindAuthorization))
			}
		}
	}
	return out
}

func orFile(symbol, file string) string {
	if symbol == "" {
		return file
	}
	return index.CanonicalOf(symbol)
}

func (r *review) notChanged() []NotChanged {
	out := []NotChanged{}
	if r.Plan != nil {
		for _, n := range r.Plan.NotDone {
			what := orFile(n.Symbol, "")
			if n.Place.File != "" {
				what = strings.TrimSpace(what + " " + fmt.Sprintf("%s:%d", n.Place.File, n.Place.Line))
			}
			out = append(out, NotChanged{What: what, Why: n.Why})
		}
	}
	if r.Set != nil {
		for _, b := range r.Set.Refused {
			out = append(out, NotChanged{What: "block " + b.Block, Why: b.Fault.Detail})
		}
	}
	return out
}

func (r *review) loosened() []Loosened {
	out := []Loosened{}
	if r.Decision != nil {
		for _, f := range r.Decision.Findings {
			if f.Justified != "" {
				out = append(out, Loosened{Rule: f.Rule, Place: findingPlace(f), Reason: f.Justified})
			}
		}
	}
	return out
}

// graph is the part of the call graph around the changed symbols.
func (r *review) graph() []Edge {
	out := []Edge{}
	limit := r.ten.Edges
	if limit == 0 {
		limit = 60
	}
	if r.After == nil || r.Set == nil {
		return out
	}
	seen := map[Edge]bool{}
	left := 0
	add := func(from, to string, status index.Status) {
		e := Edge{From: orFile(from, "(file)"), To: orFile(to, "(outside)"), Status: status.String()}
		switch {
		case to == "" || seen[e]:
		case len(out) < limit:
			out = append(out, e)
		default:
			left++
		}
		seen[e] = true
	}
	var symbols []string
	for _, h := range r.Set.Hunks {
		symbols = addOnce(symbols, h.Symbol)
	}
	for _, s := range symbols {
		callers, callees := r.After.Callers(s, max(limit, 1)), r.After.Callees(s, max(limit, 1))
		for _, a := range []index.Answer[index.Call]{callers, callees} {
			left += a.Total - len(a.Sure) - len(a.Confirm)
		}
		for _, c := range slices.Concat(callers.Sure, callers.Confirm, callees.Sure, callees.Confirm) {
			add(c.From, c.To, c.Ref.Status)
		}
	}
	if left > 0 {
		r.cut = append(r.cut, fmt.Sprintf("the graph shows %d edges and leaves %d out", len(out), left))
	}
	return out
}
