package index

import (
	"context"
	"slices"
	"sync"
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

// familyEdges are the relations of one family of languages, by symbol number. They are
// made once; the Linker is let go then, and with it what it holds in memory.
type familyEdges struct {
	mu     sync.Mutex
	linker Linker
	all    []edge
	err    error
}

type edge struct {
	from, to uint32
	kind     RelationKind
	sure     bool
}

func (e *familyEdges) get(ctx context.Context, number func(Target) (uint32, bool)) ([]edge, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.linker == nil {
		return e.all, e.err
	}
	found, err := e.linker.Relations(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, r := range found {
		from, ok1 := number(r.From)
		to, ok2 := number(r.To)
		if ok1 && ok2 {
			e.all = append(e.all, edge{from, to, r.Kind, r.Sure})
		}
	}
	e.linker, e.err = nil, err
	return e.all, e.err
}

// known returns the edges if they were made already.
func (e *familyEdges) known() ([]edge, error, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all, e.err, e.linker == nil
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
	r := &relations{out: make(map[uint32][]relation), in: make(map[uint32][]relation)}
	for _, f := range s.engine.families {
		if err := s.relate(context.Background(), s.linked[f.key], r); err != nil {
			r.err = err
		}
	}
	for _, m := range []map[uint32][]relation{r.out, r.in} {
		for k := range m {
			slices.SortFunc(m[k], s.compareRelations)
			m[k] = slices.Compact(m[k])
		}
	}
	s.lazy.relations.Store(r)
	return r
}

func (s *Snapshot) relate(ctx context.Context, l *linkedFamily, r *relations) error {
	if l == nil || s.engine.tiers == TierSymbols {
		return nil
	}
	edges, err := l.edges.get(ctx, func(t Target) (uint32, bool) { return s.numberOf(l, t) })
	for _, e := range edges {
		r.out[e.from] = append(r.out[e.from], relation{e.kind, e.to, e.sure})
		r.in[e.to] = append(r.in[e.to], relation{e.kind, e.from, e.sure})
	}
	return err
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
