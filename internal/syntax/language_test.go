package syntax

import (
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/plumbkit/plumb/host/fault"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rawLanguage reads the first field of sitter.Language; this fails when that
// field is another one or points to something else.
func TestLanguageLayout(t *testing.T) {
	typ := reflect.TypeFor[sitter.Language]()
	require.Equal(t, 1, typ.NumField())
	field := typ.Field(0)
	assert.Equal(t, "ptr", field.Name)
	assert.Equal(t, reflect.UnsafePointer, field.Type.Kind())
	assert.Zero(t, field.Offset)
	for _, g := range grammars(t, "") {
		require.Equal(t, int(g.raw.SymbolCount()), len(g.lang.kinds)-1)
		for i := range g.raw.SymbolCount() {
			assert.Equal(t, g.raw.SymbolName(sitter.Symbol(i)), g.lang.kinds[i])
		}
		for i := 1; i < len(g.lang.fields); i++ {
			assert.Equal(t, g.raw.FieldName(i), g.lang.fields[i])
		}
	}
}

func TestNodeLayout(t *testing.T) {
	assert.Equal(t, nodeLayout(), []uintptr{unsafe.Sizeof(Node{}), unsafe.Offsetof(Node{}.Kind), unsafe.Offsetof(Node{}.Field),
		unsafe.Offsetof(Node{}.Flags), unsafe.Offsetof(Node{}.Start), unsafe.Offsetof(Node{}.End),
		unsafe.Offsetof(Node{}.Parent), unsafe.Offsetof(Node{}.Next)})
	assert.Equal(t, nodeFlags(), []Flags{Named, Missing, Error, HasError, Extra})
}

func TestLanguageNames(t *testing.T) {
	lang := grammars(t, "")[0].lang
	id, ok := lang.Kind("identifier", true)
	require.True(t, ok)
	assert.Equal(t, "identifier", lang.Kinds()[id])
	named, _ := lang.Kind("package_clause", true)
	_, ok = lang.Kind("package_clause", false)
	assert.False(t, ok)
	token, ok := lang.Kind("package", false)
	assert.True(t, ok)
	assert.NotEqual(t, named, token)
	wrong, ok := lang.Kind("ERROR", true)
	assert.True(t, ok)
	assert.Equal(t, len(lang.Kinds())-1, int(wrong))
	_, ok = lang.Kind("E", true)
	assert.False(t, ok)
	field, ok := lang.Field("name")
	assert.True(t, ok)
	assert.Equal(t, "name", lang.Fields()[field])
	_, ok = lang.Field("nonsense")
	assert.False(t, ok)
}

func TestQueryErrors(t *testing.T) {
	raw := samples[0].get()
	for _, c := range []struct {
		query        string
		line, column int
		reason       string
	}{
		{"(identifier) @a\n  (no_such) @b", 2, 4, `the grammar has no node "no_such"`},
		{"(call_expression no_field: (_))", 1, 18, `the grammar has no field "no_field"`},
		{"(identifier) @a\n\n((identifier) @b (#eq? @c \"x\"))", 3, 25, "no capture @c stands in this pattern"},
		{"(package_clause (call_expression))", 1, 17, "the grammar cannot produce this structure"},
		{"(identifier", 1, 12, "the syntax is wrong"},
		{"(identifier) @a)", 1, 16, "the syntax is wrong"},
		{"(identifier) @a\n((identifier) @b (#is? @b local))", 2, 1, "the predicate #is? is not supported"},
		{"((identifier) @b (#match? @b \"(\"))", 1, 1, "#match? does not compile"},
		{"((identifier) @b (#eq? @b))", 1, 1, "#eq? needs a capture and what it is compared with"},
		{"((identifier) @b (#eq? @b \"x\" \"y\"))", 1, 1, "#eq? takes two arguments"},
		{"((identifier) @b (#any-of? @b @b))", 1, 1, "#any-of? compares with strings, not with @b"},
		{"(block\n ((_) (_))+ @a)", 2, 2, "a quantified or captured group is not supported"},
		{"[(identifier)+ (comment)] @a", 1, 2, "a group or quantifier inside an alternation is not supported"},
		{"(expression_statement (_expression) @a)", 1, 24, `"_expression" is a supertype`},
	} {
		t.Run(c.query, func(t *testing.T) {
			_, err := NewLanguage("go", raw, c.query)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.ErrorIs(t, err, fault.InvalidInput)
			assert.Equal(t, c.line, f.Subject.Line)
			assert.Contains(t, f.Detail, c.reason)
			assert.Contains(t, f.Detail, fmt.Sprintf("column %d:", c.column))
			assert.NotEmpty(t, f.Next)
		})
	}
}

func TestMissingGrammar(t *testing.T) {
	_, err := NewLanguage("none", nil, "")
	assert.ErrorIs(t, err, fault.Unsupported)
}

// A build without cgo stops with a name that says what to do.
func TestBuildWithoutCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	cmd := exec.Command("go", "build", ".")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "plumb_needs_cgo_and_a_C_compiler__set_CGO_ENABLED_1")
	assert.Equal(t, 2, strings.Count(string(out), "\n"), "one message only: %s", out)
}
