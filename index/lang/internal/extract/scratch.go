package extract

import (
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/internal/syntax"
)

// A Scratch is what all calls of one Language's Extract share: the tables G of
// its grammar and the memory of extractors X that rest. It may be used by any
// number of goroutines; the zero value is ready.
type Scratch[G, X any] struct {
	grammar atomic.Pointer[tables[G]]
	idle    sync.Pool
}

type tables[G any] struct {
	lang *syntax.Language
	g    *G
}

// Take returns the tables for lang, made by read where they are not known yet,
// and an extractor that nobody else uses until Rest.
func (s *Scratch[G, X]) Take(lang *syntax.Language, read func(*syntax.Language) (*G, error)) (*G, *X, error) {
	known := s.grammar.Load()
	if known == nil || known.lang != lang {
		g, err := read(lang)
		if err != nil {
			return nil, nil, err
		}
		known = &tables[G]{lang, g}
		s.grammar.Store(known)
	}
	x, _ := s.idle.Get().(*X)
	if x == nil {
		x = new(X)
	}
	return known.g, x, nil
}

// Rest gives back an extractor. One that panicked is not given back.
func (s *Scratch[G, X]) Rest(x *X) { s.idle.Put(x) }
