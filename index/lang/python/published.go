package python

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/plumbkit/plumb/index"
)

// dependencyFiles are globs of the files that declare or pin dependencies.
func dependencyFiles() []string {
	return []string{"**/requirements*.{txt,in}", "**/requirements/*.{txt,in}", "**/constraints*.txt", "**/pyproject.toml", "**/setup.{py,cfg}",
		"**/pipfile", "**/pipfile.lock", "**/poetry.lock", "**/uv.lock", "**/pdm.lock"}
}

// needs is what a pyproject.toml or setup.cfg says of dependencies.
func needs(file string, data []byte) (string, bool) {
	switch path.Base(file) {
	case "pyproject.toml":
		return projectNeeds(data)
	case "setup.cfg":
		return configNeeds(string(data)), true
	}
	return "", false
}

// projectNeeds takes in what says which packages, builders and Pythons are used
// (packaging.python.org, pyproject.toml specification; PEP 735) and the tables in
// which Poetry, PDM, uv and Hatch keep theirs.
func projectNeeds(data []byte) (string, bool) {
	var all map[string]any
	if toml.Unmarshal(data, &all) != nil {
		return "", false
	}
	at := func(names ...string) any {
		var v any = all
		for _, n := range names {
			table, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = table[n]
		}
		return v
	}
	out, err := json.Marshal([]any{at("project", "dependencies"), at("project", "optional-dependencies"), at("project", "requires-python"), at("project", "dynamic"),
		at("build-system"), at("dependency-groups"), at("tool", "poetry", "dependencies"), at("tool", "poetry", "dev-dependencies"), at("tool", "poetry", "group"),
		at("tool", "poetry", "extras"), at("tool", "pdm", "dev-dependencies"), at("tool", "uv"), at("tool", "hatch", "envs")})
	return string(out), err == nil
}

// configSection begins a part of a setup.cfg.
var configSection = regexp.MustCompile(`^\[([^\]]+)\]`)

// configNeeds are the lines of the settings of a setup.cfg that name packages.
func configNeeds(data string) string {
	var out []string
	part, key := "", ""
	for l := range strings.Lines(data) {
		l = strings.TrimRight(l, "\r\n")
		if m := configSection.FindStringSubmatch(l); m != nil {
			part = m[1]
			continue
		}
		if name, _, ok := strings.Cut(l, "="); ok && l[0] != ' ' && l[0] != '\t' {
			key = strings.TrimSpace(name)
		}
		if strings.TrimSpace(l) == "" {
			continue
		}
		if part == "options.extras_require" || part == "options" && slices.Contains([]string{"install_requires", "setup_requires", "tests_require", "python_requires"}, key) {
			out = append(out, strings.TrimSpace(l))
		}
	}
	return strings.Join(out, "\n")
}

// entries are the files through which others come to a module whose name, or that
// of a folder around it, begins with an underscore: those of the package around.
func entries(file string, _ []index.Manifest, has func(string) bool) ([]string, bool) {
	parts := strings.Split(file, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "_") || strings.HasPrefix(p, "__") {
			continue
		}
		var out []string
		for j := i; j > 0; j-- {
			init := strings.Join(parts[:j], "/") + "/__init__.py"
			if !has(init) {
				break
			}
			out = append(out, init)
		}
		return out, true
	}
	return nil, false
}

// named are the ways in which entry points, settings and strings name a module:
// by its dotted name, and, what a package runs as, by "-m".
func named(file string) []string {
	module := strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__")
	for _, root := range []string{"src/", "lib/"} {
		module = strings.TrimPrefix(module, root)
	}
	dotted := regexp.QuoteMeta(strings.ReplaceAll(module, "/", "."))
	if pkg, ok := strings.CutSuffix(dotted, `\.__main__`); ok {
		return []string{`(-m\s+|["']-m["']\s*,\s*["'])` + pkg + `(["'\s]|$)`, `\b` + dotted + `\b`}
	}
	if !strings.Contains(module, "/") {
		return []string{`(-m\s+|["']|=\s*)` + dotted + `(:|["'\s]|$)`}
	}
	return []string{`(^|[^\w.])` + dotted + `($|[^\w])`}
}

// handsOn adds an import by which the initialization of a package hands on what
// its modules declare.
func (s *structurer) handsOn(n int32) {
	if s.enclosing(n) >= 0 || s.t.Kind(n) != "import_from_statement" {
		return
	}
	e := s.add(index.Export, n)
	for _, c := range slices.Collect(s.t.NamedChildren(n)) {
		if s.t.Kind(c) == "wildcard_import" {
			e.Form = index.FormAll
		}
	}
}
