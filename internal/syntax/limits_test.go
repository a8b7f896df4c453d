package syntax

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const everything = "(identifier) @a (_ (identifier) @b) @c (ERROR) @d ((identifier) @e . (_) @f)"

// nested are files whose trees are depth levels deep, or would be if they were right.
func nested(depth int) map[string]string {
	open, closed := strings.Repeat("(", depth), strings.Repeat(")", depth)
	return map[string]string{
		"go/parentheses":     "package a\nvar x = " + open + "1" + closed + "\n",
		"go/blocks":          "package a\nfunc f() " + strings.Repeat("{", depth) + strings.Repeat("}", depth) + "\n",
		"go/unclosed":        "package a\nvar x = " + strings.Repeat("f(", depth),
		"go/types":           "package a\ntype T " + strings.Repeat("[]", depth) + "int\n",
		"go/binary":          "package a\nvar x = 1" + strings.Repeat(" + 1", depth) + "\n",
		"go/selectors":       "package a\nvar x = a" + strings.Repeat(".b()", depth) + "\n",
		"python/brackets":    "x = " + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "\n",
		"python/not":         "x = " + strings.Repeat("not ", depth) + "y\n",
		"javascript/arrays":  strings.Repeat("[", depth) + strings.Repeat("]", depth) + "\n",
		"javascript/broken":  strings.Repeat("{(", depth) + "\n",
		"typescript/generic": "let x: " + strings.Repeat("A<", depth) + "B" + strings.Repeat(">", depth) + "\n",
		"tsx/elements":       "x = " + strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth) + "\n",
		"java/parentheses":   "class A { int x = " + open + "1" + closed + "; }\n",
		"rust/references":    "fn f(x: " + strings.Repeat("&", depth) + "u8) {}\n",
	}
}

// covers: IDX-4, REL-4
func TestDeepNesting(t *testing.T) {
	p := NewParser()
	defer p.Close()
	langs := map[string]*Language{}
	for _, g := range grammars(t, everything) {
		langs[g.lang.Name()] = g.lang
	}
	for name, src := range nested(10_000) {
		t.Run(name, func(t *testing.T) {
			lang, _, _ := strings.Cut(name, "/")
			var tree *Tree
			var err error
			spent := timed(t, func() { tree, err = p.Parse(context.Background(), langs[lang], []byte(src)) })
			require.NoError(t, err)
			assert.Less(t, spent, time.Second*raceFactor)
			assert.Greater(t, len(tree.Nodes), 10_000)
			checkShape(t, tree)
		})
	}
}

// checkShape verifies what the arrays promise of each other.
func checkShape(t testing.TB, tree *Tree) {
	require.NotEmpty(t, tree.Nodes)
	require.Equal(t, None, tree.Nodes[0].Parent)
	require.Equal(t, len(tree.Nodes), int(tree.Nodes[0].Next))
	for i, n := range tree.Nodes {
		ok := n.Start <= n.End && int(n.End) <= len(tree.Src) && int(n.Kind) < len(tree.Language.kinds) &&
			int(n.Field) < len(tree.Language.fields) && int(n.Next) > i
		if ok && i > 0 {
			parent := tree.Nodes[n.Parent]
			ok = int(n.Parent) < i && n.Next <= parent.Next && n.Start >= tree.Nodes[i-1].Start &&
				n.Start >= parent.Start && n.End <= parent.End
		}
		if !ok {
			require.Fail(t, "node does not fit", "%d: %+v", i, n)
		}
	}
	for _, m := range tree.Matches {
		for _, c := range tree.MatchCaptures(m) {
			if int(c.Node) >= len(tree.Nodes) || int(c.Name) >= len(tree.Language.captures) {
				require.Fail(t, "capture does not fit", "%+v", c)
			}
		}
	}
}

// covers: IDX-4
func TestSizeLimit(t *testing.T) {
	lang := grammars(t, "")[0].lang
	p := NewParser()
	defer p.Close()
	p.Limits.MaxBytes = 100
	_, err := p.Parse(context.Background(), lang, make([]byte, 101))
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Contains(t, err.Error(), "101 bytes; the limit is 100")
	_, err = p.Parse(context.Background(), lang, []byte(small))
	assert.NoError(t, err)
	p.Limits.MaxBytes = 0
	_, err = p.Parse(context.Background(), lang, make([]byte, 100<<20))
	assert.ErrorIs(t, err, fault.BudgetExceeded)
}

// covers: IDX-4, REL-4
func TestTimeoutLeavesTheParserUsable(t *testing.T) {
	g := grammars(t, everything)[0]
	p := NewParser()
	defer p.Close()
	src := bytes.Repeat([]byte(g.sample), 10_000)
	p.Limits.Timeout = time.Millisecond
	var err error
	spent := timed(t, func() { _, err = p.Parse(context.Background(), g.lang, src) })
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Less(t, spent, 100*time.Millisecond*raceFactor)
	assert.Contains(t, err.Error(), "longer than 1ms")
	p.Limits.Timeout = 0
	checkAgainstBinding(t, p, g, []byte(small))
}

// covers: IDX-4, REL-4
func TestMemoryLimit(t *testing.T) {
	g := grammars(t, "")[0]
	p := NewParser()
	defer p.Close()
	p.Limits = Limits{MaxMemory: 10 << 20, Timeout: time.Minute}
	_, err := p.Parse(context.Background(), g.lang, []byte("package a\nvar x = "+strings.Repeat("(", 1<<20)))
	require.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Contains(t, err.Error(), "more than 10485760 bytes of memory")
	checkAgainstBinding(t, p, g, []byte(g.sample))
}

func TestCancel(t *testing.T) {
	g := grammars(t, everything)[0]
	p := NewParser()
	defer p.Close()
	src := bytes.Repeat([]byte(g.sample), 10_000)
	for _, wait := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		_, err := p.Parse(ctx, g.lang, src)
		cancel()
		require.ErrorIs(t, err, fault.Canceled)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		checkAgainstBinding(t, p, g, []byte(small))
	}
}

// A query that can pair any two of many siblings is stopped and says so.
// covers: IDX-4
func TestManyMatchesAreCutShort(t *testing.T) {
	lang, err := NewLanguage("go", samples[0].get(), "(argument_list (_) @a (_) @b (_) @c)")
	require.NoError(t, err)
	p := NewParser()
	defer p.Close()
	src := []byte("package a\nvar x = f(1" + strings.Repeat(", 1", 5000) + ")\n")
	tree, err := p.Parse(context.Background(), lang, src)
	require.NoError(t, err)
	assert.True(t, tree.Truncated)
	assert.LessOrEqual(t, len(tree.Captures), max(1<<16, 8*len(tree.Nodes)))
	p.Limits = Limits{MaxCaptures: 1 << 30, Timeout: 20 * time.Millisecond}
	begin := time.Now()
	_, err = p.Parse(context.Background(), lang, []byte("package a\nvar x = f(1"+strings.Repeat(", 1", 50_000)+")\n"))
	assert.ErrorIs(t, err, fault.BudgetExceeded)
	assert.Less(t, time.Since(begin), 20*time.Second)
}

func TestClosedParser(t *testing.T) {
	p := NewParser()
	p.Close()
	p.Close()
	_, err := p.Parse(context.Background(), grammars(t, "")[0].lang, nil)
	assert.ErrorIs(t, err, fault.InvalidInput)
}

// One Language serves many parsers at once, and each gets what it would get alone.
func TestConcurrentUse(t *testing.T) {
	all := grammars(t, everything)
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			p := NewParser()
			defer p.Close()
			for i := range 2 * len(all) {
				g := all[(worker+i)%len(all)]
				ctx, cancel := context.WithCancel(context.Background())
				tree, err := p.Parse(ctx, g.lang, []byte(strings.Repeat(g.sample, 1+worker)))
				cancel()
				if assert.NoError(t, err) {
					assert.Equal(t, g.lang, tree.Language)
					checkShape(t, tree)
				}
			}
		})
	}
	wait.Wait()
	want := fmt.Sprint(parsed(t, everything, all[0].sample).Nodes)
	assert.Equal(t, want, fmt.Sprint(parsed(t, everything, all[0].sample).Nodes))
}

func TestParseTimeIsReported(t *testing.T) {
	var tree *Tree
	whole := timed(t, func() { tree = parsed(t, "", strings.Repeat(samples[0].sample, 500)) })
	assert.Greater(t, tree.ParseNanos, int64(0))
	assert.Less(t, tree.ParseNanos, int64(whole))
}
