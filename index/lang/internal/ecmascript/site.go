package ecmascript

import (
	"context"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// The rules that decide. A static answer of each is expected to be right in
// 99 of 100 cases; ruleOutside, ruleName and ruleString never make one.
const (
	ruleScope     = "scope"     // a plain name, declared in its file
	ruleImport    = "import"    // a name that an import or re-export leads to
	ruleGlobal    = "global"    // a name that a file declares for all
	ruleReceiver  = "receiver"  // a member of the receiver's class itself
	ruleInherited = "inherited" // a member of a base class or extended interface
	ruleInterface = "interface" // a member that an interface declares
	ruleProperty  = "property"  // a property of an object literal or object type
	ruleModule    = "module"    // an export of a module or namespace that the receiver is
	ruleTypeParam = "typeparam" // a member of a type parameter's constraint
	ruleKey       = "key"       // a property that an object literal is expected to have
	ruleUnion     = "union"     // a member that several types of a union have
	ruleOutside   = "outside"   // declared outside of the repository
	ruleName      = "name"      // the receiver's type is not known: the name alone
	ruleString    = "string"    // a string that equals a name
)

// Resolve answers for every site of a file.
func (l *linker) Resolve(ctx context.Context, file int) ([]index.Resolution, error) {
	l.load(int32(file))
	facts := l.u.Load(file)
	e := l.newEval(int32(file), facts)
	res := make([]index.Resolution, len(facts.Sites))
	for i := range facts.Sites {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e.depth, e.steps = 0, 0
		res[i] = e.site(&facts.Sites[i])
	}
	return res, nil
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

func byName(reason string) index.Resolution {
	return index.Resolution{Status: index.Ambiguous, ByName: true, Members: true, Rule: ruleName, Reason: reason}
}

func (e *eval) site(s *index.Site) index.Resolution {
	if s.Kind == index.RefString {
		return index.Resolution{Status: index.Dynamic, ByName: true, Any: true, Rule: ruleString, Reason: reasonString}
	}
	if s.Expr < 0 {
		if s.Kind == index.RefImport {
			return index.Resolution{Status: index.Dynamic, Rule: ruleImport, Reason: reasonDynamic}
		}
		return byName(reasonReceiver)
	}
	x := &e.facts.Exprs[s.Expr]
	for x.Op == opGuarded && x.A >= 0 {
		x = &e.facts.Exprs[x.A]
	}
	switch x.Op {
	case opImport:
		if s.Kind != index.RefImport {
			b, _ := e.demanded(s.Expr, 0)
			return e.boundSite(&b, s.Kind, ruleImport)
		}
		return e.pathSite(e.facts.Names[x.Name])
	case opName:
		if r, ok := e.blockSite(s, e.facts.Names[x.Name]); ok {
			return r
		}
		return e.nameSite(e.facts.Names[x.Name], s.Kind)
	case opReexport:
		b := e.l.imported(e.l.load(e.own), x, trail{})
		return e.boundSite(&b, s.Kind, ruleImport)
	case opDef:
		if ent := e.l.entityOf(index.Target{File: e.own, Def: x.A}); x.A >= 0 && ent != nil {
			if b, ok := e.required(ent, s.Kind); ok {
				return e.boundSite(&b, s.Kind, ruleImport)
			}
			return e.entitySite(ent, s.Kind, ruleScope)
		}
		return index.Resolution{Drop: true}
	case opMember:
		return e.memberSite(x, s.Kind)
	case opPropertyOf:
		return e.keySite(x, s.Kind)
	}
	return byName(reasonReceiver)
}

// pathSite resolves the path of an import: to the module itself.
func (e *eval) pathSite(spec string) index.Resolution {
	p := e.l.importNamed(e.l.load(e.own), spec)
	switch {
	case p.file >= 0:
		return index.Resolution{Status: index.Static, Rule: ruleImport, Targets: e.l.moduleDef(p.file)}
	case len(p.several) > 0:
		var ts []index.Target
		for _, f := range p.several {
			ts = append(ts, e.l.moduleDef(f)...)
		}
		return ambiguous(ts, ruleImport, reasonPackages)
	case len(p.ambient) > 0:
		b := e.l.from(p, "*", trail{})
		return e.boundSite(&b, index.RefImport, ruleImport)
	case p.outside != "":
		return external(p.outside, ruleImport)
	}
	return unresolved(ruleImport, reasonNoFile)
}

// nameSite resolves a plain name that is no local.
func (e *eval) nameSite(name string, kind index.RefKind) index.Resolution {
	f := e.l.load(e.own)
	rule := ruleGlobal
	switch {
	case f.top[name] != nil:
		rule = ruleScope
	case len(f.names[name]) > 0:
		rule = ruleImport
	}
	b := e.l.lookup(e.own, name, trail{})
	if b.ent != nil && rule == ruleScope {
		if through, ok := e.required(b.ent, kind); ok {
			return e.boundSite(&through, kind, ruleImport)
		}
	}
	if b.outside != "" && b.ent == nil && rule == ruleGlobal && name == "arguments" {
		return index.Resolution{Drop: true}
	}
	return e.boundSite(&b, kind, rule)
}

// boundSite resolves to what a name leads to.
func (e *eval) boundSite(b *bound, kind index.RefKind, rule string) index.Resolution {
	switch {
	case b.ent != nil && len(b.others) > 0:
		ts := slices.Clone(b.ent.defs)
		for _, o := range b.others {
			ts = append(ts, o.defs...)
		}
		return ambiguous(ts, rule, reasonStars)
	case b.ent != nil && b.outside != "" && kind != index.RefType && kind != index.RefEmbed && !isValue(b.ent):
		return external(b.outside, rule)
	case b.ent != nil:
		return e.entitySite(b.ent, kind, rule)
	case b.isMod:
		return index.Resolution{Status: index.Static, Rule: rule, Targets: e.l.moduleDef(b.module)}
	case b.expr >= 0:
		return e.expressionSite(b)
	case b.outside != "":
		return external(b.outside, rule)
	}
	if b.missing == reasonOpen {
		return index.Resolution{Status: index.Dynamic, Rule: rule, Reason: b.missing}
	}
	return unresolved(rule, b.missing)
}

// expressionSite resolves a name for an expression: a member is what it names.
func (e *eval) expressionSite(b *bound) index.Resolution {
	f := e.at(b.file)
	if x := &f.Exprs[b.expr]; x.Op == opMember {
		base := e.value(scope{file: b.file}, x.A)
		return e.foundSite(e.selectMember(base, f.Names[x.Name], base))
	}
	return unresolved(ruleImport, reasonNoName)
}

// entitySite resolves to an entity: to those of its declarations that the way
// it is used in can mean.
func (e *eval) entitySite(ent *entity, kind index.RefKind, rule string) index.Resolution {
	var ts []index.Target
	for _, t := range ent.defs {
		if e.means(e.l.def(t).Kind, kind) {
			ts = append(ts, t)
		}
	}
	if len(ts) == 0 {
		ts = ent.defs
	}
	return e.oneOf(ts, rule)
}

func (e *eval) means(def index.Kind, use index.RefKind) bool {
	switch use {
	case index.RefType:
		switch def {
		case index.KindClass, index.KindInterface, index.KindType, index.KindEnum, index.KindEnumMember:
			return true
		}
		return false
	case index.RefRead, index.RefCall, index.RefWrite:
		return def != index.KindInterface && def != index.KindType
	case index.RefEmbed:
		return def == index.KindClass || def == index.KindInterface || def == index.KindType
	}
	return true
}

// oneOf is static for the declarations of one identity. Declarations in several
// modules are one only where one of them is nearer than all others.
func (e *eval) oneOf(ts []index.Target, rule string) index.Resolution {
	if len(ts) > 1 && !e.onePackage(ts) {
		if near := e.near(ts); len(near) > 0 && e.onePackage(near) {
			ts = near
		} else {
			return ambiguous(ts, rule, reasonGlobals)
		}
	}
	return index.Resolution{Status: index.Static, Rule: rule, Targets: ts}
}

func (e *eval) onePackage(ts []index.Target) bool {
	for _, t := range ts[1:] {
		if e.l.files[t.File].pkg != e.l.files[ts[0].File].pkg {
			return false
		}
	}
	return true
}

// near returns those declarations whose folder holds the file itself.
func (e *eval) near(ts []index.Target) (out []index.Target) {
	own := e.l.files[e.own].dir + "/"
	for _, t := range ts {
		if dir := e.l.files[t.File].dir; dir == "" || strings.HasPrefix(own, dir+"/") {
			out = append(out, t)
		}
	}
	return out
}

// memberSite resolves a name behind a dot.
func (e *eval) memberSite(x *index.Expr, kind index.RefKind) index.Resolution {
	name := e.facts.Names[x.Name]
	if kind == index.RefType || kind == index.RefEmbed {
		if of := e.l.bindIn(e.own, e.facts, x.A, trail{}); of.isMod || of.ent != nil || of.outside != "" {
			if b := e.l.part(of, name, trail{}); b.found() {
				return e.boundSite(&b, kind, ruleModule)
			}
		}
		if kind == index.RefType {
			return unresolved(ruleModule, reasonNoExport)
		}
	}
	base := e.value(scope{file: e.own}, x.A)
	if base != nil && base.form == formModule {
		if b := e.l.memberOfModule(base.sc.file, name); b.found() {
			return e.boundSite(&b, kind, ruleModule)
		}
		return unresolved(ruleModule, reasonNoExport)
	}
	found := e.selectMember(base, name, base)
	if found.what != findHere {
		if b, ok := e.exported(x.A, name); ok {
			return e.boundSite(&b, kind, ruleModule)
		}
	}
	return e.foundSite(found)
}

// keySite resolves a key of an object literal, an attribute of an element, or
// the literal key of an indexed type.
func (e *eval) keySite(x *index.Expr, kind index.RefKind) index.Resolution {
	t := e.typ(scope{file: e.own}, x.A)
	name := e.facts.Names[x.Name]
	f := e.selectMember(t, name, t)
	if kind != index.RefKey {
		return e.foundSite(f)
	}
	switch f.what {
	case findHere:
		if slices.ContainsFunc(f.parts, func(p part) bool { return p.value }) {
			return index.Resolution{Drop: true} // another literal, which promises nothing
		}
		res := e.foundSite(f)
		if res.Status == index.Static {
			res.Rule = ruleKey
			if f.via == viaParam || t.soft || hasParam(t) {
				res.Status, res.Reason = index.Ambiguous, reasonParam
			}
		}
		return res
	case findUnknown:
		if t != nil && t.form != formUnion {
			return index.Resolution{Drop: true}
		}
		return byName(reasonKey)
	}
	return index.Resolution{Drop: true}
}

// foundSite resolves to what a member's name leads to.
func (e *eval) foundSite(f found) index.Resolution {
	switch f.what {
	case findOutside:
		return external(f.module, ruleOutside)
	case findAny:
		return byName(reasonAny)
	case findNone:
		return byName(reasonNoMember)
	case findHere:
		if len(f.parts) == 1 && len(f.parts[0].targets) > 0 {
			return e.oneOf(f.parts[0].targets, ruleOf(f.via))
		}
		var ts []index.Target
		for _, p := range f.parts {
			ts = append(ts, p.targets...)
		}
		if len(ts) > 0 {
			return ambiguous(ts, ruleUnion, reasonUnion)
		}
	}
	return byName(reasonReceiver)
}

func ruleOf(via uint8) string {
	switch via {
	case viaBase:
		return ruleInherited
	case viaInterface:
		return ruleInterface
	case viaObject:
		return ruleProperty
	case viaModule:
		return ruleModule
	case viaParam:
		return ruleTypeParam
	}
	return ruleReceiver
}
