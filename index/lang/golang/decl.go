package golang

import (
	"strconv"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// declaration reads an import, const, var or type declaration. A declaration
// without brackets is, keyword included, the range of its only name.
func (x *extractor) declaration(n int32) {
	outer := x.doc
	var own index.Range
	if !x.inside {
		own = x.doc.take(x, x.nodes[n].Start)
	}
	x.doc = docs{}
	x.specs(n, n, own)
	x.doc = outer
	x.doc.any = false
}

// specs reads the specifications among n's children. whole is the declaration
// when it has no brackets, and doc then its comment.
func (x *extractor) specs(n, whole int32, doc index.Range) {
	bracketed := x.bracketed(n)
	s := specs{}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		cover, comment := whole, doc
		if bracketed {
			cover = c
		}
		defines := x.Defines(c)
		if defines != index.KindNone {
			if bracketed {
				comment = x.doc.takeLine(x, x.nodes[c].Start, x.nodes[c].End)
			} else if doc.End == 0 {
				comment = trailing(x.src, x.nodes[c].End)
			}
		}
		switch defines {
		case index.KindConstant, index.KindVariable:
			x.valueSpec(c, cover, defines, comment, &s)
		case index.KindType, index.KindClass, index.KindInterface:
			x.typeSpec(c, cover, defines, comment)
		default:
			x.spec(c)
		}
	}
}

// spec reads what stands in a declaration beside its definitions.
func (x *extractor) spec(n int32) {
	switch k := x.kind(n); {
	case k == kComment:
		x.doc.comment(x, n)
	case x.Is(n, extract.RoleImport):
		x.importSpec(n)
	case k == kImportSpecList || k == kVarSpecList:
		x.specs(n, n, index.Range{})
	case x.nodes[n].Named():
		x.visit(n)
	}
}

func (x *extractor) bracketed(n int32) bool {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].End == x.nodes[c].Start+1 && x.src[x.nodes[c].Start] == '(' {
			return true
		}
	}
	return false
}

func (x *extractor) importSpec(n int32) {
	path := x.child(n, x.g.path)
	if path < 0 {
		return
	}
	node := &x.nodes[path]
	text, err := strconv.Unquote(string(x.src[node.Start:node.End]))
	if err != nil || text == "" {
		return
	}
	imp := index.Import{Path: text, Range: index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}}
	if name := x.child(n, x.g.name); name >= 0 {
		imp.Alias = string(x.t.Text(name))
	}
	x.f.Imports = append(x.f.Imports, imp)
	x.mark(index.MarkImport, n, text, "", 0)
	if int(node.End-node.Start) == len(text)+2 {
		word := x.intern(node.Start+1, node.End-1)
		x.sites = append(x.sites, index.Site{Name: uint32(word), Start: node.Start + 1, In: x.in, Kind: index.RefImport, Expr: -1, Call: -1})
	}
}

// specs carries what a const specification without values repeats.
type specs struct {
	typ    int32
	values []int32
	any    bool
}

func (x *extractor) valueSpec(n, whole int32, kind index.Kind, doc index.Range, prev *specs) {
	typeNode, values := x.child(n, x.g.typ), x.child(n, x.g.value)
	first, in := int32(len(x.defs)), x.in
	if !x.inside {
		x.eachName(n, func(name int32) {
			d := x.define(kind, name, n, whole, doc)
			if values >= 0 && kind == index.KindVariable {
				x.defs[d].Body = x.nodes[values].Start
			}
		})
	}
	if int(first) < len(x.defs) {
		x.in = first
	}
	if kind == index.KindVariable || typeNode >= 0 || values >= 0 || !prev.any {
		prev.any, prev.typ, prev.values = true, -1, prev.values[:0]
		if typeNode >= 0 {
			prev.typ = x.typ(typeNode, index.RefType)
		}
		if values >= 0 {
			prev.values = x.values(values, prev.typ < 0, first, prev.values)
		}
	}
	x.in = in
	x.bindSpec(n, first, prev)
}

// bindSpec gives the names of a specification their types and values.
func (x *extractor) bindSpec(n, first int32, s *specs) {
	i, count := 0, 0
	x.eachName(n, func(int32) { count++ })
	x.eachName(n, func(name int32) {
		value := int32(-1)
		if s.typ < 0 {
			value = x.valueOf(s.values, i, count)
		}
		if x.inside {
			x.bindLocal(name, s.typ, value)
		} else {
			x.defs[first+int32(i)].Type, x.defs[first+int32(i)].Value = s.typ, value
		}
		i++
	})
}

// eachName calls f with each child of n that fills the field "name".
func (x *extractor) eachName(n int32, f func(int32)) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Field == x.g.name && x.kind(c) != kComma {
			f(c)
		}
	}
}

// values reads the expressions of a list, each as part of the Def that it
// initializes: first is the Def of the first name, or len(defs).
func (x *extractor) values(n int32, want bool, first int32, to []int32) []int32 {
	last := int32(len(x.defs)) - 1
	i := int32(0)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if !x.inside && first+i <= last {
			x.in = first + i
		}
		to = append(to, x.expr(c, want))
		i++
	}
	return to
}

// valueOf returns the expression for the i-th of count names.
func (x *extractor) valueOf(values []int32, i, count int) int32 {
	switch {
	case len(values) == 1 && count > 1:
		if values[0] < 0 {
			return -1
		}
		return x.Make(opResult, -1, values[0], int32(i))
	case i < len(values):
		return values[i]
	}
	return -1
}

func (x *extractor) typeSpec(n, whole int32, kind index.Kind, doc index.Range) {
	name, typ := x.child(n, x.g.name), x.child(n, x.g.typ)
	if name < 0 {
		return
	}
	d := x.define(kind, name, n, whole, doc)
	if x.kind(n) == kTypeAlias || x.hasToken(n, "=") {
		x.defs[d].Flags |= index.DefAlias
	}
	if x.inside && !x.isBlank(name) {
		x.bind(x.word(name), x.Make(opDef, -1, d, -1)+1)
	}
	in := x.in
	x.in = d
	mark := x.open()
	if params := x.child(n, x.g.typeParameters); params >= 0 {
		x.typeParameters(params, d)
	}
	if typ >= 0 {
		if kind != index.KindType {
			x.defs[d].Body = x.bodyOf(typ)
		}
		e := x.typ(typ, index.RefType)
		x.defs[d].Type = e
	}
	x.close(mark)
	x.in = in
}

// bodyOf returns where the braces of a struct or interface type begin.
func (x *extractor) bodyOf(n int32) uint32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.src[x.nodes[c].Start] == '{' {
			return x.nodes[c].Start
		}
	}
	return x.nodes[n].End
}
