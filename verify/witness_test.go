package verify_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
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

// The tests that lead into a file are asked first, though others of its folder come
// before them by name, and what tests read is planted behind code.
//
// covers: VER-24
func TestThoseWhoLeadIntoTheFileAreAsked(t *testing.T) {
	files := map[string]string{
		"package.json":    `{"name": "shop"}`,
		"price.ts":        "export const rate = () => 1\n",
		"z.spec.ts":       "import { test, expect } from 'vitest'\nimport { rate } from './price'\ntest('rate', () => { expect(rate()).toBe(1) })\n",
		"fixtures/one.ts": "export const one = 1\n", "fixtures/two.ts": "export const two = 1\n", "fixtures/three.ts": "export const three = 1\n",
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		files[name+".spec.ts"] = "import { test, expect } from 'vitest'\ntest('" + name + "', () => { expect(1).toBe(1) })\n"
	}
	before, ws := indexed(t, typescript.Language(), files)
	over := map[string][]byte{"price.ts": []byte("export const rate = () => 2 - 1\n")}
	for _, name := range []string{"one", "two", "three"} {
		over["fixtures/"+name+".ts"] = []byte("export const " + name + " = 2\n")
	}
	after, err := before.Overlay(t.Context(), over)
	require.NoError(t, err)
	runner := func(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
		price, err := os.ReadFile(filepath.Join(run.Dir, "price.ts"))
		for _, id := range run.Tests {
			o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
			// What is thrown inside of the function is swallowed by its caller.
			if id.File == "z.spec.ts" && bytes.HasPrefix(bytes.TrimSpace(price), []byte("if (true)")) {
				o.Status, o.Output = verify.Failed, index.PlantMark
			}
			out = append(out, o)
		}
		return out, err
	}
	v := &verify.Layered{Runner: verify.RunnerFunc(runner), Sandbox: sandbox.Func(noProcess), Repeat: -1}
	r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
	require.NoError(t, err)
	assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L2).Status, "%v", layer(t, r, verify.L2).Findings)

	// A file of tests is planted before its own tests.
	after, err = before.Overlay(t.Context(), map[string][]byte{"z.spec.ts": []byte(strings.Replace(files["z.spec.ts"], "'rate'", "'the rate'", 1))})
	require.NoError(t, err)
	v.Runner = verify.RunnerFunc(func(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
		spec, err := os.ReadFile(filepath.Join(run.Dir, "z.spec.ts"))
		for _, id := range run.Tests {
			o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
			if id.File == "z.spec.ts" && bytes.Contains(spec, []byte(index.PlantMark)) {
				o.Status, o.Output = verify.Failed, index.PlantMark
			}
			out = append(out, o)
		}
		return out, err
	})
	r, err = v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
	require.NoError(t, err)
	assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L2).Status, "%v", layer(t, r, verify.L2).Findings)
}
