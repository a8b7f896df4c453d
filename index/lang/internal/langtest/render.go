package langtest

import (
	"fmt"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A Notation is how a language's own part of the facts is written.
type Notation struct {
	// Header says what kind of file it is.
	Header func(f *index.Facts) string
	// Flags names the flags of a definition, each behind a space.
	Flags func(flags uint16) string
	Param func(p index.Param) string
	// Name is how a relation names a definition beside its place; nil: not at all.
	Name func(f *index.Facts, def int32) string
	// Args says what a call passes beside how many values.
	Args func(r Rendering, c index.Args) string
	// Expr writes the expression i; depth is 0 at first.
	Expr func(r Rendering, i int32, depth int) string
}

// A Rendering writes facts so that a person can read them.
type Rendering struct {
	*index.Facts
	Src []byte
	Notation
}

func (r Rendering) parts() map[string]func() string {
	return map[string]func() string{"file": r.file, "defs": r.defs, "sites": r.sites, "marks": r.marks}
}

func (r Rendering) at(offset uint32) string {
	line := sort.Search(len(r.LineStarts), func(i int) bool { return r.LineStarts[i] > offset })
	return fmt.Sprintf("%d:%d", line, offset-r.LineStarts[line-1]+1)
}

func (r Rendering) file() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", r.Header(r.Facts), r.Origin)
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
	for _, d := range r.Directives {
		fmt.Fprintf(&b, "%s generate %q makes %q\n", r.at(d.Range.Start), d.Command, d.Outputs)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

func (r Rendering) defs() string {
	var b strings.Builder
	for i, d := range r.Defs {
		fmt.Fprintf(&b, "%d %s-%s %s %s %s", i, r.at(d.Range.Start), r.at(d.Range.End), d.Visibility, d.Kind, r.Names[d.Name])
		if d.Parent >= 0 {
			fmt.Fprintf(&b, " in %s", r.Names[r.Defs[d.Parent].Name])
		}
		if d.Owner >= 0 {
			fmt.Fprintf(&b, " of %s", r.Names[d.Owner])
		}
		b.WriteString(r.Flags(d.Flags))
		if d.P3 > d.P0 {
			fmt.Fprintf(&b, " (%s) (%s) [%s]", r.params(d.P0, d.P1), r.params(d.P1, d.P2), r.params(d.P2, d.P3))
		}
		if d.Type >= 0 {
			fmt.Fprintf(&b, " type %s", r.Expr(r, d.Type, 0))
		}
		if d.Value >= 0 {
			fmt.Fprintf(&b, " value %s", r.Expr(r, d.Value, 0))
		}
		if d.Body < d.Range.End {
			fmt.Fprintf(&b, " body %s", r.at(d.Body))
		}
		if d.Doc.End > 0 {
			fmt.Fprintf(&b, " doc %q", r.Src[d.Doc.Start:d.Doc.End])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r Rendering) params(from, to uint32) string {
	var all []string
	for _, p := range r.Params[from:to] {
		all = append(all, r.Param(p))
	}
	return strings.Join(all, ", ")
}

func (r Rendering) sites() string {
	var b strings.Builder
	for _, s := range r.Sites {
		fmt.Fprintf(&b, "%s %s %s", r.at(s.Start), s.Kind, r.Names[s.Name])
		if s.In >= 0 {
			fmt.Fprintf(&b, " in %s", r.Names[r.Defs[s.In].Name])
		}
		if s.Expr >= 0 {
			fmt.Fprintf(&b, " = %s", r.Expr(r, s.Expr, 0))
		}
		if s.Call >= 0 {
			c := r.Calls[s.Call]
			fmt.Fprintf(&b, " args %d%s", c.Count, r.Args(r, c))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r Rendering) marks() string {
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

// Local writes a local as $x, and what is known of it below the depth deepest.
func (r Rendering) Local(i int32, depth, deepest int) string {
	l := r.Locals[i]
	switch name := "$" + r.Names[l.Name]; {
	case depth > deepest:
		return name
	case l.Type >= 0:
		return name + ":" + r.Expr(r, l.Type, depth+1)
	case l.Value >= 0:
		return name + "=" + r.Expr(r, l.Value, depth+1)
	default:
		return name
	}
}
