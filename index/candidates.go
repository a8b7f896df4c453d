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
		name := r.file.pack.column(partSiteName).at(r.site)
		for t := range s.named(s.names.string(r.file.linked.names[name])) {
			if s.canMean(r, t) && !yield(t) {
				return
			}
		}
	}
}

// canMean reports whether a site known by name only can mean the definition:
// the same language, member or package level as the site says, visible there,
// and in a package that the site's can reach through imports. A value's type
// can come from a package further down than those imported by the file itself.
func (s *Snapshot) canMean(r siteRef, t symRef) bool {
	if t.file.lang != r.file.lang {
		return false
	}
	members := r.file.res.head[r.site]&headMembers != 0
	if members != (t.file.parentDef(t.def) >= 0 || t.file.owner(t.def) >= 0) {
		return false
	}
	if t.file.pkg == r.file.pkg {
		return true
	}
	if Visibility(t.file.pack.column(partDefVisibility).at(t.def)) != Public {
		return false
	}
	return s.reaches(r.file, t.file.pkg)
}

// reaches reports whether the file's package depends, directly or not, on pkg.
func (s *Snapshot) reaches(f *file, pkg string) bool {
	key := f.lang + "\x00" + f.pkg
	set, ok := s.lazy.reach.Load(key)
	if !ok {
		set, _ = s.lazy.reach.LoadOrStore(key, s.reach(f))
	}
	return set.(map[string]bool)[pkg]
}

func (s *Snapshot) reach(from *file) map[string]bool {
	out := make(map[string]bool)
	seen := make(map[int32]bool)
	var queue []int32
	for _, slot := range s.order {
		if f := s.slots[slot]; f.pkg == from.pkg && f.lang == from.lang {
			queue = append(queue, slot)
		}
	}
	for len(queue) > 0 {
		slot := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[slot] || s.slots[slot] == nil {
			continue
		}
		seen[slot] = true
		out[s.slots[slot].pkg] = true
		queue = append(queue, s.slots[slot].deps...)
	}
	return out
}
