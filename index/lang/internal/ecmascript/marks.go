package ecmascript

import (
	"bytes"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

func (x *extractor) mark(kind index.MarkKind, n int32, text, form string, strength uint8) {
	x.markRange(kind, index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}, text, form, strength)
}

func (x *extractor) markRange(kind index.MarkKind, r index.Range, text, form string, strength uint8) {
	x.marks = append(x.marks, index.MarkFact{Kind: kind, Strength: strength, In: -1, Range: r, Text: text, Form: form})
}

// textOf returns the text of a mark of node n.
func (x *extractor) textOf(n int32) string { return extract.MarkText(x.t, n) }

// readMarks records the marks of the file: it runs once all definitions,
// references and roles are known.
func (x *extractor) readMarks() {
	x.literals()
	m := marker{extractor: x, tests: isTestFile(x.f.Path)}
	m.imports()
	m.walk()
	module := int32(-1)
	if len(x.defs) > 0 && x.defs[0].Kind == index.KindPackage {
		module = 0
	}
	extract.PlaceMarks(x.marks, x.defs, module)
}

// literals marks strings and comments, and what comments say to tools.
func (x *extractor) literals() {
	for _, n := range x.Strings {
		if k := x.kind(x.nodes[n].Parent); k != kImportStatement && k != kExportStatement && k != kImportRequire {
			x.mark(index.MarkString, n, "", "", 0)
		}
	}
	x.marks = append(x.marks, extract.CommentMarks(x.t, x.Comments, isSuppression, x.continues)...)
}

// isSuppression reports whether a comment tells a checker to look away. What
// they begin with is taken from the manuals of TypeScript, ESLint, Biome,
// Prettier, Istanbul, c8, V8, TSLint, Oxlint, Deno, Flow, Stryker, SonarQube and
// JetBrains.
func isSuppression(comment []byte) bool {
	text := bytes.TrimLeft(comment, "/*! \t\r\n")
	for _, s := range []string{"@ts-ignore", "@ts-expect-error", "@ts-nocheck", "eslint-disable", "biome-ignore", "prettier-ignore",
		"istanbul ignore", "c8 ignore", "v8 ignore", "node:coverage disable", "node:coverage ignore", "tslint:disable", "oxlint-disable",
		"deno-lint-ignore", "deno-coverage-ignore", "$FlowFixMe", "$FlowIgnore", "@flow-ignore", "Stryker disable", "NOSONAR",
		"noinspection", "jshint ignore", "jscs:disable", "standard-disable", "stylelint-disable"} {
		if bytes.HasPrefix(text, []byte(s)) {
			return true
		}
	}
	return false
}

// continues reports whether the line comment at next belongs to the group of
// line comments at r: each has a line of its own, and none lies between.
func (x *extractor) continues(r, next index.Range) bool {
	return bytes.HasPrefix(x.src[r.Start:], []byte("//")) && bytes.HasPrefix(x.src[next.Start:], []byte("//")) &&
		extract.GapLines(x.src[r.End:next.Start]) == 1 && extract.FirstOnLine(x.src, r.Start)
}

// A marker reads the marks that stand in code.
type marker struct {
	*extractor
	// tests says that the file is one that test tools collect.
	tests bool
	// from tells what names are imported as: the module and the name in it.
	from map[string]imported
	// named are further names of functions that declare tests: const it = test.extend(…).
	named map[string]string
	// constants are the values of the names that one const of the file alone
	// declares, -1 for those that several do.
	constants map[string]int32
	// blocks are the blocks of tests around the walk, innermost last.
	blocks []block
}

// An imported is what a local name stands for.
type imported struct{ module, name string }

// A block is a call that declares tests, or one test.
type block struct {
	end   int32 // the node behind it
	title string
	open  bool // the source does not tell its title
	test  bool
	rows  []string // the titles of a block that is repeated for each of a table
}

// imports reads what the file imports, as a module or by require.
func (m *marker) imports() {
	m.from, m.named, m.constants = map[string]imported{}, map[string]string{}, map[string]int32{}
	for _, im := range m.f.Imports {
		if im.Alias != "" && im.Alias != "_" && im.Alias != "*" && len(im.Symbols) == 0 {
			m.from[im.Alias] = imported{im.Path, "*"}
		}
		for i, s := range im.Symbols {
			if i < len(im.Aliases) {
				m.from[im.Aliases[i]] = imported{im.Path, s}
			}
		}
	}
	for n := range m.nodes {
		if m.kind(int32(n)) == kDeclarator {
			m.declares(int32(n))
		}
	}
	for _, im := range m.from {
		m.tests = m.tests || isTestModule(im.module)
	}
}

// declares reads const x = require("m"), const { a, b: c } = require("m") and
// const it = test.extend(…).
func (m *marker) declares(n int32) {
	name, value := m.child(n, m.g.name), m.child(n, m.g.fields.value)
	if name < 0 || value < 0 {
		return
	}
	m.constantOf(n, name, value)
	path := value
	property := "*"
	if m.kind(value) == kMember { // require("m").x
		path, property = m.child(value, m.g.object), m.textAt(m.child(value, m.g.property))
	}
	if path < 0 || m.kind(path) != kCall {
		return
	}
	function, args := m.child(path, m.g.function), m.child(path, m.g.arguments)
	if function < 0 || args < 0 {
		return
	}
	if m.kind(function) == kMember && m.textAt(m.child(function, m.g.property)) == "extend" && m.kind(name) == kIdentifier {
		if c := m.chain(m.child(function, m.g.object)); c.base != "" {
			m.named[m.textAt(name)] = m.canonical(c.base)
		}
		return
	}
	first := m.firstNamed(args)
	if m.textAt(function) != "require" || first < 0 || m.kind(first) != kString {
		return
	}
	module := m.stringValue(first)
	if m.kind(name) == kIdentifier {
		m.from[m.textAt(name)] = imported{module, property}
		return
	}
	for c, end := name+1, m.nodes[name].Next; c < end && m.kind(name) == kObjectPattern; c = m.nodes[c].Next {
		switch m.kind(c) {
		case kShorthandPattern:
			m.from[m.textAt(c)] = imported{module, m.textAt(c)}
		case kPairPattern:
			m.from[m.textAt(m.child(c, m.g.fields.value))] = imported{module, m.textAt(m.child(c, m.g.key))}
		}
	}
}

// constantOf notes what a declarator gives a name.
func (m *marker) constantOf(n, name, value int32) {
	text := m.textAt(name)
	if _, twice := m.constants[text]; twice || m.kind(m.nodes[n].Parent) != kLexical || !m.has(m.nodes[n].Parent, "const") {
		value = -1
	}
	m.constants[text] = value
}

// isTestModule reports whether a module's functions declare tests.
func isTestModule(module string) bool {
	switch module {
	case "vitest", "@jest/globals", "mocha", "node:test", "test", "bun:test", "@playwright/test", "ava", "tap", "tape", "uvu", "jasmine", "cypress":
		return true
	}
	return false
}

// textAt is the source of a node, "" for none.
func (x *extractor) textAt(n int32) string {
	if n < 0 {
		return ""
	}
	return string(x.t.Text(n))
}

// walk visits every node in order.
func (m *marker) walk() {
	for i := range m.nodes {
		n := int32(i)
		for len(m.blocks) > 0 && m.blocks[len(m.blocks)-1].end <= n {
			m.blocks = m.blocks[:len(m.blocks)-1]
		}
		switch m.kind(n) {
		case kCall:
			m.call(n)
		case kNew:
			m.placeholder(n)
		case kExpressionStatement:
			m.property(n)
		case kAs, kTypeAssertion, kTypeAnnotation:
			m.anyType(n)
		case kCatch:
			m.emptyCatch(n)
		case kOther:
			if string(m.t.Text(n)) == "debugger" && !m.nodes[n].Named() {
				m.mark(index.MarkDebug, m.nodes[n].Parent, "debugger", "breakpoint", 0)
			}
		}
	}
}

// call marks the call at n as what it is.
func (m *marker) call(n int32) {
	function := m.child(n, m.g.function)
	if function < 0 {
		return
	}
	c := m.chain(function)
	switch {
	case m.tests && (m.testCall(n, c) || m.skipCall(n, c) || m.assertion(n, c)):
	case !m.tests && m.assertsInvariant(n, c):
	case m.debug(n, c):
	default:
		m.placeholder(n)
	}
}

// A chain is a callee taken apart: base.names[0].names[1]…, where calls on the
// way, as those of each, are left out but for the innermost's arguments.
type chain struct {
	base  string // the innermost name
	names []string
	// calls are the argument lists of calls on the way, by the place in names of
	// what is called; -1 is the base.
	calls map[int]int32
}

func (c chain) has(name string) bool { return slices.Contains(c.names, name) }

func (c chain) last() string {
	if len(c.names) == 0 {
		return c.base
	}
	return c.names[len(c.names)-1]
}

// chain takes the callee at n apart.
func (m *marker) chain(n int32) chain {
	var c chain
	type called struct{ names, args int }
	var calls []called
	for depth := 0; n >= 0 && depth < maxChain; depth++ {
		switch m.kind(n) {
		case kMember:
			c.names = append(c.names, m.textAt(m.child(n, m.g.property)))
			n = m.child(n, m.g.object)
		case kCall:
			calls = append(calls, called{len(c.names), int(m.child(n, m.g.arguments))})
			n = m.child(n, m.g.function)
		case kNonNull, kParenthesized, kAwait, kInstantiation:
			n = m.firstNamed(n)
		case kIdentifier, kThis:
			c.base = m.textAt(n)
			n = -1
		default:
			n = -1
		}
	}
	slices.Reverse(c.names)
	for _, call := range calls {
		if c.calls == nil {
			c.calls = map[int]int32{}
		}
		c.calls[len(c.names)-call.names-1] = int32(call.args)
	}
	return c
}

// maxChain is how many links of a chain of calls are looked at.
const maxChain = 60

// argument returns the i-th argument of the call at n, or -1.
func (x *extractor) argument(n int32, i int) int32 {
	return x.item(x.child(n, x.g.arguments), i)
}

// item returns the i-th named child of a list, or -1.
func (x *extractor) item(list int32, i int) int32 {
	if list < 0 {
		return -1
	}
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if i == 0 {
			return c
		}
		i--
	}
	return -1
}
