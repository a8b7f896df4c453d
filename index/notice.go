package index

import (
	"context"
	"slices"
)

// What an edit can change elsewhere travels by name: a site resolves through
// the names that it and its expression mention, and from there through what
// the declarations of those names mention. So a file has to be linked again
// when it depends, directly or not, on a changed file and mentions a name
// whose declaration changed or can have another type now. Where more than
// declarations changed (a package clause, a build constraint, the first or
// last file of a package), every dependent file is linked again.

// bitset is a set of name numbers.
type bitset []uint64

func newBitset(n uint32) bitset { return make(bitset, n/64+1) }

func (b bitset) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) add(i uint32) { b[i/64] |= 1 << (i % 64) }

// A notice works out which files of one family can notice changes.
type notice struct {
	s       *Snapshot
	l       *linkedFamily
	names   bitset  // whose declaration changed, or can mean something else now
	seeds   []int32 // slots with changed declarations
	wide    []int32 // slots of which every dependent is to be linked again
	regroup bool    // files came or went, so that dependencies have to be asked for anew
}

// weigh takes up one changed, created (old nil) or gone (f nil) file.
func (n *notice) weigh(slot int32, old, f *file) {
	n.seeds = append(n.seeds, slot)
	switch {
	case old == nil:
		n.regroup = true
		n.appear(slot, f)
	case f == nil || f.family != old.family:
		n.regroup = true
		n.appear(slot, old)
	case old.module != f.module || old.constraint != f.constraint || old.origin != f.origin:
		n.regroup = true
		n.wide = append(n.wide, slot)
	case !sameImports(old.imports, f.imports):
		n.regroup = true
		n.all(old)
		n.all(f)
	default:
		n.compare(old, f)
	}
}

func sameImports(a, b []Import) bool {
	return slices.EqualFunc(a, b, func(x, y Import) bool {
		return x.Path == y.Path && x.Alias == y.Alias && slices.Equal(x.Symbols, y.Symbols) && slices.Equal(x.Aliases, y.Aliases)
	})
}

// appear takes up a file that came or went: all its names, and everything
// when no other file says the same of the folder's package.
func (n *notice) appear(slot int32, f *file) {
	n.all(f)
	dir := folder(f.path)
	for _, other := range n.l.slots {
		if o := n.s.slots[other]; other != slot && folder(o.path) == dir && o.module == f.module && o.constraint == f.constraint && o.origin == f.origin {
			return
		}
	}
	n.wide = append(n.wide, slot)
}

func folder(p string) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '/' {
			return p[:i]
		}
	}
	return ""
}

// all adds every name that the file declares.
func (n *notice) all(f *file) {
	for def := range int(f.defs) {
		n.name(f.linked.names[f.pack().column(partDefName).at(def)])
	}
}

// name adds a name; numbers beyond the set are of files that are gone and that
// nothing mentions.
func (n *notice) name(id uint32) {
	if int(id/64) < len(n.names) {
		n.names.add(id)
	}
}

// compare adds the names whose declarations differ.
func (n *notice) compare(old, f *file) {
	count := make(map[declared]int)
	for sign, v := range map[int]*file{1: f, -1: old} {
		for def := range int(v.defs) {
			count[n.s.declared(v, def)] += sign
		}
	}
	for d, c := range count {
		if c != 0 {
			n.name(d.name)
		}
	}
}

// declared is what others can rely on of a definition.
type declared struct {
	identity
	kind, visibility uint8
	flags            uint16
	text             string
	fingerprint      uint64
}

// identity tells definitions of a file apart.
type identity struct {
	name  uint32
	scope string
	twin  uint32
}

func (s *Snapshot) declared(f *file, def int) declared {
	at := func(part int) uint32 { return f.pack().column(part).at(def) }
	d := declared{identity: s.identify(f, def), kind: uint8(at(partDefKind)), visibility: uint8(at(partDefVisibility)),
		flags: uint16(at(partDefFlags)), text: f.pack().text(2 * def)}
	switch Kind(d.kind) {
	case KindFunction, KindMethod, KindConstructor:
		// A body says nothing to others, unless the type is read off it.
		if f.pack().column(partDefValue).signed(def) < 0 && len(d.text) < maxDeclaration {
			return d
		}
	}
	d.fingerprint = f.pack().column(partDefFingerprint).wide(def)
	return d
}

func (s *Snapshot) identify(f *file, def int) identity {
	id := identity{name: f.linked.names[f.pack().column(partDefName).at(def)], twin: f.twin(def)}
	top := def
	for p := f.parentDef(def); p >= 0; p = f.parentDef(p) {
		id.scope, top = s.name(symRef{f, p})+"."+id.scope, p
	}
	if owner := f.owner(top); owner >= 0 {
		id.scope = s.names.string(f.linked.names[owner]) + "." + id.scope
	}
	return id
}

// spread marks as dirty what can notice. deps are the dependencies now; those
// before are still with the files.
func (n *notice) spread(ctx context.Context, deps [][]int32, dirty map[int32]bool) error {
	users := n.users(deps)
	for slot := range reachedBy(users, n.wide) {
		if n.live(slot) {
			dirty[slot] = true
			n.all(n.s.slots[slot])
		}
	}
	reached := reachedBy(users, n.seeds)
	passed := make(map[int32]bool) // whose own names were added
	for again := true; again; {
		again = false
		for slot := range reached {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !n.live(slot) || passed[slot] || !n.mentions(n.s.slots[slot]) {
				continue
			}
			dirty[slot] = true
			if f := n.s.slots[slot]; n.declaresBy(f) {
				passed[slot], again = true, true
				n.all(f)
			}
		}
	}
	return nil
}

func (n *notice) live(slot int32) bool {
	f := n.s.slots[slot]
	return f != nil && f.family == n.l.family.key
}

func (n *notice) mentions(f *file) bool {
	for _, id := range f.linked.names {
		if int(id/64) < len(n.names) && n.names.has(id) {
			return true
		}
	}
	return false
}

// declaresBy reports whether the file's declarations mention one of the names.
func (n *notice) declaresBy(f *file) bool {
	for _, x := range f.headFacts().Exprs {
		if x.Name >= 0 && int(x.Name) < len(f.linked.names) && n.names.has(f.linked.names[x.Name]) {
			return true
		}
	}
	return false
}

// users returns, by slot, who depends on it now or did before.
func (n *notice) users(deps [][]int32) func(int32) []int32 {
	start := make([]uint32, len(n.s.slots)+1)
	each := func(visit func(d, slot int32)) {
		for i, slot := range n.l.slots {
			now, before := deps[i], n.s.slots[slot].deps
			for _, d := range now {
				visit(d, slot)
			}
			if !slices.Equal(now, before) {
				for _, d := range before {
					visit(d, slot)
				}
			}
		}
	}
	each(func(d, _ int32) { start[d+1]++ })
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	all, next := make([]int32, start[len(start)-1]), slices.Clone(start)
	each(func(d, slot int32) {
		all[next[d]] = slot
		next[d]++
	})
	return func(d int32) []int32 { return all[start[d]:start[d+1]] }
}

// reachedBy returns the slots and all that depend on them, directly or not.
func reachedBy(users func(int32) []int32, from []int32) map[int32]bool {
	seen := make(map[int32]bool)
	queue := slices.Clone(from)
	for len(queue) > 0 {
		slot := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !seen[slot] {
			seen[slot] = true
			queue = append(queue, users(slot)...)
		}
	}
	return seen
}
