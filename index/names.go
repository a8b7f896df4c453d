package index

import "sync"

// names numbers identifiers. A Snapshot's table is a root, shared by its
// overlays, with at most one small layer of its own above it. It is complete
// before readers see it.
type names struct {
	root  *names     // nil for a root
	fixed *nameTable // of a root that was loaded; list and ids are then empty
	base  uint32
	list  []string
	ids   map[string]uint32
}

func newNames() *names { return &names{ids: make(map[string]uint32)} }

// layer returns a table that can grow without changing n.
func (n *names) layer() *names {
	if n.root == nil {
		return &names{root: n, base: n.len(), ids: make(map[string]uint32)}
	}
	l := &names{root: n.root, base: n.base, list: append([]string(nil), n.list...), ids: make(map[string]uint32, len(n.ids))}
	for s, id := range n.ids {
		l.ids[s] = id
	}
	return l
}

func (n *names) len() uint32 { return n.base + uint32(n.fixed.len()+len(n.list)) }

func (n *names) lookup(s string) (uint32, bool) {
	if n.root != nil {
		if id, ok := n.root.lookup(s); ok {
			return id, true
		}
	}
	if n.fixed != nil {
		return n.fixed.lookup(s)
	}
	id, ok := n.ids[s]
	return id, ok
}

// add returns the number of s. s may be a view: it is copied when it is kept.
func (n *names) add(s []byte) uint32 {
	if id, ok := n.lookup(viewString(s)); ok {
		return id
	}
	id := n.len()
	own := string(s)
	n.list = append(n.list, own)
	n.ids[own] = id
	return id
}

func (n *names) string(id uint32) string {
	switch {
	case id < n.base:
		return n.root.string(id)
	case n.fixed != nil:
		return n.fixed.string(id)
	}
	return n.list[id-n.base]
}

// all yields every name of both layers.
func (n *names) all(yield func(id uint32, s string) bool) {
	for id := range n.len() {
		if !yield(id, n.string(id)) {
			return
		}
	}
}

// An interner keeps one copy of equal strings. It is safe for concurrent use.
type interner struct {
	mu  sync.Mutex
	all map[string]string
}

func newInterner() *interner { return &interner{all: make(map[string]string)} }

func (in *interner) string(s string) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	if kept, ok := in.all[s]; ok {
		return kept
	}
	in.all[s] = s
	return s
}

// numbered maps ranges of numbers to slots, ascending by base.
type numbered []numberRange

type numberRange struct {
	base uint32
	slot int32
}

// find returns the slot whose range holds n; the range may belong to a version
// of the file that is not the Snapshot's.
func (r numbered) find(n uint32) int32 {
	lo, hi := 0, len(r)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r[mid].base <= n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return -1
	}
	return r[lo-1].slot
}
