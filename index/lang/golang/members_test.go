package golang

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// A file whose types have like fields and methods has more definitions than
// names; it is read all the same.
//
// covers: IDX-4, IDX-8
func TestTypesOfLikeMembersAreRead(t *testing.T) {
	const src = `package shape

type Point struct{ X, Y int }

type Line struct {
	From, To Point
	X, Y     int
}

type Box struct{ From, To Point }

type Walker interface {
	From() Point
	To() Point
	X() int
	Y() int
}

func corner(b Box) int { return b.To.Y }
`
	s, err := (&index.TreeSitter{Languages: []*index.Language{Language()}}).Index(context.Background(), index.Input{FS: fstest.MapFS{
		"go.mod":   {Data: []byte("module example.com/shape\n")},
		"shape.go": {Data: []byte(src)},
	}})
	require.NoError(t, err)
	f, ok := s.File("shape.go")
	require.True(t, ok)
	assert.Empty(t, f.Skipped)
	refs := s.References("example.com/shape.Point.Y", 0)
	require.Len(t, refs.Sure, 1)
	assert.Equal(t, 19, refs.Sure[0].Span.Line)
}
