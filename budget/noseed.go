package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// nothing is the answer when no anchor is in the index.
func (s *seeder) nothing(text string) error {
	f := &fault.Fault{Class: fault.Ambiguous, Op: "budget.collect", Detail: "none of the names, places and words of the task stands for one symbol of this repository",
		State: "nothing was collected", Next: "name a symbol or a file of the repository in the requirement or under capabilities"}
	if len(s.missed) > 0 {
		f.Subject.Text = s.missed[0]
		f.Detail += fmt.Sprintf("; not found: %s", strings.Join(s.missed, ", "))
	}
	for _, a := range s.ambiguous {
		for _, id := range a.Candidates {
			if d, ok := s.snap.Symbol(id); ok {
				f.Candidates = append(f.Candidates, fault.Subject{File: d.Span.File, Line: d.Span.Line, Symbol: d.Canonical})
			}
		}
	}
	seen := make(map[string]bool)
	for _, name := range append(slices.Clone(s.missed), wordForm.FindAllString(text, 20)...) {
		for _, near := range s.snap.Near(name, 3) {
			if !seen[near] && len(f.Candidates) < 20 {
				seen[near] = true
				f.Candidates = append(f.Candidates, fault.Subject{Symbol: near})
			}
		}
	}
	return s.atLeastTwo(f)
}

// atLeastTwo adds the first definitions of the repository to an answer that has
// no near names to offer; a repository that defines nothing cannot be collected from.
func (s *seeder) atLeastTwo(f *fault.Fault) error {
	for sym := range s.snap.Symbols() {
		if len(f.Candidates) >= 2 {
			return f
		}
		c := fault.Subject{Symbol: sym.Canonical}
		if sym.Kind != index.KindPackage && !slices.Contains(f.Candidates, c) {
			f.Candidates = append(f.Candidates, c)
		}
	}
	if len(f.Candidates) < 2 {
		f.Class, f.Candidates = fault.Unsupported, nil
		f.Detail = "the repository defines fewer than two symbols in the languages that are indexed, so there is nothing to choose from"
		f.Next = "index the languages of this repository, or hand its files over as they are"
	}
	return f
}
