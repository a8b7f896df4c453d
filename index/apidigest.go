package index

import (
	"crypto/sha256"
	"encoding/binary"
)

// apiDigest hashes all of a file that the resolution of other files can depend
// on: its definitions without their places and bodies, the expressions of
// their types and values, and what it imports. Names go in as text, because
// their numbers shift with the bodies.
func (w *worker) apiDigest(f *Facts) [32]byte {
	b := w.scratch[:0]
	str := func(s string) { b = appendString(b, s) }
	num := func(vs ...int64) {
		for _, v := range vs {
			b = binary.AppendVarint(b, v)
		}
	}
	name := func(n int32) {
		if n < 0 || int(n) >= len(f.Names) {
			num(-1)
			return
		}
		str(f.Names[n])
	}
	str(f.Language)
	str(f.Module)
	str(f.Constraint)
	num(int64(f.Origin), int64(len(f.Imports)), int64(len(f.Defs)))
	for i := range f.Imports {
		im := &f.Imports[i]
		str(im.Path)
		str(im.Alias)
		num(int64(len(im.Symbols)), int64(len(im.Aliases)))
		for _, s := range im.Symbols {
			str(s)
		}
		for _, s := range im.Aliases {
			str(s)
		}
	}
	for i := range f.Defs {
		d := &f.Defs[i]
		name(int32(d.Name))
		name(d.Owner)
		num(int64(d.Kind), int64(d.Visibility), int64(d.Flags), int64(d.Parent), int64(d.P0), int64(d.P1), int64(d.P2),
			int64(d.P3), int64(d.Type), int64(d.Value))
	}
	for i := range f.Params {
		a := &f.Params[i]
		str(a.Name)
		str(a.Type)
		str(a.Default)
		num(int64(bits(a.Variadic, a.Keyword, a.Optional)))
	}
	exprs, lists, locals := f.heads()
	for _, e := range exprs {
		name(e.Name)
		num(int64(e.Op), int64(e.A), int64(e.B), int64(e.L0), int64(e.L1))
	}
	for _, l := range locals {
		name(int32(l.Name))
		num(int64(l.Type), int64(l.Value))
	}
	for _, v := range lists {
		num(int64(v))
	}
	w.scratch = b
	return sha256.Sum256(b)
}

// heads returns what definitions need of Exprs, Lists and Locals.
func (f *Facts) heads() ([]Expr, []int32, []Local) {
	if f.HeadExprs+f.HeadLists+f.HeadLocals == 0 {
		return f.Exprs, f.Lists, f.Locals
	}
	return f.Exprs[:f.HeadExprs], f.Lists[:f.HeadLists], f.Locals[:f.HeadLocals]
}
