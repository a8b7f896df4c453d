package syntax

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = "package a\n\nfunc f(x int) {\n\tg(x, 1)\n}\n"

func parsed(t testing.TB, query, src string) *Tree {
	lang, err := NewLanguage("go", samples[0].get(), query)
	require.NoError(t, err)
	p := NewParser()
	defer p.Close()
	tree, err := p.Parse(context.Background(), lang, []byte(src))
	require.NoError(t, err)
	return tree
}

func kindOf(t testing.TB, tree *Tree, name string) uint16 {
	id, ok := tree.Language.Kind(name, true)
	require.True(t, ok)
	return id
}

func TestTreeNavigation(t *testing.T) {
	tree := parsed(t, "(call_expression) @call", small)
	call := tree.MatchCaptures(tree.Matches[0])[0].Node
	assert.Equal(t, "call_expression", tree.Kind(call))
	assert.Equal(t, "g(x, 1)", string(tree.Text(call)))
	field, _ := tree.Language.Field("arguments")
	args := tree.Child(call, field)
	assert.Equal(t, args, tree.ChildOfKind(call, kindOf(t, tree, "argument_list")))
	var all, named []string
	for c := range tree.Children(args) {
		all = append(all, string(tree.Text(c)))
	}
	for c := range tree.NamedChildren(args) {
		named = append(named, string(tree.Text(c)))
	}
	assert.Equal(t, []string{"(", "x", ",", "1", ")"}, all)
	assert.Equal(t, []string{"x", "1"}, named)
	assert.Equal(t, None, tree.Child(args, field))
	assert.Equal(t, None, tree.NextSibling(args))
	assert.Equal(t, tree.FirstChild(call), tree.PrevSibling(args))
	assert.Equal(t, None, tree.PrevSibling(tree.FirstChild(call)))
	fn := tree.Ancestor(call, kindOf(t, tree, "function_declaration"))
	assert.Equal(t, "function_declaration", tree.Kind(fn))
	assert.Equal(t, None, tree.Ancestor(tree.Root(), tree.Nodes[fn].Kind))
	assert.Equal(t, None, tree.NextSibling(tree.Root()))
	assert.Equal(t, None, tree.PrevSibling(tree.Root()))
	at := tree.At(uint32(bytes.Index(tree.Src, []byte("g(x"))))
	assert.Equal(t, "identifier", tree.Kind(at))
	assert.Equal(t, tree.Root(), tree.At(9999))
}

func TestTreePositions(t *testing.T) {
	tree := parsed(t, "", small)
	assert.Equal(t, 6, tree.Lines())
	for _, c := range []struct {
		offset    uint32
		line, col int
	}{{0, 1, 1}, {9, 1, 10}, {10, 2, 1}, {11, 3, 1}, {28, 4, 2}, {uint32(len(small)), 6, 1}} {
		line, col := tree.Position(c.offset)
		assert.Equal(t, c.line, line, c.offset)
		assert.Equal(t, c.col, col, c.offset)
		assert.Equal(t, c.line, tree.Line(c.offset))
		assert.Equal(t, c.offset, tree.LineStart(line)+uint32(col)-1)
	}
}

// covers: IDX-4
func TestErrorNodesAndIntactDefinitions(t *testing.T) {
	tree := parsed(t, "(function_declaration name: (_) @name)", "package a\nfunc f() {}\nfunc ) broken\nfunc g() {\n")
	assert.True(t, tree.HasError)
	var wrong []string
	for n := range tree.ErrorNodes() {
		node := tree.Nodes[n]
		assert.True(t, node.Is(Error) || node.Is(Missing))
		wrong = append(wrong, tree.Kind(n))
	}
	assert.Contains(t, wrong, "ERROR")
	assert.Equal(t, "f", string(tree.Text(tree.MatchCaptures(tree.Matches[0])[0].Node)))
	clean := parsed(t, "", small)
	assert.False(t, clean.HasError)
	for n := range clean.ErrorNodes() {
		t.Errorf("node %d is no error", n)
	}
}

func TestNavigationDoesNotAllocate(t *testing.T) {
	tree := parsed(t, "(call_expression) @call", small)
	call := tree.MatchCaptures(tree.Matches[0])[0].Node
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		n := 0
		for c := range tree.Children(call) {
			n += len(tree.Text(c)) + tree.Line(tree.Nodes[c].Start)
		}
		for c := range tree.NamedChildren(call) {
			n += int(tree.NextSibling(c)) + len(tree.Kind(c))
		}
		for c := range tree.ErrorNodes() {
			n += int(c)
		}
		_ = tree.Captured(tree.Matches[0], 0)
	}))
}
