package budget

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// A candidate is one symbol, or one window of a file, that was recalled.
type candidate struct {
	layer  Layer
	sym    index.Symbol
	root   int     // the seed it was reached from
	of     string  // the symbol it belongs to: what a test checks, what a call calls
	score  float64 // the higher, the earlier it gets in
	hops   int
	why    string
	must   bool // a seed's own definition
	lines  [2]int
	file   string
	extra  []string // callers, or other places of the same content
	recv   string   // of a call site: the receiver's static type
	ready  *cut     // text made elsewhere (configuration, history, folded members)
	origin index.Origin
}

// Weights by which a score falls along an edge (BUD-3).
const (
	byCall     = 0.7
	byContract = 0.6
	byMember   = 0.45
	byTest     = 0.75
	byCaller   = 0.65
	bySibling  = 0.3
	byValue    = 0.6 // further for uses of constants and variables
	unsure     = 0.5 // an edge that is ambiguous or dynamic
	leastScore = 5.0 // below this, contracts are not followed
)

// spreader walks the graph outward from the seeds, bounded by the options.
type spreader struct {
	ctx     context.Context
	snap    *index.Snapshot
	sources *sources
	limits  Spread
	window  int

	found   map[string]*candidate // by symbol ID
	isSeed  map[string]bool
	sites   []*candidate
	refs    map[string][]index.Ref // inside one symbol
	walks   int                    // TestsFor asked so far
	callers map[string][]string    // not expanded, by symbol ID
	fanIn   map[string]float64
}

// Spread bounds how far collection goes from the seeds (BUD-3). Zero fields
// take the defaults named.
type Spread struct {
	Contracts  int // hops upward along contracts; 3
	Helpers    int // hops along calls to helpers; 1
	Callers    int // call sites recalled for one seed; 40
	Candidates int // symbols considered in all; 600
}

func (s Spread) orDefault() Spread {
	set := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
	}
	set(&s.Contracts, 3)
	set(&s.Helpers, 1)
	set(&s.Callers, 40)
	set(&s.Candidates, 600)
	return s
}

func newSpreader(ctx context.Context, snap *index.Snapshot, src *sources, limits Spread, window int) *spreader {
	return &spreader{ctx: ctx, snap: snap, sources: src, limits: limits.orDefault(), window: window, found: make(map[string]*candidate), isSeed: make(map[string]bool),
		refs: make(map[string][]index.Ref), callers: make(map[string][]string), fanIn: make(map[string]float64)}
}

// run recalls everything for the seeds. Seeds are worked off in order, so that
// what two of them reach belongs to the earlier one.
func (p *spreader) run(seeds []Seed) error {
	confidence := map[string]float64{"high": 100, "medium": 80, "low": 60}
	for i, seed := range seeds {
		sym, ok := p.snap.Symbol(seed.Symbol)
		if !ok {
			continue
		}
		c := &candidate{layer: Definitions, sym: sym, root: i, of: sym.ID, score: confidence[seed.Confidence], why: "seed: " + seed.Why, must: seed.Confidence != "low", origin: sym.Origin}
		p.found[sym.ID] = c
	}
	for _, seed := range seeds {
		p.isSeed[seed.Symbol] = true
	}
	for _, seed := range seeds {
		if err := p.ctx.Err(); err != nil {
			return fault.From(err, "budget.collect", "collect again")
		}
		if c := p.found[seed.Symbol]; c != nil {
			p.around(c)
		}
	}
	return nil
}

// around recalls what stands around one seed.
func (p *spreader) around(c *candidate) {
	p.contracts(c, p.limits.Contracts)
	p.helpers(c, p.limits.Helpers)
	refs := p.snap.References(c.sym.ID, 0)
	p.callSites(c, refs)
	p.tests(c, refs)
	p.siblings(c)
}

// reach adds a symbol, or raises the score of one that was found before, in the
// layer it has. It returns nil when the bound is met or the symbol is no candidate.
func (p *spreader) reach(id string, layer Layer, from *candidate, weight float64, why string) *candidate {
	if c, ok := p.found[id]; ok {
		if score := p.weigh(c.sym, from.score*weight); score > c.score && !c.must {
			c.score = score
		}
		return c
	}
	if len(p.found) >= p.limits.Candidates {
		return nil
	}
	sym, ok := p.snap.Symbol(id)
	if !ok || sym.Kind == index.KindPackage {
		return nil
	}
	c := &candidate{layer: layer, sym: sym, root: from.root, of: id, score: p.weigh(sym, from.score*weight), hops: from.hops + 1, why: why, origin: sym.Origin}
	if sym.Origin == index.Test && layer != Tests {
		c.layer = Tests
	}
	p.found[id] = c
	return c
}

// weigh lowers a score by origin and by the number of places that reach the symbol.
func (p *spreader) weigh(sym index.Symbol, score float64) float64 {
	hub, ok := p.fanIn[sym.ID]
	if !ok {
		total := p.snap.Uses(sym.ID)
		hub = 1 / (1 + math.Log10(1+float64(total))/3)
		p.fanIn[sym.ID] = hub
	}
	return score * hub * index.OriginWeight(sym.Origin)
}

func statusWeight(s index.Status) float64 {
	if s == index.Static {
		return 1
	}
	return unsure
}

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
