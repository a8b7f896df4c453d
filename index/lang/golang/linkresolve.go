package golang

import (
	"context"
	"go/token"

	"github.com/plumbkit/plumb/index"
)

// The rules that decide. A static answer of each is expected to be right in
// 99.5 of 100 cases; ruleOutside, ruleName and ruleString never make one.
const (
	ruleScope     = "scope"     // a plain name, found in its package
	ruleImport    = "import"    // a name of an imported package
	ruleReceiver  = "receiver"  // a method of the receiver's type itself
	rulePromoted  = "promoted"  // a field or method of an embedded type
	ruleInterface = "interface" // a method that an interface declares
	ruleField     = "field"     // a field of the receiver's type itself
	ruleComposite = "composite" // a field that is a key in a composite literal
	ruleTypeParam = "typeparam" // a member of a type parameter's constraint
	ruleOutside   = "outside"   // the receiver's type is declared outside
	ruleName      = "name"      // the receiver's type is not known: the name alone
	ruleString    = "string"    // a string that equals a name
)

// The reasons why a reference is not static.
const (
	reasonPackage    = "several modules of the repository claim the import path"
	reasonBarred     = "the internal rule forbids the import"
	reasonGuessed    = "without go.mod the repository's import path is a guess"
	reasonNoFolder   = "the import path belongs to a module of the repository that has no such folder"
	reasonNoMember   = "the package has no such declaration in the repository"
	reasonNoName     = "no declaration of this name is in scope"
	reasonNoSelector = "the receiver's type has no such member in the repository"
	reasonReceiver   = "the receiver's type is not known"
	reasonTwice      = "declared more than once for the same build"
	reasonDepth      = "several embedded types of one depth declare it"
	reasonShadowed   = "an embedded type from outside the repository may declare the same name nearer"
	reasonMadeOf     = "the receiver comes from outside the repository, made of a type that has such a member"
	reasonKin        = "the receiver comes from an outside package below one of the repository, which may use its types"
	reasonString     = "a string that equals a name may be used for reflection or as a key"
)

// builtinPackage is the module of what the language itself declares.
const builtinPackage = "builtin"

// Resolve answers for every site of a file.
func (l *linker) Resolve(ctx context.Context, file int) ([]index.Resolution, error) {
	f := &l.files[file]
	f.pkg.load(l)
	facts := l.u.Load(file)
	e := &eval{l: l, file: int32(file), f: f, facts: facts, memo: make([]operand, len(facts.Exprs)),
		state: make([]uint8, len(facts.Exprs)), cycle: newCycle()}
	res := make([]index.Resolution, len(facts.Sites))
	for i := range facts.Sites {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		res[i] = e.site(&facts.Sites[i])
	}
	return res, nil
}

func (e *eval) site(s *index.Site) index.Resolution {
	name := e.nameOf(int32(s.Name))
	switch s.Kind {
	case index.RefString:
		return index.Resolution{Status: index.Dynamic, ByName: true, Any: true, Rule: ruleString, Reason: reasonString}
	case index.RefImport:
		return e.importSite(name)
	}
	if name == "_" || s.Expr < 0 {
		return index.Resolution{Drop: true}
	}
	switch x := e.at(s.Expr); x.Op {
	case opSelect, opMethodOf:
		return e.selector(x, name)
	case opDef:
		if x.A >= 0 && int(x.A) < len(e.f.self) {
			return static(e.f.self[x.A:x.A+1:x.A+1], ruleScope)
		}
	}
	return e.plain(name)
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

// object resolves to a package-level name.
func (e *eval) object(o *object, rule string) index.Resolution {
	p := e.l.pick(o.targets, e.file)
	if !p.variants {
		return ambiguous(p.targets, rule, reasonTwice)
	}
	return static(p.targets, rule)
}

// plain resolves a name without a selector.
func (e *eval) plain(name string) index.Resolution {
	switch b := e.scope(name); {
	case b.object != nil && b.doubt != "":
		return ambiguous(b.object.targets, ruleImport, b.doubt)
	case b.object != nil && b.object.pkg != e.f.pkg:
		return e.object(b.object, ruleImport)
	case b.object != nil:
		return e.object(b.object, ruleScope)
	case b.imported != nil:
		return e.importedSite(b.imported)
	case b.predeclared:
		return index.Resolution{Drop: true}
	case b.outside != "":
		return external(b.outside, ruleImport)
	}
	return unresolved(ruleScope, reasonNoName)
}

// importSite resolves an import's path.
func (e *eval) importSite(path string) index.Resolution {
	for i := range e.facts.Imports {
		if e.facts.Imports[i].Path == path {
			return e.importedSite(&e.f.imports[i])
		}
	}
	return index.Resolution{Drop: true}
}

// importedSite resolves an import, or a use of its name: to the package's
// clauses where these are definitions. Module names the package in any case.
func (e *eval) importedSite(im *imported) index.Resolution {
	if im.outside != "" {
		if im.missing {
			return unresolved(ruleImport, reasonNoFolder)
		}
		return external(im.outside, ruleImport)
	}
	var ts []index.Target
	for _, p := range im.pkgs {
		p.load(e.l)
		if ts == nil {
			ts = p.clauses
		} else {
			ts = appendTargets(ts, p.clauses)
		}
	}
	res := static(ts, ruleImport)
	if reason := im.doubt(); reason != "" {
		res = ambiguous(ts, ruleImport, reason)
	}
	res.Module = im.pkgs[0].path
	return res
}

// doubt returns why it is not certain that an import leads to its package, "" if it is.
func (im *imported) doubt() string {
	switch {
	case len(im.pkgs) > 1:
		return reasonPackage
	case im.barred:
		return reasonBarred
	case im.guessed:
		return reasonGuessed
	}
	return ""
}

// selector resolves the name behind a dot, or a key of a composite literal.
func (e *eval) selector(x *index.Expr, name string) index.Resolution {
	base := e.expr(x.A)
	switch base.mode {
	case modePackage:
		return e.fromPackage(base.pkg, name)
	case modeType, modeValue, modeOutside:
		t := e.l.typeFor(base)
		if base.mode == modeValue && base.t.form == formTuple {
			t = base.t.list[0]
		}
		if x.B >= 0 && base.mode != modeOutside && !e.hasFields(t) {
			return e.keyed(x.B, name)
		}
		res := e.fromType(t, name)
		if x.B >= 0 && res.Rule == ruleField {
			res.Rule = ruleComposite
		}
		return res
	}
	return e.byName(name, reasonReceiver)
}

// keyed resolves a key that is no field: an expression of its own, which is
// dropped when it is a local.
func (e *eval) keyed(i int32, name string) index.Resolution {
	switch x := e.at(i); x.Op {
	case opName:
		return e.plain(name)
	case opSelect:
		if x.B < 0 {
			return e.selector(x, name)
		}
	}
	return index.Resolution{Drop: true}
}

func (e *eval) fromPackage(im *imported, name string) index.Resolution {
	if len(im.pkgs) == 0 {
		if im.missing {
			return unresolved(ruleImport, reasonNoFolder)
		}
		return external(im.outside, ruleImport)
	}
	reason := im.doubt()
	var ts []index.Target
	for _, p := range im.pkgs {
		o := e.find(p, name)
		if o == nil || !token.IsExported(name) {
			continue
		}
		res := e.object(o, ruleImport)
		if reason == "" {
			return res
		}
		ts = append(ts, res.Targets...)
	}
	if len(ts) == 0 {
		return unresolved(ruleImport, reasonNoMember)
	}
	return ambiguous(ts, ruleImport, reason)
}

func (e *eval) fromType(t *typ, name string) index.Resolution {
	m := e.member(t, name)
	switch m.verdict {
	case selFound:
		return static(m.targets, m.rule)
	case selSeveral:
		return ambiguous(m.targets, m.rule, reasonTwice)
	case selDepth:
		return ambiguous(m.targets, m.rule, reasonDepth)
	case selShadowed:
		return ambiguous(m.targets, m.rule, reasonShadowed)
	case selPerhaps:
		return ambiguous(m.targets, m.rule, reasonMadeOf)
	case selKin:
		return ambiguous(m.targets, m.rule, reasonKin)
	case selOutside:
		return external(m.path, m.rule)
	case selUntypable:
		return e.byName(name, reasonReceiver)
	}
	return unresolved(ruleReceiver, reasonNoSelector)
}

// byName answers for a member of a type that is not known: a name without a
// capital is of this package, any other of some package.
func (e *eval) byName(name, reason string) index.Resolution {
	if token.IsExported(name) {
		return index.Resolution{Status: index.Ambiguous, ByName: true, Members: true, Rule: ruleName, Reason: reason}
	}
	if ts := e.f.pkg.membersNamed(e.l, name); len(ts) > 0 {
		return ambiguous(ts, ruleName, reason)
	}
	return unresolved(ruleName, reason)
}
