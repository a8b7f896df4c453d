package gate

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/index"
)

// A publication is what others can come to of packages that have ways in (GAT-5):
// what their entry files declare and hand on.
type publication struct {
	mu    sync.Mutex
	known map[string]*reached // by entry files
}

// reached are the files of which all is published, and single symbols.
type reached struct {
	files   map[string]bool
	symbols map[string]bool
}

// reaches reports whether others can rely on a symbol that is public in its file.
func (p *publication) reaches(s *index.Snapshot, sym index.Symbol) bool {
	l := s.Language(sym.Span.File)
	if l == nil || l.Entries == nil {
		return true
	}
	has := func(file string) bool { _, ok := s.File(file); return ok }
	entries, known := l.Entries(sym.Span.File, s.Manifests(l), has)
	if !known {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := strings.Join(entries, "\x00")
	if p.known == nil {
		p.known = map[string]*reached{}
	}
	r := p.known[key]
	if r == nil {
		r = &reached{files: map[string]bool{}, symbols: map[string]bool{}}
		for _, e := range entries {
			r.file(s, e)
		}
		p.known[key] = r
	}
	for up, ok := s.Symbol(sym.Parent); ok && up.Kind != index.KindPackage; up, ok = s.Symbol(sym.Parent) {
		sym = up
	}
	return r.files[sym.Span.File] || r.symbols[sym.Canonical]
}

// file adds all that a file declares, and what it hands on.
func (r *reached) file(s *index.Snapshot, file string) {
	if r.files[file] {
		return
	}
	r.files[file] = true
	parts, err := s.Structure(context.Background(), file)
	if err != nil {
		return
	}
	for _, e := range structured(parts).of(index.Export) {
		for _, ref := range s.RefsIn(file) {
			if int(e.Start) <= ref.Span.Start && ref.Span.End <= int(e.End) {
				r.handed(s, e, ref)
			}
		}
	}
}

// handed adds what a reference in an export leads to: a module as a whole where
// all of it is handed on.
func (r *reached) handed(s *index.Snapshot, e index.Statement, ref index.Ref) {
	for _, id := range slices.Concat(ref.Targets, (&side{snap: s}).targets(ref)) {
		sym, ok := s.Symbol(id)
		switch {
		case !ok:
		case sym.Kind != index.KindPackage:
			r.symbols[sym.Canonical] = true
		case e.Form == index.FormAll || ref.Kind != index.RefImport:
			r.file(s, sym.Span.File)
		}
	}
}
