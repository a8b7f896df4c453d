package verify

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
)

// Runners is a Runner, a Builder and Equipped for a repository whose tests are
// run by several tools: each test goes to the first Tool that takes its file. It
// must not be changed while it runs and is then safe for concurrent use, as far
// as its Tools are.
type Runners struct {
	Tools []Tool
}

// A Tool is one Runner with the tests that it runs.
type Tool struct {
	Runner Runner
	// Takes reports whether the tool runs the tests of a file of a tree, given by
	// its path in it; the file itself may be gone. It must be safe for concurrent use.
	Takes func(tree fs.FS, file string) bool
	// ByFile says that the tool's tests are named with their file; see TestID.File.
	ByFile bool
}

// Run runs each test by its tool, one tool after the other; see Runner. A folder
// goes to every tool that takes a file in it. A test that no tool takes is
// reported as not run.
func (r *Runners) Run(ctx context.Context, box sandbox.Sandbox, run Run) ([]Outcome, error) {
	parts, lost, err := r.parts(run)
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for i, part := range parts {
		if part == nil {
			continue
		}
		got, err := r.Tools[i].Runner.Run(ctx, box, *part)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	for _, id := range lost {
		out = append(out, Outcome{Test: id, Status: NotRun, Reason: "no tool takes the tests of this file or folder", Command: []string{"none"}})
	}
	return out, nil
}

// Build builds what those tools need that build; see Builder.
func (r *Runners) Build(ctx context.Context, box sandbox.Sandbox, run Run) error {
	parts, _, err := r.parts(run)
	if err != nil {
		return err
	}
	for i, part := range parts {
		if b, ok := r.Tools[i].Runner.(Builder); ok && part != nil {
			if err := b.Build(ctx, box, *part); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tooling is what all tools need together; of a variable that several set the
// last counts, but for PATH, which holds the folders of all. A tool that is
// missing is left to Run, unless all are.
func (r *Runners) Tooling(ctx context.Context, dir string) (Tooling, error) {
	all := Tooling{Versions: map[string]string{}}
	var errs []error
	for _, t := range r.Tools {
		equipped, ok := t.Runner.(Equipped)
		if !ok {
			continue
		}
		one, err := equipped.Tooling(ctx, dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all.join(one)
	}
	if len(errs) > 0 && (len(errs) == len(r.Tools) || ctx.Err() != nil) {
		return Tooling{}, errors.Join(errs...)
	}
	return all, nil
}

// join adds what another tool needs.
func (t *Tooling) join(other Tooling) {
	for _, pair := range other.Env {
		name, value, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(t.Env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
		switch {
		case i < 0:
			t.Env = append(t.Env, pair)
		case name == "PATH":
			dirs := append(filepath.SplitList(strings.TrimPrefix(t.Env[i], "PATH=")), filepath.SplitList(value)...)
			t.Env[i] = "PATH=" + strings.Join(unique(dirs), string(os.PathListSeparator))
		default:
			t.Env[i] = pair
		}
	}
	t.Readable = unique(append(t.Readable, other.Readable...))
	t.Writable = unique(append(t.Writable, other.Writable...))
	t.Linked = unique(append(t.Linked, other.Linked...))
	maps.Copy(t.Versions, other.Versions)
}

// unique drops what stands in the list before.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// parts gives each tool its part of the run, nil for none; lost are the tests
// that no tool takes.
func (r *Runners) parts(run Run) (parts []*Run, lost []TestID, err error) {
	parts = make([]*Run, len(r.Tools))
	if len(r.Tools) == 1 {
		parts[0] = &run
		return parts, nil, nil
	}
	part := func(i int) *Run {
		if parts[i] == nil {
			p := run
			p.Tests, p.Packages = nil, nil
			parts[i] = &p
		}
		return parts[i]
	}
	if len(run.Tests) == 0 && len(run.Packages) == 0 {
		for i := range r.Tools {
			if r.holds(i, run.Dir) {
				part(i)
			}
		}
		return parts, nil, nil
	}
	for _, dir := range run.Packages {
		tools, err := r.inFolder(run.Dir, dir)
		if err != nil {
			return nil, nil, err
		}
		for _, i := range tools {
			part(i).Packages = append(part(i).Packages, dir)
		}
	}
	for _, id := range run.Tests {
		tools, err := r.ofTest(run.Dir, id)
		if err != nil {
			return nil, nil, err
		}
		if len(tools) == 0 {
			lost = append(lost, id)
		}
		for _, i := range tools {
			part(i).Tests = append(part(i).Tests, id)
		}
	}
	return parts, lost, nil
}

// ofTest returns the tool of a test; of a folder as a whole it may be several.
func (r *Runners) ofTest(root string, id TestID) ([]int, error) {
	if id.File != "" {
		tree := os.DirFS(root)
		i := slices.IndexFunc(r.Tools, func(t Tool) bool { return t.Takes(tree, path.Join(id.Dir, id.File)) })
		if i < 0 {
			return nil, nil
		}
		return []int{i}, nil
	}
	tools, err := r.inFolder(root, id.Dir)
	if err != nil || id.Name == "" {
		return tools, err
	}
	named := slices.DeleteFunc(slices.Clone(tools), func(i int) bool { return r.Tools[i].ByFile })
	if len(named) == 0 { // its folder is gone, or its file: whose tests are named so answers for it
		for i, t := range r.Tools {
			if !t.ByFile {
				named = append(named, i)
			}
		}
	}
	return named[:min(len(named), 1)], nil
}

// inFolder returns the tools that take a file of the folder.
func (r *Runners) inFolder(root, dir string) ([]int, error) {
	if dir == "" || !filepath.IsLocal(filepath.FromSlash(dir)) {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "verify.run", Subject: fault.Subject{File: dir},
			Detail: "a test's folder must be relative to the tree and inside it", State: "nothing was run", Next: "give folders such as . or pkg/store"}
	}
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil, nil // a folder that is gone holds no tests
	}
	var out []int
	tree := os.DirFS(root)
	for i, t := range r.Tools {
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && t.Takes(tree, path.Join(dir, e.Name())) }) {
			out = append(out, i)
		}
	}
	return out, nil
}

// holds reports whether the tree has a file that the tool takes.
func (r *Runners) holds(tool int, root string) bool {
	found := false
	tree := os.DirFS(root)
	_ = fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && r.Tools[tool].Takes(tree, p) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
