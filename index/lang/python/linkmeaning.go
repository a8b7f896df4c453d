package python

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A meaning is one thing that a name can stand for.
type meaning struct {
	targets []index.Target // one identity
	mod     *module
	path    string // outside module
	name    string // in it, "" for the module itself
	rule    string
	reason  string // why it is not certain, "" if it is
	dynamic bool
	missing bool // it should lie in the repository and does not
}

// lookup returns what a name of the module's scope stands for: a definition or
// import of the file, something from a star import, or a builtin. Several
// meanings are the variants of different branches.
func (e *eval) lookup(name string) []meaning {
	if ms := e.l.namesOf(e.file, name, e.cycle); len(ms) > 0 {
		return ms
	}
	if builtins()[name] {
		return []meaning{{path: builtinsModule, name: name, rule: ruleScope}}
	}
	return nil
}

// namesOf returns what a name bound in a module, or imported into it by a star,
// stands for.
func (l *linker) namesOf(file int32, name string, c *cycle) []meaning {
	return l.namesIn(file, name, c, 0)
}

// maxReexports is how many files an import is followed through.
const maxReexports = 24

func (l *linker) namesIn(file int32, name string, c *cycle, depth int) []meaning {
	if depth > maxReexports {
		return nil
	}
	f := l.load(file)
	if bs := f.names[name]; len(bs) > 0 {
		return l.boundTo(file, bs, c, depth)
	}
	for _, n := range f.stars {
		im := &f.facts.Imports[n]
		r := l.imported(file, im.Path)
		m := r.module()
		if m == nil || m.file < 0 || m.file == file {
			continue
		}
		if ms := l.namesIn(m.file, name, c, depth+1); len(ms) > 0 && l.exports(m.file, name) {
			for i := range ms {
				ms[i].rule = ruleStar
				if r.dynamic || len(r.several) > 1 {
					ms[i].reason, ms[i].dynamic = l.doubt(r), r.dynamic
				}
			}
			return ms
		}
	}
	for _, n := range f.stars {
		im := &f.facts.Imports[n]
		if r := l.imported(file, im.Path); r.outside && !builtins()[name] && !strings.HasPrefix(name, "_") {
			return []meaning{{path: im.Path, name: name, rule: ruleStar}}
		}
	}
	return nil
}

// exports reports whether a star import takes the name.
func (l *linker) exports(file int32, name string) bool {
	f := l.load(file)
	for _, b := range f.names[name] {
		if b.def >= 0 {
			return f.facts.Defs[b.def].Visibility == index.Public
		}
	}
	return !strings.HasPrefix(name, "_")
}

// boundTo returns the meanings of a name's bindings. The last one that stands
// in no branch, and what follows it, counts. An assignment does not end what a
// function, class or import of the name means: "f = cached(f)" is called as f,
// and what is in f is reached.
func (l *linker) boundTo(file int32, bs []bound, c *cycle, depth int) []meaning {
	f := &l.files[file]
	from := 0
	for i, b := range bs {
		if b.def < 0 || f.facts.Defs[b.def].Flags&defConditional != 0 {
			continue
		}
		if from == i || !assigned(&f.facts.Defs[b.def]) || bs[from].def >= 0 && assigned(&f.facts.Defs[bs[from].def]) {
			from = i
		}
	}
	var out []meaning
	var defs, values []index.Target
	for _, b := range bs[from:] {
		switch {
		case b.def < 0:
			for _, m := range l.importedName(file, b, c, depth) {
				out = addMeaning(out, m)
			}
		case assigned(&f.facts.Defs[b.def]) && f.facts.Defs[b.def].Flags&defConditional == 0:
			values = append(values, f.self[b.def])
		default:
			defs = append(defs, f.self[b.def])
		}
	}
	doubt := ""
	if len(defs) > 0 && l.replaced(append(slices.Clip(defs), values...)) {
		doubt = reasonRebound
	}
	for _, ts := range [][]index.Target{defs, values} {
		if len(ts) > 0 {
			out = addMeaning(out, meaning{targets: l.choose(ts, false), rule: ruleScope, reason: doubt})
		}
	}
	return out
}

// assigned reports whether a definition is a name that was given a value.
func assigned(d *index.Def) bool {
	return d.Kind == index.KindVariable || d.Kind == index.KindConstant || d.Kind == index.KindField
}

func addMeaning(ms []meaning, m meaning) []meaning {
	for _, o := range ms {
		if o.mod == m.mod && o.path == m.path && o.name == m.name && len(o.targets) == len(m.targets) &&
			(len(o.targets) == 0 || o.targets[0] == m.targets[0]) {
			return ms
		}
	}
	return append(ms, m)
}

// choose returns, of the definitions of one name in one scope, those that a
// use can mean: of overloads the implementation, of a property that which is
// read or written.
func (l *linker) choose(defs []index.Target, write bool) []index.Target {
	if len(defs) < 2 {
		return defs
	}
	var plain, overloads []index.Target
	getter := index.Target{Def: -1}
	for _, t := range defs {
		switch l.decoration(t) {
		case decoOverload:
			overloads = append(overloads, t)
		case decoSetter:
			if write {
				return []index.Target{t}
			}
		case decoProperty:
			if getter.Def < 0 {
				getter = t
			}
			plain = append(plain, t)
		default:
			plain = append(plain, t)
		}
	}
	switch {
	case len(plain) == 0 && len(overloads) > 0:
		return overloads[:1]
	case len(plain) == 0:
		return defs[:1]
	case getter.Def >= 0:
		return []index.Target{getter}
	}
	return l.lastOf(plain)
}

// lastOf returns the last definition that stands in no branch, with what follows
// it. Where that is an assignment the function or class before it is one too.
func (l *linker) lastOf(plain []index.Target) []index.Target {
	last, made := 0, -1
	def := func(i int) *index.Def { return &l.load(plain[i].File).facts.Defs[plain[i].Def] }
	for i := range plain {
		switch {
		case def(i).Flags&defConditional != 0:
			continue
		case !assigned(def(i)):
			made = -1
		case i > 0 && !assigned(def(last)):
			made = last
		}
		last = i
	}
	if made < 0 {
		return plain[last:]
	}
	return append(slices.Clone(plain[last:]), plain[made])
}

// importedName returns what one import binding stands for.
func (l *linker) importedName(file int32, b bound, c *cycle, depth int) []meaning {
	im := &l.load(file).facts.Imports[b.imp]
	r := l.imported(file, im.Path)
	if b.sym >= 0 {
		return l.symbolOf(file, im, r, im.Symbols[b.sym], c, depth)
	}
	if im.Alias == "" && strings.Contains(im.Path, ".") { // import a.b binds a
		top, _, _ := strings.Cut(im.Path, ".")
		r = l.imported(file, top)
		return l.moduleMeaning(r, top)
	}
	return l.moduleMeaning(r, im.Path)
}

// importMeaning returns what symbol sym of import imp of a file stands for, or
// with sym -1 the module that it binds.
func (l *linker) importMeaning(file, imp, sym int32, c *cycle) []meaning {
	facts := l.load(file).facts
	if imp < 0 || int(imp) >= len(facts.Imports) || sym < -1 || int(sym) >= len(facts.Imports[imp].Symbols) {
		return nil
	}
	return l.importedName(file, bound{imp: imp, sym: sym, def: -1}, c, 0)
}

// moduleMeaning returns the module that an import leads to.
func (l *linker) moduleMeaning(r located, path string) []meaning {
	switch m := r.module(); {
	case r.outside:
		return []meaning{{path: path, rule: ruleImport}}
	case m == nil:
		return []meaning{{path: path, rule: ruleImport, missing: true, reason: reasonNoModule}}
	case len(r.several) > 1 || r.dynamic:
		var out []meaning
		for _, s := range r.several {
			out = append(out, meaning{mod: s, rule: ruleImport, reason: l.doubt(r), dynamic: r.dynamic})
		}
		return out
	default:
		return []meaning{{mod: m, rule: ruleImport}}
	}
}

func (l *linker) doubt(r located) string {
	if r.dynamic {
		return reasonPaths
	}
	return reasonSeveral
}

// symbolOf returns what "from path import name" binds.
func (l *linker) symbolOf(file int32, im *index.Import, r located, name string, c *cycle, depth int) []meaning {
	m := r.module()
	if r.outside {
		return []meaning{{path: im.Path, name: name, rule: ruleImport}}
	}
	if m == nil {
		return []meaning{{path: im.Path, name: name, rule: ruleImport, missing: true, reason: reasonNoModule}}
	}
	mods := []*module{m}
	if len(r.several) > 1 || r.dynamic {
		mods = r.several
	}
	var out []meaning
	for _, m := range mods {
		for _, found := range l.memberOf(m, name, c, depth+1) {
			if len(mods) > 1 || r.dynamic {
				found.reason, found.dynamic = l.doubt(r), r.dynamic
			}
			found.rule = ruleImport
			out = addMeaning(out, found)
		}
	}
	if len(out) == 0 {
		return []meaning{{path: im.Path, name: name, rule: ruleImport, missing: true, reason: reasonNoMember, dynamic: l.lazyModule(m)}}
	}
	return out
}

// lazyModule reports whether a module makes its names when they are asked for.
func (l *linker) lazyModule(m *module) bool {
	return m.file >= 0 && len(l.load(m.file).names["__getattr__"]) > 0
}

// memberOf returns what a module's attribute or submodule of that name is.
func (l *linker) memberOf(m *module, name string, c *cycle, depth int) []meaning {
	if m.file >= 0 {
		if ms := l.namesIn(m.file, name, c, depth); len(ms) > 0 && !l.isSelf(ms, m, name) {
			return ms
		}
	}
	if sub := l.submodule(m, name); sub != nil {
		return []meaning{{mod: sub, rule: ruleImport}}
	}
	return nil
}

// isSelf reports whether a package's name leads back to the package's own
// import of its submodule, so that only the submodule can be meant.
func (l *linker) isSelf(ms []meaning, m *module, name string) bool {
	return len(ms) == 1 && ms[0].missing && l.submodule(m, name) != nil
}

// typeOfAll returns the type of what a name stands for: the union of its
// meanings, nil where one is not known.
func (e *eval) typeOfAll(ms []meaning) *typ {
	var out []*typ
	for _, m := range ms {
		out = append(out, e.typeOfMeaning(m))
	}
	if len(out) == 0 {
		return nil
	}
	if len(out) > 1 { // a branch that is not known leaves the others
		known := out[:0]
		for _, t := range out {
			if t != nil && t.form != formNone {
				known = append(known, t)
			}
		}
		out = known
	}
	return unionOf(out)
}

func (e *eval) typeOfMeaning(m meaning) *typ {
	switch {
	case m.missing:
		return nil
	case len(m.targets) > 0:
		return doubtful(e.typeOfVariants(m.targets), m.reason)
	case m.mod != nil:
		return &typ{form: formModule, mod: m.mod, doubt: m.reason}
	case m.path != "":
		return &typ{form: formOutside, path: m.path, name: m.name}
	}
	return nil
}

// typeOfVariants returns the union of the types of one identity's variants,
// those that are not known left out.
func (e *eval) typeOfVariants(ts []index.Target) *typ {
	if len(ts) == 1 {
		return e.l.typeOf(ts[0], e.cycle)
	}
	var out []*typ
	for _, t := range ts {
		if v := e.l.typeOf(t, e.cycle); v != nil {
			out = append(out, v)
		}
	}
	return unionOf(out)
}

// pathStart returns the module that the first part of a dotted path in a string names.
func (e *eval) pathStart(name string) *typ {
	if r := e.l.find(e.file, name); r.module() != nil && len(r.several) < 2 && !r.dynamic {
		return &typ{form: formModule, mod: r.module()}
	}
	return nil
}
