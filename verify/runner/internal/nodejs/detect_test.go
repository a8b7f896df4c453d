package nodejs

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/internal/nodejs/nodetest"
)

// covers: VER-7
func TestDetectTellsTheToolOfATest(t *testing.T) {
	file := func(data string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(data)} }
	fsys := fstest.MapFS{
		"package.json":                 file(`{"devDependencies": {"vitest": "^3", "@playwright/test": "^1"}}`),
		"src/a.test.ts":                file(`it("globals", () => {});`),
		"e2e/a.spec.ts":                file(`import { test } from "@playwright/test";`),
		"packages/j/package.json":      file(`{"scripts": {"test": "NODE_ENV=test jest --ci"}}`),
		"packages/j/a.test.js":         file(``),
		"packages/c/package.json":      file(`{"jest": {"preset": "ts-jest"}, "devDependencies": {"mocha": "1"}}`),
		"packages/c/a.test.js":         file(``),
		"packages/m/package.json":      file(`{"scripts": {"test": "mocha"}}`),
		"packages/m/test/a.js":         file(``),
		"packages/n/package.json":      file(`{"scripts": {"test": "node --test"}}`),
		"packages/n/a.test.js":         file(``),
		"packages/v/package.json":      file(`{}`),
		"packages/v/vite.config.ts":    file(`export default { test: {} }`),
		"packages/v/a.test.js":         file(``),
		"packages/plain/package.json":  file(`{}`),
		"packages/plain/a.test.js":     file(``),
		"packages/imports/a.test.js":   file("const test = require('node:test')"),
		"packages/word/package.json":   file(`{"scripts": {"test": "run-jest-like"}}`),
		"packages/word/jestlike.js":    file(``),
		"packages/broken/package.json": file(`{`),
	}
	for name, want := range map[string]string{
		"src/a.test.ts": "vitest", "e2e/a.spec.ts": "playwright", "packages/j/a.test.js": "jest", "packages/c/a.test.js": "jest",
		"packages/m/test/a.js": "mocha", "packages/n/a.test.js": "node:test", "packages/v/a.test.js": "vitest", "packages/plain/a.test.js": "vitest",
		"packages/imports/a.test.js": "node:test", "packages/j": "jest", "packages/word/jestlike.js": "vitest", "packages/broken": "vitest",
	} {
		u := Detect(fsys, name)
		assert.Equal(t, want, u.Tool, "%s: %s", name, u.Why)
		assert.NotEmpty(t, u.Why, name)
		assert.Equal(t, want == "vitest" || want == "jest", u.Supported, name)
	}
	assert.Zero(t, Detect(fstest.MapFS{"a.test.js": file("")}, "a.test.js"))
}

// covers: VER-7
func TestRootIsWhereTheToolIsConfigured(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"package.json": `{"devDependencies": {"jest": "30"}}`, "jest.config.js": `module.exports = {projects: ["packages/*"]}`,
		"packages/own/package.json": `{"scripts": {"test": "jest"}}`, "packages/none/package.json": `{}`,
	} {
		nodetest.Write(t, dir+"/"+name, data)
	}
	jest := Tool{Name: "jest"}
	for at, want := range map[string]string{"packages/own/src": ".", "packages/none/src": ".", ".": "."} {
		root, err := jest.root(dir, at, "a.test.js")
		require.NoError(t, err)
		assert.Equal(t, want, root, at)
	}
	nodetest.Write(t, dir+"/jest.config.js", "module.exports = {}")
	for at, want := range map[string]string{"packages/own/src": "packages/own", "packages/none/src": ".", ".": "."} {
		root, err := jest.root(dir, at, "a.test.js")
		require.NoError(t, err)
		assert.Equal(t, want, root, at)
	}
	_, err := jest.root(dir, "../x", "a.test.js")
	require.ErrorIs(t, err, fault.InvalidInput)
	_, err = jest.root(t.TempDir(), ".", "a.test.js")
	require.ErrorIs(t, err, fault.Environment)
}

// Titles are matched as they stand, whatever a regular expression would make of them.
//
// covers: VER-7
func TestPatternQuotesTitles(t *testing.T) {
	j := job{tests: []verify.TestID{{Name: "a (b) > c.d[e]$"}, {Name: "x|y / z"}}}
	assert.Equal(t, `^\s*(?:a \(b\)(?: > | )c\.d\[e\]\$|x\|y \/ z)$`, j.pattern())
}

// Whatever a process that died had written, nothing panics, and a test without
// an end of its own never passed.
//
// covers: REL-2, VER-7
func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"event":"tool","root":"/w"}` + "\n" + `{"event":"begin","file":"/w/a.js"}` + "\n" + `{"event":"end","file":"/w/a.js","name":["a"],"status":"passed"}`))
	f.Add([]byte(`{"event":"tool","root":"/w"}` + "\n" + `{"event":"start","file":"/w/../a.js","name":["a"]}` + "\n" + `{"event":"done","file":"/w/b.js","errors":["x"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReport(".")
		r.read(data)
		for _, o := range r.outcomes("jest", job{all: true, whole: true}, nil) {
			if o.Status == verify.Passed && o.Test.Name != "" {
				for _, file := range r.files {
					if tt := file.tests[o.Test.Name]; tt != nil && tt.ended {
						return
					}
				}
				t.Fatalf("%v passed without an end", o.Test)
			}
		}
	})
}
