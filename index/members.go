package index

import "slices"

// Members are the parts of a type and its relatives, part of a document as
// Answer is.
type Members struct {
	Type Symbol `json:"type"`
	// Fields and Methods are the type's own, in order of path and position.
	// Enum members and nested types count as fields.
	Fields  []Symbol `json:"fields"`
	Methods []Symbol `json:"methods"`
	// Implementations are the types that implement, extend or embed it, and
	// for a method those that implement or override it.
	Implementations []Related `json:"implementations"`
	// Implements are the types that it implements, extends or embeds.
	Implements []Related `json:"implements"`
	// Missing are abstract methods that an implementation lacks: one that is
	// declared to be one, or that has two or more methods and at least half.
	Missing []Lack `json:"missing"`
	Basis   Basis  `json:"basis"`
}

// A Related is a symbol with the edge that leads to it.
type Related struct {
	Symbol
	Via  RelationKind `json:"via"`
	Sure bool         `json:"sure"` // false: by names and arity alone
}

// A Lack is a type that lacks methods of an interface or base.
type Lack struct {
	Type    string   `json:"type"` // ID
	Of      string   `json:"of"`   // ID
	Methods []string `json:"methods"`
}

// Members returns the members of a type, given by ID or name; the zero Members
// with a lexical Basis when there is none.
func (s *Snapshot) Members(id string) Members {
	all := s.identity(id)
	if len(all) == 0 {
		return noMembers(Symbol{}, s.lexicalBasis(id))
	}
	sym := all[0]
	for _, r := range all {
		if isType(r.file.kind(r.def)) {
			sym = r
			break
		}
	}
	m := noMembers(s.render(sym), Basis{})
	for _, part := range s.variants(sym) {
		for r := range s.membersOf(part) {
			switch r.file.kind(r.def) {
			case KindMethod, KindFunction, KindConstructor:
				m.Methods = append(m.Methods, s.render(r))
			default:
				m.Fields = append(m.Fields, s.render(r))
			}
		}
	}
	m.Implementations = s.related(s.edgesOf(s.relations().in, sym))
	m.Implements = s.related(s.edgesOf(s.relations().out, sym))
	m.Missing = append(m.Missing, s.missing(sym)...)
	m.Basis = s.basis(tierRelations, s.name(sym))
	if err := s.relations().err; err != nil {
		m.Basis.Notes = append(m.Basis.Notes, "relations are not complete: "+err.Error())
		m.Basis.grade()
	}
	return m
}

func noMembers(of Symbol, b Basis) Members {
	return Members{Type: of, Fields: []Symbol{}, Methods: []Symbol{}, Implementations: []Related{}, Implements: []Related{},
		Missing: []Lack{}, Basis: b}
}

func (s *Snapshot) related(edges []relation) []Related {
	out := make([]Related, 0, len(edges))
	for _, e := range edges {
		if r, ok := s.symbol(e.other); ok {
			out = append(out, Related{s.render(r), e.kind, e.sure})
		}
	}
	return out
}

// membersOf yields the definitions whose parent is sym, also in other files of
// the package.
func (s *Snapshot) membersOf(sym symRef) func(func(symRef) bool) {
	return func(yield func(symRef) bool) {
		name := s.name(sym)
		for _, f := range s.packageFiles(sym.file) {
			parents, owners := f.pack().column(partDefParent), f.pack().column(partDefOwner)
			for def := range int(f.defs) {
				child := f == sym.file && int(parents.signed(def)) == sym.def
				if owner := owners.signed(def); !child && owner >= 0 && sym.file.parentDef(sym.def) < 0 {
					child = s.names.string(f.linked.names[owner]) == name
				}
				if child && !yield(symRef{f, def}) {
					return
				}
			}
		}
	}
}

// packageFiles returns the files of the same package and family of languages.
func (s *Snapshot) packageFiles(of *file) []*file {
	return s.files(func(f *file) bool { return f.pkg == of.pkg && f.family == of.family })
}

// missing compares the abstract methods of sym with what its near relatives
// have; for a type that is no interface, those of its declared bases.
func (s *Snapshot) missing(sym symRef) []Lack {
	var out []Lack
	if sym.file.kind(sym.def) == KindInterface {
		return s.lackers(sym)
	}
	for _, e := range s.relations().out[sym.number()] {
		if base, ok := s.symbol(e.other); ok && e.kind != Embeds {
			if l := s.lack(sym, base); l != nil {
				out = append(out, *l)
			}
		}
	}
	return out
}

// lackers returns the types that are to implement the interface, or have two
// or more and at least half of its methods, and lack some.
func (s *Snapshot) lackers(iface symRef) []Lack {
	wanted := s.abstractMethods(iface)
	have := make(map[symRef]int)
	for _, name := range wanted {
		for r := range s.named(name) {
			if k := r.file.kind(r.def); k != KindMethod || r.file.family != iface.file.family {
				continue
			}
			if t, ok := s.parent(r); ok && t != iface && t.file.kind(t.def) != KindInterface {
				have[t]++
			}
		}
	}
	for _, e := range s.relations().in[iface.number()] {
		if t, ok := s.symbol(e.other); ok && isType(t.file.kind(t.def)) && t.file.kind(t.def) != KindInterface {
			have[t] = max(have[t], 2, len(wanted)/2+1) // declared: as good as half
		}
	}
	var out []Lack
	for t, n := range have {
		if n >= 2 && 2*n >= len(wanted) {
			if l := s.lack(t, iface); l != nil {
				out = append(out, *l)
			}
		}
	}
	slices.SortFunc(out, func(a, b Lack) int { return comparePaths(a.Type, b.Type) })
	return out
}

func (s *Snapshot) lack(t, of symRef) *Lack {
	have := make(map[string]bool)
	s.methodNames(t, have, 0)
	var names []string
	for _, name := range s.abstractMethods(of) {
		if !have[name] {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	return &Lack{Type: s.id(t), Of: s.id(of), Methods: names}
}

// abstractMethods returns the names of the methods without body that the type
// asks for, those of what it embeds or extends included.
func (s *Snapshot) abstractMethods(t symRef) []string {
	seen := make(map[string]bool)
	var walk func(symRef, int)
	walk = func(t symRef, depth int) {
		for r := range s.membersOf(t) {
			if uint16(r.file.pack().column(partDefFlags).at(r.def))&DefAbstract != 0 {
				seen[s.name(r)] = true
			}
		}
		for _, e := range s.relations().out[t.number()] {
			if base, ok := s.symbol(e.other); ok && depth < 8 && (e.kind == Extends || e.kind == Embeds) {
				walk(base, depth+1)
			}
		}
	}
	walk(t, 0)
	out := make([]string, 0, len(seen))
	for name := range seen {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// methodNames adds the names of a type's methods with a body, inherited ones included.
func (s *Snapshot) methodNames(t symRef, have map[string]bool, depth int) {
	for r := range s.membersOf(t) {
		if r.file.kind(r.def) == KindMethod && uint16(r.file.pack().column(partDefFlags).at(r.def))&DefAbstract == 0 {
			have[s.name(r)] = true
		}
	}
	for _, e := range s.relations().out[t.number()] {
		if base, ok := s.symbol(e.other); ok && depth < 8 && (e.kind == Extends || e.kind == Embeds) {
			s.methodNames(base, have, depth+1)
		}
	}
}
