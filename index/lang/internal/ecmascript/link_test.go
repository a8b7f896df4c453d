package ecmascript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// Each case of testdata/link begins with a sentence saying why; want/refs holds
// where every reference leads, but for strings.
//
// covers: IDX-6, IDX-7, IDX-8, IDX-10, IDX-11, IDX-12, IDX-13, ACC-8
func TestLinkCases(t *testing.T) {
	eachCase(t, "link", func(t *testing.T, files indextest.Files, want func(name, got string)) {
		s := indextest.Index(t, &index.TreeSitter{Languages: family()}, files, nil)
		want("refs", referencesOf(s))
		want("relations", relationsOf(s))
		t.Run("consistent", func(t *testing.T) { indextest.Snapshot(t, s) })
	})
}

func referencesOf(s *index.Snapshot) string {
	var b strings.Builder
	for r := range s.Refs() {
		if r.Kind == index.RefString {
			continue
		}
		fmt.Fprintf(&b, "%s:%d:%d %s %s %s", r.Span.File, r.Span.Line, r.Span.Col, r.Name, r.Status, r.Rule)
		switch {
		case r.Status == index.Static:
			x, _ := s.Symbol(r.Targets[0])
			fmt.Fprintf(&b, " %s:%d", x.Span.File, x.Ident.Line)
		case r.Module != "":
			fmt.Fprintf(&b, " %s", r.Module)
		default:
			fmt.Fprintf(&b, " %q %d", r.Reason, len(r.Targets))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func relationsOf(s *index.Snapshot) string {
	var out []string
	for sym := range s.Symbols() {
		_, by := s.Kin(sym.ID)
		for _, i := range by {
			out = append(out, fmt.Sprintf("%s %s %s\n", i.Canonical, i.Via, sym.Canonical))
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "")
}

// covers: IDX-21
func TestLanguagesKeepTheContract(t *testing.T) {
	files := indextest.Files{
		"package.json":     `{"name": "app", "exports": {".": "./src/index.ts"}}`,
		"tsconfig.json":    `{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}`,
		"src/index.ts":     "export * from './shape';\nexport { make as build } from './make.js';\n",
		"src/shape.ts":     "export interface Shape { area(): number; name: string }\nexport class Circle implements Shape {\n  name = 'circle';\n  constructor(private r: number) {}\n  area() { return this.r * this.r; }\n}\n\nexport enum Color { Red, Green }\n",
		"src/make.ts":      "import { Circle, type Shape } from '@/shape';\n\nexport function make(r: number): Shape { return new Circle(r); }\nexport const both = () => [make(1), make(2)].map((s) => s.area());\n",
		"src/use.ts":       "import * as all from './index';\nimport { build } from 'app';\n\nconst s = build(2);\ns.area();\nall.Color.Red;\nunknown.area();\n",
		"src/globals.d.ts": "declare global { interface Window { mine: number } }\nexport {};\n",
		"src/view.ts":      "window.mine;\nexport const late = async () => (await import('./make')).make(3).name;\n",
	}
	indextest.Languages(t, family(), files)
}
