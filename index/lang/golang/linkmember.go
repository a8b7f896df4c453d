package golang

import (
	"go/token"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A verdict says how certain a selection is.
type verdict uint8

const (
	selNone      verdict = iota // the type has no such member
	selFound                    // one identity
	selSeveral                  // declared more than once for one build
	selDepth                    // declared by several embedded types of one depth
	selShadowed                 // found, but an outside type embedded nearer may declare it too
	selOutside                  // only the outside package path can declare it
	selPerhaps                  // an outside type, made of types of the repository that declare it
	selKin                      // an outside type of a package that may use the repository's types
	selUntypable                // the receiver's type, or that of an embedded field, is not known
)

// A selection is what a member's name means for a receiver's type.
type selection struct {
	verdict verdict
	targets []index.Target
	t       *typ // of the member, nil if not known
	rule    string
	path    string
}

// A level is what the types at one depth of embedding yield.
type level struct {
	selection
	hits     int
	twice    bool   // one hit, but declared more than once for one build
	outside  string // an outside type at this depth
	opaque   *typ   // that type, where it is not declared by the language
	untyped  bool   // a type at this depth is not known
	embedded []*typ
}

// maxEmbedding bounds embedding, which only a cycle makes deeper.
const maxEmbedding = 16

// member finds a field or method of a type as the language's selector rule
// does: breadth first through embedded fields, the shallowest depth wins, and
// two at that depth are ambiguous. An outside type could declare any exported
// name, so what lies deeper than one is not certain.
func (e *eval) member(t *typ, name string) selection {
	t = t.deref()
	if t == nil {
		return selection{verdict: selUntypable}
	}
	at := []*typ{t}
	var seen []*typ
	outside, untyped := "", false
	var opaque *typ
	for depth := range maxEmbedding {
		lv := level{}
		for _, t := range at {
			e.lookAt(t, name, &lv)
		}
		if lv.hits > 0 {
			return lv.decide(depth, outside)
		}
		if lv.outside != "" && outside == "" {
			outside, opaque = lv.outside, lv.opaque
		}
		untyped = untyped || lv.untyped
		seen = append(seen, at...)
		at = slices.DeleteFunc(lv.embedded, func(t *typ) bool { return slices.Contains(seen, t) })
		if len(at) == 0 {
			break
		}
	}
	return e.beyond(name, outside, opaque, untyped)
}

// decide makes a selection of the members found at a depth.
func (lv *level) decide(depth int, outside string) selection {
	s := lv.selection
	s.verdict = selFound
	if depth > 0 && s.rule != ruleInterface {
		s.rule = rulePromoted
	}
	switch {
	case outside != "":
		s.verdict, s.path = selShadowed, outside
	case lv.hits > 1 && depth > 0:
		s.verdict, s.t = selDepth, nil
	case lv.hits > 1 || lv.twice:
		s.verdict, s.t = selSeveral, nil
	}
	return s
}

// beyond answers for a name that no type of the repository declares.
func (e *eval) beyond(name, outside string, opaque *typ, untyped bool) selection {
	// What another package declares without a capital cannot be selected here.
	if outside != "" && (token.IsExported(name) || !untyped) {
		return e.fromOutside(name, outside, opaque)
	}
	if untyped {
		return selection{verdict: selUntypable}
	}
	return selection{}
}

// fromOutside answers for a member of an outside type. A type that the outside
// package only names has its own members; one that it hands out may also be
// of the repository: one that it was given (opaque.list), or one that it knows
// because it is kin.
func (e *eval) fromOutside(name, outside string, opaque *typ) selection {
	s := selection{verdict: selOutside, path: outside, t: opaque, rule: ruleOutside}
	if opaque == nil {
		s.t = e.l.types.opaque(outside, nil)
		return s
	}
	if opaque.form == formOutside {
		s.t = e.opaqueFrom(opaque)
		return s
	}
	for _, t := range opaque.list {
		if m := e.member(t, name); len(m.targets) > 0 {
			s.verdict = selPerhaps
			s.targets = appendTargets(s.targets, m.targets)
			// What the member leads to is one more thing that the value may be made of.
			s.t = e.l.types.opaque(outside, parts(slices.Clip(opaque.list), m.t))
		}
	}
	if kin := e.l.kin(outside); kin != nil {
		if ts := kin.offers(e.l, e.file, name); len(ts) > 0 {
			s.verdict = selKin
			s.targets = appendTargets(s.targets, ts)
		}
	}
	return s
}

// appendTargets appends to a copy what is not yet there.
func appendTargets(ts, more []index.Target) []index.Target {
	ts = slices.Clip(ts)
	for _, t := range more {
		if !slices.Contains(ts, t) {
			ts = append(ts, t)
		}
	}
	return ts
}

// lookAt adds what one type declares itself under name, and what it embeds.
func (e *eval) lookAt(t *typ, name string, lv *level) {
	switch t.form {
	case formNamed:
		e.lookInNamedType(t, name, lv)
	case formLocal:
		e.lookIn(e.l.underlying(t, e.file, e.cycle), name, lv)
	case formParam:
		e.lookInParam(t, name, lv)
	default:
		e.lookIn(t, name, lv)
	}
}

// lookInNamedType looks for a method, then for what the declaration holds. A
// method that only another build has gives way to a field.
func (e *eval) lookInNamedType(t *typ, name string, lv *level) {
	p := e.l.pick(t.object.method(name), e.file)
	if len(p.targets) > 0 && e.l.cons.together(e.f.constraint, e.l.files[p.targets[0].File].constraint) {
		e.addMethod(t, p, lv)
		return
	}
	before := lv.hits
	e.lookInVariants(t, name, lv)
	if lv.hits == before && len(p.targets) > 0 {
		e.addMethod(t, p, lv)
	}
}

func (e *eval) addMethod(t *typ, p pick, lv *level) {
	lv.add(p.targets, e.l.replace(e.l.typeOf(p.targets[0], e.cycle), e.l.typeParams(p.targets[0]), t.list), ruleReceiver)
	if !p.variants {
		lv.twice = true
	}
}

// lookInVariants looks into the declarations of a named type that can be meant:
// usually one; several are build variants, whose members are one identity.
func (e *eval) lookInVariants(t *typ, name string, lv *level) {
	p := e.l.pick(t.object.targets, e.file)
	if len(p.targets) == 1 {
		e.lookIn(e.l.underlying(t, e.file, e.cycle), name, lv)
		return
	}
	before := lv.hits
	for _, decl := range p.targets {
		e.lookIn(e.l.declared(t, decl, e.cycle), name, lv)
	}
	if p.variants && lv.hits > before {
		lv.hits = before + 1
	}
}

// lookIn looks into an underlying type.
func (e *eval) lookIn(u *typ, name string, lv *level) {
	if u == nil {
		lv.untyped = true
		return
	}
	switch u.form {
	case formStruct:
		if t, ok := e.l.child(u, name); ok {
			lv.add(e.l.files[t.File].self[t.Def:t.Def+1:t.Def+1], e.l.childType(u, t, e.cycle), ruleField)
		}
		for _, embedded := range u.list {
			if embedded = embedded.deref(); embedded == nil {
				lv.untyped = true
			} else {
				lv.embedded = append(lv.embedded, embedded)
			}
		}
	case formInterface:
		e.lookInInterface(u, name, lv, nil)
	case formNamed, formLocal, formParam: // type A B
		e.lookInNamed(u, name, lv)
	case formOutside, formOpaque:
		if lv.outside == "" {
			lv.outside, lv.opaque = u.path, u
		}
	case formBasic:
		if u.name == "error" && name == "Error" {
			lv.outside = builtinPackage
		}
	}
}

// lookInNamed looks into what a named type was declared to be like: it has
// the members of that type's underlying type, but not its methods.
func (e *eval) lookInNamed(t *typ, name string, lv *level) {
	if u := e.under(t); u != nil && u != t {
		e.lookIn(u, name, lv)
	} else if u == nil {
		lv.untyped = true
	}
}

func (lv *level) add(ts []index.Target, t *typ, rule string) {
	if lv.hits == 0 { // of build variants the first decides
		lv.t = t
	}
	lv.hits++
	if lv.targets == nil {
		lv.targets = ts
	} else {
		lv.targets = appendTargets(lv.targets, ts)
	}
	lv.rule = rule
}

// lookInInterface looks for a method in an interface and those it embeds. The
// same method may be in several of them; one is enough.
func (e *eval) lookInInterface(u *typ, name string, lv *level, seen []*typ) bool {
	if t, ok := e.l.child(u, name); ok {
		lv.add(e.l.files[t.File].self[t.Def:t.Def+1:t.Def+1], e.l.childType(u, t, e.cycle), ruleInterface)
		return true
	}
	seen = append(seen, u)
	for _, embedded := range u.list {
		in := e.under(embedded)
		switch {
		case in == nil:
			lv.untyped = true
		case in.form == formInterface:
			if !slices.Contains(seen, in) && len(seen) <= maxEmbedding && e.lookInInterface(in, name, lv, seen) {
				return true
			}
		case in.form == formPointer: // a constraint like interface{ *T; M() }
			sub := level{}
			e.lookAt(in.elem, name, &sub)
			if sub.hits > 0 {
				lv.add(sub.targets, sub.t, sub.rule)
				return true
			}
		case in.form == formParam:
		default:
			e.lookIn(in, name, lv)
		}
	}
	return false
}

// lookInParam looks for a member of a type parameter: a method of its
// constraint, or a field of its core type.
func (e *eval) lookInParam(t *typ, name string, lv *level) {
	c := e.constraint(t)
	if c == nil {
		lv.untyped = true
		return
	}
	before := lv.hits
	e.lookIn(e.under(c), name, lv)
	if lv.hits > before {
		lv.rule = ruleTypeParam
	}
}

// child finds a field or method that a struct or interface literal declares.
func (l *linker) child(u *typ, name string) (index.Target, bool) {
	f := &l.files[u.def.File]
	for i := max(u.n, 0); i < u.expr && int(i) < len(f.facts.Defs); i++ {
		d := &f.facts.Defs[i]
		if d.Parent == u.def.Def && f.facts.Names[d.Name] == name &&
			(u.form == formStruct || d.Flags&index.DefEmbedded == 0) {
			return index.Target{File: u.def.File, Def: i}, true
		}
	}
	return index.Target{}, false
}

// childType returns the type of a field or method of a literal type.
func (l *linker) childType(u *typ, t index.Target, c *cycle) *typ {
	ct := l.typeOf(t, c)
	if len(u.env) == 0 {
		return ct
	}
	var params, args []*typ
	for i := 0; i+1 < len(u.env); i += 2 {
		params, args = append(params, u.env[i]), append(args, u.env[i+1])
	}
	return l.replace(ct, params, args)
}
