package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/verify"
)

// unproven says why the Report does not carry an authorization of the Set, ""
// when it does: it has to be for exactly this Set, its layers passed, the tests
// green beside the baseline.
func unproven(c *Case, digest string) string {
	r := c.Report
	switch {
	case c.Set == nil:
		return "there is no set to authorize"
	case r == nil:
		return "there is no report for the set"
	case r.Set != digest:
		return fmt.Sprintf("the report is for the set %.12s, and the change is %.12s", r.Set, digest)
	case len(r.Missing) > 0:
		return fmt.Sprintf("%d references are broken and not adapted, the first at %s:%d", len(r.Missing), r.Missing[0].Ref.Span.File, r.Missing[0].Ref.Span.Line)
	}
	if why := layersOpen(r); why != "" {
		return why
	}
	for _, t := range r.Tests {
		switch t.Attribution {
		case verify.Regression, verify.NewFailing, verify.Infra:
			return fmt.Sprintf("the test %s in %s is %s", t.Test.Name, t.Test.Dir, t.Attribution)
		}
	}
	return ""
}

// layersOpen names the first layer that was needed and did not pass.
func layersOpen(r *verify.Report) string {
	status := map[verify.LayerName]verify.LayerStatus{}
	for _, l := range r.Layers {
		status[l.Name] = l.Status
		if l.Status == verify.LayerFailed || l.Status == verify.LayerEnvironment {
			return fmt.Sprintf("the layer %s ended as %s", l.Name, l.Status)
		}
	}
	for _, name := range []verify.LayerName{verify.L0, verify.L1, verify.L2} {
		if status[name] != verify.LayerPassed {
			return fmt.Sprintf("the layer %s was not run", name)
		}
	}
	return ""
}

// approve asks the Approver for what only a person can allow, once for each
// operation, and only when nothing else keeps the change out.
func (r *Rules) approve(ctx context.Context, c *Case, d *Decision) error {
	ops, others := operations(d)
	if len(ops) == 0 {
		return nil
	}
	if open := unproven(c, d.Set); others || r.Approver == nil || open != "" {
		why := "who is asked when nothing else keeps the change out"
		switch {
		case r.Approver == nil:
			why = "whom no Approver reaches"
		case !others:
			why = "who is asked when the tests are green: " + open
		}
		for _, op := range ops {
			for _, i := range op.at {
				d.Findings[i].Missing = append(d.Findings[i].Missing, "approval by a person, "+why+" (operation "+op.Digest+")")
			}
		}
		return nil
	}
	for _, op := range ops {
		if err := r.ask(ctx, op, d); err != nil {
			return err
		}
	}
	return nil
}

func (r *Rules) ask(ctx context.Context, op *operation, d *Decision) error {
	by, err := r.Approver.Approve(ctx, op.Operation)
	if errors.Is(err, fault.Dangerous) || err == nil && strings.TrimSpace(by) == "" {
		for _, i := range op.at {
			d.Findings[i].Missing = append(d.Findings[i].Missing, "approval by a person, who refused")
		}
		return nil
	}
	if err != nil {
		return fault.From(err, "gate.approve", "make the approver reachable and decide again")
	}
	for _, i := range op.at {
		f := &d.Findings[i]
		f.Approved, f.Blocks = by, false
		f.Present = append(f.Present, "approved by "+by)
	}
	return nil
}

// An operation is what one approval covers: findings that ask for the same.
type operation struct {
	Operation
	at []int // into Decision.Findings
}

// operations groups the findings that wait for an approval; others reports
// whether anything else keeps the change out.
func operations(d *Decision) (ops []*operation, others bool) {
	byDigest := map[string]*operation{}
	for i, f := range d.Findings {
		if !f.Blocks {
			continue
		}
		if f.Approve == "" || f.Strength != Evidence || len(f.Missing) > 0 {
			others = true
			continue
		}
		sum := sha256.Sum256([]byte(d.Set + "\x00" + f.Rule + "\x00" + f.Approve))
		key := hex.EncodeToString(sum[:])
		op := byDigest[key]
		if op == nil {
			op = &operation{Operation: Operation{Digest: key, What: f.Approve}}
			byDigest[key] = op
			ops = append(ops, op)
		}
		op.Findings = append(op.Findings, f)
		op.at = append(op.at, i)
	}
	return ops, others
}

// fingerprint identifies a finding by what it is about and not by where it
// stands. Equal findings are numbered in their order.
func fingerprint(f *Finding, seen map[string]int) string {
	file := f.Before.File
	if file == "" {
		file = f.After.File
	}
	base := strings.Join([]string{f.Rule, file, f.Symbol, digits(f.Reason)}, "\x00")
	seen[base]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", base, seen[base]))
	return hex.EncodeToString(sum[:16])
}

// digits takes line numbers, such as "file.go:12", out of a text.
func digits(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] != ':' {
			continue
		}
		for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
			i++
		}
	}
	return b.String()
}
