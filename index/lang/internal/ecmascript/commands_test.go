package ecmascript_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/javascript"
)

// covers: IDX-17
func TestCommandsAreThoseOfTheNearestManifest(t *testing.T) {
	manifests := []index.Manifest{
		{Path: "package.json", Data: []byte(`{"packageManager": "pnpm@9.1.0", "scripts": {"build": "tsc -b", "test": "vitest"}}`)},
		{Path: "packages/a/package.json", Data: []byte(`{"scripts": {"test": "vitest run"}}`)},
		{Path: "packages/b/package.json", Data: []byte(`{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`)},
		{Path: "broken/package.json", Data: []byte(`{`)},
	}
	for dir, want := range map[string][2][]string{
		"src":            {{"pnpm", "run", "build"}, {"pnpm", "run", "test"}},
		"packages/a/src": {nil, {"pnpm", "--dir", "packages/a", "run", "test"}},
		"packages/ab":    {{"pnpm", "run", "build"}, {"pnpm", "run", "test"}},
		"packages/b":     {nil, nil},
		"broken":         {{"pnpm", "run", "build"}, {"pnpm", "run", "test"}},
	} {
		build, test := javascript.Language().Commands(index.Package{Dir: dir}, manifests)
		assert.Equal(t, want[0], build, dir)
		assert.Equal(t, want[1], test, dir)
	}
	build, test := javascript.Language().Commands(index.Package{Dir: "."}, nil)
	assert.Nil(t, build)
	assert.Nil(t, test)
	_, test = javascript.Language().Commands(index.Package{Dir: "x"}, []index.Manifest{{Path: "x/package.json", Data: []byte(`{"scripts": {"test": "jest"}}`)}})
	assert.Equal(t, []string{"npm", "--prefix", "x", "run", "test"}, test)
}

// covers: VER-5
func TestTestFilesAreThoseThatToolsCollect(t *testing.T) {
	for file, want := range map[string]bool{
		"a.test.ts": true, "src/a.spec.tsx": true, "src/__tests__/a.js": true, "cypress/e2e/a.cy.ts": true, "a.e2e.ts": true,
		"types.test-d.ts": true, "test/a.js": true, "src/a-test.js": true, "tests/unit.mjs": true,
		"src/a.ts": false, "src/test.util.ts": false, "src/__tests__/a.d.ts": false, "test/helpers.js": false, "src/latest.ts": false, "src/contest/a.ts": false,
	} {
		assert.Equal(t, want, javascript.Language().TestFile(file), file)
	}
}
