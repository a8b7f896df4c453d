package index

import "iter"

// Named returns the definitions of exactly this simple name, packages included,
// in order of path and position; none means that the index has none. Unlike
// Definitions it never searches the text.
func (s *Snapshot) Named(name string) []Symbol {
	var out []Symbol
	for r := range s.named(name) {
		out = append(out, s.render(r))
	}
	return out
}

// Names yields every simple name that a definition bears, in no fixed order.
func (s *Snapshot) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for id, name := range s.names.all {
			if s.borne(id, name) && !yield(name) {
				return
			}
		}
	}
}

// borne reports whether a definition bears the name.
func (s *Snapshot) borne(id uint32, name string) bool {
	if s.root == nil {
		return false
	}
	if s.delta == nil {
		return len(s.root.defs.list(id)) > 0
	}
	for range s.named(name) {
		return true
	}
	return false
}
