package golang

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A rendering writes facts so that a person can read them.
type rendering struct {
	*index.Facts
	src []byte
}

func (r rendering) at(offset uint32) string {
	line := lineOf(r.Facts, int(offset))
	return fmt.Sprintf("%d:%d", line+1, offset-r.LineStarts[line]+1)
}

func (r rendering) file() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s, %s\n", r.Module, r.Origin)
	if r.Constraint != "" {
		fmt.Fprintf(&b, "constraint %s\n", r.Constraint)
	}
	if r.Skipped != "" {
		fmt.Fprintf(&b, "skipped: %s\n", r.Skipped)
	}
	for _, i := range r.Imports {
		fmt.Fprintf(&b, "%s import %q %s\n", r.at(i.Range.Start), i.Path, i.Alias)
	}
	for _, d := range r.Directives {
		fmt.Fprintf(&b, "%s generate %q makes %q\n", r.at(d.Range.Start), d.Command, d.Outputs)
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
		if d.Owner >= 0 {
			fmt.Fprintf(&b, " of %s", r.Names[d.Owner])
		}
		for bit, word := range []string{"alias", "pointer", "embedded", "generic", "variadic", "abstract"} {
			if d.Flags&(1<<bit) != 0 {
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
		dots := ""
		if p.Variadic {
			dots = "..."
		}
		all = append(all, strings.TrimSpace(p.Name+" "+dots+p.Type))
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
			fmt.Fprintf(&b, " args %d", c.Count)
			if c.Spread {
				b.WriteString(" spread")
			}
			fmt.Fprintf(&b, " %q", r.src[c.Start:c.End])
		}
		b.WriteByte('\n')
	}
	return b.String()
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

// expr writes an expression: $x is a local, #x a definition, 'x a type parameter.
func (r rendering) expr(i int32, depth int) string {
	if i < 0 {
		return "?"
	}
	if depth > 12 {
		return "…"
	}
	e := r.Exprs[i]
	sub := func(i int32) string { return r.expr(i, depth+1) }
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
		return r.local(e.A, depth)
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
		return r.composite(e, depth)
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
	return r.typ(e, list, sub)
}

func (r rendering) typ(e index.Expr, list string, sub func(int32) string) string {
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

func (r rendering) composite(e index.Expr, depth int) string {
	switch {
	case e.A >= 0:
		return r.expr(e.A, depth+1) + "{}"
	case e.Name == 1:
		return r.expr(e.B, depth+1) + "{key}"
	}
	return r.expr(e.B, depth+1) + "{elem}"
}

func (r rendering) local(i int32, depth int) string {
	l := r.Locals[i]
	switch {
	case l.Type >= 0:
		return "$" + r.Names[l.Name] + ":" + r.expr(l.Type, depth+1)
	case l.Value >= 0:
		return "$" + r.Names[l.Name] + "=" + r.expr(l.Value, depth+1)
	}
	return "$" + r.Names[l.Name]
}
