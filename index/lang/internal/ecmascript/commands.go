package ecmascript

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// commands are the scripts build and test of the package.json that is nearest
// above a package, run by the package manager whose lock file or field
// packageManager the manifests show; nil for a script that there is none of.
func commands(p index.Package, manifests []index.Manifest) (build, test []string) {
	dir, m, ok := nearest(p.Dir, manifests)
	if !ok {
		return nil, nil
	}
	manager := managerOf(dir, manifests)
	if script := m.Scripts["build"]; script != "" {
		build = runScript(manager, dir, "build")
	}
	if script := m.Scripts["test"]; script != "" && !strings.Contains(script, "no test specified") {
		test = runScript(manager, dir, "test")
	}
	return build, test
}

// A packageJSON is what commands read of a package.json.
type packageJSON struct {
	Name           string            `json:"name"`
	Scripts        map[string]string `json:"scripts"`
	PackageManager string            `json:"packageManager"`
	Bin            json.RawMessage   `json:"bin"`
	Main           string            `json:"main"`
	Module         string            `json:"module"`
	Exports        json.RawMessage   `json:"exports"`
}

// nearest returns the folder and content of the package.json at or above dir.
func nearest(dir string, manifests []index.Manifest) (string, packageJSON, bool) {
	found, best := "", packageJSON{}
	ok := false
	for _, m := range manifests {
		at := path.Dir(m.Path)
		if path.Base(m.Path) != "package.json" || at != "." && at != dir && !strings.HasPrefix(dir, at+"/") || ok && len(at) < len(found) {
			continue
		}
		var read packageJSON
		if json.Unmarshal(m.Data, &read) == nil {
			found, best, ok = at, read, true
		}
	}
	return found, best, ok
}

// managerOf returns the package manager of a folder: the field packageManager
// nearest above, else npm.
func managerOf(dir string, manifests []index.Manifest) string {
	for d := dir; ; d = path.Dir(d) {
		at, m, ok := nearest(d, manifests)
		if name, _, _ := strings.Cut(m.PackageManager, "@"); ok && at == d && name != "" {
			return name
		}
		for _, f := range manifests {
			if path.Dir(f.Path) == d && path.Base(f.Path) == "pnpm-workspace.yaml" {
				return "pnpm"
			}
		}
		if d == "." || d == "/" {
			return "npm"
		}
	}
}

func runScript(manager, dir, script string) []string {
	args := []string{manager, "run", script}
	if dir == "." {
		return args
	}
	switch manager {
	case "pnpm":
		return []string{manager, "--dir", dir, "run", script}
	case "yarn":
		return []string{manager, "--cwd", dir, "run", script}
	case "bun":
		return []string{manager, "--cwd", dir, "run", script}
	}
	return []string{manager, "--prefix", dir, "run", script}
}
