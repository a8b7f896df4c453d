package gate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// A unit is one function, method or variable of a test file, or one outside
// that asserts or skips, on one side of the change.
type unit struct {
	sym    index.Symbol
	file   string
	from   int    // where it begins: at its first decorator, if it has any
	title  string // the name under which the runner calls it
	test   bool   // the runner calls it
	around bool   // tests run inside or behind it
	src    []byte
	tokens []token // of the unit alone
	// rows are its subtests, checks its assertions, skips what keeps it from running.
	rows   []index.Mark
	checks []check
	skips  []index.Mark
	strs   []index.Mark
	calls  []index.Ref
	// parts is its structure.
	parts structured
}

// A side is the test code of the changed files before or after.
type side struct {
	snap  *index.Snapshot
	units []*unit
	byKey map[string]*unit
	// parts are the structures of whole files.
	parts map[string]structured
	// tops are, by file, the bindings that hold for all of it.
	tops map[string]structured
	// refs are the references of the files that were asked for.
	refs map[string][]index.Ref
	// comments are the texts of all comments, white space normalized.
	comments []index.Mark
	texts    []string
}

func sideOf(ctx context.Context, s *index.Snapshot, paths []string) (*side, error) {
	out := &side{snap: s, byKey: map[string]*unit{}, parts: map[string]structured{}, tops: map[string]structured{}, refs: map[string][]index.Ref{}}
	for _, p := range paths {
		if err := out.read(ctx, p); err != nil {
			return nil, err
		}
	}
	for _, u := range out.units {
		if _, twice := out.byKey[u.sym.Canonical]; !twice {
			out.byKey[u.sym.Canonical] = u
		}
	}
	return out, nil
}

// read adds the units of one file.
func (s *side) read(ctx context.Context, path string) error {
	info, ok := s.snap.File(path)
	if !ok || info.Language == "" {
		return nil
	}
	src, err := s.snap.Source(path)
	if errors.Is(err, fault.IndexUnavailable) {
		return err // the file changed meanwhile, or cannot be read any more
	}
	marks := s.snap.Marks(path)
	lang := s.snap.Language(path)
	tokens := tokensOf(lang, src)
	parts, err := s.structure(ctx, info, marks)
	if err != nil {
		return err
	}
	s.parts[path], s.tops[path] = parts, parts.top()
	units := map[string]*unit{}
	for _, sym := range s.snap.Outline(path) {
		switch sym.Kind {
		case index.KindFunction, index.KindMethod, index.KindVariable, index.KindConstant:
		default:
			continue
		}
		if _, nested := units[sym.Parent]; nested || sym.Span.End > len(src) {
			continue
		}
		units[sym.ID] = &unit{sym: sym, file: path, src: src, from: parts.begins(sym.Span)}
	}
	own := owners(units, testUnits(units, marks, parts, path, src))
	rest := restOf(info, src)
	for _, u := range own {
		u.tokens, u.parts = within(tokens, u.from, u.sym.Span.End), parts.inside(u.from, u.sym.Span.End)
		u.around = len(u.parts.of(index.Around)) > 0
	}
	rest.tokens, rest.parts = without(tokens, own), parts.outside(own)
	rest.around = len(rest.parts.of(index.Around)) > 0
	home := func(at int) *unit {
		if u := ownerAt(own, at); u != nil {
			return u
		}
		return rest
	}
	for _, m := range marks {
		s.mark(home(m.Span.Start), m, src, lang)
	}
	for _, r := range s.refsIn(path) {
		if u := home(r.Span.Start); r.Kind == index.RefCall || r.Span.Start < u.sym.Span.Start {
			u.calls = append(u.calls, r) // a decorator is called, however it is written
		}
	}
	for _, u := range append(own, rest) {
		u.checks = slices.DeleteFunc(append(u.checks, u.thrown()...), u.nested)
		if testCode(info) || len(u.checks)+len(u.skips) > 0 {
			s.units = append(s.units, u)
		}
	}
	slices.SortFunc(s.units, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.sym.Span.Start, b.sym.Span.Start))
	})
	return nil
}

// structure is that of a file that has test code; no other's is looked at. A
// file that cannot be parsed has none, and is reported as not compared.
func (s *side) structure(ctx context.Context, info index.File, marks []index.Mark) (structured, error) {
	if !testCode(info) && !slices.ContainsFunc(marks, func(m index.Mark) bool {
		return m.Kind == index.MarkAssertion || m.Kind == index.MarkSkip
	}) {
		return nil, nil
	}
	parts, err := s.snap.Structure(ctx, info.Path)
	if ctx.Err() != nil {
		return nil, fault.From(err, "gate.compare", "decide again")
	}
	return parts, nil
}

// nested reports whether an assertion is an argument of another one, such as a
// helper that gives a value or fails: the outer one says what is demanded.
func (u *unit) nested(k check) bool {
	return slices.ContainsFunc(u.checks, func(o check) bool {
		return !o.guard && o.Span.Start < k.Span.Start && k.Span.End < o.Span.End
	})
}

func (s *side) mark(u *unit, m index.Mark, src []byte, lang *index.Language) {
	if m.Kind == index.MarkComment && m.Span.End <= len(src) {
		s.comments = append(s.comments, m)
		s.texts = append(s.texts, uncommented(string(src[m.Span.Start:m.Span.End]), lang.Comments))
		return
	}
	if u == nil {
		return
	}
	switch m.Kind {
	case index.MarkTest:
		switch {
		case m.Form == index.FormBlock:
		case m.Form == index.FormAround:
			u.around = true
		case m.Form != index.FormCase && m.Span.Start == u.sym.Span.Start:
			u.test, u.title = true, m.Text
		case m.Span.End > m.Span.Start:
			u.rows = append(u.rows, m)
		}
	case index.MarkAssertion:
		u.checks = append(u.checks, newCheck(u, m))
	case index.MarkSkip:
		if m.Span.End > m.Span.Start { // what keeps a whole file out is compared by itself
			u.skips = append(u.skips, m)
		}
	case index.MarkString:
		u.strs = append(u.strs, m)
	}
}

// uncommented is a comment's text without its markers, white space normalized.
func uncommented(s string, c index.Comments) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		for _, marker := range c.Line {
			l = strings.TrimPrefix(l, marker)
		}
		for _, pair := range c.Block {
			l = strings.TrimSuffix(strings.TrimPrefix(l, pair[0]), pair[1])
		}
		b.WriteString(strings.TrimPrefix(l, "*"))
		b.WriteByte(' ')
	}
	return squeeze(b.String())
}

// commented finds text in a comment that is new on this side.
func (s *side) commented(before *side, text string) (index.Span, bool) {
	text = squeeze(text)
	if len(text) < 4 {
		return index.Span{}, false
	}
	for i, t := range s.texts {
		if strings.Contains(t, text) && !slices.ContainsFunc(before.texts, func(o string) bool { return strings.Contains(o, text) }) {
			return s.comments[i].Span, true
		}
	}
	return index.Span{}, false
}

// header is what the unit begins with: its declaration up to its name.
func (u *unit) header() string {
	return squeeze(string(u.src[u.sym.Span.Start:min(u.sym.Ident.End, len(u.src))]))
}

// code is the unit's source.
func (u *unit) code() string { return string(u.src[u.from:u.sym.Span.End]) }

// name is the canonical name.
func (u *unit) name() string { return u.sym.Canonical }

// pairUnits finds for each unit before the one that it has become: of the same
// canonical name, or, for one that is gone, the most alike among the new ones.
func pairUnits(before, after *side) map[*unit]*unit {
	out := map[*unit]*unit{}
	taken := map[*unit]bool{}
	for _, u := range before.units {
		if v := after.byKey[u.name()]; v != nil {
			out[u] = v
			taken[v] = true
		}
	}
	type match struct {
		u, v  *unit
		alike float64
	}
	var all []match
	for _, u := range before.units {
		for _, v := range after.units {
			if out[u] != nil || taken[v] || before.byKey[v.name()] != nil {
				continue
			}
			a := alike(u.tokens, v.tokens)
			if u.sym.Name == v.sym.Name {
				a += 1
			}
			if u.sym.Fingerprint == v.sym.Fingerprint {
				a += 2
			}
			if a >= renamedAlike {
				all = append(all, match{u, v, a})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return cmp.Compare(b.alike, a.alike) })
	for _, m := range all {
		if out[m.u] == nil && !taken[m.v] {
			out[m.u] = m.v
			taken[m.v] = true
		}
	}
	return out
}

// renamedAlike is the share of telling tokens that a renamed test keeps at least.
const renamedAlike = 0.6
