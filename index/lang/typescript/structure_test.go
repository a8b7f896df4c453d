package typescript

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// covers: ARC-12, GAT-8
func TestStructure(t *testing.T) { indextest.Structure(t, TSX(), "testdata/structure/*.txtar") }

// covers: ARC-12, GAT-5
func TestContract(t *testing.T) {
	type params = []index.Param
	contract := Language().Contract
	for name, c := range map[string]struct {
		before, after params
		want          index.Contract
	}{
		"another name":         {params{{Name: "a", Type: "number"}}, params{{Name: "b", Type: "number"}}, index.Same},
		"another type":         {params{{Name: "a", Type: "number"}}, params{{Name: "a", Type: "string"}}, index.Broken},
		"a wider type":         {params{{Name: "a", Type: "number"}}, params{{Name: "a", Type: "string | number"}}, index.Wider},
		"a narrower type":      {params{{Name: "a", Type: "string | number"}}, params{{Name: "a", Type: "number"}}, index.Broken},
		"an optional one more": {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b", Optional: true}}, index.Wider},
		"a demanded one more":  {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b"}}, index.Broken},
		"one less":             {params{{Name: "a"}, {Name: "b"}}, params{{Name: "a"}}, index.Broken},
		"optional now":         {params{{Name: "a"}}, params{{Name: "a", Optional: true}}, index.Wider},
		"demanded now":         {params{{Name: "a", Optional: true}}, params{{Name: "a"}}, index.Broken},
		"another default":      {params{{Name: "a", Optional: true, Default: "1"}}, params{{Name: "a", Optional: true, Default: "2"}}, index.Broken},
		"a rest one more":      {params{{Name: "a"}}, params{{Name: "a"}, {Name: "more", Variadic: true}}, index.Wider},
	} {
		t.Run(name, func(t *testing.T) {
			before := index.Declared{Symbol: index.Symbol{Signature: index.Signature{Params: c.before}}}
			after := index.Declared{Symbol: index.Symbol{Signature: index.Signature{Params: c.after}}}
			assert.Equal(t, c.want, contract(before, after))
		})
	}
	field := func(text string) index.Declared {
		return index.Declared{Symbol: index.Symbol{Name: "a", Kind: index.KindField, Signature: index.Signature{Text: text, Type: "number"}}}
	}
	assert.Equal(t, index.Broken, contract(field("a?: number"), field("a: number")))
	assert.Equal(t, index.Same, contract(field("a: number"), field("a: number")))
}
