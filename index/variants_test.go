package index_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// users is a repository of n types, each with a method that calls Root; they all
// have one simple name, or each its own.
func users(tb testing.TB, n int, oneName bool) *index.Snapshot {
	tb.Helper()
	var b strings.Builder
	b.WriteString("def Root\n\n")
	for i := range n {
		name := "Get"
		if !oneName {
			name = fmt.Sprintf("Get%d", i)
		}
		fmt.Fprintf(&b, "type T%d\ndef T%d.%s\ncall Root\n\n", i, i, name)
	}
	lang := indextest.Toy()
	lang.Same = func(a, b index.Symbol) bool { return a.Canonical == b.Canonical }
	files := indextest.Files{"toy.mod": "many\n", "a/a.toy": b.String(), "a/a_test.toy": "test TestRoot\ncall Root\n\n"}
	return indextest.Index(tb, &index.TreeSitter{Languages: []*index.Language{lang}}, files, nil)
}

func ask(tb testing.TB, s *index.Snapshot, n int) time.Duration {
	tb.Helper()
	id := s.Definitions("a.Root").Sure[0].ID
	start := time.Now()
	require.NotEmpty(tb, s.TestsFor(id).Sure)
	im := s.Impact(id, 0)
	require.GreaterOrEqual(tb, im.SameTotal, n)
	return time.Since(start)
}

// BenchmarkMethodsOfOneName reports how much longer TestsFor and Impact take for
// 5,000 methods of one name than for as many of different names.
func BenchmarkMethodsOfOneName(b *testing.B) {
	const n = 5000
	one, own := users(b, n, true), users(b, n, false)
	var a, c time.Duration
	for b.Loop() {
		a += ask(b, one, n)
		c += ask(b, own, n)
	}
	b.ReportMetric(float64(a)/float64(c), "ratio")
}
