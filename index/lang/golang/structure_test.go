package golang

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// covers: ARC-12, GAT-8
func TestStructure(t *testing.T) { indextest.Structure(t, Language(), "testdata/structure/*.txtar") }

// covers: ARC-12, GAT-5
func TestContract(t *testing.T) {
	declared := func(params ...index.Param) index.Declared {
		alias := func(name string) (s index.Symbol, ok bool) {
			s.Signature.Text = "type Count = int"
			return s, name == "Count"
		}
		return index.Declared{Symbol: index.Symbol{Kind: index.KindFunction, Signature: index.Signature{Params: params}}, Alias: alias}
	}
	for name, c := range map[string]struct {
		before, after index.Param
		want          index.Contract
	}{
		"another name":           {index.Param{Name: "a", Type: "int"}, index.Param{Name: "b", Type: "int"}, index.Same},
		"an alias":               {index.Param{Type: "Count"}, index.Param{Type: "int"}, index.Same},
		"a name inside of func":  {index.Param{Type: "func(a int)"}, index.Param{Type: "func(b int)"}, index.Same},
		"another type":           {index.Param{Type: "int"}, index.Param{Type: "int64"}, index.Broken},
		"any number of them now": {index.Param{Type: "int"}, index.Param{Type: "int", Variadic: true}, index.Broken},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, contract(declared(c.before), declared(c.after))) })
	}
	assert.Equal(t, index.Broken, contract(declared(), declared(index.Param{Type: "int"})))
}
