package index

import (
	"cmp"
	"slices"
)

// A RiskySymbol is one on which much depends (IDX-32).
type RiskySymbol struct {
	ID string `json:"id"`
	// Why says what makes it one: "referenced" (among the 50 with most
	// references), "packages" (certainly used from three packages or more),
	// "interface" (something implements it) or "adapter" (it implements what
	// others rely on from another package).
	Why []string `json:"why"`
	// Sure and Confirm count its references, certain ones apart from those of
	// which it is one candidate; Resolution is Sure ÷ both, -1 without any.
	Sure       int     `json:"sure"`
	Confirm    int     `json:"confirm"`
	Resolution float64 `json:"resolution"`
	Packages   int     `json:"packages"` // that use it, its own left out
}

const (
	mostReferencedKept = 50
	severalPackages    = 3
	riskyKept          = 100
)

// riskySymbols returns the riskiest symbols, most referenced first.
func (s *Snapshot) riskySymbols(h *hollows) []RiskySymbol {
	type used struct {
		r    symRef
		uses int
	}
	var all []used
	for _, slot := range s.order {
		f := s.slots[slot]
		for def := range int(f.defs) {
			if n := s.siteList(sureSites, f.number(def)).total(); n > 0 {
				all = append(all, used{symRef{f, def}, n})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b used) int { return cmp.Compare(b.uses, a.uses) })
	out := []RiskySymbol{}
	for i, u := range all[:min(len(all), 10*riskyKept)] {
		x := RiskySymbol{Sure: u.uses, Packages: s.usingPackages(u.r)}
		if i < mostReferencedKept {
			x.Why = append(x.Why, "referenced")
		}
		if x.Packages >= severalPackages {
			x.Why = append(x.Why, "packages")
		}
		x.Why = append(x.Why, s.contract(u.r)...)
		if len(x.Why) == 0 {
			continue
		}
		x.ID = s.id(u.r)
		for r := range s.toConfirm(u.r) {
			if h.refers(r) {
				x.Confirm++
			}
		}
		x.Resolution = ratio(x.Sure, x.Sure+x.Confirm)
		if out = append(out, x); len(out) == riskyKept {
			break
		}
	}
	return out
}

// usingPackages counts the other packages that certainly use the symbol, up to
// a few hundred references.
func (s *Snapshot) usingPackages(r symRef) int {
	const enough = 500
	seen, n := make(map[packageKey]bool), 0
	for site := range s.siteList(sureSites, r.number()).all() {
		if k := (packageKey{site.file.family, site.file.pkg}); site.file.pkg != r.file.pkg {
			seen[k] = true
		}
		if n++; n == enough {
			break
		}
	}
	return len(seen)
}

// contract says whether the symbol is an interface with implementations, or
// implements one of another package.
func (s *Snapshot) contract(r symRef) []string {
	all := s.relations()
	for _, e := range all.in[r.number()] {
		if e.kind == Implements || e.kind == Overrides {
			return []string{"interface"}
		}
	}
	for _, e := range all.out[r.number()] {
		if to, ok := s.symbol(e.other); ok && e.kind == Implements && to.file.pkg != r.file.pkg {
			return []string{"adapter"}
		}
	}
	return nil
}
