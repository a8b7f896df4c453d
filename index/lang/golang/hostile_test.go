package golang

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// sources returns the .go files of all extraction cases.
func sources(t testing.TB) (all [][]byte) {
	cases, err := filepath.Glob("testdata/extract/*.txtar")
	require.NoError(t, err)
	for _, path := range cases {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range txtar.Parse(data).Files {
			if !strings.HasPrefix(f.Name, "want/") {
				all = append(all, f.Data)
			}
		}
	}
	return all
}

// FuzzExtract gives extraction whatever bytes there are: the facts keep their
// shape and nothing panics.
//
// covers: REL-2, IDX-4
func FuzzExtract(f *testing.F) {
	for _, src := range sources(f) {
		f.Add(src)
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		checkFacts(t, r, "a_test.go", src)
	})
}

func checkFacts(t *testing.T, r *reader, path string, src []byte) {
	facts := r.facts(t, path, src)
	checkShape(t, facts, src)
	render := rendering{facts, src}
	for _, part := range []string{render.file(), render.defs(), render.sites(), render.marks()} {
		_ = part
	}
	for _, m := range facts.Marks {
		require.LessOrEqual(t, int(m.Range.End), len(src))
		require.LessOrEqual(t, m.Range.Start, m.Range.End)
		require.Less(t, m.In, int32(len(facts.Defs)))
	}
}

// covers: IDX-4
func TestDamagedSourceKeepsItsShape(t *testing.T) {
	r := newReader(t)
	for _, src := range sources(t) {
		for cut := 1; cut < len(src); cut += 23 {
			checkFacts(t, r, "a_test.go", src[:cut])
			checkFacts(t, r, "a.go", src[cut:])
			checkFacts(t, r, "a.go", append(append([]byte{}, src[:cut]...), src[min(len(src), cut+5):]...))
		}
	}
}

// covers: IDX-4, REL-4
func TestDeepNestingCostsOnlyItself(t *testing.T) {
	r := newReader(t)
	for _, around := range [][2]string{{"(", ")"}, {"[]", ""}, {"f(", ")"}, {"T{", "}"}, {"func() { ", " }"}, {"-", ""}} {
		src := "package a\n\nfunc before() {}\n\nvar x = " + strings.Repeat(around[0], 20_000) + "y" + strings.Repeat(around[1], 20_000) +
			"\n\nfunc after() {}\n"
		f := r.facts(t, "a.go", []byte(src))
		if f.Skipped != "" {
			assert.Contains(t, f.Skipped, "nested")
		}
		names := map[string]bool{}
		for _, d := range f.Defs {
			names[f.Names[d.Name]] = true
		}
		assert.True(t, names["before"], around[0])
	}
}

// covers: ARC-5
func TestExtractIsPure(t *testing.T) {
	r, other := newReader(t), newReader(t)
	all := sources(t)
	for i, src := range all {
		other.facts(t, "other.go", all[len(all)-1-i])
		assert.Equal(t, r.facts(t, "a.go", src), other.facts(t, "a.go", src))
	}
}
