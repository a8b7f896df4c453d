package syntax

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bindingMatches runs query through the runtime's own cursor.
func bindingMatches(t testing.TB, raw *sitter.Language, query string, src []byte) []string {
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(raw)
	tree, err := parser.ParseCtx(context.Background(), nil, src)
	require.NoError(t, err)
	defer tree.Close()
	q, err := sitter.NewQuery([]byte(query), raw)
	require.NoError(t, err)
	defer q.Close()
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q, tree.RootNode())
	var all []string
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			slices.Sort(all)
			return all
		}
		var words []string
		for _, c := range m.Captures {
			words = append(words, fmt.Sprintf("%s=%s[%d:%d]", q.CaptureNameForId(c.Index), c.Node.Type(), c.Node.StartByte(), c.Node.EndByte()))
		}
		all = append(all, line(uint32(m.PatternIndex), words))
	}
}

func line(pattern uint32, words []string) string {
	slices.Sort(words)
	return fmt.Sprintf("%d %s", pattern, strings.Join(words, " "))
}

func ownMatches(t testing.TB, tree *Tree) []string {
	var all []string
	for _, m := range tree.Matches {
		var words []string
		for _, c := range tree.MatchCaptures(m) {
			n := tree.Nodes[c.Node]
			words = append(words, fmt.Sprintf("%s=%s[%d:%d]", tree.Language.Captures()[c.Name], tree.Kind(c.Node), n.Start, n.End))
		}
		all = append(all, line(m.Pattern, words))
	}
	slices.Sort(all)
	return all
}

// differences returns what only the runtime and what only the matcher finds.
func differences(t testing.TB, p *Parser, raw *sitter.Language, lang *Language, query string, src []byte) (missing, extra []string) {
	tree, err := p.Parse(context.Background(), lang, src)
	require.NoError(t, err)
	require.False(t, tree.Truncated)
	want, got := bindingMatches(t, raw, query, src), ownMatches(t, tree)
	return without(want, got), without(got, want)
}

// without returns the lines of a that b lacks, counting repetitions; both are sorted.
func without(a, b []string) (rest []string) {
	for _, s := range a {
		for len(b) > 0 && b[0] < s {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == s {
			b = b[1:]
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

var predicates = regexp.MustCompile(`\(#[^)]*\)`)

// lossy are the patterns of testdata/go.scm where the runtime loses matches: it
// takes "a, b" in a const_spec and "case a, b" for fields that cannot come twice.
var lossy = regexp.MustCompile(`^(14 def.constant|38 case)=`)

func checkMatches(t testing.TB, p *Parser, raw *sitter.Language, lang *Language, query string, src []byte) {
	missing, extra := differences(t, p, raw, lang, query, src)
	assert.Empty(t, missing)
	for _, e := range extra {
		assert.Regexp(t, lossy, e)
	}
}

// covers: IDX-2
func TestMatchesEqualRuntime(t *testing.T) {
	p := NewParser()
	defer p.Close()
	g := grammars(t, "")[0]
	query := predicates.ReplaceAllString(goQuery(t), "")
	lang, err := NewLanguage("go", g.raw, query)
	require.NoError(t, err)
	for name, src := range inputs(g) {
		t.Run(name, func(t *testing.T) { checkMatches(t, p, g.raw, lang, query, src) })
	}
	eachGoFile(t, 100_000, func(path string, src []byte) {
		t.Run(filepath.Base(path), func(t *testing.T) { checkMatches(t, p, g.raw, lang, query, src) })
	})
}

// covers: IDX-2
func TestMatchesEqualRuntimeInEveryLanguage(t *testing.T) {
	const query = "(identifier) @a (_ (identifier) @b) @c (_ . (_) @d) \"(\" @f (_ . (_) @g . (_) @h) (ERROR) @i"
	p := NewParser()
	defer p.Close()
	for _, g := range grammars(t, query) {
		for name, src := range inputs(g) {
			t.Run(g.lang.Name()+"/"+name, func(t *testing.T) {
				missing, extra := differences(t, p, g.raw, g.lang, query, src)
				assert.Empty(t, missing)
				assert.Empty(t, extra)
			})
		}
	}
}

// Shapes of patterns, each against the runtime's own reading.
// covers: IDX-2
func TestPatternsEqualRuntime(t *testing.T) {
	src := []byte("package a\n// one\n\n// two\nfunc f(a, b int, c string) (x int) { g(1, h(2, 3), \"s\"); return a + b }\n" +
		"func g() {}\n// three\nfunc (t *T) h(_ ...int) { if a := g(); a { f(a, a.b.c) } else { _ = []int{1, 2} } }\n" +
		"type T struct {\n\t// doc\n\ta, b int `tag`\n\tE\n}\nvar x, y = 1, func() { h() }\nconst (\n\tA = iota\n\tB\n)\n")
	// What the runtime loses, because it holds that the field or the repetition cannot come again.
	more := map[string][]string{
		"(parameter_declaration name: (identifier)+ @n)":  {"0 n=identifier[35:36]"},
		"(parameter_list (parameter_declaration)* @p) @l": {"0 l=parameter_list[31:51] p=parameter_declaration[42:50]"},
	}
	raw := samples[0].get()
	p := NewParser()
	defer p.Close()
	for _, query := range []string{
		"(identifier) @a", "(_) @a", "_ @a", "\"(\" @a", "[\"(\" \")\"] @a", "(call_expression) @a @b",
		"(call_expression function: (_) @f arguments: (_) @a) @c",
		"(call_expression function: [(identifier) @i (selector_expression field: (_) @s)]) @c",
		"(call_expression arguments: (argument_list (_) @a))",
		"(call_expression arguments: (argument_list (_) @a (_) @b))",
		"(argument_list . (_) @first)", "(argument_list (_) @last .)", "(argument_list . (_) @only .)",
		"(argument_list (_) @a . (_) @b)", "(argument_list \"(\" . (_) @a)", "(argument_list \",\" @comma)",
		"(function_declaration result: (_)? @r) @f", "(function_declaration !result name: (_) @n)",
		"(function_declaration name: (_) @n parameters: (_) @p result: (_)? @r body: (_)? @b)",
		"(parameter_declaration name: (identifier) @n type: (_) @t)",
		"(parameter_declaration name: (identifier)+ @n)", "(parameter_list (parameter_declaration)* @p) @l",
		"((comment) @d . (function_declaration) @f)", "((comment)* @d . (function_declaration name: (_) @n))",
		"((comment)+ @d . (method_declaration) @m)", "(comment)+ @d",
		"((comment) @a (comment) @b)", "(source_file (comment)* @d . (function_declaration) @f)",
		"(source_file (comment) (function_declaration) @f)", "(source_file (function_declaration) (comment) @c)",
		"(block (expression_statement) @s (return_statement) @r)", "(block (_) . (return_statement) @r)",
		"[(function_declaration name: (_) @n) (method_declaration name: (_) @n)] @d",
		"(_ name: (identifier) @n)", "(_ (identifier) @n) @p", "(field_declaration_list (comment)? @d . (field_declaration) @f)",
		"(const_spec name: (_) @n value: (_)? @v)", "(if_statement alternative: (block) @e)",
		"(selector_expression operand: (selector_expression operand: (_) @a field: (_) @b) field: (_) @c)",
		"(field_declaration name: (field_identifier) @n type: (_) @t tag: (_)? @g)",
		"(binary_expression left: (_) @l operator: \"+\" right: (_) @r)",
		"; comment\n(identifier) @a ; and\n(comment) @b\n",
		"(short_var_declaration left: (expression_list . (identifier) @v .) right: (expression_list (call_expression) @c))",
	} {
		t.Run(query, func(t *testing.T) {
			lang, err := NewLanguage("go", raw, query)
			require.NoError(t, err)
			missing, extra := differences(t, p, raw, lang, query, src)
			assert.Empty(t, missing)
			assert.Equal(t, more[query], extra)
		})
	}
}
