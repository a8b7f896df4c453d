package golang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/langtest"
)

func kit() langtest.Kit {
	return langtest.Kit{Language: Language(), Operands: operandsOf, Marker: "//?", TestFile: "a_test.go", File: "a.go", Damaged: "extract/*.txtar", Step: 23,
		Notation: langtest.Notation{
			Header: func(f *index.Facts) string { return "package " + f.Module },
			Flags:  writeFlags,
			Param:  writeParam,
			Name:   writeName,
			Args:   writeArgs,
			Expr:   writeExpr,
		}}
}

// covers: IDX-2, IDX-3, IDX-4, IDX-7, IDX-8, IDX-10, IDX-11, IDX-12, IDX-13, IDX-20, IDX-21, ACC-8, ARC-5, ARC-6, REL-3
func TestCases(t *testing.T) { kit().Test(t) }

func newReader(t testing.TB) *langtest.Reader { return langtest.NewReader(t, Language()) }

func writeFlags(flags uint16) string {
	var b strings.Builder
	for bit, word := range []string{"alias", "pointer", "embedded", "generic", "variadic", "abstract"} {
		if flags&(1<<bit) != 0 {
			b.WriteString(" " + word)
		}
	}
	return b.String()
}

func writeParam(p index.Param) string {
	dots := ""
	if p.Variadic {
		dots = "..."
	}
	return strings.TrimSpace(p.Name + " " + dots + p.Type)
}

func writeName(f *index.Facts, def int32) string {
	name := f.Names[f.Defs[def].Name]
	if owner := ownerName(f, def); owner != name {
		return owner + "." + name
	}
	return name
}

func writeArgs(r langtest.Rendering, c index.Args) string {
	spread := ""
	if c.Spread {
		spread = " spread"
	}
	return fmt.Sprintf("%s %q", spread, r.Src[c.Start:c.End])
}

// writeExpr writes an expression: $x is a local, #x a definition, 'x a type parameter.
func writeExpr(r langtest.Rendering, i int32, depth int) string {
	if i < 0 {
		return "?"
	}
	if depth > 12 {
		return "…"
	}
	e := r.Exprs[i]
	sub := func(i int32) string { return writeExpr(r, i, depth+1) }
	name := "?"
	if _, _, named := operandsOf(e.Op); named && e.Name >= 0 {
		name = r.Names[e.Name]
	}
	var items []string
	for _, v := range r.Lists[e.L0:e.L1] {
		items = append(items, sub(v))
	}
	list := strings.Join(items, ", ")
	switch e.Op {
	case opName:
		return name
	case opLocal:
		return r.Local(e.A, depth, 12)
	case opSelect:
		if e.B >= 0 {
			return sub(e.A) + "." + name + "|" + sub(e.B)
		}
		return sub(e.A) + "." + name
	case opIndex:
		return sub(e.A) + "[" + list + "]"
	case opStar, opPointer:
		return "*" + sub(e.A)
	case opFuncLit:
		return sub(e.A) + "{}"
	case opDef:
		return "#" + r.Names[r.Defs[e.A].Name]
	case opCall:
		return sub(e.A) + "(" + list + ")"
	case opResult:
		return fmt.Sprintf("%s#%d", sub(e.A), e.B)
	case opAddr:
		return "&" + sub(e.A)
	case opRecv:
		return "<-" + sub(e.A)
	case opSlice:
		return sub(e.A) + "[:]"
	case opAssert:
		return sub(e.A) + ".(" + sub(e.B) + ")"
	case opComposite:
		return writeComposite(r, e, depth)
	case opBasic:
		return "<" + name + ">"
	case opUnary:
		return "-" + sub(e.A)
	case opBinary:
		return "(" + sub(e.A) + "+" + sub(e.B) + ")"
	case opRangeKey:
		return "key(" + sub(e.A) + ")"
	case opRangeElem:
		return "elem(" + sub(e.A) + ")"
	case opSwitch:
		return "case(" + sub(e.A) + ": " + list + ")"
	}
	return writeType(r, e, list, sub)
}

func writeType(r langtest.Rendering, e index.Expr, list string, sub func(int32) string) string {
	switch e.Op {
	case opArray:
		return "[n]" + sub(e.A)
	case opSliceType:
		return "[]" + sub(e.A)
	case opMap:
		return "map[" + sub(e.A) + "]" + sub(e.B)
	case opChan:
		return "chan " + sub(e.A)
	case opFuncType:
		return fmt.Sprintf("func/%d/%d(%s)", e.A, e.B, list)
	case opStruct:
		return fmt.Sprintf("struct[%d:%d]{%s}", e.B, e.Name, list)
	case opInterface:
		return fmt.Sprintf("interface[%d:%d]{%s}", e.B, e.Name, list)
	case opUnion:
		return "union(" + list + ")"
	case opTypeParam:
		return "'" + r.Params[e.A].Name
	}
	return "unknown"
}

func writeComposite(r langtest.Rendering, e index.Expr, depth int) string {
	switch {
	case e.A >= 0:
		return writeExpr(r, e.A, depth+1) + "{}"
	case e.Name == 1:
		return writeExpr(r, e.B, depth+1) + "{key}"
	}
	return writeExpr(r, e.B, depth+1) + "{elem}"
}
