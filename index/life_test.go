package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// covers: IDX-22
func TestSourceAndDriftTellWhatChanged(t *testing.T) {
	fsys := shop.FS().(fstest.MapFS)
	s, err := toy().Index(context.Background(), index.Input{FS: fsys})
	require.NoError(t, err)
	fsys["pay/refund.toy"] = &fstest.MapFile{Data: []byte("def Else\n")}
	fsys["new.toy"] = &fstest.MapFile{}
	delete(fsys, "README.md")
	_, err = s.Source("pay/refund.toy")
	require.ErrorIs(t, err, fault.IndexUnavailable)
	assert.Contains(t, err.Error(), "pay/refund.toy")
	_, err = s.Source("README.md")
	assert.ErrorIs(t, err, fault.IndexUnavailable)
	data, err := s.Source("web/web.toy")
	require.NoError(t, err)
	assert.Equal(t, shop["web/web.toy"], string(data))
	drift, err := s.Drift(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []string{"README.md", "new.toy", "pay/refund.toy"}, drift)
	a, err := s.Search(context.Background(), index.Pattern{Text: "Else"})
	require.NoError(t, err)
	assert.Empty(t, a.Sure)
	assert.Contains(t, strings.Join(a.Basis.Notes, " "), "pay/refund.toy")
}

// covers: IDX-21
func TestOverlayServesItsOwnContent(t *testing.T) {
	s := shopIndex(t)
	ctx := context.Background()
	over, err := s.Overlay(ctx, map[string][]byte{"pay/new.toy": []byte("def Fresh\ncall Refund\n"), "web/web.toy": nil, "pay/refund_test.toy": nil})
	require.NoError(t, err)
	data, err := over.Source("pay/new.toy")
	require.NoError(t, err)
	assert.Equal(t, "def Fresh\ncall Refund\n", string(data))
	data[0] = 'X'
	again, _ := over.Source("pay/new.toy")
	assert.Equal(t, byte('d'), again[0], "the caller's copy is its own")
	assert.Equal(t, []string{"pay/new.toy:2"}, brief(over.References("pay.Refund", 0).Sure))
	assert.Len(t, s.References("pay.Refund", 0).Sure, 2, "the base is as it was")
	_, err = over.Source("web/web.toy")
	assert.ErrorIs(t, err, fault.InvalidInput)
	back, err := over.Overlay(ctx, map[string][]byte{"pay/new.toy": nil, "web/web.toy": []byte(shop["web/web.toy"]),
		"pay/refund_test.toy": []byte(shop["pay/refund_test.toy"])})
	require.NoError(t, err)
	indextest.Same(t, s, back, "there and back")
	a, err := over.Search(ctx, index.Pattern{Text: "Fresh"})
	require.NoError(t, err)
	assert.Len(t, a.Sure, 1)
	for _, bad := range []string{"../x", "/x", "", "a//b"} {
		_, err = s.Overlay(ctx, map[string][]byte{bad: {}})
		assert.ErrorIs(t, err, fault.InvalidInput, bad)
	}
	drift, err := over.Drift(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"pay/new.toy", "pay/refund_test.toy", "web/web.toy"}, drift, "what the overlay has and the disk has not")
}

// covers: IDX-22, IDX-12
func TestAChangedManifestResolvesAnew(t *testing.T) {
	s := shopIndex(t)
	over, err := s.Overlay(context.Background(), map[string][]byte{"toy.mod": []byte("store\n")})
	require.NoError(t, err)
	assert.Equal(t, "store/pay", over.Packages()[0].Path)
	indextest.Same(t, indextest.Index(t, toy(), with(shop, "toy.mod", "store\n"), nil), over, "manifest")
}

// covers: IDX-20, IDX-21
func TestOnlyWhatCanNoticeIsLinkedAgain(t *testing.T) {
	lang := *indextest.Toy()
	var mu sync.Mutex
	var linked []string
	link := lang.Link
	lang.Link = func(ctx context.Context, u index.Universe) (index.Linker, error) {
		l, err := link(ctx, u)
		return spy{l, func(i int) { mu.Lock(); linked = append(linked, u.Files[i].Path); mu.Unlock() }}, err
	}
	s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{&lang}, Jobs: 1}, shop, nil)
	assert.Len(t, linked, 6)
	edit := func(path, content string) []string {
		linked = nil
		_, err := s.Overlay(context.Background(), map[string][]byte{path: []byte(content)})
		require.NoError(t, err)
		return linked
	}
	assert.Empty(t, edit("store/store.toy", shop["store/store.toy"]), "the same content")
	assert.Empty(t, edit("README.md", "x"), "a file of no language")
	assert.Equal(t, []string{"store/store.toy"}, edit("store/store.toy", strings.Replace(shop["store/store.toy"], "call write", "call nothing", 1)))
	assert.Equal(t, []string{"web/web.toy"}, edit("web/web.toy", shop["web/web.toy"]+"def More\n"))
	assert.Contains(t, edit("store/store.toy", shop["store/store.toy"]+"def fmt\n"), "store/store.toy")
	assert.NotContains(t, edit("pay/gate.toy", shop["pay/gate.toy"]+"def Refund\n"), "store/store.toy")
}

type spy struct {
	index.Linker
	seen func(int)
}

func (s spy) Resolve(ctx context.Context, i int) ([]index.Resolution, error) {
	s.seen(i)
	return s.Linker.Resolve(ctx, i)
}

// covers: IDX-21
func TestManyUpdatesStartANewRoot(t *testing.T) {
	files := indextest.Files{"a/one.toy": "def A\n" + strings.Repeat("call B\n", 9000), "a/two.toy": "def B\ncall A\n\n"}
	s := indextest.Index(t, toy(), files, nil)
	for i := range 12 {
		next := with(files, "a/one.toy", fmt.Sprintf("def A%d\n", i)+files["a/one.toy"])
		over, err := s.Overlay(context.Background(), next.Overlay(files))
		require.NoError(t, err)
		full := indextest.Index(t, toy(), next, nil)
		require.Equal(t, full.Facts(), over.Facts())
		require.Equal(t, brief(full.References("a.B", 9).Sure), brief(over.References("a.B", 9).Sure))
		require.Equal(t, full.References("a.B", 1).Total, over.References("a.B", 1).Total)
		s, files = over, next
	}
}

// covers: IDX-24, ARC-8, SEC-2
func TestBuildTakesForeignFacts(t *testing.T) {
	body := "def f\ncall f\n"
	facts := &index.Facts{Path: "x/a.toy", Language: "toy", Hash: index.ContentHash([]byte(body)), Size: len(body),
		LineStarts: []uint32{0, 6, 13}, Names: []string{"f"},
		Defs:  []index.Def{{Kind: index.KindFunction, Parent: -1, Owner: -1, Range: index.Range{End: 13}, Ident: index.Range{Start: 4, End: 5}, Body: 5, Type: -1, Value: -1}},
		Sites: []index.Site{{Start: 11, Kind: index.RefCall, Expr: -1, Call: -1}}}
	in := index.BuildInput{Languages: []*index.Language{indextest.Toy()}, Facts: []*index.Facts{facts},
		Manifests: []index.Manifest{{Path: "toy.mod", Data: []byte("m\n")}}, Files: []index.File{{Path: "b.txt", Lines: 3, Size: 9}}}
	s, err := index.Build(context.Background(), in)
	require.NoError(t, err)
	assert.Equal(t, []string{"x/a.toy:2"}, brief(s.References("m/x.f", 0).Sure))
	assert.Equal(t, 5, s.Stats().Lines)
	over, err := s.Overlay(context.Background(), map[string][]byte{"x/b.toy": []byte("def g\ncall f\n")})
	require.NoError(t, err)
	assert.Equal(t, 2, over.References("m/x.f", 0).Total)
	_, err = s.Source("x/a.toy")
	assert.ErrorIs(t, err, fault.IndexUnavailable)
	in.Facts = append(in.Facts, facts)
	_, err = index.Build(context.Background(), in)
	assert.ErrorIs(t, err, fault.InvalidInput, "the path is there twice")
	bad := *facts
	bad.Sites = []index.Site{{Name: 7}}
	in.Facts = []*index.Facts{&bad}
	_, err = index.Build(context.Background(), in)
	assert.ErrorIs(t, err, fault.InvalidInput, "the facts contradict themselves")
}

// covers: IDX-26
func TestSymbolsOnly(t *testing.T) {
	s, err := toy().Index(context.Background(), index.Input{FS: shop.FS(), Tiers: index.TierSymbols})
	require.NoError(t, err)
	assert.Equal(t, 18, s.Stats().Symbols)
	assert.Zero(t, s.Stats().References)
	a := s.References("pay.Refund", 0)
	assert.Zero(t, a.Total)
	assert.Contains(t, strings.Join(a.Basis.Notes, " "), "only symbols were indexed")
	assert.Len(t, s.Definitions("Refund").Sure, 1)
}

// covers: ARC-7
func TestProgressCountsUp(t *testing.T) {
	last, total := map[string]int{}, map[string]int{}
	_, err := toy().Index(context.Background(), index.Input{FS: shop.FS(), Progress: func(stage string, done, all int, _ string) {
		assert.LessOrEqual(t, done, all)
		last[stage], total[stage] = max(last[stage], done), all
	}})
	require.NoError(t, err)
	assert.Equal(t, 8, last["parse"])
	assert.Equal(t, 6, last["link"])
	assert.Equal(t, 6, total["link"])
}

// covers: REL-3, ARC-5
func TestReadersBesideAnUpdater(t *testing.T) {
	ctx := context.Background()
	current := shopIndex(t)
	var mu sync.RWMutex
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				mu.RLock()
				s := current
				mu.RUnlock()
				s.Impact("store.write", 2)
				s.TestsFor("store.Save")
				s.References("Close", 3)
				s.Members("pay.Gate")
				s.Facts()
			}
		})
	}
	m, state := indextest.NewMutator(shop, 11), shop
	for range 25 {
		next := m.Next(state)
		over, err := current.Overlay(ctx, next.Overlay(state))
		if !assert.NoError(t, err) {
			break
		}
		mu.Lock()
		current, state = over, next
		mu.Unlock()
	}
	close(done)
	group.Wait()
}

// bank is a small module in Go.
var bank = indextest.Files{
	"go.mod":          "module example.org/bank\n\ngo 1.22\n",
	"pay/pay.go":      "// Package pay pays.\npackage pay\n\nimport \"example.org/bank/store\"\n\n// Refund refunds.\nfunc Refund(s store.Store, n int) error {\n\treturn s.Save(n)\n}\n\ntype Gate interface {\n\tSend(n int) error\n\tClose() error\n}\n\ntype Live struct{ store.Base }\n\nfunc (l *Live) Send(n int) error { return l.Log(n) }\n\nfunc (l *Live) Close() error { return nil }\n",
	"pay/use.go":      "package pay\n\nfunc use(g Gate) error {\n\tif err := g.Send(1); err != nil {\n\t\treturn err\n\t}\n\treturn g.Close()\n}\n\nvar _ = use\n",
	"pay/pay_test.go": "package pay\n\nimport \"testing\"\n\nfunc TestRefund(t *testing.T) {\n\tif Refund(nil, 1) != nil {\n\t\tt.Fatal(\"no\")\n\t}\n}\n",
	"store/store.go":  "package store\n\nimport \"fmt\"\n\ntype Store interface{ Save(n int) error }\n\ntype Base struct{ n int }\n\nfunc (b *Base) Log(n int) error {\n\tfmt.Println(b.n, n)\n\treturn nil\n}\n\nconst Limit = 3\n\nvar Default Store\n",
	"store/mem.go":    "package store\n\ntype mem map[int]bool\n\nfunc (m mem) Save(n int) error {\n\tm[n] = n < Limit\n\treturn nil\n}\n\nfunc New() Store { return mem{} }\n",
	"cmd/main.go":     "package main\n\nimport (\n\t\"example.org/bank/pay\"\n\tst \"example.org/bank/store\"\n)\n\nfunc main() {\n\t_ = pay.Refund(st.New(), st.Limit)\n\tvar g pay.Gate = &pay.Live{}\n\t_ = g.Send(2)\n}\n",
}

// covers: IDX-21, IDX-20, ARC-3
func TestGoConforms(t *testing.T) {
	indextest.Language(t, golang.Language(), bank)
	ix := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	indextest.Incremental(t, ix, bank, 10, 20)
}

// covers: IDX-5, IDX-21
func TestIndexReadsACheckoutInPlace(t *testing.T) {
	dir := t.TempDir()
	for p, content := range bank {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(content), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	ix := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	want := indextest.Index(t, ix, bank, nil)
	for name, fsys := range map[string]fs.FS{"os.DirFS": os.DirFS(dir), "os.Root": root.FS()} {
		s, err := ix.Index(context.Background(), index.Input{FS: fsys})
		require.NoError(t, err)
		indextest.Same(t, want, s, name)
	}
	_, err = ix.Index(context.Background(), index.Input{FS: os.DirFS(filepath.Join(dir, "gone"))})
	assert.ErrorIs(t, err, fault.Environment)
}

// opened counts how often each file is opened.
type opened struct {
	fs.FS
	mu    sync.Mutex
	times map[string]int
}

func (o *opened) Open(name string) (fs.File, error) {
	o.mu.Lock()
	o.times[name]++
	o.mu.Unlock()
	return o.FS.Open(name)
}

func (o *opened) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(o.FS, name) }

// covers: IDX-22, IDX-21
func TestUnchangedFilesAreNotReadAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a file's change time through fs.FileInfo")
	}
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.toy", "b.toy", "c.toy"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("def A\n"), 0o644))
	}
	fsys := &opened{FS: os.DirFS(dir), times: map[string]int{}}
	ctx := context.Background()
	young, err := toy().Index(ctx, index.Input{FS: fsys})
	require.NoError(t, err)
	time.Sleep(2100 * time.Millisecond)
	s, err := toy().Index(ctx, index.Input{FS: fsys, Prev: young})
	require.NoError(t, err)
	assert.Equal(t, 2, fsys.times["a.toy"], "a file that changed just before it was read is not trusted")
	// Other content of the same size, with the old modification time.
	info, err := os.Stat(filepath.Join(dir, "b.toy"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.toy"), []byte("def B\n"), 0o644))
	require.NoError(t, os.Chtimes(filepath.Join(dir, "b.toy"), info.ModTime(), info.ModTime()))
	fresh, err := toy().Index(ctx, index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	clear(fsys.times)
	again, err := toy().Index(ctx, index.Input{FS: fsys, Prev: fresh})
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"a.toy": 0, "b.toy": 1, "c.toy": 0}, map[string]int{"a.toy": fsys.times["a.toy"],
		"b.toy": fsys.times["b.toy"], "c.toy": fsys.times["c.toy"]})
	indextest.Same(t, fresh, again, "nothing changed")
	clear(fsys.times)
	drift, err := s.Drift(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"b.toy"}, drift)
	assert.Equal(t, map[string]int{"b.toy": 1}, map[string]int{"b.toy": fsys.times["b.toy"] + fsys.times["a.toy"]}, "a stamp is renewed")
}
