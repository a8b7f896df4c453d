package index

// How an answer was reached.
const (
	tierRelations = "relations"
	tierSymbols   = "symbols"
	tierLexical   = "lexical"
)

const maxPlaces = 20

// basis returns what an answer about the name rests on.
func (s *Snapshot) basis(tier, name string) Basis {
	b := Basis{Digest: s.digest, Tier: tier, Stale: s.stale}
	b.Files, b.Skipped = len(s.order), s.skipped
	if s.engine.tiers == TierSymbols && tier == tierRelations {
		b.Notes = append(b.Notes, "only symbols were indexed: references are not known")
	}
	if id, ok := s.names.lookup(name); ok && tier == tierRelations {
		byName := s.unknownByName(id)
		for kind, count := range []*int{&b.Unresolved, &b.Ambiguous, &b.Dynamic} {
			list := s.siteList(unknownSites, id*unknownKinds+uint32(kind))
			*count = list.total() + byName[kind].n
			for r := range list.all() {
				if len(b.Places) == maxPlaces {
					break
				}
				b.Places = append(b.Places, s.siteSpan(r))
			}
			for _, r := range byName[kind].first {
				if len(b.Places) < maxPlaces {
					b.Places = append(b.Places, s.siteSpan(r))
				}
			}
		}
	}
	b.grade()
	return b
}

// unknowns are sites of one name whose target is not known.
type unknowns struct {
	n     int
	first []siteRef // at most maxPlaces, in order of path and position
}

// unknownByName returns, by kind, the sites that are known by this name only.
func (s *Snapshot) unknownByName(name uint32) (out [unknownKinds]unknowns) {
	h := s.hollows()
	for r := range s.siteList(byNameSites, name).all() {
		if !h.refers(r) {
			continue
		}
		if kind, ok := unknownKind(h.status(r)); ok {
			out[kind].n++
			if len(out[kind].first) < maxPlaces {
				out[kind].first = append(out[kind].first, r)
			}
		}
	}
	return out
}

func (b *Basis) grade() {
	switch {
	case b.Tier == tierLexical:
		b.Confidence = "low"
	case b.Skipped+len(b.Stale)+b.Unresolved+b.Dynamic+b.Ambiguous+len(b.Notes) > 0:
		b.Confidence = "medium"
	default:
		b.Confidence = "high"
	}
}

func (s *Snapshot) siteSpan(r siteRef) Span {
	start := r.file.pack().column(partSiteStart).at(r.site)
	name := s.names.string(r.file.linked.names[r.file.pack().column(partSiteName).at(r.site)])
	return r.file.span(start, start+uint32(len(name)))
}
