package golang

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/plumbkit/plumb/index"
)

// linker resolves the sites of all Go files of a repository. What it knows of
// packages and types is found when it is first asked for and kept; every
// answer is a function of the Universe alone, whatever was asked before.
type linker struct {
	u     index.Universe
	mods  *modules
	cons  *constraints
	files []file
	pkgs  []*pkg
	byDir map[string][]*pkg
	// byPath are the packages that an import can mean, by import path.
	byPath map[string]*pkg
	types  interner
	picks  picks
}

// A file is what linking keeps of one file.
type file struct {
	dir        string
	pkg        *pkg
	constraint int32 // into constraints
	test       bool  // a _test.go file
	imports    []imported
	// facts is the file's Head, set once its package is loaded.
	facts *index.Facts
	// types are the types of Defs where they are known, set with facts.
	types []atomic.Pointer[typ]
	// self holds the Target of each Def, for slices of one target.
	self []index.Target
}

// An imported is what one import of a file leads to.
type imported struct {
	pkgs    []*pkg // several when it is not certain which
	outside string // import path, "" when it lies in the repository
	missing bool   // it should lie in the repository, but does not
	barred  bool   // forbidden by the internal rule
	guessed bool   // the repository does not say its own import path
}

// link groups files into packages and finds out where their imports lead. It
// reads no definitions.
func link(ctx context.Context, u index.Universe) (index.Linker, error) {
	l := &linker{u: u, mods: readModules(u.Manifests), cons: newConstraints(), files: make([]file, len(u.Files)),
		byDir: map[string][]*pkg{}, byPath: map[string]*pkg{}}
	l.group()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.findImports()
	return l, ctx.Err()
}

// has reports whether a folder holds Go files.
func (l *linker) has(dir string) bool { return len(l.byDir[dir]) > 0 }

func (l *linker) findImports() {
	type key struct{ dir, path string }
	known := map[key]imported{}
	for i := range l.files {
		f := &l.files[i]
		f.imports = make([]imported, len(l.u.Files[i].Imports))
		for j := range f.imports {
			k := key{f.dir, l.u.Files[i].Imports[j].Path}
			im, ok := known[k]
			if !ok {
				im = l.findImport(k.dir, k.path)
				known[k] = im
			}
			if im.outside != "" && !im.missing && l.mods.of(f.dir) == nil {
				im = l.guessImport(k.path, l.u.Files[i].Imports)
			}
			f.imports[j] = im
		}
	}
}

func (l *linker) findImport(dir, path string) imported {
	if path == "C" || path == unsafePackage { // the language's own, even where its documentation lies in the repository
		return imported{outside: path}
	}
	found := l.mods.find(dir, path, l.has)
	im := imported{missing: found.missing, barred: found.barred}
	for _, d := range found.dirs {
		im.pkgs = append(im.pkgs, primary(l.byDir[d]))
	}
	if len(im.pkgs) == 0 {
		im.outside = path
	}
	return im
}

func (l *linker) guessImport(path string, imports []index.Import) imported {
	dir, certain := guess(path, imports, l.has)
	if !l.has(dir) || dir == "" {
		return imported{outside: path}
	}
	return imported{pkgs: []*pkg{primary(l.byDir[dir])}, guessed: !certain}
}

// Package returns the import path of a file's package. External tests have
// _test behind it, and other packages of the same folder their name.
func (l *linker) Package(file int) string { return l.files[file].pkg.path }

// Deps returns the files of the package, its external tests left out, and those
// of the imported packages, in order. An external test sees the tests of the
// package that it tests.
func (l *linker) Deps(file int) []int {
	f := &l.files[file]
	seen := map[int]bool{}
	for _, i := range f.pkg.files {
		seen[int(i)] = true
	}
	for _, im := range f.imports {
		pkgs := im.pkgs
		if kin := l.kin(im.outside); kin != nil {
			pkgs = []*pkg{kin}
		}
		for _, p := range pkgs {
			for _, i := range p.files {
				if !l.files[i].test || p.dir == f.dir {
					seen[int(i)] = true
				}
			}
		}
	}
	deps := make([]int, 0, len(seen))
	for i := range seen {
		deps = append(deps, i)
	}
	slices.Sort(deps)
	return deps
}

const unsafePackage = "unsafe"

// isTestFile reports whether go test alone builds the file.
func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }
