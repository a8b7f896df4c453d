package index

import (
	"cmp"
	"context"
	"hash/fnv"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// linkedFamily is the state of one family of languages in a Snapshot.
type linkedFamily struct {
	family    *family
	slots     []int32 // of the files, in order of path: index in Universe.Files -> slot
	index     map[int32]int32
	manifests []Manifest
	linker    Linker // until the files are linked
	edges     *familyEdges
	// asked are the paths that Universe.Has was asked for, with its answer.
	asked *asked
}

// universe makes what the Linker sees. The closures hold the Snapshot's slots.
func (l *linkedFamily) universe(s *Snapshot) Universe {
	files := make([]*file, len(l.slots))
	sketches := make([]*Facts, len(l.slots))
	for i, slot := range l.slots {
		files[i] = s.slots[slot]
		sketches[i] = files[i].sketch()
	}
	has := s.hasPath()
	return Universe{
		Files:     sketches,
		Head:      func(i int) *Facts { return files[i].headFacts() },
		Load:      func(i int) *Facts { return files[i].facts(forLinks) },
		Manifests: l.manifests,
		Has: func(path string) bool {
			yes := has(path)
			l.asked.Store(path, yes)
			return yes
		},
	}
}

// hasPath returns a function that reports whether a file or folder is listed.
func (s *Snapshot) hasPath() func(path string) bool {
	order, slots, byPath := s.order, s.slots, s.byPath
	return func(path string) bool {
		if _, ok := byPath[path]; ok || path == "." || path == "" {
			return true
		}
		prefix := path + "/"
		i := sort.Search(len(order), func(i int) bool { return slots[order[i]].path >= prefix })
		return i < len(order) && len(slots[order[i]].path) > len(prefix) && slots[order[i]].path[:len(prefix)] == prefix
	}
}

// link fills the linked part of the given slots' files, in parallel.
func (s *Snapshot) link(ctx context.Context, l *linkedFamily, relink []int32, jobs int, progress *progress) error {
	var done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for _, slot := range relink {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			f := s.slots[slot]
			if err := s.linkFile(ctx, l, slot, f); err != nil {
				return err
			}
			progress.step("link", int(done.Add(1)), len(relink), f.path)
			return nil
		})
	}
	return group.Wait()
}

func (s *Snapshot) linkFile(ctx context.Context, l *linkedFamily, slot int32, f *file) error {
	i := int(l.index[slot])
	f.pkg = s.share.string(l.linker.Package(i))
	r := newResolver(int(f.sites), s.share)
	if f.sites > 0 {
		found, err := l.linker.Resolve(ctx, i)
		if err != nil {
			return err
		}
		scratch := make([]uint32, 0, 1)
		for n := range min(len(found), int(f.sites)) {
			r.set(n, &found[n], s.numbersOf(l, &found[n], scratch))
		}
		for n := len(found); n < int(f.sites); n++ {
			r.set(n, &Resolution{Status: Unresolved, Rule: "none", Reason: "the linker gave no answer"}, nil)
		}
	}
	f.res = r.done()
	return nil
}

// numbersOf turns a linker's targets into symbol numbers: the variants of a
// static one in the linker's order, candidates in order of path. A single one
// goes into scratch, which is empty and has room for one.
func (s *Snapshot) numbersOf(l *linkedFamily, x *Resolution, scratch []uint32) []uint32 {
	targets := x.Targets
	switch len(targets) {
	case 0:
		return nil
	case 1:
		if n, ok := s.numberOf(l, targets[0]); ok {
			return append(scratch, n)
		}
		return nil
	}
	if x.Status != Static {
		targets = slices.SortedFunc(slices.Values(targets), func(a, b Target) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Def, b.Def))
		})
		targets = slices.Compact(targets)
	}
	out := make([]uint32, 0, len(targets))
	for _, t := range targets {
		if n, ok := s.numberOf(l, t); ok && (x.Status != Static || !slices.Contains(out, n)) {
			out = append(out, n)
		}
	}
	return out
}

func (s *Snapshot) numberOf(l *linkedFamily, t Target) (uint32, bool) {
	if t.File < 0 || int(t.File) >= len(l.slots) || t.Def < 0 {
		return 0, false
	}
	f := s.slots[l.slots[t.File]]
	if uint32(t.Def) >= f.defs {
		return 0, false
	}
	return f.number(int(t.Def)), true
}

// dependencies computes the Deps of every file of the family, as slots.
func (l *linkedFamily) dependencies(ctx context.Context, jobs int) ([][]int32, error) {
	out := make([][]int32, len(l.slots))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	const chunk = 64
	for from := 0; from < len(out); from += chunk {
		group.Go(func() error {
			for i := from; i < min(from+chunk, len(out)); i++ {
				deps := l.linker.Deps(i)
				out[i] = make([]int32, 0, len(deps))
				for _, d := range deps {
					if d >= 0 && d < len(l.slots) {
						out[i] = append(out[i], l.slots[d])
					}
				}
				slices.Sort(out[i])
				out[i] = slices.Clip(slices.Compact(out[i]))
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	shareEqual(out)
	return out, nil
}

// shareEqual makes equal lists one: the files of a package often import the same.
func shareEqual(lists [][]int32) {
	seen := make(map[uint64][]int32, len(lists))
	for i, list := range lists {
		h := fnv.New64a()
		for _, v := range list {
			h.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
		}
		if kept, ok := seen[h.Sum64()]; ok && slices.Equal(kept, list) {
			lists[i] = kept
		} else {
			seen[h.Sum64()] = list
		}
	}
}

func jobsOr(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
