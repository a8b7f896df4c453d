package index

// References returns the references to a symbol, given by ID or by a name that
// means one identity: static ones in Sure, those of which it is one candidate
// in Confirm, each in order of path and position. At most limit are returned
// in all (0: no limit), Sure first; Total counts every one. A name that stands
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
	for _, sym := range all {
		list := s.siteList(sureSites, sym.number())
		a.Total += list.total()
		for r := range list.all() {
			if !room() {
				break
			}
			a.Sure = append(a.Sure, s.renderRef(r))
		}
	}
	seen := make(map[siteRef]bool)
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
	if len(all) > 1 {
		a.Sure, a.Total = dedupe(a.Sure, a.Total, len(all))
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

// identity returns the symbols that an ID or name stands for. An ID stands for
// all build variants of its canonical name in the same package.
func (s *Snapshot) identity(id string) []symRef {
	if r, ok := s.find(id); ok {
		return []symRef{r}
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

// dedupe drops references that several variants share.
func dedupe(refs []Ref, total, variants int) ([]Ref, int) {
	type place struct {
		file  string
		start int
	}
	seen := make(map[place]bool, len(refs))
	out := refs[:0]
	for _, r := range refs {
		k := place{r.Span.File, r.Span.Start}
		if !seen[k] {
			seen[k] = true
			out = append(out, r)
		}
	}
	return out, total - (len(refs) - len(out))
}
