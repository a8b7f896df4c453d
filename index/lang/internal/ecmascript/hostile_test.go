package ecmascript_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// covers: IDX-4, REL-4
func TestDeepNestingCostsOnlyItself(t *testing.T) {
	names := []string{"a.tsx", "b.ts", "c.js"}
	for i, around := range [][2]string{{"(", ")"}, {"[", "]"}, {"f(", ")"}, {"{a:", "}"}, {"() => { ", " }"}, {"-", ""}, {"a.", ""}, {"!", ""},
		{"x ? 1 : ", ""}, {"{ ...", "}"}, {"<a>", "</a>"}, {"`${", "}`"}, {"a || ", ""}} {
		const deep = 10_000
		src := "function before() {}\n\nconst x = " + strings.Repeat(around[0], deep) + "y" + strings.Repeat(around[1], deep) +
			";\n\nfunction after() { before(); }\n"
		begin := time.Now()
		s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{names[i%3]: src}, nil)
		assert.Less(t, time.Since(begin), 20*time.Second, around[0])
		found := false
		for d := range s.Symbols() {
			found = found || d.Name == "before"
		}
		assert.True(t, found, around[0])
		t.Log(around[0], time.Since(begin))
	}
}

// Types that contain themselves, and chains of them, end.
//
// covers: IDX-13, REL-4
func TestCircularTypesEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString("type Loop<T> = Loop<T[]> | Loop<{ a: T }>;\ntype A = B; type B = A;\ninterface I extends J {} interface J extends I { m(): I }\n" +
		"class C extends D {} class D extends C { x = this.x }\nfunction f() { return g(); } function g() { return f().y; }\n" +
		"let v = { ...v, w: v };\ntype K<T> = T extends { a: infer U } ? K<U> : { [P in keyof T]: K<T[P]> };\n" +
		"declare const l: Loop<string>; declare const k: K<I>; declare const i: I;\n" +
		"l.a; k.m; i.m().m(); new C().x.y; f().z; v.w.w.w; A.b;\n")
	for i := range 200 {
		b.WriteString("const c" + strings.Repeat("a", i+1) + " = { ...c" + strings.Repeat("a", i) + ", ...c" + strings.Repeat("a", i) + ", p: 1 };\n")
	}
	b.WriteString("c" + strings.Repeat("a", 199) + ".q.r;\nfunction twice(x0: I) {\n")
	for i := range 120 {
		fmt.Fprintf(&b, "const x%d = [x%d, x%d]; const y%d = x%d ? x%d[0] : x%d;\n", i+1, i, i, i, i, i, i)
	}
	b.WriteString("x120.m; y119.m; }\n")
	begin := time.Now()
	s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{"a.ts": b.String()}, nil)
	assert.Less(t, time.Since(begin), 10*time.Second)
	require.NotZero(t, s.Stats().References)
}

// Modules that export one another whole and by name, of which none declares the
// name, end; a name that one of them does declare is found through the circle.
//
// covers: IDX-11, REL-4
func TestCircularExportsEnd(t *testing.T) {
	files := indextest.Files{"use.ts": "import { x, made } from './m0'\nx()\nmade()\n"}
	for i := range 6 {
		var b strings.Builder
		for j := range 6 {
			if i != j {
				fmt.Fprintf(&b, "export * from './m%d'\nexport { x } from './m%d'\n", j, j)
			}
		}
		files[fmt.Sprintf("m%d.ts", i)] = b.String()
	}
	files["m5.ts"] += "import { y } from './m0'\nexport { y }\nexport function made() {}\n"
	begin := time.Now()
	s := indextest.Index(t, &index.TreeSitter{Languages: family()}, files, nil)
	assert.Less(t, time.Since(begin), 10*time.Second)
	assert.Len(t, s.Callers("m5.made", 0).Sure, 1)
	for _, c := range s.Callers("x", 0).Sure {
		assert.NotEqual(t, index.Static, c.Ref.Status)
	}
}

// FuzzExtract gives extraction and linking whatever bytes there are: what they
// say keeps its shape and nothing panics.
//
// covers: REL-2, IDX-4
func FuzzExtract(f *testing.F) {
	for _, src := range []string{"export const a = 1", "class A { b() { this.c } }", "type T<K> = { [P in keyof K]: K[P] }",
		"import x, { y as z } from './a'; x(z)", "<A b={c}>{d}</A>", "switch (a.b) { case 'c': let d; }", "module.exports = { a }; exports.b = 1"} {
		f.Add(src)
	}
	ix := &index.TreeSitter{Languages: family()}
	base := indextest.Index(f, ix, indextest.Files{"d.ts": "export {}"}, nil) // its compiled grammars serve again
	f.Fuzz(func(t *testing.T, src string) {
		s := indextest.Index(t, ix, indextest.Files{"a.ts": src, "b.tsx": src, "c.js": src}, base)
		indextest.Snapshot(t, s)
	})
}

// A mistake costs only the declaration it stands in.
//
// covers: IDX-4
func TestBrokenDeclarationsCostOnlyThemselves(t *testing.T) {
	parts := []string{"export function a(x: number) { return x }\n", "export class B { m() { return a(1) } }\n", "const text = `\nconst inner = 1\n`;\n",
		"export interface C { d: string }\n", "type E = { f: C };\n"}
	for _, mistake := range []string{"function broken( {{\n", "class {\n", "const = ((\n", "export const q = [1, {\n", "import { from\n"} {
		for at := range len(parts) + 1 {
			src := strings.Join(parts[:at], "") + mistake + strings.Join(parts[at:], "")
			s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{"a.ts": src}, nil)
			names := map[string]bool{}
			for d := range s.Symbols() {
				names[d.Name] = true
			}
			for _, want := range []string{"a", "B", "m", "text", "C", "d", "E", "f"} {
				assert.True(t, names[want], "%q at %d costs %s", mistake, at, want)
			}
		}
	}
}
