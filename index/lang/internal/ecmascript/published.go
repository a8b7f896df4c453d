package ecmascript

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// dependencyFiles are globs of the files that declare or pin dependencies.
func dependencyFiles() []string {
	return []string{"**/package.json", "**/package-lock.json", "**/npm-shrinkwrap.json", "**/yarn.lock", "**/pnpm-lock.yaml", "**/pnpm-workspace.yaml", "**/bun.lock*"}
}

// needs is what a package.json says of dependencies and of what runs it.
func needs(file string, data []byte) (string, bool) {
	if path.Base(file) != "package.json" {
		return "", false
	}
	var all map[string]any
	if json.Unmarshal(standard(data), &all) != nil {
		return "", false
	}
	said := map[string]any{}
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies", "bundleDependencies", "bundledDependencies",
		"overrides", "resolutions", "pnpm", "packageManager", "engines", "workspaces", "catalog", "catalogs"} {
		if v, ok := all[key]; ok {
			said[key] = v
		}
	}
	out, err := json.Marshal(said)
	return string(out), err == nil
}

// entries are the files of the repository that the package.json above a file
// names as the ways into its package: main, module, types, bin and exports. Where
// they are built, their sources are taken by custom: src/index, or index. They
// are not known where none of them is there.
func entries(file string, all []index.Manifest, has func(string) bool) ([]string, bool) {
	var nearest *index.Manifest
	for i := range all {
		dir := folderOf(all[i].Path)
		if path.Base(all[i].Path) == "package.json" && (dir == "" || strings.HasPrefix(file, dir+"/")) && (nearest == nil || len(all[i].Path) > len(nearest.Path)) {
			nearest = &all[i]
		}
	}
	if nearest == nil {
		return nil, false
	}
	var p struct {
		Main, Module, Browser, Types, Typings, Source, Bin, Exports json.RawMessage
	}
	if json.Unmarshal(standard(nearest.Data), &p) != nil {
		return nil, false
	}
	dir := folderOf(nearest.Path)
	var out []string
	for _, field := range []json.RawMessage{p.Main, p.Module, p.Browser, p.Types, p.Typings, p.Source, p.Bin, p.Exports} {
		for _, target := range pathsIn(field, 0) {
			if strings.Contains(target, "*") {
				return nil, false // a pattern: any file may be one
			}
			out = append(out, existing(path.Join(dir, target), has)...)
		}
	}
	if len(out) == 0 {
		for _, stem := range []string{"src/index", "index", "src/main", "lib/index"} {
			out = append(out, existing(path.Join(dir, stem), has)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), len(out) > 0
}

// pathsIn are the strings that a value of a package.json holds.
func pathsIn(v json.RawMessage, depth int) []string {
	var s string
	var list []json.RawMessage
	var keyed map[string]json.RawMessage
	switch {
	case len(v) == 0 || depth > 10:
	case json.Unmarshal(v, &s) == nil:
		return []string{s}
	case json.Unmarshal(v, &list) == nil:
		var out []string
		for _, item := range list {
			out = append(out, pathsIn(item, depth+1)...)
		}
		return out
	case json.Unmarshal(v, &keyed) == nil:
		var out []string
		for _, item := range keyed {
			out = append(out, pathsIn(item, depth+1)...)
		}
		return out
	}
	return nil
}

// existing are the source files that a path, with or without extension, stands for.
func existing(p string, has func(string) bool) []string {
	var out []string
	for _, suffix := range []string{"", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", "/index.ts", "/index.tsx", "/index.js", "/index.mjs", "/index.cjs"} {
		if has(p+suffix) && path.Ext(p+suffix) != "" {
			out = append(out, p+suffix)
		}
	}
	return out
}

// named are the ways in which configuration and strings name a file: by its path
// without extension, and an index by its folder.
func named(file string) []string {
	stem := strings.TrimSuffix(file, path.Ext(file))
	stem = strings.TrimSuffix(stem, ".d")
	parts := strings.Split(stem, "/")
	if parts[len(parts)-1] == "index" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) < 2 {
		return nil
	}
	last := strings.Join(parts[len(parts)-2:], "/")
	return []string{`["'` + "`" + `/]` + regexp.QuoteMeta(last) + `(\.[cm]?js)?["'` + "`" + `]`}
}

// globs finds calls by which bundlers take in files by patterns.
const globs = `import\.meta\.glob(Eager)?\(|require\.context\(|import\(` + "`"

var quotedText = regexp.MustCompile("[\"'`]([^\"'`]+)[\"'`]")

// takesIn reports whether a pattern on a line of the file from takes in a file.
func takesIn(line, from, file string) bool {
	for _, m := range quotedText.FindAllStringSubmatch(line, -1) {
		pattern := m[1]
		if !strings.HasPrefix(pattern, ".") && !strings.HasPrefix(pattern, "/") {
			continue
		}
		p := strings.TrimPrefix(pattern, "/")
		if strings.HasPrefix(pattern, ".") {
			p = path.Join(path.Dir(from), pattern)
		}
		folder, _, open := strings.Cut(p, "*")
		if !open {
			folder, _, open = strings.Cut(p, "${")
		}
		if open && strings.HasPrefix(file, folder) || !open && strings.Contains(line, "require.context") && strings.HasPrefix(file, p+"/") {
			return true
		}
	}
	return false
}

// handsOn adds an export of what is declared elsewhere: a clause, a module, what
// module.exports or exports are given.
func (s *structurer) handsOn(n int32) {
	switch s.t.Kind(n) {
	case "export_statement":
		if s.t.Field(n, "declaration") >= 0 {
			return
		}
		e := s.add(index.Export, n)
		named := slices.ContainsFunc(s.named(n), func(c int32) bool { return s.t.Kind(c) == "export_clause" })
		if !named && s.t.Field(n, "source") >= 0 {
			e.Form = index.FormAll
		}
	case "assignment_expression":
		left, right := s.text(s.t.Field(n, "left")), s.t.Field(n, "right")
		if right < 0 || left != "module.exports" && !strings.HasPrefix(left, "exports.") && !strings.HasPrefix(left, "module.exports.") || s.standsIn(right) {
			return
		}
		e := s.add(index.Export, n)
		if strings.Contains(s.text(right), "require(") {
			e.Form = index.FormAll
		}
	}
}
