package golang

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// What an identifier is, by the compiler's own parser.
const (
	isNothing = 1 << iota // a local, label, blank, package clause or predeclared type
	isDef
	isSite
)

// An oracle classes every identifier of a file with go/parser, which resolves
// what is local to functions.
type oracle struct {
	file *ast.File
	fset *token.FileSet
	want map[int]int // by offset
	defs map[*ast.Ident]bool
}

func newOracle(path string, src []byte) (*oracle, error) {
	o := &oracle{fset: token.NewFileSet(), want: map[int]int{}, defs: map[*ast.Ident]bool{}}
	var err error
	o.file, err = parser.ParseFile(o.fset, path, src, parser.Mode(0))
	if err != nil {
		return nil, err
	}
	ast.Inspect(o.file, o.declared)
	ast.Inspect(o.file, o.used)
	return o, nil
}

func (o *oracle) is(id *ast.Ident, what int) {
	if id != nil {
		o.want[o.fset.Position(id.Pos()).Offset] = what
	}
}

// declared classes the identifiers that stand at declarations, keys and labels.
func (o *oracle) declared(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.File:
		o.is(n.Name, isNothing)
		for _, d := range n.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						o.names(v.Names, isDef)
					}
				}
			}
		}
	case *ast.ImportSpec:
		o.is(n.Name, isNothing)
	case *ast.FuncDecl:
		o.is(n.Name, isDef)
		o.receiverParameters(n)
	case *ast.TypeSpec:
		o.is(n.Name, isDef)
		if n.TypeParams != nil {
			o.fields(n.TypeParams, isNothing)
		}
	case *ast.StructType:
		for _, f := range n.Fields.List {
			o.names(f.Names, isDef)
			if len(f.Names) == 0 {
				o.is(embeddedName(f.Type), isDef|isSite)
				if id, ok := f.Type.(*ast.Ident); ok && o.use(id)&isNothing != 0 {
					o.is(id, isDef)
				}
			}
		}
	case *ast.InterfaceType:
		o.fields(n.Methods, isDef)
	case *ast.FuncType:
		o.fields(n.Params, isNothing)
		o.fields(n.Results, isNothing)
		o.fields(n.TypeParams, isNothing)
	case *ast.LabeledStmt:
		o.is(n.Label, isNothing)
	case *ast.BranchStmt:
		o.is(n.Label, isNothing)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok && o.want[o.fset.Position(id.Pos()).Offset] == 0 {
					o.is(id, isSite|isNothing)
				}
			}
		}
	}
	return true
}

// receiverParameters classes the type parameters that a receiver declares,
// which go/parser does not resolve.
func (o *oracle) receiverParameters(f *ast.FuncDecl) {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return
	}
	names := map[string]bool{}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		var args []ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			args = []ast.Expr{n.Index}
		case *ast.IndexListExpr:
			args = n.Indices
		}
		for _, a := range args {
			if id, ok := a.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			ast.Inspect(s.X, func(n ast.Node) bool { return o.ifNamed(n, names) })
			return false
		}
		return o.ifNamed(n, names)
	})
}

func (o *oracle) ifNamed(n ast.Node, names map[string]bool) bool {
	if id, ok := n.(*ast.Ident); ok && names[id.Name] && id.Obj == nil {
		o.is(id, isNothing)
	}
	return true
}

func (o *oracle) names(ids []*ast.Ident, what int) {
	for _, id := range ids {
		o.is(id, what)
	}
}

func (o *oracle) fields(l *ast.FieldList, what int) {
	if l != nil {
		for _, f := range l.List {
			o.names(f.Names, what)
		}
	}
}

func embeddedName(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.ParenExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return embeddedName(e.X)
	case *ast.IndexListExpr:
		return embeddedName(e.X)
	}
	return nil
}

// used classes the rest.
func (o *oracle) used(n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	if !ok || o.want[o.fset.Position(id.Pos()).Offset] != 0 {
		return true
	}
	o.is(id, o.use(id))
	return true
}

func (o *oracle) use(id *ast.Ident) int {
	top := o.file.Scope.Objects[id.Name]
	switch {
	case id.Name == "_":
		return isNothing
	case id.Obj != nil && id.Obj != top && id.Obj.Kind == ast.Typ:
		if _, ok := id.Obj.Decl.(*ast.TypeSpec); ok {
			return isSite
		}
		return isNothing
	case id.Obj != nil && id.Obj != top:
		return isNothing
	case id.Obj == nil && (specialWord(id.Name) != wordOrdinary && top == nil || strings.Contains(" true false iota ", " "+id.Name+" ")):
		return isNothing | isSite // a selector or key may bear such a name
	}
	return isSite
}

// compare returns where facts and oracle differ.
func (o *oracle) compare(f *index.Facts) (wrong []string) {
	got := map[int]int{}
	for _, d := range f.Defs {
		got[int(d.Ident.Start)] |= isDef
	}
	for _, s := range f.Sites {
		if s.Kind != index.RefString && s.Kind != index.RefImport {
			got[int(s.Start)] |= isSite
		}
	}
	for offset, what := range o.want {
		g := got[offset]
		if g == 0 {
			g = isNothing
		}
		if g != what && (what&isNothing == 0 || g&what == 0) {
			wrong = append(wrong, fmt.Sprintf("%s:%d: got %d, want %d", f.Path, 1+lineOf(f, offset), g, what))
		}
		delete(got, offset)
	}
	for offset := range got {
		wrong = append(wrong, fmt.Sprintf("%s:%d: no identifier stands here", f.Path, 1+lineOf(f, offset)))
	}
	return wrong
}

func lineOf(f *index.Facts, offset int) int {
	line := 0
	for line+1 < len(f.LineStarts) && int(f.LineStarts[line+1]) <= offset {
		line++
	}
	return line
}

// TestAgainstCompilersParser holds extraction against go/parser: the same
// definitions, and a site for each identifier that is neither one nor a local.
// PLUMB_GO_ROOT names a folder to take instead of a few packages.
//
// covers: IDX-3
func TestAgainstCompilersParser(t *testing.T) {
	roots := []string{"encoding/json", "slices", "sync", "text/template", "iter", "net/http/httptest"}
	for i, r := range roots {
		roots[i] = filepath.Join(gobuild.Default.GOROOT, "src", r)
	}
	if root := os.Getenv("PLUMB_GO_ROOT"); root != "" {
		roots = []string{root}
	}
	r := newReader(t)
	files, idents, wrong := 0, 0, []string{}
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			o, err := newOracle(path, src)
			if err != nil || len(src) > syntax.DefaultMaxBytes {
				return nil
			}
			f := r.Facts(t, path, src)
			kit().Shape(t, f, src)
			files, idents = files+1, idents+len(o.want)
			wrong = append(wrong, o.compare(f)...)
			return nil
		}))
	}
	require.Greater(t, idents, 1000)
	for _, w := range wrong[:min(len(wrong), 40)] {
		t.Log(w)
	}
	t.Logf("%d files, %d identifiers, %d differ", files, idents, len(wrong))
	assert.LessOrEqual(t, float64(len(wrong)), 0.0005*float64(idents))
}
