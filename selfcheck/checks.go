package selfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// problem is what a check found.
type problem struct {
	signal string
	places []index.Span
}

// diffSize holds the changed lines and files against the plan's limit (CHG-7).
func diffSize(ev *Evidence) *problem {
	lines := 0
	for _, h := range ev.Set.Hunks {
		lines += max(h.OldCount, h.NewCount)
	}
	l := ev.Plan.Limit
	if (l.Lines == 0 || lines <= l.Lines) && (l.Files == 0 || len(ev.Set.Files) <= l.Files) {
		return nil
	}
	p := &problem{signal: fmt.Sprintf("%d lines in %d files changed, the plan allows %d in %d", lines, len(ev.Set.Files), l.Lines, l.Files)}
	for _, f := range largest(ev.Set.Hunks, 3) {
		p.places = append(p.places, index.Span{File: f, Line: 1, Col: 1})
	}
	return p
}

// largest returns the n files with the most changed lines.
func largest(hunks []patch.Hunk, n int) []string {
	size := map[string]int{}
	var files []string
	for _, h := range hunks {
		if size[h.File] == 0 {
			files = append(files, h.File)
		}
		size[h.File] += h.OldCount + h.NewCount
	}
	slices.SortStableFunc(files, func(a, b string) int { return size[b] - size[a] })
	return files[:min(n, len(files))]
}

func formatNoise(ev *Evidence) *problem {
	if ev.Set.Noise.After == 0 {
		return nil
	}
	p := &problem{signal: fmt.Sprintf("%.0f %% of the changed lines are noise", 100*ev.Set.Noise.After)}
	for _, h := range ev.Set.Hunks {
		if h.Class != patch.Meant && h.Class != patch.Comment && h.Class != patch.LogText {
			p.places = append(p.places, place(h))
		}
	}
	return p
}

func place(h patch.Hunk) index.Span { return index.Span{File: h.File, Line: max(1, h.NewLine), Col: 1} }

// changedFiles finds files none of whose hunks belongs to an action. Outputs of
// generators belong to the action that runs them.
func changedFiles(ev *Evidence) *problem {
	owned := map[string]bool{}
	for _, h := range ev.Set.Hunks {
		if h.Action != "" {
			owned[h.File] = true
		}
	}
	for _, c := range ev.Set.Commands {
		for _, out := range c.Outputs {
			owned[out] = true
		}
	}
	var p problem
	for _, f := range ev.Set.Files {
		if !owned[f.Path] && len(f.Old)+len(f.New) > 0 {
			p.places = append(p.places, index.Span{File: f.Path, Line: 1, Col: 1})
		}
	}
	return p.named("%d files belong to no action of the plan")
}

// named fills in the signal, or returns nil when there is no place.
func (p *problem) named(format string) *problem {
	if len(p.places) == 0 {
		return nil
	}
	p.signal = fmt.Sprintf(format, len(p.places))
	return p
}

func contracts(ev *Evidence) *problem {
	var p problem
	for _, m := range ev.Report.Missing {
		p.places = append(p.places, m.Ref.Span)
	}
	return p.named("%d references no longer fit and are not in the set")
}

// testMapping wants an assertion for each capability point (VER-9).
func testMapping(ev *Evidence) *problem {
	var lacking []string
	for _, c := range ev.Report.Capabilities {
		if c.Missing != "" {
			lacking = append(lacking, c.Capability+": "+c.Missing)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	return &problem{signal: strings.Join(lacking, "; ")}
}

func dangerous(ev *Evidence) *problem {
	var p problem
	var rules []string
	for _, f := range ev.Decision.Findings {
		if f.Blocks {
			at := f.After
			if at.File == "" {
				at = f.Before
			}
			p.places, rules = append(p.places, at), append(rules, f.Rule)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	p.signal = "the gate blocks by " + strings.Join(slices.Compact(rules), ", ")
	return &p
}

// derivedFiles wants generated files to equal what their generator makes.
func derivedFiles(ev *Evidence) *problem {
	var p problem
	for _, c := range ev.Set.Pending {
		for _, out := range c.Outputs {
			p.places = append(p.places, index.Span{File: out, Line: 1, Col: 1})
		}
	}
	for _, l := range ev.Report.Layers {
		for _, f := range l.Findings {
			if strings.HasPrefix(f.Rule, "derived") {
				p.places = append(p.places, f.Span)
			}
		}
	}
	return p.named("%d generated files are not what their generator makes of the changed source")
}

// baseline wants no test to be worse than before.
func baseline(ev *Evidence) *problem {
	var worse []string
	var p problem
	for _, t := range ev.Report.Tests {
		switch t.Attribution {
		case verify.Regression, verify.NewFailing, verify.Removed:
			worse = append(worse, fmt.Sprintf("%s %s (%s)", t.Test.Dir, t.Test.Name, t.Attribution))
			if t.Failure != nil {
				p.places = append(p.places, t.Failure.Frame)
			}
		}
	}
	if len(worse) == 0 {
		return nil
	}
	p.signal = "worse than the baseline: " + strings.Join(worse, ", ")
	return &p
}

// capabilities wants each point to be carried out by a hunk, and no break of
// one to go unnoticed.
func capabilities(ev *Evidence) *problem {
	done := map[string]bool{}
	for _, h := range ev.Set.Hunks {
		done[h.Capability] = true
	}
	var lacking []string
	for _, c := range ev.Plan.Capabilities {
		if !done[c.ID] && !shared(ev, c.ID) {
			lacking = append(lacking, c.ID+" is carried out by no hunk")
		}
	}
	var p problem
	if ev.Report != nil {
		for _, m := range ev.Report.Mutants {
			if m.Result == "survived" {
				lacking, p.places = append(lacking, m.Capability+" can be broken without any test noticing"), append(p.places, m.Place)
			}
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	p.signal = strings.Join(lacking, "; ")
	return &p
}

// shared reports whether a point without a hunk of its own rests on symbols
// that another point's hunks change: a hunk is mapped to one point only.
func shared(ev *Evidence, id string) bool {
	changed := map[string]bool{}
	for _, h := range ev.Set.Hunks {
		changed[h.Symbol] = true
	}
	for _, c := range ev.Plan.Capabilities {
		if c.ID != id {
			continue
		}
		if slices.ContainsFunc(c.Symbols, func(s string) bool { return changed[s] }) {
			return true
		}
	}
	return false
}
