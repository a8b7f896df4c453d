package python

import "github.com/plumbkit/plumb/index"

// classDef reads a class. whole is the node that it is defined by.
func (x *extractor) classDef(n, whole int32, decorators []int32) {
	name := x.child(n, x.g.name)
	if name < 0 || x.Defines(n) == index.KindNone {
		x.operands(n)
		return
	}
	outer := x.function()
	decorated := x.decoratorList(decorators)
	d := x.define(index.KindClass, name, whole)
	x.defs[d].Body = x.colon(n, whole)
	f := x.frame(frameClass, d)
	if body := x.child(n, x.g.body); body >= 0 {
		x.defs[d].Doc = x.docstring(body)
	}
	in := x.in
	x.in = d
	x.typeParameters(n, f)
	x.fn = f
	bases := x.bases(n, f, d, decorated)
	if outer.kind == frameFunction || outer.kind == frameLambda {
		x.bindDef(outer, name, d)
	}
	x.defs[d].Type = bases
	if body := x.child(n, x.g.body); body >= 0 {
		x.bindings(body, func(word int32, _ bool) { x.bind(f, word) })
		x.statement(body)
	}
	x.fn = f.outer
	x.in = in
	x.release(f)
	x.markClass(d, n)
}

// bases reads the base classes and says what kind of class it is. The class's
// own names are not bound yet; its type parameters are.
func (x *extractor) bases(n int32, f *frame, d, decorated int32) int32 {
	from := len(x.Stack)
	if args := x.child(n, x.g.superclasses); args >= 0 {
		x.each(args, func(c int32) {
			if x.kind(c) == kKeywordArgument {
				x.keyword(c, -1, false)
				if x.lastWord(x.child(c, x.g.value)) == "ABCMeta" {
					x.defs[d].Kind = index.KindInterface
				}
				return
			}
			sites := len(x.sites)
			x.Push(x.expr(c))
			x.embeds(sites)
			at := c
			if x.kind(at) == kSubscript || x.kind(at) == kGenericType {
				at = x.first(at)
			}
			x.baseKind(x.lastWord(at), f, d)
		})
	}
	return x.MakeList(opClass, -1, -1, decorated, from)
}

// embeds makes the last of the sites from from on one of a base class.
func (x *extractor) embeds(from int) {
	for i := from; i < len(x.sites); i++ {
		if s := &x.sites[i]; s.Kind == index.RefRead {
			s.Kind = index.RefEmbed
			if s.Expr >= 0 && x.Exprs[s.Expr].Op == opName && i+1 < len(x.sites) && x.Exprs[max(x.sites[i+1].Expr, 0)].Op == opAttr &&
				x.Exprs[x.sites[i+1].Expr].A == s.Expr {
				s.Kind = index.RefRead // the module before the dot
				continue
			}
			return
		}
	}
}

func (x *extractor) baseKind(base string, f *frame, d int32) {
	switch base {
	case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum":
		x.defs[d].Kind, f.enum = index.KindEnum, true
	case "Protocol":
		x.defs[d].Kind, f.protocol = index.KindInterface, true
	case "ABC":
		x.defs[d].Kind = index.KindInterface
	}
}
