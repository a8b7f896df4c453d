package ecmascript_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// Overloads, merged blocks and a declaration file beside its code have one answer,
// by whichever definition it is asked for; what is static and what is not are two,
// and so are locals of two blocks.
//
// covers: CHG-2, IDX-27
func TestDefinitionsOfOneThingHaveOneAnswer(t *testing.T) {
	s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{
		"package.json": `{"name": "t"}`,
		"a.ts": `export function f(x: string): string;
export function f(x: number): number;
export function f(x: any): any { return x; }
export interface I { a(x: string): void }
export interface I { a(x: number): void; b(): void }
export namespace N { export function p(): void {} }
export namespace N { export const z = 1; }
export class C {
  m(x: string): string;
  m(x: any): any { return x; }
  static m(): C { return new C(); }
}
export function two(x: boolean) {
  if (x) { function g() { return 1; } return g(); }
  { function g() { return 2; } return g(); }
}
`,
		"c.ts": `wrap({ run() { return 1; }, go() { return this.run(); } });
wrap({ run() { return 2; }, go() { return this.run() + this.run(); } });
`,
		"lib.js":   "export function g(a) { return a; }\nexport class D { run(a) { return a; } }\n",
		"lib.d.ts": "export declare function g(a: number): number;\nexport declare function g(a: string): string;\nexport declare class D { run(a: number): number; }\n",
		"b.ts": `import { f, I, N, C } from "./a";
import { g, D } from "./lib";
export function use(i: I, c: C, d: D) {
  f("a"); f(1);
  i.a("a"); i.a(1);
  N.p(); N.z;
  c.m("a");
  C.m();
  g(1); d.run(1);
}
`,
	}, nil)
	for id, want := range map[string][]string{
		"t/a.f":       {"b.ts:1", "b.ts:4", "b.ts:4"},
		"t/a.I":       {"b.ts:1", "b.ts:3"},
		"t/a.I.a":     {"b.ts:5", "b.ts:5"},
		"t/a.N":       {"b.ts:1", "b.ts:6", "b.ts:6"},
		"t/lib.g":     {"b.ts:2", "b.ts:9"},
		"t/lib.D":     {"b.ts:2", "b.ts:3"},
		"t/lib.D.run": {"b.ts:9"},
	} {
		for _, d := range s.Definitions(id).Sure {
			assert.Equal(t, want, places(s.References(d.ID, 0).Sure), d.ID)
			assert.Equal(t, len(want), s.Uses(d.ID), d.ID)
		}
	}
	var of []string
	for _, d := range s.Definitions("t/a.C.m").Sure {
		of = append(of, fmt.Sprint(places(s.References(d.ID, 0).Sure)))
	}
	assert.Equal(t, []string{"[b.ts:7]", "[b.ts:7]", "[b.ts:8]"}, of)
	for _, d := range s.Definitions("t/a.two.g").Sure {
		assert.Equal(t, 1, s.Uses(d.ID), d.ID)
	}
	own := map[string]int{}
	for _, d := range s.Definitions("t/c.run").Sure {
		own[fmt.Sprintf("%s:%d", d.Span.File, d.Span.Line)] = s.Uses(d.ID)
	}
	assert.Equal(t, map[string]int{"c.ts:1": 1, "c.ts:2": 2}, own, "members of objects that have no name")
	assert.Len(t, s.Members("t/a.I").Methods, 3)
	assert.Len(t, s.Callers(s.Definitions("t/a.f").Sure[1].ID, 0).Sure, 2)
}

func places(refs []index.Ref) []string {
	out := []string{}
	for _, r := range refs {
		out = append(out, fmt.Sprintf("%s:%d", r.Span.File, r.Span.Line))
	}
	return out
}
