package gate

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// sarifSchema is the schema that a log names, of SARIF 2.1.0 with its errata.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifFingerprint is the key of a result's fingerprint; the number goes up when
// the same finding gets another one.
const sarifFingerprint = "plumb/v1"

// SARIF writes a Decision as a SARIF 2.1.0 log (GAT-11): each evaluated rule with
// help, each finding with its places after and before, evidence, and a
// fingerprint that holds when lines move. What blocks is an error, what passes
// with evidence a warning, the rest notes; a finding that a reason or a person
// answered is suppressed with it. A Decision that evaluated nothing is a run that
// did not succeed, so that an empty log is not taken for a clean one.
//
// Lines are 1-based; columns are left out, since SARIF counts them in other units.
// Fault: invalid_input for a nil Decision. Pure.
func SARIF(d *Decision) ([]byte, error) {
	if d == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "gate.sarif", Detail: "there is no decision", State: "nothing was written", Next: "pass the decision of a gate"}
	}
	r := sarif.NewReport()
	r.Schema = sarifSchema
	r.AddRun(sarifRun(d))
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fault.From(err, "gate.sarif", "report the decision as JSON")
	}
	return append(data, '\n'), nil
}

func sarifRun(d *Decision) *sarif.Run {
	run := sarif.NewRunWithInformationURI("plumb", "https://github.com/plumbkit/plumb")
	rules := slices.Clone(d.Rules)
	for _, f := range d.Findings {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	for _, id := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule(id))
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		run.Results = append(run.Results, sarifResult(f, slices.Index(rules, f.Rule)))
	}
	done := sarif.NewInvocation().WithExecutionSuccessful(d.Verdict != NotEvaluated)
	for _, note := range append([]string{d.Why}, d.Notes...) {
		if note != "" {
			n := sarif.NewNotification()
			n.Message, n.Level = sarif.NewTextMessage(note), sarifNoteLevel(d, note)
			done.ToolExecutionNotifications = append(done.ToolExecutionNotifications, n)
		}
	}
	run.Invocations = append(run.Invocations, done)
	bag := sarif.NewPropertyBag()
	bag.Properties = sarif.Properties{"verdict": string(d.Verdict), "set": d.Set}
	run.Properties = bag
	return run
}

func sarifNoteLevel(d *Decision, note string) string {
	if d.Verdict == NotEvaluated && note == d.Why {
		return "error"
	}
	return "note"
}

func sarifRule(id string) *sarif.ReportingDescriptor {
	class, short, help := helpFor(id)
	text := func(s string) *sarif.MultiformatMessageString {
		m := sarif.NewMultiformatMessageString()
		m.Text = &s
		return m
	}
	rule := sarif.NewRule(id)
	rule.ShortDescription, rule.FullDescription, rule.Help = text(short), text(short+" "+help), text(help)
	bag := sarif.NewPropertyBag()
	bag.Tags = []string{class}
	rule.Properties = bag
	return rule
}

func sarifResult(f *Finding, rule int) *sarif.Result {
	place, other := f.After, f.Before
	if place.File == "" {
		place, other = f.Before, index.Span{}
	}
	r := sarif.NewResult().WithRuleID(f.Rule).WithRuleIndex(rule).WithLevel(sarifLevel(f)).
		WithMessage(sarif.NewTextMessage(sarifMessage(f))).WithPartialFingerprints(map[string]string{sarifFingerprint: f.Fingerprint})
	if place.File != "" {
		r.Locations = append(r.Locations, sarifLocation(place, f.Symbol))
	}
	if other.File != "" && (other.File != place.File || other.Line != place.Line) {
		l := sarifLocation(other, "")
		l.Message = sarif.NewTextMessage("before the change")
		r.RelatedLocations = append(r.RelatedLocations, l)
	}
	for _, why := range []string{f.Justified, approvedBy(f)} {
		if why != "" {
			r.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(why))
		}
	}
	bag := sarif.NewPropertyBag()
	bag.Properties = sarif.Properties{"strength": string(f.Strength), "blocks": f.Blocks, "evidencePresent": f.Present, "evidenceMissing": f.Missing}
	r.Properties = bag
	return r
}

func approvedBy(f *Finding) string {
	if f.Approved == "" {
		return ""
	}
	return "approved by " + f.Approved
}

func sarifLevel(f *Finding) string {
	switch {
	case f.Strength == Block, f.Blocks:
		return "error"
	case f.Strength == Evidence:
		return "warning"
	}
	return "note"
}

// sarifMessage says what was found, what is missing and what to do instead.
func sarifMessage(f *Finding) string {
	var b strings.Builder
	b.WriteString(sentence(f.Reason))
	if len(f.Missing) > 0 {
		b.WriteString(" Missing: " + sentence(strings.Join(f.Missing, "; ")))
	}
	if f.Approve != "" && f.Approved == "" {
		b.WriteString(" A person has to approve: " + sentence(f.Approve))
	}
	if f.Alternative != "" {
		b.WriteString(" Instead: " + sentence(f.Alternative))
	}
	return b.String()
}

func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func sarifLocation(s index.Span, symbol string) *sarif.Location {
	uri := (&url.URL{Path: s.File}).String()
	artifact := sarif.NewSimpleArtifactLocation(uri)
	base := "%SRCROOT%"
	artifact.URIBaseID = &base
	line := max(s.Line, 1)
	region := sarif.NewRegion()
	region.StartLine = &line
	physical := sarif.NewPhysicalLocation()
	physical.ArtifactLocation, physical.Region = artifact, region
	l := sarif.NewLocationWithPhysicalLocation(physical)
	if symbol != "" {
		logical := sarif.NewLogicalLocation()
		logical.FullyQualifiedName = &symbol
		l.LogicalLocations = append(l.LogicalLocations, logical)
	}
	return l
}
