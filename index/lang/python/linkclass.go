package python

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A class is what linking knows of one class.
type class struct {
	took    effort
	t       index.Target
	members map[string][]index.Target
	params  []string // names of its type variables
	// mro is the order in which members are looked for, the class itself first.
	mro []ancestor
	// made says that the class's fields are the parameters of its constructor.
	made bool
	// open says that __getattr__ makes members up.
	open   bool
	opened bool // that of a base does
}

// An ancestor is one step of a class's method resolution order: a class of the
// repository, one of an outside module, or one that is not known.
type ancestor struct {
	c          *class
	args       []*typ // what c's type variables stand for, in terms of the derived class's
	path, name string
	unknown    bool
}

// classOf returns what is known of a class.
func (l *linker) classOf(t index.Target, c *cycle) *class {
	l.classMu.Lock()
	known := l.classes[t]
	l.classMu.Unlock()
	if known != nil {
		c.charge(known.took)
		return known
	}
	cl := &class{t: t, members: map[string][]index.Target{}}
	l.ownOf(cl)
	var out *class
	var clean bool
	cl.took = c.measured(func() {
		_, clean = c.guard(index.Target{File: t.File, Def: -2 - t.Def}, func() *typ {
			l.inherit(cl, c)
			out = cl
			return nil
		})
	})
	if out == nil { // a class that is its own ancestor
		cl.mro = []ancestor{{c: cl}, {unknown: true}}
		return cl
	}
	if clean {
		l.classMu.Lock()
		if known = l.classes[t]; known == nil {
			l.classes[t] = cl
			known = cl
		}
		l.classMu.Unlock()
		return known
	}
	return cl
}

// ownOf lists the members that the class's body and methods define.
func (l *linker) ownOf(cl *class) {
	f := l.load(cl.t.File)
	for _, d := range f.kids[cl.t.Def] {
		name := f.facts.Names[f.facts.Defs[d].Name]
		cl.members[name] = append(cl.members[name], f.self[d])
		cl.open = cl.open || name == "__getattr__" || name == "__getattribute__"
	}
}

// ownMembers returns the definitions that a class itself has under a name.
func (l *linker) ownMembers(file, def int32, name string) []index.Target {
	f := l.load(file)
	var out []index.Target
	for _, d := range f.kids[def] {
		if f.facts.Names[f.facts.Defs[d].Name] == name {
			out = append(out, f.self[d])
		}
	}
	return l.choose(out, false)
}

// inherit evaluates the bases of a class and puts its ancestors in order.
func (l *linker) inherit(cl *class, c *cycle) {
	f := l.load(cl.t.File)
	def := &f.facts.Defs[cl.t.Def]
	for _, p := range f.facts.Params[min(def.P2, def.P3):def.P3] {
		cl.params = append(cl.params, p.Name)
	}
	var bases []*typ
	if def.Type >= 0 && int(def.Type) < len(f.facts.Exprs) {
		e := l.in(cl.t.File, c)
		x := &f.facts.Exprs[def.Type]
		for _, b := range e.list(x) {
			t := e.value(b)
			bases = append(bases, t)
			cl.params = appendVars(cl.params, t, def.Flags&index.DefGeneric != 0)
		}
		cl.made = e.makesConstructor(x.B)
	}
	cl.linearize(l, bases, c)
	for _, a := range cl.mro[1:] {
		cl.made = cl.made || a.c != nil && a.c.made || a.name == "NamedTuple" || a.name == "TypedDict" || a.name == "BaseModel"
		cl.opened = cl.opened || a.c != nil && a.c.open
	}
}

// appendVars adds the type variables that a base's arguments mention.
func appendVars(params []string, t *typ, declared bool) []string {
	if t == nil || declared {
		return params
	}
	for _, a := range t.args {
		if a == nil {
			continue
		}
		if a.form == formVar && a.name != "Self" && !slices.Contains(params, a.name) {
			params = append(params, a.name)
		}
		params = appendVars(params, a, false)
	}
	return params
}

// makesConstructor reports whether a decorator makes a constructor of the fields.
func (e *eval) makesConstructor(decorators int32) bool {
	if decorators < 0 || int(decorators) >= len(e.facts.Exprs) {
		return false
	}
	for _, d := range e.list(&e.facts.Exprs[decorators]) {
		if name := e.lastName(d); name == "dataclass" || name == "attrs" || name == "define" || name == "frozen" || name == "s" || name == "mutable" {
			return true
		}
	}
	return false
}

// lastName returns the last name of a decorator or of the function it calls.
func (e *eval) lastName(i int32) string {
	for range 8 {
		if i < 0 || int(i) >= len(e.facts.Exprs) {
			return ""
		}
		x := &e.facts.Exprs[i]
		if x.Op != opCall {
			if x.Op == opImport && x.B >= 0 && x.A >= 0 && int(x.A) < len(e.facts.Imports) && int(x.B) < len(e.facts.Imports[x.A].Symbols) {
				return e.facts.Imports[x.A].Symbols[x.B]
			}
			return e.name(x.Name)
		}
		i = x.A
	}
	return ""
}

// linearize makes the method resolution order: C3, or where the bases do not
// agree depth first from the left.
func (cl *class) linearize(l *linker, bases []*typ, c *cycle) {
	var lists [][]ancestor
	var direct []ancestor
	for _, b := range bases {
		list := l.ancestors(b, c)
		lists = append(lists, list)
		direct = append(direct, list[0])
	}
	lists = append(lists, direct)
	merged, ok := merge(lists)
	if !ok {
		merged = merged[:0]
		for _, list := range lists {
			for _, a := range list {
				if !slices.ContainsFunc(merged, a.same) {
					merged = append(merged, a)
				}
			}
		}
	}
	cl.mro = append([]ancestor{{c: cl, args: varsOf(cl.params)}}, merged...)
}

func varsOf(params []string) []*typ {
	out := make([]*typ, len(params))
	for i, p := range params {
		out[i] = &typ{form: formVar, name: p}
	}
	return out
}

// ancestors returns the order of a base class, that class first.
func (l *linker) ancestors(b *typ, c *cycle) []ancestor {
	switch {
	case b == nil:
		return []ancestor{{unknown: true}}
	case b.form == formOutside:
		return []ancestor{{path: b.path, name: lastPart(b.name)}}
	case b.form == formType && b.args[0].form == formOutInst:
		return []ancestor{{path: b.args[0].path, name: b.args[0].name, args: b.args[0].args}}
	case b.form == formType && b.args[0].form == formInst:
		b = classOf(b.args[0])
	}
	if b.form != formClass {
		return []ancestor{{unknown: true}}
	}
	base := l.classOf(b.t, c)
	with := base.binds(b.args)
	out := make([]ancestor, len(base.mro))
	for i, a := range base.mro {
		out[i] = a
		if len(with) > 0 && len(a.args) > 0 {
			out[i].args = make([]*typ, len(a.args))
			for k, arg := range a.args {
				out[i].args[k] = with.replace(arg)
			}
		}
	}
	return out
}

// binds returns what the class's type variables stand for, given arguments.
func (cl *class) binds(args []*typ) binds {
	if len(cl.params) == 0 || len(args) == 0 {
		return nil
	}
	b := binds{}
	for i, p := range cl.params {
		if i < len(args) && args[i] != nil {
			b[p] = args[i]
		}
	}
	return b
}

func (a ancestor) same(b ancestor) bool {
	switch {
	case a.c != nil || b.c != nil:
		return a.c != nil && b.c != nil && a.c.t == b.c.t
	case a.unknown || b.unknown:
		return a.unknown && b.unknown
	}
	return a.path == b.path && a.name == b.name
}

// merge is the merge of C3 linearization.
func merge(lists [][]ancestor) (out []ancestor, ok bool) {
	for {
		lists = slices.DeleteFunc(lists, func(l []ancestor) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out, true
		}
		found := -1
		for i, l := range lists {
			if !slices.ContainsFunc(lists, func(o []ancestor) bool { return slices.ContainsFunc(o[1:], l[0].same) }) {
				found = i
				break
			}
		}
		if found < 0 {
			return out, false
		}
		head := lists[found][0]
		out = append(out, head)
		for i, l := range lists {
			if head.same(l[0]) {
				lists[i] = l[1:]
			}
		}
	}
}

// derives reports whether instances of a are instances of b's class.
func (e *eval) derives(a, b *typ) bool {
	if a == nil || b == nil {
		return false
	}
	if a.form == formOutInst && b.form == formOutInst {
		return a.name == b.name && (a.path == b.path || isStd(a.path) && isStd(b.path))
	}
	if a.form != formInst {
		return false
	}
	for _, anc := range e.l.classOf(a.t, e.cycle).mro {
		switch {
		case b.form == formInst && anc.c != nil && anc.c.t == b.t:
			return true
		case b.form == formOutInst && anc.c == nil && anc.name == b.name:
			return true
		}
	}
	return false
}

// isInterface reports whether a class is a protocol or an abstract base.
func isInterface(d *index.Def) bool { return d.Kind == index.KindInterface }

// mangled returns the name under which a class stores __name.
func mangled(name string) bool {
	return strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__")
}
