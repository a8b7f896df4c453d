package golang

import (
	"context"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Relations returns what embeds what, which types of the repository satisfy
// which of its interfaces, and for each such pair which method stands for
// which method of the interface. An interface without methods, and one with
// type terms, is satisfied by nothing here.
func (l *linker) Relations(ctx context.Context) ([]index.Relation, error) {
	r := relating{l: l, having: map[string][]int32{}, related: map[[2]index.Target]int{}}
	for _, p := range l.pkgs {
		p.load(l)
	}
	for _, p := range l.pkgs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range p.objects {
			r.collect(&p.objects[i])
		}
	}
	for i := range r.interfaces {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.satisfy(&r.interfaces[i])
	}
	return r.out, nil
}

// relating collects method sets and matches them. Types are found by the
// names of their methods, so that each interface looks only at those that have
// its rarest one.
type relating struct {
	l          *linker
	types      []methodSet
	interfaces []methodSet
	having     map[string][]int32      // types by a method's name
	related    map[[2]index.Target]int // index in out
	out        []index.Relation
}

// A methodSet is the methods of a type, promoted ones included.
type methodSet struct {
	object  *object
	generic bool
	methods []method // in order of name
	// outside are the outside types embedded, which may declare more.
	outside []*typ
}

// A method is one method of a set; t is nil when its type is not known.
type method struct {
	name    string
	targets []index.Target
	t       *typ
}

func (r *relating) collect(o *object) {
	decl := o.targets[0]
	d := &r.l.files[decl.File].facts.Defs[decl.Def]
	if !isType(d.Kind) || d.Flags&index.DefAlias != 0 {
		return
	}
	e := r.l.in(decl.File, newCycle())
	t := r.l.typeOf(decl, e.cycle)
	u := e.under(t)
	if u == nil || u.form != formStruct && u.form != formInterface {
		if o.methods[0] < o.methods[1] {
			r.addType(e, o, t, nil)
		}
		return
	}
	own := r.l.underlying(t, decl.File, e.cycle)
	if own == u {
		r.embeds(decl, u)
	}
	if u.form == formInterface {
		r.addInterface(e, o, u)
	} else {
		r.addType(e, o, t, u)
	}
}

func (r *relating) embeds(from index.Target, u *typ) {
	for _, embedded := range u.list {
		t := embedded.deref()
		if t == nil || t.form != formNamed {
			continue
		}
		r.out = append(r.out, index.Relation{Kind: index.Embeds, From: from, To: t.object.targets[0], Sure: true})
	}
}

func (r *relating) addInterface(e *eval, o *object, u *typ) {
	s := methodSet{object: o, generic: isGeneric(r.l, o)}
	if !r.gather(e, u, &s, 0) || len(s.methods) == 0 {
		return
	}
	sortMethods(&s)
	r.interfaces = append(r.interfaces, s)
}

func isGeneric(l *linker, o *object) bool {
	t := o.targets[0]
	return l.files[t.File].facts.Defs[t.Def].Flags&index.DefGeneric != 0
}

func sortMethods(s *methodSet) {
	slices.SortStableFunc(s.methods, func(a, b method) int { return strings.Compare(a.name, b.name) })
	s.methods = slices.CompactFunc(s.methods, func(a, b method) bool { return a.name == b.name })
}

// gather adds the methods of an interface and of those it embeds; ok is false
// when it has type terms.
func (r *relating) gather(e *eval, u *typ, s *methodSet, depth int) (ok bool) {
	f := &r.l.files[u.def.File]
	for i := max(u.n, 0); i < u.expr && int(i) < len(f.facts.Defs); i++ {
		d := &f.facts.Defs[i]
		if d.Parent != u.def.Def || d.Flags&index.DefEmbedded != 0 {
			continue
		}
		t := index.Target{File: u.def.File, Def: i}
		s.methods = append(s.methods, method{f.facts.Names[d.Name], f.self[i : i+1 : i+1], r.l.childType(u, t, e.cycle)})
	}
	for _, embedded := range u.list {
		in := e.under(embedded)
		switch {
		case in == nil || depth > maxEmbedding:
			return false
		case in.form == formInterface:
			if !r.gather(e, in, s, depth+1) {
				return false
			}
		case in.form == formOutside:
			s.outside = append(s.outside, in)
		case in.form == formBasic && in.name == "error":
			s.methods = append(s.methods, method{name: "Error", t: e.l.errorMethod()})
		case in.form == formBasic && (in.name == "any" || in.name == "comparable"):
		default:
			return false
		}
	}
	return true
}

// errorMethod returns the type func() string.
func (l *linker) errorMethod() *typ {
	return l.types.intern(shape{form: formFunc, list: []*typ{l.types.basic("string")}})
}

func (r *relating) addType(e *eval, o *object, t, u *typ) {
	s := methodSet{object: o, generic: isGeneric(r.l, o)}
	names := map[string]bool{}
	for _, m := range o.pkg.members[o.methods[0]:o.methods[1]] {
		names[m.name] = true
	}
	if u != nil {
		r.promoted(e, u, names, &s, 0)
	}
	for name := range names {
		m := e.member(t, name)
		if m.verdict != selFound && m.verdict != selShadowed {
			continue
		}
		at := m.targets[0]
		if r.l.files[at.File].facts.Defs[at.Def].Kind == index.KindMethod {
			s.methods = append(s.methods, method{name, m.targets, m.t})
		}
	}
	if len(s.methods) == 0 {
		return
	}
	sortMethods(&s)
	for _, m := range s.methods {
		r.having[m.name] = append(r.having[m.name], int32(len(r.types)))
	}
	r.types = append(r.types, s)
}

// promoted collects the names that embedding may promote.
func (r *relating) promoted(e *eval, u *typ, names map[string]bool, s *methodSet, depth int) {
	for _, embedded := range u.list {
		t := embedded.deref()
		in := e.under(t)
		if in == nil || depth > maxEmbedding {
			continue
		}
		if t.form == formNamed {
			for _, m := range t.object.pkg.members[t.object.methods[0]:t.object.methods[1]] {
				names[m.name] = true
			}
		}
		switch in.form {
		case formStruct:
			r.promoted(e, in, names, s, depth+1)
		case formInterface:
			sub := methodSet{}
			r.gather(e, in, &sub, depth+1)
			for _, m := range sub.methods {
				names[m.name] = true
			}
			s.outside = append(s.outside, sub.outside...)
		case formOutside:
			s.outside = append(s.outside, in)
		}
	}
}

// satisfy finds the types that have all methods of an interface.
func (r *relating) satisfy(want *methodSet) {
	rarest := want.methods[0].name
	for _, m := range want.methods {
		if len(r.having[m.name]) < len(r.having[rarest]) {
			rarest = m.name
		}
	}
	// A type that embeds outside types may have the rarest method from there.
	for _, i := range r.having[rarest] {
		have := &r.types[i]
		pairs, sure, ok := r.match(want, have)
		if !ok {
			continue
		}
		r.relate(have.object.targets[0], want.object.targets[0], sure)
		for _, p := range pairs {
			r.relate(p[0], p[1], sure)
		}
	}
}

// relate records one Implements edge, once: a promoted method stands for an
// interface's method on behalf of several types, and is sure if it is for one.
func (r *relating) relate(from, to index.Target, sure bool) {
	key := [2]index.Target{from, to}
	if at, ok := r.related[key]; ok {
		r.out[at].Sure = r.out[at].Sure || sure
		return
	}
	if from != to {
		r.related[key] = len(r.out)
		r.out = append(r.out, index.Relation{Kind: index.Implements, From: from, To: to, Sure: sure})
	}
}

// match pairs the methods of a type with those of an interface.
func (r *relating) match(want, have *methodSet) (pairs [][2]index.Target, sure, ok bool) {
	sure = r.covers(have.outside, want.outside)
	if !sure && len(have.outside) == 0 && len(have.methods) <= len(want.methods) {
		return nil, false, false
	}
	for _, w := range want.methods {
		i, found := slices.BinarySearchFunc(have.methods, w.name, func(m method, name string) int { return strings.Compare(m.name, name) })
		if !found {
			if len(have.outside) == 0 || len(want.outside) > 0 {
				return nil, false, false
			}
			sure = false
			continue
		}
		h := have.methods[i]
		if w.name[0] < 'A' || w.name[0] > 'Z' && w.name[0] < 0x80 {
			if want.object.pkg != have.object.pkg {
				return nil, false, false
			}
		}
		same, known := sameSignature(w.t, h.t)
		if !same {
			return nil, false, false
		}
		sure = sure && known
		for _, from := range h.targets {
			for _, to := range w.targets {
				pairs = append(pairs, [2]index.Target{from, to})
			}
		}
	}
	return pairs, sure, true
}

// covers reports whether have holds every outside type of want.
func (r *relating) covers(have, want []*typ) bool {
	for _, t := range want {
		if !slices.Contains(have, t) {
			return false
		}
	}
	return true
}

// sameSignature compares two method types; known is false when it rests on the
// number of parameters and results, because a type in them is not known, is
// generic, or is a literal.
func sameSignature(a, b *typ) (same, known bool) {
	if a == nil || b == nil {
		return true, false
	}
	if a == b {
		return true, true
	}
	if a.form != b.form || a.n != b.n || a.variadic != b.variadic || len(a.list) != len(b.list) {
		return false, true
	}
	known = true
	for i := range a.list {
		s, k := sameType(a.list[i], b.list[i], 0)
		if !s {
			return false, k
		}
		known = known && k
	}
	return true, known
}

func sameType(a, b *typ, depth int) (same, known bool) {
	switch {
	case a == nil || b == nil || depth > maxNesting:
		return true, false
	case a == b:
		return true, true
	case a.form == formParam || b.form == formParam || a.form == formOpaque || b.form == formOpaque:
		return true, false
	case a.form != b.form || a.object != b.object || a.n != b.n && a.form == formFunc || len(a.list) != len(b.list):
		return false, true
	case a.form == formStruct || a.form == formInterface:
		return true, false
	case a.name != b.name || a.path != b.path || a.def != b.def:
		return false, true
	}
	same, known = sameParts(a, b, depth)
	return same, known
}

// sameParts compares the parts of two types of one form.
func sameParts(a, b *typ, depth int) (same, known bool) {
	known = true
	pairs := [][2]*typ{}
	if a.elem != nil || b.elem != nil {
		pairs = append(pairs, [2]*typ{a.elem, b.elem})
	}
	if a.key != nil || b.key != nil {
		pairs = append(pairs, [2]*typ{a.key, b.key})
	}
	for i := range a.list {
		pairs = append(pairs, [2]*typ{a.list[i], b.list[i]})
	}
	for _, p := range pairs {
		s, k := sameType(p[0], p[1], depth+1)
		if !s {
			return false, k
		}
		known = known && k
	}
	return true, known
}
