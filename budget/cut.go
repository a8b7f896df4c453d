package budget

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A cut is one form of an item: text, and how many of the source lines
// [from, to] (0-based) it leaves out. What text says and what it leaves out add
// up: kept lines + omitted = to-from+1.
type cut struct {
	form     Form
	text     string
	from, to int
	omitted  int
}

// cutter makes the forms of one definition.
type cutter struct {
	src   *source
	all   *sources
	sym   index.Symbol
	first int // first line of the definition, without doc comment
	last  int
	doc   int // first line of the doc comment, first where there is none
	body  int // line on which the body starts
	sh    *shape
}

func newCutter(src *source, all *sources, sym index.Symbol) *cutter {
	c := &cutter{src: src, all: all, sym: sym}
	c.first, c.last = src.line(sym.Span.Start), src.line(max(sym.Span.Start, sym.Span.End-1))
	c.doc = src.docStart(all.snap, sym, c.first)
	c.body = src.line(min(max(sym.Body, sym.Span.Start), max(sym.Span.Start, sym.Span.End-1)))
	return c
}

// whole returns everything, the doc comment included.
func (c *cutter) whole() cut {
	return cut{form: Whole, text: strings.Join(c.src.lines(c.doc, c.last), "\n"), from: c.doc, to: c.last}
}

// forms returns the cuts after whole, least loss first (BUD-6), each shorter
// than the one before it.
func (c *cutter) forms(test bool) []cut {
	c.sh = shapeOf(c.src.language, c.src.lines(c.first, c.last))
	var all []cut
	switch long := c.last-c.body >= 3; {
	case isType(c.sym.Kind):
		all = []cut{c.members(), c.headLine()}
	case test && long:
		all = []cut{c.assertions(), c.headLine()}
	case long:
		all = []cut{c.summary(), c.skeleton(), c.headLine()}
	default:
		all = []cut{c.headLine()}
	}
	var out []cut
	size := len(c.whole().text)
	for _, f := range all {
		if f.omitted > 0 && len(f.text) < size*9/10 {
			out, size = append(out, f), len(f.text)
		}
	}
	return out
}

func isType(k index.Kind) bool {
	return k == index.KindClass || k == index.KindInterface || k == index.KindType || k == index.KindEnum
}

// summary keeps signature, doc, the first three lines of the body, and the returns.
func (c *cutter) summary() cut {
	keep := c.header()
	c.firstLines(keep, 3)
	c.returns(keep)
	return c.render(Summary, keep, c.doc, "the body of "+c.sym.Name)
}

// skeleton keeps the signature, what opens and closes blocks, and the returns.
func (c *cutter) skeleton() cut {
	keep := c.header()
	for i := range c.sh.text {
		if c.sh.close[i] >= 0 || strings.HasSuffix(strings.TrimSpace(c.sh.text[i]), ":") && !c.sh.goes[i] {
			c.unit(keep, i)
		}
	}
	c.returns(keep)
	return c.render(Skeleton, keep, c.first, "statements of "+c.sym.Name)
}

// members keeps a type's head and the first statement of each member.
func (c *cutter) members() cut {
	keep := c.header()
	c.unit(keep, len(keep)-1)
	for _, m := range c.all.outline(c.src.file.Path) {
		if m.Parent == c.sym.ID && m.Span.Start >= c.sym.Span.Start && m.Span.End <= c.sym.Span.End {
			at := c.src.line(m.Span.Start) - c.first
			end := c.src.line(min(max(m.Body, m.Span.Start), m.Span.End-1)) - c.first
			for i := at; i <= end && i < len(keep); i++ {
				c.unit(keep, i)
			}
		}
	}
	return c.render(Skeleton, keep, c.first, "comments and bodies of members of "+c.sym.Name)
}

// assertions keeps a test's head, its fixtures, and what can fail it.
func (c *cutter) assertions() cut {
	keep := c.header()
	c.firstLines(keep, 3)
	c.src.readMarks(c.all.snap)
	for _, m := range c.src.marks {
		inside := m.Span.Start >= c.sym.Span.Start && m.Span.End <= c.sym.Span.End
		if inside && (m.Kind == index.MarkAssertion || m.Kind == index.MarkTest || m.Kind == index.MarkSkip) {
			c.unit(keep, c.src.line(m.Span.Start)-c.first)
		}
	}
	return c.render(Assertions, keep, c.first, "the test "+c.sym.Name)
}

// headLine keeps the declaration alone.
func (c *cutter) headLine() cut {
	keep := make([]bool, len(c.sh.text))
	c.unit(keep, 0)
	out := cut{form: Line, from: c.first, to: c.last}
	var lines []string
	for i := range keep {
		if keep[i] && i <= c.body-c.first {
			lines = append(lines, c.sh.text[i])
		} else {
			out.omitted++
		}
	}
	if out.omitted > 0 {
		lines = append(lines, omission(out.omitted, c.sym.Name))
	}
	out.text = strings.Join(lines, "\n")
	return out
}

// header marks the lines down to the start of the body.
func (c *cutter) header() []bool {
	keep := make([]bool, len(c.sh.text))
	for i := 0; i <= c.body-c.first && i < len(keep); i++ {
		c.unit(keep, i)
	}
	return keep
}

// firstLines marks whole statements after the head until n lines are marked. A
// statement of more than eight lines is marked by its head alone.
func (c *cutter) firstLines(keep []bool, n int) {
	for i := c.body - c.first + 1; i < len(keep) && n > 0; {
		if keep[i] {
			i++
			continue
		}
		from, to := c.sh.statement(i)
		end := to
		if to-from >= 8 {
			_, end = c.sh.unit(i)
		}
		for j := max(from, i); j <= end; j++ {
			keep[j] = true
			n--
		}
		i = max(to, i) + 1
	}
}

// returns marks the statements that hand something back to the caller.
func (c *cutter) returns(keep []bool) {
	for i, first := range c.sh.first {
		if first == "return" || first == "yield" || first == "throw" || first == "raise" {
			c.unit(keep, i)
		}
	}
}

func (c *cutter) unit(keep []bool, i int) {
	from, to := c.sh.unit(i)
	for j := from; j <= to; j++ {
		keep[j] = true
	}
}

// render writes the marked lines, with the heads and ends of the blocks they
// stand in, and says of each gap how many lines of what it leaves out. Lines
// from `from` down to the definition are kept too.
func (c *cutter) render(form Form, keep []bool, from int, what string) cut {
	for i := range keep {
		if keep[i] {
			c.enclose(keep, i)
		}
	}
	out := c.src.lines(from, c.first-1)
	omitted := 0
	for i := 0; i < len(keep); {
		if keep[i] {
			out = append(out, c.sh.text[i])
			i++
			continue
		}
		start, indent := i, ""
		for ; i < len(keep) && !keep[i] && c.sh.within(i, start); i++ {
			if indent == "" {
				indent = c.sh.text[i][:indentOf(c.sh.text[i])]
			}
		}
		n := i - start
		omitted += n
		out = append(out, indent+omission(n, what))
	}
	return cut{form: form, text: strings.Join(out, "\n"), from: from, to: c.last, omitted: omitted}
}

func (c *cutter) enclose(keep []bool, i int) {
	for b := c.sh.block[i]; b >= 0; b = c.sh.block[b] {
		c.unit(keep, b)
		if end := c.sh.close[b]; end >= 0 {
			keep[end] = true
		}
	}
	if end := c.sh.close[i]; end >= 0 {
		c.unit(keep, end)
	}
}

// omission is the line that stands for n lines left out.
func omission(n int, what string) string {
	if n == 1 {
		return "… 1 line of " + what + " omitted"
	}
	return fmt.Sprintf("… %d lines of %s omitted", n, what)
}

// window returns a fragment: the lines [from, to] grown so that no statement of
// the enclosing symbol is cut in two, but not beyond that symbol.
func window(src *source, sym index.Symbol, from, to int) cut {
	from, to = max(from, 0), min(to, len(src.starts)-1)
	if sym.ID != "" {
		first, last := src.line(sym.Span.Start), src.line(max(sym.Span.Start, sym.Span.End-1))
		sh := shapeOf(src.language, src.lines(first, last))
		from, to = max(from, first), min(to, last)
		a, _ := sh.unit(from - first)
		_, b := sh.unit(to - first)
		from, to = first+a, first+b
	}
	return cut{form: Fragment, text: strings.Join(src.lines(from, to), "\n"), from: from, to: to}
}
