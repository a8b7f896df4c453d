package langtest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// extract reads each case of testdata/extract: source files, and under want/ what
// is extracted from them (file, defs, sites, marks). A case holds only the parts
// that it is about. UPDATE_GOLDEN=1 writes them again.
func (k Kit) extract(t *testing.T) {
	r := NewReader(t, k.Language)
	eachArchive(t, "extract", func(t *testing.T, _ string, archive *txtar.Archive) {
		sources := map[string]Rendering{}
		for _, f := range archive.Files {
			if !strings.HasPrefix(f.Name, "want/") {
				facts := r.Facts(t, f.Name, f.Data)
				k.Shape(t, facts, f.Data)
				sources[f.Name] = Rendering{facts, f.Data, k.Notation}
			}
		}
		for i := range archive.Files {
			f := &archive.Files[i]
			name, ok := strings.CutPrefix(f.Name, "want/")
			if !ok {
				continue
			}
			dot := strings.LastIndexByte(name, '.')
			source, ok := sources[name[:dot]]
			require.True(t, ok, "%s has no source", f.Name)
			part := source.parts()[name[dot+1:]]
			require.NotNil(t, part, f.Name)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				f.Data = []byte(part())
				continue
			}
			assert.Equal(t, string(f.Data), part(), f.Name)
		}
	})
}

// Shape fails the test unless facts keep what they promise whatever the source.
func (k Kit) Shape(t testing.TB, f *index.Facts, src []byte) {
	for i, d := range f.Defs {
		require.Less(t, d.Parent, int32(i), f.Path)
		require.LessOrEqual(t, d.Range.Start, d.Ident.Start, f.Path)
		require.GreaterOrEqual(t, d.Range.End, d.Body, f.Path)
		require.LessOrEqual(t, d.P3, uint32(len(f.Params)), f.Path)
		if d.Kind != index.KindPackage {
			require.Equal(t, string(src[d.Ident.Start:d.Ident.End]), f.Names[d.Name], f.Path)
		}
		if i > 0 {
			require.GreaterOrEqual(t, d.Range.Start, f.Defs[i-1].Range.Start, "%s: %s", f.Path, f.Names[d.Name])
		}
	}
	for i, s := range f.Sites {
		require.Equal(t, string(src[s.Start:int(s.Start)+len(f.Names[s.Name])]), f.Names[s.Name], f.Path)
		if i > 0 {
			require.GreaterOrEqual(t, s.Start, f.Sites[i-1].Start, f.Path)
		}
		require.Less(t, s.Expr, int32(len(f.Exprs)), f.Path)
		require.Less(t, s.Call, int32(len(f.Calls)), f.Path)
		require.Less(t, s.In, int32(len(f.Defs)), f.Path)
	}
	for _, m := range f.Marks {
		require.LessOrEqual(t, int(m.Range.End), len(src), f.Path)
		require.LessOrEqual(t, m.Range.Start, m.Range.End, f.Path)
		require.Less(t, m.In, int32(len(f.Defs)), f.Path)
	}
	k.exprs(t, f)
}

// exprs checks that expressions refer to what there is, those of the head to
// what is in the head.
func (k Kit) exprs(t testing.TB, f *index.Facts) {
	for i, e := range f.Exprs {
		limits := map[extract.Operand]int{extract.ToExpr: len(f.Exprs), extract.ToLocal: len(f.Locals), extract.ToDef: len(f.Defs)}
		if i < int(f.HeadExprs) {
			limits[extract.ToExpr] = int(f.HeadExprs)
			require.LessOrEqual(t, e.L1, f.HeadLists, f.Path)
		}
		a, b, name := k.Operands(e.Op)
		if limit, ok := limits[a]; ok {
			require.Less(t, int(e.A), limit, f.Path)
		}
		if limit, ok := limits[b]; ok {
			require.Less(t, int(e.B), limit, f.Path)
		}
		if name {
			require.Less(t, int(e.Name), len(f.Names), f.Path)
		}
	}
}

// check extracts a file and checks its facts, which can be written as well.
func (k Kit) check(t testing.TB, r *Reader, path string, src []byte) {
	facts := r.Facts(t, path, src)
	k.Shape(t, facts, src)
	for _, part := range (Rendering{facts, src, k.Notation}).parts() {
		part()
	}
}

// Fuzz gives extraction whatever bytes there are, and then calls also with them:
// the facts keep their shape and nothing panics.
func (k Kit) Fuzz(f *testing.F, also func(t *testing.T, src []byte)) {
	for _, src := range k.Sources(f, "extract/*.txtar") {
		f.Add(src)
	}
	r := NewReader(f, k.Language)
	f.Fuzz(func(t *testing.T, src []byte) {
		k.check(t, r, k.TestFile, src)
		if also != nil {
			also(t, src)
		}
	})
}

// damaged cuts the sources of cases: what is left keeps its shape.
func (k Kit) damaged(t *testing.T) {
	r := NewReader(t, k.Language)
	for _, src := range k.Sources(t, k.Damaged) {
		for cut := 1; cut < len(src); cut += k.Step {
			k.check(t, r, k.TestFile, src[:cut])
			k.check(t, r, k.File, src[cut:])
			k.check(t, r, k.File, append(append([]byte{}, src[:cut]...), src[min(len(src), cut+5):]...))
		}
	}
}

// pure extracts each source after others than before: the facts are the same.
func (k Kit) pure(t *testing.T) {
	r, other := NewReader(t, k.Language), NewReader(t, k.Language)
	all := k.Sources(t, k.Damaged)
	for i, src := range all {
		other.Facts(t, k.TestFile, all[len(all)-1-i])
		assert.Equal(t, r.Facts(t, k.File, src), other.Facts(t, k.File, src))
	}
}
