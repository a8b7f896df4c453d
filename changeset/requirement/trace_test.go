package requirement_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/changeset/requirement"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// trace reads a txtar archive: documents under docs/, everything else is the repository.
func trace(t *testing.T, files map[string]string) *requirement.Table {
	t.Helper()
	tree, names := fstest.MapFS{}, []string{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
		if strings.HasPrefix(name, "docs/") {
			names = append(names, name)
		}
	}
	docs, err := requirement.ReadDocuments(names, tree.ReadFile)
	require.NoError(t, err)
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(t.Context(), index.Input{FS: tree})
	require.NoError(t, err)
	return requirement.Trace(s, docs)
}

func archive(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func gaps(tab *requirement.Table) []string {
	out := []string{}
	for _, g := range tab.Gaps {
		out = append(out, g.Kind+" "+g.ID)
	}
	return out
}

// covers: REQ-5
func TestLinksAreFoundInTestCodeOnly(t *testing.T) {
	tab := trace(t, archive(t, "shop.txtar"))
	got := map[string][]string{}
	for _, r := range tab.Rows {
		for _, l := range r.Tests {
			got[r.ID] = append(got[r.ID], l.Via+" "+strings.TrimPrefix(l.Test, "example.com/shop."))
		}
	}
	assert.Equal(t, map[string][]string{
		"SHOP-1": {"comment TestTotal"},
		"SHOP-2": {"comment TestTotal", "name TestSHOP_2_Rounds"},
		"SHOP-3": {"subtest TestRules/SHOP-3_refuses_negative_amounts"},
		"SHOP-4": {"comment TestRules"},
		"SHOP-5": {"comment ExampleTotal"},
		"SHOP-6": {"comment FuzzTotal"},
	}, got)
	assert.Empty(t, gaps(tab), "a sound table has no gaps")
	assert.Equal(t, 1, tab.Untagged, "TestPlain names none")
	assert.Equal(t, map[string]int{"tested": 5, "partly": 1, "pending": 1}, tab.Counts())
	assert.Contains(t, tab.Text(), "SHOP-7   pending")
}

// covers: REQ-5
func TestEveryDefectIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		want                 []string
	}{
		{"a covering comment is removed", "total_test.go", "// covers: SHOP-1, SHOP-2\n", "", []string{"requirement_without_test SHOP-1"}},
		{"a test names an unknown ID", "total_test.go", "covers: SHOP-1, SHOP-2", "covers: SHOP-1, SHOP-20", []string{"unknown_id SHOP-20"}},
		{"a pending requirement gets a test", "total_test.go", "covers: SHOP-1, SHOP-2", "covers: SHOP-1, SHOP-2, SHOP-7", []string{"pending_has_test SHOP-7"}},
		{"the list names an ID that is gone", "docs/pending.md", "| SHOP-7 |", "| SHOP-70 |", []string{"requirement_without_test SHOP-7", "pending_unknown_id SHOP-70"}},
		{"the comment drifts away from its test", "total_test.go", "// covers: SHOP-1, SHOP-2\n", "// covers: SHOP-1, SHOP-2\n\n", []string{"annotation_without_test SHOP-1", "annotation_without_test SHOP-2", "requirement_without_test SHOP-1"}},
		{"a requirement is added", "docs/shop.md", "- SHOP-6", "- SHOP-8 Totals are shown in the reader's currency.\n- SHOP-6", []string{"requirement_without_test SHOP-8"}},
		{"the test becomes a helper", "total_test.go", "func FuzzTotal(f *testing.F)", "func fuzzTotal(f *testing.F)", []string{"annotation_without_test SHOP-6", "requirement_without_test SHOP-6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := archive(t, "shop.txtar")
			require.Contains(t, files[c.file], c.old)
			files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
			assert.ElementsMatch(t, c.want, gaps(trace(t, files)))
		})
	}
}

// covers: REQ-5, FLT-2
func TestDocumentsThatContradictThemselvesAreRefused(t *testing.T) {
	_, err := requirement.ReadDocument("a.md", []byte("- A-1 one\n- A-1 two\n"))
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.ErrorContains(t, err, "a.md:2")
	_, err = requirement.ReadPending("pending.md", []byte("| ID | today |\n| --- | --- |\n| none | x |\n"))
	require.ErrorIs(t, err, fault.InvalidInput)
	read := func(string) ([]byte, error) { return []byte("- A-1 one\n"), nil }
	_, err = requirement.ReadDocuments([]string{"a.md", "b.md"}, read)
	require.ErrorIs(t, err, fault.InvalidInput)
	assert.ErrorContains(t, err, "a.md:1")
}

func TestIDsInsideFencedCodeAreNotRequirements(t *testing.T) {
	reqs, err := requirement.ReadDocument("a.md", []byte("# 1 Orders\n- A-1 one\n```\n- A-2 shown\n```\n## A-3: three\n"))
	require.NoError(t, err)
	require.Len(t, reqs, 2)
	assert.Equal(t, requirement.Requirement{ID: "A-1", Text: "one", Document: "a.md", Section: "1 Orders", Line: 2}, reqs[0])
	assert.Equal(t, "A-3", reqs[1].ID)
}
