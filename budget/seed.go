package budget

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
