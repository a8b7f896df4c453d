package plumb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// generator runs the commands that make derived files, in a scratch tree and a
// sandbox, so that their outputs join the transaction (PAT-17).
type generator struct {
	workspace *patch.Workspace
	box       sandbox.Sandbox
	runner    verify.Equipped
}

// run runs one command and returns the outputs it is known to write.
func (g generator) run(ctx context.Context, job patch.Generation) (out patch.Generated, err error) {
	scratch, err := g.workspace.Scratch(ctx)
	if err != nil {
		return patch.Generated{}, err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	if err := lay(scratch.Dir(), job.Overlay); err != nil {
		return patch.Generated{}, fault.From(err, "chain.generate", "make the folder for temporary files writable")
	}
	tooling, err := g.runner.Tooling(ctx, g.workspace.Dir())
	if err != nil {
		return patch.Generated{}, err
	}
	args, env, ok := verify.GeneratorCommand(job.Before, derivation(job), tooling)
	if !ok {
		args = []string{"/bin/sh", "-c", job.Command}
	}
	place, err := verify.PlaceOf(ctx, g.box, g.workspace, scratch, tooling.Linked)
	if err != nil {
		return patch.Generated{}, err
	}
	tooling.Env = env
	res, err := g.box.Run(ctx, tooling.Equip(place.Command(job.Dir, args...)))
	if err != nil {
		return patch.Generated{}, err
	}
	if res.ExitCode != 0 {
		return patch.Generated{}, &fault.Fault{Class: fault.Environment, Op: "chain.generate", Subject: fault.Subject{File: job.Source, Text: job.Command},
			Detail: "the generator ended with an error: " + sentence(string(res.Stderr)), State: "workspace unchanged",
			Next: "run the command by hand after the edit and mend what it says"}
	}
	out = patch.Generated{Files: map[string][]byte{}, Sandboxed: !res.Unsandboxed}
	for _, name := range job.Outputs {
		data, err := os.ReadFile(filepath.Join(scratch.Dir(), filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return patch.Generated{}, fault.From(err, "chain.generate", "look at what the generator writes")
		}
		out.Files[name] = data
	}
	return out, nil
}

// derivation is what the index knows of the job's command.
func derivation(job patch.Generation) index.Derivation {
	for _, name := range job.Outputs {
		if d, ok := job.Before.Derived(name); ok && d.Command == job.Command && d.Dir == job.Dir {
			return d
		}
	}
	return index.Derivation{Command: job.Command, Dir: job.Dir, Source: job.Source, By: index.Span{File: job.Source}}
}

// lay writes an overlay into a scratch tree.
func lay(dir string, overlay map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range overlay {
		if data == nil {
			if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if i := strings.LastIndexByte(name, '/'); i > 0 {
			if err := root.MkdirAll(name[:i], 0o755); err != nil {
				return err
			}
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
