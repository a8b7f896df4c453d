package nodejs

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
)

// A Use is which tool runs a test, and how that is known.
type Use struct {
	// Tool is its name, such as "vitest", "jest", "mocha" or "node:test"; "" when
	// nothing tells.
	Tool string
	// Why names the file that tells, and what in it does.
	Why string
	// Supported says that there is a runner that reads this tool's results test by
	// test. Others are run with a plain command.
	Supported bool
}

// A signal is what tells a tool.
type signal struct {
	tool    string
	imports string   // expression of a module that its tests import
	configs []string // names of its configuration
	depends []string // packages that only its projects depend on
	command string   // its program in scripts
}

// signals are the tools that are known, the surest first.
var signals = []signal{
	{"vitest", `vitest(/[\w-]+)?`, nil, []string{"vitest"}, "vitest"},
	{"jest", `@jest/globals`, nil, []string{"jest", "react-scripts", "jest-cli"}, "jest"},
	{"playwright", `@playwright/test`, []string{"playwright.config.ts", "playwright.config.js", "playwright.config.mts", "playwright.config.mjs"}, []string{"@playwright/test"}, "playwright"},
	{"cypress", `cypress`, []string{"cypress.config.ts", "cypress.config.js", "cypress.json"}, []string{"cypress"}, "cypress"},
	{"mocha", `mocha`, []string{".mocharc.js", ".mocharc.cjs", ".mocharc.json", ".mocharc.yml", ".mocharc.yaml", ".mocharc.jsonc"}, []string{"mocha"}, "mocha"},
	{"ava", `ava`, []string{"ava.config.js", "ava.config.mjs", "ava.config.cjs"}, []string{"ava"}, "ava"},
	{"tap", `tap|tape`, []string{".taprc"}, []string{"tap", "tape"}, "tap"},
	{"jasmine", `jasmine`, []string{"spec/support/jasmine.json", "spec/support/jasmine.mjs"}, []string{"jasmine"}, "jasmine"},
	{"karma", "", []string{"karma.conf.js", "karma.conf.ts"}, []string{"karma"}, "karma"},
	{"node:test", `node:test`, nil, nil, "node --test"},
	{"bun:test", `bun:test`, nil, nil, "bun test"},
	{"deno test", `(jsr:)?@std/testing(/\w+)?`, []string{"deno.json", "deno.jsonc"}, nil, "deno test"},
}

// Detect tells which tool runs a test file (or, when file is a folder, the tests
// in it): by what the file imports, else by what its package and the packages
// around configure, call in their scripts or depend on, the nearest first.
func Detect(fsys fs.FS, file string) Use {
	dir := file
	if data, err := fs.ReadFile(fsys, file); err == nil {
		dir = path.Dir(file)
		if tool := imported(data); tool != "" {
			return use(tool, file+" imports it")
		}
	}
	for d := path.Clean(dir); ; d = path.Dir(d) {
		if u := detectIn(fsys, d); u.Tool != "" {
			return u
		}
		if d == "." || d == "/" {
			return Use{}
		}
	}
}

func use(tool, why string) Use {
	return Use{Tool: tool, Why: why, Supported: tool == "vitest" || tool == "jest"}
}

// imported returns the tool whose functions a test file imports.
func imported(src []byte) string {
	for _, s := range signals {
		if s.imports != "" && regexp.MustCompile(`(?m)(\bfrom\s*|\brequire\(\s*|^\s*import\s*)["'`+"`](?:"+s.imports+")[\"'`]").Match(src) {
			return s.tool
		}
	}
	return ""
}

// detectIn tells what one folder says.
func detectIn(fsys fs.FS, dir string) Use {
	m, ok := readManifest(fsys, dir)
	manifest := path.Join(dir, "package.json")
	for _, s := range signals {
		if (s.tool == "vitest" || s.tool == "jest") && configured(fsys, dir, s.tool) {
			return use(s.tool, path.Join(dir, s.tool)+" is configured")
		}
	}
	if m.Jest != nil {
		return use("jest", manifest+" configures it")
	}
	for _, s := range signals {
		if m.script(s.command) {
			return use(s.tool, manifest+" has a script that runs it")
		}
	}
	if m.script("react-scripts test") {
		return use("jest", manifest+" has a script that runs react-scripts test")
	}
	for _, s := range signals {
		for _, name := range s.configs {
			if _, err := fs.Stat(fsys, path.Join(dir, name)); err == nil {
				return use(s.tool, path.Join(dir, name)+" configures it")
			}
		}
	}
	if !ok {
		return Use{}
	}
	for _, s := range signals {
		if slices.ContainsFunc(s.depends, m.depends) {
			return use(s.tool, manifest+" depends on it")
		}
	}
	return Use{}
}

// runs reports whether the tool runs a test file.
func (t Tool) runs(fsys fs.FS, file string) bool { return Detect(fsys, file).Tool == t.Name }
