package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// annotation reads a type: an expression in which strings are types too.
func (x *extractor) annotation(n int32) int32 {
	was := x.typing
	x.typing = true
	e := x.expr(n)
	x.typing = was
	return e
}

// stringValue reads a string, or adjacent strings: what is interpolated, or in
// a type what the string says.
func (x *extractor) stringValue(n int32) int32 {
	if x.typing && x.kind(n) == kString {
		if text, ok := x.literal(n); ok {
			p := typeParser{x: x, text: text, at: x.stringStart(n)}
			if e := p.parse(); p.ok() {
				x.docs[n] = true
				return e
			}
			x.sites = x.sites[:p.sites]
		}
	}
	x.hint(n)
	bytes := false
	for i, end := n+1, x.nodes[n].Next; i < end; {
		if x.kind(i) == kInterpolation {
			typing := x.typing
			x.typing = false
			x.each(i, func(c int32) { x.interpolated(c) })
			x.typing = typing
			i = x.nodes[i].Next
			continue
		}
		i++
	}
	if k := x.nodes[n].Start; k < uint32(len(x.src)) {
		c := x.src[k] | 0x20
		bytes = c == 'b' || c == 'r' && k+1 < uint32(len(x.src)) && x.src[k+1]|0x20 == 'b'
	}
	if bytes {
		return x.constant("bytes")
	}
	return x.constant("str")
}

// minHint is the shortest string that is taken for a name.
const minHint = 3

// hint records a string that may name a definition: one word, or a dotted path
// that linking follows.
func (x *extractor) hint(n int32) {
	text, ok := x.literal(n)
	if !ok || x.docs[n] || len(text) < minHint || len(text) > 200 {
		return
	}
	start := x.stringStart(n)
	if isIdentifier(text) {
		x.siteAt(start, x.internText(text), index.RefString, -1, -1)
		return
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ':' })
	e := int32(-1)
	for i, part := range parts {
		if !isIdentifier(part) {
			return
		}
		if word := x.internText(part); i == 0 {
			e = x.Make(opPath, word, -1, -1)
		} else {
			e = x.Make(opAttr, word, e, -1)
		}
	}
	if len(parts) < 2 {
		return
	}
	if last := parts[len(parts)-1]; strings.HasSuffix(text, last) {
		x.siteAt(start+uint32(len(text)-len(last)), x.internText(last), index.RefString, e, -1)
	}
}

// interpolated reads what stands in the braces of a string.
func (x *extractor) interpolated(n int32) {
	switch x.t.Kind(n) {
	case "type_conversion":
	case "format_specifier", "format_expression":
		x.each(n, func(c int32) { x.interpolated(c) })
	default:
		x.expr(n)
	}
}

// A typeParser reads a type that is written as a string: names with dots,
// brackets, commas, bars and literals.
type typeParser struct {
	x     *extractor
	text  string
	at    uint32 // of text in the source
	pos   int
	bad   bool
	sites int
	deep  int
}

func (p *typeParser) parse() int32 {
	p.sites = len(p.x.sites)
	return p.union()
}

func (p *typeParser) ok() bool {
	p.space()
	return !p.bad && p.pos == len(p.text) && p.pos > 0
}

func (p *typeParser) space() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

// take reports whether c comes next, and passes it.
func (p *typeParser) take(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *typeParser) union() int32 {
	if p.deep++; p.deep > 50 {
		p.bad = true
		return -1
	}
	e := p.primary()
	for !p.bad && p.take('|') {
		e = p.x.Make(opOr, -1, e, p.primary())
	}
	p.deep--
	return e
}

func (p *typeParser) primary() int32 {
	p.space()
	if p.pos >= len(p.text) {
		p.bad = true
		return -1
	}
	switch c := p.text[p.pos]; {
	case c == '[':
		return p.list(p.pos, '[', ']', opList, -1)
	case c == '(':
		return p.list(p.pos, '(', ')', opTuple, -1)
	case c == '\'' || c == '"':
		return p.literal(c)
	case strings.HasPrefix(p.text[p.pos:], "..."):
		p.pos += 3
		return p.x.constant("ellipsis")
	case c >= '0' && c <= '9':
		for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
			p.pos++
		}
		return p.x.constant("int")
	}
	return p.name()
}

// literal reads a string in the string: a type again, or a value of Literal.
func (p *typeParser) literal(quote byte) int32 {
	end := strings.IndexByte(p.text[p.pos+1:], quote)
	if end < 0 {
		p.bad = true
		return -1
	}
	from := p.pos + 1
	p.pos += end + 2
	inner := typeParser{x: p.x, text: p.text[from : from+end], at: p.at + uint32(from), deep: p.deep}
	if e := inner.parse(); inner.ok() {
		return e
	}
	p.x.sites = p.x.sites[:inner.sites]
	return p.x.constant("str")
}

// name reads a dotted name and what stands in brackets behind it.
func (p *typeParser) name() int32 {
	e := int32(-1)
	for first := true; first || p.take('.'); first = false {
		p.space()
		start := p.pos
		for p.pos < len(p.text) && (p.text[p.pos] == '_' || p.text[p.pos] >= 0x80 || isIdentifier(p.text[start:p.pos+1])) {
			p.pos++
		}
		if !isIdentifier(p.text[start:p.pos]) {
			p.bad = true
			return -1
		}
		e = p.site(p.text[start:p.pos], start, e, first)
	}
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == '[' {
		return p.list(p.pos, '[', ']', opIndex, e)
	}
	return e
}

func (p *typeParser) site(text string, start int, base int32, first bool) int32 {
	word := p.x.internText(text)
	at := p.at + uint32(start)
	if !first {
		e := p.x.Make(opAttr, word, base, -1)
		p.x.siteAt(at, word, index.RefType, e, -1)
		return e
	}
	if text == "None" {
		return p.x.constant("None")
	}
	e, site := p.x.resolve(word)
	if site {
		p.x.siteAt(at, word, index.RefType, p.x.sited(word, e), -1)
	}
	return e
}

// list reads what stands between two brackets, separated by commas.
func (p *typeParser) list(_ int, open, closing byte, op uint8, base int32) int32 {
	from := len(p.x.Stack)
	p.take(open)
	for !p.bad && !p.take(closing) {
		p.x.Push(p.union())
		if !p.take(',') {
			if !p.take(closing) {
				p.bad = true
			}
			break
		}
	}
	if p.bad || op == opIndex && base < 0 {
		p.x.Stack = p.x.Stack[:from]
		return -1
	}
	return p.x.MakeList(op, -1, base, -1, from)
}

// typeAlias reads "type A[T] = B".
func (x *extractor) typeAlias(n int32) {
	var parts []int32
	x.each(n, func(c int32) { parts = append(parts, c) })
	if len(parts) < 2 {
		x.operands(n)
		return
	}
	name := parts[0]
	for x.kind(name) != kIdentifier {
		if name = x.first(name); name < 0 {
			return
		}
	}
	if f := x.function(); f.kind == frameFunction {
		x.target(name, x.annotation(parts[1]), -1, name)
		return
	}
	d := x.define(index.KindType, name, n)
	x.defs[d].Flags |= index.DefAlias
	x.function().members[x.word(name)] = d
	x.give(d, x.annotation(parts[1]))
}
