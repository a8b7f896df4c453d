package changeset

import (
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// dispatchers adds, at low grade, what calls through a table of names: where a
// name stands in a package-level value, those who read the value look things up
// by it, and the function types they name are the shapes that they expect.
func (v *derivation) dispatchers(u *openUse) {
	table, ok := v.snap.Symbol(u.ref.In)
	if !ok || table.Kind != index.KindVariable && table.Kind != index.KindConstant {
		return
	}
	c := u.contracts[0]
	for _, r := range v.snap.References(table.ID, 0).Sure {
		reader, ok := v.snap.Symbol(r.In)
		if !ok || reader.ID == table.ID || reader.Origin == index.Test {
			continue
		}
		v.possibly(c, reader, fmt.Sprintf("reads %s, a table that holds the name %q, and may call %s through it; confirm", table.Canonical, u.ref.Name, c.sym.Canonical))
		v.shapes(c, reader)
	}
}

// shapes adds the function types that a dispatcher names.
func (v *derivation) shapes(c contract, reader index.Symbol) {
	for _, r := range v.snap.RefsIn(reader.Span.File) {
		if r.In != reader.ID || r.Kind != index.RefType || r.Status != index.Static {
			continue
		}
		for _, id := range r.Targets {
			if t, ok := v.snap.Symbol(id); ok && functional(t) {
				v.possibly(c, t, fmt.Sprintf("is the shape in which %s expects what it looks up; confirm that %s still has it", reader.Canonical, c.sym.Canonical))
			}
		}
	}
}

// functional reports whether a type is that of a function, as written.
func functional(t index.Symbol) bool {
	return t.Kind == index.KindType && slices.ContainsFunc(words(t.Signature.Text+" "+t.Signature.Type), func(w string) bool { return w == "func" || w == "fn" || w == "callable" })
}

func (v *derivation) possibly(c contract, sym index.Symbol, why string) {
	if _, generated := v.snap.Derived(sym.Span.File); generated {
		return
	}
	v.act(Action{Kind: Sync, Capability: v.pointOf(c.sym.ID), Symbol: sym.ID, Target: spanOf(v.snap, sym), Block: callsPrefix + c.block, Why: why, Grade: Low, Source: "a table of names", Weak: true})
}

// beside makes room for what a point needs and does not name: helpers in the
// files that it changes, and the types that a new signature names and that do
// not exist. A point that lists what it creates gets nothing more.
func (v *derivation) beside() error {
	if len(v.in.Task.Capabilities) == 0 && v.onlyNames() {
		return nil
	}
	listed := make(map[string]bool)
	for _, p := range v.points {
		listed[p.ID] = len(p.Creates) > 0
	}
	done := make(map[string]bool)
	for _, a := range append([]Action(nil), v.actions.all...) {
		if a.Kind != Define && a.Kind != Sync || a.Grade != High || done[a.Target.File] || listed[a.Capability] {
			continue
		}
		done[a.Target.File] = true
		v.act(Action{Kind: Create, Capability: a.Capability, Target: v.endOf(a.Target.File), Block: a.Block, Why: "helpers that " + a.Capability + " needs in this file", Grade: Medium,
			Source: "inferred: the point lists nothing that it creates", Weak: a.Weak})
	}
	return nil
}
