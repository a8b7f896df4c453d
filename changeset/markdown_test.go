package changeset_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

var ids = regexp.MustCompile(`^[A-Z]+-\d+$`)

// covers: CHG-4
func TestMarkdownGolden(t *testing.T) {
	c := readCase(t, "interface")
	c.task.ID = "T-1"
	p, err := c.plan(t, &changeset.Derived{})
	require.NoError(t, onlyQuestions(err))
	text := p.Markdown()
	data, err := json.MarshalIndent(p, "", "  ")
	require.NoError(t, err)
	for name, got := range map[string]string{"plan.md": text, "plan.json": string(data) + "\n"} {
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			require.NoError(t, os.WriteFile("testdata/"+name, []byte(got), 0o644))
		}
		want, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		assert.Equal(t, string(want), got)
	}
	back, err := changeset.ParseMarkdown(text)
	require.NoError(t, err)
	assert.Equal(t, p, back)
	var read changeset.Plan
	require.NoError(t, json.Unmarshal(data, &read))
	assert.Equal(t, text, read.Markdown(), "both forms hold the same")
}

// covers: CHG-4
func TestParseMarkdownRefuses(t *testing.T) {
	for name, doc := range map[string]string{
		"empty":          "",
		"no title":       "hello\n",
		"unknown key":    "# Plan T\n\n- schema: 1\n- colour: red\n",
		"missing value":  "# Plan T\n\n- schema:\n",
		"wrong kind":     "# Plan T\n\n- schema: many\n",
		"text":           "# Plan T\n\nsomething\n",
		"too deep":       "# Plan T\n\n- schema: 1\n    - index: x\n",
		"unknown number": "# Plan T\n\n- limit:\n  - pages: 3\n",
	} {
		_, err := changeset.ParseMarkdown(doc)
		require.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
	_, err := changeset.ParseMarkdown("# Plan T\n\n- schema: 2\n")
	require.ErrorIs(t, err, fault.Unsupported)
}

func FuzzMarkdownIsLossless(f *testing.F) {
	f.Add("T-1", "two\nlines\n", "# Plan", "- a: b", "1.")
	f.Add("", "\"quoted\"", "12", "null", "> x")
	f.Add("x: y", "  blanks ", "[a]", "{", "### A-1")
	f.Fuzz(func(t *testing.T, id, requirement, why, symbol, sentence string) {
		for _, text := range []string{id, requirement, why, symbol, sentence} {
			if !utf8.ValidString(text) {
				return // JSON cannot hold it either
			}
		}
		p := changeset.Plan{Schema: 1, Task: id, Requirement: requirement, Index: symbol,
			Capabilities: []task.Capability{{ID: id, Sentence: sentence, Symbols: []string{symbol, why}}},
			Contracts:    []changeset.Contract{{Symbol: symbol, Rename: why, After: &index.Signature{Text: why, Params: []index.Param{{Name: id, Variadic: true}}}}},
			Actions:      []changeset.Action{{ID: sentence, Kind: changeset.Define, Why: why, Verify: []string{}, Target: index.Span{File: symbol, Start: 3}}},
			NotDone:      []changeset.NotDone{{Why: why}}, Questions: []changeset.Question{{ID: why, Options: []changeset.Option{{Text: requirement}}, Answer: &task.Answer{Question: why, Option: 1}}},
			Stages: []changeset.Stage{}}
		want, err := json.Marshal(p)
		require.NoError(t, err)
		back, err := changeset.ParseMarkdown(p.Markdown())
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Markdown())
		}
		got, err := json.Marshal(back)
		require.NoError(t, err)
		if string(want) != string(got) {
			t.Fatalf("want %s\ngot  %s\n%s", want, got, p.Markdown())
		}
	})
}

func FuzzParseMarkdown(f *testing.F) {
	data, err := os.ReadFile("testdata/plan.md")
	if err == nil {
		f.Add(string(data))
	}
	f.Add("# Plan\n- schema: 1\n")
	f.Fuzz(func(t *testing.T, doc string) {
		p, err := changeset.ParseMarkdown(doc)
		if err != nil {
			if lacks := faulttest.Check(err); len(lacks) > 0 {
				t.Fatal(strings.Join(lacks, "; "))
			}
			return
		}
		if _, err := changeset.ParseMarkdown(p.Markdown()); err != nil {
			t.Fatal(err)
		}
	})
}
