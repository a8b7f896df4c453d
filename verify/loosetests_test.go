package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index/lang/typescript"
	"github.com/plumbkit/plumb/verify"
)

// An assertion counts for a capability point when the very test that reaches the
// point's symbols makes it, itself or through a function of the tests that it
// calls. That another test of the same file asserts something proves nothing.
//
// covers: VER-9
func TestAssertionsOfTestsThatAreCalls(t *testing.T) {
	const source = "export function refund(n: number) {\n  return n;\n}\n"
	for name, c := range map[string]struct {
		spec    string
		asserts []string
		missing string
	}{
		"its own": {`it("refunds", () => { expect(refund(1)).toBe(1); });
it("adds", () => { expect(1 + 1).toBe(2); });
`, []string{"expect(refund(1)).toBe(1)"}, ""},
		"another test's": {`it("refunds", () => { refund(1); });
it("adds", () => { expect(1 + 1).toBe(2); });
`, nil, "the tests that reach it assert nothing"},
		"of a function that it calls": {`function same(a: number, b: number) { expect(a).toBe(b); }
function other(a: number) { expect(a).toBe(3); }
it("refunds", () => { same(refund(1), 1); });
it("adds", () => { other(1 + 2); });
`, []string{"expect(a).toBe(b)"}, ""},
		"behind a hook": {`let n = 0;
describe("paid", () => {
  beforeEach(() => { n = refund(1); });
  it("is back", () => { expect(n).toBe(1); });
});
it("adds", () => { expect(1 + 1).toBe(2); });
`, []string{"expect(n).toBe(1)"}, ""},
		"two of one file": {`it("refunds one", () => { refund(1); });
it("refunds two", () => { expect(refund(2)).toBe(2); });
`, []string{"expect(refund(2)).toBe(2)"}, ""},
		"outside of every test": {`refund(1);
expect(1).toBe(1);
`, nil, "no test reaches shop/refund.refund"},
	} {
		t.Run(name, func(t *testing.T) {
			before, ws := indexed(t, typescript.Language(), map[string]string{
				"package.json":   `{"name": "shop"}`,
				"refund.ts":      source,
				"refund.spec.ts": `import { refund } from "./refund";` + "\n" + c.spec,
			})
			after, err := before.Overlay(t.Context(), map[string][]byte{"refund.ts": []byte("export function refund(n: number) {\n  return n + 0;\n}\n")})
			require.NoError(t, err)
			v := &verify.Layered{Runner: verify.RunnerFunc(allPass), Sandbox: sandbox.Func(noProcess), Repeat: -1}
			plan := &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Symbols: []string{"refund.refund"}}}}
			r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Plan: plan, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
			require.NoError(t, err)
			require.Len(t, r.Capabilities, 1)
			var got []string
			for _, a := range r.Capabilities[0].Assertions {
				got = append(got, a.Text)
			}
			assert.Equal(t, c.asserts, got)
			assert.Equal(t, c.missing, r.Capabilities[0].Missing)
		})
	}
}

// What a file of tests keeps to itself is reached by its own tests alone: that
// other files use its name on values of unknown types widens nothing. A file that
// another one imports keeps nothing to itself.
//
// covers: VER-5
func TestWhatATestKeepsToItselfWidensNothing(t *testing.T) {
	const spec = `it("mounts", () => { const o = { global: %s }; expect(o).toEqual({}); });`
	uses := "export function use(x: any) {\n" + strings.Repeat("  x.global();\n", 30) + "}\nit(\"far\", () => { use(window); });\n"
	for name, c := range map[string]struct {
		importer string
		widened  bool
	}{
		"alone":    {"", false},
		"imported": {`import "../near/mount.spec";` + "\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			before, ws := indexed(t, typescript.Language(), map[string]string{
				"package.json":       `{"name": "shop"}`,
				"near/mount.spec.ts": fmt.Sprintf(spec, "1"),
				"far/use.spec.ts":    c.importer + uses,
			})
			after, err := before.Overlay(t.Context(), map[string][]byte{"near/mount.spec.ts": []byte(fmt.Sprintf(spec, "2"))})
			require.NoError(t, err)
			v := &verify.Layered{Runner: verify.RunnerFunc(allPass), Sandbox: sandbox.Func(noProcess), Repeat: -1}
			r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
			require.NoError(t, err)
			assert.Equal(t, c.widened, r.Selection.Widened != "", r.Selection.Widened)
			assert.Equal(t, c.widened, slices.ContainsFunc(r.Selection.Selected, func(s verify.Selected) bool { return s.Test.Name == "far" }))
		})
	}
}

// allPass is a tool whose tests all pass.
func allPass(_ context.Context, _ sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
	for _, id := range run.Tests {
		out = append(out, verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}})
	}
	return out, nil
}
