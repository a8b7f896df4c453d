package changeset_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// A call outside of every definition may be adapted as a whole.
//
// covers: CHG-7
func TestACallOutsideOfDefinitionsMayChangeAsAWhole(t *testing.T) {
	src := "import { sum } from '../src/sum'\n\ntest('adds', () => {\n  expect(\n    sum({\n      a: 1,\n    }),\n  ).toBe(3)\n})\n"
	s, err := (&index.TreeSitter{Languages: []*index.Language{typescript.Language()}}).Index(t.Context(), index.Input{FS: fstest.MapFS{
		"package.json":          {Data: []byte(`{"name": "shop"}`)},
		"src/sum.ts":            {Data: []byte("export function sum(v: { a: number }): number {\n  return v.a + 2\n}\n")},
		"__tests__/sum.test.ts": {Data: []byte(src)},
	}})
	require.NoError(t, err)
	p, err := (&changeset.Derived{}).Plan(t.Context(), changeset.Input{Snapshot: s, Task: task.Task{
		Requirement: "sum carries", Capabilities: []task.Capability{{ID: "SUM-1", Sentence: "sum carries over.", Symbols: []string{"shop/src/sum.sum"}, Layers: []string{"domain"}}},
		Changes: []task.Change{{Symbol: "shop/src/sum.sum", NewSignature: "(v: { a: number }, carry: number): number"}}}})
	require.NoError(t, err)
	i := slices.IndexFunc(p.Actions, func(a changeset.Action) bool { return a.Kind == changeset.FixTest })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, "sum({\n      a: 1,\n    })", src[p.Actions[i].Target.Start:p.Actions[i].Target.End])
}

// Tests of JavaScript are calls and no definitions; they cover all the same, and
// new ones stand where the others do.
//
// covers: CHG-5
func TestTestsThatAreCallsCover(t *testing.T) {
	fsys := fstest.MapFS{
		"package.json":            {Data: []byte(`{"name": "shop"}`)},
		"src/sum.ts":              {Data: []byte("export function sum(a: number, b: number): number {\n  return a + b\n}\n")},
		"__tests__/sum.test.ts":   {Data: []byte("import { sum } from '../src/sum'\n\ntest('adds', () => {\n  expect(sum(1, 2)).toBe(3)\n})\n")},
		"__tests__/other.test.ts": {Data: []byte("test('is', () => {\n  expect(1).toBe(1)\n})\n")},
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{typescript.Language()}}).Index(t.Context(), index.Input{FS: fsys})
	require.NoError(t, err)
	p, err := (&changeset.Derived{}).Plan(t.Context(), changeset.Input{Snapshot: s, Task: task.Task{
		Requirement: "sum carries", Capabilities: []task.Capability{{ID: "SUM-1", Sentence: "sum carries over.", Symbols: []string{"shop/src/sum.sum"}, Layers: []string{"domain", "test"}}}}})
	require.NoError(t, err, "no question: a test reaches it")
	var tests []string
	for _, a := range p.Actions {
		if a.Kind == changeset.AddTest {
			tests = append(tests, a.Target.File)
		}
	}
	assert.Equal(t, []string{"__tests__/", "__tests__/sum.test.ts"}, tests)
}
