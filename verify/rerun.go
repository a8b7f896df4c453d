package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

// A Difference is something that two reports of the same change say otherwise.
type Difference struct {
	// What names it: a digest, a layer, a test, a reference, a tool.
	What string `json:"what"`
	A    string `json:"a"` // "" when the first report does not have it
	B    string `json:"b"`
}

// Rerun runs the layers of an earlier report again and compares (VER-20). It
// fails with invalid_input when the input is not the one that was reported on;
// other errors are those of v.
func Rerun(ctx context.Context, v Verifier, in Input, earlier *Report) (*Report, []Difference, error) {
	set := ""
	if in.Set != nil {
		set = in.Set.Digest()
	}
	if in.Before == nil || in.After == nil || earlier.Before != in.Before.Digest() || earlier.After != in.After.Digest() || earlier.Set != set {
		return nil, nil, &fault.Fault{Class: fault.InvalidInput, Op: "verify.rerun", Subject: fault.Subject{Text: earlier.Set},
			Detail: "the report is about other trees than the input holds", State: "nothing was run", Next: "give the snapshots and the set that the report's digests name"}
	}
	in.Layers = nil
	for _, l := range earlier.Layers {
		in.Layers = append(in.Layers, l.Name)
	}
	again, err := v.Verify(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return again, Compare(earlier, again), nil
}

// Compare returns what two reports say otherwise, in a fixed order. Times,
// folders of scratch trees and outputs are left out, since they differ in every run.
func Compare(a, b *Report) []Difference {
	c := &comparison{}
	c.one("digest of the set", a.Set, b.Set)
	c.one("digest before", a.Before, b.Before)
	c.one("digest after", a.After, b.After)
	c.one("platform", a.Environment.OS+"/"+a.Environment.Arch, b.Environment.OS+"/"+b.Environment.Arch)
	c.one("sandboxed", fmt.Sprint(a.Environment.Sandboxed), fmt.Sprint(b.Environment.Sandboxed))
	c.maps("tool ", a.Environment.Tools, b.Environment.Tools)
	c.maps("", a.facts(), b.facts())
	return c.found
}

type comparison struct{ found []Difference }

func (c *comparison) one(what, a, b string) {
	if a != b {
		c.found = append(c.found, Difference{what, a, b})
	}
}

func (c *comparison) maps(prefix string, a, b map[string]string) {
	keys := slices.Sorted(maps.Keys(a))
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		c.one(prefix+k, a[k], b[k])
	}
}

// facts are what a report says, by name.
func (r *Report) facts() map[string]string {
	out := map[string]string{}
	for _, l := range r.Layers {
		out["layer "+string(l.Name)] = string(l.Status)
		for _, f := range l.Findings {
			out[fmt.Sprintf("finding %s %s %s:%d", l.Name, f.Rule, f.Span.File, f.Span.Line)] = f.Rule
		}
	}
	for _, m := range r.Missing {
		out[fmt.Sprintf("missing %s:%d %s", m.Ref.Span.File, m.Ref.Span.Line, m.Symbol)] = m.Reason
	}
	for _, ref := range r.Confirm {
		out[fmt.Sprintf("confirm %s:%d:%d %s", ref.Span.File, ref.Span.Line, ref.Span.Col, ref.Name)] = ref.Status.String()
	}
	for _, s := range r.Selection.Selected {
		out["selected "+s.Test.String()] = s.Source
	}
	for _, t := range r.Tests {
		out["test "+t.Test.String()] = fmt.Sprintf("%s → %s: %s", t.Before, t.After, t.Attribution)
	}
	for i, m := range r.Mutants {
		out[fmt.Sprintf("mutant %s %d", m.Capability, i+1)] = m.Result
	}
	return out
}
