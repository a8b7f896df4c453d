package python_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
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

// A reference whose work exceeds the limit has the same answer whatever was worked
// out before it: in any order of files, and when one file alone is linked again.
//
// covers: IDX-21
func TestTheLimitDoesNotDependOnWhatIsRemembered(t *testing.T) {
	const files = 12
	tree := indextest.Files{}
	for i := range files {
		tree[fmt.Sprintf("m%02d.py", i)] = fmt.Sprintf("from m%02d import v as w, C as B\n\n\nclass C(B):\n    pass\n\n\nv = w or w.twin or w\nv.close()\nv.twin\nC().close()\n", i+1)
	}
	tree[fmt.Sprintf("m%02d.py", files)] = "class C:\n    def __init__(self):\n        self.twin = C()\n\n    def close(self):\n        pass\n\n\nv = C()\nv.close()\n"
	in := func(order func(n int) []int) *index.TreeSitter {
		lang := python.Language()
		link := lang.Link
		lang.Link = func(ctx context.Context, u index.Universe) (index.Linker, error) {
			l, err := link(ctx, u)
			if err != nil {
				return nil, err
			}
			python.Within(l, 60)
			for _, i := range order(len(u.Files)) {
				if _, err := l.Resolve(ctx, i); err != nil {
					return nil, err
				}
			}
			return l, nil
		}
		return &index.TreeSitter{Languages: []*index.Language{lang}}
	}
	refs := func(s *index.Snapshot) map[string][]index.Ref {
		out := map[string][]index.Ref{}
		for _, f := range s.Files() {
			out[f.Path] = s.RefsIn(f.Path)
		}
		return out
	}
	want := refs(indextest.Index(t, in(func(int) []int { return nil }), tree, nil))
	cut, sure := 0, 0
	for _, ref := range slices.Concat(slices.Collect(maps.Values(want))...) {
		if ref.Reason == "working it out exceeds the limit for one reference" {
			cut++
			assert.NotEqual(t, index.Static, ref.Status)
		} else if ref.Name == "close" && ref.Status == index.Static {
			sure++
		}
	}
	assert.Positive(t, cut, "the chain is long enough")
	assert.Positive(t, sure, "and its end is within the limit")

	up := func(n int) (out []int) {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	down := func(n int) []int {
		out := up(n)
		slices.Reverse(out)
		return out
	}
	for name, order := range map[string]func(int) []int{"from the first": up, "from the last": down} {
		assert.Equal(t, want, refs(indextest.Index(t, in(order), tree, nil)), name)
	}
	for seed := range uint64(3) {
		indextest.Incremental(t, in(func(int) []int { return nil }), tree, 15, seed)
	}
}
