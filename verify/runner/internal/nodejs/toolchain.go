package nodejs

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/verify"
)

// node is the node command with what it needs inside a sandbox.
type node struct {
	command  string
	version  string
	env      []string
	readable []string
}

// locate finds the node command. It asks the command itself, in a folder that
// is no project, for its version.
func (t Tool) locate(ctx context.Context) (node, error) {
	name := t.Node
	if name == "" {
		name = "node"
	}
	command, err := exec.LookPath(name)
	if err == nil {
		command, err = filepath.Abs(command)
	}
	if err != nil {
		return node{}, t.missing(err, "install Node.js and have it in PATH, or set Node")
	}
	cmd := exec.CommandContext(ctx, command, "--version")
	cmd.Dir = os.TempDir()
	data, err := cmd.Output()
	if ctx.Err() != nil {
		return node{}, fault.From(ctx.Err(), t.Name+".run", "run it again")
	}
	if err != nil {
		return node{}, t.missing(err, "run node --version and mend what it says")
	}
	n := node{command: command, version: strings.TrimSpace(string(data)), env: []string{
		"PATH=" + filepath.Dir(command) + string(os.PathListSeparator) + os.Getenv("PATH"),
		// What a tool does on a build machine: no watching, no colours, no new snapshots.
		"CI=1", "NO_COLOR=1", "FORCE_COLOR=0", "NODE_ENV=test",
		"npm_config_offline=true", "COREPACK_ENABLE_NETWORK=0",
	}}
	if real, err := filepath.EvalSymlinks(command); err == nil {
		if home := filepath.Dir(filepath.Dir(real)); home != "/usr" && home != "/" {
			n.readable = append(n.readable, home)
		}
		if dir := filepath.Dir(command); !strings.HasPrefix(command, "/usr/") && filepath.Dir(real) != dir {
			n.readable = append(n.readable, dir)
		}
	}
	return n, nil
}

// Tooling returns what the tool needs inside a sandbox to work on the repository
// at dir; see verify.Equipped.
func (t Tool) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	n, err := t.locate(ctx)
	if err != nil {
		return verify.Tooling{}, err
	}
	versions := map[string]string{"node": n.version}
	if v := t.installed(dir); v != "" {
		versions[t.Name] = v
	}
	return verify.Tooling{Env: n.env, Readable: n.readable, Versions: versions, Linked: []string{"node_modules"}}, nil
}

// installed is the version of the tool at the repository's root, "" where only
// packages further down have it, or none.
func (t Tool) installed(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "node_modules", t.Name, "package.json"))
	if err != nil {
		return ""
	}
	var m struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(data, &m) != nil {
		return ""
	}
	return m.Version
}

func (t Tool) missing(err error, next string) error {
	return &fault.Fault{Class: fault.Environment, Op: t.Name + ".run", Subject: fault.Subject{Text: "node"},
		Detail: "the node command cannot be used", State: "nothing was run", Next: next, Err: err}
}
