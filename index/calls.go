package index

import "fmt"

// A Call is an edge of the call graph.
type Call struct {
	// From and To are symbol IDs. From is "" for a call outside of any symbol,
	// To for one that leaves the repository: Ref.Module then says where to.
	From string `json:"from"`
	To   string `json:"to"`
	Ref  Ref    `json:"ref"`
}

// Callers returns the calls of a symbol, given as for References. Sure are
// those that certainly reach it; Confirm those that may: ambiguous and dynamic
// calls, and calls of an interface's or base's method that the symbol
// implements or overrides. Uses of the symbol that are no calls are counted in
// Basis.Notes, because it can be called through them. A name that is not in the
// index is answered from the text, as for References.
func (s *Snapshot) Callers(id string, limit int) Answer[Call] {
	a := Answer[Call]{Sure: []Call{}, Confirm: []Call{}}
	all := s.identity(id)
	if len(all) == 0 {
		return s.lexicalCallers(id, limit)
	}
	values := 0
	c := collector[Call]{limit: limit}
	seen := make(map[siteRef]bool)
	visit := func(sure bool, to symRef) func(siteRef) bool {
		return func(r siteRef) bool {
			switch {
			case seen[r]:
			case r.kind() != RefCall:
				values++
				seen[r] = true
			default:
				seen[r] = true
				c.add(sure, func() Call { return s.call(r, s.id(to)) })
			}
			return true
		}
	}
	for _, sym := range all {
		s.siteList(sureSites, sym.number()).all()(visit(true, sym))
	}
	for _, sym := range all {
		s.toConfirm(sym)(visit(false, sym))
		for _, e := range s.relations().out[sym.number()] {
			if e.kind == Implements || e.kind == Overrides {
				s.siteList(sureSites, e.other).all()(visit(false, sym))
			}
		}
	}
	c.into(&a)
	a.Basis = s.basis(tierRelations, s.name(all[0]))
	if values > 0 {
		a.Basis.Notes = append(a.Basis.Notes, fmt.Sprintf("%d further uses are no calls; it can be called through them", values))
		a.Basis.grade()
	}
	return a
}

func (r siteRef) kind() RefKind { return RefKind(r.file.pack().column(partSiteKind).at(r.site)) }

func (s *Snapshot) call(r siteRef, to string) Call {
	ref := s.renderRef(r)
	return Call{From: ref.In, To: to, Ref: ref}
}

// Callees returns the calls that stand inside a symbol, one for each target:
// Sure where the target is certain or outside of the repository, Confirm for
// candidates and for the implementations behind an interface's method.
func (s *Snapshot) Callees(id string, limit int) Answer[Call] {
	a := Answer[Call]{Sure: []Call{}, Confirm: []Call{}}
	all := s.identity(id)
	if len(all) == 0 {
		a.Basis = s.lexicalBasis(id)
		return a
	}
	c := collector[Call]{limit: limit}
	for _, sym := range all {
		for r := range s.sitesIn(sym) {
			if r.kind() == RefCall {
				s.callees(r, &c)
			}
		}
	}
	c.into(&a)
	a.Basis = s.basis(tierSymbols, s.name(all[0]))
	a.Basis.Tier = tierRelations
	return a
}

func (s *Snapshot) callees(r siteRef, c *collector[Call]) {
	status := r.file.res.status(r.site)
	any := false
	for t := range s.targets(r) {
		any = true
		c.add(status == Static, func() Call { return s.call(r, s.id(t)) })
		for impl := range s.implementations(t) {
			c.add(false, func() Call { return s.call(r, s.id(impl)) })
		}
	}
	if !any {
		c.add(status == External, func() Call { return s.call(r, "") })
	}
}

// sitesIn yields the kept sites inside of a definition's range.
func (s *Snapshot) sitesIn(sym symRef) func(func(siteRef) bool) {
	return func(yield func(siteRef) bool) {
		f := sym.file
		starts := f.pack().column(partSiteStart)
		from := f.pack().column(partDefStart).at(sym.def)
		end := from + f.pack().column(partDefLength).at(sym.def)
		first := 0
		if from > 0 {
			first = starts.search(f.res.len(), from-1) + 1
		}
		for i := first; i < f.res.len() && starts.at(i) < end; i++ {
			if !f.res.dropped(i) && !yield(siteRef{f, i}) {
				return
			}
		}
	}
}

// A collector sorts results into Sure and Confirm, renders at most limit of
// them, Sure ones first, and counts all.
type collector[T any] struct {
	limit         int
	sure, confirm []T
	total         int
}

func (c *collector[T]) add(sure bool, render func() T) {
	c.total++
	switch {
	case sure && (c.limit == 0 || len(c.sure) < c.limit):
		c.sure = append(c.sure, render())
	case !sure && (c.limit == 0 || len(c.confirm) < c.limit):
		c.confirm = append(c.confirm, render())
	}
}

func (c *collector[T]) into(a *Answer[T]) {
	if c.limit > 0 && len(c.sure)+len(c.confirm) > c.limit {
		c.confirm = c.confirm[:c.limit-len(c.sure)]
	}
	a.Sure, a.Confirm, a.Total = append([]T{}, c.sure...), append([]T{}, c.confirm...), c.total
}
