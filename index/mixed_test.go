package index_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/all"
)

// good is a file of each language that defines Good, and calls it.
var good = map[string]string{
	"go":         "package p\n\nfunc Good() int { return 1 }\n\nfunc use() { Good() }\n",
	"python":     "def Good():\n    return 1\n\n\ndef use():\n    Good()\n",
	"typescript": "export function Good(): number { return 1 }\n\nfunction use() { Good() }\n",
	"tsx":        "export function Good(): number { return 1 }\n\nfunction use() { Good() }\n",
	"javascript": "export function Good() { return 1 }\n\nfunction use() { Good() }\n",
}

// hostile returns, for a language, files each of which may cost only itself, by
// what is said of them when they are skipped ("": they are read).
func hostile(src string) map[string]struct{ data, skipped string } {
	huge := strings.Repeat("\n", index.DefaultMaxFileSize+1)
	return map[string]struct{ data, skipped string }{
		"good":      {src, ""},
		"broken":    {src + "\nfunc ) { class function def ((( \n" + src, ""},
		"cut":       {src[:len(src)/2], ""},
		"binary":    {"\x00\x01" + src, "binary"},
		"huge":      {src + huge, "larger than"},
		"latin":     {src + "// \xe9\xff\n", "not UTF-8"},
		"nested":    {src + "\n" + strings.Repeat("(", 10000) + strings.Repeat("[", 10000) + "\n", "?"},
		"long line": {src + "\n" + strings.Repeat("x = 1; ", 5000) + "\n", "?"},
		"empty":     {"", ""},
		"carriage":  {strings.ReplaceAll(src, "\n", "\r\n"), ""},
		"marked":    {"\xef\xbb\xbf" + src, ""},
	}
}

// covers: IDX-4, REL-4
func TestABadFileOfAnyLanguageCostsOnlyItself(t *testing.T) {
	langs := all.Languages()
	files, skipped := indextest.Files{"go.mod": "module m\n", "package.json": "{", "tsconfig.json": "[]", "pyproject.toml": "[["}, map[string]string{}
	for _, l := range langs {
		src, ok := good[l.Name]
		require.True(t, ok, "a good file of %s is missing in this test", l.Name)
		for name, h := range hostile(src) {
			p := l.Name + "/" + name + "/file" + l.Extensions[0]
			files[p], skipped[p] = h.data, h.skipped
		}
	}
	ix := &index.TreeSitter{Languages: langs}
	s := indextest.Index(t, ix, files, nil)
	for p, want := range skipped {
		f, ok := s.File(p)
		require.True(t, ok, p)
		if want == "" {
			assert.Empty(t, f.Skipped, p)
		} else if want != "?" {
			assert.Contains(t, f.Skipped, want, p)
		}
	}
	for _, l := range langs {
		for _, name := range []string{"good", "broken", "latin", "carriage", "marked"} {
			p := l.Name + "/" + name + "/file" + l.Extensions[0]
			var defs []string
			for _, sym := range s.Outline(p) {
				defs = append(defs, sym.Name)
			}
			assert.Contains(t, defs, "Good", "an intact definition of %s is kept", p)
			if name == "good" && l.Link != nil {
				certain := slices.ContainsFunc(s.RefsIn(p), func(r index.Ref) bool { return r.Name == "Good" && r.Status == index.Static })
				assert.True(t, certain, "the call in %s is resolved beside all that is broken", p)
			}
		}
	}
	for _, sym := range s.Outline("go/good/file.go") {
		s.Impact(sym.ID, 2)
		s.TestsFor(sym.ID)
		s.Members(sym.ID)
	}
	h := s.Health(index.ByFile)
	assert.NotEmpty(t, h.Skipped)
	over, err := s.Overlay(context.Background(), map[string][]byte{"python/broken/file.py": []byte(good["python"]), "go/good/file.go": []byte("package p\n\nfunc ((\n")})
	require.NoError(t, err)
	files["python/broken/file.py"], files["go/good/file.go"] = good["python"], "package p\n\nfunc ((\n"
	indextest.Same(t, indextest.Index(t, ix, files, nil), over, "an overlay of it")
}
