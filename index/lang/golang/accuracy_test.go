package golang_test

import (
	"context"
	"go/ast"
	gobuild "go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// judged are packages of the standard library that are indexed together, as if
// they were a repository, and type-checked with the compiler's own checker.
// What else they import lies outside.
var judged = []string{"encoding/json", "text/template", "go/ast", "go/printer"}

// A checker holds the index against go/types.
type checker struct {
	fset *token.FileSet
	src  string // GOROOT/src
	s    *index.Snapshot
	refs map[string]map[int]index.Ref // by file and offset
	defs map[string]map[int]bool      // names of definitions, likewise

	inside, right, static, found, silent, ambiguous, candidates int
	methodsStatic, methodsRight                                 int
	outside, falsely, defined, known                            int
	rules                                                       map[string]*tally
}

// A tally counts a rule's static answers.
type tally struct{ static, right int }

func indexed(t *testing.T, src string) *index.Snapshot {
	files := fstest.MapFS{"go.mod": {Data: []byte("module std\n\ngo 1.26\n")}}
	for _, dir := range judged {
		list, err := filepath.Glob(filepath.Join(src, dir, "*.go"))
		require.NoError(t, err)
		for _, f := range list {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			files[path.Join(dir, filepath.Base(f))] = &fstest.MapFile{Data: data}
		}
	}
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(context.Background(), index.Input{FS: files})
	require.NoError(t, err)
	return s
}

// covers: ACC-1, ACC-8, ACC-9, IDX-7, IDX-8
func TestAnswersAreThoseOfTheTypeChecker(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks a part of the standard library")
	}
	c := &checker{fset: token.NewFileSet(), src: filepath.Join(gobuild.Default.GOROOT, "src"),
		refs: map[string]map[int]index.Ref{}, defs: map[string]map[int]bool{}, rules: map[string]*tally{}}
	if _, err := os.Stat(filepath.Join(c.src, "encoding", "json")); err != nil {
		t.Skip("the standard library's source is not installed")
	}
	c.s = indexed(t, c.src)
	imports := importer.ForCompiler(c.fset, "source", nil)
	for _, dir := range judged {
		c.check(t, dir, imports)
	}
	share := func(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }
	t.Logf("%d references inside: right %.2f, static %.2f, found %.2f, silent %.2f %%, %.2f candidates; methods right %.2f %%",
		c.inside, share(c.right, c.static), share(c.right, c.inside), share(c.found, c.inside), share(c.silent, c.inside),
		float64(c.candidates)/float64(max(c.ambiguous, 1)), share(c.methodsRight, c.methodsStatic))
	t.Logf("%d outside or local: %.2f %% called static; %d definitions: %.2f %% known", c.outside, share(c.falsely, c.outside),
		c.defined, share(c.known, c.defined))
	require.Greater(t, c.inside, 5000, "too little was compared")
	assert.GreaterOrEqual(t, share(c.right, c.static+c.falsely), 99.0, "static answers right")
	assert.GreaterOrEqual(t, share(c.methodsRight, c.methodsStatic), 97.0, "static answers of methods right")
	assert.GreaterOrEqual(t, share(c.right, c.inside), 90.0, "static share")
	assert.GreaterOrEqual(t, share(c.found, c.inside), 98.0, "static or among the candidates")
	assert.LessOrEqual(t, share(c.silent, c.inside), 1.0, "silent")
	assert.LessOrEqual(t, c.candidates, 6*c.ambiguous, "mean candidates")
	assert.LessOrEqual(t, share(c.falsely, c.outside), 0.5, "invented certainty")
	assert.GreaterOrEqual(t, share(c.known, c.defined), 99.5, "definitions found")
	for rule, n := range c.rules {
		t.Logf("rule %s: %d of %d right", rule, n.right, n.static)
		if n.static >= 300 {
			assert.InDelta(t, 99.5, share(n.right, n.static), 3, "the rule %s is as right as it is said to be", rule)
		}
	}
}

func (c *checker) rule(name string, right bool) {
	n := c.rules[name]
	if n == nil {
		n = &tally{}
		c.rules[name] = n
	}
	n.static++
	if right {
		n.right++
	}
}

// check judges the files that this build has of one package.
func (c *checker) check(t *testing.T, dir string, imports types.Importer) {
	p, err := gobuild.Default.ImportDir(filepath.Join(c.src, dir), 0)
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range append(p.GoFiles, p.TestGoFiles...) {
		f, err := parser.ParseFile(c.fset, filepath.Join(c.src, dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	_, err = (&types.Config{Importer: imports}).Check(dir, c.fset, files, info)
	require.NoError(t, err)
	for id, obj := range info.Uses {
		c.judge(t, id, obj)
	}
	for id, obj := range info.Defs {
		if id.Name != "_" && obj != nil && !local(obj) && obj.Pkg().Scope().Lookup(id.Name) == obj {
			file, at := c.place(id.Pos())
			c.defined++
			if c.named(file)[at] {
				c.known++
			} else {
				t.Logf("no definition of %s at %s", id.Name, c.fset.Position(id.Pos()))
			}
		}
	}
}

// local reports whether an object is a function's own, or the language's.
func local(obj types.Object) bool {
	switch o := obj.(type) {
	case *types.Func:
		return o.Pkg() == nil
	case *types.Var:
		if o.IsField() {
			return false
		}
	case *types.PkgName, *types.Label, *types.Builtin, *types.Nil:
		return true
	}
	return obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope()
}

// place returns the path below the root, and the offset; "" outside of what is judged.
func (c *checker) place(pos token.Pos) (string, int) {
	p := c.fset.Position(pos)
	rel, err := filepath.Rel(c.src, p.Filename)
	if rel = filepath.ToSlash(rel); err != nil {
		return "", 0
	}
	if _, ok := c.s.File(rel); !ok {
		return "", 0
	}
	return rel, p.Offset
}

func (c *checker) named(file string) map[int]bool {
	if c.defs[file] == nil {
		c.defs[file] = map[int]bool{}
		for _, sym := range c.s.Outline(file) {
			c.defs[file][sym.Ident.Start] = true
		}
	}
	return c.defs[file]
}

func (c *checker) ref(file string, at int) (index.Ref, bool) {
	if c.refs[file] == nil {
		c.refs[file] = map[int]index.Ref{}
		for _, r := range c.s.RefsIn(file) {
			c.refs[file][r.Span.Start] = r
		}
	}
	r, ok := c.refs[file][at]
	return r, ok
}

// judge compares one use of a name.
func (c *checker) judge(t *testing.T, id *ast.Ident, obj types.Object) {
	if _, ok := obj.(*types.PkgName); ok {
		return
	}
	switch o := obj.(type) { // of generic code, what was written
	case *types.Func:
		obj = o.Origin()
	case *types.Var:
		obj = o.Origin()
	}
	file, at := c.place(id.Pos())
	r, answered := c.ref(file, at)
	target, to := "", 0
	if obj.Pos().IsValid() {
		target, to = c.place(obj.Pos())
	}
	hit := false
	for _, id := range r.Targets {
		sym, _ := c.s.Symbol(id)
		hit = hit || sym.Ident.File == target && sym.Ident.Start == to
	}
	static := answered && r.Status == index.Static
	if target == "" || local(obj) {
		c.outside++
		if static && !hit {
			c.falsely++
			c.rule(r.Rule, false)
			t.Logf("%s %s is %v, not %v", c.fset.Position(id.Pos()), id.Name, obj, r.Targets)
		}
		return
	}
	c.count(r, static, hit, obj)
	if static && !hit || len(r.Targets) == 0 {
		t.Logf("%s %s is %v: %s %v %s", c.fset.Position(id.Pos()), id.Name, obj, r.Status, r.Targets, r.Reason)
	}
}

func (c *checker) count(r index.Ref, static, hit bool, obj types.Object) {
	c.inside++
	f, method := obj.(*types.Func)
	method = method && f.Signature().Recv() != nil
	switch {
	case static:
		c.static++
		c.rule(r.Rule, hit)
		if method {
			c.methodsStatic++
		}
		if hit {
			c.right++
			if method {
				c.methodsRight++
			}
		}
	case len(r.Targets) == 0:
		c.silent++
	case r.Status == index.Ambiguous:
		c.ambiguous++
		c.candidates += len(r.Targets)
	}
	if hit {
		c.found++
	}
}
