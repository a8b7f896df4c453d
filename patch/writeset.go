package patch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

func compareHunks(x, y *Hunk) int {
	return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.NewLine, y.NewLine), cmp.Compare(x.OldLine, y.OldLine))
}

// classify lists the hunks of the Set, tells for each what it falls in and
// which action it carries out, and refuses those that no action allows (PAT-16).
func (b *builder) classify() error {
	b.set.Hunks = nil
	for i := range b.set.Files {
		f := &b.set.Files[i]
		hunks := fileHunks(f)
		classes(b.in.Before.Language(f.Path), f, hunks)
		view := b.view(f)
		for j := range hunks {
			view.symbols(&hunks[j])
			hunks[j].Block = b.hunkBlock(f, &hunks[j])
			if err := b.allow(f, view, &hunks[j]); err != nil {
				return &blockFault{hunks[j].Block, err}
			}
		}
		if len(hunks) == 0 {
			if err := b.allowFile(f); err != nil {
				return &blockFault{f.Block, err}
			}
		}
		b.set.Hunks = append(b.set.Hunks, hunks...)
	}
	return nil
}

// A fileView is a file before and after, with its symbols.
type fileView struct {
	before, after *index.Snapshot
	from, path    string
	old, now      *text
	// The comments of both sides.
	oldComments, newComments []index.Span
	// touched are the symbols that changed lines fall in, by hunk.
	touched map[*Hunk][]touch
}

// A touch is a symbol that a hunk changes lines of; a new one stands in the result only.
type touch struct {
	symbol index.Symbol
	isNew  bool
}

func (b *builder) view(f *File) *fileView {
	v := &fileView{before: b.in.Before, after: b.after, from: f.Path, path: f.Path,
		old: newText(f.before()), now: newText(f.New), touched: map[*Hunk][]touch{}}
	if f.From != "" {
		v.from = f.From
	}
	v.oldComments, v.newComments = comments(v.before, v.from), comments(v.after, v.path)
	return v
}

// comments lists the places of a file's comments, in order.
func comments(s *index.Snapshot, path string) []index.Span {
	var out []index.Span
	for _, m := range s.Marks(path) {
		if m.Kind == index.MarkComment {
			out = append(out, m.Span)
		}
	}
	return out
}

// symbols finds what the hunk's lines belong to: on the old side the symbols
// changed or removed, on the new side the added ones as well.
func (v *fileView) symbols(h *Hunk) {
	var out []touch
	add := func(s index.Symbol, isNew bool) {
		for _, t := range out {
			if t.symbol.ID == s.ID {
				return
			}
		}
		out = append(out, touch{s, isNew})
	}
	for l := h.OldLine; l < h.OldLine+h.OldCount; l++ {
		if s, ok := owner(v.before, v.from, v.old, v.oldComments, l-1); ok {
			add(s, false)
		}
	}
	for l := h.NewLine; l < h.NewLine+h.NewCount; l++ {
		s, ok := owner(v.after, v.path, v.now, v.newComments, l-1)
		if !ok {
			continue
		}
		_, known := v.before.Symbol(s.ID)
		add(s, !known)
	}
	v.touched[h] = out
	if len(out) > 0 {
		h.Symbol = out[0].symbol.Canonical
	}
}

// owner returns the symbol that line i (0-based) belongs to. A comment belongs to
// the symbol that starts below it, also inside of another symbol; any other line
// to the innermost symbol around its first character.
func owner(s *index.Snapshot, path string, t *text, comments []index.Span, i int) (index.Symbol, bool) {
	first := -1
	for ; i < len(t.lines); i++ {
		line := t.lines[i]
		blank := len(line) - len(strings.TrimLeft(line, " \t\r\n"+bom))
		if blank == len(line) {
			break
		}
		at := t.starts[i] + blank
		if first < 0 {
			first = at
		}
		if !commentAt(comments, at) {
			return s.At(path, at)
		}
	}
	if first < 0 {
		return index.Symbol{}, false
	}
	return s.At(path, first)
}

// commentAt reports whether one of the comments covers the offset.
func commentAt(comments []index.Span, at int) bool {
	return slices.ContainsFunc(comments, func(c index.Span) bool { return c.Start <= at && at < c.End })
}

// hunkBlock is the block of the edit that made the hunk.
func (b *builder) hunkBlock(f *File, h *Hunk) string {
	w := b.files[f.Path]
	if w == nil {
		w = b.files[f.From]
	}
	if w == nil {
		return f.Block
	}
	for _, s := range w.splices {
		if l := w.text.lineAt(s.start); l <= h.OldLine+h.OldCount && w.text.lineAt(s.end) >= h.OldLine {
			return s.unit.block
		}
	}
	return f.Block
}

// allow maps a hunk to the action it carries out, or refuses it.
func (b *builder) allow(f *File, v *fileView, h *Hunk) error {
	if b.in.Plan == nil {
		return nil
	}
	actions := b.actionsFor(f)
	if len(actions) == 0 {
		return b.outside(f, h.OldLine, h.Symbol)
	}
	if f.Op == Created || f.Op == Deleted || wholeFile(actions[0], f.Path) {
		h.Action, h.Capability = actions[0].ID, actions[0].Capability
		return nil
	}
	touched := v.touched[h]
	for _, t := range touched {
		a := b.actionOf(actions, v, h, t, touched)
		if a == nil {
			return b.outside(f, h.OldLine, t.symbol.Canonical)
		}
		if h.Action == "" {
			h.Action, h.Capability = a.ID, a.Capability
		}
	}
	if len(touched) > 0 {
		return nil
	}
	if a := b.loose(f, actions, v, h); a != nil {
		h.Action, h.Capability = a.ID, a.Capability
		return nil
	}
	return b.outside(f, h.OldLine, h.Symbol)
}

// actionsFor are the actions that the plan has for a file. A new file also
// belongs to the action that creates something in its folder.
func (b *builder) actionsFor(f *File) []*changeset.Action {
	out := slices.Clone(b.plan.byFile[f.Path])
	if f.From != "" {
		out = append(out, b.plan.byFile[f.From]...)
	}
	if len(out) > 0 || f.Op != Created {
		return out
	}
	lang := b.after.Language(f.Path)
	for i := range b.in.Plan.Actions {
		a := &b.in.Plan.Actions[i]
		test := lang != nil && lang.TestFile != nil && lang.TestFile(f.Path)
		if (a.Kind == changeset.AddTest && test || a.Kind == changeset.Create && !test) && (a.Target.File == "" || parent(a.Target.File) == parent(f.Path)) && !b.exists(a.Target.File) {
			out = append(out, a)
		}
	}
	return out
}

func (b *builder) exists(path string) bool {
	_, ok := b.in.Before.File(path)
	return ok
}

// wholeFile reports whether an action is about the file as a whole: an output
// of its command, or a place in a file without symbols.
func wholeFile(a *changeset.Action, path string) bool { return slices.Contains(a.Outputs, path) }

// actionOf is the action that allows a symbol to change: its own, that of what
// encloses it, one whose target covers the lines, or one that creates something here.
func (b *builder) actionOf(actions []*changeset.Action, v *fileView, h *Hunk, t touch, touched []touch) *changeset.Action {
	from := v.before
	if t.isNew {
		from = v.after
	}
	for s, ok := t.symbol, true; ok; s, ok = from.Symbol(s.Parent) {
		for _, a := range actions {
			if a.Symbol == s.ID {
				return a
			}
		}
		if s.Parent == "" {
			break
		}
	}
	for _, a := range actions {
		if covers(a, v, h) || (t.isNew && b.creates(a, v, t.symbol, touched)) {
			return a
		}
	}
	return nil
}

// covers reports whether the action's target span holds the hunk's old lines.
func covers(a *changeset.Action, v *fileView, h *Hunk) bool {
	if a.Target.Start >= a.Target.End || a.Target.File != v.from || a.Target.End > len(v.old.data) {
		return false
	}
	first, last := v.old.lineAt(a.Target.Start), v.old.lineAt(a.Target.End-1)
	if h.OldCount == 0 {
		if a.Symbol != "" {
			return first < h.OldLine && h.OldLine <= last // inserted inside the symbol
		}
		return first <= h.OldLine && h.OldLine <= last+1 // or beside other text
	}
	return first <= h.OldLine && h.OldLine+h.OldCount-1 <= last
}

// creates reports whether a new symbol is what an action introduces: anything
// new where the plan creates or adds a test, the new name of a contract, or
// what stands where an allowed symbol was.
func (b *builder) creates(a *changeset.Action, v *fileView, s index.Symbol, touched []touch) bool {
	if a.Kind == changeset.Create || a.Kind == changeset.AddTest {
		return true
	}
	for _, c := range b.in.Plan.Contracts {
		if c.Rename != "" && (c.Rename == s.Name || c.Rename == s.Canonical) && a.Symbol == c.Symbol {
			return true
		}
	}
	for _, c := range b.in.Plan.Capabilities {
		if c.ID == a.Capability && slices.Contains(c.Creates, s.Canonical) {
			return true
		}
	}
	for _, t := range touched {
		if _, stays := v.after.Symbol(t.symbol.ID); !t.isNew && !stays && a.Symbol == t.symbol.ID && t.symbol.Kind == s.Kind {
			return true
		}
	}
	return false
}

// loose allows lines that belong to no symbol: imports of a file that has an
// action, blank lines, and what lies in an action's target.
func (b *builder) loose(f *File, actions []*changeset.Action, v *fileView, h *Hunk) *changeset.Action {
	for _, a := range actions {
		if covers(a, v, h) {
			return a
		}
	}
	if onlyImports(v, h) || blankLines(h.Old) && blankLines(h.New) {
		return actions[0]
	}
	plain := len(b.in.Before.Outline(v.from)) == 0 // of a file without symbols an action can mean all
	for _, a := range actions {
		if a.Symbol == "" && a.Target.Start >= a.Target.End && (plain || a.Kind == changeset.Create || a.Kind == changeset.AddTest) {
			return a
		}
	}
	return nil
}

func blankLines(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
}

// onlyImports reports whether all changed lines lie among the file's imports.
func onlyImports(v *fileView, h *Hunk) bool {
	return inImports(v.before, v.from, v.old, h.OldLine, h.OldCount) && inImports(v.after, v.path, v.now, h.NewLine, h.NewCount)
}

func inImports(s *index.Snapshot, path string, t *text, line, count int) bool {
	imports := s.Imports(path)
	for l := line; l < line+count; l++ {
		if strings.Trim(bare(t.lines[l-1]), " \t()") == "" || strings.TrimSpace(bare(t.lines[l-1])) == "import (" {
			continue
		}
		if !slices.ContainsFunc(imports, func(i index.Import) bool {
			return t.lineAt(int(i.Range.Start)) <= l && l <= t.lineAt(max(int(i.Range.Start), int(i.Range.End)-1))
		}) {
			return false
		}
	}
	return true
}

// allowFile holds a change without changed lines (a move, a mode, an empty
// file) against the plan.
func (b *builder) allowFile(f *File) error {
	if b.in.Plan == nil || len(b.actionsFor(f)) > 0 {
		return nil
	}
	return b.outside(f, 0, "")
}

// outside refuses a change outside of the write set and names the nearest action.
func (b *builder) outside(f *File, line int, symbol string) error {
	what := f.Path
	if symbol != "" {
		what = symbol
	}
	out := &fault.Fault{Class: fault.Dangerous, Op: "patch.write_set", Subject: fault.Subject{File: f.Path, Symbol: symbol, Line: line}, State: unchanged,
		Detail: fmt.Sprintf("%s is not in the plan's write set, so it must not change", what),
		Next:   "leave it as it is, or plan an action for it first"}
	if a := b.nearest(f.Path, line); a != nil {
		out.Candidates = []fault.Subject{{File: a.Target.File, Symbol: a.Symbol, Line: a.Target.Line, Text: "action " + a.ID}}
		out.Detail += fmt.Sprintf("; the nearest action is %s (%s)", a.ID, a.Why)
	}
	return out
}

// nearest is the action closest to a place: in the file by line, else in the
// folder, else any.
func (b *builder) nearest(path string, line int) *changeset.Action {
	var best *changeset.Action
	least := 1 << 30
	for i := range b.in.Plan.Actions {
		a := &b.in.Plan.Actions[i]
		d := 1 << 28
		switch {
		case a.Target.File == path:
			d = abs(a.Target.Line - line)
		case parent(a.Target.File) == parent(path):
			d = 1 << 24
		}
		if d < least {
			best, least = a, d
		}
	}
	return best
}
