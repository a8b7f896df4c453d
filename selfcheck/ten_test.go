package selfcheck_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/selfcheck/selfchecktest"
	"github.com/plumbkit/plumb/verify"
)

// covers: SLF-1, SLF-2, SLF-4
func TestTenConforms(t *testing.T) { selfchecktest.Run(t, &selfcheck.Ten{}) }

func check(t *testing.T, ev selfcheck.Evidence) *selfcheck.Handoff {
	t.Helper()
	h, err := (&selfcheck.Ten{}).Check(context.Background(), ev)
	require.NoError(t, err)
	return h
}

// covers: SLF-1
func TestTheTenInTheirOrder(t *testing.T) {
	var names []string
	for _, c := range check(t, selfcheck.Evidence{}).Checks {
		names = append(names, c.Name)
	}
	assert.Equal(t, []string{"diff_size", "format_noise", "changed_files", "contracts", "test_mapping", "dangerous_operations", "residue", "derived_files", "baseline", "capabilities"}, names)
}

// covers: SLF-4
func TestHandoffDocuments(t *testing.T) {
	h := check(t, selfchecktest.Evidence(t))
	data, err := json.MarshalIndent(h, "", "  ")
	require.NoError(t, err)
	golden(t, "testdata/handoff.json", append(data, '\n'))
	golden(t, "testdata/handoff.md", []byte(h.Markdown()))
	html, err := h.HTML()
	require.NoError(t, err)
	golden(t, "testdata/handoff.html", html)
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// covers: SLF-5
func TestTextOfAModelIsMarked(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	words := "Prices hold 20 % VAT."
	data, err := json.Marshal(map[string]string{"text": words})
	require.NoError(t, err)
	assert.False(t, check(t, ev).Changed[0].Model)
	ev.Entries = append(ev.Entries, ledger.Entry{Schema: 1, ID: "vat-5", Task: "vat", Seq: 5, Kind: "x_reply", By: "model:small", Data: data})
	h := check(t, ev)
	assert.True(t, h.Changed[0].Model)
	assert.Contains(t, h.Markdown(), "written by a model")
	html, err := h.HTML()
	require.NoError(t, err)
	assert.Contains(t, string(html), "written by a model")
}

// covers: SLF-5
func TestFiguresLinkToTheirEntries(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	h := check(t, ev)
	assert.Equal(t, "vat-2", h.Changed[0].Entry)
	assert.Equal(t, "vat-3", h.Verified.Entry)
	assert.Equal(t, "vat-4", h.Budgets[0].Entry)
	html, err := h.HTML()
	require.NoError(t, err)
	for _, id := range []string{"vat-2", "vat-3", "vat-4"} {
		assert.Contains(t, string(html), `href="#entry-`+id+`"`)
		assert.Contains(t, string(html), `id="entry-`+id+`"`)
	}
	// An entry for another set is none for this one.
	ev.Entries[2].Data = json.RawMessage(`{"set":"another"}`)
	h = check(t, ev)
	assert.Empty(t, h.Verified.Entry)
	assert.Contains(t, h.Markdown(), "no ledger entry")
}

// covers: SLF-4
func TestChoicesRejectionsAndReasonsShow(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Plan.Questions = []changeset.Question{{ID: "Q1", Kind: changeset.TwoReadings, Text: "gross or net?", Options: []changeset.Option{{Text: "gross"}, {Text: "net"}}, Answer: &task.Answer{Question: "Q1", Option: 2}}}
	f := ledger.Failure{Tried: "change notes.txt", Stage: "test", Why: "the notes hold no rate"}
	e := f.Entry("vat")
	e.ID = "vat-9"
	ev.Entries = append(ev.Entries, e)
	ev.Decision.Findings = []gate.Finding{
		{Rule: "tests.runner-narrowed", After: index.Span{File: "price.cfg", Line: 1}, Reason: "fewer run", Justified: "the long ones run at night"},
		{Rule: "rename.mass", After: index.Span{File: "price.cfg", Line: 1}, Approve: "rename vat", Approved: "maria"},
	}
	h := check(t, ev)
	all := fmt.Sprint(h.Choices)
	for _, s := range []string{"gross or net?", "net", "change notes.txt", "vat-9", "approved by maria", "nothing checks the rate"} {
		assert.Contains(t, all, s)
	}
	require.Len(t, h.Loosened, 1)
	assert.Equal(t, "the long ones run at night", h.Loosened[0].Reason)
	assert.Contains(t, h.Markdown(), "the long ones run at night")
}

// covers: SLF-4
func TestRisksThatRemain(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Report.Confirm = []index.Ref{
		{Name: "vat", Status: index.Dynamic, Span: index.Span{File: "notes.txt", Line: 1}, Reason: "read by name"},
		{Name: "vat", Status: index.Dynamic, Span: index.Span{File: "price.cfg", Line: 1}, Reason: "part of the change"},
	}
	ev.Report.Mutants[0].Result = "killed"
	h := check(t, ev)
	text := fmt.Sprint(h.Risks)
	assert.Contains(t, text, "read by name")
	assert.NotContains(t, text, "part of the change")
	assert.Contains(t, text, "linux/amd64")
}

// A plain word of the task's sentence is no ambiguous name, and what runs the
// verification again is neither the planted failure nor the time that was left.
//
// covers: SLF-4
func TestRisksAndStepsAreThoseOfTheChange(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Task.Requirement = "Spaces are set once; `frame` and gross() stay, unlike total."
	ev.Task.Capabilities = append(ev.Task.Capabilities, task.Capability{ID: "X", Sentence: "It holds for vat.net too.", Symbols: []string{"price.rate"}})
	ev.Context = &budget.Context{}
	for _, name := range []string{"set", "Spaces", "total", "frame", "gross", "net", "rate", "newRate", "new_rate", "Price.vat"} {
		ev.Context.Ambiguities = append(ev.Context.Ambiguities, budget.Ambiguity{Anchor: name, Candidates: []string{"a", "b"}, Reason: "several"})
	}
	ev.Report.Commands = []verify.Executed{
		{Args: []string{"go", "test", "-json", "-timeout", "4m31s", "./..."}, Tree: "after"},
		{Args: []string{"tool", "--timeout=9", "timeout", "x"}, Tree: "after", Dir: "sub"},
		{Args: []string{"go", "test", "-run", "Planted"}, Tree: "planted"},
		{Args: []string{"go", "test", "-run", "Before"}, Tree: "before"},
		{Args: []string{"go", "test", "-run", "Mutant"}, Tree: "mutant X 1"},
	}
	h := check(t, ev)
	risks := fmt.Sprint(h.Risks)
	for _, name := range []string{"set", "Spaces", "total"} {
		assert.NotContains(t, risks, strconv.Quote(name))
	}
	for _, name := range []string{"frame", "gross", "net", "rate", "newRate", "new_rate", "Price.vat"} {
		assert.Contains(t, risks, strconv.Quote(name))
	}
	assert.Subset(t, h.Reproduce, []string{"go test -json ./...", "cd sub && tool timeout x"})
	for _, not := range []string{"Planted", "Before", "Mutant"} {
		assert.NotContains(t, fmt.Sprint(h.Reproduce), not)
	}
}

func TestReceiptOfAnotherSetIsAWarning(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Receipt.Set = "another"
	assert.Contains(t, strings.Join(check(t, ev).Warnings, "\n"), "another set")
}

// A case of added lines in a Go file of a module that has one package.
func added(t *testing.T, before, after string) []selfcheck.Check {
	t.Helper()
	return addedTo(t, golang.Language(), "m.go", before, after)
}

// addedTo is added for a file of another language.
func addedTo(t *testing.T, lang *index.Language, path, before, after string) []selfcheck.Check {
	t.Helper()
	fs := fstest.MapFS{"go.mod": {Data: []byte("module m\n")}}
	file := patch.File{Path: path, Op: patch.Created, New: []byte(after), NewMode: 0o644}
	if before != "" {
		fs[path] = &fstest.MapFile{Data: []byte(before), Mode: 0o644}
		file.Op, file.Old, file.OldMode = patch.Modified, []byte(before), 0o644
	}
	x := &index.TreeSitter{Languages: []*index.Language{lang}}
	b, err := x.Index(context.Background(), index.Input{FS: fs})
	require.NoError(t, err)
	set := &patch.Set{Schema: 1, Base: b.Digest(), Files: []patch.File{file}}
	set.Hunks = hunks(file)
	a, err := b.Overlay(context.Background(), set.Overlay())
	require.NoError(t, err)
	return check(t, selfcheck.Evidence{Before: b, After: a, Set: set}).Checks
}

// hunks holds the whole rest of the file, from the first line that differs, as one hunk.
func hunks(f patch.File) []patch.Hunk {
	old, now := strings.Split(strings.TrimSuffix(string(f.Old), "\n"), "\n"), strings.Split(strings.TrimSuffix(string(f.New), "\n"), "\n")
	if len(f.Old) == 0 {
		old = nil
	}
	i := 0
	for i < len(old) && i < len(now) && old[i] == now[i] {
		i++
	}
	return []patch.Hunk{{File: f.Path, OldLine: i + 1, OldCount: len(old) - i, NewLine: i + 1, NewCount: len(now) - i, Old: old[i:], New: now[i:], Class: patch.Meant}}
}

func residueOf(t *testing.T, before, after string) selfcheck.Check {
	t.Helper()
	return residueAmong(t, added(t, before, after))
}

func residueAmong(t *testing.T, checks []selfcheck.Check) selfcheck.Check {
	t.Helper()
	for _, c := range checks {
		if c.Name == "residue" {
			return c
		}
	}
	t.Fatal("the residue was not looked at")
	return selfcheck.Check{}
}

const quiet = "package m\n\n// F is f.\nfunc F(a int) int {\n\treturn a\n}\n"

// covers: SLF-3
func TestResidueIsFound(t *testing.T) {
	body := func(lines string) string {
		return "package m\n\nimport \"fmt\"\n\n// F is f.\nfunc F(a int) int {\n" + lines + "\treturn a + len(fmt.Sprint(a))\n}\n"
	}
	for name, c := range map[string]struct {
		after string
		line  int
		says  string
	}{
		"a debug print":             {body("\tfmt.Println(\"here\", a)\n"), 7, "debugging"},
		"a built-in print":          {body("\tprintln(a)\n"), 7, "debugging"},
		"a print to standard error": {strings.Replace(body("\tfmt.Fprintln(os.Stderr, a)\n"), "import \"fmt\"", "import (\n\t\"fmt\"\n\t\"os\"\n)", 1), 10, "debugging"},
		"a breakpoint":              {strings.Replace(body("\truntime.Breakpoint()\n"), "import \"fmt\"", "import (\n\t\"fmt\"\n\t\"runtime\"\n)", 1), 10, "debugging"},
		"a placeholder":             {"package m\n\n// F is f.\nfunc F(a int) int {\n\tpanic(\"not implemented\")\n}\n", 5, "placeholder"},
		"a TODO":                    {body("\t// TODO handle zero\n"), 7, "open point"},
		"a FIXME with an owner":     {body("\t// FIXME(bob): later\n"), 7, "open point"},
		"code commented out":        {body("\t// a = a + 1\n\t// if a > 3 {\n\t// \treturn 0\n\t// }\n"), 7, "commented out"},
		"one statement":             {body("\t// a = 3\n"), 7, "commented out"},
		"the line it replaced":      {"package m\n\n// F is f.\nfunc F(a int) int {\n\t// return a\n\treturn a + 1\n}\n", 5, "commented out"},
		"words in place of code":    {body("\t// ... rest of the function unchanged\n"), 7, "words in place of code"},
		"a note to remove it":       {body("\ta++ // DO NOT COMMIT\n"), 7, "note to remove"},
		"a conflict marker":         {body("<<<<<<< ours\n\ta++\n"), 7, "conflict marker"},
	} {
		t.Run(name, func(t *testing.T) {
			r := residueOf(t, quiet, c.after)
			require.True(t, r.Judged)
			require.False(t, r.Passed, r.Signal)
			assert.Equal(t, selfcheck.CleanAndRerun, r.Action)
			assert.Contains(t, r.Signal, c.says)
			require.NotEmpty(t, r.Places)
			assert.Equal(t, c.line, r.Places[0].Line)
		})
	}
}

// covers: SLF-3
func TestOrdinaryLinesAreNoResidue(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"prose":                    {quiet, strings.Replace(quiet, "\treturn a\n", "\t// The value is kept as it was given: a caller can compare it.\n\treturn a\n", 1)},
		"a TODO with an issue":     {quiet, strings.Replace(quiet, "\treturn a\n", "\t// TODO(#12): zero\n\treturn a\n", 1)},
		"a TODO with a reference":  {quiet, strings.Replace(quiet, "\treturn a\n", "\t// TODO REQ-7: zero\n\treturn a\n", 1)},
		"a sample in a doc":        {quiet, strings.Replace(quiet, "// F is f.\n", "// F is f:\n//\n//\tx := F(1)\n//\ty := F(2)\n", 1)},
		"old residue":              {"package m\n\n// TODO later\nfunc F() { println(1) }\n", "package m\n\n// TODO later\nfunc F() { println(1) }\n\nfunc G() {}\n"},
		"a package that prints":    {"package m\n\nimport \"fmt\"\n\nfunc F() { fmt.Println(1) }\n", "package m\n\nimport \"fmt\"\n\nfunc F() { fmt.Println(1) }\n\nfunc G() { fmt.Println(2) }\n"},
		"a program":                {"", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"},
		"a directive":              {quiet, strings.Replace(quiet, "// F is f.\n", "// F is f.\n//\n//go:noinline\n", 1)},
		"a formula in the comment": {quiet, strings.Replace(quiet, "\treturn a\n", "\t// n = number of items that were seen so far\n\treturn a\n", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			r := residueOf(t, c.before, c.after)
			assert.True(t, r.Judged && r.Passed, r.Signal)
		})
	}
}

// covers: SLF-3
func TestTemporaryFiles(t *testing.T) {
	for _, name := range []string{"a.go.orig", "x.rej", "notes.bak", "tmp/try.go", ".DS_Store", "cpu.prof", "f~"} {
		ev := selfchecktest.Evidence(t)
		ev.Set.Files = append(ev.Set.Files, patch.File{Path: name, Op: patch.Created, New: []byte("x\n"), NewMode: 0o644})
		ev.Plan.Actions = append(ev.Plan.Actions, changeset.Action{ID: "A3", Target: index.Span{File: name}})
		ev.Report, ev.Decision = nil, nil
		h := check(t, ev)
		assert.Equal(t, "residue", h.Failed, name)
	}
}

// covers: SLF-1
func TestGeneratedFileEditedByHand(t *testing.T) {
	const src = "package m\n\n//go:generate go run ./gen -out names.go\n\nvar x = 1\n"
	const gen = "// Code generated by gen. DO NOT EDIT.\n\npackage m\n"
	fs := fstest.MapFS{"go.mod": {Data: []byte("module m\n")}, "m.go": {Data: []byte(src)}, "names.go": {Data: []byte(gen)}}
	x := &index.TreeSitter{Languages: []*index.Language{golang.Language()}}
	b, err := x.Index(context.Background(), index.Input{FS: fs})
	require.NoError(t, err)
	set := &patch.Set{Base: b.Digest(), Files: []patch.File{{Path: "names.go", Op: patch.Modified, Old: []byte(gen), New: []byte(gen + "\nvar y = 2\n")}}}
	set.Hunks = hunks(set.Files[0])
	a, err := b.Overlay(context.Background(), set.Overlay())
	require.NoError(t, err)
	h := check(t, selfcheck.Evidence{Before: b, After: a, Set: set})
	assert.Equal(t, "derived_files", h.Failed)
	assert.Equal(t, selfcheck.Regenerate, h.Checks[len(h.Checks)-1].Action)

	set.Commands = []patch.Command{{Command: "go run ./gen -out names.go", Outputs: []string{"names.go"}, Sandboxed: true}}
	assert.Empty(t, check(t, selfcheck.Evidence{Before: b, After: a, Set: set}).Failed)
}

// covers: SLF-1
func TestPointsThatShareASymbolAreServed(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Plan.Capabilities = append(ev.Plan.Capabilities, task.Capability{ID: "VAT-2", Sentence: "s", Symbols: []string{"rate"}})
	ev.Report.Capabilities = append(ev.Report.Capabilities, ev.Report.Capabilities[0])
	ev.Report.Capabilities[1].Capability = "VAT-2"
	assert.Equal(t, "capabilities", check(t, ev).Failed)
	ev.Set.Hunks[0].Symbol = "shop/price.rate"
	assert.Empty(t, check(t, ev).Failed)
}

// covers: SLF-1
func TestSurvivingMutantGoesBackToThePlan(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	ev.Report.Mutants[0].Result = "survived"
	h := check(t, ev)
	assert.Equal(t, "capabilities", h.Failed)
	assert.Contains(t, h.Checks[len(h.Checks)-1].Signal, "without any test noticing")
}

// Noise of a change that was decided on elsewhere is counted, and is no failure.
//
// covers: SLF-1
func TestNoiseOfAChangeAsItCameStays(t *testing.T) {
	ev := selfchecktest.Evidence(t)
	noisy := *ev.Set
	noisy.Noise.After = 0.5
	ev.Set = &noisy
	assert.Equal(t, "format_noise", check(t, ev).Failed)
	noisy.Noise.AsCame = true
	h := check(t, ev)
	assert.NotEqual(t, "format_noise", h.Failed)
	assert.Contains(t, h.Checks[1].Signal, "50 % of the changed lines are noise")
	assert.Contains(t, h.Checks[1].Signal, "left as it came")
}
