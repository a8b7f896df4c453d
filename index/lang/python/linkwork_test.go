package python_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/python"
)

// Functions without annotations that call one another in several files cost no
// more than a bounded time for each site.
//
// covers: IDX-4
func TestChainsOfUnannotatedCallsAreBounded(t *testing.T) {
	files := indextest.Files{}
	for i := range 40 {
		var b strings.Builder
		fmt.Fprintf(&b, "from m%d import f as g\n\n\n", i+1)
		b.WriteString("def f(a, b):\n    if a:\n        return g(a, g(b, a))\n    return g(g(a, b), [b]) + g((a,), b)\n\n\nf(1, '').x\n")
		files[fmt.Sprintf("m%d.py", i)] = b.String()
	}
	files["m40.py"] = "def f(a, b):\n    return a\n"
	start := time.Now()
	s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{python.Language()}}, files, nil)
	assert.Less(t, time.Since(start), 30*time.Second)
	assert.NotEmpty(t, s.References("m40.f", 0).Sure)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := (&index.TreeSitter{Languages: []*index.Language{python.Language()}}).Index(ctx, index.Input{FS: files.FS()})
	require.ErrorIs(t, err, context.Canceled)
}
