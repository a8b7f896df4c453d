package index_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func shopIndex(t testing.TB) *index.Snapshot { return indextest.Index(t, toy(), shop, nil) }

// brief renders references as "file:line".
func brief(refs []index.Ref) []string {
	out := []string{}
	for _, r := range refs {
		out = append(out, place(r.Span))
	}
	return out
}

func place(s index.Span) string { return s.File + ":" + string(rune('0'+s.Line)) }

func ids(symbols []index.Symbol) []string {
	out := []string{}
	for _, s := range symbols {
		out = append(out, s.ID)
	}
	return out
}

// covers: IDX-27, IDX-6
func TestDefinitions(t *testing.T) {
	s := shopIndex(t)
	for name, want := range map[string][]string{
		"Refund":                              {"shop/pay.Refund@pay/refund.toy"},
		"shop/pay.Refund":                     {"shop/pay.Refund@pay/refund.toy"},
		"pay.Refund":                          {"shop/pay.Refund@pay/refund.toy"},
		"Live.Send":                           {"shop/pay.Live.Send@pay/gate.toy"},
		"Close":                               {"shop/pay.Gate.Close@pay/gate.toy", "shop/pay.Live.Close@pay/gate.toy", "shop/store.File.Close@store/store.toy"},
		"shop/store.Twice@store/twice.toy#2":  {"shop/store.Twice@store/twice.toy#2"},
		"Twice":                               {"shop/store.Twice@store/twice.toy", "shop/store.Twice@store/twice.toy#2"},
		"e.Refund":                            {},
		"shop/store.Twice@store/twice.toy#02": {},
	} {
		a := s.Definitions(name)
		assert.Equal(t, want, ids(a.Sure), name)
		assert.Equal(t, len(want), a.Total, name)
	}
	a := s.DefinitionsUpTo("Close", 2)
	assert.Len(t, a.Sure, 2)
	assert.Equal(t, 3, a.Total)
	assert.True(t, a.Cut())
}

// covers: IDX-29
func TestUnknownNamesAreAnsweredFromTheText(t *testing.T) {
	a := shopIndex(t).Definitions("outside")
	assert.Empty(t, a.Sure)
	assert.Equal(t, "lexical", a.Basis.Tier)
	assert.Equal(t, "low", a.Basis.Confidence)
	require.NotEmpty(t, a.Basis.Places)
	assert.Equal(t, "web/web.toy", a.Basis.Places[0].File)
	notes := strings.Join(shopIndex(t).Definitions("Refnd").Basis.Notes, "\n")
	assert.Contains(t, notes, "shop/pay.Refund")
	assert.Contains(t, notes, "does not say that there is none")
	s := shopIndex(t)
	refs := s.References("outside.Go", 0)
	require.Len(t, refs.Confirm, 1)
	assert.Empty(t, refs.Sure)
	assert.Equal(t, 1, refs.Total)
	assert.Equal(t, index.External, refs.Confirm[0].Status, "what was extracted there comes as it is")
	assert.Equal(t, "outside", refs.Confirm[0].Module)
	words := s.References("shop", 0)
	require.NotEmpty(t, words.Confirm)
	assert.Equal(t, "lexical", words.Confirm[0].Rule)
	assert.Contains(t, words.Confirm[0].Reason, "found as text")
	callers := s.Callers("outside.Go", 0)
	require.Len(t, callers.Confirm, 1)
	assert.Equal(t, "shop/web.Handle@web/web.toy", callers.Confirm[0].From)
	impact := s.Impact("outside.Go", 1)
	require.Len(t, impact.Confirm, 1)
	assert.Equal(t, "shop/web.Handle@web/web.toy", impact.Confirm[0].Symbol.ID)
	assert.Equal(t, "lexical", impact.Confirm[0].Path[0].Kind)
	tests := s.TestsFor("other")
	require.Len(t, tests.Confirm, 1)
	assert.Equal(t, "TestOther", tests.Confirm[0].Test.Name)
	for _, a := range []any{s.References("nowhere", 0), s.Callers("nowhere", 0), s.Callees("nowhere", 0), s.Definitions("nowhere"),
		s.Impact("nowhere", 0), s.Members("nowhere"), s.TestsFor("nowhere"), s.ByPath("nowhere"), s.References("store.write", 0),
		s.Members("pay.Live"), s.Impact("store.Twice", 1)} {
		data, err := json.Marshal(a)
		require.NoError(t, err)
		assert.NotContains(t, string(data), "null", "an empty list is written as one")
	}
	assert.Equal(t, "lexical", shopIndex(t).References("Refnd", 0).Basis.Tier)
	assert.Equal(t, "lexical", shopIndex(t).Impact("Refnd", 1).Basis.Tier)
	assert.Equal(t, "lexical", shopIndex(t).TestsFor("Refnd").Basis.Tier)
}

// covers: IDX-27, IDX-9
func TestReferencesTellSureFromToConfirm(t *testing.T) {
	s := shopIndex(t)
	a := s.References("shop/pay.Refund@pay/refund.toy", 0)
	assert.Equal(t, []string{"pay/refund_test.toy:2", "web/web.toy:4"}, brief(a.Sure))
	assert.Empty(t, a.Confirm)
	a = s.References("Live.Close", 0)
	assert.Empty(t, a.Sure)
	assert.Equal(t, []string{"pay/refund.toy:7"}, brief(a.Confirm), "a call by name can mean it")
	require.Len(t, a.Confirm, 1)
	assert.Equal(t, index.Ambiguous, a.Confirm[0].Status)
	assert.Len(t, a.Confirm[0].Targets, 3)
	a = s.References("pay.Refund", 1)
	assert.Len(t, a.Sure, 1)
	assert.Equal(t, 2, a.Total)
}

// covers: IDX-35
func TestAnEmptyAnswerSaysWhatItRestsOn(t *testing.T) {
	s := shopIndex(t)
	a := s.References("store.File.Close", 0)
	assert.Equal(t, s.Digest(), a.Basis.Digest)
	assert.Equal(t, 8, a.Basis.Files)
	assert.Equal(t, 1, a.Basis.Ambiguous)
	require.Len(t, a.Basis.Places, 1)
	assert.Equal(t, "pay/refund.toy:7", place(a.Basis.Places[0]))
	assert.Equal(t, "medium", a.Basis.Confidence)
	assert.Equal(t, "high", s.References("store.write", 0).Basis.Confidence)
	stale := s.WithStale([]string{"store/store.toy", "a"})
	assert.Equal(t, []string{"a", "store/store.toy"}, stale.References("store.write", 0).Basis.Stale)
	assert.Equal(t, "medium", stale.Impact("store.write", 1).Basis.Confidence)
	assert.Empty(t, s.References("store.write", 0).Basis.Stale, "the first snapshot is as it was")
}

// covers: IDX-27, IDX-13
func TestCallersIncludeThoseOfTheInterface(t *testing.T) {
	files := with(shop, "pay/gate.toy", shop["pay/gate.toy"]+"def direct\ncall Send\n\n")
	files["pay/send.toy"] = "def Send\n\n"
	s := indextest.Index(t, toy(), files, nil)
	a := s.Callers("Live.Send", 0)
	assert.Empty(t, a.Sure)
	require.Len(t, a.Confirm, 1)
	assert.Equal(t, "shop/pay.Use@pay/gate.toy", a.Confirm[0].From)
	a = s.Callers("pay.Refund", 0)
	require.Len(t, a.Sure, 2)
	assert.Equal(t, "shop/pay.TestRefund@pay/refund_test.toy", a.Sure[0].From)
	assert.Equal(t, "shop/pay.Refund@pay/refund.toy", a.Sure[0].To)
	out := s.Callees("web.Handle", 0)
	require.Len(t, out.Sure, 2)
	assert.Equal(t, "shop/pay.Refund@pay/refund.toy", out.Sure[0].To)
	assert.Equal(t, "outside", out.Sure[1].Ref.Module)
	require.Len(t, out.Confirm, 1, "what is not resolved is kept apart")
	assert.Equal(t, "check", out.Confirm[0].Ref.Name)
}

func with(files indextest.Files, path, content string) indextest.Files {
	out := indextest.Files{path: content}
	for p, c := range files {
		if p != path {
			out[p] = c
		}
	}
	return out
}

// covers: IDX-27
func TestMembers(t *testing.T) {
	s := shopIndex(t)
	gate := s.Members("pay.Gate")
	assert.Equal(t, []string{"shop/pay.Gate.Send@pay/gate.toy", "shop/pay.Gate.Close@pay/gate.toy"}, ids(gate.Methods))
	require.Len(t, gate.Implementations, 1)
	assert.Equal(t, "shop/pay.Live@pay/gate.toy", gate.Implementations[0].ID)
	assert.Empty(t, gate.Missing)
	assert.Equal(t, index.Implements, s.Members("pay.Live").Implements[0].Via)
	// A method in another file of the package belongs to the type, too.
	moved := with(shop, "pay/gate.toy", strings.Replace(shop["pay/gate.toy"], "def Live.Close\n", "", 1))
	moved["pay/more.toy"] = "def Live.Reopen\n\n"
	s = indextest.Index(t, toy(), moved, nil)
	assert.Equal(t, []string{"shop/pay.Live.Send@pay/gate.toy", "shop/pay.Live.Reopen@pay/more.toy"}, ids(s.Members("pay.Live").Methods))
	want := []index.Lack{{Type: "shop/pay.Live@pay/gate.toy", Of: "shop/pay.Gate@pay/gate.toy", Methods: []string{"Close"}}}
	assert.Equal(t, want, s.Members("pay.Live").Missing)
	assert.Equal(t, want, s.Members("pay.Gate").Missing)
}

// covers: IDX-27
func TestTestsForSaysHowEachWasFound(t *testing.T) {
	s := shopIndex(t)
	a := s.TestsFor("store.Save")
	require.Len(t, a.Sure, 1)
	assert.Equal(t, "TestRefund", a.Sure[0].Test.Name)
	assert.Equal(t, "calls", a.Sure[0].Source)
	assert.Equal(t, 2, a.Sure[0].Depth)
	assert.Equal(t, []string{"shop/store.Save@store/store.toy", "shop/pay.Refund@pay/refund.toy", "shop/pay.TestRefund@pay/refund_test.toy"}, a.Sure[0].Path)
	files := with(shop, "it/all_test.toy", "import store\ntest TestAll\ncall nothing\n\n")
	s = indextest.Index(t, toy(), files, nil)
	sources := func(q string) map[string]string {
		out := map[string]string{}
		for _, l := range append(s.TestsFor(q).Sure, s.TestsFor(q).Confirm...) {
			out[l.File+" "+l.Test.Name] = l.Source
		}
		return out
	}
	assert.Equal(t, map[string]string{"pay/refund_test.toy TestRefund": "calls", "it/all_test.toy ": "import"}, sources("store/store.toy"))
	assert.Equal(t, map[string]string{"pay/refund_test.toy TestRefund": "calls", "pay/refund_test.toy TestOther": "naming",
		"pay/refund_test.toy ": "build"}, sources("pay/refund.toy"))
	assert.Equal(t, map[string]string{"pay/refund_test.toy ": "build"}, sources("pay.Live"))
}

// covers: IDX-27
func TestByPath(t *testing.T) {
	s := shopIndex(t)
	a := s.ByPath("pay/refund.toy")
	assert.Equal(t, []string{"web/web.toy:1"}, brief(a.Sure))
	assert.Equal(t, []string{"README.md:1"}, brief(a.Confirm))
	assert.Equal(t, "pay/refund.toy", a.Confirm[0].Name)
	assert.Equal(t, 2, a.Total)
	assert.Contains(t, s.ByPath("no/such.toy").Basis.Notes[0], "no such file")
}

// covers: IDX-27, IDX-1
func TestSearchClassesHits(t *testing.T) {
	s := shopIndex(t)
	a, err := s.Search(context.Background(), index.Pattern{Text: "store"})
	require.NoError(t, err)
	kinds := map[string]string{}
	for _, h := range a.Sure {
		kinds[place(h.Span)] = h.Kind
	}
	assert.Equal(t, "comment", kinds["store/store.toy:1"])
	assert.Equal(t, "code", kinds["pay/refund.toy:1"])
	assert.Equal(t, len(a.Sure), a.Total)
	a, err = s.Search(context.Background(), index.Pattern{Regexp: `^call \w+$`, Limit: 2})
	require.NoError(t, err)
	assert.Len(t, a.Sure, 2)
	assert.True(t, a.Cut())
	assert.Contains(t, strings.Join(a.Basis.Notes, " "), "lower bound")
	assert.Equal(t, "shop/pay.Refund@pay/refund.toy", a.Sure[0].In)
	a, err = s.Search(context.Background(), index.Pattern{Text: "Refun", Word: true})
	require.NoError(t, err)
	assert.Empty(t, a.Sure)
	for _, p := range []index.Pattern{{}, {Text: "a", Regexp: "b"}, {Regexp: "("}} {
		_, err = s.Search(context.Background(), p)
		assert.ErrorIs(t, err, fault.InvalidInput)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.Search(ctx, index.Pattern{Text: "a"})
	assert.ErrorIs(t, err, fault.Canceled)
}

// covers: IDX-28, IDX-18
func TestImpactTellsLayersApart(t *testing.T) {
	s := shopIndex(t)
	im := s.Impact("store.write", 3)
	require.Len(t, im.Same, 1)
	assert.Equal(t, "Save", im.Same[0].Symbol.Name)
	assert.True(t, im.Same[0].HighRisk)
	assert.False(t, im.HighRisk)
	names := map[string]index.Effect{}
	for _, e := range im.Cross {
		names[e.Symbol.Name] = e
	}
	require.Len(t, names, 3)
	e := names["TestRefund"]
	assert.Equal(t, 3, e.Depth)
	assert.InDelta(t, index.OriginWeight(index.Test), e.Weight, 1e-6)
	require.Len(t, e.Path, 3)
	assert.Equal(t, "shop/store.write@store/store.toy", e.Path[0].From)
	assert.Equal(t, e.Symbol.ID, e.Path[2].To)
	assert.Equal(t, "call", e.Path[2].Kind)
	assert.Empty(t, im.Confirm)
	assert.Equal(t, 1, s.Impact("store.write", 1).SameTotal)
	assert.Zero(t, s.Impact("store.write", 1).CrossTotal)
	cut := s.ImpactUpTo("store.write", 3, 1)
	assert.Len(t, cut.Cross, 1)
	assert.Equal(t, 3, cut.CrossTotal)
}

// covers: IDX-28, IDX-9
func TestImpactThroughAnInterfaceIsToBeConfirmed(t *testing.T) {
	s := shopIndex(t)
	im := s.Impact("Gate.Send", 1)
	require.Len(t, im.Same, 1)
	assert.Equal(t, "shop/pay.Live.Send@pay/gate.toy", im.Same[0].Symbol.ID, "an implementation has to follow")
	assert.Equal(t, "implements", im.Same[0].Path[0].Kind)
	im = s.Impact("Live.Send", 1)
	assert.Empty(t, im.Same)
	require.Len(t, im.Confirm, 1)
	assert.Equal(t, "Use", im.Confirm[0].Symbol.Name)
	assert.Less(t, im.Confirm[0].Weight, 1.0)
}

// covers: IDX-16
func TestDerivedFilesNameTheirSource(t *testing.T) {
	files := indextest.Files{
		"api/api.idl":     "thing\n",
		"api/gen.toy":     "generate idlc -in=api.idl -> api_gen.toy\ngenerate mock ./x -> other.txt\n",
		"api/api_gen.toy": "# Code generated by idlc. DO NOT EDIT.\ndef Generated\n",
		"one/gen.toy":     "generate make it -> nothing.toy\n",
		"one/made.toy":    "# Code generated by something; DO NOT EDIT.\ndef Made\n",
		"far/pb.toy":      "# Code generated by protoc-gen-toy. DO NOT EDIT.\n# source: api/api.idl\ndef PB\n",
		"two/gen.toy":     "generate enumer -type=T -> a.txt\ngenerate lister -> b.txt\n",
		"two/by.toy":      "# Code generated by \"lister\"; DO NOT EDIT.\ndef By\n",
	}
	s := indextest.Index(t, toy(), files, nil)
	d, ok := s.Derived("api/api_gen.toy")
	require.True(t, ok)
	assert.Equal(t, "api/api.idl", d.Source)
	assert.Equal(t, "idlc -in=api.idl", d.Command)
	assert.Equal(t, "api", d.Dir)
	assert.Equal(t, "api/gen.toy:1", place(d.By))
	d, _ = s.Derived("one/made.toy")
	assert.Equal(t, "make it", d.Command, "the only command of the package")
	d, _ = s.Derived("far/pb.toy")
	assert.Equal(t, "api/api.idl", d.Source)
	assert.Empty(t, d.Command)
	d, _ = s.Derived("two/by.toy")
	assert.Equal(t, "lister", d.Command, "the header names the tool")
	_, ok = s.Derived("one/gen.toy")
	assert.False(t, ok)
	f, _ := s.File("one/made.toy")
	assert.Equal(t, index.Generated, f.Origin)
}

// covers: IDX-17, IDX-27
func TestPackagesSayHowToBuildAndTest(t *testing.T) {
	all := shopIndex(t).Packages()
	require.Len(t, all, 3)
	assert.Equal(t, "shop/pay", all[0].Path)
	assert.Equal(t, []string{"pay/gate.toy", "pay/refund.toy", "pay/refund_test.toy"}, all[0].Files)
	assert.Equal(t, []string{"toy", "test", "pay"}, all[0].Test)
	assert.Equal(t, []string{"toy", "build", "pay"}, all[0].Build)
}

// covers: IDX-30
func TestSmallRepositoriesAreSaidToBe(t *testing.T) {
	assert.True(t, shopIndex(t).Small())
	large := with(shop, "long.txt", strings.Repeat("x\n", 5000))
	assert.False(t, indextest.Index(t, toy(), large, nil).Small())
}

func TestAtAndOutline(t *testing.T) {
	s := shopIndex(t)
	src := shop["pay/gate.toy"]
	sym, ok := s.At("pay/gate.toy", strings.Index(src, "call ?.Send"))
	require.True(t, ok)
	assert.Equal(t, "Use", sym.Name)
	_, ok = s.At("pay/gate.toy", len(src)+1)
	assert.False(t, ok)
	assert.Len(t, s.Outline("pay/gate.toy"), 7)
	assert.Len(t, s.RefsIn("pay/gate.toy"), 2)
	assert.Equal(t, "pay", s.Imports("web/web.toy")[0].Path)
	assert.Equal(t, "toy", s.Language("pay/gate.toy").Name)
	assert.Nil(t, s.Language("README.md"))
}

// covers: IDX-29
func TestNear(t *testing.T) {
	s := shopIndex(t)
	assert.Equal(t, []string{"shop/pay.Refund"}, s.Near("refund", 1))
	assert.Equal(t, []string{"shop/pay.Refund"}, s.Near("Rfeund", 1))
	assert.Contains(t, s.Near("TestRefunds", 5), "shop/pay.TestRefund")
	assert.Contains(t, s.Near("RefundTest", 5), "shop/pay.TestRefund")
	assert.Empty(t, s.Near("Zzzzzz", 5))
	assert.Empty(t, s.Near("", 5))
}

// covers: IDX-27, IDX-16
func TestByPathFindsWhatNamesAFile(t *testing.T) {
	files := with(bank, "pay/read.go", "package pay\n\nimport \"os\"\n\nfunc read() {\n\tos.Open(\"testdata/rates.json\")\n\tos.Open(\"rates.json\")\n\tos.Open(\"plain.json\")\n}\n")
	files["pay/testdata/rates.json"], files["a/plain.json"], files["b/plain.json"] = "{}", "{}", "{}"
	s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{golang.Language()}}, files, nil)
	assert.Equal(t, []string{"pay/read.go:6", "pay/read.go:7"}, brief(s.ByPath("pay/testdata/rates.json").Confirm))
	assert.Empty(t, s.ByPath("a/plain.json").Confirm, "two files bear the bare name")
}
