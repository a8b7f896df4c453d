package ecmascript

import (
	"context"

	"github.com/plumbkit/plumb/index"
)

// Relations returns which class or interface extends or implements which, and
// for each such pair which member stands for which. What is written down is
// sure; types that merely have the members of an interface are not looked for.
func (l *linker) Relations(ctx context.Context) ([]index.Relation, error) {
	r := relating{l: l}
	for i := range l.files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := l.load(int32(i))
		for d := range f.facts.Defs {
			switch f.facts.Defs[d].Kind {
			case index.KindClass, index.KindInterface:
				r.relate(index.Target{File: int32(i), Def: int32(d)})
			}
		}
	}
	return r.out, nil
}

type relating struct {
	l   *linker
	out []index.Relation
}

// relate adds what one declaration of a class or interface extends and implements.
func (r *relating) relate(t index.Target) {
	f := r.l.load(t.File).facts
	d := &f.Defs[t.Def]
	if d.Type < 0 {
		return
	}
	x := &f.Exprs[d.Type]
	if x.Op == opGeneric && x.A >= 0 {
		x = &f.Exprs[x.A]
	}
	e := r.l.newEval(t.File, nil)
	switch list := f.Lists[x.L0:x.L1]; x.Op {
	case opInterface:
		for _, b := range list[:min(len(list), max(0, int(x.A)))] {
			r.pair(e, t, e.typ(scope{file: t.File}, b), index.Extends)
		}
	case opClass:
		for i, b := range list {
			if i < int(x.A) {
				r.pair(e, t, e.baseClass(scope{file: t.File}, f, b), index.Extends)
			} else {
				r.pair(e, t, e.typ(scope{file: t.File}, b), index.Implements)
			}
		}
	}
}

// pair adds the edge between two types and those between their members.
func (r *relating) pair(e *eval, from index.Target, to *typ, kind index.RelationKind) {
	if to == nil || to.form != formNamed && to.form != formBoth {
		return
	}
	if to.form == formBoth {
		for _, m := range to.list {
			r.pair(e, from, m, kind)
		}
		return
	}
	for _, t := range to.ent.defs {
		if k := r.l.def(t).Kind; k == index.KindClass || k == index.KindInterface {
			r.out = append(r.out, index.Relation{Kind: kind, From: from, To: t, Sure: true})
		}
	}
	f := r.l.load(from.File)
	for _, k := range f.kids[from.Def] {
		m := &f.facts.Defs[k]
		if m.Kind != index.KindMethod && m.Kind != index.KindField || m.Flags&flagStatic != 0 || m.Visibility == index.Private {
			continue
		}
		got := e.selectMember(to, f.facts.Names[m.Name], to)
		if got.what != findHere {
			continue
		}
		for _, p := range got.parts {
			for _, t := range p.targets {
				r.out = append(r.out, index.Relation{Kind: r.between(m, t), From: index.Target{File: from.File, Def: k}, To: t, Sure: true})
			}
		}
	}
}

// between is what a member does to that of a base: it implements what has no body.
func (r *relating) between(m *index.Def, of index.Target) index.RelationKind {
	d := r.l.def(of)
	if d.Flags&index.DefAbstract != 0 || d.Parent >= 0 && r.l.files[of.File].facts.Defs[d.Parent].Kind == index.KindInterface {
		if m.Flags&index.DefAbstract == 0 {
			return index.Implements
		}
	}
	return index.Overrides
}
