package index

import (
	"context"
	"sort"
	"strings"
)

// mostLexical is how many places a lexical answer looks at.
const mostLexical = 1000

// A found place is a word in the text, with the site that stands there.
type foundPlace struct {
	Hit
	site siteRef
	is   bool // there is a site
}

// lexical looks in the text for a name that the index does not have, so that
// the answer to it is never "there is none" (IDX-29).
func (s *Snapshot) lexical(name string) ([]foundPlace, Basis) {
	b := s.basis(tierLexical, name)
	var out []foundPlace
	if word := lastPart(name); word != "" {
		hits, err := s.Search(context.Background(), Pattern{Text: word, Word: true, Limit: mostLexical})
		if err != nil {
			b.Notes = append(b.Notes, "the text could not be searched in full: "+err.Error())
		}
		for i, h := range hits.Sure {
			if i < maxPlaces {
				b.Places = append(b.Places, h.Span)
			}
			p := foundPlace{Hit: h}
			p.site, p.is = s.siteAt(h.Span)
			out = append(out, p)
		}
		b.Notes = append(b.Notes, hits.Basis.Notes...)
	}
	b.Notes = append(b.Notes, "no definition of this name was indexed; this does not say that there is none")
	if near := s.Near(name, 5); len(near) > 0 {
		b.Notes = append(b.Notes, "similar names: "+strings.Join(near, ", "))
	}
	return out, b
}

// lexicalBasis says where a name that the index does not have stands in the text.
func (s *Snapshot) lexicalBasis(name string) Basis {
	_, b := s.lexical(name)
	return b
}

// siteAt returns the reference whose name is exactly the span.
func (s *Snapshot) siteAt(at Span) (siteRef, bool) {
	f := s.file(at.File)
	if f == nil || f.res.len() == 0 {
		return siteRef{}, false
	}
	starts, n := f.pack().column(partSiteStart), f.res.len()
	h := s.hollows()
	for i := sort.Search(n, func(i int) bool { return int(starts.at(i)) >= at.Start }); i < n && int(starts.at(i)) == at.Start; i++ {
		if r := (siteRef{f, i}); h.refers(r) && s.siteSpan(r).End == at.End {
			return r, true
		}
	}
	return siteRef{}, false
}

// lexicalRef renders a place as a reference that is to be confirmed: the one that was
// extracted there, which may lead out of the repository, or the bare text.
func (s *Snapshot) lexicalRef(p foundPlace) Ref {
	if p.is {
		return s.renderRef(p.site)
	}
	r := Ref{Span: p.Span, In: p.In, Name: p.text, Kind: RefRead, Status: Unresolved, Rule: tierLexical,
		Reason: "found as text in " + p.Kind + "; no definition of the name was indexed"}
	if p.Kind == "string" {
		r.Kind = RefString
	}
	return r
}

func (s *Snapshot) lexicalReferences(name string, limit int) Answer[Ref] {
	found, basis := s.lexical(name)
	c := collector[Ref]{limit: limit}
	for _, p := range found {
		c.add(false, func() Ref { return s.lexicalRef(p) })
	}
	a := Answer[Ref]{Basis: basis}
	c.into(&a)
	return a
}

// lexicalCallers returns the calls of the name, and the places in code of which
// it is not known whether they are.
func (s *Snapshot) lexicalCallers(name string, limit int) Answer[Call] {
	found, basis := s.lexical(name)
	c := collector[Call]{limit: limit}
	for _, p := range found {
		if p.is && p.site.kind() == RefCall || !p.is && p.Kind == "code" {
			c.add(false, func() Call {
				r := s.lexicalRef(p)
				return Call{From: r.In, Ref: r}
			})
		}
	}
	a := Answer[Call]{Basis: basis}
	c.into(&a)
	return a
}

// lexicalImpact returns the symbols in which the name stands, comments left out.
func (s *Snapshot) lexicalImpact(name string, limit int) Impact {
	found, basis := s.lexical(name)
	im := Impact{Same: []Effect{}, Cross: []Effect{}, Confirm: []Effect{}, Basis: basis}
	seen := make(map[string]bool)
	for _, p := range found {
		if p.In == "" || p.Kind == "comment" || seen[p.In] {
			continue
		}
		seen[p.In] = true
		sym, ok := s.Symbol(p.In)
		if !ok {
			continue
		}
		im.ConfirmTotal++
		if limit > 0 && len(im.Confirm) == limit {
			continue
		}
		im.Confirm = append(im.Confirm, Effect{Symbol: sym, Depth: 1, Weight: 0.5 * OriginWeight(sym.Origin), Origin: sym.Origin,
			Path: []Edge{{To: p.In, Kind: tierLexical, Span: p.Span}}})
	}
	return im
}

// lexicalTests returns the tests in which the name stands.
func (s *Snapshot) lexicalTests(name string) Answer[TestLink] {
	found, basis := s.lexical(name)
	a := Answer[TestLink]{Sure: []TestLink{}, Confirm: []TestLink{}, Basis: basis}
	t := testFinder{s: s, a: &a, tests: make(map[uint32]bool), files: make(map[string]bool)}
	for _, p := range found {
		f := s.file(p.Span.File)
		def := f.innermostIn(p.Span.Start)
		for def >= 0 && !f.isTest(def) {
			def = f.parentDef(def)
		}
		switch {
		case def >= 0:
			t.test(f, def, testText)
		case f.origin == Test:
			t.file(f, testText)
		}
	}
	a.Total = len(a.Confirm)
	return a
}

// innermostIn returns the innermost definition at the offset, -1 for none.
func (f *file) innermostIn(offset int) int {
	if f.packed == nil {
		return -1
	}
	return f.innermost(uint32(offset))
}
