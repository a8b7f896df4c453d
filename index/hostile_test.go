//go:build unix

package index_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

func goIndexer() *index.TreeSitter {
	return &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
}

func skipped(s *index.Snapshot) map[string]string {
	out := map[string]string{}
	for _, f := range s.Files() {
		out[f.Path] = f.Skipped
	}
	return out
}

// covers: IDX-4, REL-4, SEC-1
func TestHostileFilesCostOnlyThemselves(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.go")
	require.NoError(t, os.WriteFile(outside, []byte("package secret\n"), 0o644))
	put := func(name, content string) {
		p := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(content), 0o644))
	}
	put("ok.go", "package a\n\nfunc OK() {}\n")
	put("broken.go", "package a\n\nfunc Whole() {}\n\nfunc half( {\n")
	put("binary.go", "package a\x00\x01")
	put("latin.go", "package a\n\n// caf\xe9\nfunc Latin() {}\n")
	put("line\nfeed.go", "package a\n\nfunc Feed() {}\n")
	put("bad\xff.go", "package a\n")
	put("OK.go", "package a\n\nfunc Upper() {}\n")
	put("closed.go", "package a\n")
	put("empty.go", "")
	put("big.txt", strings.Repeat("x", 3<<20))
	put("shut/in.go", "package shut\n")
	require.NoError(t, os.Symlink("..", filepath.Join(dir, "shut", "loop")))
	require.NoError(t, os.Symlink("self", filepath.Join(dir, "self")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "out.go")))
	require.NoError(t, os.Symlink("ok.go", filepath.Join(dir, "in.go")))
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe.go"), 0o644))
	require.NoError(t, os.Chmod(filepath.Join(dir, "closed.go"), 0))

	s, err := goIndexer().Index(context.Background(), index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	got := skipped(s)
	want := map[string]string{"ok.go": "", "broken.go": "", "binary.go": "binary", "latin.go": "not UTF-8", "line\nfeed.go": "",
		"bad\xff.go": "the name is not UTF-8", "OK.go": "", "empty.go": "", "big.txt": "", "shut/in.go": "", "shut/loop": "symbolic link",
		"self": "symbolic link", "out.go": "symbolic link", "in.go": "symbolic link", "pipe.go": "named pipe"}
	if os.Getuid() != 0 {
		want["closed.go"] = "the file cannot be read: permission denied"
	} else {
		want["closed.go"] = ""
	}
	assert.Equal(t, want, got)
	for _, name := range []string{"Whole", "Latin", "Feed", "Upper", "OK"} {
		assert.Len(t, s.Definitions(name).Sure, 1, name)
	}
	f, _ := s.File("broken.go")
	assert.NotEmpty(t, f.Errors)
	_, err = s.Source("out.go")
	assert.Error(t, err, "what lies outside is not read")
	assert.Positive(t, s.References("OK", 0).Basis.Skipped)
	drift, err := s.Drift(context.Background())
	require.NoError(t, err)
	assert.Empty(t, drift)
}

// covers: IDX-4, REL-4
func TestSizeLimit(t *testing.T) {
	ix := goIndexer()
	ix.MaxFileSize = 100
	long := "package a\n\n// " + strings.Repeat("long ", 30) + "\nfunc F() {}\n"
	s := indextest.Index(t, ix, indextest.Files{"a.go": long, "b.go": "package a\n"}, nil)
	f, _ := s.File("a.go")
	assert.Equal(t, "larger than 100 bytes", f.Skipped)
	assert.Equal(t, index.ContentHash([]byte(long)), f.Hash)
	assert.Equal(t, 4, f.Lines)
	data, err := s.Source("a.go")
	require.NoError(t, err)
	assert.Equal(t, long, string(data))
}

// covers: REL-4
func TestHugeAndDeepFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	huge := filepath.Join(t.TempDir(), "huge.go")
	f, err := os.Create(huge)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(100<<20))
	require.NoError(t, f.Close())
	deep := indextest.Files{
		"deep.go":   "package a\n\nvar x = " + strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + "\n\nfunc After() {}\n",
		"blocks.go": "package a\n\nfunc B() " + strings.Repeat("{", 10000) + strings.Repeat("}", 10000) + "\n",
		"open.go":   "package a\n\nvar y = " + strings.Repeat("[", 50000),
		"names.go":  "package a\n\nvar (\n" + strings.Repeat("\tv, w = 1, 2\n", 40000) + ")\n",
		"dots.go":   "package a\n\nvar z = a" + strings.Repeat(".b", 100000) + "\n",
	}
	for name, fsys := range map[string]fs.FS{"huge": os.DirFS(filepath.Dir(huge)), "deep": deep.FS()} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		s, err := goIndexer().Index(context.Background(), index.Input{FS: fsys})
		require.NoError(t, err, name)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %v, allocated %d MB, %v", name, time.Since(start), (after.TotalAlloc-before.TotalAlloc)>>20, skipped(s))
		assert.Less(t, time.Since(start), 30*time.Second)
	}
}

// covers: IDX-4
func TestDeepFoldersAndCollidingNames(t *testing.T) {
	fsys := fstest.MapFS{"A.go": {Data: []byte("package a\n")}, "a.go": {Data: []byte("package a\n")}}
	fsys[strings.Repeat("d/", 500)+"x.go"] = &fstest.MapFile{Data: []byte("package x\n\nfunc Deep() {}\n")}
	s, err := goIndexer().Index(context.Background(), index.Input{FS: fsys})
	require.NoError(t, err)
	assert.Len(t, s.Files(), 3)
	assert.Len(t, s.Definitions("Deep").Sure, 1)
}

// covers: IDX-4
func TestAPanickingExtractorCostsOnlyItsFile(t *testing.T) {
	lang := *indextest.Toy()
	extract := lang.Extract
	lang.Extract = func(tree *index.Tree, f *index.Facts) error {
		if f.Path == "pay/gate.toy" {
			panic("no")
		}
		err := extract(tree, f)
		if f.Path == "web/web.toy" {
			f.Sites[0].Name = 99
		}
		return err
	}
	s := indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{&lang}}, shop, nil)
	assert.Equal(t, "extraction failed: no", skipped(s)["pay/gate.toy"])
	assert.Contains(t, skipped(s)["web/web.toy"], "contradicts itself")
	assert.Len(t, s.Definitions("Refund").Sure, 1)
}

// covers: REL-2, IDX-4
func FuzzTreeSitter(f *testing.F) {
	for _, content := range bank {
		f.Add([]byte(content))
	}
	f.Add([]byte("package a\nfunc (x *T[K]) m() { x.y.z() }\n"))
	f.Add([]byte("package a\nimport . \"a\"\ntype T = struct{ T }\nvar v = v\nconst c = iota + c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := indextest.Files{"a.go": string(data), "b/b.go": "package b\n\nimport \"example.org/x\"\n\nvar _ = a.X\n", "go.mod": "module example.org/x\n"}
		s, err := goIndexer().Index(context.Background(), index.Input{FS: files.FS()})
		require.NoError(t, err)
		over, err := s.Overlay(context.Background(), map[string][]byte{"c.go": data})
		require.NoError(t, err)
		for sym := range over.Symbols() {
			over.References(sym.ID, 2)
		}
		for r := range over.Refs() {
			require.LessOrEqual(t, r.Span.End, len(data)+100)
		}
	})
}
