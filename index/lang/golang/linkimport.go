package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A found import leads to packages of the repository or outside of it.
type found struct {
	// dirs are the folders that the path can mean; several when several modules
	// of the repository claim it and nothing chooses between them.
	dirs []string
	// missing says that the path belongs to a module of the repository that
	// has no such folder.
	missing bool
	// barred says that the internal rule forbids the import.
	barred bool
}

// find resolves an import path written in a file of folder from. has reports
// whether a folder holds Go files.
//
// The order is the go command's: vendor folders, the file's own module,
// replacements by folders, modules used together in a go.work; then any other
// module of the repository, which is the same code as its published version.
func (m *modules) find(from, importPath string, has func(dir string) bool) found {
	if strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "../") {
		dir, ok := localFolder(from, importPath)
		return found{dirs: keep(dir, ok && has(dir)), missing: !ok || !has(dir)}
	}
	if dir, ok := vendored(from, importPath, has); ok {
		return found{dirs: []string{dir}}
	}
	own := m.of(from)
	f := m.inModules(own, importPath, has)
	if own == nil && len(f.dirs) == 0 {
		f.dirs = m.bare(from, importPath, has)
	}
	if len(f.dirs) > 0 {
		f.missing = false
		f.barred = !slices.ContainsFunc(f.dirs, func(dir string) bool { return mayImport(from, dir) })
	}
	return f
}

func keep(dir string, ok bool) []string {
	if ok {
		return []string{dir}
	}
	return nil
}

// vendored looks for the path in the vendor folders of from and the folders above it.
func vendored(from, importPath string, has func(dir string) bool) (string, bool) {
	for dir := from; ; dir = folderOf(dir) {
		if to := path.Join(dir, "vendor", importPath); has(to) {
			return to, true
		}
		if dir == "" {
			return "", false
		}
	}
}

func (m *modules) inModules(own *module, importPath string, has func(dir string) bool) (f found) {
	if own != nil {
		if dir, ok := own.folder(importPath); ok && has(dir) {
			return found{dirs: []string{dir}}
		} else if ok && !own.std {
			f.missing = true
		}
		for _, local := range []map[string]string{own.local, m.local[m.work[own.dir]]} {
			if dir, ok := replaced(local, importPath); ok && has(dir) {
				return found{dirs: []string{dir}}
			}
		}
	}
	claims := claimed(m.std, importPath, has)
	for prefix := importPath; len(claims) == 0; prefix = folderOf(prefix) {
		claims = claimed(m.byPath[prefix], importPath, has)
		if prefix == "" {
			break
		}
	}
	for _, mod := range m.preferred(own, claims) {
		dir, _ := mod.folder(importPath)
		f.dirs = append(f.dirs, dir)
	}
	return f
}

// claimed returns those of mods that hold the folder of an import path.
func claimed(mods []*module, importPath string, has func(dir string) bool) []*module {
	var claims []*module
	for _, mod := range mods {
		if dir, ok := mod.folder(importPath); ok && has(dir) {
			claims = append(claims, mod)
		}
	}
	return claims
}

func replaced(local map[string]string, importPath string) (string, bool) {
	best, found := "", false
	for old := range local {
		if _, ok := within(old, "", importPath); ok && (!found || len(old) > len(best)) {
			best, found = old, true
		}
	}
	if !found {
		return "", false
	}
	dir, _ := within(best, local[best], importPath)
	return dir, true
}

// preferred narrows modules of one path to those that own's go.work uses, if it uses any.
func (m *modules) preferred(own *module, claims []*module) []*module {
	if own == nil || len(claims) < 2 {
		return claims
	}
	work, ok := m.work[own.dir]
	if !ok {
		return claims
	}
	var used []*module
	for _, mod := range claims {
		if dir, ok := m.work[mod.dir]; ok && dir == work {
			used = append(used, mod)
		}
	}
	if len(used) > 0 {
		return used
	}
	return claims
}

// bare resolves an import path in a repository without go.mod: by the folder of
// that path, or by a src folder above the file (the layout of GOPATH).
func (m *modules) bare(from, importPath string, has func(dir string) bool) []string {
	if has(importPath) && m.of(importPath) == nil {
		return []string{importPath}
	}
	for dir := from; ; dir = folderOf(dir) {
		if path.Base(dir) == "src" && has(dir+"/"+importPath) {
			return []string{dir + "/" + importPath}
		}
		if dir == "" {
			break
		}
	}
	return nil
}

// guess resolves an import path in a repository without go.mod whose own import
// path is written nowhere: the longest end of it that is a folder. It is
// certain when other imports of the same file agree: at least two of them have
// the same beginning before a folder's path, or the end has two elements, and
// none with that beginning leads nowhere. Only the file and the folders that
// it names decide, so that other files cannot change the answer.
func guess(importPath string, imports []index.Import, has func(dir string) bool) (dir string, certain bool) {
	host, _, ok := strings.Cut(importPath, "/")
	if !ok || !strings.Contains(host, ".") {
		return "", false
	}
	for prefix := host; prefix != importPath; {
		if dir := below(importPath, prefix); has(dir) {
			return dir, strings.Contains(dir, "/") && agrees(prefix, imports, has) > 0 || agrees(prefix, imports, has) > 1
		}
		next, _, _ := strings.Cut(below(importPath, prefix), "/")
		prefix += "/" + next
	}
	return "", false
}

// agrees counts the imports below prefix; 0 if one of them leads to no folder.
func agrees(prefix string, imports []index.Import, has func(dir string) bool) int {
	n := 0
	for i := range imports {
		if dir, ok := within(prefix, "", imports[i].Path); ok {
			if !has(dir) {
				return 0
			}
			n++
		}
	}
	return n
}

// mayImport applies the internal rule: what lies in or below a folder named
// internal is for the tree of that folder's parent.
func mayImport(from, dir string) bool {
	at := strings.LastIndex("/"+dir+"/", "/internal/")
	if at < 0 {
		return true
	}
	return inside(from, strings.Trim(dir[:max(at-1, 0)], "/"))
}
