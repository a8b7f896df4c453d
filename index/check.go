package index

import "fmt"

// check returns what in the facts contradicts itself, "" when nothing does.
// Whatever passes can be packed, linked and asked without reading out of range.
func (f *Facts) check(size int) string {
	if f.HeadExprs > uint32(len(f.Exprs)) || f.HeadLists > uint32(len(f.Lists)) || f.HeadLocals > uint32(len(f.Locals)) {
		return "the head is larger than the whole"
	}
	for i := range f.Defs {
		if reason := f.checkDef(i, size); reason != "" {
			return fmt.Sprintf("definition %d: %s", i, reason)
		}
	}
	last := uint32(0)
	for i := range f.Sites {
		s := &f.Sites[i]
		switch {
		case int(s.Name) >= len(f.Names), s.In < -1, int(s.In) >= len(f.Defs), s.Expr < -1, int(s.Expr) >= len(f.Exprs),
			s.Call < -1, int(s.Call) >= len(f.Calls):
			return fmt.Sprintf("site %d refers to nothing", i)
		case s.Start < last, int(s.Start)+len(f.Names[s.Name]) > size:
			return fmt.Sprintf("site %d is out of order or of the file", i)
		}
		last = s.Start
	}
	for i := range f.Marks {
		if m := &f.Marks[i]; !m.Range.within(size) || m.In < -1 || int(m.In) >= len(f.Defs) {
			return fmt.Sprintf("mark %d refers to nothing", i)
		}
	}
	return f.checkExprs()
}

func (f *Facts) checkDef(i, size int) string {
	d := &f.Defs[i]
	switch {
	case int(d.Name) >= len(f.Names), d.Owner < -1, int(d.Owner) >= len(f.Names):
		return "its name is not in Names"
	case d.Parent < -1, int(d.Parent) >= i:
		return "its parent does not stand before it"
	case !d.Range.within(size), !d.Ident.within(size), !d.Doc.within(size), d.Body < d.Range.Start:
		return "its range is not in the file"
	case d.P0 > d.P1, d.P1 > d.P2, d.P2 > d.P3, int(d.P3) > len(f.Params):
		return "its parameters are not in Params"
	case d.Type < -1, int(d.Type) >= len(f.Exprs), d.Value < -1, int(d.Value) >= len(f.Exprs):
		return "its expression is not in Exprs"
	case i > 0 && d.Range.Start < f.Defs[i-1].Range.Start:
		return "it stands before the previous one"
	}
	return ""
}

func (f *Facts) checkExprs() string {
	names := max(len(f.Names), len(f.Defs)+1) // a Name may be the end of a range of Defs
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.L0 > e.L1 || int(e.L1) > len(f.Lists) || e.Name < -1 || int(e.Name) >= names {
			return fmt.Sprintf("expression %d refers to nothing", i)
		}
	}
	for i, l := range f.Locals {
		if int(l.Name) >= len(f.Names) || l.Type < -1 || int(l.Type) >= len(f.Exprs) || l.Value < -1 || int(l.Value) >= len(f.Exprs) {
			return fmt.Sprintf("local %d refers to nothing", i)
		}
	}
	return ""
}

func (r Range) within(size int) bool { return r.Start <= r.End && int(r.End) <= size }
