package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A unit is one function, method or variable of a test file, or one outside
// that asserts or skips, on one side of the change.
type unit struct {
	sym    index.Symbol
	file   string
	test   bool // the runner calls it
	around bool // every test of the package runs inside it
	src    []byte
	tokens []token // of the unit alone
	// rows are its subtests, checks its assertions, skips what keeps it from running.
	rows   []index.Mark
	checks []check
	skips  []index.Mark
	strs   []index.Mark
	calls  []index.Ref
	blocks []block
}

// A side is the test code of the changed files before or after.
type side struct {
	snap  *index.Snapshot
	units []*unit
	byKey map[string]*unit
	// comments are the texts of all comments, white space normalized.
	comments []index.Mark
	texts    []string
}

func sideOf(s *index.Snapshot, paths []string) *side {
	out := &side{snap: s, byKey: map[string]*unit{}}
	for _, p := range paths {
		out.read(p)
	}
	for _, u := range out.units {
		if _, twice := out.byKey[u.sym.Canonical]; !twice {
			out.byKey[u.sym.Canonical] = u
		}
	}
	return out
}

// read adds the units of one file.
func (s *side) read(path string) {
	info, ok := s.snap.File(path)
	if !ok || info.Language == "" {
		return
	}
	src := source(s.snap, path)
	marks := s.snap.Marks(path)
	tokens := tokensOf(s.snap.Language(path), src)
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
		u := &unit{sym: sym, file: path, src: src, tokens: within(tokens, sym.Span.Start, sym.Span.End)}
		u.blocks = blocksOf(u.tokens)
		units[sym.ID] = u
	}
	for _, m := range marks {
		s.mark(units[s.home(units, m.In)], m, src)
	}
	for _, r := range s.snap.RefsIn(path) {
		if u := units[s.home(units, r.In)]; u != nil && r.Kind == index.RefCall {
			u.calls = append(u.calls, r)
		}
	}
	for _, u := range units {
		u.checks = slices.DeleteFunc(u.checks, u.nested)
		if info.Origin == index.Test || len(u.checks)+len(u.skips) > 0 {
			s.units = append(s.units, u)
		}
	}
	slices.SortFunc(s.units, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.sym.Span.Start, b.sym.Span.Start))
	})
}

// nested reports whether an assertion is an argument of another one, such as a
// helper that gives a value or fails: the outer one says what is demanded.
func (u *unit) nested(k check) bool {
	return slices.ContainsFunc(u.checks, func(o check) bool {
		return !o.guard && o.Span.Start < k.Span.Start && k.Span.End < o.Span.End
	})
}

// home is the unit that a symbol stands in: itself or one around it.
func (s *side) home(units map[string]*unit, id string) string {
	for id != "" && units[id] == nil {
		sym, ok := s.snap.Symbol(id)
		if !ok {
			return ""
		}
		id = sym.Parent
	}
	return id
}

func (s *side) mark(u *unit, m index.Mark, src []byte) {
	if m.Kind == index.MarkComment && m.Span.End <= len(src) {
		s.comments = append(s.comments, m)
		s.texts = append(s.texts, uncommented(string(src[m.Span.Start:m.Span.End])))
		return
	}
	if u == nil {
		return
	}
	switch m.Kind {
	case index.MarkTest:
		if m.Span.Start == u.sym.Span.Start {
			u.test, u.around = m.Form != index.FormAround, m.Form == index.FormAround
		} else {
			u.rows = append(u.rows, m)
		}
	case index.MarkAssertion:
		u.checks = append(u.checks, newCheck(u, m))
	case index.MarkSkip:
		u.skips = append(u.skips, m)
	case index.MarkString:
		u.strs = append(u.strs, m)
	}
}

// uncommented is a comment's text without its markers, white space normalized.
func uncommented(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		for _, marker := range []string{"//", "/*", "#", "--", "*/", "*"} {
			l = strings.TrimPrefix(l, marker)
		}
		b.WriteString(strings.TrimSuffix(l, "*/"))
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

// code is the unit's source.
func (u *unit) code() string { return string(u.src[u.sym.Span.Start:u.sym.Span.End]) }

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
