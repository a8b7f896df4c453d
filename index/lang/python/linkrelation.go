package python

import (
	"context"

	"github.com/plumbkit/plumb/index"
)

// Relations returns which classes extend or implement which, and which methods
// override or implement those of an ancestor. All rest on declared bases; a
// protocol that a class satisfies without naming it is not looked for.
func (l *linker) Relations(ctx context.Context) ([]index.Relation, error) {
	var out []index.Relation
	c := l.newCycle(ctx)
	for i := range l.files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := l.load(int32(i))
		for d := range f.facts.Defs {
			switch f.facts.Defs[d].Kind {
			case index.KindClass, index.KindInterface, index.KindEnum:
				c.begin()
				if more := l.relate(out, f.self[d], c); !c.over {
					out = more
				}
			}
		}
	}
	return out, nil
}

func (l *linker) relate(out []index.Relation, t index.Target, c *cycle) []index.Relation {
	cl := l.classOf(t, c)
	e := l.in(t.File, c)
	if def := &e.facts.Defs[t.Def]; def.Type >= 0 && int(def.Type) < len(e.facts.Exprs) {
		for _, b := range e.list(&e.facts.Exprs[def.Type]) {
			base := e.value(b)
			if base != nil && base.form == formType {
				base = classOf(base.args[0])
			}
			if base == nil || base.form != formClass || base.t == t {
				continue
			}
			kind := index.Extends
			if l.isInterface(base.t) && !l.isInterface(t) {
				kind = index.Implements
			}
			out = append(out, index.Relation{Kind: kind, From: t, To: base.t, Sure: true})
		}
	}
	f := l.load(t.File)
	seen := map[string]bool{}
	for _, d := range f.kids[t.Def] {
		def := &f.facts.Defs[d]
		name := f.facts.Names[def.Name]
		if def.Kind != index.KindMethod && def.Kind != index.KindConstructor || seen[name] || mangled(name) {
			continue
		}
		seen[name] = true
		if to, ok := l.overridden(cl, name); ok {
			kind := index.Overrides
			if l.load(to.File).facts.Defs[to.Def].Flags&index.DefAbstract != 0 {
				kind = index.Implements
			}
			from := l.choose(cl.members[name], false)[0]
			out = append(out, index.Relation{Kind: kind, From: from, To: to, Sure: true})
		}
	}
	return out
}

func (l *linker) isInterface(t index.Target) bool {
	return isInterface(&l.load(t.File).facts.Defs[t.Def])
}

// overridden returns the nearest ancestor's method of that name.
func (l *linker) overridden(cl *class, name string) (index.Target, bool) {
	for _, a := range cl.mro[1:] {
		if a.c == nil {
			continue
		}
		if ts := a.c.members[name]; len(ts) > 0 {
			t := l.choose(ts, false)[0]
			k := l.load(t.File).facts.Defs[t.Def].Kind
			return t, k == index.KindMethod || k == index.KindConstructor
		}
	}
	return index.Target{}, false
}
