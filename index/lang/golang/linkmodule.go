package golang

import (
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/plumbkit/plumb/index"
)

// A module is a folder with a go.mod.
type module struct {
	dir  string // relative to the repository, "" at its root
	path string
	// std marks the standard library's own module, whose import paths do not
	// begin with the module's path.
	std bool
	// local maps replaced module paths to folders of the repository.
	local map[string]string
}

// importPath returns the import path of a folder of the module.
func (m *module) importPath(dir string) string {
	rel := below(dir, m.dir)
	if i := strings.LastIndex("/"+rel, "/vendor/"); i >= 0 && !m.std && m.path != "cmd" {
		return ("/" + rel)[i+len("/vendor/"):]
	}
	switch {
	case m.std:
		return rel
	case rel == "":
		return m.path
	}
	return m.path + "/" + rel
}

// folder returns the folder of the module that would hold the import path.
func (m *module) folder(importPath string) (string, bool) {
	if m.std {
		first, _, _ := strings.Cut(importPath, "/")
		return path.Join(m.dir, importPath), !strings.Contains(first, ".") && first != "cmd"
	}
	return within(m.path, m.dir, importPath)
}

// within maps an import path at or below prefix into dir.
func within(prefix, dir, importPath string) (string, bool) {
	if importPath == prefix {
		return dir, true
	}
	if rest, ok := strings.CutPrefix(importPath, prefix+"/"); ok {
		return path.Join(dir, rest), true
	}
	return "", false
}

// below returns dir relative to root, both relative to the repository.
func below(dir, root string) string {
	if root == "" {
		return dir
	}
	return strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")
}

// inside reports whether dir is root or lies below it.
func inside(dir, root string) bool {
	return root == "" || dir == root || strings.HasPrefix(dir, root+"/")
}

// folderOf returns the folder of a file, "" at the repository's root.
func folderOf(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[:i]
	}
	return ""
}

// modules says where import paths lead.
type modules struct {
	byDir  map[string]*module
	byPath map[string][]*module // in order of folder
	std    []*module
	// work maps the folder of each module that a go.work uses to that go.work's
	// folder, and local holds the replacements of each go.work.
	work  map[string]string
	local map[string]map[string]string
}

// readModules reads the repository's go.mod and go.work files. One that cannot
// be parsed counts as absent.
func readModules(manifests []index.Manifest) *modules {
	m := &modules{byDir: map[string]*module{}, byPath: map[string][]*module{}, work: map[string]string{}, local: map[string]map[string]string{}}
	for _, f := range manifests {
		switch dir := folderOf(f.Path); path.Base(f.Path) {
		case "go.mod":
			m.addModule(dir, f)
		case "go.work":
			m.addWork(dir, f)
		}
	}
	return m
}

func (m *modules) addModule(dir string, f index.Manifest) {
	parsed, err := modfile.ParseLax(f.Path, f.Data, nil)
	if err != nil || parsed.Module == nil {
		return
	}
	mod := &module{dir: dir, path: parsed.Module.Mod.Path, std: parsed.Module.Mod.Path == "std"}
	// ParseLax leaves out replacements; a go.mod that is strictly valid has them.
	if strict, err := modfile.Parse(f.Path, f.Data, nil); err == nil {
		mod.local = localReplacements(dir, strict.Replace)
	}
	m.byDir[dir] = mod
	m.byPath[mod.path] = append(m.byPath[mod.path], mod)
	if mod.std {
		m.std = append(m.std, mod)
	}
}

func (m *modules) addWork(dir string, f index.Manifest) {
	parsed, err := modfile.ParseWork(f.Path, f.Data, nil)
	if err != nil {
		return
	}
	for _, use := range parsed.Use {
		if to, ok := localFolder(dir, use.Path); ok {
			m.work[to] = dir
		}
	}
	m.local[dir] = localReplacements(dir, parsed.Replace)
}

func localReplacements(dir string, replace []*modfile.Replace) map[string]string {
	var local map[string]string
	for _, r := range replace {
		if !modfile.IsDirectoryPath(r.New.Path) {
			continue
		}
		if to, ok := localFolder(dir, r.New.Path); ok {
			if local == nil {
				local = map[string]string{}
			}
			local[r.Old.Path] = to
		}
	}
	return local
}

// localFolder resolves a folder named in a manifest of dir; ok is false when
// it lies outside the repository.
func localFolder(dir, to string) (string, bool) {
	if path.IsAbs(to) {
		return "", false
	}
	joined := path.Join(dir, to)
	if joined == "." {
		joined = ""
	}
	return joined, joined != ".." && !strings.HasPrefix(joined, "../")
}

// of returns the module that a folder belongs to, nil for none.
func (m *modules) of(dir string) *module {
	for len(m.byDir) > 0 {
		if mod := m.byDir[dir]; mod != nil {
			return mod
		}
		if dir == "" {
			break
		}
		dir = folderOf(dir)
	}
	return nil
}

// importPath returns the import path of a folder; without a module it is the
// folder itself.
func (m *modules) importPath(dir string) string {
	if mod := m.of(dir); mod != nil {
		return mod.importPath(dir)
	}
	if i := strings.LastIndex("/"+dir, "/vendor/"); i >= 0 {
		return ("/" + dir)[i+len("/vendor/"):]
	}
	return dir
}
