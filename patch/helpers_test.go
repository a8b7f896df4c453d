package patch

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// tree is a small repository: content by path.
type tree map[string]string

func (r tree) fs() fstest.MapFS {
	out := fstest.MapFS{}
	for p, c := range r {
		out[p] = &fstest.MapFile{Data: []byte(c), Mode: 0o644}
	}
	return out
}

func snapshot(t testing.TB, r tree) *index.Snapshot {
	t.Helper()
	x := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	s, err := x.Index(context.Background(), index.Input{FS: r.fs()})
	require.NoError(t, err)
	return s
}
