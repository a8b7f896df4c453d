package ecmascript

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// found is what a member's name leads to.
type found struct {
	what   finding
	parts  []part // one for each identity, where it was found
	module string // of what is outside
	via    uint8  // how it was found, one of the via constants
	made   []*typ // type arguments of what is outside
}

type finding uint8

const (
	findNone    finding = iota // the type has no such member
	findUnknown                // it is not known whether it has
	findAny                    // the type can be anything
	findOutside                // it has, or can have, one outside of the repository
	findHere
	findKeyed // it has any name, by an index signature: parts tell the type
)

const (
	viaOwn uint8 = iota
	viaBase
	viaInterface
	viaObject
	viaModule
	viaParam
)

// A part is one member with its declarations and what its type is evaluated of:
// a type that is fixed, an expression, or the declarations themselves.
type part struct {
	targets []index.Target
	sc      scope
	fixed   *typ
	expr    int32
	value   bool
}

func here(via uint8, p ...part) found { return found{what: findHere, parts: p, via: via} }

func outsideFound(module string) found { return found{what: findOutside, module: module} }

// maxSelect bounds bases of bases and members of unions of unions.
const maxSelect = 40

// selectMember finds a member of a type by name. this is what the members'
// own this stands for.
func (e *eval) selectMember(t *typ, name string, this *typ) found {
	return e.selectIn(t, name, this, 0)
}

func (e *eval) selectIn(t *typ, name string, this *typ, depth int) found {
	if e.steps++; t == nil || depth > maxSelect || e.steps > maxSteps {
		return found{what: findUnknown}
	}
	switch t.form {
	case formAny:
		return found{what: findAny}
	case formOutside:
		return found{what: findOutside, module: t.name, made: t.list}
	case formNamed:
		return e.inInstance(t, name, this, depth)
	case formStatic:
		return e.inStatic(t, name, this, depth)
	case formModule:
		return e.inModule(t, name)
	case formObject:
		return e.inObject(t, name, this, depth)
	case formUnion:
		return e.inUnion(t, name, this, depth)
	case formBoth:
		return e.inBoth(t, name, this, depth)
	case formParam:
		return e.inParam(t, name, this, depth)
	case formMapped:
		return e.inMapped(t, name, depth)
	case formPick:
		return e.inPick(t, name, this, depth)
	case formRecord:
		return e.inRecord(t, name)
	case formLib:
		if t.ent != nil {
			if f := e.inInstance(&typ{form: formNamed, ent: t.ent, list: t.list}, name, this, depth+1); f.what == findHere {
				return f
			}
		}
	}
	return e.inLibrary(t, name)
}

// inLibrary finds what the standard library gives to every value; the
// repository may add to its types.
func (e *eval) inLibrary(t *typ, name string) found {
	if global := libraryOf(t); global != "" {
		e.l.readGlobals()
		if ent := e.l.global[global]; ent != nil {
			if f := e.ownMember(&typ{form: formNamed, ent: ent, list: t.list}, name, t); f.what == findHere {
				return f
			}
		}
	}
	if t.form == formLib && t.ent != nil && knownGlobal(t.name) != "" {
		return outsideFound(knownGlobal(t.name))
	}
	return outsideFound(moduleES)
}

func libraryOf(t *typ) string {
	switch t.form {
	case formBasic:
		switch t.name {
		case "string":
			return "String"
		case "number":
			return "Number"
		case "boolean":
			return "Boolean"
		}
	case formText:
		return "String"
	case formTuple:
		return "Array"
	case formFunc:
		return "Function"
	case formLib:
		return t.name
	}
	return ""
}

// inInstance finds a member of a class's or interface's instance: its own, then its bases'.
func (e *eval) inInstance(t *typ, name string, this *typ, depth int) found {
	if f := e.ownMember(t, name, this); f.what == findHere {
		return f
	}
	if t.ent.is(index.KindEnum) && !t.ent.is(index.KindClass, index.KindInterface) {
		return outsideFound(moduleES)
	}
	best := found{what: findNone}
	for _, b := range e.bases(t) {
		f := e.selectIn(b, name, this, depth+1)
		switch {
		case f.what == findHere || f.what == findKeyed:
			f.via = viaBase
			return f
		case f.what == findOutside && best.what != findUnknown, f.what == findUnknown || f.what == findAny:
			if f.what == findOutside && f.module == moduleES && isObjectMember(name) || f.what != findOutside || b.form != formNamed {
				best = f
			}
		}
	}
	if best.what != findNone {
		return best
	}
	if isObjectMember(name) || knownGlobal(t.ent.name) != "" && e.l.isGlobal(t.ent) {
		return outsideFound(moduleES)
	}
	return e.keyed(t)
}

func (l *linker) isGlobal(ent *entity) bool {
	l.readGlobals()
	return l.global[ent.name] == ent
}

// ownMember finds a member among the declarations of a type itself.
func (e *eval) ownMember(t *typ, name string, this *typ) found {
	var targets []index.Target
	var decl index.Target
	via := viaOwn
	for _, d := range t.ent.defs {
		f := e.l.load(d.File)
		def := &f.facts.Defs[d.Def]
		if def.Kind != index.KindClass && def.Kind != index.KindInterface && def.Kind != index.KindFunction {
			continue
		}
		for _, k := range e.memberDefs(f, d.Def, name) {
			if m := &f.facts.Defs[k]; m.Flags&flagStatic == 0 && m.Kind != index.KindConstructor && (def.Kind != index.KindFunction || m.Owner >= 0) {
				if len(targets) == 0 {
					decl = d
				}
				targets = append(targets, index.Target{File: d.File, Def: k})
			}
		}
		if def.Kind == index.KindInterface {
			via = viaInterface
		}
	}
	if len(targets) == 0 {
		return found{what: findNone}
	}
	return here(via, part{targets: targets, sc: scope{file: decl.File, env: e.envOf(t, decl), this: this}, expr: -1})
}

// memberDefs returns the children of a Def by name, and what is assigned to its name.
func (e *eval) memberDefs(f *file, of int32, name string) (out []int32) {
	for _, k := range f.kids[of] {
		if f.facts.Names[f.facts.Defs[k].Name] == name {
			out = append(out, k)
		}
	}
	if d := &f.facts.Defs[of]; d.Parent <= 0 {
		for _, k := range f.owned[f.facts.Names[d.Name]] {
			if f.facts.Names[f.facts.Defs[k].Name] == name {
				out = append(out, k)
			}
		}
	}
	return out
}

// bases returns the types that an instance's declarations extend.
func (e *eval) bases(t *typ) (out []*typ) {
	for _, d := range t.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Type < 0 {
			continue
		}
		x := &f.Exprs[def.Type]
		if x.Op == opGeneric {
			if x.A < 0 {
				continue
			}
			x = &f.Exprs[x.A]
		}
		s := scope{file: d.File, env: e.envOf(t, d)}
		switch {
		case x.Op == opInterface:
			for _, b := range f.Lists[x.L0 : x.L0+uint32(max(0, x.A))] {
				out = append(out, e.base(d, b, s, func() *typ { return e.typ(s, b) }))
			}
		case x.Op == opClass && x.A == 1 && x.L1 > x.L0:
			b := f.Lists[x.L0]
			out = append(out, e.base(d, b, s, func() *typ { return e.baseClass(s, f, b) }))
		}
	}
	return out
}

func (e *eval) base(d index.Target, b int32, s scope, f func() *typ) *typ {
	t, _ := e.guard(question{d.File, b, askBases}, s.plain(), f)
	return t
}

// baseClass is the instance of the value that a class extends.
func (e *eval) baseClass(s scope, f *index.Facts, x int32) *typ {
	if x < 0 {
		return nil
	}
	var args []*typ
	at := x
	if f.Exprs[x].Op == opInst {
		for _, a := range e.list(f, &f.Exprs[x]) {
			args = append(args, e.typ(s, a))
		}
		at = f.Exprs[x].A
	}
	return e.instanceOf(e.value(s, at), args)
}

// keyed is what a type without a member of some name has by an index signature.
func (e *eval) keyed(t *typ) found {
	for _, d := range t.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Type < 0 {
			continue
		}
		x := &f.Exprs[def.Type]
		if x.Op == opGeneric && x.A >= 0 {
			x = &f.Exprs[x.A]
		}
		if x.Op != opInterface {
			continue
		}
		for _, v := range f.Lists[x.L0+uint32(max(0, x.A)) : x.L1] {
			if v >= 0 && f.Exprs[v].Op == opIndexed {
				return found{what: findKeyed, parts: []part{{sc: scope{file: d.File, env: e.envOf(t, d)}, expr: f.Exprs[v].B}}}
			}
		}
	}
	return found{what: findNone}
}

// inObject finds a property of an object literal or type; what stands last counts.
func (e *eval) inObject(t *typ, name string, this *typ, depth int) found {
	f := e.at(t.sc.file)
	x := &f.Exprs[t.expr]
	list := e.list(f, x)
	doubt, key := found{what: findNone}, int32(-1)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] < 0 {
			continue
		}
		switch p := &f.Exprs[list[i]]; p.Op {
		case opProperty:
			if p.A >= 0 && f.Names[f.Defs[p.A].Name] == name {
				s := t.sc
				if x.Op == opShape {
					s.this = this
				}
				if ent := e.reexported(t.sc.file, f, p); ent != nil {
					return here(viaModule, part{targets: ent.defs, fixed: e.entityValue(ent), expr: -1})
				}
				target := []index.Target{{File: t.sc.file, Def: p.A}}
				for j := i - 1; j >= 0; j-- { // overloads, and a getter with its setter
					if q := &f.Exprs[max(0, list[j])]; list[j] >= 0 && q.Op == opProperty && q.A >= 0 && f.Defs[q.A].Name == f.Defs[p.A].Name {
						target = append(target, index.Target{File: t.sc.file, Def: q.A})
					}
				}
				slices.Reverse(target)
				return here(viaObject, part{targets: target, sc: s, expr: p.B, value: x.Op == opObject})
			}
		case opSpread:
			got := e.selectIn(e.value(t.sc, p.A), name, this, depth+1)
			if got.what == findHere {
				return got
			}
			if got.what == findUnknown || got.what == findAny || got.what == findOutside && !isObjectMember(name) && got.module != moduleES {
				doubt = got
			}
		case opIndexed:
			key = p.B
		case opMapped:
			if got := e.inMapped(&typ{form: formMapped, sc: t.sc, expr: list[i]}, name, depth+1); got.what == findHere {
				return got
			}
		}
	}
	switch {
	case doubt.what != findNone:
		return doubt
	case isObjectMember(name):
		return outsideFound(moduleES)
	case key >= 0:
		return found{what: findKeyed, parts: []part{{sc: t.sc, expr: key}}}
	}
	return doubt
}

// reexported is what module.exports = { a, b: a } exports again under the name
// of a property: a declaration of the module's own or an import of it.
func (e *eval) reexported(file int32, f *index.Facts, p *index.Expr) *entity {
	d := &f.Defs[p.A]
	if p.B < 0 || d.Parent < 0 || f.Names[f.Defs[d.Parent].Name] != "exports" || f.Defs[d.Parent].Kind != index.KindConstant {
		return nil
	}
	if x := &f.Exprs[p.B]; x.Op != opName && x.Op != opMember && x.Op != opDef {
		return nil
	}
	return e.l.bindIn(file, f, p.B, trail{}).ent
}

// inUnion finds a member in every type of a union that has it.
func (e *eval) inUnion(t *typ, name string, this *typ, depth int) found {
	out := found{what: findNone}
	for _, m := range t.list {
		mine := this
		if this == t {
			mine = m
		}
		f := e.selectIn(m, name, mine, depth+1)
		switch {
		case f.what == findHere && out.what == findHere:
			out.parts = mergeParts(out.parts, f.parts)
		case f.what == findHere:
			out = f
		case out.what == findHere || f.what == findNone:
		case out.what == findNone || out.what == findOutside && out.module == moduleES:
			out = f
		}
	}
	return out
}

// mergeParts adds the parts that are other members than those there.
func mergeParts(to, from []part) []part {
	for _, p := range from {
		i := slices.IndexFunc(to, func(q part) bool { return slices.Equal(p.targets, q.targets) })
		if i < 0 {
			to = append(slices.Clip(to), p)
		}
	}
	return to
}

// inBoth finds a member in an intersection: the first that has it counts.
func (e *eval) inBoth(t *typ, name string, this *typ, depth int) found {
	out := found{what: findNone}
	for _, m := range t.list {
		f := e.selectIn(m, name, this, depth+1)
		switch {
		case f.what == findHere && out.what == findHere:
			out.parts = mergeParts(out.parts, f.parts)
		case f.what == findHere:
			out = f
		case out.what == findHere || f.what == findNone:
		case f.what == findOutside && f.module == moduleES && !isObjectMember(name) && m.form != formLib:
		case out.what == findNone || f.what == findUnknown || f.what == findKeyed:
			out = f
		}
	}
	return out
}

func (e *eval) inParam(t *typ, name string, this *typ, depth int) found {
	c := e.constraint(t)
	if c == nil {
		if isObjectMember(name) {
			return outsideFound(moduleES)
		}
		return found{what: findUnknown}
	}
	f := e.selectIn(c, name, this, depth+1)
	if f.what == findHere {
		f.via = viaParam
	}
	return f
}
