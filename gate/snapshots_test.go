package gate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
)

// A host that hands over the snapshots of another change gets no authorization:
// the rules looked at those, and not at what the set writes.
// covers: GAT-13
func TestSnapshotsOfAnotherChangeAuthorizeNothing(t *testing.T) {
	before := map[string]string{".env": "A=0\n", "notes.txt": "one\n", "old.txt": "x\n"}
	weak := gatetest.Input(t, before, map[string]string{".env": "A=1\n"})
	other := gatetest.Input(t, before, map[string]string{"more.txt": "one\n"})
	gone := gatetest.Input(t, before, map[string]string{".env": ""})
	require.Equal(t, gate.Blocked, decide(t, &gate.Rules{}, weak).Verdict)
	require.NotNil(t, decide(t, &gate.Rules{}, other).Authorization)

	for name, in := range map[string]gate.Input{
		"after is before":        {Before: weak.Before, After: weak.Before, Set: weak.Set, Report: weak.Report},
		"before is after":        {Before: weak.After, After: weak.After, Set: weak.Set, Report: weak.Report},
		"after another change":   {Before: weak.Before, After: other.After, Set: weak.Set, Report: weak.Report},
		"a creation not in it":   {Before: other.Before, After: other.Before, Set: other.Set, Report: other.Report},
		"a deletion not in it":   {Before: weak.Before, After: other.After, Set: gone.Set, Report: gone.Report},
		"before another content": {Before: weak.After, After: other.After, Set: weak.Set, Report: weak.Report},
	} {
		d := decide(t, &gate.Rules{}, in)
		assert.Nil(t, d.Authorization, name)
	}
}
