package patch

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shopGo = `package shop

import (
	"errors"
	"fmt"
	"log"
)

// Total sums.
func Total(a, b int) int {
	return a + b
}

func name(first, last string) string {
	if first == "" {
		return "nobody"
	}
	return fmt.Sprint(first, last)
}

func check(n int) error {
	if n < 0 {
		log.Println("negative", n)
		return errors.New("below")
	}
	return nil
}
`

func rewrite(old string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(old) }

func whole(path, old, now string) Edit {
	return Edit{Op: WriteFile, File: path, Hash: hashOf([]byte(old)), Text: now, Rewrite: true}
}

// covers: PAT-13, PAT-5, STY-6
func TestNoiseIsRestored(t *testing.T) {
	meant := []string{"return a + b", "return a + b + 1"}
	want := rewrite(shopGo, meant...)
	cases := []struct {
		name  string
		now   string
		class HunkClass
	}{
		{"white space at line ends", rewrite(want, "return nil\n", "return nil  \n"), WhiteSpace},
		{"indentation", rewrite(want, "\treturn fmt.Sprint", "    return fmt.Sprint"), WhiteSpace},
		{"blanks inside", rewrite(want, "first, last string", "first,last string"), WhiteSpace},
		{"blank lines", rewrite(want, "\tif n < 0 {\n", "\n\n\tif n < 0 {\n\n"), WhiteSpace},
		{"line ends", strings.ReplaceAll(want, "\n", "\r\n"), LineEnd},
		{"final newline", strings.TrimSuffix(want, "\n"), LineEnd},
		{"byte order mark", bom + want, WhiteSpace},
		{"quotes", rewrite(want, `"nobody"`, "`nobody`", `"below"`, "`below`"), Quotes},
		{"order of imports", rewrite(want, "\t\"errors\"\n\t\"fmt\"\n", "\t\"fmt\"\n\t\"errors\"\n"), ImportOrder},
		{"wrapping", rewrite(want, "return fmt.Sprint(first, last)", "return fmt.Sprint(\n\t\tfirst, last)"), Wrapping},
		{"trailing comma", rewrite(want, "return fmt.Sprint(first, last)", "return fmt.Sprint(\n\t\tfirst,\n\t\tlast,\n\t)"), TrailingComma},
		{"order of declarations", reordered(want), Reordered},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.NotEqual(t, want, c.now)
			r := tree{"go.mod": "module m\n", "shop.go": shopGo}
			in := Input{Before: snapshot(t, r), Edits: []Edit{whole("shop.go", shopGo, c.now)}}
			set, err := (&Anchored{}).Patch(context.Background(), in)
			require.NoError(t, err)
			assert.Equal(t, want, string(set.Files[0].New))
			assert.Positive(t, set.Noise.Restored)
			assert.Positive(t, set.Noise.ByClass[c.class], "%v", set.Noise)
			assert.Positive(t, set.Noise.Before)
			assert.Zero(t, set.Noise.After)
			require.Len(t, set.Hunks, 1)
			assert.Equal(t, Meant, set.Hunks[0].Class)

			kept, err := (&Anchored{KeepNoise: true}).Patch(context.Background(), in)
			require.NoError(t, err)
			assert.Equal(t, c.now, string(kept.Files[0].New))
			assert.Positive(t, kept.Noise.After)
			in.AsCame = true
			came, err := (&Anchored{}).Patch(context.Background(), in)
			require.NoError(t, err)
			assert.Equal(t, c.now, string(came.Files[0].New), "decided on elsewhere")
			assert.True(t, came.Noise.AsCame)
			assert.Positive(t, came.Noise.After)
			in.AsCame = false
			asked, err := (&Anchored{Keep: []HunkClass{c.class}}).Patch(context.Background(), in)
			require.NoError(t, err)
			assert.Equal(t, c.now, string(asked.Files[0].New))
		})
	}
}

// reordered moves the last declaration of the shop in front of the first.
func reordered(src string) string {
	last := src[strings.Index(src, "func check"):]
	rest := strings.TrimSuffix(src, "\n"+last)
	at := strings.Index(rest, "// Total")
	return rest[:at] + last + "\n" + rest[at:]
}

// covers: PAT-13
func TestNoiseAlone(t *testing.T) {
	r := tree{"go.mod": "module m\n", "shop.go": shopGo}
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: snapshot(t, r), Edits: []Edit{whole("shop.go", shopGo, reordered(shopGo))}})
	require.NoError(t, err)
	assert.Empty(t, set.Files)
	assert.InDelta(t, 1, set.Noise.Before, 0.001)
}

// covers: PAT-13
func TestMeantIsKept(t *testing.T) {
	cases := []struct{ name, now string }{
		{"an import added and one moved", rewrite(shopGo, "\t\"errors\"\n\t\"fmt\"\n\t\"log\"\n", "\t\"errors\"\n\t\"fmt\"\n\t\"log\"\n\t\"os\"\n", "return a + b", "return a + b + len(os.Args)")},
		{"indentation that follows a new block", rewrite(shopGo, "\treturn fmt.Sprint(first, last)\n", "\tif last != \"\" {\n\t\treturn fmt.Sprint(first, last)\n\t}\n\treturn first\n")},
		{"blank lines around a new function", rewrite(shopGo, "func check", "func more() {}\n\nfunc check")},
		{"a rune is no string", rewrite(shopGo, "first == \"\"", "first == `\n`")},
		{"white space in a string", rewrite(shopGo, `"nobody"`, `"no body"`)},
		{"a line removed", rewrite(shopGo, "\t\tlog.Println(\"negative\", n)\n", "", "\t\"log\"\n", "")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := tree{"go.mod": "module m\n", "shop.go": shopGo}
			assert.Equal(t, c.now, patched(t, &Anchored{}, r, "shop.go", whole("shop.go", shopGo, c.now)))
		})
	}
	t.Run("indentation and line breaks where they may be syntax", func(t *testing.T) {
		for _, now := range []string{"a:\n  b: 1\nc: 2\n", "a:\n  b: 1\n    c: 2\n"} {
			old := "a:\n  b: 1\n  c: 2\n"
			assert.Equal(t, now, patched(t, &Anchored{}, tree{"a.yaml": old}, "a.yaml", whole("a.yaml", old, now)))
		}
	})
	t.Run("lines added behind an unfinished last line", func(t *testing.T) {
		assert.Equal(t, "a\nb\nc\n", patched(t, &Anchored{}, tree{"a.txt": "a\nb"}, "a.txt", whole("a.txt", "a\nb", "a\nb\nc\n")))
	})
}

// covers: PAT-13
func TestHunkClasses(t *testing.T) {
	r := tree{"go.mod": "module m\n", "shop.go": shopGo}
	now := rewrite(shopGo, "// Total sums.", "// Total adds up.", "log.Println(\"negative\", n)", "log.Println(\"too small\", n)", "\"below\"", "\"under\"")
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: snapshot(t, r), Edits: []Edit{whole("shop.go", shopGo, now)}})
	require.NoError(t, err)
	var got []HunkClass
	for _, h := range set.Hunks {
		got = append(got, h.Class)
	}
	assert.Equal(t, []HunkClass{Comment, Meant}, got, "log line and error line are neighbours and make one hunk")
	now = rewrite(shopGo, "log.Println(\"negative\", n)", "log.Println(\"too small\", n)")
	set, err = (&Anchored{}).Patch(context.Background(), Input{Before: snapshot(t, r), Edits: []Edit{whole("shop.go", shopGo, now)}})
	require.NoError(t, err)
	assert.Equal(t, LogText, set.Hunks[0].Class)
}
