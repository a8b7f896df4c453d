package selfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// size holds the changed lines and files against the plan's limit.
func size(r *review) (outcome, error) {
	switch {
	case r.Set == nil:
		return lacking("there is no set")
	case r.Plan == nil:
		return lacking("there is no plan, and so no limit")
	}
	lines, files := changedLines(r.Set), len(r.Set.Files)
	l := r.Plan.Limit
	o := outcome{signal: fmt.Sprintf("%d changed lines of %d, %d files of %d", lines, l.Lines, files, l.Files)}
	if l.Lines > 0 && lines > l.Lines || l.Files > 0 && files > l.Files {
		o.failed = true
		o.places = largest(r.Set)
	}
	return o, nil
}

// changedLines counts a replaced line once: the larger side of each hunk.
func changedLines(s *patch.Set) int {
	n := 0
	for _, h := range s.Hunks {
		n += max(h.OldCount, h.NewCount)
	}
	return n
}

// largest are the three largest hunks.
func largest(s *patch.Set) []index.Span {
	hunks := slices.Clone(s.Hunks)
	slices.SortStableFunc(hunks, func(a, b patch.Hunk) int { return max(b.OldCount, b.NewCount) - max(a.OldCount, a.NewCount) })
	var out []index.Span
	for _, h := range hunks[:min(3, len(hunks))] {
		out = append(out, hunkPlace(h))
	}
	return out
}

func hunkPlace(h patch.Hunk) index.Span {
	return index.Span{File: h.File, Line: max(h.NewLine, 1), Col: 1}
}

// isNoise reports whether a class of lines is noise (PAT-13).
func isNoise(c patch.HunkClass) bool {
	switch c {
	case "", patch.Meant, patch.Comment, patch.LogText:
		return false
	}
	return true
}

// noise looks at changed lines that nobody asked for.
func noise(r *review) (outcome, error) {
	if r.Set == nil {
		return lacking("there is no set")
	}
	o := outcome{signal: fmt.Sprintf("%.0f %% of the changed lines are noise; %d lines were restored", 100*r.Set.Noise.After, r.Set.Noise.Restored)}
	if r.Set.Noise.AsCame {
		o.signal += "; the change was decided on elsewhere and is left as it came"
		return o, nil
	}
	limit := r.ten.Noise
	if limit == 0 {
		limit = 0.1
	}
	if limit < 0 || r.Set.Noise.After <= limit {
		return o, nil
	}
	o.failed = true
	for _, h := range r.Set.Hunks {
		if isNoise(h.Class) {
			o.places = append(o.places, hunkPlace(h))
		}
	}
	return o, nil
}

// whitelist looks for changed files that no action of the plan is about.
func whitelist(r *review) (outcome, error) {
	switch {
	case r.Set == nil:
		return lacking("there is no set")
	case r.Plan == nil:
		return lacking("there is no plan, and so no list of files")
	}
	o := outcome{signal: fmt.Sprintf("%d changed files, each with an action of the plan", len(r.Set.Files))}
	var stray []string
	for _, f := range r.Set.Files {
		if !r.planned(f) {
			stray = append(stray, f.Path)
			o.places = append(o.places, index.Span{File: f.Path, Line: 1, Col: 1})
		}
	}
	if len(stray) > 0 {
		o.failed = true
		o.signal = "no action of the plan is about " + strings.Join(stray, ", ")
	}
	return o, nil
}

func (r *review) planned(f patch.File) bool {
	for _, a := range r.Plan.Actions {
		if a.Target.File == f.Path || f.From != "" && a.Target.File == f.From || slices.Contains(a.Outputs, f.Path) {
			return true
		}
	}
	for _, c := range r.Set.Commands {
		if slices.Contains(c.Outputs, f.Path) && r.commanded(c.Command) {
			return true
		}
	}
	hunks := hunksIn(r.Set, f.Path)
	if len(hunks) == 0 {
		return len(f.Old)+len(f.New) == 0
	}
	return slices.ContainsFunc(hunks, func(h patch.Hunk) bool { return r.hasAction(h.Action) })
}

func (r *review) commanded(command string) bool {
	return slices.ContainsFunc(r.Plan.Actions, func(a changeset.Action) bool { return a.Kind == changeset.Generate && a.Command == command })
}

func (r *review) hasAction(id string) bool {
	return id != "" && slices.ContainsFunc(r.Plan.Actions, func(a changeset.Action) bool { return a.ID == id })
}

func hunksIn(s *patch.Set, file string) []patch.Hunk {
	var out []patch.Hunk
	for _, h := range s.Hunks {
		if h.File == file {
			out = append(out, h)
		}
	}
	return out
}

// derived looks for generated files that are out of step with their sources.
func derived(r *review) (outcome, error) {
	switch {
	case r.Set == nil:
		return lacking("there is no set")
	case r.Before == nil:
		return lacking("there is no snapshot of the state before")
	}
	o := outcome{signal: "no generated file is out of step with its source"}
	fail := func(file, text string) {
		if !o.failed {
			o.signal = text
		} else {
			o.signal += "; " + text
		}
		o.failed = true
		o.places = append(o.places, index.Span{File: file, Line: 1, Col: 1})
	}
	for _, c := range r.Set.Pending {
		fail(strings.Join(c.Outputs, ", "), fmt.Sprintf("%q has not run, so that %s is out of date", c.Command, strings.Join(c.Outputs, ", ")))
	}
	if r.reportMissing() == "" {
		for _, l := range r.Report.Layers {
			for _, f := range l.Findings {
				if strings.HasPrefix(f.Rule, "derived") {
					fail(f.Span.File, f.Text)
				}
			}
		}
	}
	touched := r.Set.Touched()
	for _, f := range r.Set.Files {
		d, ok := r.Before.Derived(f.Path)
		if !ok || d.Command == "" || slices.ContainsFunc(r.Set.Commands, func(c patch.Command) bool { return slices.Contains(c.Outputs, f.Path) }) {
			continue
		}
		if !slices.Contains(touched, d.Source) {
			fail(f.Path, fmt.Sprintf("%s was edited by hand, and %q writes it from %s", f.Path, d.Command, d.Source))
		} else {
			fail(f.Path, fmt.Sprintf("%s changed without %q having run", f.Path, d.Command))
		}
	}
	return o, nil
}
