package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programming is what a hint says to somebody who writes a program with the
// library, and not to somebody at the command line.
var programming = regexp.MustCompile(`\b[A-Z]\w*[.{][A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b(?:Approver|Answerer|Snapshot|Runner|Sandbox|Splitter|History|Patcher|Input|Before|After|Env|Dir|FS|Store|Model|Editor|Readable|Protect)\b`)

// never are hints that no command can bring about, as it sets what they ask for,
// and names of other programs' things.
var never = []string{
	"index the workspace and pass the snapshot as Before", "pass the set that a Patcher returned", "make the chain with plumb.New and set ",
	"set Input.FS to the repository's root", "ask for one of Snapshot.Files", "set Files.Dir", "set Chain.Runner", "use the ID that Protect returned",
	"write it as Plan.Markdown does", "end them by hand, and run the command in Bubblewrap, where the kernel ends them",
	"let the tests write into a folder of their own (t.TempDir), and run again", "bring a Store of your own, or use Memory", "raise Budgets.Reasoning and run the task again",
}

// elsewhere are folders that this command line does not use.
var elsewhere = []string{"/examples", "/loop", "/verify/runner/command"}

// Every hint of the library is put into the words of the command line.
//
// covers: HST-1, FLT-3
func TestHintsNameFlags(t *testing.T) {
	n := 0
	for hint, file := range hints(t) {
		n++
		said := inFlags(hint)
		if slices.ContainsFunc(never, func(s string) bool { return strings.HasPrefix(hint, s) }) {
			continue
		}
		assert.Falsef(t, programming.MatchString(said), "%s: %q speaks to a programmer", file, said)
	}
	assert.Greater(t, n, 100, "hints were found")
	for i, s := range []string{"raise Budgets.Feedback, or select fewer tests", "opt in to runs without isolation with Auto{AllowUnsandboxed: true}"} {
		assert.Contains(t, inFlags(s), []string{"-feedback", "-unsandboxed"}[i])
	}
}

// hints are the texts of Next in the library's sources, by the file they stand in.
func hints(t *testing.T) map[string]string {
	t.Helper()
	root, out := "../..", map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		rel := filepath.ToSlash(strings.TrimPrefix(p, root))
		if err != nil || d.IsDir() {
			if err == nil && (slices.Contains(elsewhere, rel) || strings.HasSuffix(rel, "/testdata") || strings.HasSuffix(d.Name(), "test") || strings.HasPrefix(d.Name(), ".") && p != root) {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			for _, text := range hintOf(n) {
				out[text] = rel
			}
			return true
		})
		return nil
	}))
	return out
}

// hintOf returns the literal parts of a fault's Next.
func hintOf(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Next" {
			return literals(n.Value)
		}
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "From" && len(n.Args) == 3 {
			return literals(n.Args[2])
		}
	}
	return nil
}

func literals(n ast.Node) []string {
	var out []string
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && s != "" {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}
