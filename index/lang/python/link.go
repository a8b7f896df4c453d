package python

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/index"
)

// linker resolves the sites of all Python files of a repository. What it knows
// of modules and classes is found when it is first asked for and kept; every
// answer is a function of the Universe alone, whatever was asked before.
type linker struct {
	u        index.Universe
	files    []file
	root     *folder
	byDir    map[string]*folder
	dirs     []string // in order
	projects map[string]*project
	allRoots []*folder
	rootsOf  map[*folder][]*folder
	spaces   map[*folder]*module
	findMu   sync.Mutex
	found    map[findKey]located
	classMu  sync.Mutex
	classes  map[index.Target]*class
	work     int // as maxWork says
}

// A file is what linking keeps of one file.
type file struct {
	path, stem string
	folder     *folder
	module     *module
	init       bool
	deps       []int
	once       sync.Once
	// facts is the file's Head, set once the file is loaded, with what follows.
	facts *index.Facts
	names map[string][]bound
	stars []int32           // imports of all names
	kids  map[int32][]int32 // Defs by parent
	types []atomic.Pointer[known]
	self  []index.Target
	// overloads are the functions that are declared to be one.
	overloads map[overloadKey][]int32
}

// known is the remembered type of a definition; t is nil for not known.
type known struct {
	t    *typ
	took effort
}

// link groups files into modules and finds out where their imports lead. It
// reads no definitions.
func link(ctx context.Context, u index.Universe) (index.Linker, error) {
	l := &linker{u: u, files: make([]file, len(u.Files)), rootsOf: map[*folder][]*folder{}, spaces: map[*folder]*module{},
		found: map[findKey]located{}, classes: map[index.Target]*class{}, work: maxWork}
	l.tree()
	l.projects = projectsOf(u.Manifests, u.Has)
	l.prepareRoots()
	l.nameModules()
	for i := range l.files {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.files[i].deps = l.depsOf(int32(i))
	}
	return l, ctx.Err()
}

// prepareRoots lists the search roots of every project and of every folder.
func (l *linker) prepareRoots() {
	for dir := range l.byDir {
		l.dirs = append(l.dirs, dir)
	}
	slices.Sort(l.dirs)
	seen := map[*folder]bool{}
	add := func(f *folder) {
		if f != nil && !seen[f] {
			seen[f] = true
			l.allRoots = append(l.allRoots, f)
		}
	}
	for _, dir := range l.dirs {
		f := l.byDir[dir]
		if f.init < 0 && len(f.subs)+len(f.modules) > 0 {
			l.spaces[f] = &module{file: -1, folder: f, name: strings.ReplaceAll(dir, "/", ".")}
		}
		if p, ok := l.projects[dir]; ok {
			for _, root := range p.roots {
				add(l.byDir[root])
			}
		}
	}
	add(l.byDir["src"])
	for _, dir := range l.dirs {
		l.roots(l.byDir[dir])
	}
}

// nameModules gives each file its module name: its path below the root that it
// is imported from.
func (l *linker) nameModules() {
	for i := range l.files {
		f := &l.files[i]
		f.module = &module{file: int32(i), name: l.nameBelow(f, l.nameRoot(f))}
		if f.init {
			f.module.folder = f.folder
		}
	}
}

// nameRoot returns the folder that a file's module name is relative to.
func (l *linker) nameRoot(f *file) string {
	at := base(f.folder)
	for p := at; p != nil; p = p.parent {
		for _, q := range []*folder{p, p.parent} {
			if q == nil {
				continue
			}
			if project, ok := l.projects[q.dir]; ok && slices.Contains(project.roots, p.dir) && (p == at || p.dir != q.dir) {
				return p.dir
			}
		}
	}
	return ""
}

func (l *linker) nameBelow(f *file, root string) string {
	name := strings.TrimSuffix(f.path, path.Ext(f.path))
	if root != "" {
		name = strings.TrimPrefix(name, root+"/")
	}
	if f.init && strings.Contains(name, "/") {
		name = strings.TrimSuffix(name, "/__init__")
	}
	return strings.ReplaceAll(name, "/", ".")
}

// Package returns the module name of a file.
func (l *linker) Package(file int) string { return l.files[file].module.name }

// Deps returns the files that a file's imports lead to, packages on the way
// included, and the conftest files that its tests take fixtures from.
func (l *linker) Deps(file int) []int { return l.files[file].deps }

func (l *linker) depsOf(i int32) []int {
	seen := map[int]bool{}
	add := func(m *module) {
		if m != nil && m.file >= 0 && m.file != i {
			seen[int(m.file)] = true
		}
	}
	for _, im := range l.u.Files[i].Imports {
		r := l.imported(i, im.Path)
		for _, m := range r.parts {
			add(m)
		}
		for _, m := range r.several {
			add(m)
		}
		ms := r.several
		if m := r.module(); m != nil {
			ms = append(slices.Clip(ms), m)
		}
		for _, m := range ms {
			for _, s := range im.Symbols {
				add(l.submodule(m, s))
			}
		}
	}
	if isTestFile(l.files[i].path) {
		for f := l.files[i].folder; f != nil; f = f.parent {
			if f.conf >= 0 && f.conf != i {
				seen[int(f.conf)] = true
			}
		}
	}
	for f := l.files[i].folder; f != nil && f.init >= 0; f = f.parent {
		add(l.moduleOf(f, f.init))
	}
	deps := make([]int, 0, len(seen))
	for d := range seen {
		deps = append(deps, d)
	}
	slices.Sort(deps)
	return deps
}

// load reads the definitions of a file, once.
func (l *linker) load(i int32) *file {
	f := &l.files[i]
	f.once.Do(func() { l.read(f, i) })
	return f
}

func (l *linker) read(f *file, i int32) {
	f.facts = l.u.Head(int(i))
	f.names, f.kids = map[string][]bound{}, map[int32][]int32{}
	f.types = make([]atomic.Pointer[known], len(f.facts.Defs))
	f.self = make([]index.Target, len(f.facts.Defs))
	for d := range f.facts.Defs {
		def := &f.facts.Defs[d]
		f.self[d] = index.Target{File: i, Def: int32(d)}
		if def.Parent >= 0 {
			f.kids[def.Parent] = append(f.kids[def.Parent], int32(d))
		} else if def.Kind != index.KindPackage {
			name := f.facts.Names[def.Name]
			f.names[name] = append(f.names[name], bound{at: def.Range.Start, def: int32(d), imp: -1, sym: -1})
		}
	}
	for n := range f.facts.Imports {
		l.readImport(f, int32(n))
	}
	l.readOverloads(f)
	for _, all := range f.names {
		slices.SortStableFunc(all, func(a, b bound) int { return int(a.at) - int(b.at) })
	}
}

// readImport adds what one import of the module, not of a function in it, binds.
func (l *linker) readImport(f *file, n int32) {
	im := &f.facts.Imports[n]
	if inFunction(f.facts, im.Range.Start) {
		return
	}
	add := func(name string, sym int32) {
		f.names[name] = append(f.names[name], bound{at: im.Range.Start, def: -1, imp: n, sym: sym})
	}
	switch {
	case im.Alias == "*":
		f.stars = append(f.stars, n)
	case len(im.Symbols) > 0:
		for s := range im.Symbols {
			add(im.Aliases[s], int32(s))
		}
	case im.Alias != "":
		add(im.Alias, -1)
	default:
		top, _, _ := strings.Cut(im.Path, ".")
		add(top, -1)
	}
}

// inFunction reports whether an offset lies in a function or class.
func inFunction(facts *index.Facts, at uint32) bool {
	i, _ := slices.BinarySearchFunc(facts.Defs, at, func(d index.Def, at uint32) int {
		if d.Range.Start <= at {
			return -1
		}
		return 1
	})
	for i--; i >= 0; i-- {
		d := &facts.Defs[i]
		for p := int32(i); p >= 0; p = facts.Defs[p].Parent {
			if k := facts.Defs[p].Kind; facts.Defs[p].Range.End > at && (k == index.KindFunction || k == index.KindMethod || k == index.KindConstructor) {
				return true
			}
		}
		if d.Parent < 0 {
			return false
		}
	}
	return false
}

// A bound is one binding of a module's name: a Def, or an import of one of its
// symbols (sym), of a whole module under an alias, or of the first part of its path.
type bound struct {
	at            uint32
	def, imp, sym int32
}
