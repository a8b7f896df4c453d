package secrets

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
)

// made is text that looks random and is not: no credential stands in this file.
func made(seed uint32, n int, alphabet string) string {
	var b strings.Builder
	for range n {
		seed = seed*1664525 + 1013904223
		b.WriteByte(alphabet[int(seed>>16)%len(alphabet)])
	}
	return b.String()
}

const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func githubToken(seed uint32) string { return "gh" + "p_" + made(seed, 36, alnum) }

// decide shows a change of some files to a gate with this rule only.
func decide(t *testing.T, before, after map[string]string) *gate.Decision {
	t.Helper()
	d, err := (&gate.Rules{Use: []gate.Rule{Rule()}}).Decide(context.Background(), input(t, before, after))
	require.NoError(t, err)
	return d
}

func input(t *testing.T, before, after map[string]string) gate.Input {
	t.Helper()
	tree := func(files map[string]string) *index.Snapshot {
		fs := fstest.MapFS{"go.mod": {Data: []byte("module example.org/m\n")}}
		for p, c := range files {
			fs[p] = &fstest.MapFile{Data: []byte(c)}
		}
		s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: fs})
		require.NoError(t, err)
		return s
	}
	in := gate.Input{Before: tree(before), After: tree(after), Set: &patch.Set{Schema: 1}}
	for p, c := range after {
		f := patch.File{Path: p, Op: patch.Created, New: []byte(c)}
		if old, ok := before[p]; ok {
			if old == c {
				continue
			}
			f.Op, f.Old = patch.Modified, []byte(old)
		}
		in.Set.Files = append(in.Set.Files, f)
	}
	for p, c := range before {
		if _, ok := after[p]; !ok {
			in.Set.Files = append(in.Set.Files, patch.File{Path: p, Op: patch.Deleted, Old: []byte(c)})
		}
	}
	return in
}

// covers: GAT-7
func TestCredentialsAreFound(t *testing.T) {
	token := githubToken(1)
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + made(3, 64, alnum) + "\n" + made(4, 64, alnum) + "\n-----END RSA " + "PRIVATE KEY-----\n"
	cases := []struct {
		name, file, text string
		line             int
	}{
		{"in code", "a.go", "package a\n\nvar token = \"" + token + "\"\n", 3},
		{"in a document", "docs/use.md", "# Use\n\nCall it with `" + token + "`.\n", 3},
		{"in an example", "examples/config.yaml", "a: 1\ntoken: " + token + "\n", 2},
		{"in a comment", "a.go", "package a\n\n// " + token + "\n", 3},
		{"in a picture that is text", "a.svg", "<svg>\n<!-- " + token + " -->\n</svg>\n", 2},
		{"in a file without an extension", "NOTES", token + "\n", 1},
		{"in a test", "a_test.go", "package a\n\nconst k = `" + token + "`\n", 3},
		{"a key of several lines", "k.txt", "x\n" + key, 2},
		{"a name that says so", "a.py", "\n\napi_key = \"" + made(9, 32, alnum) + "\"\n", 3},
		{"split", "a.go", "package a\n\nvar token = \"" + token[:10] + "\" + \"" + token[10:] + "\"\n", 3},
		{"split over lines", "a.go", "package a\n\nvar a = 1\n\nvar token = \"" + token[:10] + "\" +\n\t\"" + token[10:20] + "\" +\n\t`" + token[20:] + "`\n", 5},
		{"split below other strings", "a.go", "package a\n\nvar a = \"b\" +\n\t\"c\"\n\nvar token = \"" + token[:9] + "\" + \"" + token[9:] + "\"\n", 6},
		{"encoded", "a.yaml", "a: 1\nb: " + base64.StdEncoding.EncodeToString([]byte("token = "+token+"\n")) + "\n", 2},
		{"encoded twice", "a.yaml", "b: " + base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("token = "+token+"\n")))) + "\n", 1},
		{"with characters that nobody sees", "a.txt", "x\n" + token[:8] + "\u200b" + token[8:] + "\n", 2},
		{"in UTF-16", "a.txt", strings.Join(strings.Split("x\n"+token+"\n", ""), "\x00") + "\x00", 2},
		{"with a comment that allows it", "a.go", "package a\n\nvar token = \"" + token + "\" // gitleaks:allow\n", 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := decide(t, map[string]string{"x.go": "package a\n"}, map[string]string{"x.go": "package a\n", c.file: c.text})
			require.NotEmpty(t, d.Findings)
			f := d.Findings[0]
			assert.Equal(t, gate.Blocked, d.Verdict)
			assert.Equal(t, RuleID, f.Rule)
			assert.Equal(t, gate.Block, f.Strength)
			assert.True(t, f.Blocks)
			assert.Equal(t, c.file, f.After.File)
			assert.Equal(t, c.line, f.After.Line)
			said, err := json.Marshal(d)
			require.NoError(t, err)
			for _, secret := range []string{token, token[:10], token[10:], made(9, 32, alnum), made(3, 64, alnum)} {
				assert.NotContains(t, string(said), secret)
			}
		})
	}
}

// covers: GAT-7
func TestOldCredentialsAreNotNew(t *testing.T) {
	token := githubToken(2)
	with := "package a\n\nvar token = \"" + token + "\"\n"
	plain := "package a\n"
	split := "package a\n\nvar token = \"" + token[:9] + "\" + \"" + token[9:] + "\"\n"
	encoded := "b: " + base64.StdEncoding.EncodeToString([]byte("token = "+token+"\n")) + "\n"
	cases := []struct {
		name          string
		before, after map[string]string
	}{
		{"untouched beside a change", map[string]string{"a.go": with}, map[string]string{"a.go": with + "\nvar b = 1\n"}},
		{"moved within its file", map[string]string{"a.go": with}, map[string]string{"a.go": "package a\n\nvar b = 1\n\nvar token = \"" + token + "\"\n"}},
		{"renamed", map[string]string{"a.go": with}, map[string]string{"a.go": strings.Replace(with, "token", "secret", 1)}},
		{"moved to another file", map[string]string{"a.go": with, "b.go": plain}, map[string]string{"a.go": plain, "b.go": with}},
		{"copied from a file that stays", map[string]string{"a.go": with, "b.go": plain}, map[string]string{"a.go": with, "b.go": with}},
		{"file moved", map[string]string{"a.go": with}, map[string]string{"c/a.go": with}},
		{"split one untouched", map[string]string{"a.go": split}, map[string]string{"a.go": split + "\nvar b = 1\n"}},
		{"encoded one copied", map[string]string{"a.yaml": encoded, "b.yaml": "x: 1\n"}, map[string]string{"a.yaml": encoded, "b.yaml": encoded}},
		{"taken out", map[string]string{"a.go": with}, map[string]string{"a.go": plain}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := decide(t, c.before, c.after)
			assert.Empty(t, d.Findings)
			assert.Equal(t, gate.Allowed, d.Verdict)
		})
	}
	t.Run("another in the place of an allowed one is new", func(t *testing.T) {
		line := func(s string) string { return "package a\n\nvar token = \"" + s + "\" // gitleaks:allow\n" }
		assert.Len(t, decide(t, map[string]string{"a.go": line(token)}, map[string]string{"a.go": line(githubToken(5))}).Findings, 1)
	})
}

// What gitleaks itself takes for no credential is none here.
//
// covers: GAT-7
func TestHarmlessTexts(t *testing.T) {
	for name, text := range map[string]string{
		"placeholder":       "api_key = \"${API_KEY}\"\n",
		"environment":       "token = os.environ[\"GITHUB_TOKEN\"]\n",
		"example of AWS's":  "key = \"AKIA" + "IOSFODNN7EXAMPLE\"\n",
		"digest":            "sha256 = \"" + made(1, 64, "0123456789abcdef") + "\"\n",
		"word":              "password = \"password\"\n",
		"strings in a list": "var a = []string{\"gh" + "p_abc\", \"" + made(2, 36, alnum) + "\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := decide(t, map[string]string{"x.go": "package a\n"}, map[string]string{"x.go": "package a\n\nfunc f() {\n\t" + text + "}\n", "a.txt": text})
			assert.Empty(t, d.Findings)
		})
	}
}

// covers: GAT-2, GAT-7
func TestRuleBesideTheOthers(t *testing.T) {
	gatetest.Run(t, &gate.Rules{Extra: []gate.Rule{Rule()}})
	_, err := (&gate.Rules{Extra: []gate.Rule{Rule()}, Policy: &gate.Policy{Strengths: map[string]gate.Strength{gate.ClassSecrets: gate.Pass}}}).
		Decide(context.Background(), input(t, map[string]string{"x": "a"}, map[string]string{"x": "b"}))
	var f *fault.Fault
	require.True(t, errors.As(err, &f))
	assert.Equal(t, fault.InvalidInput, f.Class)
}

// covers: GAT-7
func TestConcurrentUse(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			found, err := find(context.Background(), "a.txt", "", "x "+githubToken(uint32(i))+"\n", nil)
			assert.NoError(t, err)
			assert.Len(t, found, 1)
		})
	}
	wait.Wait()
}

// covers: SEC-3
func TestMask(t *testing.T) {
	token := githubToken(7)
	got := Mask("said " + token + " twice: " + token)
	assert.NotContains(t, got, token)
	assert.Contains(t, got, "said [redacted] twice")
	assert.Equal(t, "nothing to hide", Mask("nothing to hide"))
}

func TestJoin(t *testing.T) {
	literals := func(text string, parts ...string) []index.Range {
		var out []index.Range
		at := 0
		for _, p := range parts {
			i := at + strings.Index(text[at:], p)
			out = append(out, index.Range{Start: uint32(i), End: uint32(i + len(p))})
			at = i + len(p)
		}
		return out
	}
	text := "a = rb\"x\" \\\n  b'y'\nc = \"z\" + f()\n"
	joined, starts := join(text, literals(text, "rb\"x\"", "b'y'", "\"z\""))
	assert.Equal(t, "a = rb\"xy'\nc = \"z\" + f()\n", joined)
	assert.Equal(t, []int{0, 2, 3}, starts)
	joined, _ = join("\"a\", \"b\"", literals("\"a\", \"b\"", "\"a\"", "\"b\""))
	assert.Empty(t, joined)
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("func f(a, b int) (string, error) {\n\treturn fmt.Sprintf(\"%d of %s\", a, token), nil\n}\n", 400)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := find(context.Background(), "a.go", "", text, nil); err != nil {
			b.Fatal(err)
		}
	}
}
