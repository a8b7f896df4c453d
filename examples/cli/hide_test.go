package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// made is text that looks random and is not: no credential stands in this file.
func made(seed uint32, n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b strings.Builder
	for range n {
		seed = seed*1664525 + 1013904223
		b.WriteByte(alphabet[int(seed>>16)%len(alphabet)])
	}
	return b.String()
}

// planted are lines of Go that hold a credential each, and what must not be shown.
func planted() (lines, hidden []string) {
	form, split, named, old := "gh"+"p_"+made(1, 36), "gh"+"p_"+made(2, 36), made(3, 32), made(4, 32)
	key := []string{made(5, 64), made(6, 64), made(7, 64)}
	encoded := base64.StdEncoding.EncodeToString([]byte("token = gh" + "p_" + made(8, 36)))
	lines = append(lines, `const viewer = "`+form+`"`, `const parts = "`+split[:12]+`" + "`+split[12:]+`"`, `const clientKey = "`+named+`"`,
		"const pem = `-----BEGIN RSA "+"PRIVATE KEY-----", key[0], key[1], key[2], "-----END RSA "+"PRIVATE KEY-----`", `const packed = "`+encoded+`"`)
	hidden = append(key, form, split[:12], split[12:], named, old, encoded)
	return lines, append(hidden, base64.StdEncoding.EncodeToString([]byte(form))[4:40])
}

// A credential is in no output of any command, as text or as JSON, whether a
// change brings it, takes it away or passes it by, and in no file that is written
// for other programs. What it stands in the place of is said.
//
// covers: GAT-7, SEC-3
func TestNoCommandShowsACredential(t *testing.T) {
	lines, hidden := planted()
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
		return p
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", filepath.Join(dir, "r"), "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	write("r/go.mod", "module example.com/keys\n\ngo 1.24\n")
	write("r/keys/keys.go", "package keys\n\n// Use returns a key.\nfunc Use(name string) string {\n\treturn name\n}\n\nconst clientKey = \""+made(4, 32)+"\"\n\nvar stands = Use(\""+"gh"+"p_"+made(1, 36)+"\")\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "work")

	diff := "--- a/keys/keys.go\n+++ b/keys/keys.go\n@@ -4,5 +4," + "14 @@\n func Use(name string) string {\n-\treturn name\n+\treturn name + \"!\"\n }\n \n-const clientKey = \"" + made(4, 32) + "\"\n"
	for _, l := range lines {
		diff += "+" + l + "\n"
	}
	diff += "+// the end\n"
	edits := write("change.diff", diff)
	stale := write("stale.diff", strings.ReplaceAll(diff, "func Use(name string) string {", "func Used(name string) string {"))
	task := write("task.yaml", "requirement: Use "+hidden[3]+" for it.\ncapabilities:\n  - {id: K-1, sentence: 'Use(\"a\") returns \"a!\", with "+hidden[3]+".', symbols: [keys.Use], layers: [domain]}\nanswers: [{question: Q-1, option: 2}]\n")
	policy := write("policy.yaml", "schema: 1\n")
	sarif := filepath.Join(dir, "out.sarif")
	r := filepath.Join(dir, "r")

	shown := func(want int, args ...string) string {
		t.Helper()
		all := ""
		for _, form := range []string{"", "-json", "-jsonl"} {
			var out, said bytes.Buffer
			argv := append(append([]string{}, args...), "-C", r, "-no-cache")
			if form != "" {
				argv = append(argv, form)
			}
			code := run(t.Context(), argv, strings.NewReader(""), &out, &said)
			assert.Equal(t, want, code, "%v: %.2000s", argv, said.String())
			if form == "-json" && out.Len() > 0 {
				assert.True(t, json.Valid(out.Bytes()), "%v", argv)
			}
			for _, h := range hidden {
				assert.NotContains(t, out.String(), h, "%v", argv)
				assert.NotContains(t, said.String(), h, "%v", argv)
			}
			all += out.String() + said.String()
		}
		return all
	}
	t.Run("edits that bring some", func(t *testing.T) {
		all := shown(5, "check", "-patch", edits)
		assert.Contains(t, all, "[redacted]")
		assert.Contains(t, all, "this is no diff to apply")
		assert.Contains(t, all, `"masked": true`)
		assert.Contains(t, all, "+// the end", "what stands behind one stays")
		assert.Contains(t, all, "secrets.content")
		shown(5, "apply", "-patch", edits)
		shown(5, "gate", "-patch", edits, "-sarif", sarif, "-policy", policy)
		shown(1, "verify", "-patch", edits, "-layers", "L0,L1", "-task", task)
		shown(4, "check", "-patch", stale)
		shown(1, "selfcheck", "-patch", edits, "-layers", "L0,L1")
	})
	t.Run("the whole chain", func(t *testing.T) {
		shown(5, "change", "-task", task, "-edits", edits, "-unsandboxed")
		shown(4, "change", "-task", task, "-edits", stale, "-unsandboxed")
	})
	t.Run("what stands in the repository", func(t *testing.T) {
		shown(0, "search", "const clientKey =")
		shown(0, "search", "Use(")
		shown(0, "outline", "keys/keys.go")
		shown(0, "definitions", "clientKey")
		shown(0, "references", "keys.Use")
		shown(0, "collect", "-task", task)
		shown(0, "plan", "-task", task)
	})
	t.Run("a difference that is made", func(t *testing.T) {
		src, err := os.ReadFile(filepath.Join(r, "keys/keys.go"))
		require.NoError(t, err)
		write("r/keys/keys.go", strings.Replace(string(src), "const clientKey = \""+made(4, 32)+"\"", strings.Join(lines, "\n"), 1))
		shown(5, "gate", "-base", "HEAD", "-sarif", sarif)
		shown(0, "verify", "-base", "HEAD", "-layers", "L0,L1")
		shown(1, "selfcheck", "-base", "HEAD", "-layers", "L0,L1")
	})
	log, err := os.ReadFile(sarif)
	require.NoError(t, err)
	for _, h := range hidden {
		assert.NotContains(t, string(log), h)
	}
	require.NoError(t, filepath.WalkDir(filepath.Join(r, ".git", "plumb"), func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		for _, h := range hidden[:len(hidden)-1] {
			assert.NotContains(t, string(data), h, p)
			assert.NotContains(t, string(data), base64.StdEncoding.EncodeToString([]byte(h))[4:], p)
		}
		return err
	}))
}

// Source text without a blank, as where tabs indent or after a minifier, is looked
// at as any other; a path or a name is not.
//
// covers: SEC-3
func TestCoverLooksAtTextWithoutABlank(t *testing.T) {
	for name, text := range map[string]string{"minified": `x.auth="%s"`, "tabs": "\tx.auth\t=\t'%s'", "a field": "auth:\"%s\","} {
		t.Run(name, func(t *testing.T) {
			key := made(11, 40)
			e := &env{}
			require.NoError(t, e.cover(t.Context(), []string{strings.ReplaceAll(text, "%s", key), "store/store.go"}))
			assert.NotContains(t, e.hide("here "+key), key)
			assert.Equal(t, "store/store.go", e.hide("store/store.go"))
		})
	}
}
