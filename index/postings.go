package index

import (
	"iter"
	"sort"
)

// A lookup maps numbers to lists of numbers. It is dense for a whole
// repository and sparse for an overlay.
type lookup struct {
	start  []uint32
	items  []uint32
	sparse map[uint32][]uint32
}

func (l *lookup) list(key uint32) []uint32 {
	if l.sparse != nil {
		return l.sparse[key]
	}
	if int(key)+1 >= len(l.start) {
		return nil
	}
	return l.items[l.start[key]:l.start[key+1]]
}

// dense builds a lookup from what emit yields, twice the same; within a key
// the order of emission is kept.
func dense(keys uint32, emit func(add func(key, item uint32))) lookup {
	start := make([]uint32, keys+1)
	emit(func(key, _ uint32) { start[key+1]++ })
	for i := range keys {
		start[i+1] += start[i]
	}
	items := make([]uint32, start[keys])
	next := make([]uint32, keys)
	emit(func(key, item uint32) {
		items[start[key]+next[key]] = item
		next[key]++
	})
	return lookup{start: start, items: items}
}

func sparse(_ uint32, emit func(add func(key, item uint32))) lookup {
	l := lookup{sparse: make(map[uint32][]uint32)}
	emit(func(key, item uint32) { l.sparse[key] = append(l.sparse[key], item) })
	return l
}

// postings answer the queries: all lists are in order of path, then place.
type postings struct {
	defs    lookup // name -> symbols
	sure    lookup // symbol -> sites that are static
	confirm lookup // symbol -> sites that list it as one candidate
	byName  lookup // name -> sites whose candidates are everything of that name
	unknown lookup // name*3 + unknownUnresolved … -> sites, those of byName left out
}

const (
	unknownUnresolved = iota
	unknownAmbiguous
	unknownDynamic
	unknownKinds
)

func unknownKind(st Status) (uint32, bool) {
	switch st {
	case Unresolved:
		return unknownUnresolved, true
	case Ambiguous:
		return unknownAmbiguous, true
	case Dynamic:
		return unknownDynamic, true
	}
	return 0, false
}

// gather builds postings of the files, which stand in order of path.
func (s *Snapshot) gather(files []*file, build func(uint32, func(add func(key, item uint32))) lookup) *postings {
	names := s.names.len()
	return &postings{
		defs: build(names, func(add func(key, item uint32)) {
			for _, f := range files {
				name := f.pack().column(partDefName)
				for i := range int(f.defs) {
					add(f.names[name.at(i)], f.number(i))
				}
			}
		}),
		sure: build(s.symEnd, func(add func(key, item uint32)) {
			eachTarget(files, func(st Status) bool { return st == Static }, add)
		}),
		confirm: build(s.symEnd, func(add func(key, item uint32)) {
			eachTarget(files, func(st Status) bool { return st != Static && st != External }, add)
		}),
		byName: build(names, func(add func(key, item uint32)) {
			eachNamed(files, func(r *resolution, i int, name, site uint32) {
				if r.byName(i) {
					add(name, site)
				}
			})
		}),
		unknown: build(names*unknownKinds, func(add func(key, item uint32)) {
			eachNamed(files, func(r *resolution, i int, name, site uint32) {
				if k, ok := unknownKind(r.status(i)); ok && !r.byName(i) {
					add(name*unknownKinds+k, site)
				}
			})
		}),
	}
}

func eachTarget(files []*file, want func(Status) bool, add func(key, item uint32)) {
	for _, f := range files {
		r := f.res
		for i := range r.len() {
			if r.dropped(i) || !want(r.status(i)) {
				continue
			}
			for _, t := range r.targets(i) {
				add(t, f.siteBase+uint32(i))
			}
		}
	}
}

func eachNamed(files []*file, visit func(r *resolution, i int, name, site uint32)) {
	for _, f := range files {
		name := f.pack().column(partSiteName)
		for i := range f.res.len() {
			if !f.res.dropped(i) {
				visit(f.res, i, f.names[name.at(i)], f.siteBase+uint32(i))
			}
		}
	}
}

func (r *resolution) len() int {
	if r == nil {
		return 0
	}
	return len(r.head)
}

// A siteRef is one live site.
type siteRef struct {
	file *file
	site int
}

// siteList is one key's sites in a Snapshot: those of the root that are still
// live, and those of files linked since.
type siteList struct {
	s           *Snapshot
	root, delta []uint32
}

func (s *Snapshot) siteList(of func(*postings) *lookup, key uint32) siteList {
	l := siteList{s: s}
	if s.root != nil {
		l.root = of(s.root).list(key)
	}
	if s.delta != nil {
		l.delta = of(s.delta).list(key)
	}
	return l
}

func sureSites(p *postings) *lookup    { return &p.sure }
func confirmSites(p *postings) *lookup { return &p.confirm }
func byNameSites(p *postings) *lookup  { return &p.byName }
func unknownSites(p *postings) *lookup { return &p.unknown }

// total counts the live sites. The root's list ascends, so that each replaced
// file costs two binary searches.
func (l siteList) total() int {
	n := len(l.root) + len(l.delta)
	for _, d := range l.s.deadSites {
		from := sort.Search(len(l.root), func(i int) bool { return l.root[i] >= d[0] })
		n -= sort.Search(len(l.root)-from, func(i int) bool { return l.root[from+i] >= d[1] })
	}
	return n
}

// all yields the live sites in order of path, then place.
func (l siteList) all() iter.Seq[siteRef] {
	return func(yield func(siteRef) bool) {
		delta := l.delta
		for _, n := range l.root {
			at, ok := l.s.liveSite(n)
			if !ok {
				continue
			}
			for len(delta) > 0 {
				d, ok := l.s.liveSite(delta[0])
				if ok && d.file.path > at.file.path {
					break
				}
				if ok && !yield(d) {
					return
				}
				delta = delta[1:]
			}
			if !yield(at) {
				return
			}
		}
		for _, n := range delta {
			if d, ok := l.s.liveSite(n); ok && !yield(d) {
				return
			}
		}
	}
}

func (s *Snapshot) liveSite(n uint32) (siteRef, bool) {
	slot := s.sites.find(n)
	if slot < 0 {
		return siteRef{}, false
	}
	f := s.slots[slot]
	if f == nil || n < f.siteBase || n-f.siteBase >= f.sites {
		return siteRef{}, false
	}
	return siteRef{f, int(n - f.siteBase)}, true
}

// A symRef is one live symbol: file.Defs[def].
type symRef struct {
	file *file
	def  int
}

func (r symRef) number() uint32 { return r.file.number(r.def) }

func (s *Snapshot) symbol(n uint32) (symRef, bool) {
	slot := s.syms.find(n)
	if slot < 0 {
		return symRef{}, false
	}
	f := s.slots[slot]
	if f == nil {
		return symRef{}, false
	}
	def, ok := f.numbered(n)
	return symRef{f, def}, ok
}

// named yields the live definitions of a simple name, in order of path.
func (s *Snapshot) named(name string) iter.Seq[symRef] {
	return func(yield func(symRef) bool) {
		id, ok := s.names.lookup(name)
		if !ok || s.root == nil {
			return
		}
		var delta []uint32
		if s.delta != nil {
			delta = s.delta.defs.list(id)
		}
		for _, n := range s.root.defs.list(id) {
			at, ok := s.symbol(n)
			// A file whose definitions are the same keeps its numbers: they
			// stand in both lists.
			if !ok || at.file.siteBase >= s.rootSit && s.delta != nil {
				continue
			}
			for len(delta) > 0 {
				d, ok := s.symbol(delta[0])
				if ok && d.file.path > at.file.path {
					break
				}
				if ok && !yield(d) {
					return
				}
				delta = delta[1:]
			}
			if !yield(at) {
				return
			}
		}
		for _, n := range delta {
			if d, ok := s.symbol(n); ok && !yield(d) {
				return
			}
		}
	}
}
