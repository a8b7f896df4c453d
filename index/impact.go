package index

import "slices"

// An Edge is one step by which a change can reach a symbol.
type Edge struct {
	From string `json:"from"` // ID of what changes
	To   string `json:"to"`   // ID of what is reached
	// Kind is the RefKind of the reference, or the RelationKind, as a word.
	Kind string `json:"kind"`
	Span Span   `json:"span"` // of the reference; of the name for a relation
	Sure bool   `json:"sure"`
}

// An Effect is one symbol that a change can reach.
type Effect struct {
	Symbol Symbol `json:"symbol"`
	Path   []Edge `json:"path"` // from the changed symbol on
	Depth  int    `json:"depth"`
	// Weight is the product, over the path, of OriginWeight and of 1 for a
	// certain edge or 0.5 for another.
	Weight float64 `json:"weight"`
	Origin Origin  `json:"origin"`
	// HighRisk says that the symbol is public and used from other packages.
	HighRisk bool `json:"high_risk,omitempty"`
	// Source is the file that a generated one is made of, where that is known.
	Source string `json:"source,omitempty"`
}

// An Impact is what a change of a symbol can reach. It is part of a document, as
// Answer is.
type Impact struct {
	Symbol Symbol `json:"symbol"`
	// Same are effects certain and in the same package: callers that may have
	// to adapt. Cross are certain and beyond a package boundary: those who rely
	// on the contract and must be verified again.
	Same  []Effect `json:"same"`
	Cross []Effect `json:"cross"`
	// Confirm are effects on whose path an edge is not certain.
	Confirm []Effect `json:"confirm"`
	// SameTotal, CrossTotal and ConfirmTotal count them before any limit.
	SameTotal    int `json:"same_total"`
	CrossTotal   int `json:"cross_total"`
	ConfirmTotal int `json:"confirm_total"`
	// HighRisk says that the symbol itself is public and used from other packages.
	HighRisk bool  `json:"high_risk,omitempty"`
	Basis    Basis `json:"basis"`
}

// DefaultImpactDepth is the depth of Impact when none is given.
const DefaultImpactDepth = 2

// Impact returns what a change of the symbol, given by ID or name, can reach
// over at most depth edges (0: DefaultImpactDepth): who refers to it, who
// implements it, and so on from there.
func (s *Snapshot) Impact(id string, depth int) Impact { return s.ImpactUpTo(id, depth, 0) }

// ImpactUpTo is Impact with at most limit effects in each list, nearest first;
// 0 means all. The totals are exact.
func (s *Snapshot) ImpactUpTo(id string, depth, limit int) Impact {
	all := s.identity(id)
	if len(all) == 0 {
		return s.lexicalImpact(id, limit)
	}
	if depth <= 0 {
		depth = DefaultImpactDepth
	}
	w := newImpactWalk(s)
	for _, sym := range all {
		w.visit(step{sym: sym.number(), prev: -1, sure: true, weight: 1})
	}
	w.run(depth)
	im := Impact{Same: []Effect{}, Cross: []Effect{}, Confirm: []Effect{}, Symbol: s.render(all[0]), HighRisk: w.highRisk(all[0]), Basis: s.basis(tierRelations, s.name(all[0]))}
	w.report(&im, len(all), limit)
	return im
}

// A step is one symbol reached.
type step struct {
	sym    uint32
	prev   int32 // into steps
	depth  int32
	site   uint32 // number of the site that led here, for kind 0
	kind   RelationKind
	sure   bool // the whole path
	edge   bool // the last edge
	weight float32
}

type impactWalk struct {
	s     *Snapshot
	steps []step
	seen  map[uint32]int32
	same  variantFinder
	// ends, if set, is told of references to the step i, of the definition that each
	// stands in, -1 for none, and whether the whole path is certain; it reports
	// whether the walk ends there.
	ends func(i int32, at siteRef, in int, sure bool) bool
}

func newImpactWalk(s *Snapshot) impactWalk {
	return impactWalk{s: s, seen: make(map[uint32]int32), same: variantFinder{s: s}}
}

// visit takes the step unless the symbol was reached as surely before.
func (w *impactWalk) visit(st step) {
	if _, ok := w.seen[st.sym]; ok {
		return
	}
	w.seen[st.sym] = int32(len(w.steps))
	w.steps = append(w.steps, st)
}

// run goes breadth first, first over certain edges only, so that what is
// reached with certainty is never listed as to be confirmed.
func (w *impactWalk) run(depth int) {
	for i := 0; i < len(w.steps); i++ {
		if int(w.steps[i].depth) < depth {
			w.expand(int32(i), true)
		}
	}
	certain := len(w.steps)
	for i := 0; i < len(w.steps); i++ {
		if int(w.steps[i].depth) >= depth {
			continue
		}
		w.expand(int32(i), false)
		if i >= certain { // of what is uncertain itself, certain edges count too
			w.expand(int32(i), true)
		}
	}
}

func (w *impactWalk) expand(i int32, sure bool) {
	s := w.s
	from := w.steps[i]
	sym, ok := s.symbol(from.sym)
	if !ok {
		return
	}
	reach := func(st step, to *file) {
		st.prev, st.depth, st.edge, st.sure = i, from.depth+1, sure, from.sure && sure
		st.weight = from.weight * float32(OriginWeight(to.origin))
		if !sure {
			st.weight /= 2
		}
		w.visit(st)
	}
	bySite := func(r siteRef) bool {
		in := r.file.pack().column(partSiteIn).signed(r.site)
		ended := w.ends != nil && r.kind() != RefImport && w.ends(i, r, int(in), from.sure && sure)
		if in >= 0 && !ended {
			reach(step{sym: r.file.number(int(in)), site: r.file.siteBase + uint32(r.site)}, r.file)
		}
		return true
	}
	for _, v := range w.same.of(sym) {
		if sure {
			s.siteList(sureSites, v.number()).all()(bySite)
		} else {
			s.toConfirm(v)(bySite)
		}
		for _, e := range s.relations().in[v.number()] {
			if other, ok := s.symbol(e.other); ok && e.sure == sure {
				reach(step{sym: e.other, kind: e.kind}, other.file)
			}
		}
		if sure {
			continue
		}
		for _, e := range s.relations().out[v.number()] { // who calls the interface's method can arrive here
			if e.kind == Implements || e.kind == Overrides {
				s.siteList(sureSites, e.other).all()(bySite)
			}
		}
	}
}

func (w *impactWalk) report(im *Impact, roots, limit int) {
	start, _ := w.s.symbol(w.steps[0].sym)
	for i := roots; i < len(w.steps); i++ {
		st := &w.steps[i]
		sym, ok := w.s.symbol(st.sym)
		if !ok {
			continue
		}
		list, total := &im.Confirm, &im.ConfirmTotal
		switch {
		case st.sure && sym.file.pkg == start.file.pkg:
			list, total = &im.Same, &im.SameTotal
		case st.sure:
			list, total = &im.Cross, &im.CrossTotal
		}
		*total++
		if limit == 0 || len(*list) < limit {
			*list = append(*list, w.effect(int32(i), sym))
		}
	}
}

func (w *impactWalk) effect(i int32, sym symRef) Effect {
	st := w.steps[i]
	e := Effect{Symbol: w.s.render(sym), Depth: int(st.depth), Weight: float64(st.weight), Origin: sym.file.origin,
		HighRisk: w.highRisk(sym)}
	if e.Origin == Generated {
		if d, ok := w.s.Derived(sym.file.path); ok {
			e.Source = d.Source
		}
	}
	for ; st.prev >= 0; st = w.steps[st.prev] {
		e.Path = append(e.Path, w.edge(st))
	}
	slices.Reverse(e.Path)
	return e
}

func (w *impactWalk) edge(st step) Edge {
	from, _ := w.s.symbol(w.steps[st.prev].sym)
	to, _ := w.s.symbol(st.sym)
	e := Edge{From: w.s.id(from), To: w.s.id(to), Sure: st.edge}
	if st.kind != 0 {
		e.Kind = st.kind.String()
		ident := to.file.pack().column(partDefIdent).at(to.def)
		e.Span = to.file.span(ident, ident+to.file.pack().column(partDefIdentLength).at(to.def))
		return e
	}
	if r, ok := w.s.liveSite(st.site); ok {
		e.Kind, e.Span = r.kind().String(), w.s.siteSpan(r)
	}
	return e
}

// highRisk reports whether the symbol is public and certainly used from another package.
func (w *impactWalk) highRisk(sym symRef) bool {
	if Visibility(sym.file.pack().column(partDefVisibility).at(sym.def)) != Public {
		return false
	}
	for _, v := range w.same.of(sym) {
		for r := range w.s.siteList(sureSites, v.number()).all() {
			if r.file.pkg != sym.file.pkg {
				return true
			}
		}
	}
	return false
}
