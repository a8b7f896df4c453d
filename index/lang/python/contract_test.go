package python

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
)

// covers: ARC-12, GAT-5
func TestContract(t *testing.T) {
	type params = []index.Param
	for name, c := range map[string]struct {
		before, after params
		want          index.Contract
	}{
		"nothing":                      {params{{Name: "a"}}, params{{Name: "a"}}, index.Same},
		"another name":                 {params{{Name: "a"}}, params{{Name: "b"}}, index.Broken},
		"a name that nobody gives":     {params{{Name: "_a"}}, params{{Name: "_b"}}, index.Same},
		"an optional one more":         {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b", Optional: true, Default: "1"}}, index.Wider},
		"a keyword more":               {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b", Keyword: true, Optional: true}}, index.Wider},
		"a demanded keyword more":      {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b", Keyword: true}}, index.Broken},
		"a demanded one more":          {params{{Name: "a"}}, params{{Name: "a"}, {Name: "b"}}, index.Broken},
		"an optional one before":       {params{{Name: "a"}}, params{{Name: "b", Optional: true}, {Name: "a", Optional: true}}, index.Broken},
		"one less":                     {params{{Name: "a"}, {Name: "b"}}, params{{Name: "a"}}, index.Broken},
		"another order":                {params{{Name: "a"}, {Name: "b"}}, params{{Name: "b"}, {Name: "a"}}, index.Broken},
		"another default":              {params{{Name: "a", Optional: true, Default: "1"}}, params{{Name: "a", Optional: true, Default: "2"}}, index.Broken},
		"no default any more":          {params{{Name: "a", Optional: true, Default: "1"}}, params{{Name: "a"}}, index.Broken},
		"a default now":                {params{{Name: "a"}}, params{{Name: "a", Optional: true, Default: "1"}}, index.Wider},
		"by name only now":             {params{{Name: "a"}}, params{{Name: "a", Keyword: true}}, index.Broken},
		"by position too now":          {params{{Name: "a", Keyword: true}}, params{{Name: "a"}}, index.Wider},
		"any number of them now":       {params{{Name: "a"}}, params{{Name: "a"}, {Name: "args", Variadic: true}}, index.Wider},
		"no longer any number of them": {params{{Name: "args", Variadic: true}}, nil, index.Broken},
		"a type now":                   {params{{Name: "a"}}, params{{Name: "a", Type: "int"}}, index.Same},
		"a wider type":                 {params{{Name: "a", Type: "int"}}, params{{Name: "a", Type: "int | None"}}, index.Wider},
		"a narrower type":              {params{{Name: "a", Type: "Optional[int]"}}, params{{Name: "a", Type: "int"}}, index.Broken},
		"a type in other words":        {params{{Name: "a", Type: "t.Optional[int]"}}, params{{Name: "a", Type: "int | None"}}, index.Same},
	} {
		t.Run(name, func(t *testing.T) {
			before := index.Declared{Symbol: index.Symbol{Signature: index.Signature{Params: c.before}}}
			after := index.Declared{Symbol: index.Symbol{Signature: index.Signature{Params: c.after}}}
			assert.Equal(t, c.want, contract(before, after))
		})
	}
	gives := func(s string) index.Declared {
		return index.Declared{Symbol: index.Symbol{Signature: index.Signature{Results: typed(s)}}}
	}
	assert.Equal(t, index.Broken, contract(gives("int"), gives("int | None")), "callers have to reckon with more")
	assert.Equal(t, index.Wider, contract(gives("int | None"), gives("int")))
	assert.Equal(t, index.Same, contract(gives(""), gives("int")))
}

func typed(s string) []index.Param { return []index.Param{{Type: s}} }
