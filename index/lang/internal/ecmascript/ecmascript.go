// Package ecmascript is what plumb knows about TypeScript and JavaScript: what in
// a file is a definition, a reference or a mark, and how references find their
// definitions. The languages differ in their grammar alone, import each other's
// files, and are linked as one family.
//
// Extraction (extract.go) reads one file alone; linking sits above it. They meet
// in index.Facts and in the operations of ops.go and nowhere else.
package ecmascript

import (
	sitter "github.com/smacker/go-tree-sitter"

	"github.com/plumbkit/plumb/index"
)

// version is part of every cached fact's key. It changes with every change to
// what extraction writes.
const version = "4"

// Family is the family of the languages that New makes.
const Family = "ecmascript"

// New returns a language of the family. Each call returns a fresh value.
func New(name string, extensions []string, grammar *sitter.Language, query string) *index.Language {
	s := &extraction{query: query}
	return &index.Language{
		Name:         name,
		Family:       Family,
		Version:      version,
		Extensions:   extensions,
		Grammar:      grammar,
		Query:        query,
		Manifests:    manifestNames(),
		Pins:         []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"},
		Dependencies: dependencyFiles(),
		Locks:        map[string][]string{"package.json": {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"}},
		Needs:        needs,
		Entries:      entries,
		Named:        named,
		Includes:     index.Inclusion{Line: globs, Takes: takesIn},
		Extract:      s.extract,
		Link:         link,
		TestFile:     isTestFile,
		Launchers:    []string{"npx", "pnpm exec", "pnpm dlx", "yarn dlx", "bunx", "node", "tsx", "ts-node"},
		TestsByFile:  true,
		Compatible:   compatible,
		Tokens:       tokens,
		Structure:    structure,
		Contract:     contract,
		Quotes:       "\"'`",
		TestNames:    []string{"**/*{.,-,_}{test,spec,cy,e2e,unit,integration,test-d}.{,c,m}{js,ts,jsx,tsx}", "**/__tests__/**"},
		Unrun:        []string{"**/{node_modules,dist,build,out,coverage,fixtures,__fixtures__,.*}/**"},
		Plant:        plant,
		Commands:     commands,
		Program:      isProgram,
		Same:         oneThing,
		Fits:         fits,
		Fixtures:     []string{"testdata", "fixtures", "__fixtures__", "__snapshots__", "__mocks__"},
		Statements:   []string{"if", "for", "while", "switch", "else", "return", "var", "const", "let", "import", "try", "case", "function", "export"},
		Comments: index.Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Blanket: []string{"eslint-disable", "eslint-disable-line",
			"eslint-disable-next-line", "oxlint-disable", "oxlint-disable-next-line", "tslint:disable", "tslint:disable-next-line", "biome-ignore", "deno-lint-ignore"}},
	}
}
