package patch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// A Generation asks for one generator to be run on the tree that the overlay gives.
type Generation struct {
	Before  *index.Snapshot
	Overlay map[string][]byte // what the tree differs in; nil content: deleted
	Source  string            // the changed source
	Command string
	Dir     string   // folder of the command, relative to the workspace
	Outputs []string // files that it is known to write
}

// Generated is what a generator wrote.
type Generated struct {
	Files     map[string][]byte // whole contents by path; nil: deleted
	Sandboxed bool              // isolation held
}

// checkDerived refuses to edit what a command writes (PAT-17).
func (b *builder) checkDerived(e *Edit) error {
	for _, path := range []string{e.File, e.To} {
		if path == "" {
			continue
		}
		d, ok := b.in.Before.Derived(path)
		if !ok {
			continue
		}
		detail, next := explainDerived(path, d)
		f := refuse(fault.Dangerous, e, detail, next)
		f.Subject.File = path
		if d.Source != "" || d.Command != "" {
			f.Candidates = []fault.Subject{{File: d.Source, Text: d.Command}}
		}
		return f
	}
	return nil
}

// explainDerived says what makes a file and what to do instead of editing it.
func explainDerived(path string, d index.Derivation) (detail, next string) {
	detail = path + " is written by a command and not by hand"
	switch {
	case d.Command != "" && d.Source != "":
		return detail + fmt.Sprintf(": its source is %s, its command %q in %q", d.Source, d.Command, d.Dir), fmt.Sprintf("edit %s and let %q write %s", d.Source, d.Command, path)
	case d.Source != "":
		return detail + ": its source is " + d.Source, "edit " + d.Source + " and generate the file anew"
	}
	return detail + fmt.Sprintf(", as its header says (line %d); which one is not recorded in the repository", max(1, d.By.Line)), "find the source and the command, and edit the source"
}

// generate runs the commands whose sources the Set changes and takes their
// outputs into it.
func (b *builder) generate() error {
	for _, g := range b.pendingGenerations() {
		c := Command{Command: g.Command, Dir: g.Dir, Outputs: g.Outputs}
		if b.a.Generate == nil {
			b.set.Pending = append(b.set.Pending, c)
			continue
		}
		got, err := b.a.Generate(b.ctx, g)
		if err != nil {
			return fault.From(err, "patch.generate", "make the command run, or run it by hand and pass its output")
		}
		if err := b.takeOutputs(got, g); err != nil {
			return err
		}
		c.Outputs, c.Sandboxed = slices.Sorted(maps.Keys(got.Files)), got.Sandboxed
		b.set.Commands = append(b.set.Commands, c)
	}
	return nil
}

// pendingGenerations lists the commands of derived files whose source changes,
// each once, in order of their first output.
func (b *builder) pendingGenerations() []Generation {
	touched := b.set.Touched()
	var out []Generation
	for _, f := range b.in.Before.Files() {
		d, ok := b.in.Before.Derived(f.Path)
		if !ok || d.Command == "" || !slices.Contains(touched, d.Source) {
			continue
		}
		i := slices.IndexFunc(out, func(g Generation) bool { return g.Command == d.Command && g.Dir == d.Dir })
		if i < 0 {
			i = len(out)
			out = append(out, Generation{Before: b.in.Before, Overlay: b.set.Overlay(), Source: d.Source, Command: d.Command, Dir: d.Dir})
		}
		out[i].Outputs = append(out[i].Outputs, f.Path)
	}
	return out
}

// takeOutputs joins a generator's outputs to the Set, in its source's block.
func (b *builder) takeOutputs(got Generated, g Generation) error {
	block := ""
	for _, f := range b.set.Files {
		if f.Path == g.Source || f.From == g.Source {
			block = f.Block
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got.Files)) {
		if slices.ContainsFunc(b.set.Files, func(f File) bool { return f.Path == path }) {
			return &fault.Fault{Class: fault.InvalidInput, Op: "patch.generate", Subject: fault.Subject{File: path}, State: unchanged,
				Detail: fmt.Sprintf("%q writes %s, which the edits change too", g.Command, path), Next: "leave that file to the command"}
		}
		f := File{Path: path, Op: Modified, New: got.Files[path], Block: block}
		old, mode, err := b.read(path)
		if err != nil {
			if err := checkPath(path, true); err != nil {
				return err
			}
			f.Op, f.NewMode = Created, 0o644
		} else {
			f.Old, f.OldMode, f.NewMode = old, mode, mode
		}
		switch {
		case f.New == nil && f.Op == Created, f.Op == Modified && string(f.Old) == string(f.New) && f.New != nil:
			continue
		case f.New == nil:
			f.Op, f.NewMode = Deleted, 0
		}
		b.set.Files = append(b.set.Files, f)
		for _, h := range fileHunks(&f) {
			h.Action, h.Capability = b.plan.generator(g.Command)
			b.set.Hunks = append(b.set.Hunks, h)
		}
	}
	sortFiles(b.set.Files)
	slices.SortStableFunc(b.set.Hunks, func(x, y Hunk) int { return compareHunks(&x, &y) })
	return nil
}

// generator returns the plan's action that runs a command.
func (v *planView) generator(command string) (action, capability string) {
	if v.plan == nil {
		return "", ""
	}
	for _, a := range v.plan.Actions {
		if a.Kind == changeset.Generate && a.Command == command {
			return a.ID, a.Capability
		}
	}
	return "", ""
}
