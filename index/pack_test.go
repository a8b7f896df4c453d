package index

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sampleFacts returns consistent facts of random content.
func sampleFacts(r *rand.Rand) *Facts {
	words := []string{"", "a", "Close", "größe", "x y"}
	word := func() string { return words[r.IntN(len(words))] }
	n := func(most int) uint32 { return uint32(r.IntN(most)) }
	ref := func(len int) int32 { return int32(r.IntN(len+1)) - 1 }
	f := &Facts{Path: "a/b.go", Language: "go", Hash: ContentHash([]byte(word())), Size: 70000, Origin: Origin(n(4)),
		Module: word(), Constraint: word(), LineStarts: []uint32{0, 5, 70000}, Names: []string{"Close", "b", "größe"}}
	for range r.IntN(4) {
		f.Imports = append(f.Imports, Import{Path: word(), Alias: word(), Range: Range{1, 3 + n(900)}, Symbols: []string{"q"}, Aliases: []string{word()}})
	}
	for range r.IntN(5) {
		f.Params = append(f.Params, Param{Name: word(), Type: word(), Default: word(), Variadic: n(2) == 1, Keyword: n(2) == 1, Optional: n(2) == 1})
	}
	for i := range r.IntN(6) {
		start := uint32(i * 300)
		f.Defs = append(f.Defs, Def{Name: n(3), Kind: Kind(n(13)), Visibility: Visibility(n(3)), Flags: uint16(n(64)), Parent: ref(i) / 2,
			Owner: ref(3), Range: Range{start, start + 200}, Ident: Range{start + 5, start + 9}, Body: start + n(300), Doc: Range{0, n(40)},
			Fingerprint: r.Uint64(), Type: -1, Value: -1})
		if f.Defs[i].Parent >= int32(i) {
			f.Defs[i].Parent = -1
		}
	}
	for i := range r.IntN(8) {
		f.Exprs = append(f.Exprs, Expr{Op: uint8(n(30)), Name: ref(3), A: ref(i), B: ref(300), L0: 0, L1: 0})
		f.Locals = append(f.Locals, Local{Name: n(3), Type: ref(len(f.Exprs)), Value: ref(i)})
		f.Lists = append(f.Lists, ref(70000))
	}
	for i := range f.Exprs {
		f.Exprs[i].L0 = n(len(f.Lists) + 1)
		f.Exprs[i].L1 = f.Exprs[i].L0 + n(len(f.Lists)+1-int(f.Exprs[i].L0))
	}
	f.HeadExprs, f.HeadLists, f.HeadLocals = n(len(f.Exprs)+1), n(len(f.Lists)+1), n(len(f.Locals)+1)
	for i := range r.IntN(6) {
		a := Args{Count: r.IntN(300), Spread: n(2) == 1, Start: r.IntN(60000)}
		a.End = a.Start + r.IntN(500)
		if n(2) == 1 {
			a.Names = []string{word(), "k"}
		}
		f.Calls = append(f.Calls, a)
		f.Sites = append(f.Sites, Site{Name: n(3), Start: uint32(i * 9000), In: ref(len(f.Defs)), Kind: RefKind(n(8)), Expr: ref(len(f.Exprs)), Call: ref(i)})
		f.Marks = append(f.Marks, MarkFact{Kind: MarkKind(1 + n(9)), Strength: uint8(n(4)), In: ref(len(f.Defs)), Range: Range{uint32(i), 70 + n(900)}, Text: word(), Form: word()})
		f.Directives = append(f.Directives, Directive{Range: Range{1, n(300) + 1}, Command: word(), Outputs: []string{word(), "o"}})
		f.Errors = append(f.Errors, Range{n(100), 100 + n(1000)})
		f.Missed = append(f.Missed, Range{n(100), 100 + n(1000)})
	}
	return f
}

// covers: ARC-4
func TestPackRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var p packer
	for range 500 {
		want := sampleFacts(r)
		packed := append(pack(nil), p.pack(want)...)
		got, ok := packed.unpack(complete)
		require.True(t, ok)
		require.Equal(t, want, got)
		assert.Equal(t, packed, append(pack(nil), p.pack(got)...), "the same facts give the same bytes")
		head, ok := packed.unpack(headOnly)
		require.True(t, ok)
		assert.Equal(t, want.Defs, head.Defs)
		assert.Equal(t, want.Params, head.Params)
		assert.Empty(t, head.Sites)
		if want.HeadExprs+want.HeadLists+want.HeadLocals > 0 {
			exprs, lists, locals := want.heads()
			assert.Len(t, head.Exprs, len(exprs))
			assert.Len(t, head.Lists, len(lists))
			assert.Len(t, head.Locals, len(locals))
		}
	}
}

// covers: ARC-4, IDX-4
func TestViewsReadWhatWasPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var p packer
	for range 200 {
		want := sampleFacts(r)
		f := &file{packed: &packed{pack: p.pack(want)}}
		sites, marks, defs := openSites(f.pack()), openMarks(f.pack()), openDefs(f.pack())
		for i := range want.Sites {
			assert.Equal(t, want.Sites[i], sites.read(i))
		}
		for i := range want.Marks {
			got := marks.read(i)
			got.Text, got.Form = want.Marks[i].Text, want.Marks[i].Form
			assert.Equal(t, want.Marks[i], got)
			assert.Equal(t, want.Marks[i].Text, string(f.pack().blob(partMarkEnds, i)))
		}
		for i := range want.Defs {
			var d Def
			defs.read(i, &d)
			assert.Equal(t, want.Defs[i], d)
		}
		for i := range want.Calls {
			assert.Equal(t, &want.Calls[i], f.args(i))
		}
		if n := uint32(len(want.Params)); n > 1 {
			assert.Equal(t, want.Params[1:n], f.params(1, n))
		}
	}
}

// FuzzUnpack feeds damaged packs: an error or wrong facts, never a crash.
func FuzzUnpack(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	var p packer
	for range 10 {
		f.Add(append([]byte(nil), p.pack(sampleFacts(r))...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, e := range []extent{headOnly, forLinks, complete} {
			if facts, ok := pack(data).unpack(e); ok {
				facts.check(facts.Size)
			}
		}
	})
}
