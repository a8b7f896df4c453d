package captures

import (
	"errors"
	"testing"

	"github.com/smacker/go-tree-sitter/golang"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
)

func check(t *testing.T, query string) error {
	lang, err := syntax.NewLanguage("go", golang.GetLanguage(), query)
	require.NoError(t, err)
	return Check(lang, query)
}

// covers: IDX-2
func TestCheckAcceptsTheVocabulary(t *testing.T) {
	assert.NoError(t, check(t, "(function_declaration name: (identifier) @name) @definition.function\n(comment) @mark.comment"))
	assert.NoError(t, check(t, "((call_expression function: (identifier) @_f) @reference.call (#eq? @_f \"f\"))"))
}

// covers: IDX-2
func TestCheckNamesTheLineOfAnUnknownCapture(t *testing.T) {
	err := check(t, "; @mark.coment in a comment does not count\n(function_declaration) @definition.function\n\n(comment) @mark.coment")
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	assert.Equal(t, fault.InvalidInput, f.Class)
	assert.Equal(t, 4, f.Subject.Line)
	assert.Contains(t, f.Detail, "@mark.coment")
	assert.Contains(t, f.Candidates, fault.Subject{Text: "mark.comment"})
}
