package index

import (
	"cmp"
	"iter"
	"slices"
)

// variants returns the symbol and what its language says is one thing with it,
// such as the other overloads of a function, in order of path and position.
// Whoever changes one of them changes it for the users of all.
func (s *Snapshot) variants(r symRef) []symRef {
	if s.standsAlone(r) {
		return []symRef{r}
	}
	return s.variantsAmong(r, s.named(s.name(r)))
}

// standsAlone reports whether nothing can be one thing with the symbol.
func (s *Snapshot) standsAlone(r symRef) bool {
	lang := s.engine.language(r.file.lang)
	return lang == nil || lang.Same == nil || isValue(r.file.kind(r.def))
}

// variantsAmong is variants, looked for among some definitions of its simple name.
func (s *Snapshot) variantsAmong(r symRef, among iter.Seq[symRef]) []symRef {
	alone := []symRef{r}
	lang := s.engine.language(r.file.lang)
	var all []symRef
	for other := range among {
		if other == r || s.same(lang, r, other) {
			all = append(all, other)
		}
	}
	if len(all) < 2 {
		return alone
	}
	slices.SortFunc(all, func(a, b symRef) int {
		return cmp.Or(comparePaths(a.file.path, b.file.path), cmp.Compare(a.def, b.def))
	})
	return all
}

// same reports whether two definitions of one simple name are one thing.
func (s *Snapshot) same(lang *Language, a, b symRef) bool {
	if a.file.pkg != b.file.pkg || a.file.family != b.file.family || isValue(b.file.kind(b.def)) {
		return false
	}
	in, within := s.parent(a)
	of, also := s.parent(b)
	switch {
	case within != also:
		return false
	case within && in != of && (s.name(in) != s.name(of) || !isScope(in.file.kind(in.def)) || !s.same(lang, in, of)):
		return false // in two functions, or in types that are not one
	}
	return lang.Same(s.render(a), s.render(b))
}

// A scopeKey is what definitions of one simple name that are one thing have in common.
type scopeKey struct {
	pkg, family, parent string
	within              bool
}

func (s *Snapshot) scopeOf(r symRef) scopeKey {
	k := scopeKey{pkg: r.file.pkg, family: r.file.family}
	if in, ok := s.parent(r); ok {
		k.within, k.parent = true, s.name(in)
	}
	return k
}

// A variantFinder answers variants for many symbols: what has a simple name is gone
// through once, because thousands can have it.
type variantFinder struct {
	s       *Snapshot
	byScope map[string]map[scopeKey][]symRef // by simple name
	found   map[symRef][]symRef
}

func (v *variantFinder) of(r symRef) []symRef {
	if v.s.standsAlone(r) {
		return []symRef{r}
	}
	if out := v.found[r]; out != nil {
		return out
	}
	if v.found == nil {
		v.byScope, v.found = map[string]map[scopeKey][]symRef{}, map[symRef][]symRef{}
	}
	name := v.s.name(r)
	scopes := v.byScope[name]
	if scopes == nil {
		scopes = map[scopeKey][]symRef{}
		for other := range v.s.named(name) {
			k := v.s.scopeOf(other)
			scopes[k] = append(scopes[k], other)
		}
		v.byScope[name] = scopes
	}
	out := v.s.variantsAmong(r, slices.Values(scopes[v.s.scopeOf(r)]))
	v.found[r] = out
	return out
}

func isValue(k Kind) bool {
	return k == KindField || k == KindVariable || k == KindConstant || k == KindEnumMember
}

// isScope reports whether what stands in a definition of the kind can be named from outside of it.
func isScope(k Kind) bool { return isType(k) || k == KindPackage }

// sureSitesOf returns the live sites that certainly mean one of the symbols,
// each once, in order of path and position.
func (s *Snapshot) sureSitesOf(all []symRef) []siteRef {
	var out []siteRef
	seen := make(map[siteRef]bool)
	for _, sym := range all {
		for r := range s.siteList(sureSites, sym.number()).all() {
			if !seen[r] {
				seen[r] = true
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b siteRef) int {
		return cmp.Or(comparePaths(a.file.path, b.file.path), cmp.Compare(a.site, b.site))
	})
	return out
}

// edgesOf returns the relations of all variants of a symbol on one side.
func (s *Snapshot) edgesOf(side map[uint32][]relation, r symRef) []relation {
	all := s.variants(r)
	if len(all) == 1 {
		return side[r.number()]
	}
	var out []relation
	for _, v := range all {
		out = append(out, side[v.number()]...)
	}
	slices.SortFunc(out, s.compareRelations)
	return slices.Compact(out)
}
