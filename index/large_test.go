//go:build unix

package index_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// TestLargeTreeQueries prints how long queries take for the most referenced
// symbols, for runs by hand.
func TestLargeTreeQueries(t *testing.T) {
	root := largeTree(t)
	ctx := context.Background()
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: os.DirFS(root)})
	require.NoError(t, err)
	ids := mostReferenced(s, 100)
	timed(t, "definitions", ids, func(id string) { s.DefinitionsUpTo(id, 50) })
	timed(t, "definitions by simple name", ids, func(id string) { sym, _ := s.Symbol(id); s.DefinitionsUpTo(sym.Name, 50) })
	timed(t, "references", ids, func(id string) { s.References(id, 50) })
	timed(t, "callers", ids, func(id string) { s.Callers(id, 50) })
	timed(t, "impact", ids, func(id string) { s.ImpactUpTo(id, 2, 50) })
	timed(t, "tests", ids[:10], func(id string) { s.TestsFor(id) })
	timed(t, "near", []string{"Printn", "WriteStrng"}, func(id string) { s.Near(id, 5) })
	timed(t, "unknown name", []string{"noSuchNameAnywhere"}, func(id string) { s.Definitions(id) })
	timed(t, "drift", []string{""}, func(string) { _, err = s.Drift(ctx) })
	timed(t, "facts", []string{""}, func(string) { s.Facts() })
	src, err := s.Source("net/http/server.go")
	require.NoError(t, err)
	timed(t, "overlay, a body", []string{"a", "b", "c"}, func(x string) {
		_, err = s.Overlay(ctx, map[string][]byte{"net/http/server.go": append(slices.Clone(src), "\n// "+x+"\n"...)})
		require.NoError(t, err)
	})
	timed(t, "overlay, a declaration", []string{"a", "b", "c"}, func(x string) {
		_, err = s.Overlay(ctx, map[string][]byte{"net/http/server.go": append(slices.Clone(src), "\nfunc extra"+x+"() {}\n"...)})
		require.NoError(t, err)
	})
	timed(t, "unchanged update", []string{""}, func(string) {
		_, err = (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(ctx, index.Input{FS: os.DirFS(root), Prev: s})
		require.NoError(t, err)
	})
}

func timed(t *testing.T, what string, args []string, f func(string)) {
	var all []time.Duration
	worst := ""
	for _, a := range args {
		start := time.Now()
		f(a)
		d := time.Since(start)
		if len(all) == 0 || d > slices.Max(all) {
			worst = a
		}
		all = append(all, d)
	}
	slices.Sort(all)
	t.Logf("%s: median %v, slowest %v (%s)", what, all[len(all)/2], all[len(all)-1], worst)
}
