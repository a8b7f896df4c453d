package ecmascript

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/index"
)

// linker resolves the sites of all files of the family. What it knows of
// modules and types is found when it is first asked for and kept; every answer
// is a function of the Universe alone, whatever was asked before.
type linker struct {
	u     index.Universe
	files []file
	// globals are the files that declare global names or modules by name.
	globals []int32
	once    sync.Once
	global  map[string]*entity
	ambient map[string]*entity // modules declared by name
}

// link groups the files and finds out where their imports lead. It reads no
// definitions.
func link(ctx context.Context, u index.Universe) (index.Linker, error) {
	l := &linker{u: u, files: make([]file, len(u.Files))}
	r := &resolver{m: readManifests(u.Manifests), byPath: make(map[string]int32, len(u.Files)), has: u.Has,
		known: map[[2]string]place{}, maps: map[string]mapping{}, ambient: map[string]bool{}}
	folders := map[string]bool{}
	for i, f := range u.Files {
		r.byPath[f.Path] = int32(i)
		l.files[i].twin = -1
		l.files[i].dir = folderOf(f.Path)
		folders[l.files[i].dir] = true
	}
	r.m.adopt(folders)
	l.findGlobals(r)
	for i, f := range u.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.files[i].pkg = packageName(r.m, f.Path)
		l.files[i].imports = make([]place, len(f.Imports))
		for j := range f.Imports {
			l.files[i].imports[j] = r.find(l.files[i].dir, f.Imports[j].Path)
		}
		l.findTwin(r, int32(i))
	}
	return l, nil
}

// maxScripts is how many plain scripts are taken to run in one global scope;
// where there are more they are programs of their own.
const maxScripts = 200

func (l *linker) findGlobals(r *resolver) {
	var scripts []int32
	for i, f := range l.u.Files {
		switch {
		case f.Module == "":
			continue
		case f.Module == scriptModule && !strings.HasSuffix(f.Path, ".d.ts"):
			scripts = append(scripts, int32(i))
			continue
		}
		l.globals = append(l.globals, int32(i))
		if names, ok := strings.CutPrefix(f.Module, declaresModules); ok {
			for name := range strings.SplitSeq(names, ",") {
				if name != "" && !strings.HasPrefix(name, ".") {
					r.ambient[name] = true
				}
			}
		}
	}
	if len(scripts) <= maxScripts {
		l.globals = append(l.globals, scripts...)
		slices.Sort(l.globals)
	}
}

// packageName is the module name of a file: its package's name, then its path
// in the package without extension. A declaration file bears the name of what
// it declares.
func packageName(m *manifests, file string) string {
	name := file
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", path.Ext(file)} {
		if s, ok := strings.CutSuffix(file, ext); ok && ext != "" {
			name = s
			break
		}
	}
	for dir := folderOf(file); ; dir = folderOf(dir) {
		if p := m.packages[dir]; p != nil && p.Name != "" {
			rest, _ := under(dir, name)
			return p.Name + "/" + rest
		}
		if dir == "" {
			return name
		}
	}
}

// findTwin ties a declaration file to the JavaScript file that it declares.
func (l *linker) findTwin(r *resolver, i int32) {
	p := l.u.Files[i].Path
	for ext, code := range map[string]string{".d.ts": ".js", ".d.mts": ".mjs", ".d.cts": ".cjs"} {
		if base, ok := strings.CutSuffix(p, ext); ok {
			for _, e := range []string{code, ".jsx"} {
				if twin, ok := r.byPath[base+e]; ok {
					l.files[i].twin, l.files[twin].twin = twin, i
					return
				}
			}
		}
	}
}

// Package returns the module name of a file.
func (l *linker) Package(file int) string { return l.files[file].pkg }

// Deps returns the files that the file imports, a declaration file with what it
// declares, and those that declare global names.
func (l *linker) Deps(file int) []int {
	f := &l.files[file]
	deps := make([]int, 0, len(f.imports)+len(l.globals)+2)
	add := func(i int32) {
		if i >= 0 {
			deps = append(deps, int(i))
			if t := l.files[i].twin; t >= 0 {
				deps = append(deps, int(t))
			}
		}
	}
	add(int32(file))
	for i := range f.imports {
		add(f.imports[i].file)
		for _, s := range f.imports[i].several {
			add(s)
		}
	}
	for _, g := range l.globals {
		deps = append(deps, int(g))
	}
	slices.Sort(deps)
	return slices.Compact(deps)
}
