package budget

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// contracts follows interfaces, types and bases upward: from a symbol to its
// parent and what that implements, and to the types that its signature and body name.
func (p *spreader) contracts(c *candidate, hops int) {
	if hops == 0 || c.score < leastScore {
		return
	}
	var next []*candidate
	add := func(id string, weight float64, why string) {
		sym, ok := p.snap.Symbol(id)
		if !ok || p.found[id] != nil || !isContract(sym) {
			return
		}
		if n := p.reach(id, Contracts, c, weight, why); n != nil {
			next = append(next, n)
		}
	}
	if parent, ok := p.snap.Symbol(c.sym.Parent); ok && isType(parent.Kind) {
		add(parent.ID, byContract, "type that "+c.sym.Name+" belongs to")
		implements, _ := p.snap.Kin(parent.ID)
		for _, i := range implements {
			add(i.ID, byContract, "contract that "+parent.Name+" implements")
		}
	}
	if isType(c.sym.Kind) {
		implements, implementations := p.snap.Kin(c.sym.ID)
		for _, i := range implements {
			add(i.ID, byContract, "contract that "+c.sym.Name+" implements")
		}
		if c.sym.Kind == index.KindInterface {
			for _, i := range implementations {
				add(i.ID, byContract, "implements "+c.sym.Name)
			}
		}
	}
	for _, r := range p.refsIn(c.sym) {
		if r.Kind != index.RefType && r.Kind != index.RefEmbed && r.Kind != index.RefKey {
			continue
		}
		for _, id := range r.Targets {
			add(id, byContract*statusWeight(r.Status), "type that "+c.sym.Name+" names")
		}
	}
	for _, n := range next {
		p.contracts(n, hops-1)
	}
}

// isContract reports whether a symbol is something others rely on by its shape.
func isContract(sym index.Symbol) bool {
	return isType(sym.Kind) || sym.Kind == index.KindConstant || sym.Kind == index.KindEnumMember
}

// refsIn returns the references inside a symbol.
func (p *spreader) refsIn(sym index.Symbol) []index.Ref {
	all, ok := p.refs[sym.ID]
	if !ok {
		all = p.snap.RefsOf(sym.ID)
		p.refs[sym.ID] = all
	}
	return all
}

// helpers follows calls to what the seed needs; beyond the bound and for
// weak scores a helper is only a signature.
func (p *spreader) helpers(c *candidate, hops int) {
	calls := p.snap.Callees(c.sym.ID, 0)
	for _, call := range append(slices.Clone(calls.Sure), calls.Confirm...) {
		layer := Signatures
		if hops > 0 && call.Ref.Status == index.Static {
			layer = Definitions
		}
		h := p.reach(call.To, layer, c, byCall*statusWeight(call.Ref.Status), "called by "+c.sym.Name)
		if h == nil {
			continue
		}
		p.caller(call.To, c.sym, call.Ref)
		if layer == Definitions && h.hops == c.hops+1 && h.root == c.root && !h.must {
			p.contracts(h, 1)
			p.helpers(h, hops-1)
		}
	}
	for _, r := range p.refsIn(c.sym) {
		if r.Kind == index.RefRead || r.Kind == index.RefWrite {
			for _, id := range r.Targets {
				p.reach(id, Signatures, c, bySibling*statusWeight(r.Status), "used by "+c.sym.Name)
			}
		}
	}
}

// siblings recalls the other members of the seed's type, and what stands at
// package level in its file, by signature.
func (p *spreader) siblings(c *candidate) {
	for _, s := range p.sources.outline(c.sym.Span.File) {
		switch {
		case s.Kind == index.KindPackage:
		case s.Parent != "" && (s.Parent == c.sym.Parent || s.Parent == c.sym.ID):
			p.reach(s.ID, Signatures, c, byMember, "member of the type of "+c.sym.Name)
		case s.Parent == "":
			p.reach(s.ID, Signatures, c, bySibling, "stands in the same file as "+c.sym.Name)
		}
	}
}
