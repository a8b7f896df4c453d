package python

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// A rendering writes facts so that a person can read them.
type rendering struct {
	*index.Facts
	src []byte
}

func (r rendering) at(offset uint32) string {
	line := sort.Search(len(r.LineStarts), func(i int) bool { return r.LineStarts[i] > offset })
	return fmt.Sprintf("%d:%d", line, offset-r.LineStarts[line-1]+1)
}

func (r rendering) file() string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %q, %s\n", r.Module, r.Origin)
	if r.Constraint != "" {
		fmt.Fprintf(&b, "constraint %s\n", r.Constraint)
	}
	if r.Skipped != "" {
		fmt.Fprintf(&b, "skipped: %s\n", r.Skipped)
	}
	for _, i := range r.Imports {
		fmt.Fprintf(&b, "%s import %q %s", r.at(i.Range.Start), i.Path, i.Alias)
		for k := range i.Symbols {
			fmt.Fprintf(&b, " %s=%s", i.Aliases[k], i.Symbols[k])
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

func (r rendering) defs() string {
	var b strings.Builder
	for i, d := range r.Defs {
		fmt.Fprintf(&b, "%d %s-%s %s %s %s", i, r.at(d.Range.Start), r.at(d.Range.End), d.Visibility, d.Kind, r.Names[d.Name])
		if d.Parent >= 0 {
			fmt.Fprintf(&b, " in %s", r.Names[r.Defs[d.Parent].Name])
		}
		for bit, word := range map[uint16]string{index.DefAlias: "alias", index.DefGeneric: "generic", index.DefVariadic: "variadic",
			index.DefAbstract: "abstract", defConditional: "conditional"} {
			if d.Flags == bit {
				b.WriteString(" " + word)
			}
		}
		if d.P3 > d.P0 {
			fmt.Fprintf(&b, " (%s) (%s) [%s]", r.params(d.P0, d.P1), r.params(d.P1, d.P2), r.params(d.P2, d.P3))
		}
		if d.Type >= 0 {
			fmt.Fprintf(&b, " type %s", r.expr(d.Type, 0))
		}
		if d.Value >= 0 {
			fmt.Fprintf(&b, " value %s", r.expr(d.Value, 0))
		}
		if d.Body < d.Range.End {
			fmt.Fprintf(&b, " body %s", r.at(d.Body))
		}
		if d.Doc.End > 0 {
			fmt.Fprintf(&b, " doc %q", r.src[d.Doc.Start:d.Doc.End])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r rendering) params(from, to uint32) string {
	var all []string
	for _, p := range r.Params[from:to] {
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
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func (r rendering) sites() string {
	var b strings.Builder
	for _, s := range r.Sites {
		fmt.Fprintf(&b, "%s %s %s", r.at(s.Start), s.Kind, r.Names[s.Name])
		if s.In >= 0 {
			fmt.Fprintf(&b, " in %s", r.Names[r.Defs[s.In].Name])
		}
		if s.Expr >= 0 {
			fmt.Fprintf(&b, " = %s", r.expr(s.Expr, 0))
		}
		if s.Call >= 0 {
			c := r.Calls[s.Call]
			fmt.Fprintf(&b, " args %d %s", c.Count, strings.Join(c.Names, " "))
			if c.Spread {
				b.WriteString(" spread")
			}
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

func (r rendering) marks() string {
	var b strings.Builder
	for _, m := range r.Marks {
		fmt.Fprintf(&b, "%s-%s %s", r.at(m.Range.Start), r.at(m.Range.End), m.Kind)
		if m.Form != "" {
			fmt.Fprintf(&b, " %s", m.Form)
		}
		if m.Strength != 0 {
			fmt.Fprintf(&b, " %d", m.Strength)
		}
		if m.In >= 0 {
			fmt.Fprintf(&b, " in %s", r.Names[r.Defs[m.In].Name])
		}
		if m.Text != "" {
			fmt.Fprintf(&b, " %q", m.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// opNames are the operations that are written as a function of their operands.
var opNames = map[uint8]string{opAwait: "await", opIter: "iter", opAsyncIter: "aiter", opEnter: "enter", opAsyncEnter: "aenter", opExcept: "except",
	opUnion: "union", opNarrow: "narrow", opExclude: "exclude", opTuple: "tuple", opList: "list", opSet: "set", opDict: "dict", opGen: "gen",
	opOr: "or", opBinary: "binary", opLambda: "lambda", opDeclared: "declared", opFunc: "func", opAsync: "async", opClass: "class",
	opReturns: "returns", opYields: "yields", opSpread: "spread", opSlice: "slice"}

// expr writes an expression: $x is a local, #x a definition.
func (r rendering) expr(i int32, depth int) string {
	if i < 0 {
		return "?"
	}
	if depth > 10 {
		return "…"
	}
	e := r.Exprs[i]
	sub := func(i int32) string { return r.expr(i, depth+1) }
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
	return r.simple(e, name, strings.Join(list, ", "), sub, depth)
}

func (r rendering) simple(e index.Expr, name, list string, sub func(int32) string, depth int) string {
	switch e.Op {
	case opName:
		return name
	case opLocal:
		return r.local(e.A, depth)
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

func (r rendering) local(i int32, depth int) string {
	l := r.Locals[i]
	switch {
	case depth > 3:
		return "$" + r.Names[l.Name]
	case l.Type >= 0:
		return "$" + r.Names[l.Name] + ":" + r.expr(l.Type, depth+1)
	case l.Value >= 0:
		return "$" + r.Names[l.Name] + "=" + r.expr(l.Value, depth+1)
	}
	return "$" + r.Names[l.Name]
}

// checkShape checks what facts promise whatever the source.
func checkShape(t *testing.T, f *index.Facts, src []byte) {
	for i, d := range f.Defs {
		require.Less(t, d.Parent, int32(i), f.Path)
		require.LessOrEqual(t, d.Range.Start, d.Ident.Start, f.Path)
		require.GreaterOrEqual(t, d.Range.End, d.Body, f.Path)
		require.LessOrEqual(t, d.P3, uint32(len(f.Params)))
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
		require.Less(t, s.Expr, int32(len(f.Exprs)))
		require.Less(t, s.Call, int32(len(f.Calls)))
		require.Less(t, s.In, int32(len(f.Defs)))
	}
	checkExprs(t, f)
}

func checkExprs(t *testing.T, f *index.Facts) {
	for i, e := range f.Exprs {
		limits := map[extract.Operand]int{extract.ToExpr: len(f.Exprs), extract.ToLocal: len(f.Locals), extract.ToDef: len(f.Defs)}
		if i < int(f.HeadExprs) {
			limits[extract.ToExpr] = int(f.HeadExprs)
			require.LessOrEqual(t, e.L1, f.HeadLists)
		}
		a, b, name := operandsOf(e.Op)
		if limit, ok := limits[a]; ok {
			require.Less(t, int(e.A), limit)
		}
		if limit, ok := limits[b]; ok {
			require.Less(t, int(e.B), limit)
		}
		if name {
			require.Less(t, int(e.Name), len(f.Names))
		}
	}
}
