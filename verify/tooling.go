package verify

import (
	"context"
	"slices"

	"github.com/plumbkit/plumb/host/sandbox"
)

// Tooling is what a tool needs inside a sandbox, whatever command runs there:
// generators of derived files use the same as tests.
type Tooling struct {
	// Env are variables as "NAME=value".
	Env []string `json:"env"`
	// Readable and Writable are absolute paths of the tool's own folders.
	Readable []string `json:"readable"`
	Writable []string `json:"writable"`
	// Versions maps a tool to its version.
	Versions map[string]string `json:"versions"`
	// Linked are patterns, as those of path.Match, for the base names of folders
	// and files that the tool keeps in a repository and git ignores, such as .venv
	// or node_modules: a scratch tree does without them, and commands see those of
	// the workspace in their places, for reading only.
	Linked []string `json:"linked,omitempty"`
}

// Equip adds to a command what the tool needs.
func (t Tooling) Equip(c sandbox.Command) sandbox.Command {
	c.Env = append(slices.Clone(t.Env), c.Env...)
	c.Readable = append(slices.Clone(c.Readable), t.Readable...)
	c.Writable = append(slices.Clone(c.Writable), t.Writable...)
	return c
}

// Equipped is a Runner that can say what its tool needs in the repository whose
// root is dir, an absolute path. It runs nothing of the repository. Errors are
// faults of class environment.
type Equipped interface {
	Tooling(ctx context.Context, dir string) (Tooling, error)
}
