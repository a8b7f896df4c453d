package ecmascript

import (
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/index"
)

// A file is what linking keeps of one file.
type file struct {
	dir     string
	pkg     string
	imports []place
	twin    int32 // the file that declares it, or that it declares; -1 for none

	once sync.Once
	// facts is the file's Head, set once it is loaded, as is all that follows.
	facts *index.Facts
	flags int32 // of its opModule
	kids  map[int32][]int32
	owned map[string][]int32 // members that are assigned to a name
	ents  []*entity          // by Def
	top   map[string]*entity
	types []atomic.Pointer[typ]
	names map[string][]int32         // by name: opImported and opAlias
	out   map[string][]int32         // by name: opExported and opReexport
	stars []int32                    // opStar
	inner map[int32]map[string]int32 // what declared modules export, by their Def and name
}

// An entity is one name with all that declares it: the declarations of an
// interface in several places, the overloads of a function, a class and the
// namespace that extends it, a constant and a type of the same name.
type entity struct {
	name  string
	file  int32
	defs  []index.Target
	kinds uint16 // which kinds are among defs, a bit each
}

func (e *entity) is(kinds ...index.Kind) bool {
	for _, k := range kinds {
		if e.kinds&(1<<k) != 0 {
			return true
		}
	}
	return false
}

func (l *linker) def(t index.Target) *index.Def { return &l.files[t.File].facts.Defs[t.Def] }

// load reads the definitions of a file, once.
func (l *linker) load(i int32) *file {
	f := &l.files[i]
	f.once.Do(func() { l.read(i, f) })
	return f
}

func (l *linker) read(i int32, f *file) {
	facts := l.u.Head(int(i))
	f.facts = facts
	f.types = make([]atomic.Pointer[typ], len(facts.Defs))
	f.ents = make([]*entity, len(facts.Defs))
	f.kids, f.owned, f.top = map[int32][]int32{}, map[string][]int32{}, map[string]*entity{}
	f.names, f.out, f.inner = map[string][]int32{}, map[string][]int32{}, map[int32]map[string]int32{}
	groups := map[scoped]*entity{}
	for d := range facts.Defs {
		def := &facts.Defs[d]
		if def.Owner >= 0 {
			f.owned[facts.Names[def.Owner]] = append(f.owned[facts.Names[def.Owner]], int32(d))
			continue
		}
		parent := def.Parent
		if parent == 0 && facts.Defs[0].Kind == index.KindPackage {
			parent = -1
		}
		if parent >= 0 {
			f.kids[parent] = append(f.kids[parent], int32(d))
		}
		f.ents[d] = groupDef(groups, facts, i, int32(d), parent)
		if parent < 0 && d > 0 && def.Flags&(flagGlobal|flagHidden|flagValue) == 0 && def.Visibility != index.Private {
			if name := facts.Names[def.Name]; f.top[name] == nil || !ofObject(def) {
				f.top[name] = f.ents[d]
			}
		}
	}
	l.readModule(f)
}

// A scoped is a name in the scope of a Def, -1 for the file's own.
type scoped struct {
	parent int32
	name   uint32
	global bool
	local  bool // of a function that has no Def
	member bool // of an object that has no Def
}

// ofObject reports whether a Def is of a kind that only members are.
func ofObject(d *index.Def) bool {
	return d.Kind == index.KindMethod || d.Kind == index.KindField || d.Kind == index.KindConstructor
}

// groupDef adds a Def to the entity of its name and scope. Inside of functions
// blocks are scopes too, so that there each Def stands alone but for overloads.
func groupDef(groups map[scoped]*entity, facts *index.Facts, file, d, parent int32) *entity {
	def := &facts.Defs[d]
	key := scoped{parent, def.Name, def.Flags&flagGlobal != 0, parent < 0 && def.Visibility == index.Private, parent < 0 && ofObject(def)}
	e := groups[key]
	if d == 0 {
		e = nil // the module's own
	}
	if e != nil && (parent >= 0 && !isScope(facts.Defs[parent].Kind) || parent < 0 && def.Visibility == index.Private) {
		last := &facts.Defs[e.defs[len(e.defs)-1].Def]
		if last.Kind != index.KindFunction || def.Kind != index.KindFunction || last.Flags&index.DefAbstract == 0 {
			e = nil
		}
	}
	if e == nil || def.Flags&flagHidden != 0 {
		e = &entity{name: facts.Names[def.Name], file: file}
		if def.Flags&flagHidden == 0 && d > 0 {
			groups[key] = e
		}
	}
	e.defs = append(e.defs, index.Target{File: file, Def: d})
	e.kinds |= 1 << def.Kind
	return e
}

func isScope(k index.Kind) bool {
	switch k {
	case index.KindPackage, index.KindClass, index.KindInterface, index.KindEnum:
		return true
	}
	return false
}

// readModule reads what the file's own Def says of imports and exports.
func (l *linker) readModule(f *file) {
	facts := f.facts
	if len(facts.Defs) == 0 || facts.Defs[0].Value < 0 || facts.Defs[0].Kind != index.KindPackage {
		return
	}
	m := &facts.Exprs[facts.Defs[0].Value]
	if m.Op != opModule {
		return
	}
	f.flags = m.A
	for _, x := range facts.Lists[m.L0:m.L1] {
		if x < 0 {
			continue
		}
		switch e := &facts.Exprs[x]; e.Op {
		case opImported, opAlias:
			f.names[facts.Names[e.Name]] = append(f.names[facts.Names[e.Name]], x)
		case opExported:
			if e.B >= 0 {
				if f.inner[e.B] == nil {
					f.inner[e.B] = map[string]int32{}
				}
				f.inner[e.B][facts.Names[e.Name]] = e.A
				continue
			}
			f.out[facts.Names[e.Name]] = append(f.out[facts.Names[e.Name]], x)
		case opReexport:
			f.out[facts.Names[e.Name]] = append(f.out[facts.Names[e.Name]], x)
		case opStar:
			f.stars = append(f.stars, x)
		}
	}
}

// readGlobals collects the global names and the declared modules, once.
func (l *linker) readGlobals() {
	l.once.Do(func() {
		l.global, l.ambient = map[string]*entity{}, map[string]*entity{}
		for _, i := range l.globals {
			f := l.load(i)
			script := f.flags&(modES|modCommonJS) == 0
			for d := range f.facts.Defs {
				def := &f.facts.Defs[d]
				switch {
				case d == 0 || def.Owner >= 0 || def.Parent > 0 || def.Visibility == index.Private:
				case def.Flags&flagValue != 0:
					addTo(l.ambient, f, i, int32(d))
				case def.Flags&flagGlobal != 0, script && def.Flags&flagHidden == 0:
					addTo(l.global, f, i, int32(d))
				}
			}
		}
	})
}

func addTo(to map[string]*entity, f *file, i, d int32) {
	def := &f.facts.Defs[d]
	name := f.facts.Names[def.Name]
	e := to[name]
	if e == nil {
		e = &entity{name: name, file: i}
		to[name] = e
	}
	e.defs = append(e.defs, index.Target{File: i, Def: d})
	e.kinds |= 1 << def.Kind
}

// entityOf returns what a Def is part of.
func (l *linker) entityOf(t index.Target) *entity {
	f := l.load(t.File)
	if t.Def < 0 || int(t.Def) >= len(f.ents) || f.ents[t.Def] == nil {
		return nil
	}
	return f.ents[t.Def]
}
