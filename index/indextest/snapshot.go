package indextest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// Snapshot checks that what a snapshot says in one place agrees with what it
// says in others: IDs are unique and found again, spans hold the names they
// claim, every reference is in the lists of its targets, and nothing is lost.
func Snapshot(t *testing.T, s *index.Snapshot) {
	ids := make(map[string]index.Symbol)
	for sym := range s.Symbols() {
		if _, twice := ids[sym.ID]; twice {
			t.Errorf("two symbols have the ID %s", sym.ID)
		}
		ids[sym.ID] = sym
		checkSymbol(t, s, sym)
	}
	refs, byTarget := 0, make(map[string]map[index.Span]index.Status)
	for r := range s.Refs() {
		refs++
		checkRef(t, s, ids, r)
		for _, target := range r.Targets {
			if byTarget[target] == nil {
				byTarget[target] = make(map[index.Span]index.Status)
			}
			byTarget[target][r.Span] = r.Status
		}
	}
	named := make(map[string][]index.Symbol)
	for _, sym := range ids {
		named[sym.Canonical] = append(named[sym.Canonical], sym)
	}
	for id, sym := range ids {
		want := byTarget[id]
		if all := oneThing(s, sym, named[sym.Canonical]); len(all) > 1 {
			want = make(map[index.Span]index.Status)
			for _, v := range all {
				for span, status := range byTarget[v.ID] {
					if want[span] != index.Static {
						want[span] = status
					}
				}
			}
		}
		checkReferences(t, s, id, want)
	}
	assert.Equal(t, len(ids), s.Stats().Symbols)
	assert.Equal(t, refs, s.Stats().References)
}

// oneThing returns those of the symbols of one canonical name that are one thing
// with sym, as far as its language has a say: those that it names and whose parents are.
func oneThing(s *index.Snapshot, sym index.Symbol, named []index.Symbol) []index.Symbol {
	lang := s.Language(sym.Span.File)
	if lang == nil || lang.Same == nil {
		return nil
	}
	var out []index.Symbol
	for _, o := range named {
		if o.ID == sym.ID || !value(o.Kind) && !value(sym.Kind) && o.Package == sym.Package && parentsAgree(s, lang, sym, o) && lang.Same(sym, o) {
			out = append(out, o)
		}
	}
	return out
}

func parentsAgree(s *index.Snapshot, lang *index.Language, a, b index.Symbol) bool {
	if a.Parent == b.Parent {
		return true
	}
	in, ok := s.Symbol(a.Parent)
	of, also := s.Symbol(b.Parent)
	return ok && also && in.Kind != index.KindFunction && in.Kind != index.KindMethod && in.Kind != index.KindConstructor &&
		parentsAgree(s, lang, in, of) && lang.Same(in, of)
}

func value(k index.Kind) bool {
	return k == index.KindField || k == index.KindVariable || k == index.KindConstant || k == index.KindEnumMember
}

func checkSymbol(t *testing.T, s *index.Snapshot, sym index.Symbol) {
	again, ok := s.Symbol(sym.ID)
	assert.True(t, ok, "%s is not found by its ID", sym.ID)
	assert.Equal(t, sym, again)
	src, err := s.Source(sym.Span.File)
	if err != nil {
		return
	}
	require.LessOrEqual(t, sym.Span.End, len(src))
	if sym.Kind != index.KindPackage && sym.Ident.End > sym.Ident.Start {
		assert.Equal(t, sym.Name, string(src[sym.Ident.Start:sym.Ident.End]), sym.ID)
	}
	if sym.Parent != "" {
		_, ok = s.Symbol(sym.Parent)
		assert.True(t, ok, "the parent %s of %s is not found", sym.Parent, sym.ID)
	}
	found := false
	for _, d := range s.Definitions(sym.Canonical).Sure {
		found = found || d.ID == sym.ID
	}
	assert.True(t, found, "%s is not found by its canonical name", sym.ID)
}

func checkRef(t *testing.T, s *index.Snapshot, ids map[string]index.Symbol, r index.Ref) {
	where := r.Span.File + ":" + r.Name
	src, err := s.Source(r.Span.File)
	if err == nil && assert.LessOrEqual(t, r.Span.End, len(src)) {
		assert.Equal(t, r.Name, string(src[r.Span.Start:r.Span.End]), where)
	}
	if r.In != "" {
		assert.Contains(t, ids, r.In, where)
	}
	identities := make(map[string]bool)
	for _, target := range r.Targets {
		assert.Contains(t, ids, target, where)
		identities[ids[target].Canonical] = true
	}
	assert.NotEmpty(t, r.Rule, where)
	switch r.Status {
	case index.Static:
		assert.LessOrEqual(t, len(identities), 1, "%s is static with several identities", where)
	case index.External:
		assert.Empty(t, r.Targets, where)
		assert.NotEmpty(t, r.Module, "%s is external without a module", where)
	default:
		assert.NotEmpty(t, r.Reason, "%s is %s without a reason", where, r.Status)
	}
}

// checkReferences compares References with what Refs said.
func checkReferences(t *testing.T, s *index.Snapshot, id string, want map[index.Span]index.Status) {
	a := s.References(id, 0)
	assert.Len(t, want, a.Total, id)
	assert.Equal(t, a.Total, len(a.Sure)+len(a.Confirm), id)
	for _, r := range a.Sure {
		assert.Equal(t, index.Static, want[r.Span], "%s in the sure references of %s", r.Span.File, id)
	}
	for _, r := range a.Confirm {
		status, listed := want[r.Span]
		assert.True(t, listed && status != index.Static, "%s in the references to confirm of %s", r.Span.File, id)
	}
	few := s.References(id, 1)
	assert.Equal(t, a.Total, few.Total, "the total depends on the limit")
	assert.LessOrEqual(t, len(few.Sure)+len(few.Confirm), 1)
	assert.Equal(t, s.Digest(), a.Basis.Digest)
}

// Language holds a language to its contract on the given files.
func Language(t *testing.T, lang *index.Language, files Files) {
	Languages(t, []*index.Language{lang}, files)
}

// Languages holds languages that are passed together, such as those of one
// family, to their contract. The first one has to have files.
func Languages(t *testing.T, langs []*index.Language, files Files) {
	Indexer(t, &index.TreeSitter{Languages: langs}, files)
	t.Run("dependencies cover every target", func(t *testing.T) { dependencies(t, langs, files) })
}

// dependencies checks with a Linker that records what it is asked: each target
// must stand in the file itself or in one of its Deps, directly or not, or an
// edit there would go unnoticed.
func dependencies(t *testing.T, langs []*index.Language, files Files) {
	var linker index.Linker
	var universe index.Universe
	recording := *langs[0]
	link := recording.Link
	if link == nil {
		t.Skip("the language has no linker")
	}
	recording.Link = func(ctx context.Context, u index.Universe) (index.Linker, error) {
		var err error
		universe = u
		linker, err = link(ctx, u)
		return linker, err
	}
	s := Index(t, &index.TreeSitter{Languages: append([]*index.Language{&recording}, langs[1:]...)}, files, nil)
	require.NotNil(t, linker, "no file is of the language")
	for i := range universe.Files {
		reach := reachable(linker, i)
		found, err := linker.Resolve(context.Background(), i)
		require.NoError(t, err)
		assert.Len(t, found, len(universe.Load(i).Sites), "one resolution for each site")
		for _, r := range found {
			for _, target := range r.Targets {
				assert.True(t, reach[int(target.File)], "%s refers to %s, on which it does not depend",
					universe.Files[i].Path, universe.Files[target.File].Path)
			}
		}
	}
	assert.NotEmpty(t, s.Digest())
}

func reachable(l index.Linker, from int) map[int]bool {
	seen := map[int]bool{from: true}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, d := range l.Deps(queue[0]) {
			if !seen[d] {
				seen[d] = true
				queue = append(queue, d)
			}
		}
	}
	return seen
}
