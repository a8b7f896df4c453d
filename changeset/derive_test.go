package changeset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/changeset/changesettest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// A testCase is one txtar archive: a task, a repository and the plan wanted.
type testCase struct {
	path string
	ar   *txtar.Archive
	task task.Task
	snap *index.Snapshot
}

func readCase(t testing.TB, name string) testCase {
	t.Helper()
	c := testCase{path: filepath.Join("testdata", name+".txtar")}
	data, err := os.ReadFile(c.path)
	require.NoError(t, err)
	c.ar = txtar.Parse(data)
	files := make(indextest.Files)
	for _, f := range c.ar.Files {
		switch f.Name {
		case "task.yaml":
			c.task, err = task.Read(f.Data)
			require.NoError(t, err)
		case "want":
		default:
			files[f.Name] = string(f.Data)
		}
	}
	c.snap = indextest.Index(t, &index.TreeSitter{Languages: []*index.Language{golang.Language()}}, files, nil)
	return c
}

func (c testCase) plan(t testing.TB, d *changeset.Derived) (*changeset.Plan, error) {
	t.Helper()
	return d.Plan(context.Background(), changeset.Input{Task: c.task, Snapshot: c.snap})
}

// brief writes a plan in few lines.
func brief(p *changeset.Plan, err error) string {
	var b strings.Builder
	if p != nil {
		for _, a := range p.Actions {
			fmt.Fprintf(&b, "%s %s %s:%d %s\n", a.Kind, a.Grade, a.Target.File, a.Target.Line, short(a.Symbol))
			fmt.Fprintf(&b, "  [%s] %s\n", a.Block, a.Why)
			if a.Command != "" {
				fmt.Fprintf(&b, "  $ %s -> %s\n", a.Command, strings.Join(a.Outputs, " "))
			}
		}
		for _, n := range p.NotDone {
			fmt.Fprintf(&b, "not %s:%d %s\n  %s\n", n.Place.File, n.Place.Line, short(n.Symbol), n.Why)
		}
		for _, q := range p.Questions {
			answer := "open"
			if q.Answer != nil {
				answer = fmt.Sprintf("answered %d", q.Answer.Option)
			}
			fmt.Fprintf(&b, "%s %s, %d options, %d recommended, %s\n  %s\n", q.ID, q.Kind, len(q.Options), q.Recommended, answer, q.Text)
		}
		for _, c := range p.Capabilities {
			for _, x := range c.Constraints {
				fmt.Fprintf(&b, "%s: %s\n", c.ID, x)
			}
		}
	}
	var f *fault.Fault
	if errors.As(err, &f) {
		fmt.Fprintf(&b, "%s: %s\n", f.Class, f.Detail)
	}
	return b.String()
}

func short(id string) string {
	name, _, _ := strings.Cut(id, "@")
	return strings.ReplaceAll(name, "example.com/m", "m")
}

func (c testCase) golden(t *testing.T, got string) {
	t.Helper()
	for i, f := range c.ar.Files {
		if f.Name != "want" {
			continue
		}
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			c.ar.Files[i].Data = []byte(got)
			require.NoError(t, os.WriteFile(c.path, txtar.Format(c.ar), 0o644))
			return
		}
		assert.Equal(t, string(f.Data), got)
		return
	}
	t.Fatal("the case has no want")
}

// covers: CHG-2, CHG-3, CHG-5, CHG-11
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, path := range names {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			c := readCase(t, name)
			p, err := c.plan(t, &changeset.Derived{})
			if err != nil {
				assert.Empty(t, faulttest.Check(err))
			}
			c.golden(t, brief(p, err))
		})
	}
}

// covers: CHG-4
func TestConformance(t *testing.T) {
	for _, name := range []string{"interface", "variadic", "rename", "derived"} {
		c := readCase(t, name)
		t.Run(name, func(t *testing.T) {
			changesettest.Run(t, changesettest.Suite{Planner: &changeset.Derived{}, Input: changeset.Input{Task: c.task, Snapshot: c.snap}})
		})
	}
}

// find returns the first action of a kind whose symbol ends in name.
func find(p *changeset.Plan, kind changeset.ActionKind, name string) *changeset.Action {
	for i, a := range p.Actions {
		if a.Kind == kind && strings.HasSuffix(short(a.Symbol), name) {
			return &p.Actions[i]
		}
	}
	return nil
}

// covers: CHG-2
func TestContractSyncListsOnlyWhatBreaks(t *testing.T) {
	c := readCase(t, "interface")
	p, err := c.plan(t, &changeset.Derived{})
	require.NoError(t, err)
	for _, name := range []string{"Card.Refund", "Wallet.Refund", "shop.Back", "shop.Direct"} {
		a := find(p, changeset.Sync, name)
		if assert.NotNil(t, a, name) {
			assert.Equal(t, changeset.High, a.Grade, name)
		}
	}
	assert.NotNil(t, find(p, changeset.FixTest, "fake.Refund"), "a test double is an implementation too")
	for _, a := range p.Actions {
		assert.NotContains(t, a.Symbol, "Voucher", "another method of the same name")
		assert.NotContains(t, a.Symbol, "Other", "its caller")
	}
}

// covers: CHG-1
func TestMalformedCapabilityPoints(t *testing.T) {
	c := readCase(t, "interface")
	ok := task.Capability{ID: "R-1", Sentence: "It works.", Symbols: []string{"pay.Card"}, Requirement: "REQ-7"}
	cases := map[string]struct {
		spoil func(*task.Capability)
		want  string
	}{
		"no sentence":    {func(p *task.Capability) { p.Sentence = " " }, "has no sentence"},
		"unknown symbol": {func(p *task.Capability) { p.Symbols = []string{"pay.Gatway"} }, `symbol "pay.Gatway" is not in the index`},
		"no symbol":      {func(p *task.Capability) { p.Symbols = nil }, "sits on no symbol"},
		"no requirement": {func(p *task.Capability) { p.Requirement = "" }, "serves no requirement"},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			point := ok
			x.spoil(&point)
			_, err := (&changeset.Derived{IDs: ids}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "x", Capabilities: []task.Capability{ok, point}[1:]}})
			require.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
			assert.ErrorContains(t, err, x.want)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, "R-1", f.Subject.Text, "it says which")
		})
	}
	_, err := (&changeset.Derived{IDs: ids}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "x", Capabilities: []task.Capability{ok}}})
	assert.NoError(t, onlyQuestions(err))
}

// onlyQuestions drops the fault that stands for an open question.
func onlyQuestions(err error) error {
	if errors.Is(err, fault.Ambiguous) {
		return nil
	}
	return err
}

// covers: CHG-6
func TestRefusals(t *testing.T) {
	for name, x := range map[string]struct {
		option int
		want   string
	}{
		"readings":  {3, "the requirement is ambiguous"},
		"uncovered": {3, "cannot be verified in this repository"},
		"smaller":   {3, "a smaller way exists"},
	} {
		t.Run(name, func(t *testing.T) {
			c := readCase(t, name)
			c.task.Answers = []task.Answer{{Question: "Q-1", Option: x.option}}
			p, err := c.plan(t, &changeset.Derived{})
			require.ErrorIs(t, err, fault.Unsupported)
			assert.Empty(t, faulttest.Check(err))
			assert.ErrorContains(t, err, x.want)
			assert.ErrorContains(t, err, "Evidence: ")
			require.NotNil(t, p)
			assert.NotEmpty(t, p.Questions[0].Evidence)
		})
	}
	c := readCase(t, "smaller")
	_, err := (&changeset.Derived{}).Plan(context.Background(), changeset.Input{Snapshot: c.snap, Task: task.Task{Requirement: "Make it better."}})
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.ErrorContains(t, err, "ambiguous")
}

// covers: CHG-5
func TestQuestionsInterruptAndTheAnswerResumes(t *testing.T) {
	c := readCase(t, "readings")
	c.task.Answers = nil
	p, err := c.plan(t, &changeset.Derived{})
	require.ErrorIs(t, err, fault.Ambiguous)
	assert.Empty(t, faulttest.Check(err))
	require.Len(t, p.Questions, 1)
	q := p.Questions[0]
	assert.Equal(t, changeset.TwoReadings, q.Kind)
	assert.Equal(t, 2, q.Recommended, "the one that is used more")
	assert.Len(t, q.Options, 3)
	assert.NotEmpty(t, q.Evidence)
	assert.Nil(t, q.Answer)
	assert.Empty(t, p.Actions, "nothing is derived from an open reading")

	c.task.Answers = []task.Answer{{Question: q.ID, Option: q.Recommended}}
	p, err = c.plan(t, &changeset.Derived{})
	require.NoError(t, err)
	assert.NotNil(t, find(p, changeset.Define, "Conn.Close"))
	assert.Equal(t, 2, p.Questions[0].Answer.Option, "question and answer stay in the plan")

	c.task.Answers[0].Option = 9
	_, err = c.plan(t, &changeset.Derived{})
	assert.ErrorIs(t, err, fault.Ambiguous, "an option that is none leaves the question open")
}

// covers: CHG-7
func TestWriteSetAndLimit(t *testing.T) {
	c := readCase(t, "derived")
	p, err := c.plan(t, &changeset.Derived{})
	require.NoError(t, onlyQuestions(err))
	w := p.WriteSet()
	assert.Equal(t, []string{"color/names.go"}, w.Outputs)
	assert.NotContains(t, w.Files, "color/names.go", "a derived file is no target")
	assert.Contains(t, w.Files, "color/color.go")
	assert.Contains(t, w.Folders, "color/")

	c = readCase(t, "interface")
	p, err = c.plan(t, &changeset.Derived{})
	require.NoError(t, onlyQuestions(err))
	assert.Equal(t, []string{"pay/pay.go", "shop/shop.go"}, p.Targets())
	want := 0
	for _, a := range p.Actions {
		switch {
		case a.Kind == changeset.Define:
			want += 60
		case a.Kind == changeset.Create:
			want += 40
		case a.Kind == changeset.Sync || a.Kind == changeset.FixTest:
			want += 12
		case a.Kind == changeset.AddTest && strings.HasSuffix(a.Target.File, "/"):
			want += 90
		}
	}
	assert.Equal(t, want, p.Limit.Lines, p.Limit.Formula)
	assert.Equal(t, (want/2+39)/40, p.Limit.Minutes)
	assert.Equal(t, len(p.WriteSet().Files)+len(p.WriteSet().Folders), p.Limit.Files)
}

// covers: CHG-7, CHG-9
func TestALongPlanIsSplitIntoStages(t *testing.T) {
	c := readCase(t, "interface")
	whole, err := c.plan(t, &changeset.Derived{Minutes: 100})
	require.NoError(t, onlyQuestions(err))
	require.Len(t, whole.Stages, 1)
	assert.Equal(t, "nothing: the plan is complete", whole.Stages[0].Hands)

	split, err := c.plan(t, &changeset.Derived{Minutes: 1})
	require.NoError(t, onlyQuestions(err))
	require.Greater(t, len(split.Stages), 1)
	blocks := make(map[string]string)
	in := make(map[string]int)
	for _, s := range split.Stages {
		assert.NotEmpty(t, s.Done)
		assert.NotEmpty(t, s.Hands)
		for _, id := range s.Actions {
			in[id]++
			for _, a := range split.Actions {
				if a.ID == id {
					if stage, ok := blocks[a.Block]; ok {
						assert.Equal(t, stage, s.ID, "block %s is split", a.Block)
					}
					blocks[a.Block] = s.ID
				}
			}
		}
	}
	for _, a := range split.Actions {
		assert.Equal(t, 1, in[a.ID], "%s stands in one stage", a.ID)
	}
	assert.Contains(t, split.Stages[0].Hands, "S-2")
}

// covers: CHG-8
func TestReceipts(t *testing.T) {
	c := readCase(t, "interface")
	p, err := c.plan(t, &changeset.Derived{})
	require.NoError(t, onlyQuestions(err))
	a := *find(p, changeset.Sync, "shop.Back")
	f, _ := c.snap.File(a.Target.File)
	read := index.Span{File: a.Target.File, Hash: f.Hash, Start: 0, End: f.Size, Line: 1, Col: 1}
	require.NoError(t, changeset.Receipts{read}.Check(c.snap, a))
	require.NoError(t, changeset.Receipts{}.Check(c.snap, changeset.Action{Kind: changeset.AddTest, Target: index.Span{File: "shop/"}}), "something new needs none")

	refused := func(r changeset.Receipts, snap *index.Snapshot, want string) {
		t.Helper()
		err := r.Check(snap, a)
		require.ErrorIs(t, err, fault.AnchorMismatch)
		assert.Empty(t, faulttest.Check(err))
		assert.ErrorContains(t, err, want)
	}
	refused(nil, c.snap, "nobody has read")
	elsewhere := read
	elsewhere.End = a.Target.Start
	refused(changeset.Receipts{elsewhere}, c.snap, "nobody has read")
	old := read
	old.Hash = strings.Repeat("0", 64)
	refused(changeset.Receipts{old}, c.snap, "had other content")
	moved, err := c.snap.Overlay(context.Background(), map[string][]byte{a.Target.File: []byte("package shop\n")})
	require.NoError(t, err)
	refused(changeset.Receipts{read}, moved, "is not what it was")
	assert.Len(t, changeset.Receipts{read, old}.Fresh(c.snap), 1)
}

// covers: CHG-9
func TestConclusionsRoundTrip(t *testing.T) {
	c := changeset.Conclusions{Schema: 1, Task: "T-1", Stage: "S-1", Index: "abc", Symbols: []string{"m.New"}, Tests: []string{"m.TestNew"}, Rejected: []string{"a second path"}, Open: []changeset.Question{}, Next: "S-2"}
	data, err := json.Marshal(c)
	require.NoError(t, err)
	assert.JSONEq(t, `{"schema":1,"task":"T-1","stage":"S-1","index":"abc","symbols":["m.New"],"tests":["m.TestNew"],"rejected":["a second path"],"open":[],"next":"S-2"}`, string(data))
	var back changeset.Conclusions
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, c, back)
}
