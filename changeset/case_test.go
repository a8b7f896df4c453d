package changeset_test

import (
	"context"
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
	"github.com/plumbkit/plumb/host/fault"
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

// find returns the first action of a kind whose symbol ends in name.
func find(p *changeset.Plan, kind changeset.ActionKind, name string) *changeset.Action {
	for i, a := range p.Actions {
		if a.Kind == kind && strings.HasSuffix(short(a.Symbol), name) {
			return &p.Actions[i]
		}
	}
	return nil
}

// onlyQuestions drops the fault that stands for an open question.
func onlyQuestions(err error) error {
	if errors.Is(err, fault.Ambiguous) {
		return nil
	}
	return err
}
