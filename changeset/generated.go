package changeset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// toSources replaces targets in derived files by their sources (CHG-11).
func (v *derivation) toSources() error {
	for i := range v.actions.all {
		v.toSource(&v.actions.all[i])
	}
	return nil
}

// generators adds the commands that make what is derived from a target.
func (v *derivation) generators() error {
	touched := make(map[string]Action)
	for _, a := range v.actions.all {
		if _, ok := touched[a.Target.File]; !ok && a.Kind != AddTest && a.Kind != FixTest && a.Kind != Document {
			touched[a.Target.File] = a
		}
	}
	commands := make(map[string]int) // dir and command -> action
	for _, f := range v.snap.Files() {
		if f.Origin != index.Generated {
			continue
		}
		d, ok := v.snap.Derived(f.Path)
		a, hit := touched[d.Source]
		if !ok || !hit || d.Command == "" {
			continue
		}
		key := d.Dir + "\x00" + d.Command
		if at, ok := commands[key]; ok {
			v.actions.all[at].Outputs = append(v.actions.all[at].Outputs, f.Path)
			continue
		}
		commands[key] = len(v.actions.all)
		v.act(Action{Kind: Generate, Capability: a.Capability, Target: d.By, Block: a.Block, Why: fmt.Sprintf("%s is made from %s, which changes", f.Path, d.Source), Grade: High,
			Source: "command in " + d.By.File, Verify: []string{"the generator runs and its output compiles"}, Command: command(d), Outputs: []string{f.Path}})
	}
	return nil
}

// command is a derivation's command as it is run from the repository's root.
func command(d index.Derivation) string {
	if d.Dir == "" || d.Dir == "." {
		return d.Command
	}
	return "cd " + d.Dir + " && " + d.Command
}

// toSource moves an action off a derived file.
func (v *derivation) toSource(a *Action) {
	d, ok := v.snap.Derived(a.Target.File)
	if !ok || d.Source == "" || a.Kind == Generate {
		return
	}
	f, _ := v.snap.File(d.Source)
	a.Why += fmt.Sprintf("%s%s is derived, so its source changes", whySep, a.Target.File)
	for _, id := range v.testsOf(a) {
		if len(a.Verify) < mostVerify {
			a.Verify = append(a.Verify, "test "+id)
		}
	}
	a.Symbol = ""
	a.Target = index.Span{File: d.Source, Hash: f.Hash, Start: 0, End: f.Size, Line: 1, Col: 1}
}

// A WriteSet is what a plan allows to change; everything else must stay.
type WriteSet struct {
	// Files are existing files that change by hand, sorted. Folders, with "/" at
	// the end, are those in which new files may be added.
	Files   []string `json:"files"`
	Folders []string `json:"folders,omitempty"`
	// Symbols are the IDs of symbols that may change, sorted.
	Symbols []string `json:"symbols"`
	// Outputs are files that the plan's generators write, sorted.
	Outputs []string `json:"outputs,omitempty"`
}

// WriteSet returns what the plan allows to change (CHG-7).
func (p *Plan) WriteSet() WriteSet {
	var w WriteSet
	for _, a := range p.Actions {
		switch {
		case a.Kind == Generate:
			w.Outputs = append(w.Outputs, a.Outputs...)
		case strings.HasSuffix(a.Target.File, "/"):
			w.Folders = append(w.Folders, a.Target.File)
		default:
			w.Files = append(w.Files, a.Target.File)
		}
		if a.Symbol != "" {
			w.Symbols = append(w.Symbols, a.Symbol)
		}
	}
	for _, list := range []*[]string{&w.Files, &w.Folders, &w.Symbols, &w.Outputs} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return w
}

// Targets returns the files that the plan changes by hand for what it is about:
// those of definitions, contract sync, mirrors and what is created, sorted.
// Files in which only tests or documents change, and places that are only to be
// confirmed, do not count.
func (p *Plan) Targets() []string {
	var out []string
	for _, a := range p.Actions {
		if (a.Kind == Define || a.Kind == Create || a.Kind == Sync || a.Kind == Mirror) && a.Grade != Low {
			out = append(out, a.Target.File)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
