package gate_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
)

// covers: REL-2
func FuzzReadPolicy(f *testing.F) {
	for _, s := range []string{"", "deleted_files: 3\n", "protected: ['**/x', '[']\n", "strengths: {tests: block, dependencies: pass}\n", "schema: 2\n",
		"a: &a [*a]\n", "protected:\n- '{a,b}/**'\n- '\\\\'\n", "references: 9999999999999999999\n"} {
		f.Add([]byte(s))
	}
	in := gatetest.Input(f, map[string]string{"notes.txt": "one\n"}, map[string]string{"notes.txt": "two\n"})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := gate.ReadPolicy(data)
		if err != nil {
			return
		}
		// What can be read can be decided with.
		_, err = (&gate.Rules{Policy: p}).Decide(context.Background(), in)
		require.NoError(t, err)
	})
}
