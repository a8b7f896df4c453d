package plumb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/plumbkit/plumb"

// house is the order of imports, left to right: a package imports only what
// stands to its left. internal/* stands right of host/fault, which everyone
// speaks, and left of all else; "." is the root package.
var house = []string{
	"host/fault", "internal", "host/task", "host/model", "host/ledger", "host/decide", "host/sandbox",
	"index", "budget", "changeset/requirement", "changeset", "patch", "verify",
	"gate/judge", "gate", "selfcheck", ".", "loop", "examples",
}

// outside lists exactly the packages from other modules that each package
// imports beyond the standard library; a package that is not listed imports
// none. Conformance suites and test files may use testOnly besides.
var outside = map[string][]string{
	"internal/strictyaml":            {"github.com/goccy/go-yaml", "github.com/goccy/go-yaml/token"},
	"internal/syntax":                {"github.com/smacker/go-tree-sitter"},
	"host/ledger":                    {"golang.org/x/sys/unix"},
	"index":                          {"github.com/bmatcuk/doublestar/v4", "github.com/hashicorp/go-hclog", "github.com/klauspost/compress/s2", "github.com/smacker/go-tree-sitter", "golang.org/x/sync/errgroup", "golang.org/x/sys/unix"},
	"index/lang/golang":              {"github.com/bmatcuk/doublestar/v4", "github.com/smacker/go-tree-sitter/golang", "golang.org/x/mod/modfile"},
	"index/lang/internal/ecmascript": {"github.com/bmatcuk/doublestar/v4", "github.com/goccy/go-yaml", "github.com/smacker/go-tree-sitter", "github.com/tailscale/hujson"},
	"index/lang/javascript":          {"github.com/smacker/go-tree-sitter/javascript"},
	"index/lang/python":              {"github.com/pelletier/go-toml/v2", "github.com/smacker/go-tree-sitter/python"},
	"index/lang/typescript":          {"github.com/smacker/go-tree-sitter/typescript/tsx", "github.com/smacker/go-tree-sitter/typescript/typescript"},
	"budget":                         {"github.com/tiktoken-go/tokenizer"},
	"patch":                          {"github.com/sourcegraph/go-diff/diff", "golang.org/x/sync/errgroup", "golang.org/x/sys/windows"},
	"verify":                         {"github.com/google/renameio/v2"},
	"verify/runner/command":          {"github.com/bmatcuk/doublestar/v4"},
	"verify/runner/gotest":           {"golang.org/x/mod/modfile"},
	"gate":                           {"github.com/bmatcuk/doublestar/v4", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"},
	"gate/secrets":                   {"github.com/spf13/viper", "github.com/zricethezav/gitleaks/v8/config", "github.com/zricethezav/gitleaks/v8/detect", "github.com/zricethezav/gitleaks/v8/report"},
	"examples/custom":                {"golang.org/x/tools/txtar"},
	"examples/refund":                {"golang.org/x/tools/txtar"},
	"examples/cli":                   {"github.com/hashicorp/go-hclog", "github.com/mattn/go-isatty"},
}

// testOnly lists the modules that test files and conformance suites may use.
var testOnly = []string{
	"github.com/stretchr/testify", "golang.org/x/tools", "github.com/rogpeppe/go-internal",
	"github.com/smacker/go-tree-sitter", "github.com/hashicorp/go-hclog", "golang.org/x/sync", "golang.org/x/sys", "github.com/sourcegraph/go-diff",
}

// compiled lists every module that a host compiles when it imports a package
// with the given grammars and nothing else (ARC-11).
var compiled = map[string][]string{
	"./index": {"github.com/bmatcuk/doublestar/v4", "github.com/fatih/color", "github.com/goccy/go-yaml", "github.com/hashicorp/go-hclog",
		"github.com/klauspost/compress", "github.com/mattn/go-colorable", "github.com/mattn/go-isatty", "github.com/smacker/go-tree-sitter", "golang.org/x/sync", "golang.org/x/sys"},
	"./index/lang/golang": {"github.com/bmatcuk/doublestar/v4", "github.com/fatih/color", "github.com/goccy/go-yaml", "github.com/hashicorp/go-hclog",
		"github.com/klauspost/compress", "github.com/mattn/go-colorable", "github.com/mattn/go-isatty", "github.com/smacker/go-tree-sitter", "golang.org/x/mod", "golang.org/x/sync", "golang.org/x/sys"},
	"./index/lang/python": {"github.com/bmatcuk/doublestar/v4", "github.com/fatih/color", "github.com/goccy/go-yaml", "github.com/hashicorp/go-hclog",
		"github.com/klauspost/compress", "github.com/mattn/go-colorable", "github.com/mattn/go-isatty", "github.com/pelletier/go-toml/v2", "github.com/smacker/go-tree-sitter", "golang.org/x/sync", "golang.org/x/sys"},
}

// covers: ARC-1
func TestImportsRunOneWay(t *testing.T) {
	for pkg, files := range packages(t) {
		for _, f := range files {
			if f.test {
				continue
			}
			for _, imp := range f.imports {
				if to, ok := inHouse(imp); ok {
					assert.Truef(t, mayImport(pkg, to), "%s imports %s, which does not stand to its left", f.path, to)
				}
			}
		}
	}
}

// covers: ARC-1
func TestImportRuleRefuses(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"index", "budget"}, {"budget", "patch"}, {"host/fault", "host/model"}, {"patch", "gate"},
		{"index", "index/lang/golang"}, {"verify", "verify/runner/gotest"}, {"changeset", "."},
		{"host/fault", "internal/syntax"}, {"internal/syntax", "host/task"}, {"internal/syntax", "index"}, {"index", "index/indextest"},
	} {
		assert.Falsef(t, mayImport(c.from, c.to), "%s may import %s", c.from, c.to)
	}
	for _, c := range []struct{ from, to string }{
		{"budget", "index"}, {".", "index/lang/golang"}, {"examples/cli", "."}, {"index/lang/golang", "index"},
		{"index", "internal/syntax"}, {"changeset", "changeset/requirement"}, {"gate", "gate/judge"},
		{"index/indextest", "index"}, {"internal/syntax", "host/fault"}, {"internal/walk", "internal/gitcmd"}, {"index/lang/all", "index/lang/golang"},
		{"verify/runner/jest", "verify/runner/internal/nodejs"},
	} {
		assert.Truef(t, mayImport(c.from, c.to), "%s may not import %s", c.from, c.to)
	}
}

// covers: ARC-11
func TestDependenciesAreAllowed(t *testing.T) {
	all := packages(t)
	for pkg, files := range all {
		used := map[string]bool{}
		for _, f := range files {
			for _, imp := range f.imports {
				if _, ok := inHouse(imp); ok || !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
					continue
				}
				used[imp] = used[imp] || !f.test
				ok := slices.Contains(outside[pkg], imp) || (f.test || isSuite(pkg)) && slices.ContainsFunc(testOnly, func(m string) bool {
					return imp == m || strings.HasPrefix(imp, m+"/")
				})
				assert.Truef(t, ok, "%s imports %s, which is not on the allow-list of %s", f.path, imp, pkg)
			}
		}
		for _, imp := range outside[pkg] {
			assert.Truef(t, used[imp], "%s may import %s and does not: take it off the list", pkg, imp)
		}
	}
	for pkg := range outside {
		assert.Containsf(t, all, pkg, "the allow-list names a package that does not exist")
	}
}

// covers: ARC-11
func TestImportingTheIndexCompilesTheParserOnly(t *testing.T) {
	for pkg, want := range compiled {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}} {{.ImportPath}}", pkg)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		require.NoError(t, err, said.String())
		var modules, grammars []string
		for line := range strings.Lines(string(out)) {
			mod, imp, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if mod == "" || mod == module {
				continue
			}
			modules = append(modules, mod)
			if grammar, ok := strings.CutPrefix(imp, "github.com/smacker/go-tree-sitter/"); ok {
				grammars = append(grammars, grammar)
			}
		}
		slices.Sort(modules)
		assert.Equal(t, want, slices.Compact(modules), pkg)
		if pkg == "./index" {
			assert.Empty(t, grammars, "the index brings no grammar of its own")
		} else {
			for _, grammar := range grammars {
				own, _, _ := strings.Cut(grammar, "/")
				assert.Equal(t, path.Base(pkg), own, "a language brings its own grammar only")
			}
			assert.NotEmpty(t, grammars, pkg)
		}
	}
}

// Gitleaks is compiled by hosts that ask for it, by gate/secrets or the root.
//
// covers: ARC-11
func TestOnlyTheRootAndSecretsCompileGitleaks(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...").Output()
	require.NoError(t, err)
	with := 0
	for line := range strings.Lines(string(out)) {
		pkg, deps, _ := strings.Cut(strings.TrimSpace(line), " ")
		all := strings.Fields(deps)
		asked := pkg == module || pkg == module+"/gate/secrets" || slices.Contains(all, module) || slices.Contains(all, module+"/gate/secrets")
		compiles := strings.Contains(deps, "zricethezav/gitleaks")
		assert.Equal(t, asked, compiles, pkg)
		if compiles {
			with++
		}
	}
	assert.GreaterOrEqual(t, with, 2)
}

// covers: ARC-10
func TestPackageNamesSaySomething(t *testing.T) {
	for pkg := range packages(t) {
		assert.NotContains(t, []string{"util", "utils", "common", "helpers", "helper", "types", "models"}, path.Base(pkg), pkg)
	}
}

// covers: ARC-5, ARC-8
func TestLibraryHasNoGlobalsThatChangeAndDoesNotExit(t *testing.T) {
	forbidden := []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Print", "log.Printf", "log.Println",
		"fmt.Print", "fmt.Printf", "fmt.Println"}
	for pkg, files := range packages(t) {
		if pkg == "examples" || strings.HasPrefix(pkg, "examples/") {
			continue
		}
		for _, f := range files {
			if f.test {
				continue
			}
			for _, decl := range f.syntax.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok {
					assert.Falsef(t, fn.Recv == nil && fn.Name.Name == "init", "%s: init registers something", f.path)
				}
			}
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil {
						assert.NotContainsf(t, forbidden, x.Name+"."+sel.Sel.Name, "%s", f.path)
					}
				}
				return true
			})
		}
	}
}

// covers: ARC-2
func TestInterfacesAreSmall(t *testing.T) {
	for pkg, files := range packages(t) {
		for _, f := range files {
			if f.test {
				continue
			}
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					if it, ok := spec.Type.(*ast.InterfaceType); ok {
						assert.LessOrEqualf(t, it.Methods.NumFields(), 4, "%s.%s", pkg, spec.Name.Name)
					}
				}
				return true
			})
		}
	}
}

// covers: ARC-9
func TestExportedNamesAreDocumented(t *testing.T) {
	for pkg, files := range packages(t) {
		if strings.HasPrefix(pkg, "examples/") {
			continue
		}
		documented := false
		for _, f := range files {
			if f.test {
				continue
			}
			documented = documented || f.syntax.Doc != nil
			for _, name := range undocumented(f.syntax) {
				assert.Failf(t, "exported name without documentation", "%s: %s", f.path, name)
			}
		}
		assert.Truef(t, documented || len(files) == 0 || onlyTests(files), "package %s has no package comment", pkg)
	}
}

func onlyTests(files []source) bool {
	return !slices.ContainsFunc(files, func(f source) bool { return !f.test })
}

// undocumented lists the exported top-level names of a file without a comment
// of their own, of their group, or behind them on the line.
func undocumented(f *ast.File) []string {
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
				out = append(out, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
						out = append(out, s.Name.Name)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
						out = append(out, s.Names[0].Name)
					}
				}
			}
		}
	}
	return out
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !exported {
			exported = id.IsExported()
			return false
		}
		return true
	})
	return exported
}

// mayImport reports whether package from may import package to; both are
// folders relative to the module.
func mayImport(from, to string) bool {
	if strings.HasPrefix(to, "internal/") {
		return from != "host/fault"
	}
	if strings.HasPrefix(from, "internal/") {
		return to == "host/fault"
	}
	f, fImpl := place(from)
	t, tImpl := place(to)
	if f < 0 || t < 0 {
		return false
	}
	root := slices.Index(house, ".")
	switch {
	case isSuite(from) && isSuite(to): // conformance suites build on each other in the house's order
		return t <= f
	case tImpl: // implementations are for the root, examples, their siblings and what these share only
		return f >= root || (fImpl && f == t && (path.Dir(from) == path.Dir(to) || strings.HasPrefix(to, path.Dir(from)+"/internal/")))
	case fImpl: // an implementation stands right of its parent
		return t <= f
	}
	return t < f || (f == t && house[f] == "examples")
}

// isSuite reports whether a package is a conformance suite (indextest …).
func isSuite(pkg string) bool { return strings.HasSuffix(pkg, "test") && path.Dir(pkg) != "." }

// place returns the position of a package in the house and whether it is an
// implementation that stands right of it.
func place(pkg string) (pos int, impl bool) {
	for p := pkg; p != "." || pkg == "."; p = path.Dir(p) {
		if i := slices.Index(house, p); i >= 0 {
			return i, p != pkg && house[i] != "examples"
		}
		if p == "." {
			break
		}
	}
	return -1, false
}

type source struct {
	path    string
	test    bool
	imports []string
	syntax  *ast.File
}

// packages parses every Go file of the module, by folder.
func packages(t *testing.T) map[string][]source {
	t.Helper()
	out := map[string][]source{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if p != "." && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil && p != "." {
				return fs.SkipDir // a nested module
			}
			return nil
		}
		if filepath.Ext(p) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(p), test: strings.HasSuffix(p, "_test.go"), syntax: f}
		for _, imp := range f.Imports {
			v, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, v)
		}
		sort.Strings(s.imports)
		dir := path.Dir(s.path)
		out[dir] = append(out[dir], s)
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, out)
	return out
}

// inHouse returns the folder of an import of this module.
func inHouse(imp string) (string, bool) {
	if imp == module {
		return ".", true
	}
	rest, ok := strings.CutPrefix(imp, module+"/")
	return rest, ok
}
