// Package ledgertest is the conformance suite of ledger.Store.
package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/ledger"
)

// Run checks what Store promises, one subtest for each promise. open returns an
// empty store; it is called once for each subtest.
func Run(t *testing.T, open func(t *testing.T) ledger.Store) {
	for name, check := range map[string]func(*testing.T, ledger.Store){
		"keeps entries in order":                         order,
		"keeps tasks apart":                              tasks,
		"keeps any JSON document":                        documents,
		"has nothing for an unknown task":                unknown,
		"refuses what is not an entry":                   refuses,
		"stops when canceled":                            canceled,
		"hands out copies":                               copies,
		"serializes concurrent writers":                  concurrent,
		"numbers what a log records":                     logs,
		"keeps readers from seeing half of what appears": readers,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

func appendDoc(t *testing.T, s ledger.Store, task, doc string) int {
	t.Helper()
	seq, err := s.Append(context.Background(), task, []byte(doc))
	require.NoError(t, err)
	return seq
}

func read(t *testing.T, s ledger.Store, task string) []string {
	t.Helper()
	raw, err := s.Read(context.Background(), task)
	require.NoError(t, err)
	var docs []string
	for _, doc := range raw {
		docs = append(docs, string(doc))
	}
	return docs
}

func order(t *testing.T, s ledger.Store) {
	var want []string
	for i := range 20 {
		doc := fmt.Sprintf(`{"n":%d}`, i)
		assert.Equal(t, i+1, appendDoc(t, s, "task", doc))
		want = append(want, doc)
	}
	assert.Equal(t, want, read(t, s, "task"))
}

func tasks(t *testing.T, s ledger.Store) {
	long := strings.Repeat("long/", 100)
	names := []string{"a", "A", "a.b", "../a", "a/b", `a\b`, "a b", ".", "..", ".a", "%61", "a~", "a\nb", "a\x00b", "ä", "\xff", "con", long + "1", long + "2"}
	for i, name := range names {
		assert.Equal(t, 1, appendDoc(t, s, name, fmt.Sprint(i)), "%q", name)
	}
	for i, name := range names {
		assert.Equal(t, []string{fmt.Sprint(i)}, read(t, s, name), "%q", name)
	}
}

func documents(t *testing.T, s ledger.Store) {
	docs := []string{`null`, `0`, `""`, `"<a href='x'>&\u2028"`, `[]`, `{"entry":{"seq":1,"sum":"x"}}`, `{"a":1.0,"a":10000000000000000000001}`,
		`"` + strings.Repeat("x", 300_000) + `"`}
	for _, doc := range docs {
		appendDoc(t, s, "task", doc)
	}
	spaced := "{\n  \"a\": [1,\t2]\r\n}"
	appendDoc(t, s, "task", spaced)
	got := read(t, s, "task")
	require.Len(t, got, len(docs)+1)
	assert.Equal(t, docs, got[:len(docs)], "every byte but white space comes back")
	assert.JSONEq(t, spaced, got[len(docs)])
}

func unknown(t *testing.T, s ledger.Store) {
	assert.Empty(t, read(t, s, "nobody"))
}

func refuses(t *testing.T, s ledger.Store) {
	ctx := context.Background()
	for name, c := range map[string]struct{ task, doc string }{
		"no task": {"", `{}`}, "no document": {"task", ""}, "half a document": {"task", `{"a":`}, "two documents": {"task", `{} {}`},
	} {
		_, err := s.Append(ctx, c.task, []byte(c.doc))
		assert.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
	_, err := s.Read(ctx, "")
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.Empty(t, read(t, s, "task"), "nothing was kept")
}

func canceled(t *testing.T, s ledger.Store) {
	appendDoc(t, s, "task", `1`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Append(ctx, "task", []byte(`2`))
	assert.ErrorIs(t, err, fault.Canceled)
	assert.Empty(t, faulttest.Check(err))
	_, err = s.Read(ctx, "task")
	assert.ErrorIs(t, err, fault.Canceled)
	assert.Equal(t, []string{`1`}, read(t, s, "task"))
}

func copies(t *testing.T, s ledger.Store) {
	doc := []byte(`"abc"`)
	_, err := s.Append(context.Background(), "task", doc)
	require.NoError(t, err)
	doc[1] = 'X'
	first, err := s.Read(context.Background(), "task")
	require.NoError(t, err)
	first[0][1] = 'Y'
	assert.Equal(t, []string{`"abc"`}, read(t, s, "task"))
}

func concurrent(t *testing.T, s ledger.Store) {
	const writers, each = 6, 8
	var mu sync.Mutex
	var seqs []int
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				seq, err := s.Append(context.Background(), "task", fmt.Appendf(nil, `"%d/%d"`, w, i))
				assert.NoError(t, err)
				mu.Lock()
				seqs = append(seqs, seq)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(seqs)
	for i, seq := range seqs {
		require.Equal(t, i+1, seq, "every position is given once")
	}
	got := read(t, s, "task")
	require.Len(t, got, writers*each)
	for w := range writers {
		at := -1
		for i := range each {
			next := slices.Index(got, fmt.Sprintf(`"%d/%d"`, w, i))
			require.Greater(t, next, at, "a writer's entries keep their order")
			at = next
		}
	}
}

func logs(t *testing.T, s ledger.Store) {
	log := &ledger.Log{Store: s}
	for i := range 3 {
		id, err := log.Record(context.Background(), ledger.Entry{Task: "task", Kind: ledger.KindRun, Data: fmt.Appendf(nil, `{"n":%d}`, i)})
		require.NoError(t, err)
		assert.Equal(t, ledger.ID("task", i+1), id)
	}
	entries, err := ledger.Entries(context.Background(), s, "task")
	require.NoError(t, err)
	require.Len(t, entries, 3)
	for i, e := range entries {
		assert.Equal(t, i+1, e.Seq)
		assert.Equal(t, ledger.ID("task", i+1), e.ID)
		assert.False(t, e.Time.IsZero())
	}
}

func readers(t *testing.T, s ledger.Store) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			seen := 0
			for ctx.Err() == nil {
				raw, err := s.Read(context.Background(), "task")
				if !assert.NoError(t, err) || !assert.GreaterOrEqual(t, len(raw), seen, "nothing disappears") {
					return
				}
				seen = len(raw)
			}
		})
	}
	for i := range 20 {
		appendDoc(t, s, "task", fmt.Sprintf(`{"n":%d,"fill":%q}`, i, strings.Repeat("x", 5000)))
	}
	cancel()
	wg.Wait()
}
