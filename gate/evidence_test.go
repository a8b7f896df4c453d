package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
)

func finding(t *testing.T, d *gate.Decision, rule string) gate.Finding {
	t.Helper()
	for _, f := range d.Findings {
		if f.Rule == rule {
			return f
		}
	}
	require.Failf(t, "no finding", "%s is not among %d findings", rule, len(d.Findings))
	return gate.Finding{}
}

// change is the difference of two whole trees of Go code, with a green report.
func change(t *testing.T, before, after map[string]string) gate.Input {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range before {
		tree[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	b, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(t.Context(), index.Input{FS: tree})
	require.NoError(t, err)
	set := &patch.Set{Schema: 1, Base: b.Digest()}
	for name, old := range before {
		switch now, ok := after[name]; {
		case !ok:
			set.Files = append(set.Files, patch.File{Path: name, Op: patch.Deleted, Old: []byte(old), OldMode: 0o644})
		case now != old:
			set.Files = append(set.Files, patch.File{Path: name, Op: patch.Modified, Old: []byte(old), New: []byte(now), OldMode: 0o644, NewMode: 0o644})
		}
	}
	for name, now := range after {
		if _, ok := before[name]; !ok {
			set.Files = append(set.Files, patch.File{Path: name, Op: patch.Created, New: []byte(now), NewMode: 0o644})
		}
	}
	slices.SortFunc(set.Files, func(x, y patch.File) int { return strings.Compare(x.Path, y.Path) })
	a, err := b.Overlay(t.Context(), set.Overlay())
	require.NoError(t, err)
	return gate.Input{Before: b, After: a, Set: set, Report: gatetest.Green(set)}
}

// widely is a package with a public function and n uses of it; after is the
// text of the function after the change, and call that of each use.
func widely(n int, declared, call string) map[string]string {
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "price/price.go": "package price\n\n" + declared + "\n"}
	for i := range n {
		files[fmt.Sprintf("use%02d/use.go", i)] = fmt.Sprintf("package use%02d\n\nimport \"example.com/m/price\"\n\nfunc use() int { return %s }\n", i, call)
	}
	return files
}

// covers: GAT-5
func TestAPublicSignatureNeedsItsUsesANoteAndAboveTwentyAPerson(t *testing.T) {
	before := func(n int) map[string]string {
		return widely(n, "func Of(a int) int { return a }", "price.Of(1)")
	}
	after := func(n int) map[string]string {
		files := widely(n, "func Of(a, b int) int { return a + b }", "price.Of(1, 2)")
		files["CHANGELOG.md"] = "- price.Of takes a second amount\n"
		return files
	}

	// Every use adapted and a note: nothing is missing.
	f := finding(t, decide(t, &gate.Rules{}, change(t, before(3), after(3))), "signature.public")
	assert.Empty(t, f.Missing)
	assert.Contains(t, strings.Join(f.Present, " "), "3 uses: use00/use.go:5")
	assert.Contains(t, strings.Join(f.Present, " "), "migration note: CHANGELOG.md")

	// A use left out, and no note.
	files := after(3)
	delete(files, "CHANGELOG.md")
	files["use01/use.go"] = before(3)["use01/use.go"]
	d := decide(t, &gate.Rules{}, change(t, before(3), files))
	f = finding(t, d, "signature.public")
	assert.Equal(t, gate.Blocked, d.Verdict)
	assert.Contains(t, strings.Join(f.Missing, " "), "use01/use.go:5")
	assert.Contains(t, strings.Join(f.Missing, " "), "migration note")

	// Twenty uses need nobody, twenty-one a person.
	d = decide(t, &gate.Rules{}, change(t, before(20), after(20)))
	assert.Equal(t, gate.Allowed, d.Verdict, d.Why)
	d = decide(t, &gate.Rules{}, change(t, before(21), after(21)))
	assert.Equal(t, gate.Blocked, d.Verdict)
	p := &person{}
	d = decide(t, &gate.Rules{Approver: p}, change(t, before(21), after(21)))
	assert.Equal(t, gate.Allowed, d.Verdict, d.Why)
	require.Len(t, p.asked, 1)
}

// covers: GAT-3
func TestADeletionNeedsTwoIndependentProofs(t *testing.T) {
	repo := func(more map[string]string) map[string]string {
		files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n",
			"old/old.go": "package old\n\nfunc Gone() {}\n", "main.go": "package main\n\nfunc main() {}\n"}
		for name, text := range more {
			files[name] = text
		}
		return files
	}
	without := func(files map[string]string) map[string]string {
		out := map[string]string{}
		for name, text := range files {
			if name != "old/old.go" {
				out[name] = text
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		more    map[string]string
		missing string
	}{
		"nothing leads there": {nil, ""},
		"an import does":      {map[string]string{"use/use.go": "package use\n\nimport _ \"example.com/m/old\"\n"}, "use/use.go"},
		"a script names it":   {map[string]string{"build.sh": "gofmt -l old/old.go\n"}, "build.sh"},
		"a string may reach it by reflection": {map[string]string{"hook/hook.go": "package hook\n\nimport \"reflect\"\n\nfunc Call(v any) { reflect.ValueOf(v).MethodByName(\"Gone\").Call(nil) }\n"},
			"hook/hook.go"},
		"only a document names it": {map[string]string{"README.md": "See old/old.go.\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := repo(c.more)
			f := finding(t, decide(t, &gate.Rules{}, change(t, files, without(files))), "deletion.unreferenced")
			if c.missing == "" {
				assert.Empty(t, f.Missing)
				assert.GreaterOrEqual(t, len(f.Present), 2, "both proofs are named")
				return
			}
			assert.Contains(t, strings.Join(f.Missing, " "), c.missing)
			assert.True(t, f.Blocks)
		})
	}
}
