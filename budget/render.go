package budget

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text renders the Context for a model: the task, what to ask before editing,
// how the files are written, every item, what was left out, and the acceptance
// sentences last. It holds Used tokens.
func (c *Context) Text() string {
	var b strings.Builder
	b.WriteString(c.head())
	signatures := false
	for _, it := range c.Items {
		if it.Layer == Signatures && it.Form == Line && !signatures {
			signatures = true
			b.WriteString("## signatures\n")
		}
		b.WriteString(it.render())
	}
	b.WriteString(c.tail(c.leftOut()))
	return b.String()
}

// frame is everything in Text that is no item.
func (c *Context) frame(leftOut string) string {
	return c.head() + "## signatures\n" + c.tail(leftOut)
}

func (c *Context) head() string {
	var b strings.Builder
	b.WriteString("# Task")
	if c.Task != "" {
		b.WriteString(" " + c.Task)
	}
	b.WriteString("\n" + strings.TrimSpace(c.Requirement) + "\n\n")
	if c.Whole {
		b.WriteString("The repository is small and stands here as a whole.\n\n")
	}
	for _, a := range c.Ambiguities {
		fmt.Fprintf(&b, "ask before edit: %q: %s", a.Anchor, a.Reason)
		for i, id := range a.Candidates {
			if i == mostCallers {
				fmt.Fprintf(&b, ", and %d more", len(a.Candidates)-i)
				break
			}
			sep := ", "
			if i == 0 {
				sep = ": "
			}
			b.WriteString(sep + id)
		}
		b.WriteString("\n")
	}
	for _, r := range c.Requests {
		if r.Got == "" {
			fmt.Fprintf(&b, "asked for and not known: %s; near: %s\n", r.Name, strings.Join(r.Near, ", "))
		}
	}
	for _, s := range c.Styles {
		fmt.Fprintf(&b, "style of %s\n", s)
	}
	return b.String() + "\n"
}

// String renders a style in one line.
func (s Style) String() string {
	text := fmt.Sprintf("%s: indent %s, width %d, line ends %s", s.File, s.Indent, s.Width, s.EOL)
	if s.Quotes != "" {
		text += ", quotes " + s.Quotes
	}
	return text
}

func (c *Context) tail(leftOut string) string {
	var b strings.Builder
	b.WriteString("\n" + leftOut)
	if len(c.Acceptance) > 0 {
		b.WriteString("# Acceptance\n")
		for _, a := range c.Acceptance {
			b.WriteString("- " + a + "\n")
		}
	}
	return b.String()
}

// leftOut says, layer by layer, how much was recalled and is not here.
func (c *Context) leftOut() string {
	n := make(map[Layer]int)
	for _, d := range c.Dropped {
		n[d.Layer]++
	}
	var parts []string
	for _, l := range Layers() {
		if n[l] > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", n[l], l))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Left out, see the ledger: " + strings.Join(parts, ", ") + ".\n"
}

// leftOutBound is the longest that leftOut can become.
func leftOutBound(*Context) string {
	var parts []string
	for _, l := range Layers() {
		parts = append(parts, fmt.Sprintf("%d of %s", 99999, l))
	}
	return "Left out, see the ledger: " + strings.Join(parts, ", ") + ".\n"
}

// Ledger renders the Context for a reviewer: seeds, ambiguities, the use of
// each layer, every item with its tokens, form and reason, and what was dropped
// and why. The same facts stand in the JSON document.
func (c *Context) Ledger() string {
	var b strings.Builder
	fmt.Fprintf(&b, "context of %q on index %.12s: %d of %d tokens (%s), %d candidates, %d items, %d dropped\n", c.Task, c.Index, c.Used, c.Total, c.Counter, c.Candidates, len(c.Items), len(c.Dropped))
	if c.Whole {
		b.WriteString("the repository is small and went in as a whole\n")
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range c.Seeds {
		fmt.Fprintf(w, "seed\t%s\t%s\t%q: %s\n", s.Symbol, s.Confidence, s.Anchor, s.Why)
	}
	for _, a := range c.Ambiguities {
		fmt.Fprintf(w, "ambiguity\t%s\t%s\t%s\n", a.Anchor, a.Action, a.Reason)
	}
	for _, u := range c.Layers {
		fmt.Fprintf(w, "layer\t%s\tquota %d, received %d, used %d\t%d items, %d dropped\n", u.Layer, u.Quota, u.Received, u.Used, u.Items, u.Dropped)
	}
	for _, it := range c.Items {
		fmt.Fprintf(w, "item\t%s:%d %s\t%s, %s, %d tokens\t%s\n", it.Span.File, it.Span.Line, it.Symbol, it.Layer, it.Form, it.Tokens, it.Why)
	}
	for _, d := range c.Dropped {
		fmt.Fprintf(w, "dropped\t%s:%d %s\t%s, %d tokens\t%s\n", d.File, d.Line, d.Symbol, d.Layer, d.Tokens, d.Why)
	}
	w.Flush()
	return b.String()
}
