package gate

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// begins is where a symbol begins with what belongs to it, such as decorators.
func (s structured) begins(span index.Span) int {
	from := span.Start
	for _, f := range s.of(index.Function, index.Concurrent) {
		if int(f.Start) >= span.Start && int(f.End) <= span.End {
			from = min(from, int(f.Head))
		}
	}
	return from
}

// testUnits are the tests that are no symbols, but calls that are handed a name
// and a function: of those that stand around others, as groups do, only the innermost.
func testUnits(units map[string]*unit, marks []index.Mark, parts structured, file string, src []byte) []*unit {
	var tests []index.Mark
	for _, m := range marks {
		if m.Kind == index.MarkTest && (m.Form == "" || m.Form == index.FormOpen) && m.Span.End > m.Span.Start && m.Span.End <= len(src) && !insideAny(units, m.Span) {
			tests = append(tests, m)
		}
	}
	var out []*unit
	seen := map[string]int{}
	for _, m := range tests {
		if slices.ContainsFunc(tests, func(o index.Mark) bool {
			return groups(parts, m, o) || contains(o.Span, m.Span) && !groups(parts, o, m)
		}) {
			continue // a group, or a row that another test is run with
		}
		name := m.Text
		if seen[m.Text]++; seen[m.Text] > 1 {
			name = fmt.Sprintf("%s#%d", name, seen[m.Text])
		}
		out = append(out, &unit{file: file, src: src, from: m.Span.Start, sym: index.Symbol{Name: m.Text, Canonical: file + "#" + name, Kind: index.KindFunction,
			Package: file, Span: m.Span, Ident: m.Span, Origin: index.Test}})
	}
	return out
}

func insideAny(units map[string]*unit, span index.Span) bool {
	for _, u := range units {
		if u.from <= span.Start && span.End <= u.sym.Span.End {
			return true
		}
	}
	return false
}

// contains reports whether the place o lies in the place m and is not it.
func contains(m, o index.Span) bool {
	return m.Start <= o.Start && o.End <= m.End && (o.Start != m.Start || o.End != m.End)
}

// groups reports whether test m stands around test o: in the function that m is
// handed.
func groups(parts structured, m, o index.Mark) bool {
	return contains(m.Span, o.Span) && slices.ContainsFunc(parts.inside(m.Span.Start, m.Span.End).of(index.Function), func(f index.Statement) bool { return holds(f.Range, o.Span.Start) })
}

// owners are all units of a file, in order of place.
func owners(units map[string]*unit, titled []*unit) []*unit {
	out := slices.Clone(titled)
	for _, u := range units {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.sym.Span.End, a.sym.Span.End))
	})
	return out
}

// ownerAt is the innermost unit that an offset stands in, nil for none.
func ownerAt(own []*unit, at int) *unit {
	var best *unit
	for _, u := range own {
		if u.from <= at && at < u.sym.Span.End {
			best = u
		}
	}
	return best
}

// restOf is what stands in a file outside of its units.
func restOf(info index.File, src []byte) *unit {
	span := index.Span{File: info.Path, Hash: info.Hash, End: len(src), Line: 1, Col: 1}
	return &unit{file: info.Path, src: src, sym: index.Symbol{Name: path.Base(info.Path), Canonical: info.Path, Package: info.Package, Span: span,
		Ident: index.Span{File: info.Path, Hash: info.Hash, Line: 1, Col: 1}}}
}

// isRest reports whether a unit is what stands outside of the others of its file.
func (u *unit) isRest() bool { return u.sym.Canonical == u.file }

// without are the tokens that stand in no unit.
func without(tokens []token, own []*unit) []token {
	var out []token
	for i := range tokens {
		if ownerAt(own, tokens[i].start) == nil {
			out = append(out, tokens[i])
		}
	}
	return out
}

// outside are the statements that do not stand in any unit as a whole.
func (s structured) outside(own []*unit) structured {
	return slices.DeleteFunc(slices.Clone(s), func(st index.Statement) bool {
		return slices.ContainsFunc(own, func(u *unit) bool { return u.from <= int(st.Start) && int(st.End) <= u.sym.Span.End })
	})
}
