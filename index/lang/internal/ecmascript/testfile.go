package ecmascript

import (
	"path"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// isTestFile reports whether test tools collect a file of that path, as vitest,
// jest, mocha, node:test, Playwright and Cypress do unless they are told otherwise.
func isTestFile(file string) bool {
	base := path.Base(file)
	if strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts") || strings.HasSuffix(base, ".d.cts") {
		return false
	}
	if regexp.MustCompile(`\.(test|spec|cy|e2e|unit|integration)\.[cm]?[jt]sx?$|[.-]test-d\.[cm]?tsx?$`).MatchString(base) {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "__tests__" {
			return true
		}
	}
	// node:test and mocha collect what lies in test/, and node:test names of its own.
	return regexp.MustCompile(`(^|/)tests?/[^/]+\.[cm]?[jt]sx?$`).MatchString(file) && !helper(base) ||
		regexp.MustCompile(`^test(-.+)?\.[cm]?[jt]s$|[-_]test\.[cm]?[jt]sx?$`).MatchString(base)
}

// helper reports whether a file in a folder of tests is by its name what tests
// use, not a test.
func helper(base string) bool {
	stem, _, _ := strings.Cut(base, ".")
	switch strings.ToLower(stem) {
	case "setup", "setuptests", "helper", "helpers", "util", "utils", "fixture", "fixtures", "mock", "mocks", "index", "common", "globalsetup", "teardown", "support":
		return true
	}
	return false
}

// isProgram reports whether a package is by its folder one of programs, as npm's
// bin and scripts are: what it prints is its own.
func isProgram(p index.Package) bool {
	for dir := range strings.SplitSeq(p.Dir, "/") {
		if dir == "bin" || dir == "scripts" {
			return true
		}
	}
	return false
}
