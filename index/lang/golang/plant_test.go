package golang

import (
	"go/format"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// covers: VER-24
func TestPlant(t *testing.T) {
	src := []byte("package a\n\nfunc F() int {\n\treturn 1\n}\n\ntype T struct{}\n")
	at := index.Symbol{Kind: index.KindFunction, Span: index.Span{Start: 11, End: 38}, Body: 24}
	require.Equal(t, byte('{'), src[at.Body])

	got, ok := plant(src, at)
	require.True(t, ok)
	assert.Contains(t, string(got), "func F() int { if true { panic(\""+index.PlantMark+"\") }; \n\treturn 1")
	_, err := format.Source(got)
	require.NoError(t, err)

	got, ok = plant(src, index.Symbol{})
	require.True(t, ok)
	assert.Contains(t, string(got), "var _ = "+index.PlantMark)

	_, ok = plant(src, index.Symbol{Kind: index.KindMethod, Span: at.Span, Body: at.Span.End})
	assert.False(t, ok, "an interface's method has no body")
}
