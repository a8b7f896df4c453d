package secrets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// RuleID is the ID of the gate's rule.
const RuleID = "secrets.content"

// Rule blocks changes that bring a credential into any file (GAT-7), for
// gate.Rules.Extra. What was in the repository before, in this file or another,
// is not new. Its findings name the rule of gitleaks, the file and the line, and
// never the credential. No reason answers them, and no comment does that the
// change brings along.
//
// The rules are compiled when the first change is looked at. Safe for concurrent
// use. Errors are faults: canceled, or environment when the rules cannot be read.
func Rule() gate.Rule {
	return gate.Rule{ID: RuleID, Class: gate.ClassSecrets, Strength: gate.Block, Check: check}
}

func check(ctx context.Context, c *gate.Case) ([]gate.Finding, error) {
	var out []gate.Finding
	var was *known
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.New == "" || string(f.Before) == string(f.After) {
			continue
		}
		found, err := find(ctx, f.New, string(f.Before), string(f.After), literals(c.After, f.New, len(f.After)))
		if err != nil {
			return nil, err
		}
		if len(found) > 0 && was == nil {
			if was, err = before(ctx, c); err != nil {
				return nil, err
			}
		}
		for _, h := range found {
			old, err := was.has(ctx, c.Before, &h)
			if err != nil {
				return nil, err
			}
			if !old {
				out = append(out, finding(f, &h))
			}
		}
	}
	return out, nil
}

func finding(f *gate.Change, h *hit) gate.Finding {
	var old index.Span
	if f.Old != "" {
		old = index.Span{File: f.Old, Line: 1, Col: 1}
	}
	return gate.Finding{Before: old, After: index.Span{File: f.New, Line: h.at, Col: 1},
		Reason:      fmt.Sprintf("a credential is added to %s (gitleaks' rule %s; its value is not shown): %s", f.New, h.rule, h.about),
		Missing:     []string{"that the value is no credential, or not a live one: only a person can tell"},
		Alternative: "read the credential from the environment or a secret store at run time; one that was ever real is to be revoked"}
}

// literals are the places of a file's string literals.
func literals(s *index.Snapshot, file string, size int) []index.Range {
	if s == nil || file == "" {
		return nil
	}
	var out []index.Range
	for _, m := range s.Marks(file) {
		if m.Kind == index.MarkString && m.Span.Start < m.Span.End && m.Span.End <= size {
			out = append(out, index.Range{Start: uint32(m.Span.Start), End: uint32(m.Span.End)})
		}
	}
	slices.SortFunc(out, func(a, b index.Range) int { return int(a.Start) - int(b.Start) })
	return out
}

// known are the credentials that the changed files held before.
type known map[string]bool

func before(ctx context.Context, c *gate.Case) (*known, error) {
	out := known{}
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old == "" {
			continue
		}
		found, err := find(ctx, f.Old, "", string(f.Before), literals(c.Before, f.Old, len(f.Before)))
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			out[h.secret] = true
		}
	}
	return &out, nil
}

// has reports whether a credential was in the repository before: in a changed
// file, or as it is written, or with its whole line, in any other.
func (k *known) has(ctx context.Context, before *index.Snapshot, h *hit) (bool, error) {
	if (*k)[h.secret] {
		return true, nil
	}
	for _, text := range []string{longestLine(h.secret), h.line} {
		if len(text) < 8 || strings.Contains(text, "\n") {
			continue // too little, or too much, to be told from anything else
		}
		a, err := before.Search(ctx, index.Pattern{Text: text, Limit: 1})
		if err != nil {
			// The text of the search is the credential: the cause must not carry it.
			return false, &fault.Fault{Class: fault.ClassOf(err), Op: "secrets.known", Detail: "the state before the change cannot be searched",
				State: "nothing was decided", Next: "decide again"}
		}
		if a.Total > 0 {
			return true, nil
		}
	}
	return false, nil
}

func longestLine(text string) string {
	longest := ""
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); len(l) > len(longest) {
			longest = l
		}
	}
	return longest
}
