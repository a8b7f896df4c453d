package ecmascript

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
	"github.com/tailscale/hujson"

	"github.com/plumbkit/plumb/index"
)

// manifestNames are the base names of the files that configure how imports are
// resolved. A tsconfig that another extends or refers to is read under any of
// the customary names.
func manifestNames() []string {
	return []string{"package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json", "tsconfig.app.json",
		"tsconfig.node.json", "tsconfig.build.json", "tsconfig.lib.json", "tsconfig.test.json", "tsconfig.spec.json",
		"tsconfig.common.json", "tsconfig.shared.json", "tsconfig.settings.json", "tsconfig.paths.json", "pnpm-workspace.yaml",
		"vite.config.ts", "vite.config.mts", "vite.config.js", "vite.config.mjs",
		"vitest.config.ts", "vitest.config.mts", "vitest.config.js", "vitest.config.mjs"}
}

// A manifest is what resolution reads of a package.json. A broken one counts as empty.
type manifest struct {
	dir        string
	Name       string          `json:"name"`
	Main       string          `json:"main"`
	Module     string          `json:"module"`
	Types      string          `json:"types"`
	Typings    string          `json:"typings"`
	Source     string          `json:"source"`
	Exports    json.RawMessage `json:"exports"`
	Imports    json.RawMessage `json:"imports"`
	Workspaces json.RawMessage `json:"workspaces"`
	Needs      map[string]any  `json:"dependencies"`
	DevNeeds   map[string]any  `json:"devDependencies"`
	PeerNeeds  map[string]any  `json:"peerDependencies"`
}

// A manifests is all that the repository's manifests say.
type manifests struct {
	packages map[string]*manifest   // by folder
	named    map[string][]*manifest // members of a workspace by name
	configs  map[string]*config     // tsconfigs by path
	aliases  map[string][]alias     // by the folder of a vite configuration
	globs    map[string][]string    // of workspaces, by the folder of their root
}

func readManifests(all []index.Manifest) *manifests {
	m := &manifests{packages: map[string]*manifest{}, named: map[string][]*manifest{}, configs: map[string]*config{}, aliases: map[string][]alias{}}
	globs := map[string][]string{}
	m.globs = globs
	for _, f := range all {
		dir, base := folderOf(f.Path), path.Base(f.Path)
		switch {
		case base == "package.json":
			p := &manifest{}
			if json.Unmarshal(standard(f.Data), p) != nil {
				p = &manifest{}
			}
			p.dir = dir
			m.packages[dir] = p
			globs[dir] = append(globs[dir], p.workspaces()...)
		case base == "pnpm-workspace.yaml":
			var w struct {
				Packages []string `yaml:"packages"`
			}
			if yaml.Unmarshal(f.Data, &w) == nil {
				globs[dir] = append(globs[dir], w.Packages...)
			}
		case strings.HasPrefix(base, "vite"):
			m.aliases[dir] = append(m.aliases[dir], readAliases(dir, f.Data)...)
		default:
			m.configs[f.Path] = readConfig(f.Path, f.Data)
		}
	}
	m.nameMembers(globs)
	return m
}

// adopt finds members of a workspace whose package.json is not listed, as where
// builds rewrite it and git ignores it: what another member takes from the
// workspace by name stands in the one folder of that name. folders are those
// that hold files of the family.
func (m *manifests) adopt(folders map[string]bool) {
	for name := range m.wanted() {
		if len(m.named[name]) > 0 {
			continue
		}
		var dirs []string
		for dir := range folders {
			for d := dir; d != ""; d = folderOf(d) {
				if path.Base(d) == path.Base(name) && m.packages[d] == nil && isMember(d, m.globs) && !slices.Contains(dirs, d) {
					dirs = append(dirs, d)
				}
			}
		}
		if len(dirs) == 1 {
			p := &manifest{dir: dirs[0], Name: name}
			m.packages[dirs[0]] = p
			m.named[name] = []*manifest{p}
		}
	}
}

// wanted are the names that members of a workspace take from it.
func (m *manifests) wanted() map[string]bool {
	out := map[string]bool{}
	for _, p := range m.packages {
		for _, needs := range []map[string]any{p.Needs, p.DevNeeds, p.PeerNeeds} {
			for name, version := range needs {
				if v, ok := version.(string); ok && strings.HasPrefix(v, "workspace:") {
					out[name] = true
				}
			}
		}
	}
	return out
}

// standard turns JSON with comments and trailing commas into JSON.
func standard(data []byte) []byte {
	out, err := hujson.Standardize(slices.Clone(data))
	if err != nil {
		return data
	}
	return out
}

func (p *manifest) workspaces() []string {
	var list []string
	if json.Unmarshal(p.Workspaces, &list) == nil {
		return list
	}
	var object struct {
		Packages []string `json:"packages"`
	}
	if json.Unmarshal(p.Workspaces, &object) == nil {
		return object.Packages
	}
	return nil
}

// nameMembers finds the packages that can be imported by name: the members of
// each workspace, and its root.
func (m *manifests) nameMembers(globs map[string][]string) {
	dirs := make([]string, 0, len(m.packages))
	for dir := range m.packages {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		p := m.packages[dir]
		if p.Name != "" && !strings.Contains("/"+dir+"/", "/node_modules/") && isMember(dir, globs) {
			m.named[p.Name] = append(m.named[p.Name], p)
		}
	}
}

func isMember(dir string, globs map[string][]string) bool {
	for root, patterns := range globs {
		if dir == root && len(patterns) > 0 {
			return true
		}
		rest, ok := under(root, dir)
		if !ok {
			continue
		}
		in := false
		for _, pattern := range patterns {
			negative := strings.HasPrefix(pattern, "!")
			pattern = strings.TrimSuffix(path.Clean(strings.TrimPrefix(pattern, "!")), "/")
			if match, err := doublestar.Match(pattern, rest); err == nil && match {
				in = !negative
			}
		}
		if in {
			return true
		}
	}
	return false
}

// under returns p relative to dir, if it lies below.
func under(dir, p string) (string, bool) {
	if dir == "" {
		return p, p != ""
	}
	return strings.CutPrefix(p, dir+"/")
}

func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// packageOf returns the nearest package.json above a folder, nil if there is none.
func (m *manifests) packageOf(dir string) *manifest {
	for {
		if p := m.packages[dir]; p != nil {
			return p
		}
		if dir == "" {
			return nil
		}
		dir = folderOf(dir)
	}
}

// splitPackage splits an import into the package's name and the path in it.
func splitPackage(spec string) (name, rest string) {
	parts := strings.SplitN(spec, "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1], strings.Join(parts[2:], "/")
	}
	name, rest, _ = strings.Cut(spec, "/")
	return name, rest
}

// targets returns the paths that an exports or imports field gives for a key
// such as "." or "./sub", those of the preferred conditions first.
func targets(field json.RawMessage, key string, conditions []string) (out []string, listed bool) {
	if len(field) == 0 {
		return nil, false
	}
	var keyed map[string]json.RawMessage
	if json.Unmarshal(field, &keyed) != nil || !hasSubpaths(keyed) {
		if key != "." {
			return nil, true
		}
		return conditional(field, conditions, 0), true
	}
	if v, ok := keyed[key]; ok {
		return conditional(v, conditions, 0), true
	}
	best, star := "", ""
	for pattern := range keyed {
		before, after, ok := strings.Cut(pattern, "*")
		if !ok || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) || len(key) < len(before)+len(after) {
			continue
		}
		if len(before) > len(star) || best == "" {
			best, star = pattern, before
		}
	}
	if best == "" {
		return nil, true
	}
	_, after, _ := strings.Cut(best, "*")
	middle := strings.TrimSuffix(strings.TrimPrefix(key, star), after)
	for _, t := range conditional(keyed[best], conditions, 0) {
		out = append(out, strings.ReplaceAll(t, "*", middle))
	}
	return out, true
}

func hasSubpaths(keyed map[string]json.RawMessage) bool {
	for k := range keyed {
		if strings.HasPrefix(k, ".") || strings.HasPrefix(k, "#") {
			return true
		}
	}
	return false
}

// conditional returns every path below a conditions object. The conditions that
// the importer's tsconfig names come first, then the others in order of name,
// which decide only where the paths of the first lead nowhere.
func conditional(v json.RawMessage, first []string, depth int) []string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return []string{text}
	}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		var out []string
		for _, item := range list {
			out = append(out, conditional(item, first, depth+1)...)
		}
		return out
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(v, &object) != nil || depth > 8 {
		return nil
	}
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	rank := func(k string) int {
		for i, list := range [][]string{first, {"source", "types", "development", "import", "module", "browser", "node", "default", "require"}} {
			if at := slices.Index(list, k); at >= 0 {
				return 100*i + at
			}
		}
		if strings.Contains(k, "source") {
			return 99
		}
		return 300
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	var out []string
	for _, k := range keys {
		out = append(out, conditional(object[k], first, depth+1)...)
	}
	return out
}
