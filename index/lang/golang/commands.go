package golang

import (
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// commands are those of the go tool for a package of a module that the
// repository holds, nil for one of none ("go help build", -C).
func commands(p index.Package, manifests []index.Manifest) (build, test []string) {
	module, found := "", false
	for _, m := range manifests {
		dir := path.Dir(m.Path)
		if path.Base(m.Path) == "go.mod" && (dir == "." || dir == p.Dir || strings.HasPrefix(p.Dir, dir+"/")) && len(dir) >= len(module) {
			module, found = dir, true
		}
	}
	if !found {
		return nil, nil
	}
	target := "."
	if p.Dir != module {
		target = "./" + strings.TrimPrefix(p.Dir, module+"/")
	}
	if module == "." {
		return []string{"go", "build", target}, []string{"go", "test", target}
	}
	return []string{"go", "build", "-C", module, target}, []string{"go", "test", "-C", module, target}
}
