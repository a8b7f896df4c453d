package changeset

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// mostVerify bounds the tests named for one action.
const mostVerify = 5

// tests says how each action is verified, adds the tests to add, and asks where
// nothing covers a place (fourth rule of CHG-2, CHG-5).
func (v *derivation) tests() error {
	for i := range v.actions.all {
		a := &v.actions.all[i]
		for _, id := range v.testsOf(a) {
			if len(a.Verify) < mostVerify {
				a.Verify = append(a.Verify, "test "+id)
			}
		}
		if v.typed(a.Target.File) {
			a.Verify = append(a.Verify, "type check")
		}
	}
	v.uncovered()
	for _, p := range v.points {
		v.addTests(p)
	}
	return nil
}

func (v *derivation) typed(file string) bool {
	l := v.snap.Language(file)
	return l != nil && l.Compatible != nil
}

// testsOf returns the names of the tests that reach what an action changes.
func (v *derivation) testsOf(a *Action) []string {
	if a.Symbol == "" {
		return nil
	}
	if a.Kind == FixTest {
		if sym, ok := v.snap.Symbol(a.Symbol); ok {
			return []string{sym.Canonical}
		}
	}
	return v.reaching(a.Symbol)
}

// reaching returns the canonical names of the tests that reach a symbol over
// calls, certain ones first; of tests that are no definitions, as in JavaScript,
// their file.
func (v *derivation) reaching(id string) []string {
	var out []string
	answer := v.snap.TestsFor(id)
	for _, t := range append(slices.Clone(answer.Sure), answer.Confirm...) {
		name := orElse(t.Test.Canonical, t.File)
		if t.Source == "calls" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// uncovered asks, once for each point, about the places that no test reaches.
// The callers and contracts, or their absence, are the evidence.
func (v *derivation) uncovered() {
	for _, p := range v.points {
		var bare []index.Symbol
		for _, a := range v.actions.all {
			sym, ok := v.snap.Symbol(a.Symbol)
			if ok && a.Capability == p.ID && a.Kind == Define && sym.Origin == index.Handwritten && len(v.reaching(sym.ID)) == 0 {
				bare = append(bare, sym)
			}
		}
		if len(bare) == 0 {
			continue
		}
		names := make([]string, len(bare))
		for i, s := range bare {
			names[i] = s.Canonical
		}
		q := Question{Kind: Uncovered, Text: fmt.Sprintf("No test covers %s, which %s changes. How is the change to be verified?", strings.Join(names, ", "), p.ID),
			Options: []Option{
				{Text: "Pin the present behaviour with a test first", Effect: "a test to add joins the block, before the change"},
				{Text: "Go on without one", Effect: "the hand-off names the place as not verified; where no test at all is selected, L2 does not pass"},
				{Text: "Do not change it", Effect: "the plan is refused as not verifiable in this repository"},
			}, Recommended: 1}
		for _, s := range bare {
			q.Evidence = append(q.Evidence, v.restsOn(s))
		}
		v.ask(q, func(option int) { v.coverAnswer(p, bare, option) })
	}
}

func (v *derivation) coverAnswer(p point, bare []index.Symbol, option int) {
	switch option {
	case 1:
		first := bare[0]
		v.act(Action{Kind: AddTest, Capability: p.ID, Target: index.Span{File: v.homes(first.Span.File, first.ID)[0], Line: 1, Col: 1}, Block: v.blockOf(p, first),
			Why: "nothing covers " + lastTwo(first.Canonical) + ": its present behaviour is pinned before it changes", Grade: High, Source: "answer to the question what covers it",
			Verify: []string{"assertion: the present behaviour of " + first.Canonical}})
	case 2:
		for _, s := range bare {
			v.not(s, "no test is added for it, as answered: it stays not verified")
		}
	}
}

// restsOn is the evidence for or against coverage: who calls the symbol, and
// how much of that is certain.
func (v *derivation) restsOn(s index.Symbol) string {
	refs := v.snap.References(s.ID, 0)
	var users []string
	for _, r := range refs.Sure {
		if in, ok := v.snap.Symbol(r.In); ok && in.ID != s.ID && !slices.Contains(users, in.Canonical) {
			users = append(users, in.Canonical)
		}
	}
	text := fmt.Sprintf("%s (%s:%d): no test reaches it", s.Canonical, s.Span.File, s.Span.Line)
	if len(users) == 0 {
		text += "; nothing in the index uses it"
	} else {
		text += "; used by " + strings.Join(users[:min(len(users), 6)], ", ")
	}
	return text + fmt.Sprintf("; %d uses to confirm, answer of %s confidence", len(refs.Confirm), refs.Basis.Confidence)
}

// addTests adds the tests that show a point: new ones in the folders where tests
// of what it changes belong, and beside the tests that are there.
func (v *derivation) addTests(p point) {
	given := len(v.in.Task.Capabilities) > 0
	if given && len(p.Layers) > 0 && !slices.Contains(p.Layers, "test") || !given && v.onlyNames() {
		return
	}
	var dirs, files []string
	for _, a := range v.actions.all {
		if !v.serves(a, p) {
			continue
		}
		for _, d := range v.homes(a.Target.File, a.Symbol) {
			if !slices.Contains(dirs, d) {
				dirs = append(dirs, d)
			}
		}
		files = v.testFiles(files, a)
	}
	for _, d := range dirs {
		if a := v.newTest(p, index.Span{File: d, Line: 1, Col: 1}); !v.hasTest(a) {
			v.act(a)
		}
	}
	for _, f := range files {
		if a := v.newTest(p, v.endOf(f)); !v.hasTest(a) {
			v.act(a)
		}
	}
}

// serves reports whether an action carries out a point: it changes something
// the point sits on, or what follows from it.
func (v *derivation) serves(a Action, p point) bool {
	if a.Grade == Low || a.Kind != Define && a.Kind != Create && a.Kind != Sync && a.Kind != Mirror || strings.HasSuffix(a.Target.File, "/") {
		return false
	}
	return a.Capability == p.ID || slices.ContainsFunc(p.symbols, func(s index.Symbol) bool { return s.ID == a.Symbol })
}

// hasTest reports whether the same place has tests to add for the same point;
// in an existing file, for any point.
func (v *derivation) hasTest(a Action) bool {
	return slices.ContainsFunc(v.actions.all, func(o Action) bool {
		return o.Kind == AddTest && o.Target == a.Target && (o.Capability == a.Capability || !strings.HasSuffix(a.Target.File, "/")) && o.Source == a.Source
	})
}

func (v *derivation) newTest(p point, at index.Span) Action {
	return Action{Kind: AddTest, Capability: p.ID, Target: at, Block: "tests of " + p.ID, Why: "shows: " + oneLine(p.Sentence), Grade: High, Source: "acceptance sentence", Verify: []string{"assertion: " + oneLine(p.Sentence)}}
}

// testFiles adds the files of tests that lead to what an action changes: where
// tests stand beside the code, those in the symbol's own folder.
func (v *derivation) testFiles(files []string, a Action) []string {
	beside := v.testsBeside(a.Target.File)
	for _, f := range v.linkedTests(a.Target.File, a.Symbol) {
		if (!beside || path.Dir(f) == path.Dir(a.Target.File)) && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

// endOf is the place behind the last byte of a file.
func (v *derivation) endOf(file string) index.Span {
	f, _ := v.snap.File(file)
	return index.Span{File: file, Hash: f.Hash, Start: f.Size, End: f.Size, Line: f.Lines + 1, Col: 1}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
