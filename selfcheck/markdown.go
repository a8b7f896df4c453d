package selfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/patch"
)

// Markdown renders the hand-off for a person. Its first 40 lines hold the
// commands, the range, the results and the skips; what does not fit there is
// counted and stands in full below. Text from outside is kept to one line and
// cannot make headings, links or tags.
func (h *Handoff) Markdown() string {
	m := &markdown{}
	m.head(h)
	m.changed(h)
	m.rest(h)
	return m.String()
}

// A markdown is a document being written.
type markdown struct{ strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// list writes at most limit items (0: all), and says how many are left out.
func (m *markdown) list(limit int, items []string, none, where string) {
	if len(items) == 0 {
		m.line("- %s", none)
		return
	}
	shown := items
	if limit > 0 && len(items) > limit {
		shown = items[:limit]
	}
	for _, s := range shown {
		m.line("- %s", s)
	}
	if n := len(items) - len(shown); n > 0 {
		m.line("- … and %d more, %s", n, where)
	}
}

func (m *markdown) section(title string) { m.line("\n## %s\n", title) }

func (m *markdown) head(h *Handoff) {
	m.line("# Hand-off of %s\n", plain(orText(h.Task, "a change")))
	const warned = 4
	for _, w := range h.Warnings[:min(len(h.Warnings), warned)] {
		m.line("> **%s**\n>", plain(w))
	}
	if n := len(h.Warnings) - warned; n > 0 {
		m.line("> %d more warnings below", n)
	}
	state := "not written"
	if h.Written != "" {
		state = "written as `" + tick(h.Written) + "`"
	}
	m.line("Set `%.12s`, %s. %s", h.Set, state, h.summary())
	m.line("\n**Commands**%s\n", ref(h.Verified.Entry))
	m.list(5, quoted(shortened(h.Verified.Commands)), "nothing was run", "under Verified")
	m.line("\n**Range**: %s\n", plain(h.Verified.Range))
	m.line("**Results**: %s%s. Layers: %s. Mutation: %s.\n", countsText(h.Verified.Counts), ref(h.Verified.Entry), plain(orText(strings.Join(h.Verified.Layers, ", "), "none")), plain(h.Verified.Mutants))
	m.line("**Skipped**\n")
	m.list(5, allPlain(h.Verified.Skipped), "nothing was skipped", "under Verified")
}

// summary is the outcome of the checks in one sentence.
func (h *Handoff) summary() string {
	passed, open := 0, 0
	for _, c := range h.Checks {
		switch {
		case c.Passed:
			passed++
		case !c.Judged:
			open++
		}
	}
	s := fmt.Sprintf("%d of %d checks passed, %d not judged.", passed, len(checkups()), open)
	if h.Failed != "" {
		last := h.Checks[len(h.Checks)-1]
		s += fmt.Sprintf(" **Failed: %s; do next: %s.**", plain(h.Failed), last.Action)
	}
	return s
}

func (m *markdown) changed(h *Handoff) {
	m.section("What changed")
	m.line("Requirement: %s\n", plain(orText(h.Requirement, "not stated")))
	for _, c := range h.Changed {
		m.line("### %s\n", plain(orText(c.Capability, "Beside the capability points")))
		m.line("%s%s%s\n", plain(c.Sentence), modelMark(c.Model), requirement(c.Requirement))
		m.line("- %d changed lines in %s%s", c.Lines, orText(strings.Join(quoted(c.Files), ", "), "no file"), ref(c.Entry))
		m.line("- symbols: %s", orText(strings.Join(quoted(c.Symbols), ", "), "none"))
		m.line("- checked by: %s\n", orText(plain(checkedBy(c.Tests)), "no assertion that is known"))
	}
	m.section("Why, where it is not obvious")
	var items []string
	for _, c := range h.Choices {
		items = append(items, fmt.Sprintf("%s: %s%s%s", plain(c.What), plain(c.Why), modelMark(c.Model), ref(c.Entry)))
	}
	m.list(0, items, "no choice was made that the plan does not derive", "")
	m.section("Not changed")
	items = nil
	for _, n := range h.NotChanged {
		items = append(items, fmt.Sprintf("%s: %s", plain(n.What), plain(n.Why)))
	}
	m.list(0, items, "nothing was deliberately left alone", "")
}

func (m *markdown) rest(h *Handoff) {
	m.section("Checks")
	for _, c := range h.Checks {
		m.line("- %s: %s — %s", plain(c.Name), verdict(c), plain(c.Signal))
	}
	m.section("Verified")
	m.list(0, quoted(h.Verified.Commands), "nothing was run", "")
	m.line("")
	m.list(0, allPlain(h.Verified.Skipped), "nothing was skipped", "")
	m.section("Not verified")
	var items []string
	for _, u := range h.NotVerified {
		items = append(items, fmt.Sprintf("%s: %s", plain(u.What), plain(u.Why)))
	}
	m.list(0, items, "nothing that is known of", "")
	m.section("Remaining risk")
	m.list(0, riskLines(h.Risks), "none that is known of", "")
	if len(h.Loosened) > 0 {
		m.section("Loosened with a reason")
		for _, l := range h.Loosened {
			m.line("- %s at `%s`: %s", plain(l.Rule), tick(l.Place.String()), plain(l.Reason))
		}
	}
	m.section("Reproduce")
	m.list(0, quoted(h.Reproduce), "nothing was run", "")
	m.section("Roll back")
	m.list(0, quoted(h.RollBack), "nothing was written", "")
	m.figures(h)
}

func riskLines(risks []Risk) []string {
	var items []string
	for _, r := range risks {
		at := ""
		if p := r.Place.String(); p != "" {
			at = " at `" + tick(p) + "`"
		}
		items = append(items, fmt.Sprintf("%s%s: %s", plain(r.What), at, plain(r.Why)))
	}
	return items
}

func (m *markdown) figures(h *Handoff) {
	m.section("Budgets")
	for _, s := range h.Budgets {
		m.line("- %s: %d of %s %s%s", plain(s.Budget), s.Used, limitText(s.Limit), plain(s.Unit), ref(s.Entry))
	}
	for _, u := range h.Layers {
		m.line("- context, %s: %d of %d tokens, %d items, %d dropped", u.Layer, u.Used, u.Quota+u.Received, u.Items, u.Dropped)
	}
	if len(h.Budgets)+len(h.Layers) == 0 {
		m.line("- not recorded")
	}
	for _, w := range h.Warnings {
		m.line("- warning: %s", plain(w))
	}
	if len(h.Graph) > 0 {
		m.section("Affected part of the graph")
		for _, e := range h.Graph {
			m.line("- `%s` → `%s` (%s)", tick(e.From), tick(e.To), plain(e.Status))
		}
	}
	m.section("Hunks")
	for _, k := range h.Hunks {
		m.hunk(k)
	}
	if len(h.Hunks) == 0 {
		m.line("- none")
	}
}

func (m *markdown) hunk(k patch.Hunk) {
	m.line("`%s` line %d, %s, action %s, capability point %s\n", tick(k.File), k.NewLine, orText(string(k.Class), "meant"), orText(plain(k.Action), "none"), orText(plain(k.Capability), "none"))
	fence := fenceFor(slices.Concat(k.Old, k.New))
	m.line("%sdiff", fence)
	for _, l := range k.Old {
		m.line("-%s", l)
	}
	for _, l := range k.New {
		m.line("+%s", l)
	}
	m.line("%s\n", fence)
}

// fenceFor is a fence that no line closes.
func fenceFor(lines []string) string {
	fence := "```"
	for slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, fence) }) {
		fence += "`"
	}
	return fence
}

func verdict(c Check) string {
	switch {
	case !c.Judged:
		return "**not judged**"
	case c.Passed:
		return "passed"
	}
	return fmt.Sprintf("**failed, do next: %s**", c.Action)
}

func limitText(n int64) string {
	if n == 0 {
		return "no limit,"
	}
	return fmt.Sprint(n)
}

func modelMark(model bool) string {
	if model {
		return " *(written by a model)*"
	}
	return ""
}

func requirement(id string) string {
	if id == "" {
		return ""
	}
	return " (requirement " + plain(id) + ")"
}

// ref is the link to the ledger entry behind a figure.
func ref(entry string) string {
	if entry == "" {
		return " (no ledger entry)"
	}
	return " (ledger `" + tick(entry) + "`)"
}

// plain keeps a text from outside to one line without markup.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "|", "\\|", "#", "\\#").Replace(s)
}

// tick makes a text fit between backticks.
func tick(s string) string { return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "`", "'") }

// mostCommand is how much of a command, in bytes, the head of the page shows: one
// that names its tests one by one can be longer than the rest of the page.
const mostCommand = 400

// shortened leaves out the middle of long commands and says how much.
func shortened(list []string) []string {
	out := slices.Clone(list)
	for i, s := range out {
		if len(s) > mostCommand {
			head, tail := strings.ToValidUTF8(s[:mostCommand/2], ""), strings.ToValidUTF8(s[len(s)-mostCommand/2:], "")
			out[i] = fmt.Sprintf("%s … (%d bytes left out; whole under Verified) … %s", head, len(s)-len(head)-len(tail), tail)
		}
	}
	return out
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = "`" + tick(s) + "`"
	}
	return out
}

func allPlain(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = plain(s)
	}
	return out
}
