package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// decorated reads a definition with its decorators.
func (x *extractor) decorated(n int32) {
	var decorators []int32
	x.each(n, func(c int32) {
		switch x.kind(c) {
		case kDecorator:
			decorators = append(decorators, c)
		case kFunctionDefinition:
			x.functionDef(c, n, decorators)
		case kClassDefinition:
			x.classDef(c, n, decorators)
		default:
			x.statement(c)
		}
	})
}

// decoratorList reads decorators and returns them as one expression, -1 for none.
func (x *extractor) decoratorList(decorators []int32) int32 {
	if len(decorators) == 0 {
		return -1
	}
	from := len(x.Stack)
	for _, d := range decorators {
		e := int32(-1)
		x.each(d, func(c int32) { e = x.expr(c) })
		x.Push(e)
	}
	return x.MakeList(opTuple, -1, -1, -1, from)
}

// hasDecorator reports whether one of the decorators has the last name.
func (x *extractor) hasDecorator(decorators []int32, names ...string) bool {
	for _, d := range decorators {
		at := x.first(d)
		if at >= 0 && x.kind(at) == kCall {
			at = x.child(at, x.g.function)
		}
		last := x.lastWord(at)
		for _, name := range names {
			if last == name {
				return true
			}
		}
	}
	return false
}

// functionDef reads a function. whole is the node that it is defined by.
func (x *extractor) functionDef(n, whole int32, decorators []int32) {
	name := x.child(n, x.g.name)
	if name < 0 || x.Defines(n) == index.KindNone {
		x.operands(n)
		return
	}
	outer := x.function()
	decorated := x.decoratorList(decorators)
	d := x.define(x.functionKind(outer, name), name, whole)
	x.defs[d].Body = x.colon(n, whole)
	body := x.child(n, x.g.body)
	if body >= 0 {
		x.defs[d].Doc = x.docstring(body)
	}
	x.abstract(d, outer, decorators)
	in := x.in
	x.in = d
	f := x.frame(frameFunction, d)
	static := x.hasDecorator(decorators, "staticmethod")
	if outer.kind == frameClass {
		f.class = outer.def
	}
	x.typeParameters(n, f)
	async := x.src[x.nodes[n].Start] == 'a'
	typ, types := x.signature(n, f, decorated, async)
	if outer.kind == frameFunction || outer.kind == frameLambda {
		x.bindDef(outer, name, d)
	}
	x.fn = f
	x.parameters(n, f, d, types, decorators, static)
	if body >= 0 {
		x.bindings(body, func(word int32, sited bool) { v := x.bind(f, word); v.sited = v.sited || sited })
		x.outerNames(body, f)
		x.statement(body)
	}
	x.fn = f.outer
	x.defs[d].Type = typ
	if x.child(n, x.g.returnType) < 0 {
		x.defs[d].Value = x.inferred(f, async)
	}
	x.in = in
	x.release(f)
	x.markFunction(d, n, decorators, outer)
}

func (x *extractor) functionKind(outer *frame, name int32) index.Kind {
	switch {
	case outer.kind != frameClass:
		return index.KindFunction
	case x.text(name) == "__init__":
		return index.KindConstructor
	}
	return index.KindMethod
}

// abstract marks a method that subclasses have to write.
func (x *extractor) abstract(d int32, outer *frame, decorators []int32) {
	if outer.kind == frameClass && (outer.protocol || x.hasDecorator(decorators, "abstractmethod", "abstractproperty")) {
		x.defs[d].Flags |= index.DefAbstract
	}
}

// colon returns where the colon before the body of n stands.
func (x *extractor) colon(n, whole int32) uint32 {
	at := x.nodes[whole].End
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].End == x.nodes[c].Start+1 && x.src[x.nodes[c].Start] == ':' {
			at = x.nodes[c].Start
		}
	}
	return at
}

// bindDef binds the name of a nested function or class.
func (x *extractor) bindDef(f *frame, name, d int32) {
	if b := x.binding(x.word(name)); b.frame == f {
		v := &f.vars[b.at]
		x.set(f, v, x.Make(opDef, -1, d, -1))
	}
}

// typeParameters binds the parameters of def f[T] or class C[T].
func (x *extractor) typeParameters(n int32, f *frame) {
	list := x.child(n, x.g.typeParameters)
	if list < 0 {
		return
	}
	x.each(list, func(c int32) {
		name, bound := c, int32(-1)
		for x.kind(name) != kIdentifier {
			if x.kind(name) == kConstrainedType {
				i := 0
				x.each(name, func(part int32) {
					if i++; i == 2 {
						bound = x.annotation(part)
					}
				})
			}
			if name = x.first(name); name < 0 {
				return
			}
		}
		word := x.word(name)
		v := x.bind(f, word)
		v.cur = x.Make(opTypeParam, word, bound, -1)
		v.all = append(v.all, v.cur)
		x.params = append(x.params, index.Param{Name: x.words[word]})
		x.defs[f.def].P3++
		x.defs[f.def].Flags |= index.DefGeneric
	})
}

// signature reads the types of a function's parameters and result. Type
// parameters of its own are visible there.
func (x *extractor) signature(n int32, f *frame, decorated int32, async bool) (typ int32, types []int32) {
	x.fn = f
	defer func() { x.fn = f.outer }()
	if params := x.child(n, x.g.parameters); params >= 0 {
		x.fn = f.outer
		x.parameterDefaults(params)
		x.fn = f
		x.eachParameter(params, func(p parameter) {
			e := int32(-1)
			if p.typ >= 0 {
				e = x.annotation(p.typ)
			}
			types = append(types, e)
		})
	}
	result := int32(-1)
	if r := x.child(n, x.g.returnType); r >= 0 {
		if result = x.annotation(r); async && result >= 0 {
			result = x.Make(opAsync, -1, result, -1)
		}
	}
	from := len(x.Stack)
	for _, t := range types {
		x.Push(t)
	}
	return x.MakeList(opFunc, -1, result, decorated, from), types
}

// inferred returns what a function without declared result returns.
func (x *extractor) inferred(f *frame, async bool) int32 {
	e := int32(-1)
	switch {
	case f.yielding:
		e = x.made(opYields, f.yields)
		async = false
	case len(f.returns) > 0:
		e = x.made(opReturns, f.returns)
	}
	if e >= 0 && async {
		return x.Make(opAsync, -1, e, -1)
	}
	return e
}

// maxReturns is how many return statements a result is inferred from.
const maxReturns = 12

func (x *extractor) made(op uint8, values []int32) int32 {
	if len(values) > maxReturns {
		return -1
	}
	from := len(x.Stack)
	for _, v := range values {
		if v < 0 {
			x.Stack = x.Stack[:from]
			return -1
		}
		x.Push(v)
	}
	return x.MakeList(op, -1, -1, -1, from)
}

// outerNames takes names out of the function's scope that it declares global
// or nonlocal.
func (x *extractor) outerNames(body int32, f *frame) {
	for i, end := body, x.nodes[body].Next; i < end; i++ {
		switch x.kind(i) {
		case kGlobalStatement, kNonlocalStatement:
			x.each(i, func(c int32) { x.bind(f, x.word(c)).outer = true })
		case kFunctionDefinition, kClassDefinition:
			i = x.nodes[i].Next - 1
		}
	}
}

// A parameter is one of a list of parameters.
type parameter struct {
	node, name, typ, value int32
	stars                  int
	keyword                bool // behind a * or *args
}

// eachParameter calls f with every parameter in order.
func (x *extractor) eachParameter(n int32, f func(p parameter)) {
	keyword := false
	x.each(n, func(c int32) {
		p := parameter{node: c, name: -1, typ: -1, value: -1, keyword: keyword}
		at := c
		switch x.kind(c) {
		case kKeywordSeparator:
			keyword = true
			return
		case kPositionalSeparator:
			return
		case kDefaultParameter, kTypedDefaultParameter:
			p.typ, p.value, at = x.child(c, x.g.typ), x.child(c, x.g.value), x.child(c, x.g.name)
		case kTypedParameter:
			p.typ, at = x.child(c, x.g.typ), x.first(c)
		}
		if at >= 0 && (x.kind(at) == kListSplatPattern || x.kind(at) == kDictionarySplatPattern) {
			p.stars = int(x.nodes[at].End-x.nodes[at].Start) - len(strings.TrimLeft(x.text(at), "*"))
			keyword = true
			at = x.first(at)
		}
		if at < 0 || x.kind(at) != kIdentifier {
			return
		}
		p.name = at
		f(p)
	})
}

// parameterDefaults reads the defaults, which are evaluated outside.
func (x *extractor) parameterDefaults(n int32) {
	x.eachParameter(n, func(p parameter) {
		if p.value >= 0 {
			x.expr(p.value)
		}
	})
}

// parameters binds the parameters of function d and writes them down.
func (x *extractor) parameters(n int32, f *frame, d int32, types, decorators []int32, static bool) {
	list := x.child(n, x.g.parameters)
	if list < 0 {
		return
	}
	def := &x.defs[d]
	generic := extract.Exact(x.params[def.P2:def.P3])
	x.params = x.params[:def.P2]
	i := 0
	x.eachParameter(list, func(p parameter) {
		x.bindParameter(p, i, f, d, types[i], decorators, static)
		i++
	})
	def = &x.defs[d]
	def.P1 = uint32(len(x.params))
	if r := x.child(n, x.g.returnType); r >= 0 {
		x.params = append(x.params, index.Param{Type: x.short(r)})
	}
	def.P2 = uint32(len(x.params))
	x.params = append(x.params, generic...)
	def.P3 = uint32(len(x.params))
}

func (x *extractor) bindParameter(p parameter, i int, f *frame, d, typ int32, decorators []int32, static bool) {
	param := index.Param{Name: x.text(p.name), Variadic: p.stars > 0, Keyword: p.keyword && p.stars == 0 || p.stars == 2, Optional: p.value >= 0}
	if p.typ >= 0 {
		param.Type = x.short(p.typ)
	}
	if p.value >= 0 {
		param.Default = x.short(p.value)
	}
	if p.stars > 0 {
		x.defs[d].Flags |= index.DefVariadic
	}
	x.params = append(x.params, param)
	word := x.word(p.name)
	v := x.bind(f, word)
	v.cur = x.parameterValue(p, i, f, d, typ, decorators, static)
	v = x.bind(f, word)
	v.all = append(v.all, v.cur)
	if p.stars == 0 && x.Exprs[max(v.cur, 0)].Op == opLocal {
		v.declared = typ
	}
}

// short returns the source of a node on one line, cut to a length that a
// signature can bear.
func (x *extractor) short(n int32) string {
	text := strings.Join(strings.Fields(x.text(n)), " ")
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// parameterValue returns what a parameter stands for in the function's body.
func (x *extractor) parameterValue(p parameter, i int, f *frame, d, typ int32, decorators []int32, static bool) int32 {
	word := x.word(p.name)
	self := f.class >= 0 && i == 0 && !static && p.stars == 0
	if self {
		op := opSelf
		switch name := x.words[x.defs[d].Name]; {
		case name == "__new__", name == "__init_subclass__", name == "__class_getitem__", x.hasDecorator(decorators, "classmethod"):
			op = opCls
		}
		return x.Make(op, -1, f.class, -1)
	}
	if typ >= 0 && p.stars > 0 {
		from := len(x.Stack)
		if p.stars == 2 {
			return x.Make(opDict, -1, x.constant("str"), x.Make(opDeclared, -1, typ, -1))
		}
		x.Push(x.Make(opDeclared, -1, typ, -1))
		return x.MakeList(opList, -1, -1, -1, from)
	}
	value := int32(-1)
	if typ < 0 && p.stars == 0 && p.value < 0 && x.takesFixtures(d, decorators) {
		value = x.Make(opFixture, word, -1, -1)
		x.site(p.name, word, index.RefRead, value, -1)
	}
	return x.Make(opLocal, -1, x.local(word, typ, value), -1)
}
