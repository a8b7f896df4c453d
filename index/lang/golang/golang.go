// Package golang is everything plumb knows about Go: what in a file is a
// definition, a reference or a mark, how references find their definitions, and
// which uses a changed signature breaks.
//
// Extraction (extract.go) reads one file alone; linking sits above it. They meet
// in index.Facts and in the operations of ops.go and nowhere else.
package golang

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/golang"

	"github.com/plumbkit/plumb/index"
)

// version is part of every cached fact's key. It changes with every change to
// what extraction writes.
const version = "4"

//go:embed queries/go.scm
var query string

// Language returns the Go language. Each call returns a fresh value.
func Language() *index.Language {
	s := &extraction{}
	return &index.Language{
		Name:         "go",
		Version:      version,
		Extensions:   []string{".go"},
		Grammar:      golang.GetLanguage(),
		Query:        query,
		Manifests:    []string{"go.mod", "go.work"},
		Pins:         []string{"go.sum", "go.work.sum"},
		Dependencies: []string{"**/go.mod", "**/go.sum", "**/go.work", "**/go.work.sum", "**/vendor/modules.txt"},
		Locks:        map[string][]string{"go.mod": {"go.sum"}, "go.work": {"go.work.sum"}},
		Includes:     index.Inclusion{Line: `go:embed\s.*`, Takes: embeds},
		Extract:      s.extract,
		Compatible:   compatible,
		TestFile:     isTestFile,
		TestPrefixes: []string{"Test", "Benchmark", "Fuzz", "Example"},
		Launchers:    []string{"go run", "go tool"},
		Format:       formatSource,
		Tokens:       tokens,
		Plant:        plant,
		Commands:     commands,
		Program:      func(p index.Package) bool { return p.Name == "main" },
		Link:         link,
		Structure:    structure,
		Contract:     contract,
		Comments:     index.Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Blanket: []string{"nolint", "#nosec"}},
		Unrun:        unrun(),
		Fixtures:     []string{"testdata", "fixtures"},
		Statements:   []string{"if", "for", "switch", "else", "func", "return", "defer", "go", "var", "const", "import", "case"},
		OnImport:     func(s index.Symbol) bool { return s.Kind == index.KindFunction && s.Name == "init" },
	}
}

// unrun are names of test files that most machines leave out: Go's rule for
// names of operating systems and architectures ("go help buildconstraint"),
// folders and prefixes that "go help packages" ignores.
func unrun() []string {
	return []string{"**/testdata/**", "**/_*", "**/_*/**", "**/.*", "**/.*/**",
		"**/*_{aix,android,darwin,dragonfly,freebsd,illumos,ios,js,netbsd,openbsd,plan9,solaris,wasip1,windows,linux}_test.go",
		"**/*_{386,amd64,arm,arm64,loong64,mips,mipsle,mips64,mips64le,ppc64,ppc64le,riscv64,s390x,wasm}_test.go"}
}
