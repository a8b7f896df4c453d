package verify

import "context"

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
}

// Equipped is a Runner that can say what its tool needs. It runs nothing of a
// repository. Errors are faults of class environment.
type Equipped interface {
	Tooling(ctx context.Context) (Tooling, error)
}
