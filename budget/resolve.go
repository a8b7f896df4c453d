package budget

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// resolve looks one anchor of the text up.
func (s *seeder) resolve(a anchor) error {
	if err := s.ctx.Err(); err != nil {
		return fault.From(err, "budget.collect", "collect again")
	}
	switch a.kind {
	case anchorPlace:
		s.place(a)
	case anchorName:
		if !s.choose(a.text, a.text, s.definitions(a.text), "the text names it", "high") {
			s.missed = append(s.missed, a.text)
			break
		}
		for _, p := range nameParts(a.text) {
			s.parts[p] = true
		}
	case anchorPath:
		if !s.placed[a.text] {
			s.path(a)
		}
	case anchorRoute, anchorLiteral:
		return s.text(a)
	case anchorPhrase:
		s.words(a, "medium")
	case anchorWord:
		if !s.parts[a.text] {
			s.words(a, "low")
		} else {
			s.packageNamed(a.text, a.text)
		}
	}
	return nil
}

// place seeds the symbol at a file and line. Paths of traces are absolute, so
// the longest end of the path that is in the repository counts.
func (s *seeder) place(a anchor) {
	file, ok := s.file(a.text)
	if !ok {
		return
	}
	src, err := s.sources.get(file)
	if err != nil || a.line > len(src.starts) {
		return
	}
	line := src.starts[a.line-1]
	offset := line + indentOf(src.text[line:])
	s.placed[a.text] = true
	if sym, ok := s.snap.At(file, offset); ok {
		s.seed(sym, fmt.Sprintf("%s:%d", a.text, a.line), fmt.Sprintf("the text names line %d of %s", a.line, file), "high")
	}
}

func (s *seeder) file(name string) (string, bool) {
	name = strings.TrimPrefix(path.Clean(name), "./")
	for {
		if _, ok := s.snap.File(name); ok {
			return name, true
		}
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return "", false
		}
		name = rest
	}
}

// path seeds what a named file defines at package level, up to commonWord symbols.
func (s *seeder) path(a anchor) {
	file, ok := s.file(a.text)
	if !ok {
		return
	}
	n := 0
	for _, sym := range s.sources.outline(file) {
		if (sym.Parent == "" || sym.Kind == index.KindMethod) && sym.Kind != index.KindPackage && n < commonWord {
			s.seed(sym, a.text, "the text names its file", "medium")
			n++
		}
	}
	s.resolved(strings.TrimSuffix(path.Base(file), path.Ext(file)))
}

// text seeds the symbols in which a quoted text, route, key or code stands.
func (s *seeder) text(a anchor) error {
	answer, err := s.snap.Search(s.ctx, index.Pattern{Text: a.text, Limit: 50})
	if err != nil {
		return err
	}
	var in []index.Symbol
	for _, h := range append(slices.Clone(answer.Sure), answer.Confirm...) {
		sym, ok := s.holder(h)
		if ok && sym.Kind != index.KindPackage && !slices.ContainsFunc(in, func(x index.Symbol) bool { return x.ID == sym.ID }) {
			in = append(in, sym)
		}
	}
	switch {
	case len(in) == 0:
		return nil
	case len(in) > commonText:
		s.ambiguity(a.text, in, fmt.Sprintf("the text stands in %d symbols", len(in)))
		return nil
	}
	for _, sym := range in {
		s.seed(sym, a.text, fmt.Sprintf("%q stands in it", a.text), "medium")
	}
	return nil
}

// holder returns the symbol that a hit stands in, or whose doc comment it stands in.
func (s *seeder) holder(h index.Hit) (index.Symbol, bool) {
	if sym, ok := s.snap.Symbol(h.In); ok && sym.Kind != index.KindPackage || h.Kind != "comment" {
		return sym, ok
	}
	src, err := s.sources.get(h.Span.File)
	if err != nil {
		return index.Symbol{}, false
	}
	for _, sym := range s.sources.outline(h.Span.File) {
		first := src.line(sym.Span.Start)
		if sym.Span.Start >= h.Span.End && sym.Kind != index.KindPackage {
			return sym, src.docStart(s.snap, sym, first) <= h.Span.Line-1
		}
	}
	return index.Symbol{}, false
}

// words looks up the names that a plain word or phrase may spell. Fields and
// variables bear everyday words too often to count.
func (s *seeder) words(a anchor, confidence string) {
	var defs []index.Symbol
	for _, name := range spellings(a.text) {
		for _, d := range s.snap.Named(name) {
			named := d.Kind != index.KindField && d.Kind != index.KindVariable && d.Kind != index.KindPackage
			if named && d.Origin != index.Test && d.Origin != index.Vendored {
				defs = append(defs, d)
			}
		}
		s.packageNamed(name, a.text)
	}
	if len(identities(defs)) <= commonWord && s.strong < enoughSeeds {
		s.choose(a.text, a.text, defs, fmt.Sprintf("the words %q spell its name", a.text), confidence)
	}
}

func (s *seeder) packageNamed(name, words string) {
	if s.byBase == nil {
		s.byBase = make(map[string][]string)
		for _, p := range s.snap.Packages() {
			s.byBase[path.Base(p.Path)] = append(s.byBase[path.Base(p.Path)], p.Path)
			if p.Name != path.Base(p.Path) && p.Name != "" {
				s.byBase[p.Name] = append(s.byBase[p.Name], p.Path)
			}
		}
	}
	for _, p := range s.byBase[name] {
		if _, ok := s.packages[p]; !ok {
			s.packages[p] = fmt.Sprintf("the words %q name package %s", words, p)
		}
		s.resolved(name)
	}
}
