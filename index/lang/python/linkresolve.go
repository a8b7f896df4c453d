package python

import (
	"context"

	"github.com/plumbkit/plumb/index"
)

// The rules that decide. A static answer of each is expected to be right in 99
// of 100 cases; ruleOutside, ruleName and ruleString never make one.
const (
	ruleScope       = "scope"       // a name of the file itself
	ruleImport      = "import"      // a name that an import statement binds, or an imported module's
	ruleStar        = "star"        // a name that a star import binds
	ruleReceiver    = "receiver"    // a method of the receiver's class itself
	ruleInherited   = "inherited"   // a method of an ancestor
	ruleField       = "field"       // a field of the receiver's class or of an ancestor
	ruleInterface   = "interface"   // a method that a protocol or abstract class declares
	ruleKeyword     = "keyword"     // a keyword argument that is a field
	ruleConstructor = "constructor" // the constructor of a class that is called
	ruleFixture     = "fixture"     // a parameter that names a fixture
	ruleOutside     = "outside"     // the receiver's class is declared outside
	ruleName        = "name"        // the receiver's type is not known: the name alone
	ruleString      = "string"      // a string that equals a name
)

// The reasons why a reference is not static.
const (
	reasonReceiver    = "the receiver's type is not known"
	reasonOpaque      = "the receiver was made by code outside the repository"
	reasonNone        = "the receiver is None"
	reasonNoMember    = "nothing of this name is declared there"
	reasonNoModule    = "the package of the repository has no such module"
	reasonNoName      = "no declaration of this name is in scope"
	reasonSeveral     = "several projects of the repository have such a module"
	reasonBranches    = "bound in several branches"
	reasonUnion       = "the receiver can be of several types"
	reasonBase        = "a base class before it is not known"
	reasonOutsideBase = "a base class from outside the repository may declare it nearer"
	reasonGetattr     = "__getattr__ makes it up at run time"
	reasonPaths       = "sys.path is edited at run time"
	reasonString      = "a string that equals a name may be used to look it up"
	reasonLookup      = "looked up by name at run time"
	reasonRebound     = "the name is bound to something else as well"
	reasonTooMuch     = "working it out exceeds the limit for one reference"
	reasonSubmodule   = "nothing here imports the submodule"
)

// Resolve answers for every site of a file.
func (l *linker) Resolve(ctx context.Context, file int) ([]index.Resolution, error) {
	f := l.load(int32(file))
	facts := l.u.Load(file)
	e := newEval(l, int32(file), f, facts, l.newCycle(ctx))
	res := make([]index.Resolution, len(facts.Sites))
	for i := range facts.Sites {
		e.steps = 0
		e.cycle.begin()
		if res[i] = e.site(&facts.Sites[i]); e.cycle.over {
			res[i] = e.tooMuch(&facts.Sites[i])
		}
		if (i%512 == 0 || e.cycle.steps >= 1024) && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return res, nil
}

// tooMuch is the answer for a site whose work exceeds a limit: by its name, whatever
// was found until there.
func (e *eval) tooMuch(s *index.Site) index.Resolution {
	if s.Kind == index.RefString {
		return index.Resolution{Status: index.Dynamic, ByName: true, Any: true, Rule: ruleString, Reason: reasonString}
	}
	return byName(e.name(int32(s.Name)), reasonTooMuch)
}

func (e *eval) site(s *index.Site) index.Resolution {
	name := e.name(int32(s.Name))
	if s.Expr < 0 {
		if s.Kind == index.RefString {
			return index.Resolution{Status: index.Dynamic, ByName: true, Any: true, Rule: ruleString, Reason: reasonString}
		}
		return byName(name, reasonReceiver)
	}
	if int(s.Expr) >= len(e.facts.Exprs) {
		return index.Resolution{Drop: true}
	}
	x := &e.facts.Exprs[s.Expr]
	if s.Kind == index.RefString {
		return e.stringSite(x, name)
	}
	switch x.Op {
	case opName:
		return e.plain(name)
	case opOwn:
		if x.A < 0 || int(x.A) >= len(e.f.self) {
			return index.Resolution{Drop: true}
		}
		if ts := e.l.ownMembers(e.file, x.A, name); len(ts) > 0 {
			return static(ts, ruleScope)
		}
		if x.B >= 0 && int(x.B) < len(e.facts.Exprs) {
			if b := &e.facts.Exprs[x.B]; b.Op == opName {
				return e.plain(name)
			}
		}
		return index.Resolution{Drop: true}
	case opAttr:
		r := e.resolution(e.memberFor(e.value(x.A), name, s.Kind == index.RefWrite), name)
		if s.Kind == index.RefWrite && e.isOwn(r.Targets, s.Start) {
			return index.Resolution{Drop: true}
		}
		return r
	case opImport:
		return e.imported(e.l.importMeaning(e.file, x.A, x.B, e.cycle), name)
	case opComponent:
		return e.component(x.A, x.B)
	case opKeyword:
		return e.keywordSite(x, name)
	case opFixture:
		return e.fixtureSite(s, name)
	case opInit:
		return e.constructorSite(e.value(x.A))
	}
	return e.valueSite(s.Expr)
}

// isOwn reports whether one of the targets is the definition at the site itself.
func (e *eval) isOwn(ts []index.Target, at uint32) bool {
	for _, t := range ts {
		if t.File == e.file && int(t.Def) < len(e.facts.Defs) && e.facts.Defs[t.Def].Ident.Start == at {
			return true
		}
	}
	return false
}

func static(ts []index.Target, rule string) index.Resolution {
	return index.Resolution{Status: index.Static, Rule: rule, Targets: ts}
}

func ambiguous(ts []index.Target, rule, reason string) index.Resolution {
	return index.Resolution{Status: index.Ambiguous, Rule: rule, Reason: reason, Targets: ts}
}

func external(module, rule string) index.Resolution {
	return index.Resolution{Status: index.External, Rule: rule, Module: module}
}

func unresolved(rule, reason string) index.Resolution {
	return index.Resolution{Status: index.Unresolved, Rule: rule, Reason: reason}
}

func byName(_, reason string) index.Resolution {
	return index.Resolution{Status: index.Ambiguous, ByName: true, Members: true, Rule: ruleName, Reason: reason}
}

// plain resolves a name without a dot.
func (e *eval) plain(name string) index.Resolution {
	ms := e.lookup(name)
	if len(ms) == 0 {
		return unresolved(ruleScope, reasonNoName)
	}
	return e.imported(ms, name)
}

// imported resolves to what a name stands for.
func (e *eval) imported(ms []meaning, name string) index.Resolution {
	if len(ms) == 0 {
		return unresolved(ruleImport, reasonNoName)
	}
	s := e.ofMeanings(ms)
	s.rule = ms[0].rule
	return e.resolution(s, name)
}

// resolution turns a selection into an answer.
func (e *eval) resolution(s selection, name string) index.Resolution {
	if s.rule == "" {
		s.rule = ruleName
	}
	switch s.verdict {
	case selFound:
		if len(s.targets) == 0 { // a folder without __init__
			return index.Resolution{Drop: true}
		}
		return static(s.targets, s.rule)
	case selSeveral, selDoubt:
		if len(s.targets) == 0 {
			return index.Resolution{Drop: true}
		}
		return ambiguous(s.targets, s.rule, s.reason)
	case selOutside:
		return external(s.path, s.rule)
	case selDynamic:
		if len(s.targets) > 0 {
			return index.Resolution{Status: index.Dynamic, Rule: s.rule, Reason: s.reason, Targets: s.targets}
		}
		return index.Resolution{Status: index.Dynamic, ByName: true, Members: true, Rule: ruleName, Reason: s.reason}
	case selNone:
		return unresolved(ruleName, s.reason)
	case selMissing:
		return unresolved(ruleImport, s.reason)
	}
	return byName(name, s.reason)
}

// component resolves one part of an import's dotted path.
func (e *eval) component(imp, parts int32) index.Resolution {
	if imp < 0 || int(imp) >= len(e.facts.Imports) || parts < 1 {
		return index.Resolution{Drop: true}
	}
	r := e.l.imported(e.file, e.facts.Imports[imp].Path)
	switch {
	case r.outside:
		return external(e.facts.Imports[imp].Path, ruleImport)
	case int(parts) > len(r.parts):
		return unresolved(ruleImport, reasonNoModule)
	}
	ms := []*module{r.parts[parts-1]}
	if int(parts) == len(r.parts) && len(r.several) > 0 {
		ms = r.several
	}
	var ts []index.Target
	for _, m := range ms {
		if m.file >= 0 {
			ts = append(ts, index.Target{File: m.file, Def: 0})
		}
	}
	switch {
	case len(ts) == 0:
		return index.Resolution{Drop: true}
	case r.dynamic:
		return index.Resolution{Status: index.Dynamic, Rule: ruleImport, Reason: reasonPaths, Targets: ts}
	case len(r.several) > 1:
		return ambiguous(ts, ruleImport, reasonSeveral)
	}
	return static(ts, ruleImport)
}

// valueSite resolves a name that a function binds to a function, class or import.
func (e *eval) valueSite(i int32) index.Resolution {
	x := &e.facts.Exprs[i]
	if x.Op == opDef && x.A >= 0 && int(x.A) < len(e.f.self) {
		return static(e.f.self[x.A:x.A+1:x.A+1], ruleScope)
	}
	if x.Op == opSited {
		if r := e.valueOf(e.value(x.A)); !r.Drop {
			return r
		}
		r := e.valueOf(unionOf(e.exprs(e.list(x))))
		if r.Status == index.Static {
			return ambiguous(r.Targets, ruleScope, reasonRebound)
		}
		return r
	}
	return e.valueOf(e.value(i))
}

// valueOf resolves to the functions, classes and modules that a value is.
func (e *eval) valueOf(t *typ) index.Resolution {
	if t == nil {
		return index.Resolution{Drop: true}
	}
	switch t.form {
	case formFunc, formClass:
		return static([]index.Target{t.t}, ruleScope)
	case formModule:
		if t.mod.file >= 0 {
			return static([]index.Target{{File: t.mod.file, Def: 0}}, ruleImport)
		}
	case formOutside:
		return external(t.path, ruleImport)
	case formUnion:
		return e.variants(t)
	}
	return index.Resolution{Drop: true}
}

// variants resolves a name that branches of a function bind to different
// functions, classes or modules.
func (e *eval) variants(t *typ) index.Resolution {
	var ts []index.Target
	for _, p := range t.parts() {
		switch {
		case p.form == formFunc || p.form == formClass:
			ts = append(ts, p.t)
		case p.form == formModule && p.mod.file >= 0:
			ts = append(ts, index.Target{File: p.mod.file, Def: 0})
		default:
			return index.Resolution{Drop: true}
		}
	}
	for _, t := range ts[1:] {
		if e.nameOf(t) != e.nameOf(ts[0]) || t.File != ts[0].File {
			return ambiguous(ts, ruleScope, reasonBranches)
		}
	}
	return static(ts, ruleScope)
}

func (e *eval) nameOf(t index.Target) string {
	f := e.l.load(t.File).facts
	return f.Names[f.Defs[t.Def].Name]
}

// constructorSite resolves the call of a class to the constructor that runs.
func (e *eval) constructorSite(t *typ) index.Resolution {
	if t == nil || t.form != formClass {
		return index.Resolution{Drop: true}
	}
	s := e.inClass(t, t, "__init__", 0, false)
	switch {
	case len(s.targets) == 0:
	case s.verdict == selFound:
		return static(s.targets, ruleConstructor)
	case s.verdict == selDoubt:
		return ambiguous(s.targets, ruleConstructor, s.reason)
	}
	return index.Resolution{Drop: true}
}

// keywordSite resolves a keyword argument: to a field where the callee is a
// class whose constructor takes its fields.
func (e *eval) keywordSite(x *index.Expr, name string) index.Resolution {
	t := e.value(x.A)
	if t == nil || t.form != formClass {
		return index.Resolution{Drop: true}
	}
	cl := e.l.classOf(t.t, e.cycle)
	if !cl.made || len(cl.members["__init__"]) > 0 {
		return index.Resolution{Drop: true}
	}
	for _, a := range cl.mro {
		if a.c == nil {
			continue
		}
		if ts := a.c.members[name]; len(ts) > 0 {
			if k := e.l.load(ts[0].File).facts.Defs[ts[0].Def].Kind; k == index.KindField {
				return static(ts[:1], ruleKeyword)
			}
		}
	}
	return index.Resolution{Drop: true}
}

// stringSite resolves a string that names a member, or something by its path.
func (e *eval) stringSite(x *index.Expr, name string) index.Resolution {
	var s selection
	switch x.Op {
	case opPath:
		t := e.pathStart(name)
		if t == nil || t.mod.file < 0 {
			return index.Resolution{Drop: true}
		}
		return index.Resolution{Status: index.Dynamic, Rule: ruleString, Reason: reasonLookup, Targets: []index.Target{{File: t.mod.file, Def: 0}}}
	case opAttr:
		base := e.value(x.A)
		s = e.memberFor(base, name, false)
		if len(s.targets) == 0 && e.startsPath(x.A) {
			return index.Resolution{Drop: true}
		}
	}
	if len(s.targets) > 0 {
		return index.Resolution{Status: index.Dynamic, Rule: ruleString, Reason: reasonLookup, Targets: s.targets}
	}
	if s.verdict == selOutside {
		return external(s.path, ruleString)
	}
	return index.Resolution{Status: index.Dynamic, ByName: true, Members: true, Rule: ruleString, Reason: reasonLookup}
}

func (e *eval) startsPath(i int32) bool {
	for range maxNesting { // damaged facts may be a circle
		if i < 0 || int(i) >= len(e.facts.Exprs) {
			return false
		}
		x := &e.facts.Exprs[i]
		if x.Op == opPath {
			return true
		}
		if x.Op != opAttr {
			return false
		}
		i = x.A
	}
	return false
}
