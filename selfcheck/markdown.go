package selfcheck

import (
	"fmt"
	"slices"
	"strings"
)

// headLines is how many lines a reader needs to judge the hand-off's weight:
// commands, range, results and skips stand in them (SLF-4).
const headLines = 40

// Markdown renders the hand-off. The first 40 lines hold what ran, on what, how
// it went and what was skipped; lists that would push something of it out are
// cut there, with their number, and stand in full further down.
func (h *Handoff) Markdown() string {
	var b strings.Builder
	h.head(&b)
	h.body(&b)
	return b.String()
}

func (h *Handoff) head(b *strings.Builder) {
	fmt.Fprintf(b, "# Hand-off of %s\n\n", code(h.Task))
	if !h.Verified.Sandboxed && len(h.Verified.Commands) > 0 {
		b.WriteString("**Not sandboxed: the tests ran without isolation.**\n\n")
	}
	if h.Failed != "" {
		c := h.Checks[len(h.Checks)-1]
		fmt.Fprintf(b, "**The check %s failed: %s. Next: %s.**\n\n", c.Name, c.Signal, c.Action)
	}
	fmt.Fprintf(b, "- Range: %s%s\n", orNone(h.Verified.Range), entry(h.Verified.Entry))
	fmt.Fprintf(b, "- Layers: %s\n", orNone(strings.Join(h.Verified.Layers, "; ")))
	fmt.Fprintf(b, "- Results: %s\n", orNone(counts(h.Verified.Counts)))
	fmt.Fprintf(b, "- Mutants: %s\n", orNone(h.Verified.Mutants))
	short(b, "Commands", h.Verified.Commands, 10, true)
	short(b, "Skipped", h.Verified.Skipped, 6, false)
	fmt.Fprintf(b, "- Not verified: %d, listed below\n- Roll back: %s\n", len(h.NotVerified), code(strings.Join(h.RollBack, "; ")))
}

// short prints at most n items of a list, and how many there are.
func short(b *strings.Builder, title string, items []string, n int, asCode bool) {
	if len(items) == 0 {
		fmt.Fprintf(b, "- %s: none\n", title)
		return
	}
	fmt.Fprintf(b, "- %s (%d):\n", title, len(items))
	for _, item := range items[:min(n, len(items))] {
		if asCode {
			item = code(item)
		}
		fmt.Fprintf(b, "  - %s\n", line(item))
	}
	if len(items) > n {
		fmt.Fprintf(b, "  - %d more below\n", len(items)-n)
	}
}

func (h *Handoff) body(b *strings.Builder) {
	section(b, "Requirement")
	for l := range strings.Lines(strings.TrimSpace(h.Requirement)) {
		fmt.Fprintf(b, "> %s\n", strings.TrimRight(l, "\n"))
	}
	section(b, "What changed")
	for _, c := range h.Changed {
		name := c.Capability
		if name == "" {
			name = "no capability point"
		}
		fmt.Fprintf(b, "- **%s** %s — %d lines in %s%s\n", name, line(c.Sentence), c.Lines, orNone(strings.Join(c.Files, ", ")), entry(c.Entry))
		for _, t := range c.Tests {
			fmt.Fprintf(b, "  - checked by %s\n", line(t))
		}
	}
	section(b, "Choices")
	for _, c := range h.Choices {
		by := ""
		if c.Model {
			by = " (written by a model)"
		}
		fmt.Fprintf(b, "- %s%s. Why: %s%s\n", line(c.What), by, line(c.Why), entry(c.Entry))
	}
	none(b, len(h.Choices))
	section(b, "What was not changed")
	for _, n := range h.NotChanged {
		fmt.Fprintf(b, "- %s: %s\n", line(n.What), line(n.Why))
	}
	none(b, len(h.NotChanged))
	h.doubts(b)
	h.ways(b)
}

// doubts are what was not verified, what remains uncertain, and what was loosened.
func (h *Handoff) doubts(b *strings.Builder) {
	section(b, "What was not verified")
	for _, u := range h.NotVerified {
		fmt.Fprintf(b, "- %s: %s\n", line(u.What), line(u.Why))
	}
	none(b, len(h.NotVerified))
	section(b, "Remaining risk")
	for _, r := range h.Risks {
		fmt.Fprintf(b, "- %s:%d %s: %s\n", r.Place.File, r.Place.Line, line(r.What), line(r.Why))
	}
	none(b, len(h.Risks))
	section(b, "Loosened checks")
	for _, l := range h.Loosened {
		fmt.Fprintf(b, "- %s %s: %s\n", l.Rule, l.Place.File, line(l.Reason))
	}
	none(b, len(h.Loosened))
}

// ways are how to run it again, how to take it back, and the record's figures.
func (h *Handoff) ways(b *strings.Builder) {
	section(b, "Commands")
	for _, c := range h.Verified.Commands {
		fmt.Fprintf(b, "- %s\n", code(c))
	}
	none(b, len(h.Verified.Commands))
	section(b, "Skipped tests")
	for _, s := range h.Verified.Skipped {
		fmt.Fprintf(b, "- %s\n", line(s))
	}
	none(b, len(h.Verified.Skipped))
	section(b, "Reproduce")
	for _, r := range h.Reproduce {
		fmt.Fprintf(b, "- %s\n", code(r))
	}
	none(b, len(h.Reproduce))
	section(b, "Checks")
	for _, c := range h.Checks {
		state := "passed"
		switch {
		case !c.Judged:
			state = "not judged"
		case !c.Passed:
			state = "failed"
		}
		fmt.Fprintf(b, "- %s: %s: %s\n", c.Name, state, line(c.Signal))
	}
	section(b, "Budgets")
	for _, s := range h.Budgets {
		fmt.Fprintf(b, "- %s: %d of %s %s%s\n", s.Budget, s.Used, limit(s.Limit), s.Unit, entry(s.Entry))
	}
	for _, w := range h.Warnings {
		fmt.Fprintf(b, "- warning: %s\n", line(w))
	}
}

func section(b *strings.Builder, title string) { fmt.Fprintf(b, "\n## %s\n\n", title) }

func none(b *strings.Builder, n int) {
	if n == 0 {
		b.WriteString("None.\n")
	}
}

func limit(n int64) string {
	if n == 0 {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

func entry(id string) string {
	if id == "" {
		return ""
	}
	return " [" + id + "]"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// counts renders a count by name, in order of name.
func counts(m map[string]int) string {
	var parts []string
	for k, n := range m {
		parts = append(parts, fmt.Sprintf("%s %d", k, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// line puts text from elsewhere on one line and keeps it from being markup.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", "[", "\\[", "`", "'").Replace(s)
}

// code renders text as code on one line, whatever backquotes it holds.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s == "" || len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
