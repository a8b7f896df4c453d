package changeset

import (
	"fmt"
	"github.com/plumbkit/plumb/index"
	"slices"
	"strings"
)

// defaultMinutes is the reading time above which a plan is split.
const defaultMinutes = 10

// stages makes the plan's stages (CHG-9): one where the whole takes at most the
// allowed reading time, else consecutive blocks as long as they fit together.
// A block is never split. Generators come with the block of their source.
func (v *derivation) stages() []Stage {
	if len(v.plan.Actions) == 0 {
		return nil
	}
	most := v.Minutes
	if most == 0 {
		most = defaultMinutes
	}
	var groups [][]Action
	lines := 0
	for _, block := range blocksInOrder(v.plan.Actions) {
		n := 0
		for _, a := range block {
			n += linesOf(a)
		}
		if len(groups) == 0 || minutes(lines+n) > most {
			groups, lines = append(groups, nil), 0
		}
		last := len(groups) - 1
		groups[last], lines = append(groups[last], block...), lines+n
	}
	out := make([]Stage, len(groups))
	for i, g := range groups {
		out[i] = stageOf(i+1, len(groups), g)
	}
	return out
}

// blocksInOrder groups actions by block: contracts first, then their calls, then the
// rest in the order in which they came up, tests of points last.
func blocksInOrder(all []Action) [][]Action {
	var names []string
	by := make(map[string][]Action)
	for _, a := range all {
		if by[a.Block] == nil {
			names = append(names, a.Block)
		}
		by[a.Block] = append(by[a.Block], a)
	}
	order := func(name string) int {
		switch {
		case strings.HasPrefix(name, "tests of "):
			return 3
		case isCalls(name):
			return 1
		case slices.ContainsFunc(by[name], func(a Action) bool { return a.Kind == Define || a.Kind == Sync }):
			return 0
		}
		return 2
	}
	slices.SortStableFunc(names, func(a, b string) int { return order(a) - order(b) })
	out := make([][]Action, len(names))
	for i, n := range names {
		out[i] = by[n]
	}
	return out
}

func stageOf(n, of int, actions []Action) Stage {
	s := Stage{ID: fmt.Sprintf("S-%d", n)}
	var blocks, tests, symbols []string
	for _, a := range actions {
		s.Actions = append(s.Actions, a.ID)
		if !slices.Contains(blocks, a.Block) {
			blocks = append(blocks, a.Block)
		}
		for _, t := range a.Verify {
			if !slices.Contains(tests, t) {
				tests = append(tests, t)
			}
		}
		if name := index.CanonicalOf(a.Symbol); name != "" && a.Kind != FixTest {
			symbols = append(symbols, name)
		}
	}
	s.Title = strings.Join(blocks, ", ")
	s.Done = "it compiles, and these hold: " + strings.Join(tests, "; ")
	s.Hands = "nothing: the plan is complete"
	if n < of {
		s.Hands = fmt.Sprintf("a tree in which %s are as planned; stage S-%d builds on it", orElse(strings.Join(symbols, ", "), "the tests"), n+1)
	}
	return s
}

// Conclusions are what a finished stage freezes for those who continue (CHG-9);
// they go into the ledger as they are.
type Conclusions struct {
	Schema int    `json:"schema"`
	Task   string `json:"task"`
	Stage  string `json:"stage"`
	// Index is the digest of the Snapshot after the stage.
	Index string `json:"index"`
	// Symbols and Tests are the canonical names that are new.
	Symbols []string `json:"symbols"`
	Tests   []string `json:"tests"`
	// Rejected are ways that were tried and are not to be tried again, one sentence each.
	Rejected []string `json:"rejected"`
	// Open are questions without an answer.
	Open []Question `json:"open"`
	// Next is the stage that follows, "" after the last.
	Next string `json:"next,omitempty"`
}
