package index

import (
	"context"
	"slices"
)

// relations are the edges between types and between methods, both ways.
type relations struct {
	out map[uint32][]relation // from -> to
	in  map[uint32][]relation // to -> from
	err error
}

type relation struct {
	kind  RelationKind
	other uint32
	sure  bool
}

// relations returns the edges, made when first asked for.
func (s *Snapshot) relations() *relations {
	if r := s.lazy.relations.Load(); r != nil {
		return r
	}
	s.lazy.relMu.Lock()
	defer s.lazy.relMu.Unlock()
	if r := s.lazy.relations.Load(); r != nil {
		return r
	}
	r := s.computeRelations(context.Background())
	s.lazy.relations.Store(r)
	return r
}

func (s *Snapshot) computeRelations(ctx context.Context) *relations {
	r := &relations{out: make(map[uint32][]relation), in: make(map[uint32][]relation)}
	if s.engine.tiers == TierSymbols {
		return r
	}
	for _, lang := range s.engine.languages {
		l := s.linked[lang.Name]
		if l == nil || l.linker == nil {
			continue
		}
		edges, err := l.linker.Relations(ctx)
		if err != nil {
			r.err = err
			continue
		}
		for _, e := range edges {
			from, ok1 := s.numberOf(l, e.From)
			to, ok2 := s.numberOf(l, e.To)
			if ok1 && ok2 {
				r.out[from] = append(r.out[from], relation{e.Kind, to, e.Sure})
				r.in[to] = append(r.in[to], relation{e.Kind, from, e.Sure})
			}
		}
	}
	for _, m := range []map[uint32][]relation{r.out, r.in} {
		for k := range m {
			slices.SortFunc(m[k], s.compareRelations)
			m[k] = slices.Compact(m[k])
		}
	}
	return r
}

func (s *Snapshot) compareRelations(a, b relation) int {
	if a.kind != b.kind {
		return int(a.kind) - int(b.kind)
	}
	x, _ := s.symbol(a.other)
	y, _ := s.symbol(b.other)
	if x.file != y.file {
		return comparePaths(x.file.path, y.file.path)
	}
	if x.def != y.def {
		return x.def - y.def
	}
	return int(bits(!a.sure)) - int(bits(!b.sure))
}
