package index

import "iter"

// Kin returns the types, or methods, that a symbol implements, extends or
// embeds, and those that do so to it: what Members says of relations, without
// the members and without looking for what is missing. A name that means none
// or several identities has no kin.
func (s *Snapshot) Kin(id string) (implements, implementations []Related) {
	r, ok := s.find(id)
	if !ok {
		return nil, nil
	}
	all := s.relations()
	return s.related(s.edgesOf(all.out, r)), s.related(s.edgesOf(all.in, r))
}

// Uses returns the number of references that certainly mean the symbol of the
// ID: the length of References' Sure without a limit.
func (s *Snapshot) Uses(id string) int {
	r, ok := s.find(id)
	if !ok {
		return 0
	}
	_, total := s.sure(s.variants(r))
	return total
}

// RefsOf returns the references inside the symbol of the ID, in order of
// position: what RefsIn returns of its file, cut to its span.
func (s *Snapshot) RefsOf(id string) []Ref {
	sym, ok := s.find(id)
	if !ok {
		return nil
	}
	var out []Ref
	h := s.hollows()
	for r := range s.sitesIn(sym) {
		if h.refers(r) {
			out = append(out, s.renderRef(r))
		}
	}
	return out
}

// implementations yields what implements or overrides the symbol, in order of path.
func (s *Snapshot) implementations(of symRef) iter.Seq[symRef] {
	return func(yield func(symRef) bool) {
		for _, e := range s.relations().in[of.number()] {
			if e.kind != Implements && e.kind != Overrides {
				continue
			}
			if r, ok := s.symbol(e.other); ok && !yield(r) {
				return
			}
		}
	}
}

// behind returns the methods that can run behind the site's abstract target. It
// asks for relations only where there is such a target, because an overlay may
// not have made them yet.
func (s *Snapshot) behind(r siteRef) (ids []string, total int) {
	targets := r.file.res.targets(r.site)
	if r.file.res.status(r.site) != Static || len(targets) != 1 {
		return nil, 0
	}
	t, ok := s.symbol(targets[0])
	if !ok || t.file.kind(t.def) != KindMethod || uint16(t.file.pack().column(partDefFlags).at(t.def))&DefAbstract == 0 {
		return nil, 0
	}
	for impl := range s.implementations(t) {
		if total++; total <= MaxImplementations {
			ids = append(ids, s.id(impl))
		}
	}
	return ids, total
}
