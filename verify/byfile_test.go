package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// sheets is the toy language with tests that are told apart by their file. Their
// names are titles; that of one which begins with "each" is not known.
func sheets() *index.Language {
	l := indextest.Toy()
	l.TestsByFile = true
	inner := l.Extract
	l.Extract = func(tree *index.Tree, f *index.Facts) error {
		err := inner(tree, f)
		for i := range f.Marks {
			m := &f.Marks[i]
			switch {
			case m.Kind != index.MarkTest:
			case strings.HasPrefix(m.Text, "each"):
				m.Form = index.FormOpen
			default:
				m.Text = "till > " + m.Text + "/s"
			}
		}
		return err
	}
	return l
}

// indexed indexes a folder with the files, and returns its workspace.
func indexed(t *testing.T, lang *index.Language, files map[string]string) (*index.Snapshot, *patch.Workspace) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o644))
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{lang}}).Index(t.Context(), index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	ws, err := patch.Open(dir)
	require.NoError(t, err)
	return s, ws
}

// Where tests are told apart by their file, two files of one folder may hold tests
// of one name, a title holds what other tools part names at, and a test whose name
// the source does not tell is run with its file. Code of a test file that stands
// outside of every definition, as what is passed to describe and it, leads to it.
//
// covers: VER-5
func TestTestsAreToldApartByTheirFile(t *testing.T) {
	before, ws := indexed(t, sheets(), map[string]string{
		"toy.mod":             "shop\n",
		"pay/pay.toy":         "def Refund\n\ndef Charge\n\n",
		"pay/refund_test.toy": "test adds\ncall Refund\n\ntest other\n\n",
		"pay/charge_test.toy": "test adds\ncall Charge\n\n",
		"pay/loose_test.toy":  "call Refund\n\ntest loose\n\n",
		"pay/rows_test.toy":   "test each\ncall Refund\n\n",
	})
	after, err := before.Overlay(t.Context(), map[string][]byte{"pay/pay.toy": []byte("def Refund\ncall Charge\n\ndef Charge\n\n")})
	require.NoError(t, err)
	var ran []verify.TestID
	runner := func(ctx context.Context, box sandbox.Sandbox, run verify.Run) (out []verify.Outcome, err error) {
		ran = append(ran, run.Tests...)
		for _, id := range run.Tests {
			out = append(out, verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}})
			if id.Name == "" {
				out = append(out, verify.Outcome{Test: verify.TestID{Dir: id.Dir, File: id.File, Name: "row 1/2"}, Status: verify.Failed, Command: []string{"tool"}})
			}
		}
		return out, nil
	}
	v := &verify.Layered{Runner: verify.RunnerFunc(runner), Sandbox: sandbox.Func(noProcess), Repeat: -1}
	r, err := v.Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L2}})
	require.NoError(t, err)
	got := map[string]string{}
	for _, s := range r.Selection.Selected {
		got[s.Test.String()] = s.Source
	}
	assert.Equal(t, map[string]string{
		"pay/refund_test.toy till > adds/s": "calls", "pay/charge_test.toy till > adds/s": "package",
		"pay/refund_test.toy till > other/s": "package", "pay/rows_test.toy": "calls",
		"pay/loose_test.toy till > loose/s": "calls",
	}, got)
	whole := verify.TestID{Dir: "pay", File: "rows_test.toy"}
	assert.Contains(t, ran, whole)
	for _, x := range r.Tests {
		if x.Test.Name == "row 1/2" {
			assert.Equal(t, whole, x.Of, "a row belongs to what was selected")
			assert.Equal(t, verify.PreExisting, x.Attribution)
			continue
		}
		assert.Zero(t, x.Of, "%v", x.Test)
	}
}
