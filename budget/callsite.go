package budget

import (
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// caller notes that from wants the symbol, in the order in which it is met.
func (p *spreader) caller(id string, from index.Symbol, at index.Ref) {
	text := fmt.Sprintf("%s: %s:%d", from.Name, at.Span.File, at.Span.Line)
	if !slices.Contains(p.callers[id], text) {
		p.callers[id] = append(p.callers[id], text)
	}
}

// callSites recalls the places that use a seed; those beyond the bound are
// listed with the seed's callers.
func (p *spreader) callSites(c *candidate, refs index.Answer[index.Ref]) {
	for _, r := range append(slices.Clone(refs.Sure), refs.Confirm...) {
		from, _ := p.snap.Symbol(r.In)
		p.caller(c.sym.ID, orFile(from, r), r)
		if r.Kind == index.RefImport || p.isSeed[from.ID] || from.Origin == index.Test || len(p.sites) >= p.limits.Callers*(c.root+1) {
			continue
		}
		why := "calls " + c.sym.Name
		if r.Kind != index.RefCall {
			why = "uses " + c.sym.Name
		}
		if r.Status != index.Static {
			why = fmt.Sprintf("may use %s (%s: %s); confirm", c.sym.Name, r.Status, r.Reason)
		}
		p.site(c, r, from, why)
	}
}

func orFile(sym index.Symbol, r index.Ref) index.Symbol {
	if sym.ID == "" {
		sym.Name = "file"
	}
	return sym
}

func (p *spreader) site(c *candidate, r index.Ref, from index.Symbol, why string) {
	score := c.score * byCaller * statusWeight(r.Status) * index.OriginWeight(from.Origin)
	if !callable(c.sym) && !isType(c.sym.Kind) {
		score *= byValue
	}
	line := r.Span.Line - 1
	site := &candidate{layer: CallSites, sym: from, root: c.root, of: c.sym.ID, score: score, hops: 1, why: why,
		file: r.Span.File, lines: [2]int{line - p.window, line + p.window}, origin: from.Origin}
	if r.Status == index.Static && r.Kind == index.RefCall {
		if parent, ok := p.snap.Symbol(c.sym.Parent); ok {
			site.recv = parent.Canonical
		}
	}
	p.sites = append(p.sites, site)
	p.reach(from.ID, Signatures, c, byCaller*statusWeight(r.Status), why)
}

// Bounds of looking for tests: those that use a seed directly are enough when
// there are so many, and walks along calls to tests are made for so many seeds.
const (
	enoughTests = 3
	mostWalks   = 2
)

// tests recalls the tests of a seed: those that use it, and where they are few
// those that reach it.
func (p *spreader) tests(c *candidate, refs index.Answer[index.Ref]) {
	direct := 0
	for _, r := range refs.Sure {
		if from, ok := p.snap.Symbol(r.In); ok && from.Origin == index.Test {
			p.test(c, from.ID, byTest, "uses "+c.sym.Name)
			direct++
		}
	}
	if direct >= enoughTests || p.walks >= mostWalks || !callable(c.sym) && direct > 0 {
		return
	}
	p.walks++
	answer := p.snap.TestsFor(c.sym.ID)
	for i, t := range append(slices.Clone(answer.Sure), answer.Confirm...) {
		weight := byTest / float64(1+t.Depth)
		if i >= len(answer.Sure) {
			weight *= unsure
		}
		if t.Test.ID != "" {
			p.test(c, t.Test.ID, weight, "tests "+c.sym.Name+" (by "+t.Source+")")
		}
	}
}

func (p *spreader) test(c *candidate, id string, weight float64, why string) {
	if n := p.reach(id, Tests, c, weight, why); n != nil && !n.must && (n.of == n.sym.ID || n.layer != Tests) {
		n.of, n.layer = c.sym.ID, Tests
	}
}
