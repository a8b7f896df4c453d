package gate

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// rulesOf are the rules, with the places before, by which a change is kept out.
func rulesOf(t *testing.T, before, after map[string]string) []string {
	t.Helper()
	fs := fstest.MapFS{}
	for p, data := range before {
		fs[p] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	languages := []*index.Language{golang.Language(), python.Language(), typescript.Language(), typescript.TSX(), javascript.Language()}
	s, err := (&index.TreeSitter{Languages: languages}).Index(context.Background(), index.Input{FS: fs})
	require.NoError(t, err)
	over := map[string][]byte{}
	for p, data := range after {
		over[p] = []byte(data)
		if data == "" {
			over[p] = nil
		}
	}
	now, err := s.Overlay(context.Background(), over)
	require.NoError(t, err)
	d, err := (&Rules{}).Decide(context.Background(), Input{Before: s, After: now})
	require.NoError(t, err)
	var out []string
	for _, f := range d.Findings {
		if f.Blocks {
			out = append(out, f.Rule+" "+strings.TrimPrefix(f.Before.File, "./"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// covers: GAT-5
func TestOnlyWhatEntriesHandOnIsPublic(t *testing.T) {
	pkg := `{"name": "shop", "main": "./dist/index.js", "exports": {".": {"types": "./src/index.ts", "default": "./dist/index.js"}}}`
	for name, c := range map[string]struct {
		files   map[string]string
		path    string
		old     string
		now     string
		flagged bool
	}{
		"handed on by a clause":           {map[string]string{"package.json": pkg, "src/index.ts": `export { add } from "./price";`}, "src/price.ts", "export function add(a: number) { return a; }\n", "export function add(a: number, b: number) { return a + b; }\n", true},
		"left out of the clause":          {map[string]string{"package.json": pkg, "src/index.ts": `export { add } from "./price";`}, "src/price.ts", "export function add() {}\nexport function half(a: number) { return a; }\n", "export function add() {}\nexport function half(a: number, b: number) { return a + b; }\n", false},
		"handed on with all":              {map[string]string{"package.json": pkg, "src/index.ts": `export * from "./price";`}, "src/price.ts", "export function half(a: number) { return a; }\n", "export function half(a: number, b: number) { return a + b; }\n", true},
		"handed on over another file":     {map[string]string{"package.json": pkg, "src/index.ts": `export * from "./all";`, "src/all.ts": `export { half } from "./price";`}, "src/price.ts", "export function half(a: number) { return a; }\n", "export function half(a: number, b: number) { return a + b; }\n", true},
		"declared in the entry":           {map[string]string{"package.json": pkg}, "src/index.ts", "export function half(a: number) { return a; }\n", "export function half(a: number, b: number) { return a + b; }\n", true},
		"imported by the entry only":      {map[string]string{"package.json": pkg, "src/index.ts": "import { half } from \"./price\";\nexport const x = half(1);\n"}, "src/price.ts", "export function half(a: number, b?: number) { return a; }\n", "export function half(a: number) { return a; }\n", false},
		"module.exports takes it in":      {map[string]string{"package.json": `{"main": "index.js"}`, "index.js": "const { half } = require(\"./price\");\nmodule.exports = { half };\n"}, "price.js", "function half(a) { return a; }\nmodule.exports = { half };\n", "function half(a, b) { return a + b; }\nmodule.exports = { half };\n", true},
		"no package says what is entry":   {map[string]string{"a.txt": "a"}, "src/price.ts", "export function half(a: number) { return a; }\n", "export function half(a: number, b: number) { return a + b; }\n", true},
		"a hidden module of Python":       {map[string]string{"shop/__init__.py": "from shop._price import add\n"}, "shop/_price.py", "def add(a):\n    return a\n\n\ndef half(a):\n    return a\n", "def add(a):\n    return a\n\n\ndef half(a, b):\n    return a + b\n", false},
		"handed on by the initialization": {map[string]string{"shop/__init__.py": "from shop._price import add\n"}, "shop/_price.py", "def add(a):\n    return a\n", "def add(a, b):\n    return a + b\n", true},
		"an open module of Python":        {map[string]string{"shop/__init__.py": ""}, "shop/price.py", "def add(a):\n    return a\n", "def add(a, b):\n    return a + b\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			c.files[c.path] = c.old
			got := rulesOf(t, c.files, map[string]string{c.path: c.now})
			if c.flagged {
				assert.Equal(t, []string{"signature.public " + c.path}, got)
			} else {
				assert.Empty(t, got)
			}
		})
	}
}

// covers: GAT-3
func TestWhatConfigurationNamesIsReferredTo(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		data  string
		kept  bool
	}{
		"a script of a project":         {map[string]string{"pyproject.toml": "[project.scripts]\nshop = \"shop.cli:main\"\n"}, "shop/cli.py", "def main():\n    pass\n", true},
		"an entry point of a setup.cfg": {map[string]string{"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:main\n"}, "shop/cli.py", "def main():\n    pass\n", true},
		"a dotted string":               {map[string]string{"settings.py": "INSTALLED_APPS = [\"shop.apps.ShopConfig\"]\n"}, "shop/apps.py", "class ShopConfig:\n    pass\n", true},
		"what a package runs as":        {map[string]string{"run.sh": "python -m shop --all\n"}, "shop/__main__.py", "print(1)\n", true},
		"the main of a package":         {map[string]string{"package.json": "{\"main\": \"./src/run\"}\n"}, "src/run.js", "module.exports = 1;\n", true},
		"a program of a package":        {map[string]string{"package.json": "{\"bin\": {\"shop\": \"src/run.js\"}}\n"}, "src/run.js", "module.exports = 1;\n", true},
		"files taken in by a pattern":   {map[string]string{"src/all.ts": "export const pages = import.meta.glob(\"./pages/*.ts\");\n"}, "src/pages/about.ts", "export default 1;\n", true},
		"files embedded":                {map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nimport _ \"embed\"\n\n//go:embed pages\nvar pages string\n"}, "pages/about.html", "<p>\n", true},
		"another module's name":         {map[string]string{"pyproject.toml": "[project.scripts]\nshop = \"shop.client:main\"\n"}, "shop/cli.py", "def launch():\n    pass\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			c.files[c.path] = c.data
			c.files["other.txt"] = "x"
			got := rulesOf(t, c.files, map[string]string{c.path: ""})
			assert.Equal(t, c.kept, slices.Contains(got, "deletion.unreferenced "+c.path), "%v", got)
		})
	}
}

// covers: GAT-4, ARC-12
func TestOnlyWhatSaysSomethingOfDependenciesIsAChangeOfThem(t *testing.T) {
	for name, c := range map[string]struct {
		path, old, now string
		flagged        bool
	}{
		"a script of a package":       {"package.json", `{"scripts": {"lint": "a"}, "dependencies": {"x": "1"}}`, `{"scripts": {"lint": "b"}, "dependencies": {"x": "1"}}`, false},
		"a dependency of a package":   {"package.json", `{"dependencies": {"x": "1"}}`, `{"dependencies": {"x": "2"}}`, true},
		"an unreadable package":       {"package.json", `{"dependencies": {"x": "1"}}`, `{"dependencies": {"x": "1"}`, true},
		"a tool of a project":         {"pyproject.toml", "[project]\ndependencies = [\"x\"]\n", "[project]\ndependencies = [\"x\"]\n\n[tool.black]\nline-length = 100\n", false},
		"a dependency of a project":   {"pyproject.toml", "[project]\ndependencies = [\"x\"]\n", "[project]\ndependencies = [\"x>2\"]\n", true},
		"a group of a project":        {"pyproject.toml", "[dependency-groups]\ntest = [\"x\"]\n", "[dependency-groups]\ntest = [\"y\"]\n", true},
		"a requirement of a setup":    {"setup.cfg", "[options]\ninstall_requires =\n    x\n", "[options]\ninstall_requires =\n    x>2\n", true},
		"something else of a setup":   {"setup.cfg", "[options]\ninstall_requires =\n    x\n", "[options]\ninstall_requires =\n    x\n\n[flake8]\nmax-line-length = 100\n", false},
		"what no language here knows": {"Cargo.toml", "a = 1\n", "a = 2\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := rulesOf(t, map[string]string{c.path: c.old, "a.sql": "A"}, map[string]string{c.path: c.now, "a.sql": "B"})
			assert.Equal(t, c.flagged, slices.Contains(got, "dependencies.changed "+c.path), "%v", got)
		})
	}
}

// covers: GAT-4
func TestAReleaseIsNoChangeOfDependenciesAndSomethingElse(t *testing.T) {
	got := rulesOf(t, map[string]string{"pyproject.toml": "[project]\nversion = \"1\"\n", "uv.lock": "version = \"1\"\n", "a.txt": "a"},
		map[string]string{"pyproject.toml": "[project]\nversion = \"2\"\n", "uv.lock": "version = \"2\"\n"})
	assert.Empty(t, got)
}
