package python

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A verdict says how certain a member is.
type verdict uint8

const (
	selNone    verdict = iota // the type has no such member
	selFound                  // one identity
	selSeveral                // it depends on which of several types the receiver is
	selDoubt                  // found, but something that is not known may come before it
	selOutside                // an outside module declares it
	selDynamic                // made up at run time
	selUnknown                // the receiver's type is not known
	selMissing                // of a module of the repository that has no such name
)

// A selection is what a member's name means for a receiver.
type selection struct {
	verdict verdict
	targets []index.Target
	mod     *module
	t       *typ // of the member, nil if not known
	rule    string
	path    string
	reason  string
}

// member finds what base.name is.
func (e *eval) member(base *typ, name string) selection { return e.memberFor(base, name, false) }

func (e *eval) memberFor(base *typ, name string, write bool) selection {
	if base == nil || !e.cycle.deeper() {
		return selection{verdict: selUnknown, reason: reasonReceiver}
	}
	s := e.memberOf(base, name, write)
	e.cycle.level--
	if base.doubt != "" {
		s.t = doubtful(s.t, base.doubt)
		if s.verdict == selFound {
			s.verdict, s.reason = selDoubt, base.doubt
		}
		if s.verdict == selDoubt && base.doubt == reasonPaths {
			s.verdict = selDynamic
		}
	}
	return s
}

func (e *eval) memberOf(base *typ, name string, write bool) selection {
	switch base.form {
	case formInst:
		return e.inClass(base, base, name, 0, write)
	case formClass:
		return e.inClass(base, base, name, 0, write)
	case formSuper:
		return e.inSuper(base, name)
	case formModule:
		return e.inModule(base.mod, name)
	case formUnion:
		return e.inUnion(base, name, write)
	case formNone:
		return selection{verdict: selNone, reason: reasonNone}
	case formVar:
		if b := base.arg(0); b != nil {
			return e.memberFor(b, name, write)
		}
		return selection{verdict: selUnknown, reason: reasonReceiver}
	case formType:
		return e.ofType(base.args[0], name, write)
	case formPending:
		return selection{verdict: selUnknown, reason: reasonReceiver}
	}
	return e.inOutside(base, name)
}

// ofType looks for a member of the class of a type's values.
func (e *eval) ofType(t *typ, name string, write bool) selection {
	switch {
	case t != nil && t.form == formVar && t.arg(0) != nil:
		return e.ofType(t.arg(0), name, write)
	case t != nil && (t.form == formInst || t.form == formOutInst):
		return e.memberFor(classOf(t), name, write)
	}
	return selection{verdict: selUnknown, reason: reasonReceiver}
}

// inOutside answers for what is declared outside.
func (e *eval) inOutside(base *typ, name string) selection {
	switch base.form {
	case formOutside:
		full := name
		if base.name != "" {
			full = base.name + "." + name
		}
		return selection{verdict: selOutside, path: base.path, rule: ruleImport, t: &typ{form: formOutside, path: base.path, name: full, self: base.self}}
	case formOutInst:
		if known := builtinMembers(base.name); base.path == builtinsModule && known != nil && !known[name] && !strings.HasPrefix(name, "__") {
			return selection{verdict: selNone, reason: reasonNoMember}
		}
		return selection{verdict: selOutside, path: base.path, rule: ruleOutside,
			t: &typ{form: formOutside, path: base.path, name: base.name + "." + name, self: base}}
	case formTuple:
		return selection{verdict: selOutside, path: builtinsModule, rule: ruleOutside, t: &typ{form: formOutside, path: builtinsModule, name: "tuple." + name, self: base}}
	case formOpaque:
		if isStd(base.path) && !passesThrough(base.path) {
			return selection{verdict: selOutside, path: base.path, rule: ruleOutside, t: base}
		}
		return selection{verdict: selUnknown, reason: reasonOpaque, path: base.path}
	case formFunc, formCall:
		if strings.HasPrefix(name, "__") {
			return selection{verdict: selOutside, path: builtinsModule, rule: ruleOutside}
		}
	}
	return selection{verdict: selUnknown, reason: reasonReceiver}
}

// inClass looks for a member along the method resolution order of base's class,
// from the ancestor from on. self is the receiver. A declaration, which has a
// type, comes before a mere assignment of a class that stands earlier.
func (e *eval) inClass(base, self *typ, name string, from int, write bool) selection {
	cl := e.l.classOf(base.t, e.cycle)
	doubt, outside := "", ""
	var hit *ancestor
	var found []index.Target
	for i := from; i < len(cl.mro); i++ {
		a := &cl.mro[i]
		switch {
		case a.c != nil:
			ts := a.c.members[name]
			if len(ts) == 0 || i > 0 && mangled(name) {
				continue
			}
			ts = e.l.choose(ts, write)
			switch {
			case hit == nil:
				hit, found = a, ts
			case !e.l.declares(ts[0]):
			case e.l.defOf(ts[0]).Kind == index.KindField:
				hit, found = a, ts
			default:
				found, hidden := e.hides(found, ts)
				return e.found(found, base, self, hit, cl, orElse(doubt, hidden))
			}
			if e.l.declares(found[0]) {
				return e.found(found, base, self, hit, cl, doubt)
			}
		case hit != nil:
		case a.unknown && doubt == "":
			doubt = reasonBase
		case a.unknown:
		default:
			doubt, outside = doubtOf(a, name, doubt, outside)
		}
	}
	if hit != nil {
		return e.found(found, base, self, hit, cl, doubt)
	}
	return e.beyond(cl, base, name, doubt, outside)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// doubtOf takes up an outside ancestor, which may declare the name.
func doubtOf(a *ancestor, name, doubt, outside string) (string, string) {
	if hasNoMembers(a.path, a.name) {
		if outside == "" && doubt == "" && strings.HasPrefix(name, "__") {
			outside = builtinsModule
		}
		return doubt, outside
	}
	if doubt == "" {
		doubt = reasonOutsideBase
	}
	if outside == "" {
		outside = a.path
	}
	return doubt, outside
}

// declares reports whether a member is a declaration: a function, a class, or a
// field with an annotation.
func (l *linker) declares(t index.Target) bool {
	d := &l.load(t.File).facts.Defs[t.Def]
	return d.Kind != index.KindField || d.Type >= 0
}

// found makes a selection of a member that an ancestor declares.
func (e *eval) found(ts []index.Target, base, self *typ, a *ancestor, cl *class, doubt string) selection {
	s := selection{verdict: selFound, targets: ts, rule: ruleReceiver}
	if a.c != cl {
		s.rule = ruleInherited
	}
	switch d := &e.l.load(ts[0].File).facts.Defs[ts[0].Def]; {
	case d.Kind == index.KindField:
		s.rule = ruleField
	case d.Flags&index.DefAbstract != 0:
		s.rule = ruleInterface
	}
	with := binds(nil)
	if len(a.args) > 0 {
		with = a.c.binds(a.args)
		if own := cl.binds(base.args); len(own) > 0 {
			for k, v := range with {
				with[k] = own.replace(v)
			}
		}
	}
	s.t = e.memberType(ts[0], self, with)
	if doubt == "" && e.l.replaced(ts) {
		doubt = reasonRebound
	}
	if doubt != "" {
		s.verdict, s.reason = selDoubt, doubt
	}
	return s
}

// beyond answers for a member that no class of the repository declares.
func (e *eval) beyond(cl *class, base *typ, name, doubt, outside string) selection {
	switch {
	case cl.open || cl.opened:
		return selection{verdict: selDynamic, reason: reasonGetattr}
	case outside != "":
		return selection{verdict: selOutside, path: outside, rule: ruleOutside, t: &typ{form: formOpaque, path: outside}}
	case doubt != "":
		return selection{verdict: selUnknown, reason: doubt}
	case strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__"):
		return selection{verdict: selOutside, path: builtinsModule, rule: ruleOutside}
	case base.form == formClass && e.isEnum(cl):
		return selection{verdict: selOutside, path: "enum", rule: ruleOutside}
	}
	return selection{verdict: selUnknown, reason: reasonNoMember}
}

func (e *eval) isEnum(cl *class) bool {
	return e.l.load(cl.t.File).facts.Defs[cl.t.Def].Kind == index.KindEnum
}

// inSuper looks for a member behind the class that super() is called in.
func (e *eval) inSuper(base *typ, name string) selection {
	inst := &typ{form: formInst, t: base.t}
	if base.self != nil && (base.self.form == formInst || base.self.form == formClass) && base.self.t == base.t {
		inst.args = base.self.args
	}
	self := base.self
	if self == nil {
		self = inst
	}
	return e.inClass(inst, self, name, 1, false)
}

func (e *eval) inModule(m *module, name string) selection {
	ms := e.l.memberOf(m, name, e.cycle, 0)
	if len(ms) == 1 && ms[0].mod != nil && !e.reachable(m, ms[0].mod) {
		return selection{verdict: selUnknown, reason: reasonSubmodule}
	}
	if len(ms) == 0 {
		switch {
		case m.file >= 0 && e.l.lazyModule(m):
			return selection{verdict: selDynamic, reason: reasonGetattr}
		case m.file < 0:
			return selection{verdict: selOutside, path: m.name, rule: ruleImport, t: &typ{form: formOutside, path: m.name, name: name}}
		case strings.HasPrefix(name, "__"):
			return selection{verdict: selOutside, path: builtinsModule, rule: ruleOutside, t: builtin("str")}
		}
		return selection{verdict: selMissing, reason: reasonNoMember}
	}
	return e.ofMeanings(ms)
}

// reachable reports whether this file depends on a submodule that it reaches
// through a package's name, itself or by what the package imports.
func (e *eval) reachable(m, sub *module) bool {
	if sub.file < 0 || sub.file == e.file {
		return true
	}
	if _, ok := slices.BinarySearch(e.l.files[e.file].deps, int(sub.file)); ok {
		return true
	}
	if m.file < 0 {
		return false
	}
	_, ok := slices.BinarySearch(e.l.files[m.file].deps, int(sub.file))
	return ok
}

// ofMeanings turns what a name stands for into a selection.
func (e *eval) ofMeanings(ms []meaning) selection {
	s := selection{verdict: selFound, rule: ms[0].rule, t: e.typeOfAll(ms)}
	if s.rule == ruleScope {
		s.rule = ruleImport
	}
	outside, missing := false, false
	for _, m := range ms {
		switch {
		case m.missing:
			missing = true
			s.reason = m.reason
			if m.dynamic {
				return selection{verdict: selDynamic, reason: reasonGetattr}
			}
		case len(m.targets) > 0:
			s.targets = append(slices.Clip(s.targets), m.targets...)
		case m.mod != nil:
			s.mod = m.mod
			if m.mod.file >= 0 {
				s.targets = append(slices.Clip(s.targets), index.Target{File: m.mod.file, Def: 0})
			}
		default:
			outside = true
			if s.path == "" {
				s.path = m.path
			}
		}
		if m.reason != "" && !m.missing {
			s.verdict, s.reason = selDoubt, m.reason
		}
		if m.dynamic {
			s.verdict = selDynamic
		}
	}
	switch {
	case len(s.targets) == 0 && outside:
		s.verdict = selOutside
	case len(s.targets) == 0 && missing:
		s.verdict = selMissing
	case outside, s.verdict == selFound && slices.ContainsFunc(s.targets, func(t index.Target) bool { return t.File != s.targets[0].File }):
		s.verdict, s.reason = selSeveral, reasonBranches
	}
	return s
}

// inUnion asks each type that the receiver can be.
func (e *eval) inUnion(base *typ, name string, write bool) selection {
	var out selection
	var types []*typ
	hits, unknown, outside := 0, false, ""
	for _, p := range base.parts() {
		s := e.memberFor(p, name, write)
		switch s.verdict {
		case selFound, selDoubt, selSeveral:
			if hits++; hits == 1 {
				out = s
			} else if !slices.Equal(out.targets, s.targets) {
				out.verdict, out.reason = selSeveral, reasonUnion
				for _, t := range s.targets {
					if !slices.Contains(out.targets, t) {
						out.targets = append(slices.Clip(out.targets), t)
					}
				}
			}
			types = append(types, s.t)
		case selOutside:
			outside = s.path
			types = append(types, s.t)
		case selNone:
		default:
			unknown = true
		}
	}
	switch {
	case hits == 0 && unknown:
		return selection{verdict: selUnknown, reason: reasonReceiver}
	case hits == 0 && outside != "":
		return selection{verdict: selOutside, path: outside, rule: ruleOutside, t: unionOf(types)}
	case hits == 0:
		return selection{verdict: selNone, reason: reasonNoMember}
	case unknown || outside != "":
		if out.verdict == selFound {
			out.verdict, out.reason = selSeveral, reasonUnion
		}
	}
	out.t = unionOf(types)
	return out
}

// memberType returns the type of a member that is reached through self.
func (e *eval) memberType(t index.Target, self *typ, with binds) *typ {
	f := e.l.load(t.File)
	d := &f.facts.Defs[t.Def]
	switch d.Kind {
	case index.KindMethod, index.KindConstructor, index.KindFunction:
		switch e.l.decoration(t) {
		case decoProperty:
			if self != nil && self.form == formClass {
				return nil
			}
			return e.returns(t, self, with, nil)
		case decoStatic:
			return &typ{form: formFunc, t: t}
		case decoClass:
			return &typ{form: formFunc, t: t, self: asClass(self)}
		case decoOther:
			if v := e.l.typeOf(t, e.cycle); v != nil && v.form != formFunc {
				return e.described(v, self)
			}
		}
		if self != nil && self.form == formClass {
			return &typ{form: formFunc, t: t}
		}
		return &typ{form: formFunc, t: t, self: self}
	case index.KindField, index.KindEnumMember, index.KindVariable, index.KindConstant:
		v := with.replace(e.l.typeOf(t, e.cycle))
		if v == nil && self != nil {
			v = e.inheritedType(t, self, d)
		}
		return e.described(v, self)
	}
	return e.l.typeOf(t, e.cycle)
}

func asClass(t *typ) *typ {
	if t != nil && t.form == formInst {
		return classOf(t)
	}
	return t
}

// described follows the descriptor protocol: an object with __get__ in a class
// stands for what that returns.
func (e *eval) described(v, self *typ) *typ {
	if v == nil || v.form != formInst || self == nil || len(e.l.classOf(v.t, e.cycle).members["__get__"]) == 0 {
		return v
	}
	return e.result(e.member(v, "__get__").t, nil, nil)
}

// inheritedType returns the type that an ancestor declares for a field.
func (e *eval) inheritedType(t index.Target, self *typ, d *index.Def) *typ {
	name := e.l.load(t.File).facts.Names[d.Name]
	if self.form != formInst && self.form != formClass {
		return nil
	}
	for _, a := range e.l.classOf(self.t, e.cycle).mro {
		if a.c == nil {
			continue
		}
		for _, o := range a.c.members[name] {
			if od := &e.l.load(o.File).facts.Defs[o.Def]; o != t && od.Type >= 0 && od.Kind == index.KindField {
				return e.l.typeOf(o, e.cycle)
			}
		}
	}
	return nil
}
