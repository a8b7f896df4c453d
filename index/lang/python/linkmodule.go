package python

import (
	"path"
	"slices"
	"strings"
)

// A folder of the repository, as imports see it.
type folder struct {
	dir     string
	parent  *folder
	init    int32            // its __init__ file, -1 for none
	modules map[string]int32 // files by module name, __init__ left out
	subs    map[string]*folder
	conf    int32 // its conftest.py, -1 for none
}

// A module is what an import leads to: a file, or a folder without __init__.
type module struct {
	file   int32 // -1 for a folder alone
	folder *folder
	name   string
}

func newFolder(dir string, parent *folder) *folder {
	return &folder{dir: dir, parent: parent, init: -1, conf: -1, modules: map[string]int32{}, subs: map[string]*folder{}}
}

// tree makes the folders. Of a module and its stub the module counts.
func (l *linker) tree() {
	l.u.Has("__init__.py")
	l.root = newFolder("", nil)
	l.byDir = map[string]*folder{"": l.root}
	for i, facts := range l.u.Files {
		f := &l.files[i]
		f.path = facts.Path
		f.folder = l.folder(dirOf(facts.Path))
		stem := strings.TrimSuffix(baseName(facts.Path), path.Ext(facts.Path))
		f.init = stem == "__init__"
		stub := strings.HasSuffix(facts.Path, ".pyi")
		switch {
		case f.init && (f.folder.init < 0 || !stub):
			f.folder.init = int32(i)
		case f.init:
		default:
			if _, ok := f.folder.modules[stem]; !ok || !stub {
				f.folder.modules[stem] = int32(i)
			}
			if stem == "conftest" {
				f.folder.conf = int32(i)
			}
		}
		f.stem = stem
	}
}

func (l *linker) folder(dir string) *folder {
	if f, ok := l.byDir[dir]; ok {
		return f
	}
	parent := l.folder(dirOf(dir))
	f := newFolder(dir, parent)
	// What a folder means changes when it becomes a package: the question makes
	// an index that is updated link everything again.
	l.u.Has(dir + "/__init__.py")
	parent.subs[baseName(dir)] = f
	l.byDir[dir] = f
	return f
}

// dirOf returns the folder of a path, "" for the root.
func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// base returns the nearest folder, from f upwards, that is no package: the one
// that is on the search path when a file in f is run or collected as a test.
func base(f *folder) *folder {
	for f.init >= 0 && f.parent != nil {
		f = f.parent
	}
	return f
}

// roots returns the folders in which a file's imports are looked for: that of
// its own package, then those of the projects around it.
func (l *linker) roots(f *folder) []*folder {
	if known, ok := l.rootsOf[f]; ok {
		return known
	}
	out := []*folder{base(f)}
	add := func(dir string) {
		if at, ok := l.byDir[dir]; ok && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	for at := f; at != nil; at = at.parent {
		if p, ok := l.projects[at.dir]; ok {
			for _, dir := range p.roots {
				add(dir)
			}
		}
	}
	add("")
	add("src")
	l.rootsOf[f] = out
	return out
}

// A located is what looking for a dotted path found.
type located struct {
	parts   []*module // of the components, from the left, as far as they lie in the repository
	all     bool      // every component
	outside bool
	several []*module // that it can be, in different projects
	dynamic bool      // by an edit of the search path
}

func (r located) module() *module {
	if r.all && len(r.parts) > 0 {
		return r.parts[len(r.parts)-1]
	}
	return nil
}

// moduleOf returns the module of a file, or of a folder without __init__.
func (l *linker) moduleOf(f *folder, file int32) *module {
	if file >= 0 {
		if m := l.files[file].module; m != nil {
			return m
		}
		return &module{file: file, folder: nil}
	}
	m := l.spaces[f]
	if m == nil {
		return &module{file: -1, folder: f, name: strings.ReplaceAll(f.dir, "/", ".")}
	}
	return m
}

// walk follows a dotted path down from a folder. regular asks for the first
// component to be a package with __init__ or a module.
func (l *linker) walk(f *folder, parts []string, regular bool) (found []*module, all bool) {
	for i, part := range parts {
		sub := f.subs[part]
		file, isModule := f.modules[part]
		switch {
		case sub != nil && sub.init >= 0:
			found, f = append(found, l.moduleOf(sub, sub.init)), sub
		case isModule:
			found = append(found, l.moduleOf(nil, file))
			return found, i == len(parts)-1
		case sub != nil && !(regular && i == 0):
			found, f = append(found, l.moduleOf(sub, -1)), sub
		default:
			return found, false
		}
	}
	return found, true
}

// find looks for an absolute import of a file.
func (l *linker) find(file int32, dotted string) located {
	f := &l.files[file]
	key := findKey{f.folder, dotted, l.u.Files[file].Constraint == pathsEdited}
	l.findMu.Lock()
	r, ok := l.found[key]
	l.findMu.Unlock()
	if !ok {
		r = l.locate(key)
		l.findMu.Lock()
		l.found[key] = r
		l.findMu.Unlock()
	}
	return r
}

type findKey struct {
	folder *folder
	dotted string
	edited bool
}

func (l *linker) locate(k findKey) located {
	parts := strings.Split(k.dotted, ".")
	own := l.roots(k.folder)
	for _, root := range own {
		if found, all := l.walk(root, parts, true); len(found) > 0 {
			return located{parts: found, all: all}
		}
	}
	if isStd(parts[0]) {
		return located{outside: true}
	}
	if r, ok := l.elsewhere(own, parts, true); ok {
		return r
	}
	for _, root := range own {
		if found, all := l.walk(root, parts, false); all {
			return located{parts: found, all: all}
		}
	}
	if r, ok := l.elsewhere(own, parts, false); ok {
		return r
	}
	if k.edited {
		if r, ok := l.anywhere(parts); ok {
			return r
		}
	}
	return located{outside: true}
}

// elsewhere looks in the roots of the repository's other projects.
func (l *linker) elsewhere(own []*folder, parts []string, regular bool) (located, bool) {
	var hits []located
	for _, root := range l.allRoots {
		if slices.Contains(own, root) {
			continue
		}
		if found, all := l.walk(root, parts, regular); len(found) > 0 && (regular || all) {
			hits = append(hits, located{parts: found, all: all})
		}
	}
	switch len(hits) {
	case 0:
		return located{}, false
	case 1:
		return hits[0], true
	}
	r := hits[0]
	for _, h := range hits {
		if m := h.module(); m != nil {
			r.several = append(r.several, m)
		}
	}
	return r, true
}

// anywhere looks for a path in every folder: what an edit of the search path may reach.
func (l *linker) anywhere(parts []string) (located, bool) {
	var r located
	for _, dir := range l.dirs {
		if found, all := l.walk(l.byDir[dir], parts, true); all {
			r.parts, r.all, r.dynamic = found, true, true
			r.several = append(r.several, found[len(found)-1])
		}
	}
	return r, r.dynamic
}

// relative looks for a relative import of a file: dots, then a path.
func (l *linker) relative(file int32, dotted string) located {
	rest := strings.TrimLeft(dotted, ".")
	f := l.files[file].folder
	for range len(dotted) - len(rest) - 1 {
		if f = f.parent; f == nil {
			return located{}
		}
	}
	if rest == "" {
		return located{parts: []*module{l.moduleOf(f, f.init)}, all: true}
	}
	found, all := l.walk(f, strings.Split(rest, "."), false)
	return located{parts: found, all: all}
}

// imported finds what an import's path leads to.
func (l *linker) imported(file int32, dotted string) located {
	if strings.HasPrefix(dotted, ".") {
		return l.relative(file, dotted)
	}
	return l.find(file, dotted)
}

// submodule returns the module of that name inside of m, nil if there is none.
func (l *linker) submodule(m *module, name string) *module {
	f := m.folder
	if m.file >= 0 {
		if !l.files[m.file].init {
			return nil
		}
		f = l.files[m.file].folder
	}
	if found, all := l.walk(f, []string{name}, false); all {
		return found[0]
	}
	return nil
}
