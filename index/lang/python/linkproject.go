package python

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/plumbkit/plumb/index"
)

// A project is a folder with a manifest, and the folders below it that its
// packages are imported from.
type project struct {
	dir   string
	roots []string
	// tests are the folders in which pytest looks when it is not told others.
	tests []string
}

// projectsOf reads the manifests. What they do not say is looked up: a folder
// src without __init__ holds packages.
func projectsOf(manifests []index.Manifest, has func(string) bool) map[string]*project {
	out := map[string]*project{}
	for _, m := range manifests {
		dir := dirOf(m.Path)
		p := out[dir]
		if p == nil {
			p = &project{dir: dir}
			out[dir] = p
		}
		switch baseName(m.Path) {
		case "pyproject.toml":
			p.pyproject(m.Data)
		case "setup.cfg", "pytest.ini", "tox.ini":
			p.config(string(m.Data))
		case "setup.py":
			for _, found := range packageDir.FindAllSubmatch(m.Data, -1) {
				p.root(string(found[1]))
			}
		}
	}
	for _, p := range out {
		if src := path.Join(p.dir, "src"); has != nil && has(src) && !has(src+"/__init__.py") {
			p.root("src")
		}
		p.root(".")
	}
	return out
}

// packageDir finds package_dir={"": "src"} and find_packages("src") in a setup.py.
var packageDir = regexp.MustCompile(`(?:package_dir\s*=\s*\{\s*["']["']\s*:|find_(?:namespace_)?packages\(\s*(?:where\s*=)?)\s*["']([^"']+)["']`)

func (p *project) root(dir string) {
	dir = path.Join(p.dir, dir)
	if dir == "." {
		dir = ""
	}
	if !strings.HasPrefix(dir, "..") && !slices.Contains(p.roots, dir) {
		p.roots = append(p.roots, dir)
	}
}

// A pyproject is what pyproject.toml says of where packages lie, in the words
// of setuptools, poetry, hatch, pdm and pytest.
type pyproject struct {
	Tool struct {
		Setuptools struct {
			PackageDir map[string]string `toml:"package-dir"`
			Packages   any               `toml:"packages"`
		} `toml:"setuptools"`
		Poetry struct {
			Packages []struct {
				From string `toml:"from"`
			} `toml:"packages"`
		} `toml:"poetry"`
		Hatch struct {
			Build struct {
				Targets struct {
					Wheel struct {
						Packages []string `toml:"packages"`
					} `toml:"wheel"`
				} `toml:"targets"`
			} `toml:"build"`
		} `toml:"hatch"`
		Pdm struct {
			Build struct {
				PackageDir string `toml:"package-dir"`
			} `toml:"build"`
		} `toml:"pdm"`
		Pytest struct {
			Options struct {
				PythonPath any `toml:"pythonpath"`
				TestPaths  any `toml:"testpaths"`
			} `toml:"ini_options"`
		} `toml:"pytest"`
	} `toml:"tool"`
}

func (p *project) pyproject(data []byte) {
	var c pyproject
	if toml.Unmarshal(data, &c) != nil {
		return
	}
	if dir, ok := c.Tool.Setuptools.PackageDir[""]; ok {
		p.root(dir)
	}
	if find, ok := c.Tool.Setuptools.Packages.(map[string]any); ok {
		if where, ok := find["find"].(map[string]any); ok {
			p.rootsFrom(words(where["where"]))
		}
	}
	for _, pkg := range c.Tool.Poetry.Packages {
		p.root(pkg.From)
	}
	for _, pkg := range c.Tool.Hatch.Build.Targets.Wheel.Packages {
		p.root(dirOf(pkg))
	}
	if dir := c.Tool.Pdm.Build.PackageDir; dir != "" {
		p.root(dir)
	}
	p.rootsFrom(words(c.Tool.Pytest.Options.PythonPath))
	p.tests = append(p.tests, words(c.Tool.Pytest.Options.TestPaths)...)
}

func (p *project) rootsFrom(dirs []string) {
	for _, dir := range dirs {
		p.root(dir)
	}
}

// words returns the strings of a value that is a string or a list of them.
func words(v any) (out []string) {
	switch v := v.(type) {
	case string:
		return strings.Fields(v)
	case []any:
		for _, s := range v {
			if s, ok := s.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// config reads the sections of setup.cfg, tox.ini and pytest.ini.
func (p *project) config(text string) {
	section, key := "", ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
			continue
		case trimmed[0] == '[':
			section, key = strings.Trim(trimmed, "[]"), ""
			continue
		}
		value := trimmed
		if line[0] != ' ' && line[0] != '\t' {
			name, rest, ok := strings.Cut(trimmed, "=")
			if !ok {
				continue
			}
			key, value = strings.TrimSpace(name), strings.TrimSpace(rest)
		}
		p.setting(section, key, value)
	}
}

func (p *project) setting(section, key, value string) {
	switch section + "." + strings.ReplaceAll(key, "-", "_") {
	case "options.package_dir":
		if name, dir, ok := strings.Cut(value, "="); ok && strings.TrimSpace(name) == "" {
			p.root(strings.TrimSpace(dir))
		}
	case "options.packages.find.where":
		p.rootsFrom(strings.Fields(value))
	case "tool:pytest.pythonpath", "pytest.pythonpath":
		p.rootsFrom(strings.Fields(value))
	case "tool:pytest.testpaths", "pytest.testpaths":
		p.tests = append(p.tests, strings.Fields(value)...)
	}
}
