package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// coverage finds what asserts each capability point, before any test runs (VER-9).
func (q *inquiry) coverage() {
	q.unasserted = map[TestID]bool{}
	q.covers = map[string][]TestID{}
	if q.in.Plan == nil {
		q.unchecked("whether an assertion covers each capability point", "there is no plan that names them")
		return
	}
	q.files = &readFiles{calls: map[string][]index.Ref{}, marks: map[string][]index.Mark{}}
	defer func() { q.files = nil }()
	asserted := map[TestID]bool{}
	var lacking []TestID
	for _, c := range q.in.Plan.Capabilities {
		cov, reached := q.cover(c)
		q.report.Capabilities = append(q.report.Capabilities, cov)
		q.covers[c.ID] = reached
		for _, id := range reached {
			if len(cov.Assertions) > 0 {
				asserted[id] = true
			} else {
				lacking = append(lacking, id)
			}
		}
	}
	for _, id := range lacking {
		if !asserted[id] {
			q.unasserted[id] = true
		}
	}
}

// cover looks for assertions in the tests that reach the point's symbols, in
// helpers that these tests call included.
func (q *inquiry) cover(c task.Capability) (Coverage, []TestID) {
	cov := Coverage{Capability: c.ID, Assertions: []Assertion{}}
	symbols := q.symbolsOf(c)
	if len(symbols) == 0 {
		cov.Missing = "none of its symbols is in the repository"
		return cov, nil
	}
	var reached []TestID
	type place struct {
		test, file string
		start      int
	}
	seen := map[place]bool{}
	for _, sym := range symbols {
		links := q.in.After.TestsFor(sym.ID)
		for _, l := range append(slices.Clone(links.Sure), links.Confirm...) {
			at := place{l.Test.ID, l.File, l.Mark.Span.Start}
			if l.Source != byCalls || seen[at] {
				continue
			}
			seen[at] = true
			if q.tests.around[l.Test.ID] {
				reached = append(reached, q.tests.inside(l.File)...)
				continue
			}
			ids := q.linked(l)
			reached = append(reached, ids...)
			if len(ids) > 0 {
				cov.Assertions = append(cov.Assertions, q.assertions(ids[0], l)...)
			}
		}
	}
	switch {
	case len(reached) == 0:
		cov.Missing = "no test reaches " + strings.Join(names(symbols), ", ")
	case len(cov.Assertions) == 0:
		cov.Missing = "the tests that reach it assert nothing"
	}
	return cov, reached
}

func names(symbols []index.Symbol) []string {
	var out []string
	for _, s := range symbols {
		out = append(out, s.Canonical)
	}
	return out
}

// symbolsOf resolves the symbols of a capability point: those that it names,
// those that it creates, and those that its hunks lie in.
func (q *inquiry) symbolsOf(c task.Capability) []index.Symbol {
	var out []index.Symbol
	seen := map[string]bool{}
	take := func(name string) {
		for _, sym := range q.resolve(name) {
			if !seen[sym.ID] && sym.Origin != index.Test {
				seen[sym.ID] = true
				out = append(out, sym)
			}
		}
	}
	for _, name := range append(slices.Clone(c.Symbols), c.Creates...) {
		take(name)
	}
	for _, h := range q.change.set.Hunks {
		if h.Capability == c.ID && h.Symbol != "" {
			take(h.Symbol)
		}
	}
	return out
}

// resolve returns the definitions of a name, an ID, a canonical name or an end of one.
func (q *inquiry) resolve(name string) []index.Symbol {
	if sym, ok := q.in.After.Symbol(name); ok {
		return []index.Symbol{sym}
	}
	canonical := index.CanonicalOf(name)
	var out []index.Symbol
	for _, sym := range q.in.After.Named(canonical[strings.LastIndexAny(canonical, "./")+1:]) {
		if rest, ok := strings.CutSuffix(sym.Canonical, canonical); ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/")) {
			out = append(out, sym)
		}
	}
	return out
}

// assertions returns the assertions of a test: its own, and those of the
// functions of its package's test files that it calls.
func (q *inquiry) assertions(id TestID, l index.TestLink) []Assertion {
	via := make([]string, 0, len(l.Path))
	for _, step := range l.Path {
		via = append(via, index.CanonicalOf(step))
	}
	body := l.Test.Span
	if l.Test.ID == "" {
		body = l.Mark.Span
	}
	in := map[string]bool{}
	files := map[string]bool{l.File: true}
	if l.Test.ID != "" {
		in[l.Test.ID] = true
	}
	for _, to := range q.callees(l.Test.ID, body) {
		if sym, ok := q.in.After.Symbol(to); ok && sym.Origin == index.Test {
			in[sym.ID], files[sym.Span.File] = true, true
		}
	}
	var out []Assertion
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, m := range q.marks(file) {
			if m.Kind == index.MarkAssertion && (m.In != "" && in[m.In] || within(m.Span, body)) {
				out = append(out, Assertion{Test: id, Span: m.Span, Text: m.Text, Strength: m.Strength, Via: strings.Join(via, " ← ")})
			}
		}
	}
	return out
}

// callees returns what a test certainly calls: one that is a definition, else one
// that is a stretch of a file.
func (q *inquiry) callees(test string, body index.Span) []string {
	var out []string
	if test != "" {
		for _, call := range q.in.After.Callees(test, 0).Sure {
			out = append(out, call.To)
		}
		return out
	}
	for _, ref := range q.calls(body.File) {
		if within(ref.Span, body) {
			out = append(out, ref.Targets...)
		}
	}
	return out
}

// readFiles holds what coverage has read of files, each of which can hold hundreds
// of tests: their marks, and the calls whose target is certain.
type readFiles struct {
	calls map[string][]index.Ref
	marks map[string][]index.Mark
}

func (q *inquiry) marks(file string) []index.Mark {
	got, ok := q.files.marks[file]
	if !ok {
		got = q.in.After.Marks(file)
		q.files.marks[file] = got
	}
	return got
}

func (q *inquiry) calls(file string) []index.Ref {
	got, ok := q.files.calls[file]
	if !ok {
		for _, ref := range q.in.After.RefsIn(file) {
			if ref.Status == index.Static && ref.Kind == index.RefCall {
				got = append(got, ref)
			}
		}
		q.files.calls[file] = got
	}
	return got
}

func within(a, b index.Span) bool { return a.File == b.File && b.Start <= a.Start && a.End <= b.End }
