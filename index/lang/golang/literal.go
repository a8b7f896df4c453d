package golang

import "github.com/plumbkit/plumb/index"

// composite reads a composite literal.
func (x *extractor) composite(n int32) int32 {
	typeNode, body := x.child(n, x.g.typ), x.child(n, x.g.body)
	typ := int32(-1)
	if typeNode >= 0 {
		typ = x.typ(typeNode, index.RefType)
	}
	e := x.Make(opComposite, -1, typ, -1)
	if x.inside && isTestFile(x.f.Path) {
		x.tables = append(x.tables, table{e, n})
	}
	if body >= 0 {
		x.elements(body, e, typeNode)
	}
	return e
}

// elements reads the elements of composite e. typ is the node of its type as
// written, or -1 when that is elided or unknown.
func (x *extractor) elements(n, e, typ int32) {
	fields := x.mayHaveFields(typ)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch {
		case x.kind(c) == kKeyedElement:
			x.keyed(c, e, fields)
		case x.nodes[c].Named() && x.kind(c) != kComment:
			x.elementValue(c, e, -1)
		}
	}
}

// mayHaveFields reports whether a type can be a struct.
func (x *extractor) mayHaveFields(typ int32) bool {
	if typ < 0 {
		return true
	}
	switch x.kind(typ) {
	case kSliceType, kArrayType, kImplicitArrayType, kMapType:
		return false
	}
	return true
}

// keyed reads one key: value of composite e.
func (x *extractor) keyed(n, e int32, fields bool) {
	first := true
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if !first {
			x.elementValue(c, e, -1)
			continue
		}
		first = false
		key := c
		if x.kind(key) == kLiteralElement {
			if key = x.firstNamed(c); key < 0 {
				continue
			}
		}
		// A field may be called iota; as a value the word means nothing there.
		if k := x.kind(key); fields && (k == kIdentifier || k == kFieldIdentifier || k == kIota) {
			x.key(key, e)
			continue
		}
		x.elementValue(c, e, 1)
	}
}

// key records a name as key: a field of composite e if that is a struct, else
// whatever the name stands for.
func (x *extractor) key(n, e int32) {
	if x.isBlank(n) {
		return
	}
	word := x.word(n)
	x.site(n, word, index.RefKey, x.Make(opSelect, word, e, x.resolve(word)), -1)
}

// elementValue reads an element or key of composite e, whose type may be elided.
func (x *extractor) elementValue(n, e, asKey int32) {
	for x.kind(n) == kLiteralElement {
		if n = x.firstNamed(n); n < 0 {
			return
		}
	}
	if x.kind(n) != kLiteralValue {
		x.expr(n, false)
		return
	}
	if !x.down() {
		x.up()
		return
	}
	x.elements(n, x.Make(opComposite, asKey, -1, e), -1)
	x.up()
}
