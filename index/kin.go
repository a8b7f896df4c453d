package index

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
	return s.related(all.out[r.number()]), s.related(all.in[r.number()])
}

// Uses returns the number of references that certainly mean the symbol of the
// ID: the length of References' Sure without a limit.
func (s *Snapshot) Uses(id string) int {
	r, ok := s.find(id)
	if !ok {
		return 0
	}
	list := s.siteList(sureSites, r.number())
	return list.total()
}

// RefsOf returns the references inside the symbol of the ID, in order of
// position: what RefsIn returns of its file, cut to its span.
func (s *Snapshot) RefsOf(id string) []Ref {
	sym, ok := s.find(id)
	if !ok {
		return nil
	}
	var out []Ref
	for r := range s.sitesIn(sym) {
		out = append(out, s.renderRef(r))
	}
	return out
}
