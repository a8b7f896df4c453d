package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// covers: IDX-23, ARC-3
func TestFileStoreConforms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	indextest.Store(t, func() index.Store { return &index.FileStore{Dir: dir} })
}

// write puts files into a folder, in the place of what was there.
func write(t testing.TB, dir string, files indextest.Files) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, p); err == nil && e.Type().IsRegular() {
			if _, stays := files[filepath.ToSlash(rel)]; !stays {
				require.NoError(t, os.Remove(p))
			}
		}
		return nil
	})
	for p, data := range files {
		name := filepath.Join(dir, p)
		if old, err := os.ReadFile(name); err == nil && string(old) == data {
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(data), 0o644))
	}
}

// kept indexes a folder with a store, as a new process would.
func kept(t testing.TB, store index.Store, fsys fs.FS) *index.Snapshot {
	t.Helper()
	s, err := (&index.TreeSitter{Languages: indextest.ToyFamily(), Store: store}).Index(context.Background(), index.Input{FS: fsys})
	require.NoError(t, err)
	return s
}

// covers: IDX-21, IDX-23
func TestAnIndexIsTheSameWithACache(t *testing.T) {
	for seed := range uint64(4) {
		dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
		m, state := indextest.NewMutator(mixed(), seed), mixed()
		for range 30 {
			write(t, dir, state)
			want := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, state, nil)
			store := &index.FileStore{Dir: cache}
			got := kept(t, store, os.DirFS(dir))
			indextest.Same(t, want, got, "with a cache: "+m.Did)
			indextest.Snapshot(t, got)
			next := m.Next(state)
			over, err := got.Overlay(context.Background(), next.Overlay(state))
			require.NoError(t, err)
			full := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, next, nil)
			indextest.Same(t, full, over, "an overlay of what was loaded: "+m.Did)
			indextest.Same(t, full, kept(t, store, next.FS()), "facts only: "+m.Did)
			state = next
		}
	}
}

// counted are languages that say how many files they extracted, and linked.
func counted(n *int) []*index.Language {
	var linked int
	return countedLinks(n, &linked)
}

func countedLinks(n, linked *int) []*index.Language {
	langs := indextest.ToyFamily()
	link := langs[0].Link
	langs[0].Link = func(ctx context.Context, u index.Universe) (index.Linker, error) {
		l, err := link(ctx, u)
		return spy{l, func(int) { *linked++ }}, err
	}
	extract := langs[0].Extract
	for _, l := range langs {
		l.Extract = func(tree *index.Tree, facts *index.Facts) error { *n++; return extract(tree, facts) }
	}
	return langs
}

// covers: IDX-23
func TestWhatIsKnownIsNotExtractedAgain(t *testing.T) {
	dir, cache, n, linked := t.TempDir(), filepath.Join(t.TempDir(), "cache"), 0, 0
	write(t, dir, mixed())
	run := func(dir string) *index.Snapshot {
		n, linked = 0, 0
		ix := &index.TreeSitter{Languages: countedLinks(&n, &linked), Store: &index.FileStore{Dir: cache}, Jobs: 1}
		s, err := ix.Index(context.Background(), index.Input{FS: os.DirFS(dir)})
		require.NoError(t, err)
		return s
	}
	first := run(dir)
	assert.Equal(t, 10, n)
	assert.Equal(t, 10, linked)
	indextest.Same(t, first, run(dir), "opened again")
	assert.Zero(t, n)
	assert.Zero(t, linked, "what was linked is kept too")
	write(t, dir, with(mixed(), "pay/more.toy2", "def Other\n"))
	run(dir)
	assert.Equal(t, 1, n, "one file has changed")
	assert.Less(t, linked, 10, "only what can notice is linked again")
	run(dir)
	assert.Zero(t, n, "and is known now")
	write(t, dir, mixed())
	indextest.Same(t, first, run(dir), "back on the first branch")
	assert.Zero(t, n)
	worktree := t.TempDir()
	write(t, worktree, mixed())
	indextest.Same(t, first, run(worktree), "another worktree")
	assert.Zero(t, n)
	ix := &index.TreeSitter{Languages: counted(&n), Store: &index.FileStore{Dir: cache}, Jobs: 1}
	for _, l := range ix.Languages {
		l.Version = "2"
	}
	_, err := ix.Index(context.Background(), index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	assert.Equal(t, 10, n, "another extractor has facts of its own")
}

// covers: IDX-23, SEC-3
func TestTheCacheIsItsOwnersOnly(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "a", "cache")
	write(t, dir, mixed())
	kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir))
	check := func() {
		require.NoError(t, filepath.WalkDir(cache, func(p string, e fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := e.Info()
			require.NoError(t, err)
			assert.Zero(t, info.Mode().Perm()&0o077, "%s is open to others", p)
			return nil
		}))
	}
	check()
	require.NoError(t, os.Chmod(cache, 0o755))
	write(t, dir, with(mixed(), "new.toy", "def New\n"))
	kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir))
	check()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	assert.ErrorIs(t, (&index.FileStore{Dir: link}).Put(context.Background(), strings.Repeat("a", 64), []byte("x")), fault.Environment, "a link is not followed")
}

func longAgo() time.Time { return time.Now().Add(-time.Hour) }

// cacheFiles returns the files of a cache with their bytes.
func cacheFiles(t *testing.T, cache string) map[string][]byte {
	out := make(map[string][]byte)
	list, err := os.ReadDir(cache)
	require.NoError(t, err)
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(cache, e.Name()))
		require.NoError(t, err)
		if len(data) > 0 {
			out[e.Name()] = data
		}
	}
	return out
}

// covers: IDX-23
func TestADamagedCacheIsNotTrusted(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write(t, dir, mixed())
	want := kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir))
	files := cacheFiles(t, cache)
	require.Len(t, files, 3, "a segment, a snapshot and its stamps")
	random := rand.New(rand.NewPCG(1, 2))
	damages := map[string]func(b []byte, at int) []byte{
		"a bit":       func(b []byte, at int) []byte { b[at] ^= 1 << random.IntN(8); return b },
		"zeros":       func(b []byte, at int) []byte { clear(b[at:min(len(b), at+64)]); return b },
		"cut":         func(b []byte, at int) []byte { return b[:at] },
		"a gap":       func(b []byte, at int) []byte { return slices.Delete(b, at, min(len(b), at+8)) },
		"another end": func(b []byte, at int) []byte { return append(b[:at], b[:len(b)-at]...) },
	}
	for name, whole := range files {
		for what, damage := range damages {
			for at := 0; at < len(whole); at += max(1, len(whole)/25) {
				for other, data := range files {
					require.NoError(t, os.WriteFile(filepath.Join(cache, other), data, 0o600))
				}
				require.NoError(t, os.WriteFile(filepath.Join(cache, name), damage(slices.Clone(whole), at), 0o600))
				got := kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir))
				require.Equal(t, want.Facts(), got.Facts(), "%s at %d of %s", what, at, name)
				for fresh := range cacheFiles(t, cache) {
					if files[fresh] == nil {
						require.NoError(t, os.Remove(filepath.Join(cache, fresh)))
					}
				}
			}
		}
	}
	swapped := slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	})
	for i, name := range swapped {
		require.NoError(t, os.WriteFile(filepath.Join(cache, name), files[swapped[(i+1)%len(swapped)]], 0o600))
	}
	assert.Equal(t, want.Facts(), kept(t, &index.FileStore{Dir: cache}, os.DirFS(dir)).Facts(), "files under each other's names")
}

// lies is a Store whose answers are made by a function.
type lies struct {
	index.Store
	get func(key string, data []byte) ([]byte, error)
}

func (l lies) Get(ctx context.Context, key string) ([]byte, error) {
	data, _ := l.Store.Get(ctx, key)
	return l.get(key, data)
}

// covers: IDX-23
func TestWhateverAStoreReturnsIsChecked(t *testing.T) {
	inner := &index.FileStore{Dir: filepath.Join(t.TempDir(), "cache")}
	want := kept(t, inner, mixed().FS())
	var mu sync.Mutex
	var other []byte
	for name, get := range map[string]func(string, []byte) ([]byte, error){
		"an error":  func(string, []byte) ([]byte, error) { return nil, errors.New("the network is down") },
		"rubbish":   func(string, []byte) ([]byte, error) { return []byte(strings.Repeat("rubbish", 100)), nil },
		"too short": func(_ string, data []byte) ([]byte, error) { return data[:min(len(data), 5)], nil },
		"another's": func(_ string, data []byte) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			was := other
			other = data
			return was, nil
		},
		"a damaged one":   func(_ string, data []byte) ([]byte, error) { data[len(data)/2]++; return data, nil },
		"more than whole": func(_ string, data []byte) ([]byte, error) { return append(data, 0), nil },
	} {
		s := kept(t, lies{inner, get}, mixed().FS())
		assert.Equal(t, want.Facts(), s.Facts(), name)
	}
}

// covers: IDX-23
func TestTheIndexDoesNotFailForItsCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	want := indextest.Index(t, &index.TreeSitter{Languages: indextest.ToyFamily()}, mixed(), nil)
	for name, dir := range map[string]string{"no folder": "", "below a file": filepath.Join(file, "cache"), "a file": file, "a device": os.DevNull} {
		store := &index.FileStore{Dir: dir}
		assert.Equal(t, want.Facts(), kept(t, store, mixed().FS()).Facts(), name)
		err := store.Put(context.Background(), strings.Repeat("a", 64), []byte("x"))
		assert.ErrorIs(t, err, fault.Environment, name)
		data, err := store.Get(context.Background(), strings.Repeat("a", 64))
		assert.NoError(t, err)
		assert.Nil(t, data)
		assert.NoError(t, store.Close())
	}
	store := &index.FileStore{Dir: t.TempDir()}
	for _, key := range []string{"", "../../etc/passwd", strings.Repeat("g", 64), strings.Repeat("a", 66)} {
		assert.ErrorIs(t, store.Put(context.Background(), key, []byte("x")), fault.InvalidInput, key)
		assert.ErrorIs(t, store.Save(context.Background(), key, [][]byte{[]byte("x")}), fault.InvalidInput, key)
	}
}

// covers: IDX-23
func TestTheCacheIsBounded(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	const limit = 200 << 10
	random := rand.New(rand.NewPCG(3, 4))
	used := fmt.Sprintf("%064x", 0)
	for n := range 60 {
		store := &index.FileStore{Dir: cache, MaxBytes: limit}
		_, err := store.Get(context.Background(), used)
		require.NoError(t, err)
		for i := range 5 {
			data := make([]byte, 2000)
			for j := range data {
				data[j] = byte(random.Uint32())
			}
			require.NoError(t, store.Put(context.Background(), fmt.Sprintf("%064x", 5*n+i), data))
		}
		require.NoError(t, store.Close())
		size := 0
		for _, data := range cacheFiles(t, cache) {
			size += len(data)
		}
		assert.LessOrEqual(t, size, limit)
	}
	last, err := (&index.FileStore{Dir: cache}).Get(context.Background(), fmt.Sprintf("%064x", 299))
	require.NoError(t, err)
	assert.Len(t, last, 2000, "what was written last is there")
}

// covers: IDX-23
func TestSmallSegmentsAreMerged(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	for n := range 40 {
		store := &index.FileStore{Dir: cache}
		require.NoError(t, store.Put(context.Background(), fmt.Sprintf("%064x", n), []byte(fmt.Sprint("value ", n))))
		require.NoError(t, store.Close())
		for name := range cacheFiles(t, cache) {
			require.NoError(t, os.Chtimes(filepath.Join(cache, name), longAgo(), longAgo()))
		}
	}
	assert.Less(t, len(cacheFiles(t, cache)), 25)
	store := &index.FileStore{Dir: cache}
	for n := range 40 {
		data, err := store.Get(context.Background(), fmt.Sprintf("%064x", n))
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint("value ", n), string(data))
	}
}

// covers: IDX-23
func TestCacheDirIsSharedByWorktrees(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the user's cache folder is set by another variable")
	}
	base := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", base)
	t.Setenv("HOME", base)
	top := t.TempDir()
	main, tree, plain := filepath.Join(top, "main"), filepath.Join(top, "tree"), filepath.Join(top, "plain")
	write(t, main, indextest.Files{".git/HEAD": "ref: refs/heads/main\n", "sub/a.toy": "",
		".git/worktrees/tree/HEAD": "ref: refs/heads/x\n", ".git/worktrees/tree/commondir": "../..\n"})
	write(t, tree, indextest.Files{".git": "gitdir: " + filepath.Join(main, ".git/worktrees/tree") + "\n"})
	write(t, plain, indextest.Files{"a.toy": ""})
	at := index.CacheDir(main)
	rel, err := filepath.Rel(base, at)
	require.NoError(t, err)
	assert.True(t, filepath.IsLocal(rel), at)
	assert.Equal(t, at, index.CacheDir(tree), "a linked worktree")
	assert.Equal(t, at, index.CacheDir(filepath.Join(main, "sub")), "a folder of the checkout")
	assert.NotEqual(t, at, index.CacheDir(plain))
	assert.NoDirExists(t, at)
}
