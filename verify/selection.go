package verify

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// The sources of a selected test, strongest first.
const (
	bySelf    = "changed"  // the test's own file changed
	byCalls   = "calls"    // certain references lead from what changed to the test
	byNaming  = "naming"   // the test is named for what changed
	byInput   = "input"    // a file that is no code of a language changed beside it
	byMaybe   = "maybe"    // uncertain references lead there
	byPackage = "package"  // its package holds what changed
	byImport  = "import"   // its file imports that of what changed
	byUnknown = "unknown"  // something could not be told, and the selection was widened
	byArea    = "importer" // its package imports one that changed (L3)
	notChosen = "none"
)

// direct reports whether a source belongs to the set that runs first.
func direct(source string) bool {
	return source == bySelf || source == byCalls || source == byNaming || source == byInput
}

// A choice is one selected test while the selection is made.
type choice struct {
	source, why string
	symbols     []string
	depth       int
}

// A selection is which tests L2 runs (VER-5).
type selection struct {
	q      *inquiry
	chosen map[TestID]*choice
	// leads are, for each test that certain references lead to, the changed
	// symbols that they lead from, nearest first.
	leads map[TestID][]lead
	// left says why chosen tests have not run; L3 takes out what it runs.
	left    map[TestID]string
	widened []string
}

// A lead is a changed symbol that certain references connect to a test.
type lead struct {
	symbol index.Symbol // of After
	depth  int
}

// choose makes the selection: a union, in which a test keeps the strongest
// reason, and what is not known adds tests and never takes one away.
func (q *inquiry) choose(ctx context.Context) (*selection, error) {
	q.tests, q.old = newCatalog(q.in.After), newCatalog(q.in.Before)
	s := &selection{q: q, chosen: map[TestID]*choice{}, leads: map[TestID][]lead{}, left: map[TestID]string{}}
	for i := range q.change.symbols {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "verify.select", "run it again")
		}
		s.bySymbol(&q.change.symbols[i])
	}
	for _, file := range q.change.files {
		if err := s.byFile(ctx, file); err != nil {
			return nil, err
		}
	}
	q.report.Selection = s.describe()
	return s, nil
}

// add chooses a test, or strengthens its reason.
func (s *selection) add(id TestID, source, why, symbol string, depth int) {
	if !s.q.tests.known[id] {
		return
	}
	c := s.chosen[id]
	if c == nil || strength(source) < strength(c.source) || source == c.source && source == byCalls && depth < c.depth {
		symbols := []string(nil)
		if c != nil {
			symbols = c.symbols
		}
		c = &choice{source: source, why: why, symbols: symbols, depth: depth}
		s.chosen[id] = c
	}
	if symbol != "" && !slices.Contains(c.symbols, symbol) {
		c.symbols = append(c.symbols, symbol)
	}
}

func strength(source string) int {
	return slices.Index([]string{bySelf, byCalls, byNaming, byInput, byMaybe, byPackage, byImport, byUnknown, byArea}, source)
}

// dir chooses all tests of a folder.
func (s *selection) dir(dir, source, why string) {
	for _, id := range s.q.tests.dir[dir] {
		s.add(id, source, why, "", 0)
	}
}

// everything chooses every test below a folder.
func (s *selection) everything(below, why string) {
	s.widened = append(s.widened, why)
	for _, id := range s.q.tests.all {
		if below == "." || id.Dir == below || strings.HasPrefix(id.Dir, below+"/") {
			s.add(id, byUnknown, why, "", 0)
		}
	}
}

// bySymbol follows the graphs before and after: one that the change cut still
// leads to tests that relied on it.
func (s *selection) bySymbol(c *symbolChange) {
	if c.before != nil {
		s.follow(s.q.in.Before, *c.before)
	}
	if c.after != nil {
		s.follow(s.q.in.After, *c.after)
	}
}

func (s *selection) follow(snapshot *index.Snapshot, sym index.Symbol) {
	links := snapshot.TestsFor(sym.ID)
	for _, l := range links.Sure {
		for _, id := range s.link(l, byCalls, fmt.Sprintf("it reaches %s over %s", sym.Canonical, steps(l.Depth)), sym) {
			if snapshot == s.q.in.After {
				s.leads[id] = append(s.leads[id], lead{sym, l.Depth})
			}
		}
	}
	for _, l := range links.Confirm {
		switch {
		case l.Test.ID == "" && !testsByFile(snapshot, l.File): // its package is chosen with the changed file's
		case l.Test.ID == "" && l.Source != byCalls:
			s.link(l, byImport, "its file imports that of "+sym.Canonical, sym)
		case l.Source == byCalls:
			s.link(l, byMaybe, fmt.Sprintf("it may reach %s over %s", sym.Canonical, steps(l.Depth)), sym)
		default:
			s.link(l, byNaming, "it is named for "+sym.Canonical, sym)
		}
	}
	s.outside(snapshot, sym)
	s.unknown(snapshot, sym, links)
}

func steps(n int) string {
	if n == 1 {
		return "one reference"
	}
	return fmt.Sprintf("%d references", n)
}

// link chooses the tests that a link leads to, and returns them; what runs around
// other tests stands for all of these, and is none itself.
func (s *selection) link(l index.TestLink, source, why string, sym index.Symbol) []TestID {
	if s.q.tests.around[l.Test.ID] {
		for _, id := range s.q.tests.inside(l.File) {
			s.add(id, source, "it runs inside "+l.Test.Name+"; "+why, sym.Canonical, l.Depth)
		}
		return nil
	}
	ids := s.q.linked(l)
	for _, id := range ids {
		s.add(id, source, why, sym.Canonical, l.Depth)
	}
	return ids
}

// linked returns the tests that a link of either snapshot leads to.
func (q *inquiry) linked(l index.TestLink) []TestID {
	for _, c := range []*catalog{q.tests, q.old} {
		ids := c.symbol[l.Test.ID]
		if l.Test.ID == "" {
			ids = c.loose(l)
		}
		if len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// maxUnknown is how many places of unknown references of one name are looked at
// one by one; the index shows that many.
const maxUnknown = 20

// unknown widens the selection by what the index could not tell.
func (s *selection) unknown(snapshot *index.Snapshot, sym index.Symbol, links index.Answer[index.TestLink]) {
	for _, note := range links.Basis.Notes {
		if strings.Contains(note, "up to a limit") {
			s.everything(".", "the call graph of "+sym.Canonical+" is too large to be followed to its end")
		}
	}
	if links.Basis.Unresolved == 0 || s.q.ownOnly(snapshot, sym) {
		return
	}
	if links.Basis.Unresolved > maxUnknown {
		s.everything(".", fmt.Sprintf("%d references named %s lead to an unknown target", links.Basis.Unresolved, sym.Name))
		return
	}
	for _, p := range links.Basis.Places[:min(links.Basis.Unresolved, len(links.Basis.Places))] {
		why := fmt.Sprintf("%s:%d names %s and its target is not known", p.File, p.Line, sym.Name)
		if ids := s.q.tests.dir[path.Dir(p.File)]; len(ids) > 0 {
			s.widened = append(s.widened, why)
			s.dir(path.Dir(p.File), byUnknown, why)
		}
	}
}

// ownOnly reports whether only the file that a symbol stands in can reach it: a
// file of tests that are told apart by their file, whose tests are chosen as it
// changed, and that nothing imports or names.
func (q *inquiry) ownOnly(snapshot *index.Snapshot, sym index.Symbol) bool {
	file := sym.Span.File
	if !testsByFile(snapshot, file) || len(q.tests.file[file]) == 0 && len(q.old.file[file]) == 0 {
		return false
	}
	at := sourceAt{snapshot, file}
	unused, ok := q.unused[at]
	if !ok {
		users := snapshot.ByPath(file)
		unused = len(users.Sure) == 0 && len(users.Confirm) == 0
		q.unused[at] = unused
	}
	return unused
}

// describe writes the selection down, every test with its reason.
func (s *selection) describe() Selection {
	out := Selection{Selected: []Selected{}, Skipped: []Selected{}}
	for _, id := range s.q.tests.all {
		c, why := s.chosen[id], s.left[id]
		switch {
		case c != nil && why != "":
			slices.Sort(c.symbols)
			out.Skipped = append(out.Skipped, Selected{Test: id, Source: c.source, Why: why, Symbols: c.symbols})
		case c != nil:
			slices.Sort(c.symbols)
			out.Selected = append(out.Selected, Selected{Test: id, Source: c.source, Why: c.why, Symbols: c.symbols})
		default:
			out.Skipped = append(out.Skipped, Selected{Test: id, Source: notChosen,
				Why: "nothing leads from what changed to it, and its package holds nothing of it"})
		}
	}
	slices.Sort(s.widened)
	s.widened = slices.Compact(s.widened)
	out.Widened = strings.Join(s.widened, "; ")
	return out
}

// ids returns the chosen tests for which keep holds, in order.
func (s *selection) ids(keep func(*choice) bool) []TestID {
	var out []TestID
	for _, id := range s.q.tests.all {
		if c := s.chosen[id]; c != nil && keep(c) {
			out = append(out, id)
		}
	}
	return out
}
