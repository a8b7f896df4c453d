package verify

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// unverified lists what nobody checked (VER-15). What a layer left out it has
// listed itself.
func (q *inquiry) unverified() {
	q.layersNotRun()
	q.skippedTests()
	if q.change == nil {
		return
	}
	for _, path := range q.change.left {
		q.unchecked("what the change of "+path+" does", "it is a link or cannot be read; the tree before holds it as it is now")
	}
	q.concurrency()
	q.unchecked("performance", "nothing was measured; the tests judge results only")
	q.unchecked("long-run leaks", "each test ends within seconds")
	q.platforms()
	q.externals()
	q.storedForm()
	q.wording()
	q.unchecked("types", "no type checker was run apart from the build of the tests that ran")
	if !q.v.Mutate && q.ran(L2) {
		q.unchecked("whether the tests notice a broken change", "the mutation check is off")
	}
	if q.v.Repeat < 0 && q.ran(L2) {
		q.unchecked("stability of tests that turned red", "repetition is off")
	}
}

func (q *inquiry) ran(name LayerName) bool {
	return slices.ContainsFunc(q.report.Layers, func(l Layer) bool { return l.Name == name && l.Status != LayerNotRun })
}

func (q *inquiry) layersNotRun() {
	what := map[LayerName]string{L0: "syntax and structure", L1: "consistency of symbols", L2: "selected tests", L3: "regression of the affected area"}
	for _, name := range layerNames() {
		i := slices.IndexFunc(q.report.Layers, func(l Layer) bool { return l.Name == name })
		switch {
		case i < 0:
			q.unchecked(string(name)+": "+what[name], "the layer was not asked for")
		case q.report.Layers[i].Status == LayerNotRun:
			q.unchecked(string(name)+": "+what[name], "an earlier layer did not pass")
		case q.report.Layers[i].Status == LayerEnvironment:
			q.unchecked(string(name)+": "+what[name], "it could not be judged on this machine")
		}
	}
}

// skippedTests lists the tests that ended without a result to go by. Subtests
// with the same end stand behind their test as a number, the first with its reason.
func (q *inquiry) skippedTests() {
	for _, g := range q.withoutResult() {
		name := g.first.Test.String()
		why := "its result differs from run to run"
		switch g.first.Attribution {
		case NotExecuted:
			why = fmt.Sprintf("%s: %s", g.first.After, g.first.Reason)
		case Infra:
			why = g.first.Reason
		}
		if g.more > 0 {
			name = fmt.Sprintf("%s and %d more subtests of %s", name, g.more, g.first.Of.Name)
		}
		q.unchecked("test "+name, why)
	}
	left, nearest := map[string]int{}, map[string]int{}
	for _, s := range q.report.Selection.Skipped {
		switch {
		case direct(s.Source):
			nearest[s.Why]++
		case s.Source != notChosen:
			left[s.Why]++
		}
	}
	chosen := 0
	tell := func(counts map[string]int, how string) {
		for _, why := range slices.Sorted(maps.Keys(counts)) {
			q.unchecked(fmt.Sprintf("%d tests that the change leads to%s", counts[why], how), why)
			chosen += counts[why]
		}
	}
	tell(nearest, " directly, which did not run")
	tell(left, "")
	if n := len(q.report.Selection.Skipped) - chosen; n > 0 {
		q.unchecked(fmt.Sprintf("%d tests that were not selected", n), "Selection.Skipped gives the reason for each")
	}
}

// A group are results of one test or of its subtests with the same end.
type group struct {
	first Result
	more  int
}

func (q *inquiry) withoutResult() []*group {
	type key struct {
		test TestID
		sub  bool
		end  Attribution
		how  Status
	}
	var out []*group
	at := map[key]*group{}
	for _, t := range q.report.Tests {
		if t.Attribution != NotExecuted && t.Attribution != Infra && t.Attribution != Flaky {
			continue
		}
		k := key{t.Test, t.Of != TestID{}, t.Attribution, t.After}
		if k.sub {
			k.test = t.Of
		}
		if g := at[k]; g != nil {
			g.more++
			continue
		}
		at[k] = &group{first: t}
		out = append(out, at[k])
	}
	return out
}

// concurrency speaks of the changed code where it shares anything, else of all.
func (q *inquiry) concurrency() {
	why := "tests run one call at a time; no race detector and no model of interleavings was run"
	shares := regexp.MustCompile(`\bgo (func|\w+[.(])|\bsync\.|\batomic\.|\bchan\b|<-|\basync\b|\bawait\b|\bthread|\block\b|\bLock\(|\bmutex\b|Promise`)
	for _, h := range q.change.set.Hunks {
		for _, line := range append(slices.Clone(h.New), h.Old...) {
			if shares.MatchString(line) {
				q.unchecked("concurrency: simultaneous use of what changed",
					fmt.Sprintf("%s:%d touches shared state (%s); %s", h.File, h.NewLine, strings.TrimSpace(line), why))
				return
			}
		}
	}
	q.unchecked("concurrency: two callers at once on "+q.subject(), why)
}

// subject names up to three changed symbols that are no tests, those whose
// callers had to change first.
func (q *inquiry) subject() string {
	var first, rest []string
	for i := range q.change.symbols {
		s := &q.change.symbols[i]
		sym := s.symbol()
		called := sym.Kind == index.KindFunction || sym.Kind == index.KindMethod || sym.Kind == index.KindConstructor
		switch {
		case sym.Origin == index.Test || sym.Kind == index.KindField || s.after == nil:
		case s.before != nil && s.contract && called:
			first = append(first, sym.Canonical)
		default:
			rest = append(rest, sym.Canonical)
		}
	}
	all := slices.Compact(append(first, rest...))
	switch {
	case len(all) == 0:
		return "the changed files"
	case len(all) > 3:
		return strings.Join(all[:3], ", ") + " and others"
	}
	return strings.Join(all, ", ")
}

func (q *inquiry) platforms() {
	env := q.report.Environment
	here := env.OS + "/" + env.Arch
	for _, path := range q.change.files {
		if f, ok := q.in.After.File(path); ok && f.Constraint != "" {
			q.unchecked("platforms: "+path, fmt.Sprintf("it is built for %s only; this machine is %s", f.Constraint, here))
		}
	}
	q.unchecked("platforms other than "+here, "everything ran on this machine only")
}

// externals names the outside modules that the changed code calls.
func (q *inquiry) externals() {
	modules := map[string]bool{}
	for _, path := range q.change.files {
		if q.testCode(path) {
			continue
		}
		for _, ref := range q.in.After.RefsIn(path) {
			if ref.Status == index.External && ref.Module != "" && strings.Contains(ref.Module, ".") && q.change.touched(ref) {
				modules[ref.Module] = true
			}
		}
	}
	why := "the sandbox has no network; what answers in tests stands in for the real system"
	if len(modules) > 0 {
		why = "the change calls " + strings.Join(slices.Sorted(maps.Keys(modules)), ", ") + "; " + why
	}
	q.unchecked("external systems", why)
}

// testCode reports whether a changed file is test code: no user of the program
// meets what it calls and says.
func (q *inquiry) testCode(path string) bool {
	f, ok := q.in.After.File(path)
	return ok && f.Origin == index.Test
}

// storedForm speaks of what is written to disk or wire: of changed lines with
// tags or calls of a serializer, and of what changed code calls to store or
// record something.
func (q *inquiry) storedForm() {
	const why = "no test compares the stored bytes with those of earlier versions"
	found := q.serialized(why)
	for _, name := range q.recorders() {
		q.unchecked("stored form of what "+name+" records", "the changed code calls it; "+why)
		found = true
	}
	if !found {
		q.unchecked("stored and wire form", "no data written by an earlier version was read, and none was written for one")
	}
}

func (q *inquiry) serialized(why string) bool {
	form := regexp.MustCompile("`[^`]*\\b(json|yaml|xml|db|bson|protobuf|toml|gorm|msgpack):\"|(?i)\\b(marshal|unmarshal|encode|decode|serialize|pickle|to_json|from_json)")
	for _, h := range q.change.set.Hunks {
		if f, ok := q.in.After.File(h.File); !ok || f.Language == "" || f.Origin == index.Test {
			continue
		}
		for _, line := range h.New {
			if form.MatchString(line) {
				q.unchecked(fmt.Sprintf("stored or wire form behind %s:%d", h.File, h.NewLine), fmt.Sprintf("%q: %s", strings.TrimSpace(line), why))
				return true
			}
		}
	}
	return false
}

// maxRecorders bounds how many are named.
const maxRecorders = 5

// recorders returns what changed functions call whose name, or whose package's,
// says that it stores or records; audits first.
func (q *inquiry) recorders() []string {
	words := regexp.MustCompile(`(?i)(audit|record|journal|persist|save|store|insert)`)
	audits := regexp.MustCompile(`(?i)(audit|journal|record)`)
	seen := map[string]bool{}
	for i := range q.change.symbols {
		s := &q.change.symbols[i]
		if s.after == nil || !s.body || s.after.Origin == index.Test {
			continue
		}
		for _, call := range q.in.After.Callees(s.after.ID, 0).Sure {
			if to, ok := q.in.After.Symbol(call.To); ok && to.Origin != index.Test && (audits.MatchString(to.Canonical) || words.MatchString(to.Name) || words.MatchString(path.Base(to.Package))) {
				seen[to.Canonical] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(seen))
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := audits.MatchString(a), audits.MatchString(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return names[:min(len(names), maxRecorders)]
}

func (q *inquiry) wording() {
	for _, path := range q.change.files {
		if q.testCode(path) {
			continue
		}
		for _, m := range q.in.After.Marks(path) {
			if m.Kind == index.MarkString && strings.Contains(m.Text, " ") && q.change.changedSpan(m.Span) {
				q.unchecked("wording and appearance", fmt.Sprintf("texts changed, such as %s:%d %q; whether they read well was not judged", path, m.Span.Line, m.Text))
				return
			}
		}
	}
	q.unchecked("wording and appearance", "nobody looked at texts or output")
}
