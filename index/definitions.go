package index

import (
	"strings"
)

// Definitions returns all definitions of a name: a simple name, an ID, a
// canonical name, or the end of a canonical name from a dot or slash on
// ("Client.Do", "http.Client.Do"). All results are Sure. A name that is not in
// the index is looked for in the text: the answer is then of tier "lexical",
// lists the places, and names what the index has that is spelled alike.
func (s *Snapshot) Definitions(name string) Answer[Symbol] {
	return s.DefinitionsUpTo(name, 0)
}

// DefinitionsUpTo is Definitions with at most limit results; 0 means all. The
// total is exact.
func (s *Snapshot) DefinitionsUpTo(name string, limit int) Answer[Symbol] {
	a := Answer[Symbol]{Sure: []Symbol{}, Confirm: []Symbol{}}
	add := func(r symRef) {
		a.Total++
		if limit == 0 || len(a.Sure) < limit {
			a.Sure = append(a.Sure, s.render(r))
		}
	}
	if r, ok := s.find(name); ok {
		add(r)
	} else {
		for end := range lastParts(name) {
			for r := range s.named(end) {
				if s.suffixOf(name, r) {
					add(r)
				}
			}
		}
	}
	if a.Total == 0 {
		for _, r := range s.packageSymbols(name) {
			add(r)
		}
	}
	if a.Total == 0 {
		a.Basis = s.lexicalBasis(name)
		return a
	}
	a.Basis = s.basis(tierSymbols, lastPart(name))
	return a
}

// suffixOf reports whether name is the end of the symbol's canonical name,
// from one of its parts on.
func (s *Snapshot) suffixOf(name string, r symRef) bool {
	simple := s.name(r)
	if name == simple {
		return true
	}
	if len(name) <= len(simple) || !strings.HasSuffix(name, simple) {
		return false
	}
	canonical := s.canonical(r)
	rest, ok := strings.CutSuffix(canonical, name)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// packageSymbols returns the package symbols whose path is or ends in name.
func (s *Snapshot) packageSymbols(name string) []symRef {
	var out []symRef
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.defs == 0 || f.pkg != name && !strings.HasSuffix(f.pkg, "/"+name) {
			continue
		}
		for def := range int(f.defs) {
			if f.kind(def) == KindPackage {
				out = append(out, symRef{f, def})
			}
		}
	}
	return out
}
