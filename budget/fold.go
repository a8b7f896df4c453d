package budget

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// foldAt is the number of members from which a module is folded: members that
// have to do with the task stay in full, and one line names the rest with
// their number.
const foldAt = 12

// folds recalls the members of the packages that the text names and of the
// types that the seeds reach. Of a module with many members those that bear a
// word of the resolved anchors in their name, or that the graph reached, are
// whole; the others become one line.
func (p *spreader) folds(s *seeder) []*candidate {
	var out []*candidate
	for _, pkg := range p.snap.Packages() {
		why, named := s.packages[pkg.Path]
		if !named && !p.reached(pkg) {
			continue
		}
		for _, group := range p.groups(pkg) {
			out = append(out, p.fold(s, group, orElse(why, "its package is reached from the seeds"), named)...)
		}
	}
	return out
}

// reached reports whether a seed or a contract of a seed stands in the package.
func (p *spreader) reached(pkg index.Package) bool {
	for _, c := range p.found {
		if c.sym.Package == pkg.Path && c.hops <= 1 && (c.layer == Definitions || c.layer == Contracts) {
			return true
		}
	}
	return false
}

// A group is the members of one type, or the functions of one package.
type group struct {
	name    string
	members []index.Symbol
}

func (p *spreader) groups(pkg index.Package) []group {
	byParent := make(map[string]*group)
	var order []string
	for _, file := range pkg.Files {
		for _, sym := range p.sources.outline(file) {
			if !callable(sym) || sym.Origin == index.Test || sym.Origin == index.Generated {
				continue
			}
			name := pkg.Path
			if parent, ok := p.snap.Symbol(sym.Parent); ok && isType(parent.Kind) {
				name = parent.Canonical
			}
			if byParent[name] == nil {
				byParent[name] = &group{name: name}
				order = append(order, name)
			}
			byParent[name].members = append(byParent[name].members, sym)
		}
	}
	sort.Strings(order)
	var out []group
	for _, name := range order {
		out = append(out, *byParent[name])
	}
	return out
}

func callable(sym index.Symbol) bool {
	return sym.Kind == index.KindFunction || sym.Kind == index.KindMethod || sym.Kind == index.KindConstructor
}

func (p *spreader) fold(s *seeder, g group, why string, named bool) []*candidate {
	root := &candidate{score: 50}
	if len(g.members) <= foldAt {
		for _, m := range g.members {
			p.reach(m.ID, Signatures, root, bySibling, why)
		}
		return nil
	}
	var rest []index.Symbol
	for _, m := range g.members {
		c := p.found[m.ID]
		switch {
		case named && p.concerns(s, m):
			c = p.reach(m.ID, Definitions, root, 1, why)
			if c != nil && !c.must && c.layer == Signatures {
				c.layer, c.why = Definitions, why
			}
			if c != nil {
				p.contracts(c, 1)
			}
		case c != nil && c.layer != Signatures:
		default:
			if c == nil {
				p.reach(m.ID, Signatures, root, bySibling, why)
			}
			rest = append(rest, m)
		}
	}
	if len(rest) < 2 {
		return nil
	}
	for _, m := range rest {
		delete(p.found, m.ID)
	}
	return []*candidate{p.foldedLine(g, rest, why)}
}

// concerns reports whether a member's name bears a word of an anchor that stands for something.
func (p *spreader) concerns(s *seeder, m index.Symbol) bool {
	own := nameParts(m.Package[strings.LastIndexByte(m.Package, '/')+1:])
	for _, part := range nameParts(m.Name) {
		if s.stems[stem(part)] && !slices.Contains(own, part) {
			return true
		}
	}
	return false
}

// foldedLine is the one line that names what a module holds besides.
func (p *spreader) foldedLine(g group, rest []index.Symbol, why string) *candidate {
	sort.Slice(rest, func(i, j int) bool {
		a, b := rest[i].Span, rest[j].Span
		return a.File < b.File || a.File == b.File && a.Start < b.Start
	})
	names := make([]string, len(rest))
	for i, m := range rest {
		names[i] = m.Name
	}
	line := rest[0].Span.Line - 1
	return &candidate{layer: Signatures, sym: index.Symbol{Canonical: g.name, Span: rest[0].Span}, of: g.name, score: 45, hops: 2,
		why: fmt.Sprintf("%s; %d members that have nothing to do with the task are folded", why, len(rest)), file: rest[0].Span.File, lines: [2]int{line, line},
		ready: &cut{form: Line, text: fmt.Sprintf("%s: … %d more members omitted: %s", g.name, len(rest), strings.Join(names, ", ")), from: line, to: line},
		root:  1 << 20}
}
