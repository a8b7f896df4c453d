package index

import (
	"iter"
	"strconv"
	"strings"
)

// Symbols yields every symbol, in order of path, then position.
func (s *Snapshot) Symbols() iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		for _, slot := range s.order {
			f := s.slots[slot]
			for def := range int(f.defs) {
				if !yield(s.render(symRef{f, def})) {
					return
				}
			}
		}
	}
}

// Refs yields every reference, in order of path, then position.
func (s *Snapshot) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		h := s.hollows()
		for _, slot := range s.order {
			f := s.slots[slot]
			for i := range f.res.len() {
				if r := (siteRef{f, i}); h.refers(r) && !yield(s.renderRef(r)) {
					return
				}
			}
		}
	}
}

// Symbol returns the symbol of that ID.
func (s *Snapshot) Symbol(id string) (Symbol, bool) {
	if r, ok := s.find(id); ok {
		return s.render(r), true
	}
	return Symbol{}, false
}

// find returns the symbol of that ID: canonical@file#twin. Packages and files
// may have an @ in their name, so that each is tried.
func (s *Snapshot) find(id string) (symRef, bool) {
	for at := 0; ; at++ {
		i := strings.IndexByte(id[at:], '@')
		if i < 0 {
			return symRef{}, false
		}
		at += i
		if r, ok := s.findIn(id[:at], id[at+1:]); ok {
			return r, true
		}
	}
}

func (s *Snapshot) findIn(canonical, path string) (symRef, bool) {
	twin := uint32(0)
	f := s.file(path)
	if f == nil {
		i := strings.LastIndexByte(path, '#')
		if i < 0 {
			return symRef{}, false
		}
		n, err := strconv.Atoi(path[i+1:])
		if f = s.file(path[:i]); f == nil || err != nil || n < 2 || path[i+1] == '0' {
			return symRef{}, false
		}
		twin = uint32(n - 1)
	}
	for name := range lastParts(canonical) {
		for def := range s.defsNamed(f, name) {
			if f.twin(def) == twin && s.canonical(symRef{f, def}) == canonical {
				return symRef{f, def}, true
			}
		}
	}
	if f.pkg == canonical {
		for def := range int(f.defs) {
			if f.kind(def) == KindPackage && f.twin(def) == twin {
				return symRef{f, def}, true
			}
		}
	}
	return symRef{}, false
}

func (f *file) twin(def int) uint32 { return f.pack().column(partDefTwin).at(def) }

func lastPart(canonical string) string { return canonical[strings.LastIndexAny(canonical, "./")+1:] }

// lastParts yields the ends of a canonical name that can be a simple name, the
// shortest first: a name may hold a dot or slash itself, as the key "image/png"
// of an object does.
func lastParts(canonical string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for end := len(canonical); end >= 0; {
			end = strings.LastIndexAny(canonical[:end], "./")
			if !yield(canonical[end+1:]) {
				return
			}
		}
	}
}

// defsNamed yields the file's definitions of a simple name.
func (s *Snapshot) defsNamed(f *file, name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		id, ok := s.names.lookup(name)
		if !ok {
			return
		}
		names := f.pack().column(partDefName)
		for def := range int(f.defs) {
			if f.linked.names[names.at(def)] == id && !yield(def) {
				return
			}
		}
	}
}

// At returns the innermost symbol whose span contains the 0-based offset.
func (s *Snapshot) At(file string, offset int) (Symbol, bool) {
	f := s.file(file)
	if f == nil || offset < 0 {
		return Symbol{}, false
	}
	if def := f.innermost(uint32(offset)); def >= 0 {
		return s.render(symRef{f, def}), true
	}
	return Symbol{}, false
}

// innermost returns the last definition that contains the offset, or -1.
// Definitions stand in order of their start, so that what contains it and is
// no ancestor of the last one before it can only overlap that one, as the
// names of one declaration do.
func (f *file) innermost(offset uint32) int {
	const near = 64
	start, length := f.pack().column(partDefStart), f.pack().column(partDefLength)
	last := start.search(int(f.defs), offset)
	contains := func(def int) bool { return offset < start.at(def)+length.at(def) }
	for def := last; def >= 0 && def > last-near; def-- {
		if contains(def) {
			return def
		}
	}
	for def := last; def >= 0; def = f.parentDef(def) {
		if contains(def) {
			return def
		}
	}
	return -1
}

// Outline returns the file's symbols in order of position.
func (s *Snapshot) Outline(file string) []Symbol {
	f := s.file(file)
	if f == nil {
		return nil
	}
	out := make([]Symbol, f.defs)
	for def := range out {
		out[def] = s.render(symRef{f, def})
	}
	return out
}

// RefsIn returns the file's references in order of position.
func (s *Snapshot) RefsIn(file string) []Ref {
	f := s.file(file)
	if f == nil {
		return nil
	}
	var out []Ref
	h := s.hollows()
	for i := range f.res.len() {
		if r := (siteRef{f, i}); h.refers(r) {
			out = append(out, s.renderRef(r))
		}
	}
	return out
}

// Marks returns the file's marks in order of position. Text that an extractor
// left out of a comment or string is read from the file; it is "" when that has
// changed since.
func (s *Snapshot) Marks(file string) []Mark {
	f := s.file(file)
	if f == nil || f.packed == nil {
		return nil
	}
	facts := f.facts(complete)
	out := make([]Mark, len(facts.Marks))
	var src []byte
	for i, m := range facts.Marks {
		out[i] = Mark{Kind: m.Kind, Span: f.span(m.Range.Start, m.Range.End), Text: m.Text, Form: m.Form, Strength: int(m.Strength)}
		if m.In >= 0 {
			out[i].In = s.id(symRef{f, int(m.In)})
		}
		if m.Text == "" && (m.Kind == MarkComment || m.Kind == MarkString) {
			if src == nil {
				if src, _ = s.Source(file); src == nil {
					src = []byte{}
				}
			}
			out[i].Text = ownText(m, src)
		}
	}
	return out
}

// ownText returns a comment's text, white space normalized, or a string's value.
func ownText(m MarkFact, src []byte) string {
	if int(m.Range.End) > len(src) || m.Range.Start > m.Range.End {
		return ""
	}
	text := string(src[m.Range.Start:m.Range.End])
	if m.Kind == MarkComment {
		return strings.Join(strings.Fields(text), " ")
	}
	if value, err := strconv.Unquote(text); err == nil {
		return value
	}
	return strings.Trim(text, "\"'`")
}

// Imports returns the file's imports as written.
func (s *Snapshot) Imports(file string) []Import {
	if f := s.file(file); f != nil {
		return append([]Import(nil), f.imports...)
	}
	return nil
}

// Directives returns the commands by which the file says that others are made.
func (s *Snapshot) Directives(file string) []Directive {
	if f := s.file(file); f != nil && f.packed != nil {
		return append([]Directive(nil), f.facts(complete).Directives...)
	}
	return nil
}

// Line returns the 1-based line of a 0-based byte offset in a file that was
// extracted, 0 for any other.
func (s *Snapshot) Line(file string, offset int) int {
	f := s.file(file)
	if f == nil || f.packed == nil || offset < 0 {
		return 0
	}
	line, _ := f.position(uint32(offset))
	return line
}
