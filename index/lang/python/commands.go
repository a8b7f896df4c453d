package python

import (
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// commands are those of compileall, which reports what does not parse, and of
// pytest: for a module of tests its folder, for any other the tests of its
// project, as pytest's configuration names them.
func commands(p index.Package, manifests []index.Manifest) (build, test []string) {
	build = []string{"python", "-m", "compileall", "-q", p.Dir}
	if len(p.Files) > 0 && isTestFile(p.Files[0]) {
		return build, []string{"python", "-m", "pytest", p.Dir}
	}
	projects := projectsOf(manifests, nil)
	for dir := p.Dir; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		if project, ok := projects[dir]; ok {
			return build, project.pytest()
		}
		if dir == "" {
			return build, []string{"python", "-m", "pytest", "."}
		}
	}
}

// pytest returns the command that runs a project's tests.
func (p *project) pytest() []string {
	cmd := []string{"python", "-m", "pytest"}
	for _, dir := range p.tests {
		if dir = path.Join(p.dir, dir); dir != "" && !strings.HasPrefix(dir, "..") {
			cmd = append(cmd, dir)
		}
	}
	if len(cmd) == 3 {
		cmd = append(cmd, path.Join(".", p.dir))
	}
	return cmd
}
