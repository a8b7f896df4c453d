package golang

import (
	"sync"

	"github.com/plumbkit/plumb/index"
)

// picks remembers which of several targets a file of some constraint can mean.
type picks struct {
	mu    sync.RWMutex
	known map[pickKey]pick
}

type pickKey struct {
	first      index.Target
	n          int32
	constraint int32
	tests      bool
}

type pick struct {
	targets []index.Target
	// variants says that no two of them can be in one build: together they are
	// one identity.
	variants bool
}

// pick chooses among the definitions of one name those that a file can mean:
// its own, or those that one build can hold together with it, or, if none is
// left, all. What tests declare is there for the tests of their folder alone;
// targets is empty if nothing else is.
func (l *linker) pick(ts []index.Target, from int32) pick {
	if len(ts) == 1 {
		if !l.sees(from, ts[0]) {
			return pick{}
		}
		return pick{ts, true}
	}
	if own := pickWhere(ts, func(t index.Target) bool { return t.File == from }); len(own) > 0 {
		return pick{own, len(own) == 1}
	}
	if len(ts) == 0 {
		return pick{}
	}
	f := &l.files[from]
	tests := f.test && l.files[ts[0].File].dir == f.dir
	key := pickKey{ts[0], int32(len(ts)), f.constraint, tests}
	l.picks.mu.RLock()
	p, ok := l.picks.known[key]
	l.picks.mu.RUnlock()
	if ok {
		return p
	}
	seen := pickWhere(ts, func(t index.Target) bool { return l.sees(from, t) })
	p.targets = pickWhere(seen, func(t index.Target) bool { return l.cons.together(f.constraint, l.files[t.File].constraint) })
	if len(p.targets) == 0 {
		p.targets = seen
	}
	p.variants = l.exclusive(p.targets)
	l.picks.mu.Lock()
	if l.picks.known == nil {
		l.picks.known = map[pickKey]pick{}
	}
	l.picks.known[key] = p
	l.picks.mu.Unlock()
	return p
}

// sees reports whether a file can use a definition as far as tests go.
func (l *linker) sees(from int32, t index.Target) bool {
	f, to := &l.files[from], &l.files[t.File]
	return !to.test || f.test && f.dir == to.dir
}

// pickWhere filters ts; it returns ts itself when nothing is dropped.
func pickWhere(ts []index.Target, ok func(t index.Target) bool) []index.Target {
	n := 0
	for _, t := range ts {
		if ok(t) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case len(ts):
		return ts
	}
	kept := make([]index.Target, 0, n)
	for _, t := range ts {
		if ok(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// exclusive reports whether no two targets can be in one build.
func (l *linker) exclusive(ts []index.Target) bool {
	for i := range ts {
		for j := range i {
			if ts[i].File == ts[j].File || l.cons.together(l.files[ts[i].File].constraint, l.files[ts[j].File].constraint) {
				return false
			}
		}
	}
	return true
}
