package syntax

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bindingNodes walks src with the binding's own cursor.
func bindingNodes(t testing.TB, grammar *sitter.Language, lang *Language, src []byte) []Node {
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(grammar)
	tree, err := parser.ParseCtx(context.Background(), nil, src)
	require.NoError(t, err)
	defer tree.Close()
	cursor := sitter.NewTreeCursor(tree.RootNode())
	defer cursor.Close()
	var nodes []Node
	parent := None
	for {
		nodes = append(nodes, bindingNode(t, cursor, lang, parent))
		self := int32(len(nodes) - 1)
		if cursor.GoToFirstChild() {
			parent = self
			continue
		}
		nodes[self].Next = self + 1
		for parent == None || !cursor.GoToNextSibling() {
			if parent == None {
				return nodes
			}
			nodes[parent].Next = int32(len(nodes))
			parent = nodes[parent].Parent
			cursor.GoToParent()
		}
	}
}

func bindingNode(t testing.TB, cursor *sitter.TreeCursor, lang *Language, parent int32) Node {
	n := cursor.CurrentNode()
	out := Node{Start: n.StartByte(), End: n.EndByte(), Parent: parent}
	kind, ok := lang.Kind(n.Type(), n.IsNamed())
	require.True(t, ok, "kind %q", n.Type())
	out.Kind = kind
	if field := cursor.CurrentFieldName(); field != "" {
		out.Field, ok = lang.Field(field)
		require.True(t, ok, "field %q", field)
	}
	for flag, set := range map[Flags]bool{Named: n.IsNamed(), Missing: n.IsMissing(), Error: n.IsError(),
		HasError: n.HasError(), Extra: n.IsExtra()} {
		if set {
			out.Flags |= flag
		}
	}
	return out
}

func checkAgainstBinding(t testing.TB, p *Parser, g grammar, src []byte) {
	tree, err := p.Parse(context.Background(), g.lang, src)
	require.NoError(t, err)
	want := bindingNodes(t, g.raw, g.lang, src)
	require.Len(t, tree.Nodes, len(want))
	for i := range want {
		if want[i] != tree.Nodes[i] {
			require.Equal(t, want[i], tree.Nodes[i], "node %d, a %s", i, g.lang.Kinds()[want[i].Kind])
		}
	}
}

// covers: IDX-2, IDX-4
func TestTreeEqualsBinding(t *testing.T) {
	p := NewParser()
	defer p.Close()
	for _, g := range grammars(t, "") {
		for name, src := range inputs(g) {
			t.Run(g.lang.Name()+"/"+name, func(t *testing.T) { checkAgainstBinding(t, p, g, src) })
		}
	}
}

// eachGoFile gives f the Go files below $PLUMB_SYNTAX_ROOT, which may be as much
// as GOROOT/src in a run by hand; or, without it, a few packages of GOROOT/src.
// Files of most bytes and more are left out.
func eachGoFile(t testing.TB, most int, f func(path string, src []byte)) {
	roots := []string{os.Getenv("PLUMB_SYNTAX_ROOT")}
	if roots[0] == "" {
		src := goSource(t)
		roots = []string{filepath.Join(src, "context"), filepath.Join(src, "go", "ast"), filepath.Join(src, "sort"), filepath.Join(src, "archive", "tar")}
	}
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			src, err := os.ReadFile(path)
			if err == nil && len(src) < most {
				f(path, src)
			}
			return err
		}))
	}
}

// goSource returns the folder of the standard library's source.
func goSource(t testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// covers: IDX-2
func TestTreeEqualsBindingOnFiles(t *testing.T) {
	p := NewParser()
	defer p.Close()
	g := grammars(t, "")[0]
	n := 0
	eachGoFile(t, DefaultMaxBytes, func(path string, src []byte) {
		n++
		t.Run(filepath.Base(path), func(t *testing.T) { checkAgainstBinding(t, p, g, src) })
	})
	assert.Greater(t, n, 10)
}
