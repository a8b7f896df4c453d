package verify

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// A change is what differs between two Snapshots.
type change struct {
	before, after *index.Snapshot
	set           *patch.Set
	files         []string // that differ, sorted
	lines         map[string][]lineRange
	symbols       []symbolChange // in order of canonical name
	// loose are changed files of a known language with changed lines outside of
	// every symbol: imports, build constraints, the package clause.
	loose []string
	// left are changed files that nothing could be read of; see between.
	left []string
}

// A symbolChange is one symbol before and after; one of the two may be nil.
type symbolChange struct {
	before, after *index.Symbol
	contract      bool // what its users rely on changed, it is gone, or it is new
	// body says that its tokens changed.
	body bool
}

// symbol returns the symbol after, or before when it is gone.
func (s *symbolChange) symbol() *index.Symbol {
	if s.after != nil {
		return s.after
	}
	return s.before
}

// newChange compares the snapshots. Its errors are faults: invalid_input when
// the Set does not lead from one to the other, index_unavailable when a file
// cannot be read any more, canceled.
func newChange(ctx context.Context, in Input) (*change, error) {
	c := &change{before: in.Before, after: in.After, set: in.Set, files: changedPaths(in.Before, in.After)}
	if err := c.checkSet(); err != nil {
		return nil, err
	}
	if c.set == nil {
		set, left, err := between(ctx, in.Before, in.After)
		if err != nil {
			return nil, err
		}
		c.set, c.left = set, left
	}
	c.lines = changedLines(c.set)
	c.compareSymbols()
	c.findLoose()
	return c, nil
}

func (c *change) checkSet() error {
	if c.set == nil {
		return nil
	}
	f := &fault.Fault{Class: fault.InvalidInput, Op: "verify.changes", State: "nothing was run"}
	if c.set.Base != "" && c.set.Base != c.before.Digest() {
		f.Subject.Text, f.Detail, f.Next = c.set.Base, "the set was made from another snapshot than Before", "make the set again from Before"
		return f
	}
	over := c.set.Overlay()
	for _, path := range slices.Sorted(maps.Keys(over)) {
		file, listed := c.after.File(path)
		if listed != (over[path] != nil) || listed && file.Hash != "" && file.Hash != index.ContentHash(over[path]) {
			f.Subject.File, f.Detail, f.Next = path, "After does not hold what the set writes", "take After from Before.Overlay(set.Overlay())"
			return f
		}
	}
	return nil
}

// compareSymbols pairs the symbols of the changed files by canonical name:
// first those of one file, then, in order, those that moved.
func (c *change) compareSymbols() {
	old, now := c.outlines(c.before), c.outlines(c.after)
	names := slices.Collect(maps.Keys(old))
	for name := range now {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, s := range pair(old[name], now[name]) {
			if s.before == nil || s.after == nil || s.contract || s.body {
				c.symbols = append(c.symbols, s)
			}
		}
	}
}

func (c *change) outlines(s *index.Snapshot) map[string][]index.Symbol {
	out := make(map[string][]index.Symbol)
	for _, path := range c.files {
		for _, sym := range s.Outline(path) {
			if sym.Kind != index.KindPackage {
				out[sym.Canonical] = append(out[sym.Canonical], sym)
			}
		}
	}
	return out
}

func pair(old, now []index.Symbol) []symbolChange {
	var out []symbolChange
	taken := make([]bool, len(now))
	match := func(b *index.Symbol, same func(a *index.Symbol) bool) bool {
		for i := range now {
			if !taken[i] && same(&now[i]) {
				taken[i] = true
				out = append(out, compare(b, &now[i]))
				return true
			}
		}
		return false
	}
	var rest []*index.Symbol
	for i := range old {
		b := &old[i]
		if !match(b, func(a *index.Symbol) bool { return a.Span.File == b.Span.File }) {
			rest = append(rest, b)
		}
	}
	for _, b := range rest {
		if !match(b, func(*index.Symbol) bool { return true }) {
			out = append(out, symbolChange{before: b, contract: true})
		}
	}
	for i := range now {
		if !taken[i] {
			out = append(out, symbolChange{after: &now[i], contract: true, body: true})
		}
	}
	return out
}

func compare(b, a *index.Symbol) symbolChange {
	return symbolChange{before: b, after: a,
		contract: b.Kind != a.Kind || b.Visibility != a.Visibility || !reflect.DeepEqual(b.Signature, a.Signature),
		body:     b.Fingerprint != a.Fingerprint}
}

// findLoose lists the files with changed lines that no symbol holds.
func (c *change) findLoose() {
	for _, path := range c.files {
		if c.before.Language(path) == nil && c.after.Language(path) == nil {
			continue
		}
		for _, h := range c.set.Hunks {
			if h.File == path && (outside(c.after, path, h.NewLine, h.NewCount, h.New) || outside(c.before, path, h.OldLine, h.OldCount, h.Old)) {
				c.loose = append(c.loose, path)
				break
			}
		}
	}
}

// outside reports whether one of the lines holds more than white space and
// comments and lies in no symbol but the package.
func outside(s *index.Snapshot, path string, line, count int, text []string) bool {
	lang := s.Language(path)
	if lang == nil || count == 0 {
		return false
	}
	outline := s.Outline(path)
	for i := range min(count, len(text)) {
		if !blank(lang, text[i]) && !inSymbol(s, outline, line+i) {
			return true
		}
	}
	return false
}

func inSymbol(s *index.Snapshot, outline []index.Symbol, line int) bool {
	for _, sym := range outline {
		if sym.Kind != index.KindPackage && sym.Span.Line <= line && line <= s.Line(sym.Span.File, max(sym.Span.End-1, 0)) {
			return true
		}
	}
	return false
}

// blank reports whether the line holds nothing but white space and comments, as
// far as the line alone can tell.
func blank(lang *index.Language, line string) bool {
	if lang.Tokens == nil {
		return len(line) == 0
	}
	for _, t := range lang.Tokens([]byte(line)) {
		if t.Kind != index.TokenComment {
			return false
		}
	}
	return true
}

// touched reports whether the Set wrote a line of the reference, the arguments
// of a call included. The reference is one of After.
func (c *change) touched(ref index.Ref) bool {
	to := ref.Span.Line
	if ref.Args != nil {
		to = max(to, c.after.Line(ref.Span.File, max(ref.Args.End-1, 0)))
	}
	return overlaps(c.lines[ref.Span.File], ref.Span.Line, to)
}

// changedSpan reports whether the Set wrote a line of the span, which is one of After.
func (c *change) changedSpan(s index.Span) bool {
	return overlaps(c.lines[s.File], s.Line, max(s.Line, c.after.Line(s.File, max(s.End-1, 0))))
}
