package ecmascript

import "github.com/plumbkit/plumb/index"

// inStatic finds a member of what an entity declares as a value.
func (e *eval) inStatic(t *typ, name string, this *typ, depth int) found {
	if kid := e.l.kid(t.ent, name); kid != nil {
		return here(viaModule, part{targets: kid.defs, fixed: e.entityValue(kid), expr: -1})
	}
	var targets []index.Target
	for _, d := range t.ent.defs {
		f := e.l.load(d.File)
		def := &f.facts.Defs[d.Def]
		for _, k := range e.memberDefs(f, d.Def, name) {
			m := &f.facts.Defs[k]
			if m.Flags&flagStatic != 0 || def.Kind == index.KindEnum {
				targets = append(targets, index.Target{File: d.File, Def: k})
			}
		}
	}
	if len(targets) > 0 {
		return here(viaOwn, part{targets: targets, sc: scope{file: targets[0].File, this: this}, expr: -1})
	}
	if name == "prototype" && t.ent.is(index.KindClass) {
		return found{what: findKeyed, parts: []part{{fixed: e.named(t.ent, nil), expr: -1}}}
	}
	return e.inStaticBase(t, name, this, depth)
}

func (e *eval) inStaticBase(t *typ, name string, this *typ, depth int) found {
	for _, d := range t.ent.defs {
		f := e.at(d.File)
		def := &f.Defs[d.Def]
		if def.Kind != index.KindClass || def.Type < 0 {
			continue
		}
		x := &f.Exprs[def.Type]
		if x.Op == opGeneric && x.A >= 0 {
			x = &f.Exprs[x.A]
		}
		if x.Op == opClass && x.A == 1 && x.L1 > x.L0 {
			base := e.value(scope{file: d.File}, f.Lists[x.L0])
			return e.selectIn(base, name, this, depth+1)
		}
	}
	if t.ent.is(index.KindPackage) && !t.ent.is(index.KindClass, index.KindFunction) {
		return found{what: findNone}
	}
	if t.ent.is(index.KindClass, index.KindFunction, index.KindEnum) && (isFunctionMember(name) || isObjectMember(name)) {
		return outsideFound(moduleES)
	}
	return found{what: findNone}
}

// inModule finds an exported name of a module.
func (e *eval) inModule(t *typ, name string) found {
	b := e.l.ofModule(t.sc.file, name, trail{})
	switch {
	case b.ent != nil:
		parts := []part{{targets: b.ent.defs, fixed: e.boundValue(&b), expr: -1}}
		for _, o := range b.others {
			parts = append(parts, part{targets: o.defs, expr: -1})
		}
		return here(viaModule, parts...)
	case b.isMod:
		return here(viaModule, part{targets: e.l.moduleDef(b.module), fixed: e.boundValue(&b), expr: -1})
	case b.expr >= 0:
		return found{what: findKeyed, parts: []part{{fixed: e.boundValue(&b), expr: -1}}}
	case b.outside != "":
		return outsideFound(b.outside)
	}
	return found{what: findNone}
}

// moduleDef returns the Def of a module itself.
func (l *linker) moduleDef(i int32) []index.Target {
	if f := l.load(i); len(f.facts.Defs) > 0 && f.facts.Defs[0].Kind == index.KindPackage {
		return []index.Target{{File: i, Def: 0}}
	}
	return nil
}

// memberType is the type of what was found.
func (e *eval) memberType(f found) *typ {
	switch f.what {
	case findOutside:
		for _, m := range f.made {
			if !isForeign(m) {
				return nil // it may be one of these
			}
		}
		return outsideType(f.module)
	case findAny:
		return &typ{form: formAny}
	case findHere, findKeyed:
		all := make([]*typ, len(f.parts))
		for i := range f.parts {
			all[i] = e.partType(&f.parts[i])
		}
		return unionOf(all...)
	}
	return nil
}

func (e *eval) partType(p *part) *typ {
	switch {
	case p.fixed != nil:
		return p.fixed
	case p.expr >= 0 && p.value:
		return e.value(p.sc, p.expr)
	case p.expr >= 0:
		return e.typ(p.sc, p.expr)
	case len(p.targets) == 0:
		return nil
	}
	var all []*typ
	for _, t := range p.targets {
		s := p.sc
		s.file = t.File
		if d := e.l.def(t); d.Flags&flagSet != 0 && len(p.targets) > 1 {
			continue
		}
		got := e.memberDefType(s, t)
		if got != nil || len(p.targets) == 1 {
			all = append(all, got)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if len(all) > 1 && all[0] != nil && all[0].form == formFunc {
		return both(all) // overloads
	}
	return all[0]
}

// memberDefType is the type of a member's declaration as seen from an instance.
func (e *eval) memberDefType(s scope, t index.Target) *typ {
	if s.env == nil && s.this == nil {
		return e.typeOf(t)
	}
	d := e.l.def(t)
	if d.Kind == index.KindEnumMember {
		return enumMember(t)
	}
	found, _ := e.guard(question{t.File, t.Def, askMember}, s.plain(), func() *typ { return e.defType(s, t) })
	return found
}
