package selfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// reportMissing says what keeps the Report from being evidence for this change, "" if
// nothing does.
func (r *review) reportMissing() string {
	switch {
	case r.Report == nil:
		return "there is no report"
	case r.digest != "" && r.Report.Set != r.digest:
		return fmt.Sprintf("the report is for the set %.12s, and the change is %.12s", r.Report.Set, r.digest)
	}
	return ""
}

func (r *review) layer(name verify.LayerName) (verify.Layer, bool) {
	for _, l := range r.Report.Layers {
		if l.Name == name && l.Status != verify.LayerNotRun {
			return l, true
		}
	}
	return verify.Layer{}, false
}

// contracts looks for references that the change breaks and does not adapt.
func contracts(r *review) (outcome, error) {
	if why := r.reportMissing(); why != "" {
		return lacking("%s", why)
	}
	l, ran := r.layer(verify.L1)
	if !ran && len(r.Report.Missing) == 0 {
		return lacking("the layer L1 was not run")
	}
	o := outcome{signal: fmt.Sprintf("every reference fits; %d are to be confirmed", len(r.Report.Confirm))}
	for _, m := range r.Report.Missing {
		o.places = append(o.places, m.Ref.Span)
	}
	switch {
	case len(r.Report.Missing) > 0:
		m := r.Report.Missing[0]
		o.failed = true
		o.signal = fmt.Sprintf("%d references do not fit, the first at %s:%d: %s: %s", len(r.Report.Missing), m.Ref.Span.File, m.Ref.Span.Line, m.Symbol, m.Reason)
	case l.Status == verify.LayerFailed:
		o.failed = true
		o.signal = "the layer L1 failed: " + findingText(l)
		o.places = findingPlaces(l)
	case l.Status == verify.LayerEnvironment:
		return lacking("the layer L1 could not be judged on this machine")
	}
	return o, nil
}

func findingText(l verify.Layer) string {
	var parts []string
	for _, f := range l.Findings {
		parts = append(parts, f.Text)
	}
	if len(parts) == 0 {
		return l.Next
	}
	return strings.Join(parts, "; ")
}

func findingPlaces(l verify.Layer) []index.Span {
	var out []index.Span
	for _, f := range l.Findings {
		out = append(out, f.Span)
	}
	return out
}

// coverage looks for capability points that no assertion reaches (VER-9).
func coverage(r *review) (outcome, error) {
	if why := r.reportMissing(); why != "" {
		return lacking("%s", why)
	}
	if r.Plan == nil || len(r.Plan.Capabilities) == 0 {
		return lacking("there are no capability points")
	}
	o := outcome{}
	assertions := 0
	for _, c := range r.Plan.Capabilities {
		i := slices.IndexFunc(r.Report.Capabilities, func(v verify.Coverage) bool { return v.Capability == c.ID })
		if i < 0 {
			return lacking("the report says nothing about the assertions of %s", c.ID)
		}
		v := r.Report.Capabilities[i]
		assertions += len(v.Assertions)
		if v.Missing != "" || len(v.Assertions) == 0 {
			o.failed = true
			o.signal = join(o.signal, fmt.Sprintf("%s: %s", c.ID, orNone(v.Missing)))
		}
	}
	if !o.failed {
		o.signal = fmt.Sprintf("%d assertions reach %d capability points", assertions, len(r.Plan.Capabilities))
	}
	return o, nil
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func orNone(s string) string {
	if s == "" {
		return "no assertion reaches it"
	}
	return s
}

// dangers holds the gate's decision.
func dangers(r *review) (outcome, error) {
	d := r.Decision
	switch {
	case d == nil:
		return lacking("the gate has not decided yet")
	case d.Set != r.digest:
		return lacking("the gate decided on the set %.12s, and the change is %.12s", d.Set, r.digest)
	case d.Verdict == gate.NotEvaluated:
		return lacking("%s", d.Why)
	}
	o := outcome{signal: d.Why, failed: d.Verdict != gate.Allowed}
	for _, f := range d.Findings {
		if f.Blocks {
			o.places = append(o.places, findingPlace(f))
		}
	}
	return o, nil
}

func findingPlace(f gate.Finding) index.Span {
	if f.After.File != "" {
		return f.After
	}
	return f.Before
}

// baseline looks for tests that are red and were not.
func baseline(r *review) (outcome, error) {
	if why := r.reportMissing(); why != "" {
		return lacking("%s", why)
	}
	l, ran := r.layer(verify.L2)
	switch {
	case !ran:
		return lacking("the layer L2 was not run")
	case l.Status == verify.LayerEnvironment:
		return lacking("the layer L2 could not be judged on this machine: %s", findingText(l))
	}
	o := outcome{}
	var red []string
	for _, t := range r.Report.Tests {
		if t.Attribution == verify.Regression || t.Attribution == verify.NewFailing || t.Attribution == verify.Removed && !r.answered("tests.removed", t.Test) {
			red = append(red, fmt.Sprintf("%s %s is %s", t.Test.Dir, t.Test.Name, t.Attribution))
			if t.Failure != nil {
				o.places = append(o.places, t.Failure.Frame)
			}
		}
	}
	switch {
	case len(red) > 0:
		o.failed = true
		o.signal = strings.Join(red, "; ")
	case l.Status != verify.LayerPassed:
		o.failed = true
		o.signal = "the layer L2 failed: " + findingText(l)
		o.places = findingPlaces(l)
	default:
		o.signal = fmt.Sprintf("%d tests held against the baseline, none red that was not: %s", len(r.Report.Tests), countsText(counts(r.Report)))
	}
	return o, nil
}

// answered reports whether the gate has let pass that a test is gone.
func (r *review) answered(rule string, t verify.TestID) bool {
	if r.Decision == nil || r.Decision.Set != r.digest {
		return false
	}
	name, _, _ := strings.Cut(t.Name, "/")
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, ':')+1:], "[") // pytest: Class::name[parameter]
	return slices.ContainsFunc(r.Decision.Findings, func(f gate.Finding) bool {
		return f.Rule == rule && !f.Blocks && strings.HasSuffix(f.Symbol, "."+name)
	})
}

// capabilities looks for capability points that no changed line serves, and for
// those that can be broken without any test noticing (VER-13).
func capabilities(r *review) (outcome, error) {
	switch {
	case r.Plan == nil || len(r.Plan.Capabilities) == 0:
		return lacking("there are no capability points")
	case r.Set == nil:
		return lacking("there is no set")
	}
	o := outcome{signal: fmt.Sprintf("changed lines serve all %d capability points", len(r.Plan.Capabilities))}
	var open []string
	for _, c := range r.Plan.Capabilities {
		if !r.served(c) {
			open = append(open, "no changed line serves "+c.ID)
		}
	}
	if r.reportMissing() == "" {
		for _, m := range r.Report.Mutants {
			if m.Result == "survived" {
				open = append(open, m.Capability+" can be broken without any test noticing")
				o.places = append(o.places, m.Place)
			}
		}
	}
	if len(open) > 0 {
		o.failed = true
		o.signal = strings.Join(slices.Compact(open), "; ")
	}
	return o, nil
}

// served reports whether a changed line belongs to a point, or lies in one of
// its symbols: a hunk is mapped to one point, and points can share symbols.
func (r *review) served(c task.Capability) bool {
	return slices.ContainsFunc(r.Set.Hunks, func(h patch.Hunk) bool {
		if h.Capability == c.ID {
			return true
		}
		return h.Symbol != "" && slices.ContainsFunc(c.Symbols, func(s string) bool {
			return h.Symbol == s || strings.HasSuffix(h.Symbol, "."+s) || strings.HasSuffix(h.Symbol, "/"+s)
		})
	})
}
