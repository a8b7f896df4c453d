package index

import "sync"

// A packageKey names a package of one family of languages.
type packageKey struct{ family, pkg string }

// A packageGraph says which package can reach which through imports. Which
// those are is found for one package at a time, when first asked for.
type packageGraph struct {
	number map[packageKey]int32
	uses   [][]int32
	reach  []reached
}

type reached struct {
	once sync.Once
	set  bitset
}

// reaches reports whether the package of from depends, directly or not, on that of to.
func (s *Snapshot) reaches(from, to *file) bool {
	g := s.lazy.graph()
	a, ok := g.number[packageKey{from.family, from.pkg}]
	b, there := g.number[packageKey{to.family, to.pkg}]
	return ok && there && g.reachedFrom(a).has(uint32(b))
}

func (g *packageGraph) reachedFrom(from int32) bitset {
	r := &g.reach[from]
	r.once.Do(func() {
		set := newBitset(uint32(len(g.uses)))
		queue := []int32{from}
		for set.add(uint32(from)); len(queue) > 0; {
			n := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, to := range g.uses[n] {
				if !set.has(uint32(to)) {
					set.add(uint32(to))
					queue = append(queue, to)
				}
			}
		}
		r.set = set
	})
	return r.set
}

// computeGraph makes the graph of packages from what their files depend on.
func (s *Snapshot) computeGraph() *packageGraph {
	g := &packageGraph{number: make(map[packageKey]int32)}
	of := make([]int32, len(s.slots))
	var files [][]int32 // by package
	for _, slot := range s.order {
		k := packageKey{s.slots[slot].family, s.slots[slot].pkg}
		n, ok := g.number[k]
		if !ok {
			n = int32(len(files))
			g.number[k] = n
			files = append(files, nil)
		}
		of[slot] = n
		files[n] = append(files[n], slot)
	}
	g.uses, g.reach = make([][]int32, len(files)), make([]reached, len(files))
	last := make([]int32, len(files)) // the package that last noted this one, plus 1
	for n, slots := range files {
		var before []int32
		for _, slot := range slots {
			deps := s.slots[slot].deps
			if len(deps) == 0 || len(before) == len(deps) && &before[0] == &deps[0] {
				continue
			}
			before = deps
			for _, d := range deps {
				if s.slots[d] != nil && last[of[d]] != int32(n)+1 {
					last[of[d]] = int32(n) + 1
					g.uses[n] = append(g.uses[n], of[d])
				}
			}
		}
	}
	return g
}
