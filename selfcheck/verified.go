package selfcheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/verify"
)

func (r *review) verified() Verified {
	v := Verified{Commands: []string{}, Counts: map[string]int{}, Layers: []string{}, Skipped: []string{}, Range: "nothing was run", Mutants: "no mutant was tried"}
	if r.reportMissing() != "" {
		return v
	}
	p := r.Report
	v.Sandboxed, v.Entry, v.Counts = p.Environment.Sandboxed, r.entry(ledger.KindRun), counts(p)
	for _, c := range p.Commands {
		v.Sandboxed = v.Sandboxed && !c.Unsandboxed
		v.Commands = append(v.Commands, fmt.Sprintf("%s (in %s, tree %s, exit code %d, %s)", strings.Join(c.Args, " "), orDot(c.Dir), c.Tree, c.ExitCode, brief(c.Elapsed)))
	}
	v.Range = fmt.Sprintf("%d tests selected, %d left out", len(p.Selection.Selected), len(p.Selection.Skipped))
	if p.Selection.Widened != "" {
		v.Range += "; widened: " + p.Selection.Widened
	}
	for _, l := range p.Layers {
		v.Layers = append(v.Layers, fmt.Sprintf("%s %s in %s", l.Name, l.Status, brief(l.Elapsed)))
		if l.Left != "" {
			v.Skipped = append(v.Skipped, fmt.Sprintf("%s: %s", l.Name, l.Left))
		}
	}
	v.Skipped = append(v.Skipped, skipped(p)...)
	for _, s := range p.Selection.Skipped {
		v.Skipped = append(v.Skipped, fmt.Sprintf("%s: %s", testName(s.Test), s.Why))
	}
	if len(p.Mutants) > 0 {
		v.Mutants = mutants(p.Mutants)
	}
	return v
}

// skipped lists the tests without a result, each with its reason. Subtests of
// one test are one line, however many rows its table has.
func skipped(p *verify.Report) []string {
	type rows struct{ at, more int }
	var out []string
	tables := map[verify.TestID]*rows{}
	for _, t := range p.Tests {
		if t.Attribution != verify.NotExecuted {
			continue
		}
		id, isSub := t.Of, t.Of != verify.TestID{}
		if r := tables[id]; isSub && r != nil {
			r.more++
			continue
		}
		if isSub {
			tables[id] = &rows{at: len(out)}
		}
		out = append(out, fmt.Sprintf("%s: %s", testName(t.Test), orText(t.Reason, string(t.After))))
	}
	for id, r := range tables {
		if r.more > 0 {
			out[r.at] += fmt.Sprintf("; and %d more subtests of %s", r.more, orText(id.Name, id.File))
		}
	}
	return out
}

func orDot(s string) string { return orText(s, ".") }

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func brief(d time.Duration) string {
	if d >= 10*time.Second {
		return d.Round(time.Second).String()
	}
	return d.Round(time.Millisecond).String()
}

func counts(p *verify.Report) map[string]int {
	out := map[string]int{}
	for _, t := range p.Tests {
		out[string(t.Attribution)]++
	}
	return out
}

// countsText renders counts in the order of the attributions.
func countsText(counts map[string]int) string {
	var parts []string
	for _, a := range []verify.Attribution{verify.Regression, verify.NewFailing, verify.PreExisting, verify.Flaky, verify.Infra, verify.NotExecuted,
		verify.Removed, verify.Insufficient, verify.Fixed, verify.NewPassing, verify.Unchanged} {
		if n := counts[string(a)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, a))
		}
	}
	if len(parts) == 0 {
		return "no test has a result"
	}
	return strings.Join(parts, ", ")
}

func mutants(all []verify.Mutant) string {
	by := map[string]int{}
	for _, m := range all {
		by[m.Result]++
	}
	s := fmt.Sprintf("%d of %d mutants killed", by["killed"], len(all))
	for _, k := range []string{"survived", "timed_out", "build_failed"} {
		if by[k] > 0 {
			s += fmt.Sprintf(", %d %s", by[k], k)
		}
	}
	return s
}

// notVerified is what the report lists, and every check that was not judged.
func (r *review) notVerified(checks []Check) []verify.Unverified {
	out := []verify.Unverified{}
	if r.reportMissing() == "" {
		out = append(out, r.Report.Unverified...)
	} else {
		out = append(out, verify.Unverified{What: "whether anything still works", Why: r.reportMissing()})
	}
	for _, c := range checks {
		if !c.Judged {
			out = append(out, verify.Unverified{What: "the check of " + c.Name, Why: strings.TrimPrefix(c.Signal, "not judged: ")})
		}
	}
	if n := len(checkups()) - len(checks); n > 0 {
		var names []string
		for _, c := range checkups()[len(checks):] {
			names = append(names, c.name)
		}
		out = append(out, verify.Unverified{What: fmt.Sprintf("%d further checks: %s", n, strings.Join(names, ", ")), Why: "the check before them failed"})
	}
	return out
}

// risks are what remains: dynamic and ambiguous edges, platforms, loose ends of
// the plan and the tests.
func (r *review) risks() []Risk {
	out := []Risk{}
	if r.reportMissing() == "" {
		for _, ref := range r.Report.Confirm {
			if !r.isAdded(ref.Span.File, ref.Span.Line) {
				out = append(out, Risk{What: fmt.Sprintf("the %s reference %s", ref.Status, ref.Name), Place: ref.Span, Why: orText(ref.Reason, "its target is decided at run time")})
			}
		}
		e := r.Report.Environment
		out = append(out, Risk{What: "platforms other than " + orText(e.OS, "an unknown one") + "/" + orText(e.Arch, "unknown"), Why: "the tests ran on this one only"})
		for _, t := range r.Report.Tests {
			if t.Attribution == verify.Flaky || t.Attribution == verify.PreExisting || t.Attribution == verify.Infra {
				out = append(out, Risk{What: fmt.Sprintf("the test %s is %s", testName(t.Test), t.Attribution), Why: orText(t.Reason, "its result says nothing about the change")})
			}
		}
		for _, m := range r.Report.Mutants {
			if m.Result == "survived" {
				out = append(out, Risk{What: "a mutant of kind " + m.Kind + " survived", Place: m.Place, Why: "no test notices this break of " + m.Capability})
			}
		}
	}
	return append(out, r.planRisks()...)
}

func (r *review) planRisks() []Risk {
	var out []Risk
	if r.Plan != nil {
		for _, a := range r.Plan.Actions {
			if a.Grade == changeset.Low {
				out = append(out, Risk{What: orFile(a.Symbol, a.Target.File) + " was chosen by its meaning alone", Place: a.Target, Why: a.Why})
			}
		}
	}
	if r.Context != nil {
		for _, a := range r.Context.Ambiguities {
			if !r.means(a.Anchor) {
				continue
			}
			out = append(out, Risk{What: fmt.Sprintf("%q has %d definitions", a.Anchor, len(a.Candidates)), Why: a.Reason})
		}
	}
	if r.Set != nil {
		for _, l := range r.Set.Loosened {
			out = append(out, Risk{What: "an edit was placed by a loosened comparison", Why: l})
		}
	}
	return out
}

// means reports whether an anchor with several definitions is a name that the
// task means, and no plain word of a sentence that happens to be defined
// somewhere: it is written like a name, or the task marks or lists it as one.
func (r *review) means(anchor string) bool {
	word := strings.TrimLeft(anchor[min(1, len(anchor)):], "abcdefghijklmnopqrstuvwxyz") == ""
	if !word {
		return true
	}
	texts := []string{r.Task.Requirement}
	for _, c := range r.Task.Capabilities {
		texts = append(texts, c.Sentence)
		for _, s := range append(slices.Clone(c.Symbols), c.Creates...) {
			if s == anchor || strings.HasSuffix(s, "."+anchor) {
				return true
			}
		}
	}
	for _, c := range r.Task.Changes {
		if c.Symbol == anchor || strings.HasSuffix(c.Symbol, "."+anchor) {
			return true
		}
	}
	return slices.ContainsFunc(texts, func(t string) bool {
		return strings.Contains(t, "`"+anchor+"`") || strings.Contains(t, anchor+"(") || strings.Contains(t, "."+anchor)
	})
}

// withoutTimeout are a command's arguments without the time that happened to be
// left for it.
func withoutTimeout(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if (name == "timeout" || name == "test.timeout") && args[i] != name {
			if !joined {
				i++
			}
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// reproduce are the steps that run the verification again.
func (r *review) reproduce() []string {
	out := []string{}
	if r.Set != nil {
		out = append(out, "start from the state with the digest "+r.Set.Base, "apply the set with the digest "+r.digest)
	}
	if r.reportMissing() != "" {
		return out
	}
	for _, c := range r.Report.Commands {
		if c.Tree != "after" { // a mutant, a planted failure, the state before
			continue
		}
		line := strings.Join(withoutTimeout(c.Args), " ")
		if c.Dir != "" && c.Dir != "." {
			line = "cd " + c.Dir + " && " + line
		}
		out = addOnce(out, line)
	}
	for _, tool := range slices.Sorted(maps.Keys(r.Report.Environment.Tools)) {
		out = append(out, "with "+tool+" "+r.Report.Environment.Tools[tool])
	}
	return out
}

func (r *review) rollBack() []string {
	if r.Receipt == nil {
		return []string{"nothing was written: there is nothing to roll back"}
	}
	return []string{"plumb undo " + r.Receipt.ID, "kind of rollback: " + orText(r.Receipt.Rollback, "not stated")}
}

func (r *review) budgets() []Spent {
	out := []Spent{}
	entry := r.entry(ledger.KindBudget)
	for _, s := range r.Spent {
		if s.Entry == "" {
			s.Entry = entry
		}
		out = append(out, s)
	}
	return out
}

func (r *review) layers() []budget.Use {
	if r.Context == nil {
		return nil
	}
	return r.Context.Layers
}

// warnings are what a reader has to know first.
func (r *review) warnings(h *Handoff) []string {
	out := []string{}
	if r.reportMissing() == "" && !h.Verified.Sandboxed {
		out = append(out, "UNSANDBOXED: the tests ran without isolation")
	}
	if r.Set != nil {
		for _, c := range r.Set.Commands {
			if !c.Sandboxed {
				out = append(out, fmt.Sprintf("UNSANDBOXED: the generator %q ran without isolation", c.Command))
			}
		}
	}
	for _, s := range h.Budgets {
		if s.Limit > 0 && s.Used > s.Limit {
			out = append(out, fmt.Sprintf("the budget of %s is exceeded: %d of %d %s", s.Budget, s.Used, s.Limit, s.Unit))
		}
	}
	if r.Decision != nil && r.Decision.Set == r.digest {
		for _, n := range r.Decision.Notes {
			out = append(out, "gate: "+n)
		}
	}
	if r.Receipt != nil && r.Receipt.Set != r.digest {
		out = append(out, "the receipt is for another set than this hand-off describes")
	}
	return out
}
