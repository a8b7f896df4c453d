package index

import (
	"iter"
	"slices"
)

// References returns the references to a symbol, given by ID or by a name that
// means one identity: static ones in Sure, those of which it is one candidate
// in Confirm, each in order of path and position. What its language says is one
// thing, such as the overloads of a function, has one answer (Language.Same). At
// most limit are returned in all (0: no limit), Sure first; Total counts every one. A name that stands
// for several identities gives the references of each. A name that is not in the
// index gives the places where it stands in the text, all to be confirmed and of
// low confidence: references that lead out of the repository or to nothing known,
// and bare words, with the rule "lexical" (IDX-29).
func (s *Snapshot) References(id string, limit int) Answer[Ref] {
	a := Answer[Ref]{Sure: []Ref{}, Confirm: []Ref{}}
	all := s.identity(id)
	if len(all) == 0 {
		return s.lexicalReferences(id, limit)
	}
	room := func() bool { return limit == 0 || len(a.Sure)+len(a.Confirm) < limit }
	sure, total := s.sure(all)
	a.Total = total
	seen := make(map[siteRef]bool)
sure:
	for r := range sure {
		switch {
		case room():
			a.Sure = append(a.Sure, s.renderRef(r))
		case len(all) == 1: // they are counted already
			break sure
		}
		if len(all) > 1 {
			seen[r] = true
		}
	}
	for _, sym := range all {
		for r := range s.toConfirm(sym) {
			if seen[r] {
				continue
			}
			if len(all) > 1 {
				seen[r] = true
			}
			a.Total++
			if room() {
				a.Confirm = append(a.Confirm, s.renderRef(r))
			}
		}
	}
	a.Basis = s.basis(tierRelations, s.name(all[0]))
	return a
}

// toConfirm yields the sites of which sym is a candidate, listed or by name.
func (s *Snapshot) toConfirm(sym symRef) func(func(siteRef) bool) {
	return func(yield func(siteRef) bool) {
		listed := s.siteList(confirmSites, sym.number())
		for r := range listed.all() {
			if !yield(r) {
				return
			}
		}
		id := sym.file.linked.names[sym.file.pack().column(partDefName).at(sym.def)]
		for r := range s.siteList(byNameSites, id).all() {
			if s.canMean(r, sym) && !yield(r) {
				return
			}
		}
	}
}

// sure returns the sites that certainly mean one of the symbols, in order of path
// and position, and their number.
func (s *Snapshot) sure(all []symRef) (iter.Seq[siteRef], int) {
	if len(all) == 1 {
		list := s.siteList(sureSites, all[0].number())
		return list.all(), list.total()
	}
	sites := s.sureSitesOf(all)
	return slices.Values(sites), len(sites)
}

// identity returns the symbols that an ID or name stands for. An ID stands for
// all variants of its symbol.
func (s *Snapshot) identity(id string) []symRef {
	if r, ok := s.find(id); ok {
		return s.variants(r)
	}
	var out []symRef
	for end := range lastParts(id) {
		for r := range s.named(end) {
			if s.suffixOf(id, r) {
				out = append(out, r)
			}
		}
	}
	if out == nil {
		out = s.packageSymbols(id)
	}
	return out
}
