package gate_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/patch"
)

// A Python module whose name begins with an underscore is internal: a signature in
// it is nobody's contract, unless the package passes the name on.
//
// covers: GAT-5
func TestSignaturesOfPrivateModulesAreNoContract(t *testing.T) {
	const module = "def send(order):\n    return order\n\n\ndef seal(order):\n    return order\n"
	base := fstest.MapFS{
		"shop/__init__.py":     {Data: []byte("from shop._wire import send\n")},
		"shop/_wire.py":        {Data: []byte(module)},
		"shop/_inner/parts.py": {Data: []byte(module)},
		"shop/wire.py":         {Data: []byte(module)},
	}
	before, err := (&index.TreeSitter{Languages: []*index.Language{python.Language()}}).Index(t.Context(), index.Input{FS: base})
	require.NoError(t, err)
	for _, c := range []struct {
		file, name string
		public     bool
	}{
		{"shop/_wire.py", "seal", false},
		{"shop/_inner/parts.py", "seal", false},
		{"shop/_wire.py", "send", true}, // passed on
		{"shop/wire.py", "seal", true},
	} {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			edit := patch.Edit{Op: patch.ReplaceText, File: c.file, Expect: "def " + c.name + "(order)", Text: "def " + c.name + "(order, key)"}
			set, err := (&patch.Anchored{FS: base}).Patch(t.Context(), patch.Input{Before: before, Edits: []patch.Edit{edit}})
			require.NoError(t, err)
			after, err := before.Overlay(t.Context(), set.Overlay())
			require.NoError(t, err)
			d, err := (&gate.Rules{}).Decide(t.Context(), gate.Input{Before: before, After: after, Set: set})
			require.NoError(t, err)
			rules := []string{}
			for _, f := range d.Findings {
				rules = append(rules, f.Rule)
			}
			if c.public {
				assert.Contains(t, rules, "signature.public")
			} else {
				assert.NotContains(t, rules, "signature.public")
			}
		})
	}
}
