package changeset_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/index"
)

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
