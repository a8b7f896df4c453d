package verify

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/patch"
)

// A Place is where commands find a scratch tree (VER-24). In a sandbox that can
// mount, that is the workspace's own path: what an environment wrote down with
// absolute paths (an editable install, a link of node_modules, the first line of
// a script) then leads to the tree and not to the original, which cannot be
// reached. Elsewhere it is the tree's own folder.
type Place struct {
	// Dir is the tree's folder on this machine.
	Dir string
	// At is the absolute path that commands find it at; "" is Dir itself.
	At string
	// Mounts make it appear there, and in it what Tooling.Linked names.
	Mounts []sandbox.Mount
}

// Root is the path that commands find the tree at.
func (p Place) Root() string {
	if p.At != "" {
		return p.At
	}
	return p.Dir
}

// Command is a command that runs in a folder of the tree, given relative to its
// root ("." for the root), and that may write to the tree.
func (p Place) Command(dir string, args ...string) sandbox.Command {
	c := sandbox.Command{Dir: filepath.Join(p.Root(), filepath.FromSlash(dir)), Args: args, Mounts: p.Mounts}
	if p.At == "" {
		c.Writable = []string{p.Dir}
	}
	return c
}

// Root is the path that commands find the run's tree at.
func (r Run) Root() string { return r.place().Root() }

// Command is a command that runs in a folder of the run's tree, given relative to
// its root, with what makes the tree appear where it is found; the tool's own
// variables and folders have to be added.
func (r Run) Command(dir string, args ...string) sandbox.Command {
	return r.place().Command(dir, args...)
}

func (r Run) place() Place { return Place{Dir: r.Dir, At: r.At, Mounts: r.Mounts} }

// PlaceOf finds out where commands in the box find a scratch tree of the
// workspace, and makes what linked names (see Tooling.Linked) appear in it: by
// mounts where the box makes them, else by links in the tree. Errors are those of
// patch.Scratch.Link; a box that runs nothing is not one of them.
func PlaceOf(ctx context.Context, box sandbox.Sandbox, ws *patch.Workspace, tree *patch.Scratch, linked []string) (Place, error) {
	return placeIn(ws, tree, linked, mounts(ctx, box, ws, tree))
}

func placeIn(ws *patch.Workspace, tree *patch.Scratch, linked []string, mounts bool) (Place, error) {
	p := Place{Dir: tree.Dir()}
	names := absentFrom(tree, ws, linked)
	if !mounts {
		for _, name := range names {
			if err := tree.Link(name); err != nil {
				return Place{}, err
			}
		}
		return p, nil
	}
	p.At = ws.Dir()
	p.Mounts = []sandbox.Mount{{Source: tree.Dir(), Target: ws.Dir(), Writable: true}}
	for _, name := range names {
		at := filepath.Join(ws.Dir(), filepath.FromSlash(name))
		source, err := filepath.EvalSymlinks(at)
		if err != nil {
			continue // a link that leads nowhere
		}
		p.Mounts = append(p.Mounts, sandbox.Mount{Source: source, Target: at})
	}
	return p, nil
}

// mounts reports whether the box puts a tree into another place: it is tried with
// a command that does nothing.
func mounts(ctx context.Context, box sandbox.Sandbox, ws *patch.Workspace, tree *patch.Scratch) bool {
	res, err := box.Run(ctx, sandbox.Command{Dir: ws.Dir(), Args: []string{"true"},
		Mounts: []sandbox.Mount{{Source: tree.Dir(), Target: ws.Dir(), Writable: true}}})
	return err == nil && res.Mounted
}

// absentFrom returns what the patterns name in the workspace's folders and the
// tree does not hold, by path relative to the root. Nothing is looked for inside
// of what is found.
func absentFrom(tree *patch.Scratch, ws *patch.Workspace, patterns []string) []string {
	if len(patterns) == 0 {
		return nil
	}
	var out []string
	_ = fs.WalkDir(tree.FS(), ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		entries, err := os.ReadDir(filepath.Join(ws.Dir(), filepath.FromSlash(dir)))
		if err != nil {
			return nil // of the tree alone
		}
		for _, e := range entries {
			if !matches(patterns, e.Name()) {
				continue
			}
			name := path.Join(dir, e.Name())
			if _, err := fs.Stat(tree.FS(), name); err != nil {
				out = append(out, name)
			}
		}
		return nil
	})
	return out
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return false
}

// placed puts the run into a tree.
func (q *inquiry) placed(ctx context.Context, tree *patch.Scratch, run Run) (Run, error) {
	place, ok := q.places[tree]
	if !ok {
		if q.mounts == nil {
			can := mounts(ctx, q.box.inner, q.in.Workspace, tree)
			q.mounts = &can
		}
		var err error
		if place, err = placeIn(q.in.Workspace, tree, q.tools.Linked, *q.mounts); err != nil {
			return run, err
		}
		q.places[tree] = place
	}
	run.Dir, run.At, run.Mounts = place.Dir, place.At, place.Mounts
	return run, nil
}
