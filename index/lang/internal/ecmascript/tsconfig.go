package ecmascript

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A config is what resolution reads of a tsconfig or jsconfig.
type config struct {
	path       string
	Extends    any `json:"extends"`
	References []struct {
		Path string `json:"path"`
	} `json:"references"`
	Options struct {
		BaseURL    *string             `json:"baseUrl"`
		Paths      map[string][]string `json:"paths"`
		Conditions []string            `json:"customConditions"`
	} `json:"compilerOptions"`
}

func readConfig(file string, data []byte) *config {
	c := &config{}
	if json.Unmarshal(standard(data), c) != nil {
		c = &config{}
	}
	c.path = file
	return c
}

// A mapping is the paths and baseUrl that hold in a folder.
type mapping struct {
	base       string // folder of baseUrl, "" with based unset for none
	based      bool
	paths      map[string][]string
	pathsBase  string
	conditions []string
}

// mappingOf returns what the nearest tsconfig above a folder says, its bases and
// the projects it refers to included.
func (m *manifests) mappingOf(dir string) mapping {
	for {
		for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
			if c := m.configs[path.Join(dir, name)]; c != nil {
				out := mapping{}
				m.apply(c, &out, 0)
				if len(out.paths) == 0 && !out.based {
					m.referred(c, &out)
				}
				return out
			}
		}
		if dir == "" {
			return mapping{}
		}
		dir = folderOf(dir)
	}
}

// referred takes the paths of the projects that a solution file refers to.
func (m *manifests) referred(c *config, out *mapping) {
	for _, r := range c.References {
		p := path.Join(folderOf(c.path), r.Path)
		if folderOf(p) != folderOf(c.path) && path.Ext(p) == "" {
			continue // another folder's own
		}
		if of := m.configAt(p); of != nil {
			m.apply(of, out, 0)
		}
	}
}

func (m *manifests) configAt(p string) *config {
	for _, name := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
		if c := m.configs[name]; c != nil {
			return c
		}
	}
	return nil
}

func (m *manifests) apply(c *config, out *mapping, depth int) {
	if depth > 16 {
		return
	}
	dir := folderOf(c.path)
	for _, base := range extended(c.Extends) {
		if b := m.extendedConfig(dir, base); b != nil {
			m.apply(b, out, depth+1)
		}
	}
	if o := c.Options; o.BaseURL != nil {
		out.base, out.based = folderJoin(dir, *o.BaseURL), true
	}
	if len(c.Options.Paths) > 0 {
		out.paths, out.pathsBase = c.Options.Paths, dir
		if out.based {
			out.pathsBase = out.base
		}
	}
	if len(c.Options.Conditions) > 0 {
		out.conditions = c.Options.Conditions
	}
}

// extendedConfig finds a config that another extends: by path, or in a package
// of the repository.
func (m *manifests) extendedConfig(dir, name string) *config {
	if strings.HasPrefix(name, ".") {
		return m.configAt(folderJoin(dir, name))
	}
	pkg, rest := splitPackage(name)
	for _, p := range m.named[pkg] {
		if c := m.configAt(path.Join(p.dir, rest)); c != nil {
			return c
		}
	}
	return nil
}

func extended(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// folderJoin joins paths relative to the repository, "" for its root.
func folderJoin(dir, rest string) string {
	p := path.Join(dir, rest)
	if p == "." {
		return ""
	}
	return p
}

// mapped returns the places that the paths of a mapping give for an import, of
// the most specific pattern only.
func (m *mapping) mapped(spec string) []string {
	best, star := "", -1
	for pattern := range m.paths {
		before, after, wild := strings.Cut(pattern, "*")
		switch {
		case !wild && pattern == spec:
			return m.places(m.paths[pattern], "")
		case wild && strings.HasPrefix(spec, before) && strings.HasSuffix(spec, after) && len(spec) >= len(before)+len(after) &&
			(len(before) > star || len(before) == star && pattern < best):
			best, star = pattern, len(before)
		}
	}
	if star < 0 {
		return nil
	}
	_, after, _ := strings.Cut(best, "*")
	return m.places(m.paths[best], spec[star:len(spec)-len(after)])
}

func (m *mapping) places(targets []string, middle string) (out []string) {
	for _, t := range targets {
		out = append(out, folderJoin(m.pathsBase, strings.Replace(t, "*", middle, 1)))
	}
	return out
}

// An alias is one literal entry of resolve.alias in a vite configuration.
type alias struct{ name, place string }

var (
	// aliasBlock finds the object or list behind "alias:".
	aliasBlock = regexp.MustCompile(`\balias\s*:\s*([{\[])`)
	// aliasEntry finds "name: 'path'", "name: path.resolve(__dirname, 'path')" and
	// "name: fileURLToPath(new URL('path', import.meta.url))".
	aliasEntry = regexp.MustCompile(`(?:^|[{,\n])\s*(?:find\s*:\s*)?["']?([@~#\w][\w@~#/.-]*)["']?\s*[:,]\s*(?:replacement\s*:\s*)?(?:(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*|fileURLToPath\(\s*new URL\(\s*)["'](\.{0,2}[\w@/.-]*)["']`)
)

// readAliases reads the aliases of a vite configuration that are literal; what
// is computed in other ways is not known.
func readAliases(dir string, data []byte) (out []alias) {
	at := aliasBlock.FindSubmatchIndex(data)
	if at == nil {
		return nil
	}
	block := data[at[2]:]
	depth := 0
	for i, c := range block {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		}
		if depth == 0 {
			block = block[:i+1]
			break
		}
	}
	for _, e := range aliasEntry.FindAllSubmatch(block, -1) {
		out = append(out, alias{string(e[1]), folderJoin(dir, string(e[2]))})
	}
	slices.SortStableFunc(out, func(a, b alias) int { return len(b.name) - len(a.name) })
	return out
}

// aliased returns where the nearest vite configuration sends an import.
func (m *manifests) aliased(dir, spec string) (string, bool) {
	for {
		for _, a := range m.aliases[dir] {
			if rest, ok := strings.CutPrefix(spec, a.name); ok && (rest == "" || rest[0] == '/') {
				return folderJoin(a.place, rest), true
			}
		}
		if dir == "" {
			return "", false
		}
		dir = folderOf(dir)
	}
}
