package python

import (
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// replaced reports whether one of the definitions of a name in one scope is an
// assignment that puts something else in the place of a function or class: not a
// value made of that itself, as f = cached(f) is.
func (l *linker) replaced(ts []index.Target) bool {
	made := slices.ContainsFunc(ts, func(t index.Target) bool { return !assigned(l.defOf(t)) })
	return made && slices.ContainsFunc(ts, func(t index.Target) bool {
		d := l.defOf(t)
		return assigned(d) && !l.madeOf(t.File, d.Value, l.load(t.File).facts.Names[d.Name], 0)
	})
}

func (l *linker) defOf(t index.Target) *index.Def { return &l.load(t.File).facts.Defs[t.Def] }

// madeOf reports whether the expression mentions the name.
func (l *linker) madeOf(file, i int32, name string, depth int) bool {
	facts := l.load(file).facts
	if i < 0 || int(i) >= len(facts.Exprs) || depth > 16 {
		return false
	}
	x := &facts.Exprs[i]
	if (x.Op == opName || x.Op == opOwn) && x.Name >= 0 && int(x.Name) < len(facts.Names) && facts.Names[x.Name] == name {
		return true
	}
	a, b, _ := operandsOf(x.Op)
	if a == extract.ToExpr && l.madeOf(file, x.A, name, depth+1) || b == extract.ToExpr && l.madeOf(file, x.B, name, depth+1) {
		return true
	}
	for _, o := range facts.Lists[min(x.L0, x.L1):min(int(x.L1), len(facts.Lists))] {
		if x.Op != opImport && l.madeOf(file, o, name, depth+1) {
			return true
		}
	}
	return false
}

// certain reports whether a member is assigned in the body of its class itself,
// in no branch: it then stands in the place of what a base declares. A method may
// assign to the instance later or never.
func (l *linker) certain(t index.Target) bool {
	d := l.defOf(t)
	return d.Flags&defConditional == 0 && !inFunction(l.load(t.File).facts, d.Range.Start)
}

// hides decides between members that a class assigns and the method or class of
// the same name that a base declares. What a method assigns to a property is given
// to its setter.
func (e *eval) hides(assigned, declared []index.Target) (ts []index.Target, doubt string) {
	if e.l.certain(assigned[0]) {
		return assigned, ""
	}
	if d := e.l.decoration(declared[0]); d == decoProperty || d == decoSetter {
		return declared, ""
	}
	return append(slices.Clone(assigned), declared...), reasonRebound
}
