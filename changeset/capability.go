package changeset

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// A point is a capability point with the symbols it sits on.
type point struct {
	task.Capability
	symbols []index.Symbol
	// open are names with several definitions.
	open []openName
}

type openName struct {
	name string
	defs []index.Symbol
}

// capabilities takes the task's points, has them split where there are none,
// and checks each (CHG-1).
func (v *derivation) capabilities() error {
	points := v.in.Task.Capabilities
	if len(points) == 0 && v.Splitter != nil && len(v.in.Task.Changes) == 0 {
		var err error
		if points, err = v.Splitter.Split(v.ctx, v.in); err != nil {
			return err
		}
	}
	if len(points) == 0 {
		points = v.fromChanges()
	}
	if len(points) == 0 {
		return v.ambiguousRequirement()
	}
	for _, c := range points {
		p, err := v.point(c)
		if err != nil {
			return err
		}
		v.points = append(v.points, p)
	}
	return nil
}

// fromChanges makes one point out of declared changes that come without one.
func (v *derivation) fromChanges() []task.Capability {
	if len(v.in.Task.Changes) == 0 {
		return nil
	}
	c := task.Capability{ID: "C-1", Sentence: strings.TrimSpace(v.in.Task.Requirement), Layers: []string{"contract"}}
	for _, x := range v.in.Task.Changes {
		c.Symbols = append(c.Symbols, x.Symbol)
	}
	if c.Sentence == "" {
		c.Sentence = "The declared contracts hold, and everything that relied on the old ones works."
	}
	if v.IDs != nil {
		c.Requirement = v.IDs.FindString(v.in.Task.Requirement)
	}
	return []task.Capability{c}
}

func (v *derivation) point(c task.Capability) (point, error) {
	p := point{Capability: c}
	switch {
	case strings.TrimSpace(c.Sentence) == "":
		return p, malformed(c, "it has no sentence", "give it one testable sentence", nil)
	case len(c.Symbols) == 0 && len(c.Creates) == 0:
		return p, malformed(c, "it sits on no symbol and creates none", "name at least one symbol of the repository, or what it creates", nil)
	case v.IDs != nil && !v.IDs.MatchString(c.Requirement):
		return p, malformed(c, fmt.Sprintf("it serves no requirement: %q has not the form %s", c.Requirement, v.IDs), "give the ID of the requirement that it serves", nil)
	}
	for _, name := range c.Symbols {
		defs := definitions(v.snap, name)
		switch len(identities(defs)) {
		case 0:
			return p, malformed(c, fmt.Sprintf("its symbol %q is not in the index", name), "name a symbol of the repository, or list it under creates", near(v.snap, name))
		case 1:
			p.symbols = append(p.symbols, defs...)
		default:
			p.open = append(p.open, openName{name, defs})
		}
	}
	return p, nil
}

// definitions returns what the index has under a name, without packages.
func definitions(snap *index.Snapshot, name string) []index.Symbol {
	var out []index.Symbol
	for _, d := range snap.Definitions(name).Sure {
		if d.Kind != index.KindPackage {
			out = append(out, d)
		}
	}
	return out
}

func identities(defs []index.Symbol) []string {
	var out []string
	seen := make(map[string]bool)
	for _, d := range defs {
		if !seen[d.Canonical] {
			seen[d.Canonical] = true
			out = append(out, d.Canonical)
		}
	}
	return out
}

func near(snap *index.Snapshot, name string) []fault.Subject {
	var out []fault.Subject
	for _, n := range snap.Near(name, 5) {
		out = append(out, fault.Subject{Symbol: n})
	}
	return out
}

func malformed(c task.Capability, detail, next string, candidates []fault.Subject) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "changeset.plan", Subject: fault.Subject{Text: c.ID},
		Detail: fmt.Sprintf("capability point %s is malformed: %s", c.ID, detail), Candidates: candidates, State: "no plan was made", Next: next}
}

// pointOf returns the ID of the first point that sits on a symbol, else of the first point.
func (v *derivation) pointOf(id string) string {
	for _, p := range v.points {
		for _, s := range p.symbols {
			if s.ID == id {
				return p.ID
			}
		}
	}
	return v.points[0].ID
}

// packageOf is the package part of a canonical name: what stands before the
// first dot after the last slash.
func packageOf(canonical string) string {
	slash := strings.LastIndexByte(canonical, '/')
	dot := strings.IndexByte(canonical[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	return canonical[:slash+1+dot]
}

// packagePlace is a place for something new in a package that no symbol of the point stands in.
func (v *derivation) packagePlace(pkg string) index.Span {
	for _, p := range v.snap.Packages() {
		if p.Path == pkg {
			return index.Span{File: p.Dir + "/", Line: 1, Col: 1}
		}
	}
	return index.Span{File: pkg + "/", Line: 1, Col: 1}
}

// endLine is the 1-based line on which a symbol ends.
func (v *derivation) endLine(sym index.Symbol) int {
	src, err := v.snap.Source(sym.Span.File)
	if err != nil || sym.Span.End > len(src) {
		return sym.Span.Line
	}
	return sym.Span.Line + strings.Count(string(src[sym.Span.Start:sym.Span.End]), "\n")
}
