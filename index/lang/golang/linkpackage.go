package golang

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/index"
)

// A pkg is the files of one folder that declare the same package name. Its
// external tests, and a stray package main among the files of a library, are
// packages of their own.
type pkg struct {
	dir, path, name string
	files           []int32

	once    sync.Once
	objects []object // in order of name
	members []member // methods, in order of owner and name
	// clauses are the definitions of the package itself, where there are such:
	// the package clauses of its files, tests left out.
	clauses []index.Target

	namesOnce sync.Once
	names     map[string][]index.Target // fields and methods by name
}

// An object is one package-level name. Several targets are build variants of
// one identity, or a name that is declared twice.
type object struct {
	name    string
	pkg     *pkg
	targets []index.Target // that of linux/amd64 first
	methods [2]int32       // range of pkg.members
}

// A member is a method by name.
type member struct {
	owner, name string
	targets     []index.Target
}

// group makes the packages from the files' folders and declared names. A file
// whose package clause is broken belongs to the folder's primary package.
func (l *linker) group() {
	type key struct{ dir, name string }
	known := map[key]*pkg{}
	var nameless []int
	for i, facts := range l.u.Files {
		f := &l.files[i]
		f.dir = folderOf(facts.Path)
		f.test = isTestFile(facts.Path)
		f.constraint = l.cons.add(facts.Path, facts.Constraint)
		if facts.Module == "" {
			nameless = append(nameless, i)
			continue
		}
		k := key{f.dir, facts.Module}
		p := known[k]
		if p == nil {
			p = &pkg{dir: f.dir, name: facts.Module}
			known[k] = p
			l.pkgs = append(l.pkgs, p)
			l.byDir[f.dir] = append(l.byDir[f.dir], p)
		}
		f.pkg = p
		p.files = append(p.files, int32(i))
	}
	for _, i := range nameless {
		f := &l.files[i]
		if !l.has(f.dir) {
			p := &pkg{dir: f.dir}
			l.pkgs = append(l.pkgs, p)
			l.byDir[f.dir] = append(l.byDir[f.dir], p)
		}
		f.pkg = primary(l.byDir[f.dir])
		f.pkg.files = append(f.pkg.files, int32(i))
	}
	for dir, pkgs := range l.byDir {
		l.order(pkgs)
		l.nameAll(dir, pkgs)
	}
}

// order puts first the package that an import of the folder means: the one with
// most files that are built on linux/amd64 and are no tests.
func (l *linker) order(pkgs []*pkg) {
	weight := func(p *pkg) int {
		n := 0
		for _, i := range p.files {
			if f := &l.files[i]; !f.test && l.cons.builds[f.constraint] {
				n += 2
			}
		}
		if p.name == "main" {
			n--
		}
		if strings.HasSuffix(p.name, "_test") {
			n = -1
		}
		return n
	}
	slices.SortStableFunc(pkgs, func(a, b *pkg) int { return weight(b) - weight(a) })
}

// primary returns the package that an import of the folder of pkgs means.
func primary(pkgs []*pkg) *pkg { return pkgs[0] }

func (l *linker) nameAll(dir string, pkgs []*pkg) {
	base := l.mods.importPath(dir)
	if base == "" {
		base = strings.TrimSuffix(pkgs[0].name, "_test")
	}
	for i, p := range pkgs {
		switch {
		case strings.HasSuffix(p.name, "_test"):
			p.path = base + "_test"
		case i == 0:
			p.path = base
			if l.byPath[base] == nil || l.byPath[base].dir > dir {
				l.byPath[base] = p
			}
		default:
			p.path = base + "_" + p.name
		}
	}
}

// load reads the definitions of the package's files, once.
func (p *pkg) load(l *linker) { p.once.Do(func() { p.read(l) }) }

func (p *pkg) read(l *linker) {
	var names, methods []entry
	for _, i := range p.files {
		f := &l.files[i]
		f.facts = l.u.Head(int(i))
		f.types = make([]atomic.Pointer[typ], len(f.facts.Defs))
		f.self = make([]index.Target, len(f.facts.Defs))
		for d := range f.facts.Defs {
			def := &f.facts.Defs[d]
			t := index.Target{File: i, Def: int32(d)}
			f.self[d] = t
			name := f.facts.Names[def.Name]
			if def.Kind == index.KindPackage && !f.test {
				p.clauses = append(p.clauses, t)
			}
			if name == "_" || def.Kind == index.KindPackage || name == "init" && def.Kind == index.KindFunction {
				continue
			}
			switch {
			case def.Owner >= 0:
				methods = append(methods, entry{f.facts.Names[def.Owner], name, t})
			case def.Parent < 0 || f.facts.Defs[def.Parent].Kind == index.KindPackage:
				names = append(names, entry{"", name, t})
			}
		}
	}
	l.sortEntries(names)
	p.objects = make([]object, 0, len(names))
	eachGroup(names, func(e entry, targets []index.Target) {
		p.objects = append(p.objects, object{name: e.name, pkg: p, targets: targets})
	})
	p.renameOwners(l, methods)
	l.sortEntries(methods)
	eachGroup(methods, func(e entry, targets []index.Target) {
		p.members = append(p.members, member{e.owner, e.name, targets})
	})
	p.adopt()
}

// renameOwners gives methods that are declared on an alias to the type itself.
func (p *pkg) renameOwners(l *linker, methods []entry) {
	for i := range methods {
		for range maxEmbedding {
			o := p.find(methods[i].owner)
			if o == nil {
				break
			}
			facts := l.files[o.targets[0].File].facts
			d := &facts.Defs[o.targets[0].Def]
			if d.Flags&index.DefAlias == 0 || d.Type < 0 || int(d.Type) >= len(facts.Exprs) || facts.Exprs[d.Type].Op != opName {
				break
			}
			methods[i].owner = facts.Names[facts.Exprs[d.Type].Name]
		}
	}
}

// adopt gives each object the range of its methods.
func (p *pkg) adopt() {
	for lo := 0; lo < len(p.members); {
		hi := lo + 1
		for hi < len(p.members) && p.members[hi].owner == p.members[lo].owner {
			hi++
		}
		if o := p.find(p.members[lo].owner); o != nil {
			o.methods = [2]int32{int32(lo), int32(hi)}
		}
		lo = hi
	}
}

// find returns a package-level name, nil if there is none. The package must be loaded.
func (p *pkg) find(name string) *object {
	i, ok := slices.BinarySearchFunc(p.objects, name, func(o object, name string) int { return strings.Compare(o.name, name) })
	if !ok {
		return nil
	}
	return &p.objects[i]
}

// method returns the targets of a method that is declared on the object itself.
func (o *object) method(name string) []index.Target {
	ms := o.pkg.members[o.methods[0]:o.methods[1]]
	i, ok := slices.BinarySearchFunc(ms, name, func(m member, name string) int { return strings.Compare(m.name, name) })
	if !ok {
		return nil
	}
	return ms[i].targets
}

// An entry is one definition on its way into an object or member.
type entry struct {
	owner, name string
	target      index.Target
}

// sortEntries orders by owner and name; of one name, the variant that
// linux/amd64 builds stands first, then what is no test.
func (l *linker) sortEntries(es []entry) {
	rank := func(t index.Target) int {
		f := &l.files[t.File]
		r := 0
		if !l.cons.builds[f.constraint] {
			r += 2
		}
		if f.test {
			r++
		}
		return r
	}
	slices.SortStableFunc(es, func(a, b entry) int {
		if c := strings.Compare(a.owner, b.owner); c != 0 {
			return c
		}
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return rank(a.target) - rank(b.target)
	})
}

// eachGroup calls f for each run of entries of one owner and name.
func eachGroup(es []entry, f func(e entry, targets []index.Target)) {
	targets := make([]index.Target, len(es))
	for i := range es {
		targets[i] = es[i].target
	}
	for lo := 0; lo < len(es); {
		hi := lo + 1
		for hi < len(es) && es[hi].owner == es[lo].owner && es[hi].name == es[lo].name {
			hi++
		}
		f(es[lo], targets[lo:hi:hi])
		lo = hi
	}
}
