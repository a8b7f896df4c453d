package nodejs

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// A manifest is what matters here of a package.json.
type manifest struct {
	Scripts              map[string]string `json:"scripts"`
	Dependencies         map[string]string `json:"dependencies"`
	DevDependencies      map[string]string `json:"devDependencies"`
	OptionalDependencies map[string]string `json:"optionalDependencies"`
	PeerDependencies     map[string]string `json:"peerDependencies"`
	Jest                 json.RawMessage   `json:"jest"`
	Mocha                json.RawMessage   `json:"mocha"`
	Ava                  json.RawMessage   `json:"ava"`
}

// readManifest reads the package.json of a folder; ok is false where there is
// none that can be read.
func readManifest(fsys fs.FS, dir string) (m manifest, ok bool) {
	data, err := fs.ReadFile(fsys, path.Join(dir, "package.json"))
	if err != nil {
		return m, false
	}
	return m, json.Unmarshal(data, &m) == nil
}

func (m manifest) depends(name string) bool {
	for _, deps := range []map[string]string{m.Dependencies, m.DevDependencies, m.OptionalDependencies, m.PeerDependencies} {
		if _, ok := deps[name]; ok {
			return true
		}
	}
	return false
}

// script reports whether one of the scripts runs the tool.
func (m manifest) script(tool string) bool {
	word := regexp.MustCompile(`(^|[\s/&|;"'=])` + regexp.QuoteMeta(tool) + `($|[\s&|;"'])`)
	for _, s := range m.Scripts {
		if word.MatchString(s) {
			return true
		}
	}
	return false
}

// root returns the folder in which the tool runs a test: the outermost above it
// whose configuration is one of several projects, since what these configure may
// stand on it; else the nearest that configures the tool or has a script that runs
// it, else the nearest that depends on it, else the outermost package.
func (t Tool) root(base, dir, file string) (string, error) {
	if dir == "" || !filepath.IsLocal(filepath.FromSlash(dir)) || strings.ContainsAny(file, `/\`) {
		return "", refuse(t.Name+".run", path.Join(dir, file), "a test's folder must be relative to the tree and inside it, and its file a base name",
			"give folders such as . or packages/a, and files such as x.test.ts")
	}
	fsys := os.DirFS(base)
	var projects, near, depends, outermost string
	for d := path.Clean(dir); ; d = path.Dir(d) {
		m, ok := readManifest(fsys, d)
		config, has := configuration(fsys, d, t.Name)
		if has && ofProjects(config) || ok && t.Name == "jest" && ofProjects(string(m.Jest)) {
			projects = d
		}
		if near == "" && (has || ok && (t.Name == "jest" && m.Jest != nil || m.script(t.Name))) {
			near = d
		}
		if ok {
			outermost = d
		}
		if depends == "" && ok && m.depends(t.Name) {
			depends = d
		}
		if d == "." || d == "/" {
			break
		}
	}
	for _, root := range []string{projects, near, depends, outermost} {
		if root != "" {
			return root, nil
		}
	}
	return "", t.noProject(filepath.Join(base, dir))
}

// ofProjects reports whether a configuration names the projects that it is for.
func ofProjects(config string) bool {
	return regexp.MustCompile(`["']?\b(projects|workspace)["']?\s*:|\bdefineWorkspace\b`).MatchString(config)
}

// configured reports whether a folder holds a configuration of the tool.
func configured(fsys fs.FS, dir, tool string) bool {
	_, ok := configuration(fsys, dir, tool)
	return ok
}

// configuration returns the source of a folder's configuration of the tool. One
// that is named for projects says so itself.
func configuration(fsys fs.FS, dir, tool string) (source string, ok bool) {
	extensions := []string{".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"}
	for _, name := range []string{".workspace", ".projects", ".config"} {
		for _, ext := range extensions {
			data, err := fs.ReadFile(fsys, path.Join(dir, tool+name+ext))
			if err != nil {
				continue
			}
			if name != ".config" {
				return "projects: " + string(data), true
			}
			return string(data), true
		}
	}
	for _, ext := range extensions[:6] {
		data, err := fs.ReadFile(fsys, path.Join(dir, "vite.config"+ext))
		if tool == "vitest" && err == nil && regexp.MustCompile(`\bvitest\b|\btest\s*:`).Match(data) {
			return string(data), true
		}
	}
	return "", false
}

func (t Tool) noProject(dir string) error {
	return &fault.Fault{Class: fault.Environment, Op: t.Name + ".run", Subject: fault.Subject{File: dir},
		Detail: "no package.json at or above this folder, or no project below it, uses " + t.Name, State: "nothing was run",
		Next: "add " + t.Name + " to the project, or bring a runner of the tool that it uses"}
}
