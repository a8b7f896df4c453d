package ecmascript

import "github.com/plumbkit/plumb/index"

// required resolves through a constant that stands for what require gives, or for
// a part of it, as an import does: const { a } = require("./x") means x's a. What
// lies outside of the repository, and a variable that is assigned again, stay what
// they are.
func (e *eval) required(ent *entity, kind index.RefKind) (bound, bool) {
	if len(ent.defs) != 1 || ent.file != e.own || kind == index.RefWrite || !e.constant(ent.defs[0].Def) {
		return bound{}, false
	}
	b, ok := e.demanded(e.facts.Defs[ent.defs[0].Def].Value, 0)
	return b, ok && (b.ent != nil || b.isMod) && len(b.others) == 0
}

// constant reports whether a Def of the file is a value that stays what it was given.
func (e *eval) constant(def int32) bool {
	d := &e.facts.Defs[def]
	return (d.Kind == index.KindConstant || d.Kind == index.KindVariable) && d.Type < 0 && !e.written()[d.Name]
}

// written returns the names that the file assigns to after they are declared.
func (e *eval) written() map[uint32]bool {
	if e.writes != nil {
		return e.writes
	}
	e.writes = map[uint32]bool{}
	for i := range e.facts.Sites {
		s := &e.facts.Sites[i]
		if s.Kind != index.RefWrite || s.Expr < 0 || int(s.Expr) >= len(e.facts.Exprs) {
			continue
		}
		if op := e.facts.Exprs[s.Expr].Op; op == opName || op == opDef {
			e.writes[s.Name] = true
		}
	}
	return e.writes
}

// maxParts is how many dots may follow a require.
const maxParts = 4

// demanded finds what an expression that begins with require("…") leads to.
func (e *eval) demanded(x int32, depth int) (bound, bool) {
	if x < 0 || int(x) >= len(e.facts.Exprs) || depth > maxParts {
		return nothing(reasonReceiver), false
	}
	v := &e.facts.Exprs[x]
	switch {
	case v.Op == opImport && v.A != 1:
		return e.l.from(e.l.importNamed(e.l.load(e.own), e.facts.Names[v.Name]), "*", trail{}), true
	case v.Op != opMember:
		return nothing(reasonReceiver), false
	}
	base, ok := e.demanded(v.A, depth+1)
	if !ok {
		return base, false
	}
	return e.partOf(&base, v.A, e.facts.Names[v.Name])
}

// partOf finds a name of what a module exports, base, which the expression x leads to.
func (e *eval) partOf(base *bound, x int32, name string) (bound, bool) {
	if base.isMod {
		b := e.l.memberOfModule(base.module, name)
		return b, b.found()
	}
	if b, found := e.exported(x, name); found {
		return b, true
	}
	if base.ent == nil || base.outside != "" {
		return nothing(reasonReceiver), false
	}
	t := e.entityValue(base.ent)
	f := e.selectMember(t, name, t)
	if f.what != findHere || len(f.parts) != 1 || len(f.parts[0].targets) != 1 {
		return nothing(reasonReceiver), false
	}
	of := e.l.entityOf(f.parts[0].targets[0])
	return bound{ent: of, expr: -1}, of != nil
}

// exported finds a name that a CommonJS module adds to what it exports as a whole:
// module.exports.late = … after module.exports = { … }.
func (e *eval) exported(x int32, name string) (bound, bool) {
	file := e.moduleOf(x, 0)
	if file < 0 || e.l.load(file).flags&modCommonJS == 0 || len(e.l.load(file).out[name]) == 0 {
		return nothing(reasonNoExport), false
	}
	b := e.l.export(file, name, trail{})
	return b, b.ent != nil || b.isMod
}

// moduleOf returns the file whose exports an expression stands for as a whole, -1
// for none.
func (e *eval) moduleOf(x int32, depth int) int32 {
	if x < 0 || int(x) >= len(e.facts.Exprs) || depth > maxParts {
		return -1
	}
	f := e.l.load(e.own)
	switch v := &e.facts.Exprs[x]; v.Op {
	case opImport:
		if v.A != 1 {
			return e.l.importNamed(f, e.facts.Names[v.Name]).file
		}
	case opName:
		return e.moduleNamed(f, e.facts.Names[v.Name], depth)
	case opDef:
		if v.A >= 0 && int(v.A) < len(e.facts.Defs) && e.constant(v.A) {
			return e.moduleOf(e.facts.Defs[v.A].Value, depth+1)
		}
	case opLocal:
		if v.A >= 0 && int(v.A) < len(e.facts.Locals) {
			return e.moduleOf(e.facts.Locals[v.A].Value, depth+1)
		}
	}
	return -1
}

// moduleNamed is moduleOf of a name of the file's top.
func (e *eval) moduleNamed(f *file, name string, depth int) int32 {
	for _, n := range f.names[name] {
		im := &f.facts.Exprs[n]
		if im.Op != opImported || im.A < 0 || int(im.A) >= len(f.imports) || im.B < 0 {
			continue
		}
		switch f.facts.Names[f.facts.Exprs[im.B].Name] {
		case "default", "*", "export=":
			return f.imports[im.A].file
		}
	}
	if ent := f.top[name]; ent != nil && ent.file == e.own && len(ent.defs) == 1 && e.constant(ent.defs[0].Def) {
		return e.moduleOf(e.facts.Defs[ent.defs[0].Def].Value, depth+1)
	}
	return -1
}

// memberOfModule finds what stands behind a dot after a module. What a CommonJS
// module exports as a whole is its default to an import statement only: whether it
// is one to whoever asks the module itself depends on who loads it.
func (l *linker) memberOfModule(file int32, name string) bound {
	if name == "default" && l.load(file).flags&modCommonJS != 0 {
		return l.export(file, name, trail{})
	}
	return l.ofModule(file, name, trail{})
}
