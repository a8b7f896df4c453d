package changeset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// A changed overload puts every call of the function on the list that does not
// fit any more, whichever of its definitions the change names.
//
// covers: CHG-2
func TestAChangedOverloadFindsEveryCall(t *testing.T) {
	ts := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{typescript.Language()}}, indextest.Files{
		"package.json": `{"name": "t"}`,
		"a.ts":         "export function f(x: string): string;\nexport function f(x: number): number;\nexport function f(x: any): any { return x; }\n",
		"b.ts":         "import { f } from './a';\nexport function one() { return f('a'); }\nexport function two() { return f(1); }\n",
	}, nil)
	py := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{python.Language()}}, indextest.Files{
		"a.py": "from typing import overload\n@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x): return x\n",
		"b.py": "from a import f\ndef one(): return f('a')\ndef two(): return f(1)\n",
	}, nil)
	for _, c := range []struct {
		snap            *index.Snapshot
		name, signature string
	}{
		{ts, "t/a.f", "(x: string, y: string): string"},
		{py, "a.f", "(x, y)"},
	} {
		all := c.snap.Definitions(c.name).Sure
		require.Len(t, all, 3)
		for _, d := range all {
			p, err := (&changeset.Derived{}).Plan(t.Context(), changeset.Input{Snapshot: c.snap, Task: task.Task{
				Requirement:  "It takes two.",
				Capabilities: []task.Capability{{ID: "M-1", Sentence: "It takes two.", Symbols: []string{d.ID}, Layers: []string{"domain", "test"}}},
				Changes:      []task.Change{{Symbol: d.ID, NewSignature: c.signature}},
			}})
			require.NotNil(t, p, "%s: %v", d.ID, err)
			var callers []string
			for _, a := range p.Actions {
				if s, ok := c.snap.Symbol(a.Symbol); ok && a.Kind == changeset.Sync {
					callers = append(callers, s.Name)
				}
			}
			assert.Subset(t, callers, []string{"one", "two"}, d.ID)
		}
	}
}
