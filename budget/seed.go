package budget

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// Limits of seeding: how many definitions a plain word may have before it says
// nothing, how many places a quoted text may stand at, and how many symbols are
// seeded from meaning alone.
const (
	commonWord   = 12
	commonText   = 3
	lexicalSeeds = 6
	// enoughSeeds is the number of seeds from names, places and quotes from
	// which plain words are no longer needed: they then only name packages.
	enoughSeeds = 3
)

// A seeder turns anchors into seeds, ambiguities and what was not found.
type seeder struct {
	ctx     context.Context
	snap    *index.Snapshot
	sources *sources

	seeds     []Seed
	strong    int                     // seeds of high or medium confidence
	symbols   map[string]index.Symbol // of seeds, by ID
	ambiguous []Ambiguity
	asked     map[string]bool     // anchors in ambiguous
	placed    map[string]bool     // files that a place names with its line
	parts     map[string]bool     // words of names that were found
	missed    []string            // anchors that stand for nothing here
	packages  map[string]string   // import path -> why it is named
	byBase    map[string][]string // last element or name -> import paths
	stems     map[string]bool     // of anchors that were resolved
}

// seedsOf resolves the anchors of a task and of a configuration.
func seedsOf(ctx context.Context, snap *index.Snapshot, src *sources, t task.Task, c Config) (*seeder, error) {
	s := &seeder{ctx: ctx, snap: snap, sources: src, symbols: make(map[string]index.Symbol), asked: make(map[string]bool), placed: make(map[string]bool), parts: make(map[string]bool),
		packages: make(map[string]string), stems: make(map[string]bool)}
	for _, a := range c.Ambiguities {
		s.configured(a)
	}
	for _, x := range c.Seeds {
		s.declared(x.Symbol, orElse(x.Why, "the configuration names it"), orElse(x.Confidence, "high"))
	}
	for _, x := range t.Changes {
		s.declared(x.Symbol, "the task declares a change of it", "high")
	}
	for _, p := range t.Capabilities {
		for _, name := range p.Symbols {
			s.declared(name, "capability point "+p.ID+" sits on it", "high")
		}
	}
	text := textOf(t)
	for _, a := range anchorsOf(text) {
		if err := s.resolve(a); err != nil {
			return nil, err
		}
	}
	if s.strong < enoughSeeds {
		s.lexical(text)
	}
	if len(s.seeds) == 0 {
		return nil, s.nothing(text)
	}
	return s, nil
}

// textOf is everything in a task that is written in words.
func textOf(t task.Task) string {
	parts := []string{t.Requirement}
	for _, p := range t.Capabilities {
		parts = append(parts, p.Sentence)
		parts = append(parts, p.Constraints...)
	}
	return strings.Join(parts, "\n")
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (s *seeder) configured(a AmbiguityConfig) {
	if !s.asked[a.Symbol] {
		var ids []string
		for _, d := range s.snap.Definitions(a.Symbol).Sure {
			ids = append(ids, d.ID)
		}
		s.asked[a.Symbol] = true
		s.ambiguous = append(s.ambiguous, Ambiguity{Anchor: a.Symbol, Candidates: ids, Reason: a.Reason, Action: AskBeforeEdit})
	}
}

// seed adds a symbol, or raises nothing when it is already one: the strongest anchor came first.
func (s *seeder) seed(sym index.Symbol, anchor, why, confidence string) {
	if _, ok := s.symbols[sym.ID]; ok || s.asked[sym.Name] {
		return
	}
	s.symbols[sym.ID] = sym
	s.seeds = append(s.seeds, Seed{Symbol: sym.ID, Anchor: anchor, Why: why, Confidence: confidence})
	if confidence != "low" {
		s.strong++
		s.resolved(anchor)
		s.resolved(sym.Name)
	}
}

func (s *seeder) resolved(name string) {
	for _, p := range nameParts(name) {
		if !isStop(p) {
			s.stems[stem(p)] = true
		}
	}
}

// declared looks up a name that somebody wrote down as a symbol.
func (s *seeder) declared(name, why, confidence string) {
	if !s.choose(name, plainName(name), s.definitions(plainName(name)), why, confidence) {
		s.missed = append(s.missed, name)
	}
}

// definitions returns what the index has under the name, without packages; a
// lexical answer is none.
func (s *seeder) definitions(name string) []index.Symbol {
	var out []index.Symbol
	for _, d := range s.snap.Definitions(name).Sure {
		if d.Kind != index.KindPackage {
			out = append(out, d)
		}
	}
	return out
}

// choose seeds the definitions if they are one identity, and asks if they are
// several. It reports false if there are none.
func (s *seeder) choose(anchor, name string, defs []index.Symbol, why, confidence string) bool {
	if len(defs) == 0 {
		return false
	}
	canonical := identities(defs)
	if len(canonical) > 1 {
		if contract, ok := s.contract(defs); ok {
			s.seed(contract, anchor, fmt.Sprintf("%s; it is the contract of all %d definitions of %s", why, len(canonical), name), "medium")
			return true
		}
		s.ambiguity(anchor, defs, fmt.Sprintf("%d definitions with this name", len(canonical)))
		return true
	}
	for _, d := range defs {
		s.seed(d, anchor, why, confidence)
	}
	return true
}

func identities(defs []index.Symbol) []string {
	var out []string
	for _, d := range defs {
		if !slices.Contains(out, d.Canonical) {
			out = append(out, d.Canonical)
		}
	}
	return out
}

// contract returns the interface method that all other definitions implement.
func (s *seeder) contract(defs []index.Symbol) (index.Symbol, bool) {
	for _, d := range defs {
		parent, ok := s.snap.Symbol(d.Parent)
		if !ok || parent.Kind != index.KindInterface {
			continue
		}
		implements := make(map[string]bool)
		_, implementations := s.snap.Kin(parent.ID)
		for _, i := range implementations {
			implements[i.ID] = true
		}
		all := true
		for _, other := range defs {
			all = all && (other.Canonical == d.Canonical || implements[other.Parent])
		}
		if all {
			return d, true
		}
	}
	return index.Symbol{}, false
}

// ambiguity records a name that is not chosen among.
func (s *seeder) ambiguity(anchor string, defs []index.Symbol, reason string) {
	if s.asked[anchor] {
		return
	}
	s.asked[anchor] = true
	a := Ambiguity{Anchor: anchor, Reason: reason, Action: AskBeforeEdit}
	for _, d := range defs {
		a.Candidates = append(a.Candidates, d.ID)
	}
	if slices.ContainsFunc(s.ambiguous, func(o Ambiguity) bool { return slices.Equal(o.Candidates, a.Candidates) }) {
		return // another spelling of the same name
	}
	s.ambiguous = append(s.ambiguous, a)
	s.resolved(anchor)
}

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

// nothing is the answer when no anchor is in the index.
func (s *seeder) nothing(text string) error {
	f := &fault.Fault{Class: fault.Ambiguous, Op: "budget.collect", Detail: "none of the names, places and words of the task stands for one symbol of this repository",
		State: "nothing was collected", Next: "name a symbol or a file of the repository in the requirement or under capabilities"}
	if len(s.missed) > 0 {
		f.Subject.Text = s.missed[0]
		f.Detail += fmt.Sprintf("; not found: %s", strings.Join(s.missed, ", "))
	}
	for _, a := range s.ambiguous {
		for _, id := range a.Candidates {
			if d, ok := s.snap.Symbol(id); ok {
				f.Candidates = append(f.Candidates, fault.Subject{File: d.Span.File, Line: d.Span.Line, Symbol: d.Canonical})
			}
		}
	}
	seen := make(map[string]bool)
	for _, name := range append(slices.Clone(s.missed), wordForm.FindAllString(text, 20)...) {
		for _, near := range s.snap.Near(name, 3) {
			if !seen[near] && len(f.Candidates) < 20 {
				seen[near] = true
				f.Candidates = append(f.Candidates, fault.Subject{Symbol: near})
			}
		}
	}
	return s.atLeastTwo(f)
}

// atLeastTwo adds the first definitions of the repository to an answer that has
// no near names to offer; a repository that defines nothing cannot be collected from.
func (s *seeder) atLeastTwo(f *fault.Fault) error {
	for sym := range s.snap.Symbols() {
		if len(f.Candidates) >= 2 {
			return f
		}
		c := fault.Subject{Symbol: sym.Canonical}
		if sym.Kind != index.KindPackage && !slices.Contains(f.Candidates, c) {
			f.Candidates = append(f.Candidates, c)
		}
	}
	if len(f.Candidates) < 2 {
		f.Class, f.Candidates = fault.Unsupported, nil
		f.Detail = "the repository defines fewer than two symbols in the languages that are indexed, so there is nothing to choose from"
		f.Next = "index the languages of this repository, or hand its files over as they are"
	}
	return f
}
