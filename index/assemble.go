package index

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"github.com/plumbkit/plumb/host/fault"
)

// assembly is what a Snapshot is put together from.
type assembly struct {
	fsys      fs.FS
	over      map[string][]byte
	engine    *engine
	files     []*file // in order of path
	manifests map[string][]Manifest
	progress  *progress
}

// assemble builds a Snapshot, from prev where most of it is the same.
func assemble(ctx context.Context, prev *Snapshot, a assembly) (*Snapshot, error) {
	s := &Snapshot{fsys: a.fsys, over: a.over, engine: a.engine}
	s.prepare()
	start := time.Now()
	var err error
	if prev == nil || prev.root == nil || !prev.engine.compatible(a.engine) {
		err = s.full(ctx, a)
		s.work.Changed = len(a.files)
	} else {
		err = s.update(ctx, prev, a)
		s.work.Incremental = true
	}
	if err != nil {
		return nil, fault.From(err, "index.link", "index the repository again; report the language whose linking failed")
	}
	s.digest = s.computeDigest()
	s.work.Elapsed = time.Since(start)
	return s, nil
}

// full numbers and links everything.
func (s *Snapshot) full(ctx context.Context, a assembly) error {
	s.share, s.names = newInterner(), newNames()
	s.linked = make(map[string]*linkedFamily)
	for i, f := range a.files {
		s.place(int32(i), f.relinked(linked{}))
	}
	s.sort()
	for _, f := range a.engine.families {
		if err := s.linkFamily(ctx, f, nil, nil, a); err != nil {
			return err
		}
	}
	for i, f := range a.engine.families {
		// Relations now, so that the Linker's memory is free for what follows.
		l := s.linked[f.key]
		a.progress.step("relate", i, len(a.engine.families), f.languages[0].Name)
		if _, err := l.edges.get(ctx, func(t Target) (uint32, bool) { return s.numberOf(l, t) }); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	a.progress.step("gather", 0, 1, "")
	s.root = s.gather(s.files(nil), dense)
	s.rootSym, s.rootSit = s.symEnd, s.siteEnd
	return nil
}

// place puts a new version into a slot and numbers its definitions and sites.
func (s *Snapshot) place(slot int32, f *file) {
	for int(slot) >= len(s.slots) {
		s.slots = append(s.slots, nil)
	}
	old := s.slots[slot]
	s.slots[slot] = f
	f.family = s.engine.familyOf(f.lang)
	f.linked.names = make([]uint32, f.idents)
	for i := range f.idents {
		f.linked.names[i] = s.names.add(f.pack().blob(partNameEnds, i))
	}
	s.numberDefs(slot, old, f)
	f.siteBase = s.numberSites(slot, f.sites)
}

// numberDefs numbers the definitions of a new version. One that was there
// before keeps its number, so that what refers to it stays right.
func (s *Snapshot) numberDefs(slot int32, old, f *file) {
	switch {
	case old == nil || old.lang != f.lang || old.defs == 0 || f.defs == 0:
		f.symBase = s.numberSyms(slot, f.defs)
		return
	case old.api == f.api && old.defs == f.defs:
		f.symBase, f.numbers = old.symBase, old.numbers
		return
	}
	had := make(map[identity]uint32, old.defs)
	for def := range int(old.defs) {
		had[s.identify(old, def)] = old.number(def)
	}
	all := make([]uint32, f.defs)
	var fresh []int
	for def := range all {
		n, ok := had[s.identify(f, def)]
		if !ok {
			fresh = append(fresh, def)
		}
		all[def] = n
	}
	base := s.numberSyms(slot, uint32(len(fresh)))
	for i, def := range fresh {
		all[def] = base + uint32(i)
	}
	f.numbers = newNumbering(all)
}

func (s *Snapshot) numberSyms(slot int32, n uint32) uint32 {
	base := s.symEnd
	if n > 0 {
		s.syms = append(s.syms, numberRange{base, slot})
	}
	s.symEnd += n
	return base
}

func (s *Snapshot) numberSites(slot int32, n uint32) uint32 {
	base := s.siteEnd
	if n > 0 {
		s.sites = append(s.sites, numberRange{base, slot})
	}
	s.siteEnd += n
	return base
}

// sort fills order and byPath from the slots.
func (s *Snapshot) sort() {
	s.order = make([]int32, 0, len(s.slots))
	s.byPath = make(map[string]int32, len(s.slots))
	for slot, f := range s.slots {
		if f != nil {
			s.order = append(s.order, int32(slot))
			s.byPath[f.path] = int32(slot)
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int { return comparePaths(s.slots[a].path, s.slots[b].path) })
}

func comparePaths(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// files returns the live files that keep says, in order of path; all with nil.
func (s *Snapshot) files(keep func(*file) bool) []*file {
	var out []*file
	for _, slot := range s.order {
		if f := s.slots[slot]; keep == nil || keep(f) {
			out = append(out, f)
		}
	}
	return out
}

// placeFamily makes the state of a family of the files that are placed.
func (s *Snapshot) placeFamily(of *family) *linkedFamily {
	l := &linkedFamily{family: of, index: make(map[int32]int32), asked: newAsked(), edges: &familyEdges{}}
	for _, slot := range s.order {
		if s.slots[slot].family == of.key {
			l.index[slot] = int32(len(l.slots))
			l.slots = append(l.slots, slot)
		}
	}
	s.linked[of.key] = l
	return l
}

// linkFamily links the files of one family; with a previous state, only those
// that c can have affected.
func (s *Snapshot) linkFamily(ctx context.Context, of *family, before *linkedFamily, c *changes, a assembly) error {
	l := s.placeFamily(of)
	l.manifests = a.manifests[of.key]
	if len(l.slots) == 0 {
		return nil
	}
	linker, err := newLinker(ctx, of, l.universe(s))
	if err != nil {
		return err
	}
	l.linker = linker
	relink, err := s.toRelink(ctx, l, before, c, a)
	if err != nil {
		return err
	}
	s.work.Linked += len(relink)
	if err := s.link(ctx, l, relink, a.engine.jobs, a.progress); err != nil {
		return err
	}
	l.edges = l.edgesAfter(before, c, s)
	l.linker = nil
	return nil
}

// edgesAfter keeps the relations of the previous state when only bodies changed.
func (l *linkedFamily) edgesAfter(before *linkedFamily, c *changes, s *Snapshot) *familyEdges {
	if before != nil && c != nil && !c.noticed(l.family.key, s) && sameManifests(before.manifests, l.manifests) {
		if all, err, known := before.edges.known(); known {
			return &familyEdges{all: all, err: err}
		}
	}
	if s.engine.tiers == TierSymbols {
		return &familyEdges{}
	}
	return &familyEdges{linker: l.linker}
}

func newLinker(ctx context.Context, of *family, u Universe) (Linker, error) {
	if lang := of.linking(); lang != nil {
		return lang.Link(ctx, u)
	}
	return unlinked{u}, nil
}
