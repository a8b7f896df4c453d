package ecmascript_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"os"
)

// A planted failure is one that running the function, or loading the module,
// meets: node says so.
//
// covers: VER-24
func TestPlantedFailuresFail(t *testing.T) {
	node, err := exec.LookPath("node")
	require.NoError(t, err, "these tests need Node.js; install it and have it in PATH")
	for _, c := range []struct{ name, file, src, symbol, call, ok string }{
		{"function", "a.mjs", "export function f(a) {\n  return a;\n}\n", "f", "import { f } from './a.mjs'; f(1)", ""},
		{"method", "a.mjs", "export class C {\n  m() { return 1 }\n}\n", "m", "import { C } from './a.mjs'; new C().m()", ""},
		{"constructor", "a.mjs", "class B {}\nexport class C extends B { constructor() { super() } }\n", "constructor", "import { C } from './a.mjs'; new C()", ""},
		{"arrow with a block", "a.mjs", "export const f = async (a) => {\n  return a;\n};\n", "f", "import { f } from './a.mjs'; await f(1)", ""},
		{"arrow with an expression", "a.mjs", "export const f = (a) => a ?? 1;\n", "f", "import { f } from './a.mjs'; f(1)", ""},
		{"arrow that gives an arrow", "a.mjs", "export const f = a => b => a || b;\n", "f", "import { f } from './a.mjs'; f(1)", ""},
		{"arrow that gives an object", "a.mjs", "export const f = () => ({ a: 1 });\n", "f", "import { f } from './a.mjs'; f()", ""},
		{"module", "a.mjs", "#!/usr/bin/env node\n// why\n\"use strict\";\nimport fs from 'node:fs';\nexport const x = fs;\n", "", "import './a.mjs'", ""},
		{"CommonJS", "a.cjs", "'use strict'\n\nconst fs = require('fs');\nmodule.exports = fs;\n", "", "import './a.cjs'", ""},
		{"string at the start", "a.cjs", "'a'\n  .concat('b');\n", "", "import './a.cjs'", ""},
		{"another function", "a.mjs", "export function f() {}\nexport function g() {}\n", "f", "import { g } from './a.mjs'; g()", "runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := javascript.Language()
			s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{l}}, indextest.Files{c.file: c.src}, nil)
			at := index.Symbol{}
			for d := range s.Symbols() {
				if c.symbol != "" && d.Name == c.symbol {
					at = d
				}
			}
			planted, ok := l.Plant([]byte(c.src), at)
			require.True(t, ok)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), planted, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.mjs"), []byte(c.call), 0o644))
			out, err := exec.Command(node, filepath.Join(dir, "main.mjs")).CombinedOutput()
			if c.ok != "" {
				require.NoError(t, err, string(out))
				return
			}
			require.Error(t, err, string(planted))
			assert.Contains(t, string(out), index.PlantMark, string(planted))
		})
	}
	_, ok := javascript.Language().Plant([]byte("interface I { m(): void }"), index.Symbol{Kind: index.KindMethod, Body: 23, Span: index.Span{End: 23}})
	assert.False(t, ok, "an interface's method has no body")
	_, ok = javascript.Language().Plant([]byte("/* does not end"), index.Symbol{})
	assert.False(t, ok)
}
