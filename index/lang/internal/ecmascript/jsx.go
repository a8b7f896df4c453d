package ecmascript

import "github.com/plumbkit/plumb/index"

// jsx reads an element or fragment, or an expression in braces.
func (x *extractor) jsx(n, want int32) int32 {
	switch x.kind(n) {
	case kJSXExpression:
		return x.last(n, want)
	case kJSXSelfClosing:
		x.tag(n)
	case kJSXElement:
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			switch x.kind(c) {
			case kJSXOpening:
				x.tag(c)
			case kJSXClosing:
				if name := x.child(c, x.g.name); name >= 0 {
					x.component(name, -1)
				}
			case kJSXElement, kJSXSelfClosing, kJSXExpression:
				x.expr(c, -1)
			}
		}
	}
	return x.Make(opElement, -1, -1, -1)
}

// tag reads an opening tag: the component, and its attributes.
func (x *extractor) tag(n int32) {
	props := int32(-1)
	if name := x.child(n, x.g.name); name >= 0 {
		if c := x.component(name, n); c >= 0 {
			props = x.Make(opProps, -1, c, -1)
		}
	}
	if args := x.child(n, x.g.typeArguments); args >= 0 {
		from := len(x.Stack)
		x.typeList(args)
		x.Stack = x.Stack[:from]
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kJSXAttribute:
			x.attribute(c, props)
		case kJSXExpression:
			x.last(c, props)
		}
	}
}

// component reads the name of a tag: an HTML element's is lower case and no reference.
func (x *extractor) component(name, call int32) int32 {
	kind := index.RefRead
	if call >= 0 {
		kind = index.RefCall
	}
	switch x.kind(name) {
	case kIdentifier:
		text := x.t.Text(name)
		if len(text) == 0 || text[0] >= 'a' && text[0] <= 'z' {
			return -1
		}
		e := x.use(name, kind, -1, false)
		x.attributesOf(name, call)
		return e
	case kMember, kNestedIdentifier:
		return x.member(name, kind, -1)
	}
	return -1
}

// attributesOf gives the reference that was recorded at name, if one was, the
// attributes of its tag as arguments by name. Their range is the whole tag: that it
// begins before the name tells an element from a call.
func (x *extractor) attributesOf(name, tag int32) {
	last := len(x.sites) - 1
	if tag < 0 || last < 0 || x.sites[last].Start != x.nodes[name].Start {
		return
	}
	args := index.Args{Start: int(x.nodes[tag].Start), End: int(x.nodes[tag].End)}
	for c, end := tag+1, x.nodes[tag].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kJSXAttribute:
			if a := x.firstNamed(c); a >= 0 {
				args.Names = append(args.Names, string(x.t.Text(a)))
			}
		case kJSXExpression:
			args.Spread = true
		}
	}
	if x.kind(x.nodes[tag].Parent) == kJSXElement && x.nodes[tag].Next+3 < x.nodes[x.nodes[tag].Parent].Next {
		args.Names = append(args.Names, "children")
	}
	x.calls = append(x.calls, args)
	x.sites[last].Call = int32(len(x.calls) - 1)
}

func (x *extractor) attribute(n, props int32) {
	name := x.firstNamed(n)
	if name < 0 {
		return
	}
	want := int32(-1)
	if props >= 0 && x.kind(name) == kPropertyIdentifier {
		word := x.word(name)
		want = x.Make(opPropertyOf, word, props, -1)
		x.site(name, word, index.RefKey, want, -1)
	}
	for c := x.nodes[name].Next; c < x.nodes[n].Next; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.expr(c, want)
		}
	}
}
