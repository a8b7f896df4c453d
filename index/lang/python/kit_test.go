package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func kit() langtest.Kit {
	return langtest.Kit{Language: Language(), Operands: operandsOf, Marker: "#?", TestFile: "test_a.py", File: "a.py", Damaged: "*/*.txtar", Step: 31,
		Notation: langtest.Notation{
			Header: func(f *index.Facts) string { return fmt.Sprintf("module %q", f.Module) },
			Flags:  writeFlags,
			Param:  writeParam,
			Args:   writeArgs,
			Expr:   writeExpr,
		}}
}

// covers: IDX-2, IDX-3, IDX-4, IDX-7, IDX-8, IDX-10, IDX-11, IDX-12, IDX-13, IDX-20, IDX-21, ACC-8, ARC-5, ARC-6
func TestCases(t *testing.T) { kit().Test(t) }

// TestLanguage holds the language to the contract of index on the repositories
// of the link cases, all in one.
//
// covers: IDX-21, ARC-3
func TestLanguage(t *testing.T) {
	files := indextest.Files{}
	kit().EachLinkCase(t, func(_ *testing.T, c *langtest.LinkCase) {
		for p, data := range c.Files {
			files[c.Name+"/"+p] = data
		}
	})
	indextest.Language(t, Language(), files)
}

// TestIncrementalOnEachCase drives random edits through each small repository,
// where a forgotten dependency shows sooner.
//
// covers: IDX-21
func TestIncrementalOnEachCase(t *testing.T) {
	kit().EachLinkCase(t, func(t *testing.T, c *langtest.LinkCase) {
		ix := &index.TreeSitter{Languages: []*index.Language{Language()}}
		indextest.Incremental(t, ix, c.Files, 12, 3)
	})
}

func newReader(t testing.TB) *langtest.Reader { return langtest.NewReader(t, Language()) }

func writeFlags(flags uint16) string {
	names := map[uint16]string{index.DefAlias: " alias", index.DefGeneric: " generic", index.DefVariadic: " variadic",
		index.DefAbstract: " abstract", defConditional: " conditional"}
	return names[flags]
}

func writeParam(p index.Param) string {
	text := p.Name
	switch {
	case p.Variadic && p.Keyword:
		text = "**" + text
	case p.Variadic:
		text = "*" + text
	case p.Keyword:
		text = "key " + text
	}
	if p.Type != "" {
		text += ": " + p.Type
	}
	if p.Optional {
		text += " = " + p.Default
	}
	return text
}

func writeArgs(_ langtest.Rendering, c index.Args) string {
	text := ""
	if len(c.Names) > 0 {
		text = " " + strings.Join(c.Names, " ")
	}
	if c.Spread {
		text += " spread"
	}
	return text
}

// opNames are the operations that are written as a function of their operands.
var opNames = map[uint8]string{opAwait: "await", opIter: "iter", opAsyncIter: "aiter", opEnter: "enter", opAsyncEnter: "aenter", opExcept: "except",
	opUnion: "union", opNarrow: "narrow", opExclude: "exclude", opTuple: "tuple", opList: "list", opSet: "set", opDict: "dict", opGen: "gen",
	opOr: "or", opBinary: "binary", opLambda: "lambda", opDeclared: "declared", opFunc: "func", opAsync: "async", opClass: "class",
	opReturns: "returns", opYields: "yields", opSpread: "spread", opSlice: "slice"}

// writeExpr writes an expression: $x is a local, #x a definition.
func writeExpr(r langtest.Rendering, i int32, depth int) string {
	if i < 0 {
		return "?"
	}
	if depth > 10 {
		return "…"
	}
	e := r.Exprs[i]
	sub := func(i int32) string { return writeExpr(r, i, depth+1) }
	name := "?"
	if e.Name >= 0 {
		name = r.Names[e.Name]
	}
	var items []string
	a, b, _ := operandsOf(e.Op)
	if a == extract.ToExpr && (e.A >= 0 || e.Op != opFunc) {
		items = append(items, sub(e.A))
	}
	if b == extract.ToExpr && e.B >= 0 {
		items = append(items, sub(e.B))
	}
	var list []string
	for _, v := range r.Lists[e.L0:e.L1] {
		list = append(list, sub(v))
	}
	if n, ok := opNames[e.Op]; ok {
		return n + "(" + strings.Join(append(items, list...), ", ") + ")"
	}
	return writeSimple(r, e, name, strings.Join(list, ", "), sub, depth)
}

func writeSimple(r langtest.Rendering, e index.Expr, name, list string, sub func(int32) string, depth int) string {
	switch e.Op {
	case opName:
		return name
	case opLocal:
		return r.Local(e.A, depth, 3)
	case opDef:
		return "#" + r.Names[r.Defs[e.A].Name]
	case opOwn:
		return "own " + name
	case opSelf:
		return "self:" + r.Names[r.Defs[e.A].Name]
	case opCls:
		return "cls:" + r.Names[r.Defs[e.A].Name]
	case opSuper:
		return "super:" + r.Names[r.Defs[e.A].Name]
	case opAttr:
		return sub(e.A) + "." + name
	case opImport:
		return fmt.Sprintf("import %d %d", e.A, e.B)
	case opComponent:
		return fmt.Sprintf("component %d %d", e.A, e.B)
	case opCall:
		return sub(e.A) + "(" + list + ")"
	case opKw:
		return name + "=" + sub(e.A)
	case opIndex:
		return sub(e.A) + "[" + list + "]"
	case opItem:
		return fmt.Sprintf("%s#%d", sub(e.A), e.B)
	case opConst:
		return "<" + name + ">"
	case opTypeParam:
		return "'" + name
	case opKeyword:
		return "keyword " + name + " of " + sub(e.A)
	case opFixture:
		return "fixture " + name
	case opPath:
		return "path " + name
	}
	return "unknown"
}
