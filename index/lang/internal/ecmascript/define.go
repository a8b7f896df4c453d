package ecmascript

import (
	"bytes"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// define adds a Def for the name at node name. node is what its fingerprint is
// taken of; whole covers the definition.
func (x *extractor) define(kind index.Kind, name, node, whole int32, doc index.Range) int32 {
	at, r := &x.nodes[name], &x.nodes[whole]
	ident := index.Range{Start: at.Start, End: at.End}
	word := int32(-1)
	if x.kind(name) == kString {
		ident.Start++
		ident.End = max(ident.Start, ident.End-1)
		word = x.intern(x.src[ident.Start:ident.End])
	} else {
		word = x.word(name)
	}
	return x.defineWord(kind, word, ident, node, index.Range{Start: r.Start, End: r.End}, doc)
}

func (x *extractor) defineWord(kind index.Kind, word int32, ident index.Range, node int32, whole, doc index.Range) int32 {
	p := uint32(len(x.params))
	d := index.Def{Name: uint32(word), Kind: kind, Visibility: x.visibility(), Parent: x.in, Owner: -1,
		Range: whole, Ident: ident, Body: whole.End, Doc: doc, P0: p, P1: p, P2: p, P3: p, Type: -1, Value: -1}
	if x.global && x.in < 0 {
		d.Flags |= flagGlobal
	}
	x.defs = append(x.defs, d)
	x.defNode = append(x.defNode, node)
	return int32(len(x.defs) - 1)
}

func (x *extractor) visibility() index.Visibility {
	switch {
	case x.inside:
		return index.Private
	case x.exported || x.ambient && x.namespace || x.global:
		return index.Public
	}
	return index.PackageWide
}

// namelessDef adds a Def for a value without a name of its own, named after the
// keyword that stands for it, and reads the value.
func (x *extractor) namelessDef(keyword, whole, value int32) int32 {
	kind := index.KindConstant
	switch x.kind(value) {
	case kArrow, kFunction:
		kind = index.KindFunction
	case kClassExpression:
		kind = index.KindClass
	}
	d := x.define(kind, keyword, value, whole, x.doc.take(x, x.nodes[whole].Start))
	x.defineValue(d, value, -1, -1)
	return d
}

// defineValue reads the value that the Def d is bound to; typ is its declared type.
func (x *extractor) defineValue(d, value, typ, want int32) {
	in := x.in
	x.in = d
	x.defs[d].Type = typ
	x.defs[d].Body = x.nodes[value].Start
	switch x.kind(value) {
	case kArrow, kFunction:
		x.functionFacts(value, d)
		x.docTypes = x.documentedTypes(d)
		e := x.functionValue(value, -1, want)
		if body := x.child(value, x.g.body); body >= 0 {
			x.defs[d].Body = x.nodes[body].Start
		}
		x.defs[d].Value = e
	case kClassExpression:
		x.class(value, d)
	default:
		x.defs[d].Value = x.expr(value, want)
	}
	if x.exprAt(x.defs[d].Value).Op == opTypeof {
		x.defs[d].Value = -1
	}
	x.in = in
}

func (x *extractor) exprAt(e int32) index.Expr {
	if e < 0 {
		return index.Expr{Op: opUnknown, Name: -1, A: -1, B: -1}
	}
	return x.Exprs[e]
}

// functionFacts writes down the parameters, result and type parameters of the
// function at n as they stand.
func (x *extractor) functionFacts(n, d int32) {
	def := &x.defs[d]
	def.P0 = uint32(len(x.params))
	if list := x.child(n, x.g.parameters); list >= 0 {
		for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
			if x.nodes[c].Named() && x.kind(c) != kComment && x.kind(c) != kDecorator {
				x.parameterFact(c, &def.Flags)
			}
		}
	} else if p := x.child(n, x.g.parameter); p >= 0 {
		x.params = append(x.params, index.Param{Name: x.line(p)})
	}
	def.P1 = uint32(len(x.params))
	if result := x.child(n, x.g.returnType); result >= 0 {
		x.params = append(x.params, index.Param{Type: x.typeText(result)})
	}
	def.P2 = uint32(len(x.params))
	x.typeParameterFacts(n, d)
}

func (x *extractor) typeParameterFacts(n, d int32) {
	def := &x.defs[d]
	if def.P2 < def.P1 || def.P1 == def.P0 && def.P2 == def.P1 && int(def.P2) != len(x.params) {
		def.P0 = uint32(len(x.params))
		def.P1, def.P2 = def.P0, def.P0
	}
	if list := x.child(n, x.g.typeParameters); list >= 0 {
		def.Flags |= index.DefGeneric
		for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
			if x.kind(c) != kTypeParameter {
				continue
			}
			p := index.Param{}
			if name := x.child(c, x.g.name); name >= 0 {
				p.Name = x.line(name)
			}
			if t := x.child(c, x.g.constraint); t >= 0 {
				if t = x.firstNamed(t); t >= 0 {
					p.Type = x.line(t)
				}
			}
			if t := x.child(c, x.g.fields.value); t >= 0 {
				if t = x.firstNamed(t); t >= 0 {
					p.Default = x.line(t)
				}
			}
			x.params = append(x.params, p)
		}
	}
	def.P3 = uint32(len(x.params))
}

func (x *extractor) parameterFact(n int32, flags *uint16) {
	p := index.Param{Optional: x.kind(n) == kOptionalParameter}
	pattern := n
	switch x.kind(n) {
	case kParameter, kOptionalParameter:
		pattern = x.child(n, x.g.pattern)
		if t := x.child(n, x.g.typ); t >= 0 {
			p.Type = x.typeText(t)
		}
		if v := x.child(n, x.g.fields.value); v >= 0 {
			p.Default, p.Optional = x.line(v), true
		}
	case kAssignmentPattern:
		pattern = x.child(n, x.g.left)
		if v := x.child(n, x.g.right); v >= 0 {
			p.Default, p.Optional = x.line(v), true
		}
	}
	if pattern < 0 || x.kind(pattern) == kThis {
		return
	}
	if x.kind(pattern) == kRestPattern {
		p.Variadic = true
		*flags |= index.DefVariadic
		if c := x.firstNamed(pattern); c >= 0 {
			pattern = c
		}
	}
	p.Name = x.line(pattern)
	x.params = append(x.params, p)
}

// typeText is the text of a type annotation without its colon.
func (x *extractor) typeText(n int32) string {
	switch x.kind(n) {
	case kTypeAnnotation, kPredicateAnnotation, kAssertsAnnotation:
		if c := x.firstNamed(n); c >= 0 {
			return x.line(c)
		}
		return ""
	}
	return x.line(n)
}

// maxText is how long the text of a type or default value is kept.
const maxText = 400

// line is the text of node n on one line.
func (x *extractor) line(n int32) string {
	text := x.t.Text(n)
	if len(text) > maxText {
		text = text[:maxText]
	}
	if bytes.IndexByte(text, '\n') >= 0 {
		return string(bytes.Join(bytes.Fields(text), []byte(" ")))
	}
	return string(text)
}

// sortDefs puts the definitions in order of their start, where decorators or
// readings of broken parts left them out of order.
func (x *extractor) sortDefs() {
	found := x.found()
	if place := found.SortDefs(); place != nil {
		x.defs, x.defNode = found.Defs, extract.Moved(x.defNode, place)
	}
}
