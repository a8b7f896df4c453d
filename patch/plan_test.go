package patch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// store is a repository with an interface, two implementations and two callers.
func store() tree {
	return tree{
		"go.mod":   "module m\n",
		"store.go": "package m\n\n// Store keeps.\ntype Store interface {\n\tPut(k string) error\n}\n\ntype mem struct{}\n\nfunc (mem) Put(k string) error { return nil }\n\nfunc helper() int { return 1 }\n",
		"a.go":     "package m\n\nfunc A(s Store) error {\n\treturn s.Put(\"a\")\n}\n",
		"b.go":     "package m\n\nfunc B(s Store) error {\n\treturn s.Put(\"b\")\n}\n",
		"notes.md": "# Notes\n\nPut takes a key.\n",
	}
}

func id(t *testing.T, s *index.Snapshot, name string) string {
	t.Helper()
	a := s.Definitions(name)
	require.Len(t, a.Sure, 1, name)
	return a.Sure[0].ID
}

// storePlan plans to give Put a second parameter.
func storePlan(t *testing.T, s *index.Snapshot) *changeset.Plan {
	action := func(n, name, block string, kind changeset.ActionKind, weak bool) changeset.Action {
		sym, _ := s.Symbol(id(t, s, name))
		return changeset.Action{ID: n, Kind: kind, Capability: "C1", Symbol: sym.ID, Target: sym.Span, Block: block, Why: "Put changes", Grade: changeset.High, Weak: weak}
	}
	return &changeset.Plan{
		Capabilities: []task.Capability{{ID: "C1", Sentence: "Put takes a value."}},
		Contracts:    []changeset.Contract{{Symbol: id(t, s, "Store.Put"), Block: "contract"}},
		Actions: []changeset.Action{
			action("1", "Store.Put", "contract", changeset.Define, false),
			action("2", "mem.Put", "contract", changeset.Sync, false),
			action("3", "A", "callers", changeset.Sync, true),
			action("4", "B", "other", changeset.Sync, true),
			{ID: "5", Kind: changeset.Document, Capability: "C1", Target: index.Span{File: "notes.md", Start: 9, End: 26, Line: 3}, Block: "docs"},
			{ID: "6", Kind: changeset.AddTest, Capability: "C1", Target: index.Span{File: "store_test.go"}, Block: "tests"},
		},
	}
}

func storeEdits() []Edit {
	return []Edit{
		{Op: ReplaceText, File: "store.go", Expect: "\tPut(k string) error\n", Text: "\tPut(k, v string) error\n"},
		{Op: ReplaceText, File: "store.go", Expect: "func (mem) Put(k string) error", Text: "func (mem) Put(k, v string) error"},
		{Op: ReplaceText, File: "a.go", Expect: `s.Put("a")`, Text: `s.Put("a", "")`},
		{Op: ReplaceText, File: "b.go", Expect: `s.Put("b")`, Text: `s.Put("b", "")`},
		{Op: ReplaceText, File: "notes.md", Expect: "a key.", Text: "a key and a value."},
		{Op: CreateFile, File: "store_test.go", Text: "package m\n\nimport \"testing\"\n\nfunc TestPut(t *testing.T) {}\n"},
	}
}

// covers: PAT-9, PAT-16
func TestPlanMapsHunks(t *testing.T) {
	s := snapshot(t, store())
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Plan: storePlan(t, s), Edits: storeEdits()})
	require.NoError(t, err)
	got := map[string]string{}
	for _, h := range set.Hunks {
		assert.Equal(t, "C1", h.Capability)
		got[fmt.Sprintf("%s:%d", h.File, h.OldLine)] = h.Action + " " + h.Block
	}
	assert.Equal(t, map[string]string{"store.go:5": "1 contract", "store.go:10": "2 contract", "a.go:4": "3 callers", "b.go:4": "4 other",
		"notes.md:3": "5 docs", "store_test.go:1": "6 tests"}, got)
	var names []string
	for _, b := range set.Blocks {
		names = append(names, b.Name)
		if b.Name == "contract" {
			assert.Equal(t, []string{"a.go:4", "b.go:4"}, b.Calls)
			assert.Equal(t, []string{"store.go"}, b.Files)
		}
	}
	assert.ElementsMatch(t, []string{"contract", "callers", "other", "docs", "tests"}, names)
}

// covers: PAT-16
func TestWriteSet(t *testing.T) {
	s := snapshot(t, store())
	cases := map[string]Edit{
		"a symbol that is not planned":      {Op: ReplaceText, File: "store.go", Expect: "return 1 }", Text: "return 2 }"},
		"a new symbol beside":               {Op: InsertAfter, Symbol: "mem.Put", Text: "func extra() {}"},
		"a file that is not planned":        {Op: ReplaceText, File: "go.mod", Expect: "module m", Text: "module n"},
		"a new file that is not planned":    {Op: CreateFile, File: "c.go", Text: "package m\n"},
		"a document outside of its target":  {Op: ReplaceText, File: "notes.md", Expect: "# Notes", Text: "# Note"},
		"a moved file":                      {Op: RenameFile, File: "go.mod", To: "x.mod"},
		"a line that belongs to no symbol":  {Op: InsertLine, File: "store.go", Line: 2, Expect: "package m", Text: "// about"},
		"a new test in a folder elsewhere":  {Op: CreateFile, File: "sub/x_test.go", Text: "package sub\n"},
		"an ordinary file for the new test": {Op: CreateFile, File: "helper.go", Text: "package m\n"},
	}
	for name, e := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Plan: storePlan(t, s), Edits: append(storeEdits()[:1], e)})
			require.ErrorIs(t, err, fault.Dangerous)
			assert.Empty(t, faulttest.Check(err))
			var f *fault.Fault
			require.True(t, errors.As(err, &f))
			require.Len(t, f.Candidates, 1, "the nearest action is named")
			assert.Contains(t, f.Candidates[0].Text, "action ")
		})
	}
	t.Run("an import that a planned change needs", func(t *testing.T) {
		r := store()
		r["a.go"] = "package m\n\nimport \"os\"\n\nvar _ = os.Args\n\nfunc A(s Store) error {\n\treturn s.Put(\"a\")\n}\n"
		s := snapshot(t, r)
		edits := []Edit{{Op: ReplaceText, File: "a.go", Expect: "import \"os\"\n", Text: "import (\n\t\"fmt\"\n\t\"os\"\n)\n"},
			{Op: ReplaceText, File: "a.go", Expect: `s.Put("a")`, Text: `s.Put(fmt.Sprint("a"))`}}
		_, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Plan: storePlan(t, s), Edits: edits})
		assert.NoError(t, err)
	})
}

// covers: PAT-9, PAT-2, STY-5
func TestBlocks(t *testing.T) {
	s := snapshot(t, store())
	edits := storeEdits()
	edits[1].Expect = "func (mem) Put(key string) error" // has moved on meanwhile
	in := Input{Before: s, Plan: storePlan(t, s), Edits: edits}
	t.Run("all or nothing", func(t *testing.T) {
		_, err := (&Anchored{}).Patch(context.Background(), in)
		require.ErrorIs(t, err, fault.AnchorMismatch)
		assert.Empty(t, faulttest.Check(err))
	})
	t.Run("independent blocks land apart when the caller says so", func(t *testing.T) {
		edits[1].Action, edits[0].Action = "2", "1"
		set, err := (&Anchored{Partial: true}).Patch(context.Background(), in)
		require.NoError(t, err)
		require.Len(t, set.Refused, 1)
		assert.Equal(t, "contract", set.Refused[0].Block)
		assert.Equal(t, fault.AnchorMismatch, set.Refused[0].Fault.Class)
		assert.NotContains(t, set.Touched(), "store.go", "nothing of the block lands")
		assert.Contains(t, set.Touched(), "a.go")
	})
	t.Run("a block behind a refused one is refused", func(t *testing.T) {
		edits[2].Block, edits[2].After = "callers", []string{"contract"}
		defer func() { edits[2].Block, edits[2].After = "", nil }()
		set, err := (&Anchored{Partial: true}).Patch(context.Background(), in)
		require.NoError(t, err)
		assert.Len(t, set.Refused, 2)
		assert.NotContains(t, set.Touched(), "a.go")
	})
	t.Run("a block is refused by the write set alone", func(t *testing.T) {
		bad := append(storeEdits(), Edit{Op: ReplaceText, File: "go.mod", Expect: "module m", Text: "module n", Block: "mod"})
		set, err := (&Anchored{Partial: true}).Patch(context.Background(), Input{Before: s, Plan: storePlan(t, s), Edits: bad})
		require.NoError(t, err)
		require.Len(t, set.Refused, 1)
		assert.Equal(t, "mod", set.Refused[0].Block)
	})
	t.Run("nothing left is an error", func(t *testing.T) {
		_, err := (&Anchored{Partial: true}).Patch(context.Background(), Input{Before: s, Edits: edits[1:2]})
		assert.ErrorIs(t, err, fault.AnchorMismatch)
	})
	t.Run("what a contract couples is not declared apart", func(t *testing.T) {
		e := storeEdits()
		e[0].Action, e[0].Block = "1", "mine"
		set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Plan: storePlan(t, s), Edits: e[:1]})
		require.NoError(t, err)
		assert.Equal(t, "contract", set.Hunks[0].Block)
	})
}

// covers: PAT-22
func TestOrder(t *testing.T) {
	r := tree{"code.sql": "a\n", "schema.sql": "b\n", "use.sql": "c\n"}
	edits := []Edit{
		{Op: ReplaceText, File: "use.sql", Expect: "c", Text: "C", Block: "use", After: []string{"code"}},
		{Op: ReplaceText, File: "code.sql", Expect: "a", Text: "A", Block: "code", After: []string{"schema"}},
		{Op: ReplaceText, File: "schema.sql", Expect: "b", Text: "B", Block: "schema"},
	}
	set, err := (&Anchored{}).Patch(context.Background(), Input{Before: snapshot(t, r), Edits: edits})
	require.NoError(t, err)
	assert.Equal(t, []string{"schema", "code", "use"}, []string{set.Blocks[0].Name, set.Blocks[1].Name, set.Blocks[2].Name})
	t.Run("is the order of writing", func(t *testing.T) {
		w := opened(t, lay(t, r))
		var written []string
		w.disk.before = func(call, name string) error {
			if call == "rename" && strings.HasSuffix(name, ".sql") {
				written = append(written, name)
			}
			return nil
		}
		_, err := w.Apply(context.Background(), set, allow(set))
		require.NoError(t, err)
		assert.Equal(t, []string{"schema.sql", "code.sql", "use.sql"}, written)
	})
	t.Run("a cycle", func(t *testing.T) {
		edits[2].After = []string{"use"}
		f := refusal(t, &Anchored{}, r, edits...)
		assert.Equal(t, fault.InvalidInput, f.Class)
		assert.Contains(t, f.Detail, "use after code after schema after use")
	})
	t.Run("an unknown block", func(t *testing.T) {
		edits[2].After = []string{"data"}
		assert.Contains(t, refusal(t, &Anchored{}, r, edits...).Detail, "does not exist")
	})
}

// covers: PAT-15
func TestSizeLimits(t *testing.T) {
	lines := func(n int, s string) string { return strings.Repeat(s+"\n", n) }
	r := tree{"big.txt": lines(1000, "a"), "small.txt": lines(30, "a"), "sub/yarn.lock": lines(1000, "a")}
	s := snapshot(t, r)
	big := Edit{Op: WriteFile, File: "big.txt", Hash: hashOf([]byte(r["big.txt"])), Text: lines(300, "b") + lines(700, "a")}
	small := Edit{Op: WriteFile, File: "small.txt", Hash: hashOf([]byte(r["small.txt"])), Text: lines(30, "b")}
	try := func(a *Anchored, p *changeset.Plan, e ...Edit) error {
		_, err := a.Patch(context.Background(), Input{Before: s, Plan: p, Edits: e})
		return err
	}
	plan := &changeset.Plan{Limit: changeset.Limit{Lines: 25}, Actions: []changeset.Action{{ID: "1", Target: index.Span{File: "small.txt"}}, {ID: "2", Target: index.Span{File: "big.txt"}}}}
	declared := big
	declared.Rewrite = true
	cases := map[string]struct {
		err  error
		says string
	}{
		"a file above 200 lines":        {try(&Anchored{}, nil, big), "big.txt changes 300 lines, and 200 are allowed"},
		"a limit of the caller's":       {try(&Anchored{MaxFileLines: 10}, nil, small), "small.txt changes 30 lines, and 10 are allowed"},
		"the plan's limit in all":       {try(&Anchored{}, plan, small), "30 lines change in all, and the plan allows 25"},
		"a new file":                    {try(&Anchored{}, nil, Edit{Op: CreateFile, File: "new.txt", Text: lines(1001, "x")}), "1001 lines"},
		"a declared rewrite above 2000": {try(&Anchored{RewriteLines: 100}, nil, declared), "300 lines"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.err, fault.BudgetExceeded)
			assert.ErrorContains(t, c.err, c.says)
			assert.ErrorContains(t, c.err, "smallest set")
			assert.Empty(t, faulttest.Check(c.err))
		})
	}
	ecma, err := (&index.TreeSitter{Languages: []*index.Language{typescript.Language()}}).Index(t.Context(), index.Input{FS: r.fs()})
	require.NoError(t, err)
	lock := Edit{Op: WriteFile, File: "sub/yarn.lock", Hash: hashOf([]byte(r["sub/yarn.lock"])), Text: lines(300, "b") + lines(700, "a")}
	assert.ErrorIs(t, try(&Anchored{}, nil, lock), fault.BudgetExceeded, "no language of the snapshot has such a lock file")
	_, err = (&Anchored{}).Patch(t.Context(), Input{Before: ecma, Edits: []Edit{lock}})
	assert.NoError(t, err, "nobody can make a lock file's change smaller")
	assert.NoError(t, try(&Anchored{}, nil, declared))
	assert.NoError(t, try(&Anchored{MaxFileLines: -1}, nil, big))
	assert.NoError(t, try(&Anchored{}, nil, small, Edit{Op: CreateFile, File: "new.txt", Text: lines(900, "x")}))
}

// covers: PAT-5
func TestStrategy(t *testing.T) {
	cases := []struct {
		lines, changed int
		anchored       bool
		want           Format
	}{{0, 10, false, FormatWhole}, {40, 1, true, FormatWhole}, {500, 20, true, FormatStructured}, {500, 20, false, FormatDiff}, {500, 200, true, FormatWhole}}
	for _, c := range cases {
		got, why := Strategy{}.Choose(c.lines, c.changed, c.anchored)
		assert.Equal(t, c.want, got, "%v", c)
		assert.NotEmpty(t, why)
	}
	got, _ := Strategy{RewriteShare: 0.9, SmallFile: 10}.Choose(40, 20, true)
	assert.Equal(t, FormatStructured, got)
}

// covers: PAT-17
func TestDerived(t *testing.T) {
	r := tree{
		"go.mod":      "module m\n",
		"gen.go":      "package m\n\n//go:generate mkwords -out words.go words.txt\n\nconst Count = 1\n",
		"words.go":    "// Code generated by mkwords from words.txt; DO NOT EDIT.\n\npackage m\n\nvar Words = 1\n",
		"other.go":    "package m\n\nvar Other = 1\n",
		"words.txt":   "one\n",
		"unknown.txt": "x\n",
	}
	s := snapshot(t, r)
	d, ok := s.Derived("words.go")
	require.True(t, ok)
	require.NotEmpty(t, d.Command)
	t.Run("editing it is refused with source and command", func(t *testing.T) {
		f := refusal(t, &Anchored{}, r, Edit{Op: ReplaceText, File: "words.go", Expect: "Words = 1", Text: "Words = 2"})
		assert.Equal(t, fault.Dangerous, f.Class)
		assert.Equal(t, []fault.Subject{{File: d.Source, Text: d.Command}}, f.Candidates)
		assert.Contains(t, f.Next, d.Source)
	})
	require.Equal(t, "words.txt", d.Source)
	source := Edit{Op: ReplaceText, File: "words.txt", Expect: "one", Text: "one two"}
	t.Run("without a way to run it, it is pending", func(t *testing.T) {
		set, err := (&Anchored{}).Patch(context.Background(), Input{Before: s, Edits: []Edit{source}})
		require.NoError(t, err)
		require.Len(t, set.Pending, 1)
		assert.Equal(t, d.Command, set.Pending[0].Command)
		assert.Equal(t, []string{"words.go"}, set.Pending[0].Outputs)
	})
	t.Run("its output joins the set", func(t *testing.T) {
		var asked Generation
		a := &Anchored{Generate: func(_ context.Context, g Generation) (Generated, error) {
			asked = g
			return Generated{Sandboxed: true, Files: map[string][]byte{"words.go": []byte(strings.Replace(r["words.go"], "= 1", "= 2", 1))}}, nil
		}}
		set, err := a.Patch(context.Background(), Input{Before: s, Edits: []Edit{source}})
		require.NoError(t, err)
		assert.Contains(t, string(asked.Overlay[d.Source]), source.Text, "the command sees the change")
		assert.Equal(t, []string{"words.go"}, asked.Outputs)
		assert.Equal(t, sorted([]string{d.Source, "words.go"}), set.Touched())
		assert.Equal(t, []Command{{Command: d.Command, Dir: d.Dir, Outputs: []string{"words.go"}, Sandboxed: true}}, set.Commands)
		assert.Len(t, set.Hunks, 2)
	})
	t.Run("a command that fails leaves nothing", func(t *testing.T) {
		a := &Anchored{Generate: func(context.Context, Generation) (Generated, error) { return Generated{}, errors.New("no such tool") }}
		f := refusal(t, a, r, source)
		assert.Equal(t, fault.Environment, f.Class)
	})
}

// covers: PAT-12
func TestPatchPaths(t *testing.T) {
	r := tree{"readme.txt": "r\n", "dir/f.txt": "f\n", "aux.txt": "x\n"}
	for name, e := range map[string]Edit{
		"outside":          {Op: CreateFile, File: "../x", Text: "x"},
		"git":              {Op: CreateFile, File: ".Git/hooks/x", Text: "x"},
		"rename into git":  {Op: RenameFile, File: "readme.txt", To: ".git/x"},
		"case":             {Op: CreateFile, File: "README.txt", Text: "x"},
		"case of a folder": {Op: CreateFile, File: "Dir/g.txt", Text: "x"},
		"copy by case":     {Op: CopyFile, File: "readme.txt", To: "Readme.txt"},
		"device":           {Op: CreateFile, File: "nul", Text: "x"},
		"link out":         {Op: CreateFile, File: "l", Text: "../../etc/passwd", Mode: 0o777 | 1<<27},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, fault.Dangerous, refusal(t, &Anchored{}, r, e).Class)
		})
	}
	assert.Equal(t, "X\n", patched(t, &Anchored{}, r, "aux.txt", Edit{Op: ReplaceText, File: "aux.txt", Expect: "x", Text: "X"}), "what is there already can be edited")
	assert.Equal(t, "r\n", patched(t, &Anchored{}, r, "README.txt", Edit{Op: RenameFile, File: "readme.txt", To: "README.txt"}), "its own name in another case is free")
}
