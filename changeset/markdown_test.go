package changeset_test

import (
	"encoding/json"
	"fmt"
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
			NotDone:      []changeset.NotDone{{Why: why}, {Symbol: symbol, Place: index.Span{File: id, Hash: why, Line: 1}}, {Why: sentence, Place: index.Span{File: id, Hash: why, Line: 2}}}, Questions: []changeset.Question{{ID: why, Options: []changeset.Option{{Text: requirement}}, Answer: &task.Answer{Question: why, Option: 1}}},
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

// Alike places that follow one another are rows of one table; the plan of a
// widely used symbol stays short, and is read back as it was.
//
// covers: CHG-4
func TestAlikePlacesAreATable(t *testing.T) {
	at := func(file string, n int) index.Span {
		return index.Span{File: file, Hash: "h-" + file, Start: n, End: n + 3, Line: n, Col: 2}
	}
	p := &changeset.Plan{Schema: 1, Task: "T-1", Capabilities: []task.Capability{}, Stages: []changeset.Stage{}, Questions: []changeset.Question{}}
	call := func(i int, file, symbol, why string) changeset.Action {
		return changeset.Action{ID: fmt.Sprintf("A-%d", i), Kind: changeset.Sync, Capability: "C-1", Symbol: symbol, Target: at(file, i), Block: "calls of f",
			Why: why, Grade: changeset.High, Source: "resolution: import", Verify: []string{"type check"}}
	}
	for i := range 20 {
		p.Actions = append(p.Actions, call(i+1, "a b.go", fmt.Sprintf("m.f%d", i), "passes 1 value"))
	}
	p.Actions[3].Why, p.Actions[4].Why = "a|b \\ c | \"d\"", "two\nlines"
	p.Actions[5].Symbol, p.Actions[6].Verify, p.Actions[7].Weak = "", []string{"test x|y", "type check"}, true
	p.Actions[8].Target.File, p.Actions[9].Target.Hash, p.Actions[10].Target = "{odd}:3:4 bytes 1-2 of z", "another", index.Span{}
	p.Actions[14].Target.Hash, p.Actions[15].Target.Hash, p.Actions[16].Target.Hash = "", "", "-"
	p.Actions[11].Why, p.Actions[12].Why, p.Actions[13].Target.Start = "12", "", -1
	other := call(21, "b.go", "m.g", "alone")
	other.Block = "calls of g"
	p.Actions = append(p.Actions, other)
	for i := range 4 {
		p.NotDone = append(p.NotDone, changeset.NotDone{Symbol: "m.h", Place: at("c.go", i), Why: "stays compatible"})
	}
	doc := p.Markdown()
	assert.Contains(t, doc, "\n### A-1 to A-20\n")
	assert.Contains(t, doc, "| A-2 | m.f1 | passes 1 value |")
	assert.Contains(t, doc, "\n### A-21\n")
	assert.Contains(t, doc, "\n### 1 to 4\n")
	assert.Equal(t, 1, strings.Count(doc, "of h-c.go"), "a file's hash is said once")
	assert.Less(t, strings.Count(doc, "\n"), 90)
	back, err := changeset.ParseMarkdown(doc)
	require.NoError(t, err, doc)
	assert.Equal(t, p, back)

	for name, broken := range map[string]string{
		"a cell is missing":    strings.Replace(doc, "| A-2 | m.f1 |", "| A-2 |", 1),
		"no line below":        strings.Replace(doc, "| --- |", "| A-0 |", 1),
		"a hash is missing":    strings.Replace(doc, " of h-c.go", "", 1),
		"a row is not closed":  strings.Replace(doc, "| A-2 | m.f1 | passes 1 value |", "| A-2 | m.f1 | passes 1 value", 1)[:strings.Index(doc, "| A-3")-20],
		"an unknown column":    strings.Replace(doc, "| id | symbol |", "| id | colour |", 1),
		"a cell of wrong kind": strings.Replace(doc, "| A-2 | m.f1 |", "| A-2 | [1 |", 1),
	} {
		_, err := changeset.ParseMarkdown(broken)
		require.ErrorIs(t, err, fault.InvalidInput, name)
		assert.Empty(t, faulttest.Check(err), name)
	}
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
