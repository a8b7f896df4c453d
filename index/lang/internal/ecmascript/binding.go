package ecmascript

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A binding is what a name leads to.
type bound struct {
	ent     *entity
	others  []*entity // further ones, when it is not certain which
	module  int32     // the namespace of a module: its file
	isMod   bool
	file    int32 // of expr
	expr    int32 // a value without a name of its own, -1 for none
	outside string
	global  string // the name of what is outside and global
	missing string // why there is none
}

func (b *bound) found() bool { return b.ent != nil || b.isMod || b.expr >= 0 || b.outside != "" }

func nothing(why string) bound { return bound{expr: -1, missing: why} }

// Why a name or member has no definition.
const (
	reasonNoName   = "no declaration of this name is in scope"
	reasonNoFile   = "the import leads to no file of the repository"
	reasonNoExport = "the module exports no such name"
	reasonOpen     = "what the module exports is assigned at run time, or made by a build, so that its names are not known"
	reasonNoMember = "the receiver's type has no such member in the repository"
	reasonReceiver = "the receiver's type is not known"
	reasonAny      = "the receiver can be anything"
	reasonSeveral  = "several declarations can be meant"
	reasonUnion    = "the receiver is of a union type, whose members declare it each"
	reasonStars    = "several modules that are exported as a whole have this name"
	reasonPackages = "several packages of the repository bear the imported name"
	reasonDynamic  = "the path of the import is computed at run time"
	reasonString   = "a string that equals a name may be used as a key"
	reasonKey      = "the type that the object is expected to have is not known"
	reasonParam    = "the type parameter stands for whatever object is given"
	reasonGlobals  = "several files declare this global name"
)

// maxImports is how many imports and re-exports may follow from one another.
const maxImports = 64

// A trail is how far the search for one name has come: how many imports and
// re-exports it has followed, and which modules were asked for which export.
// Modules that export one another whole and by name lead round in circles, and
// every round would double the ways.
type trail struct {
	depth int
	seen  map[exported]bool
}

type exported struct {
	module int32
	name   string
}

func (t trail) next() trail { return trail{t.depth + 1, t.seen} }

// lookup finds what the top of a file means by a name.
func (l *linker) lookup(i int32, name string, at trail) bound {
	f := l.load(i)
	if at.depth > maxImports {
		return nothing(reasonNoName)
	}
	var b bound
	if e := f.top[name]; e != nil {
		b = bound{ent: l.withTwin(f, e), expr: -1}
		if len(f.names[name]) == 0 || e.is(index.KindClass, index.KindFunction) {
			return b
		}
	}
	for _, x := range f.names[name] {
		e := &f.facts.Exprs[x]
		if e.Op == opAlias {
			return l.bind(i, e.A, at.next())
		}
		got := l.imported(f, e, at.next())
		if b.ent == nil {
			return got
		}
		if got.ent != nil && got.ent != b.ent {
			return bound{ent: mergedEntity(b.ent, got.ent), expr: -1}
		}
	}
	if b.ent != nil {
		return b
	}
	return l.globalName(name)
}

func mergedEntity(a, b *entity) *entity {
	return &entity{name: a.name, file: a.file, kinds: a.kinds | b.kinds, defs: append(slices.Clone(a.defs), b.defs...)}
}

// withTwin adds to what a declaration file declares the code that it declares.
func (l *linker) withTwin(f *file, e *entity) *entity {
	if f.twin < 0 {
		return e
	}
	t := l.load(f.twin).top[e.name]
	if t == nil {
		if out := l.load(f.twin).out[e.name]; len(out) > 0 {
			if b := l.bind(f.twin, l.load(f.twin).facts.Exprs[out[0]].A, trail{}); b.ent != nil && b.ent.file == f.twin {
				t = b.ent
			}
		}
	}
	if t == nil {
		return e
	}
	return mergedEntity(e, t)
}

func (l *linker) globalName(name string) bound {
	l.readGlobals()
	if e := l.global[name]; e != nil {
		return bound{ent: e, expr: -1, outside: knownGlobal(name)}
	}
	if module := knownGlobal(name); module != "" {
		return bound{outside: module, global: name, expr: -1}
	}
	return nothing(reasonNoName)
}

// imported finds what an opImported or opReexport of a file leads to.
func (l *linker) imported(f *file, e *index.Expr, at trail) bound {
	if e.A < 0 || int(e.A) >= len(f.imports) || e.B < 0 {
		return nothing(reasonNoFile)
	}
	return l.from(&f.imports[e.A], f.facts.Names[f.facts.Exprs[e.B].Name], at)
}

// from finds a name of the module that an import leads to: "*" is the module
// itself, "export=" what require gives.
func (l *linker) from(p *place, name string, at trail) bound {
	switch {
	case p.file >= 0:
		return l.ofModule(p.file, name, at)
	case len(p.several) > 0:
		var b bound
		for k, s := range p.several {
			got := l.ofModule(s, name, at)
			if k == 0 || b.ent == nil {
				b = got
			} else if got.ent != nil {
				b.others = append(b.others, got.ent)
			}
		}
		return b
	case len(p.ambient) > 0:
		l.readGlobals()
		if e := l.ambient[p.ambient[0]]; e != nil {
			return l.ofAmbient(e, name)
		}
	case p.outside != "":
		return bound{outside: p.outside, expr: -1}
	}
	return nothing(reasonNoFile)
}

func (l *linker) ofModule(i int32, name string, at trail) bound {
	switch name {
	case "*":
		if b, ok := l.exportEquals(i, at); ok {
			return b
		}
		return bound{module: i, isMod: true, expr: -1}
	case "export=":
		if b, ok := l.exportEquals(i, at); ok {
			return b
		}
		return bound{module: i, isMod: true, expr: -1}
	}
	b := l.export(i, name, at)
	if b.found() {
		return b
	}
	if eq, ok := l.exportEquals(i, at); ok {
		if name == "default" {
			return eq
		}
		if got := l.part(eq, name, at); got.found() {
			return got
		}
	}
	switch {
	case l.load(i).flags&modCommonJS == 0:
		return b
	case name == "default":
		return bound{module: i, isMod: true, expr: -1}
	}
	return nothing(reasonOpen)
}

// exportEquals finds what export = or module.exports gives.
func (l *linker) exportEquals(i int32, at trail) (bound, bool) {
	f := l.load(i)
	out := f.out["export="]
	if len(out) == 0 {
		return bound{}, false
	}
	return l.bind(i, f.facts.Exprs[out[len(out)-1]].A, at.next()), true
}

// ofAmbient finds a name of a module that is declared by name.
func (l *linker) ofAmbient(e *entity, name string) bound {
	if name == "*" || name == "export=" {
		if b := l.inner(e, "export="); b.found() {
			return b
		}
		return bound{ent: e, expr: -1}
	}
	if kid := l.kid(e, name); kid != nil {
		return bound{ent: kid, expr: -1}
	}
	if b := l.inner(e, name); b.found() {
		return b
	}
	if name == "default" {
		if b := l.inner(e, "export="); b.found() {
			return b
		}
	}
	return bound{outside: e.name, expr: -1}
}

// inner finds what a declared module exports by a statement of its own.
func (l *linker) inner(of *entity, name string) bound {
	for _, t := range of.defs {
		if x, ok := l.load(t.File).inner[t.Def][name]; ok {
			return l.bind(t.File, x, trail{})
		}
	}
	return nothing(reasonNoExport)
}

// kid returns what a namespace, or declared module, holds under a name.
func (l *linker) kid(of *entity, name string) *entity {
	var found *entity
	for _, t := range of.defs {
		f := l.load(t.File)
		if k := f.facts.Defs[t.Def].Kind; k != index.KindPackage && k != index.KindEnum {
			continue
		}
		for _, k := range f.kids[t.Def] {
			if f.facts.Names[f.facts.Defs[k].Name] != name || f.ents[k] == nil || f.ents[k] == found {
				continue
			}
			if found == nil {
				found = f.ents[k]
			} else if !slices.Contains(found.defs, index.Target{File: t.File, Def: k}) {
				found = mergedEntity(found, f.ents[k])
			}
		}
	}
	return found
}

// export finds an exported name of a module. A name that the search has asked a
// module for already is not found there, whichever way leads back to it.
func (l *linker) export(i int32, name string, at trail) bound {
	f := l.load(i)
	if at.depth > maxImports || at.seen[exported{i, name}] {
		return nothing(reasonNoExport)
	}
	if at.seen == nil {
		at.seen = map[exported]bool{}
	}
	at.seen[exported{i, name}] = true
	if b := l.ownExport(i, f, name, at); b.found() {
		return b
	}
	if name == "default" {
		return nothing(reasonNoExport)
	}
	return l.starred(f, name, at)
}

func (l *linker) ownExport(i int32, f *file, name string, at trail) bound {
	var b bound
	b.expr = -1
	for _, x := range f.out[name] {
		e := &f.facts.Exprs[x]
		var got bound
		if e.Op == opReexport {
			got = l.imported(f, e, at.next())
		} else {
			got = l.bind(i, e.A, at.next())
		}
		if got.found() && !b.found() {
			b = got
		} else if b.ent != nil && got.ent != nil && got.ent != b.ent {
			b.ent = mergedEntity(b.ent, got.ent)
		}
	}
	if e := f.top[name]; e != nil && name != "default" && l.exports(f, e) {
		own := l.withTwin(f, e)
		if b.ent != nil && b.ent != own && b.ent != e {
			own = mergedEntity(own, b.ent)
		}
		return bound{ent: own, expr: -1}
	}
	return b
}

// exports reports whether one of an entity's declarations is exported; what a
// script or a declaration file declares always is.
func (l *linker) exports(f *file, e *entity) bool {
	for _, t := range e.defs {
		if t.Def >= 0 && f.facts.Defs[t.Def].Visibility == index.Public {
			return true
		}
	}
	return f.flags&(modES|modCommonJS) == 0
}

// starred looks for a name in the modules that are exported as a whole. Where one
// of them is not in the repository, as what a build makes is not, the name may be its.
func (l *linker) starred(f *file, name string, at trail) bound {
	found, outside := nothing(reasonNoExport), ""
	for _, x := range f.stars {
		a := f.facts.Exprs[x].A
		if a < 0 || int(a) >= len(f.imports) {
			continue
		}
		p := &f.imports[a]
		if p.outside != "" {
			outside = p.outside
		}
		if p.file < 0 {
			if p.outside == "" && !found.found() {
				found.missing = reasonOpen
			}
			continue
		}
		got := l.export(p.file, name, at.next())
		switch {
		case !got.found():
		case !found.found():
			found = got
		case got.ent != nil && found.ent != nil && got.ent != found.ent && got.ent.defs[0] != found.ent.defs[0]:
			found.others = append(found.others, got.ent)
		}
	}
	if !found.found() && outside != "" {
		return bound{outside: outside, expr: -1}
	}
	return found
}

// bind finds what a name or a chain of names in an expression leads to.
func (l *linker) bind(i, x int32, at trail) bound {
	return l.bindIn(i, l.load(i).facts, x, at)
}

// bindIn is bind for an expression of facts, which may be more than the Head.
func (l *linker) bindIn(i int32, facts *index.Facts, x int32, at trail) bound {
	f := l.load(i)
	if x < 0 || int(x) >= len(facts.Exprs) || at.depth > maxImports {
		return nothing(reasonNoName)
	}
	switch e := &facts.Exprs[x]; e.Op {
	case opName:
		return l.lookup(i, facts.Names[e.Name], at.next())
	case opDef:
		if e.A >= 0 {
			if ent := l.entityOf(index.Target{File: i, Def: e.A}); ent != nil {
				return bound{ent: ent, expr: -1}
			}
		}
	case opMember:
		if of := l.bindIn(i, facts, e.A, at.next()); of.isMod || of.ent != nil || of.outside != "" {
			if got := l.part(of, facts.Names[e.Name], at.next()); got.found() {
				return got
			}
		}
		return bound{file: i, expr: x}
	case opImport:
		return l.from(l.importNamed(f, facts.Names[e.Name]), "*", at.next())
	default:
		return bound{file: i, expr: x}
	}
	return nothing(reasonNoName)
}

// importNamed returns where an import of the file leads, by its path.
func (l *linker) importNamed(f *file, spec string) *place {
	for i := range f.facts.Imports {
		if f.facts.Imports[i].Path == spec {
			return &f.imports[i]
		}
	}
	return &place{file: -1, missing: true}
}

// part finds a name in a namespace or module.
func (l *linker) part(of bound, name string, at trail) bound {
	switch {
	case of.isMod:
		b := l.export(of.module, name, at.next())
		if !b.found() && l.load(of.module).flags&modCommonJS == 0 && name == "default" {
			return bound{module: of.module, isMod: true, expr: -1}
		}
		return b
	case of.ent != nil:
		if kid := l.kid(of.ent, name); kid != nil {
			return bound{ent: kid, expr: -1}
		}
	case of.outside != "":
		return bound{outside: of.outside, expr: -1}
	}
	return nothing(reasonNoExport)
}
