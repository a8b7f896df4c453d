package index

import (
	"context"
	"slices"
)

// changes says what differs between two states, by slot.
type changes struct {
	versions []int32 // created or with other content
	exposed  []int32 // of these, those that other files' resolution can notice
	gone     map[int32]*file
	before   map[int32]*file // the old versions of those that were there
	own      map[int32]bool  // slots whose version no other Snapshot shares
	paths    bool            // a path came or went
}

// noticed reports whether another file of the family can notice the changes.
func (c *changes) noticed(family string, s *Snapshot) bool {
	for _, slot := range c.exposed {
		if s.slots[slot].family == family {
			return true
		}
	}
	for _, f := range c.gone {
		if f.family == family {
			return true
		}
	}
	return false
}

// update takes over prev and places, links and lists only what changed.
func (s *Snapshot) update(ctx context.Context, prev *Snapshot, a assembly) error {
	s.share, s.names = prev.share, prev.names.layer()
	s.slots = slices.Clone(prev.slots)
	s.syms, s.sites = slices.Clip(prev.syms), slices.Clip(prev.sites)
	s.symEnd, s.siteEnd = prev.symEnd, prev.siteEnd
	s.root, s.rootSym, s.rootSit = prev.root, prev.rootSym, prev.rootSit
	s.linked = make(map[string]*linkedFamily)
	c := s.apply(prev, a.files)
	s.work.Changed = len(c.versions) + len(c.gone)
	s.sort()
	for _, f := range a.engine.families {
		before := prev.linked[f.key]
		if before != nil && !s.affected(f.key, before, c, a.manifests[f.key]) {
			s.linked[f.key] = before
			continue
		}
		if err := s.linkFamily(ctx, f, before, c, a); err != nil {
			return err
		}
	}
	return s.index(prev)
}

// apply places the new versions and drops the files that are gone.
func (s *Snapshot) apply(prev *Snapshot, files []*file) *changes {
	c := &changes{gone: make(map[int32]*file), before: make(map[int32]*file), own: make(map[int32]bool)}
	kept := make(map[int32]bool, len(files))
	for _, f := range files {
		slot, ok := prev.byPath[f.path]
		if !ok {
			slot = int32(len(s.slots))
			c.paths = true
		}
		kept[slot] = true
		if ok && prev.slots[slot] == f {
			continue
		}
		if f.linked.names != nil {
			f = f.relinked(linked{})
		}
		s.place(slot, f)
		c.versions = append(c.versions, slot)
		c.own[slot] = true
		if !ok || prev.slots[slot].api != f.api || prev.slots[slot].lang != f.lang {
			c.exposed = append(c.exposed, slot)
		}
		if ok && prev.slots[slot].family != f.family {
			c.gone[slot] = prev.slots[slot]
		}
		if ok {
			c.before[slot] = prev.slots[slot]
			f.deps = prev.slots[slot].deps
		}
	}
	for slot, f := range prev.slots {
		if f != nil && !kept[int32(slot)] {
			s.slots[slot] = nil
			c.gone[int32(slot)] = f
			c.paths = true
		}
	}
	return c
}

// affected reports whether anything changed that the family's linker sees.
func (s *Snapshot) affected(family string, before *linkedFamily, c *changes, manifests []Manifest) bool {
	for _, slot := range c.versions {
		if s.slots[slot].family == family {
			return true
		}
	}
	for _, f := range c.gone {
		if f.family == family {
			return true
		}
	}
	return !sameManifests(before.manifests, manifests) || c.paths && !before.asked.same(s.hasPath())
}

// toRelink returns the slots to link, with fresh versions in them.
func (s *Snapshot) toRelink(ctx context.Context, l, before *linkedFamily, c *changes, a assembly) ([]int32, error) {
	if c != nil && before != nil && sameManifests(before.manifests, l.manifests) && before.asked.same(s.hasPath()) {
		return s.closure(ctx, l, before, c, a)
	}
	deps, err := l.dependencies(ctx, a.engine.jobs)
	if err != nil {
		return nil, err
	}
	for i, slot := range l.slots {
		if c != nil {
			s.renew(slot, c)
		}
		s.slots[slot].deps = deps[i]
	}
	return l.slots, nil
}

// closure returns the changed files of the family and, where definitions
// changed, every file that can notice.
func (s *Snapshot) closure(ctx context.Context, l, before *linkedFamily, c *changes, a assembly) ([]int32, error) {
	l.asked.take(before.asked)
	dirty := make(map[int32]bool)
	for _, slot := range c.versions {
		if s.slots[slot].family == l.family.key {
			dirty[slot] = true
		}
	}
	n := c.notice(s, l)
	// A file may be of another package because of its neighbours.
	for i, slot := range l.slots {
		if f := s.slots[slot]; len(n.seeds) > 0 && f.pkg != "" && f.pkg != l.linker.Package(i) {
			n.wide = append(n.wide, slot)
		}
	}
	if len(n.seeds) > 0 {
		deps, err := s.dependenciesAfter(ctx, l, n, a)
		if err != nil {
			return nil, err
		}
		if err := n.spread(ctx, deps, dirty); err != nil {
			return nil, err
		}
		for i, slot := range l.slots {
			if dirty[slot] {
				s.renew(slot, c)
			}
			s.depend(slot, deps[i], c)
		}
	}
	out := make([]int32, 0, len(dirty))
	for _, slot := range l.slots {
		if dirty[slot] {
			out = append(out, slot)
		}
	}
	return out, nil
}

// notice weighs the changes of one family.
func (c *changes) notice(s *Snapshot, l *linkedFamily) *notice {
	n := &notice{s: s, l: l, names: newBitset(s.names.len())}
	for _, slot := range c.exposed {
		if f := s.slots[slot]; f.family == l.family.key {
			old := c.before[slot]
			if old != nil && old.family != f.family {
				old = nil
			}
			n.weigh(slot, old, f)
		}
	}
	for slot, f := range c.gone {
		if f.family == l.family.key {
			n.weigh(slot, f, nil)
		}
	}
	return n
}

// dependenciesAfter returns the dependencies of all files of the family;
// they are as before where no file came, went or imports something else.
func (s *Snapshot) dependenciesAfter(ctx context.Context, l *linkedFamily, n *notice, a assembly) ([][]int32, error) {
	if n.regroup || len(n.wide) > 0 {
		return l.dependencies(ctx, a.engine.jobs)
	}
	deps := make([][]int32, len(l.slots))
	for i, slot := range l.slots {
		deps[i] = s.slots[slot].deps
	}
	return deps, nil
}

// depend sets a file's dependencies; a version that other Snapshots share is
// copied for it.
func (s *Snapshot) depend(slot int32, deps []int32, c *changes) {
	f := s.slots[slot]
	if slices.Equal(f.deps, deps) {
		return
	}
	if !c.own[slot] {
		l := f.linked
		f = f.relinked(l)
		s.slots[slot] = f
		c.own[slot] = true
	}
	f.deps = deps
}

// renew gives an unchanged file a version of its own for new resolutions.
func (s *Snapshot) renew(slot int32, c *changes) {
	if c.own[slot] {
		return
	}
	c.own[slot] = true
	f := s.slots[slot]
	s.slots[slot] = f.relinked(linked{names: f.linked.names, symBase: f.symBase, numbers: f.numbers,
		siteBase: s.numberSites(slot, f.sites), pkg: f.pkg, deps: f.deps})
}

// index makes the lists of what was linked since the root, or a new root when
// that has become a large part.
func (s *Snapshot) index(prev *Snapshot) error {
	since := s.files(func(f *file) bool { return f.siteBase >= s.rootSit })
	var sites uint32
	for _, f := range since {
		sites += f.sites
	}
	if holes := s.siteEnd - s.rootSit; sites > s.rootSit/4+1<<12 || holes > s.rootSit+1<<16 || len(s.slots) > 2*len(s.order)+1<<10 {
		s.renumber()
		return nil
	}
	s.delta = s.gather(since, sparse)
	s.deadSites = s.dead()
	return nil
}

// dead returns the root's ranges of sites whose file has been linked again or is gone.
func (s *Snapshot) dead() [][2]uint32 {
	var out [][2]uint32
	for i, r := range s.sites {
		if r.base >= s.rootSit {
			break
		}
		end := s.rootSit
		if i+1 < len(s.sites) {
			end = min(end, s.sites[i+1].base)
		}
		if f := s.slots[r.slot]; f == nil || f.siteBase != r.base {
			out = append(out, [2]uint32{r.base, end})
		}
	}
	return out
}

// renumber makes a new root of the same resolutions.
func (s *Snapshot) renumber() {
	old := *s
	s.names, s.share = newNames(), newInterner()
	s.slots, s.syms, s.sites, s.symEnd, s.siteEnd, s.delta, s.deadSites = nil, nil, nil, 0, 0, nil, nil
	moved := make(map[int32]int32, len(old.order))
	for i, slot := range old.order {
		moved[slot] = int32(i)
		f := old.slots[slot]
		s.place(int32(i), f.relinked(linked{pkg: f.pkg, deps: f.deps}))
	}
	number := func(n uint32) uint32 {
		r, _ := old.symbol(n)
		return s.slots[s.byPath[r.file.path]].number(r.def)
	}
	s.sort()
	for i, slot := range old.order {
		f := s.slots[i]
		if r := old.slots[slot].res; r != nil {
			f.res = r.mapped(number)
		}
		f.deps = movedSlots(old.slots[slot].deps, moved)
	}
	s.shareDeps()
	linked := make(map[string]*linkedFamily, len(old.linked))
	for name, l := range old.linked {
		linked[name] = l.moved(moved, number)
	}
	s.linked = linked
	s.root = s.gather(s.files(nil), dense)
	s.rootSym, s.rootSit = s.symEnd, s.siteEnd
}

// movedSlots returns those slots that are still there, with their new numbers.
func movedSlots(slots []int32, to map[int32]int32) []int32 {
	out := make([]int32, 0, len(slots))
	for _, d := range slots {
		if n, ok := to[d]; ok {
			out = append(out, n)
		}
	}
	return out
}

// shareDeps makes equal lists of dependencies one.
func (s *Snapshot) shareDeps() {
	all := make([][]int32, len(s.slots))
	for i, f := range s.slots {
		all[i] = f.deps
	}
	shareEqual(all)
	for i, f := range s.slots {
		f.deps = all[i]
	}
}

func (l *linkedFamily) moved(to map[int32]int32, number func(uint32) uint32) *linkedFamily {
	c := *l
	l.edges.mu.Lock()
	defer l.edges.mu.Unlock()
	c.edges = &familyEdges{linker: l.edges.linker, err: l.edges.err, all: make([]edge, len(l.edges.all))}
	for i, e := range l.edges.all {
		c.edges.all[i] = edge{number(e.from), number(e.to), e.kind, e.sure}
	}
	c.slots, c.index = make([]int32, len(l.slots)), make(map[int32]int32, len(l.slots))
	for i, slot := range l.slots {
		c.slots[i] = to[slot]
		c.index[to[slot]] = int32(i)
	}
	return &c
}
