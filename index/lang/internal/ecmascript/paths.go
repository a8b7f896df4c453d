package ecmascript

import (
	"path"
	"slices"
	"strings"
)

// A place is where an import leads.
type place struct {
	file    int32    // of the repository, -1 when it leads elsewhere
	ambient []string // a module that is declared in the repository: its name
	outside string   // package outside the repository
	missing bool     // it should lie in the repository, but does not
	several []int32  // files that it can be, when it is not certain which
}

// extensions are tried in this order behind an import without one.
var extensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"}

// written says for an extension in an import which a source file may have instead.
var written = map[string][]string{
	".js":  {".ts", ".tsx", ".d.ts", ".js", ".jsx"},
	".jsx": {".tsx", ".d.ts", ".jsx"},
	".mjs": {".mts", ".d.mts", ".mjs"},
	".cjs": {".cts", ".d.cts", ".cjs"},
}

// A resolver finds the files that imports lead to.
type resolver struct {
	m      *manifests
	byPath map[string]int32
	has    func(string) bool
	known  map[[2]string]place
	maps   map[string]mapping
	// ambient are the names of modules that files of the repository declare.
	ambient map[string]bool
}

// find resolves an import written in a file of the folder dir.
func (r *resolver) find(dir, spec string) place {
	key := [2]string{dir, spec}
	p, ok := r.known[key]
	if !ok {
		p = r.search(dir, spec)
		r.known[key] = p
	}
	return p
}

func (r *resolver) search(dir, spec string) place {
	spec, _, _ = strings.Cut(spec, "?")
	switch {
	case spec == "":
		return place{file: -1, missing: true}
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		p := folderJoin(dir, spec)
		if strings.HasPrefix(p, "..") {
			return place{file: -1, outside: spec}
		}
		return r.inRepository(p, spec)
	case strings.HasPrefix(spec, "#"):
		if own := r.m.packageOf(dir); own != nil && len(own.Imports) > 0 {
			list, _ := targets(own.Imports, spec, r.mapping(dir).conditions)
			return r.first(own, list, spec)
		}
	}
	if p, ok := r.configured(dir, spec); ok {
		return p
	}
	if f := r.packageFile(dir, spec); f.file >= 0 || f.missing || len(f.several) > 0 {
		return f
	}
	if name := r.declared(spec); name != "" {
		return place{file: -1, ambient: []string{name}}
	}
	if strings.HasPrefix(spec, "/") {
		return place{file: -1, missing: true}
	}
	name, _ := splitPackage(spec)
	if strings.HasPrefix(spec, "node:") {
		name = spec
	}
	return place{file: -1, outside: name}
}

func (r *resolver) mapping(dir string) *mapping {
	m, ok := r.maps[dir]
	if !ok {
		m = r.m.mappingOf(dir)
		r.maps[dir] = m
	}
	return &m
}

// configured follows the paths and baseUrl of the tsconfig, and vite's aliases.
func (r *resolver) configured(dir, spec string) (place, bool) {
	m := r.mapping(dir)
	for _, p := range m.mapped(spec) {
		if f, ok := r.file(p); ok {
			return place{file: f}, true
		}
	}
	if m.based && !strings.HasPrefix(spec, "/") {
		if f, ok := r.file(folderJoin(m.base, spec)); ok {
			return place{file: f}, true
		}
	}
	if p, ok := r.m.aliased(dir, spec); ok {
		if f, ok := r.file(p); ok {
			return place{file: f}, true
		}
	}
	return place{}, false
}

// declared returns the declared module that an import means, "" if there is none.
func (r *resolver) declared(spec string) string {
	if r.ambient[spec] {
		return spec
	}
	best := ""
	for name := range r.ambient {
		if before, after, ok := strings.Cut(name, "*"); ok && strings.HasPrefix(spec, before) && strings.HasSuffix(spec, after) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// inRepository resolves a path that cannot lead out of the repository.
func (r *resolver) inRepository(p, spec string) place {
	if f, ok := r.file(p); ok {
		return place{file: f}
	}
	if name := r.declared(spec); name != "" {
		return place{file: -1, ambient: []string{name}}
	}
	if ext := path.Ext(p); ext != "" && written[ext] == nil && r.has(p) {
		return place{file: -1, outside: p} // a file without definitions: data, a style sheet, a picture
	}
	return place{file: -1, missing: true}
}

// file returns the source file that a path means: the file itself, one with
// another extension, or the index of a folder.
func (r *resolver) file(p string) (int32, bool) {
	if f, ok := r.source(p); ok {
		return f, true
	}
	if own := r.m.packages[p]; own != nil {
		for _, main := range []string{own.Types, own.Typings, own.Module, own.Main} {
			if main == "" {
				continue
			}
			if f, ok := r.source(folderJoin(p, main)); ok {
				return f, true
			}
		}
	}
	return r.withExtension(folderJoin(p, "index"))
}

func (r *resolver) source(p string) (int32, bool) {
	ext := path.Ext(p)
	if as := written[ext]; as != nil {
		for _, e := range as {
			if f, ok := r.byPath[strings.TrimSuffix(p, ext)+e]; ok {
				return f, true
			}
		}
	}
	if f, ok := r.byPath[p]; ok {
		return f, true
	}
	return r.withExtension(p)
}

func (r *resolver) withExtension(p string) (int32, bool) {
	for _, e := range extensions {
		if f, ok := r.byPath[p+e]; ok {
			return f, true
		}
	}
	return -1, false
}

// packageFile resolves an import by the name of a package of the repository.
func (r *resolver) packageFile(dir, spec string) place {
	name, rest := splitPackage(spec)
	own := r.m.packageOf(dir)
	var of []*manifest
	if own != nil && own.Name == name {
		of = []*manifest{own}
	} else {
		of = r.m.named[name]
	}
	if len(of) == 0 {
		return place{file: -1}
	}
	var found []int32
	for _, p := range of {
		if f := r.inPackage(p, rest, r.mapping(dir).conditions); f >= 0 && !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return place{file: -1, missing: true}
	case 1:
		return place{file: found[0]}
	}
	return place{file: -1, several: found}
}

// inPackage returns the file that a path in a package means, -1 if there is none.
func (r *resolver) inPackage(p *manifest, rest string, conditions []string) int32 {
	key := "."
	if rest != "" {
		key = "./" + rest
	}
	list, listed := targets(p.Exports, key, conditions)
	if !listed {
		list = []string{p.Source, p.Types, p.Typings, p.Module, p.Main, "index"}
		if rest != "" {
			list = []string{rest}
		}
	}
	return r.first(p, list, key).file
}

// first returns the first of the paths in a package that leads to a source
// file; a path into what a build makes leads to what it is made of.
func (r *resolver) first(p *manifest, list []string, spec string) place {
	for _, t := range list {
		if t == "" {
			continue
		}
		if !strings.HasPrefix(t, ".") && spec != "." && strings.HasPrefix(spec, "#") {
			return r.find(p.dir, t)
		}
		if f, ok := r.file(folderJoin(p.dir, t)); ok {
			return place{file: f}
		}
	}
	for _, t := range list {
		if f, ok := r.made(p, t); t != "" && ok {
			return place{file: f}
		}
	}
	return place{file: -1, missing: true}
}

// builds are the folders into which builds write.
var builds = []string{"dist", "build", "lib", "out", "es", "esm", "cjs", "umd", "types", "prod", "dev"}

// made returns the source of a file that a build makes: what has its path below
// src, or below the package, once the folders that builds write to are taken off.
func (r *resolver) made(p *manifest, target string) (int32, bool) {
	t := strings.TrimPrefix(path.Clean(target), "./")
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"} {
		if s, ok := strings.CutSuffix(t, ext); ok {
			t = s
			break
		}
	}
	for {
		if f, ok := r.file(folderJoin(p.dir, "src/"+t)); ok {
			return f, true
		}
		if f, ok := r.file(folderJoin(p.dir, t)); ok {
			return f, true
		}
		head, rest, ok := strings.Cut(t, "/")
		if !ok || !slices.Contains(builds, head) && head != path.Base(p.dir) {
			return -1, false
		}
		t = rest
	}
}
