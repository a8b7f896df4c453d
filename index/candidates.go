package index

import "iter"

// targets yields a site's targets: those the linker listed, and for a site
// that is known by its name only, every definition it can mean. The latter are
// found when asked for, so that an edit elsewhere never makes a list stale.
func (s *Snapshot) targets(r siteRef) iter.Seq[symRef] {
	return func(yield func(symRef) bool) {
		res := r.file.res
		for _, n := range res.targets(r.site) {
			if t, ok := s.symbol(n); ok && !yield(t) {
				return
			}
		}
		if !res.byName(r.site) {
			return
		}
		name := r.file.pack().column(partSiteName).at(r.site)
		for t := range s.named(s.names.string(r.file.linked.names[name])) {
			if s.canMean(r, t) && !yield(t) {
				return
			}
		}
	}
}

// canMean reports whether a site known by name only can mean the definition:
// the same family of languages, member or package level as the site says, visible there,
// and in a package that the site's can reach through imports. A value's type
// can come from a package further down than those imported by the file itself.
func (s *Snapshot) canMean(r siteRef, t symRef) bool {
	if t.file.family != r.file.family {
		return false
	}
	member := t.file.parentDef(t.def) >= 0 || t.file.owner(t.def) >= 0
	switch r.file.res.head[r.site] & headByName {
	case namesTop:
		if member {
			return false
		}
	case namesMember:
		if !member {
			return false
		}
	case namesAny:
		if !member && t.file.kind(t.def) == KindPackage {
			return false // a package is looked up by its path
		}
	}
	if t.file.pkg == r.file.pkg {
		return true
	}
	if Visibility(t.file.pack().column(partDefVisibility).at(t.def)) != Public {
		if l := s.engine.language(t.file.lang); l == nil || !l.Open {
			return false
		}
	}
	return s.reaches(r.file, t.file)
}

// hollows tell apart the sites that are known by name only and have no
// candidate in this state of the repository. They remember what they found, by
// package and name; for one goroutine, and one pass over many sites.
type hollows struct {
	s     *Snapshot
	known map[packageKey]map[hollow]bool
}

// A hollow is a name and the form in which it is known.
type hollow struct {
	name uint32
	form uint8
}

func (s *Snapshot) hollows() *hollows {
	return &hollows{s: s, known: make(map[packageKey]map[hollow]bool)}
}

// empty reports whether the site is known by name only and has no candidate.
func (h *hollows) empty(r siteRef) bool {
	if !r.file.res.byName(r.site) || len(r.file.res.targets(r.site)) > 0 {
		return false
	}
	pkg := packageKey{r.file.family, r.file.pkg}
	of := h.known[pkg]
	if of == nil {
		of = make(map[hollow]bool)
		h.known[pkg] = of
	}
	key := hollow{r.file.linked.names[r.file.pack().column(partSiteName).at(r.site)], r.file.res.head[r.site] & headByName}
	empty, ok := of[key]
	if !ok {
		empty = true
		for range h.s.targets(r) {
			empty = false
			break
		}
		of[key] = empty
	}
	return empty
}

// refers reports whether the site is a reference: a string that no definition
// in sight has for its name is none.
func (h *hollows) refers(r siteRef) bool {
	return !r.file.res.dropped(r.site) && !(r.file.res.byName(r.site) && r.kind() == RefString && h.empty(r))
}

// status returns the status of a reference: without a candidate it is unresolved.
func (h *hollows) status(r siteRef) Status {
	if h.empty(r) {
		return Unresolved
	}
	return r.file.res.status(r.site)
}
