package ecmascript

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// titleSeparator stands between the titles of a test's name, as the runners of
// vitest and jest report it.
const titleSeparator = " > "

// canonical is the name in a test tool's own words of what a local name stands for.
func (m *marker) canonical(name string) string {
	if to, ok := m.named[name]; ok {
		return to
	}
	if im, ok := m.from[name]; ok {
		if im.name == "default" || im.name == "*" {
			if isTestModule(im.module) {
				return "test" // import test from "ava", "node:test"
			}
			return name
		}
		return im.name
	}
	return name
}

// declarer says what a name declares: a block of tests, or a test; skip is what
// the name itself says of whether it runs.
func declarer(name string) (isBlock, isTest bool, skip string) {
	switch name {
	case "describe", "suite", "context":
		return true, false, ""
	case "xdescribe", "xcontext":
		return true, false, "skip"
	case "fdescribe", "fcontext":
		return true, false, "only"
	case "it", "test", "specify":
		return false, true, ""
	case "xit", "xtest", "xspecify":
		return false, true, "skip"
	case "fit", "ftest":
		return false, true, "only"
	}
	return false, false, ""
}

// modifier returns the form of the skip that a word behind it or describe is,
// and whether the word may stand there at all.
func modifier(word string) (form string, known bool) {
	switch word {
	case "skip", "only", "todo":
		return word, true
	case "fails", "fail", "failing":
		return "fails", true
	case "fixme":
		return "skip", true
	case "skipIf":
		return "skip_if", true
	case "runIf":
		return "run_if", true
	case "concurrent", "sequential", "each", "for", "shuffle", "parallel", "serial", "describe", "slow", "configure":
		return "", true
	}
	return "", false
}

// testCall marks a call that declares tests, and reports whether it is one.
func (m *marker) testCall(n int32, c chain) bool {
	isBlock, isTest, skip := declarer(m.canonical(c.base))
	if !isBlock && !isTest {
		return false
	}
	table := int32(-1)
	skips := []string{skip}
	for i, word := range c.names {
		form, known := modifier(word)
		if !known {
			return false
		}
		skips = append(skips, form)
		isBlock = isBlock || word == "describe"
		if args, called := c.calls[i]; called && (word == "each" || word == "for") {
			table = args
		}
	}
	args := m.child(n, m.g.arguments)
	if last := c.last(); args < 0 || m.kind(args) != kArguments || last == "each" && table < 0 || last == "for" && table < 0 ||
		last == "skipIf" && len(c.calls) == 0 || last == "runIf" && len(c.calls) == 0 {
		return false // the table alone, whose result is called
	}
	title, options := m.argument(n, 0), m.argument(n, 1)
	if title < 0 || (isTest || isBlock && m.inTest()) && options < 0 && !slices.Contains(skips, "todo") && (isBlock || !m.isTitle(title)) || m.isFunction(title) && !isBlock {
		return false // test.skip(condition), test.skip()
	}
	for _, form := range append(skips, m.optionSkips(options)...) {
		if form != "" {
			m.mark(index.MarkSkip, m.child(n, m.g.function), m.textOf(m.child(n, m.g.function))+" "+m.textOf(title), form, 0)
		}
	}
	m.declare(n, isBlock, title, table)
	return true
}

// optionSkips reads { skip: true } and the like in a test's options.
func (m *marker) optionSkips(n int32) []string {
	if n < 0 || m.kind(n) != kObject {
		return nil
	}
	var out []string
	for c, end := n+1, m.nodes[n].Next; c < end; c = m.nodes[c].Next {
		if m.kind(c) != kPair || m.textAt(m.child(c, m.g.fields.value)) == "false" {
			continue
		}
		switch key := m.textAt(m.child(c, m.g.key)); key {
		case "skip", "only", "todo", "fails":
			out = append(out, key)
		}
	}
	return out
}

func (m *marker) isTitle(n int32) bool {
	switch m.kind(n) {
	case kString, kTemplate, kBinary:
		return true
	}
	return false
}

func (m *marker) isFunction(n int32) bool { k := m.kind(n); return k == kArrow || k == kFunction }

// declare enters the block at n, or marks the test.
func (m *marker) declare(n int32, isBlock bool, title, table int32) {
	b := block{end: m.nodes[n].Next, test: !isBlock}
	var known bool
	b.title, known = m.titleOf(title)
	b.open = !known
	if table >= 0 {
		b.open, b.rows = true, m.rows(table, b.title, known)
	}
	if isBlock {
		m.mark(index.MarkTest, n, b.title, index.FormBlock, 0)
	} else {
		m.markTest(n, b, table)
	}
	m.blocks = append(m.blocks, b)
}

// markTest marks a test, and, where its name stands for several, each of them as
// a case of it.
func (m *marker) markTest(n int32, b block, table int32) {
	open := b.open
	names := []string{""}
	for _, around := range append(slices.Clone(m.blocks), b) {
		if around.test && around.end != b.end {
			return // declared by a test while it runs
		}
		open = open || around.open
		titles := around.rows
		if !around.open {
			titles = []string{around.title}
		}
		names = combine(names, titles)
	}
	if !open {
		m.mark(index.MarkTest, n, names[0], "", 0)
		return
	}
	whole := []string{}
	for _, around := range append(slices.Clone(m.blocks), b) {
		whole = append(whole, around.title)
	}
	m.mark(index.MarkTest, n, strings.Join(whole, titleSeparator), index.FormOpen, 0)
	for i, name := range names {
		at := n
		if row := m.item(m.tableOf(table), i); row >= 0 && len(b.rows) == len(names) {
			at = row
		}
		m.mark(index.MarkTest, at, name, index.FormCase, 0)
	}
}

// maxCases is how many cases of one test are named.
const maxCases = 200

// combine puts each title behind each name, none when there are none or too many.
func combine(names, titles []string) []string {
	if len(names)*len(titles) > maxCases {
		return nil
	}
	var out []string
	for _, name := range names {
		for _, title := range titles {
			if name != "" {
				title = name + titleSeparator + title
			}
			out = append(out, title)
		}
	}
	return out
}

// skipCall marks what leaves out the test that it stands in: context.skip(),
// this.skip(), t.todo(), test.skip(condition), pending().
func (m *marker) skipCall(n int32, c chain) bool {
	form := ""
	switch last := c.last(); last {
	case "skip", "fixme":
		form = "skip"
	case "todo", "fail":
		form = map[string]string{"todo": "todo", "fail": "fails"}[last]
		if isBlock, isTest, _ := declarer(m.canonical(c.base)); last == "fail" && !isBlock && !isTest {
			return false
		}
	case "pending":
		if len(c.names) == 0 {
			form = "skip"
		}
	}
	if form == "" || len(c.names) > 1 || len(c.calls) > 0 || len(m.blocks) == 0 && len(c.names) == 0 {
		return false
	}
	if _, isTest, _ := declarer(m.canonical(c.base)); !isTest && !m.inTest() {
		return false
	}
	m.mark(index.MarkSkip, n, m.textOf(n), form, 0)
	return true
}

// inTest reports whether the walk is in a test, or in what runs around one.
func (m *marker) inTest() bool { return len(m.blocks) > 0 }
