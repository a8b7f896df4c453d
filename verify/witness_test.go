package verify_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/typescript"
	"github.com/plumbkit/plumb/verify"
)

// A file that holds types alone is loaded by whoever imports it, and a failure
// planted there is noticed by a test in another folder that reaches it by imports.
// What no test imports proves nothing, and the way out is a test.
//
// covers: VER-24
func TestWhatIsOnlyImportedIsProvenByItsImporters(t *testing.T) {
	before, ws := indexed(t, typescript.Language(), map[string]string{
		"package.json":           `{"name": "shop"}`,
		"src/index.ts":           "import './ambient'\nexport { total } from './total'\n",
		"src/total.ts":           "export function total() { return 1 }\n",
		"src/ambient.ts":         "export {}\ndeclare global { interface Price { cents: number } }\n",
		"scripts/release.ts":     "console.log('release')\n",
		"tests/total.spec.ts":    "import { test, expect } from 'vitest'\nimport { total } from '../src'\ntest('adds', () => { expect(total()).toBe(1) })\n",
		"tests/separate.spec.ts": "import { test, expect } from 'vitest'\ntest('is', () => { expect(1).toBe(1) })\n",
	})
	l2 := func(files map[string]string) verify.Layer {
		over := map[string][]byte{}
		for name, text := range files {
			over[name] = []byte(text)
		}
		after, err := before.Overlay(t.Context(), over)
		require.NoError(t, err)
		runner := func(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
			ambient, err := os.ReadFile(filepath.Join(run.Dir, "src/ambient.ts"))
			if settings, _ := os.ReadFile(filepath.Join(run.Dir, "package.json")); bytes.Contains(settings, []byte(index.PlantMark)) {
				return nil, &fault.Fault{Class: fault.Environment, Op: "tool.run", Detail: "the tool could not start", State: "nothing was run", Next: "mend package.json"}
			}
			for _, id := range run.Tests {
				o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
				if id.File == "total.spec.ts" && bytes.Contains(ambient, []byte(index.PlantMark)) {
					o.Status, o.Output = verify.Failed, index.PlantMark
				}
				out = append(out, o)
			}
			return out, err
		}
		v := &verify.Layered{Runner: verify.RunnerFunc(runner), Sandbox: sandbox.Func(noProcess), Repeat: -1}
		r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
		require.NoError(t, err)
		return layer(t, r, verify.L2)
	}
	types := "export {}\ndeclare global { interface Price { cents: number; currency: string } }\n"
	l := l2(map[string]string{"src/ambient.ts": types})
	assert.Equal(t, verify.LayerPassed, l.Status, "%v", l.Findings)

	// What the tool reads before any test runs proves nothing, nor does it keep code from it.
	l = l2(map[string]string{"src/ambient.ts": types, "package.json": `{"name": "shop", "version": "2"}`})
	assert.Equal(t, verify.LayerPassed, l.Status, "%v", l.Findings)
	l = l2(map[string]string{"package.json": `{"name": "shop", "version": "2"}`})
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.Equal(t, "not_executed", l.Findings[0].Rule)

	l = l2(map[string]string{"scripts/release.ts": "console.log('released')\n"})
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.Contains(t, l.Next, "add a test")
}
