package budget

import (
	"context"
	"math"

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
