package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// asked are command lines on testdata/shop-LANGUAGE.txtar, by the name of the
// golden file; each is run for people, for -json and for -jsonl.
var asked = map[string]map[string]string{
	"go": {
		"definitions": "definitions Refund", "references": "references Card.Refund", "callers": "callers Card.Refund", "callees": "callees pay.Back",
		"impact": "impact Card.Refund", "members": "members pay.Gateway", "members-of-struct": "members pay.Cash", "tests": "tests Card.Refund",
		"tests-of-file": "tests pay/pay.go", "outline": "outline pay/pay.go", "search": "search Refund -limit 3", "unknown": "references refunded",
		"text-only": "references gives", "cut": "references Card.Refund -limit 1",
		"dump-definitions": "dump definitions", "dump-references": "dump references", "plan": "plan -task TASK", "collect": "collect -task TASK -tokens 3000",
		"index": "index", "health": "health", "health-by-file": "health -by file", "plan-brief": "plan -brief -task TASK",
	},
	"py": {
		"definitions": "definitions refund", "references": "references Card.refund", "callers": "callers Card.refund", "callees": "callees pay.back",
		"impact": "impact Card.refund", "members": "members Gateway", "inherited": "references Card.give_back", "tests": "tests Card.refund",
		"outline": "outline shop/pay.py", "search": "search refund -word",
	},
}

const shopTask = `
id: fee
requirement: A refund takes a fee.
capabilities:
  - {id: FEE-1, sentence: A refund takes a fee., symbols: [Card.Refund, Gateway.Refund], layers: [domain, test]}
changes:
  - {symbol: Gateway.Refund, new_signature: "func Refund(order string, cents, fee int) error"}
answers:
  - {question: Q-1, option: 2}
`

// What people and programs read is pinned, command by command.
//
// covers: CLI-1, HST-1
func TestOutputs(t *testing.T) {
	for lang, lines := range asked {
		dir := unpack(t, "shop-"+lang)
		task := filepath.Join(t.TempDir(), "task.yaml")
		require.NoError(t, os.WriteFile(task, []byte(shopTask), 0o600))
		for name, args := range lines {
			for _, form := range []string{"", "-json", "-jsonl"} {
				t.Run(lang+"/"+name+form, func(t *testing.T) {
					argv := strings.Fields(strings.ReplaceAll(args, "TASK", task))
					if form != "" {
						argv = append(argv, form)
					}
					var out, said bytes.Buffer
					code := run(t.Context(), append(argv, "-C", dir, "-no-cache"), strings.NewReader(""), &out, &said)
					assert.Contains(t, []int{0, 1, 3}, code, said.String())
					if form != "" {
						assert.NotContains(t, out.String(), "null", "an empty list is []")
					}
					for i, doc := range documentsOf(t, form, out.Bytes()) {
						_, has := doc["schema"]
						assert.Truef(t, form == "-jsonl" || has, "document %d has no schema", i)
					}
					golden(t, lang+"-"+name+form, steady(out.String()+said.String()))
				})
			}
		}
	}
}

func unpack(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", archive+".txtar"))
	require.NoError(t, err)
	files, err := txtar.FS(a)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), archive)
	require.NoError(t, os.CopyFS(dir, files))
	return dir
}

// documentsOf reads what a program would.
func documentsOf(t *testing.T, form string, out []byte) []map[string]any {
	t.Helper()
	var docs []map[string]any
	if form == "" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var d map[string]any
		require.NoError(t, dec.Decode(&d))
		docs = append(docs, d)
	}
	switch form {
	case "-json":
		require.LessOrEqual(t, len(docs), 1)
	case "-jsonl":
		assert.Equal(t, len(docs), bytes.Count(out, []byte("\n")), "one object a line")
	}
	return docs
}

var (
	digests  = regexp.MustCompile(`\b[0-9a-f]{64}\b|\b[0-9a-f]{16}\b`)
	measured = regexp.MustCompile(`("(?:elapsed_ms|cpu_ms|parse_cpu_ms|peak_rss_mb|elapsed)": ?)\d+|\d+ ms|\d+ MB|\(\d+ in the parser\)`)
)

// steady replaces what differs from run to run.
func steady(s string) string {
	return measured.ReplaceAllString(digests.ReplaceAllString(s, "DIGEST"), "${1}N")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}
