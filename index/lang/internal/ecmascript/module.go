package ecmascript

import (
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A module is what a file says of itself as a whole: what it imports and
// exports. It becomes the opModule in the Value of the file's own Def.
type module struct {
	flags   int32
	entries []int32
	public  map[int32]bool // words that export lists name
}

func (m *module) reset() {
	m.flags, m.entries = 0, m.entries[:0]
	if m.public == nil {
		m.public = make(map[int32]bool)
	}
	clear(m.public)
}

// openModule adds the first Def, the module itself, which imports of the file lead to.
func (x *extractor) openModule() {
	d := x.defineWord(index.KindPackage, x.internText(moduleName(x.f.Path)), index.Range{}, 0, index.Range{}, index.Range{})
	x.defs[d].Visibility = index.Public
	x.defNode[d] = -1
}

// closeModule writes down what the file imports and exports.
func (x *extractor) closeModule() {
	from := len(x.Stack)
	for _, e := range x.module.entries {
		x.Push(e)
	}
	x.defs[0].Value = x.MakeList(opModule, -1, x.module.flags, -1, from)
	x.f.Module = x.reach()
	for i := range x.defs {
		def := &x.defs[i]
		if def.Parent < 0 && def.Visibility == index.PackageWide && x.module.public[int32(def.Name)] {
			def.Visibility = index.Public
		}
	}
}

// Words in Facts.Module by which a file says that it is more than a module of
// its own; "" for one that is just that.
const (
	scriptModule    = "script"  // has no import or export: what it declares is global
	declaresModules = "global:" // declares global names, and the modules whose names follow
)

// reach says which names beyond its exports other files see.
func (x *extractor) reach() string {
	var names []string
	for i := range x.defs {
		if d := &x.defs[i]; d.Flags&flagValue != 0 {
			names = append(names, x.text(int32(d.Name)))
		}
	}
	script := x.module.flags&(modES|modCommonJS) == 0 && len(x.f.Imports) == 0 && len(x.defs) > 1
	switch {
	case len(names) > 0 || x.module.flags&modGlobal != 0:
		return declaresModules + strings.Join(names, ",")
	case script:
		return scriptModule
	}
	return ""
}

// moduleName is a file's name without what is not imported of it.
func moduleName(file string) string {
	base := path.Base(file)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}

func (x *extractor) entry(e int32) { x.module.entries = append(x.module.entries, e) }

// addImport adds an import and returns its index.
func (x *extractor) addImport(source, whole int32, alias string) int32 {
	im := index.Import{Path: x.stringValue(source), Alias: alias, Range: index.Range{Start: x.nodes[whole].Start, End: x.nodes[whole].End}}
	x.f.Imports = append(x.f.Imports, im)
	x.moduleSite(source)
	return int32(len(x.f.Imports) - 1)
}

// moduleSite records the path of an import, whose name is the path as written.
func (x *extractor) moduleSite(source int32) {
	if f := x.childOf(source, kFragment); f >= 0 && x.nodes[f].End+1 == x.nodes[source].End {
		x.site(f, x.word(f), index.RefImport, x.Make(opImport, x.word(f), -1, -1), -1)
	}
}

// stringValue returns what stands between the quotes of a string without escapes.
func (x *extractor) stringValue(n int32) string {
	if f := x.childOf(n, kFragment); f >= 0 && x.kind(n) == kString {
		return string(x.t.Text(f))
	}
	return ""
}

// importStatement reads import … from "m", import "m" and import x = require("m").
func (x *extractor) importStatement(n int32) {
	if !x.namespace {
		x.module.flags |= modES
	}
	if r := x.childOf(n, kImportRequire); r >= 0 {
		x.importRequire(n, r)
		return
	}
	source := x.child(n, x.g.source)
	if source < 0 {
		return
	}
	clause := x.childOf(n, kImportClause)
	if clause < 0 {
		x.addImport(source, n, "_")
		return
	}
	im := x.addImport(source, n, "")
	for c, end := clause+1, x.nodes[clause].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kIdentifier:
			x.imported(im, c, c, "default")
		case kNamespaceImport:
			if name := x.firstNamed(c); name >= 0 {
				x.f.Imports[im].Alias = string(x.t.Text(name))
				x.imported(im, name, name, "*")
			}
		case kNamedImports:
			x.importSpecifiers(im, c)
		}
	}
}

func (x *extractor) importSpecifiers(im, n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) != kImportSpecifier {
			continue
		}
		name, alias := x.child(c, x.g.name), x.child(c, x.g.alias)
		if name < 0 {
			continue
		}
		local := name
		if alias >= 0 {
			local = alias
		}
		x.imported(im, name, local, x.exportName(name))
		if alias >= 0 {
			word := x.word(alias)
			x.site(alias, word, index.RefImport, x.Make(opName, word, -1, -1), -1)
		}
	}
}

// exportName is a name in an import or export list, which may be a string.
func (x *extractor) exportName(n int32) string {
	if x.kind(n) == kString {
		return x.stringValue(n)
	}
	return string(x.t.Text(n))
}

// imported declares the local name that an import gives to what the module
// exports, and records the reference at node name.
func (x *extractor) imported(im, name, local int32, what string) {
	imp := &x.f.Imports[im]
	word := x.word(local)
	imp.Symbols, imp.Aliases = append(imp.Symbols, what), append(imp.Aliases, x.text(word))
	from := x.Make(opName, x.internText(what), -1, -1)
	x.entry(x.Make(opImported, word, im, from))
	if what != "*" {
		x.site(name, x.word(name), index.RefImport, x.Make(opName, word, -1, -1), -1)
	}
}

func (x *extractor) importRequire(n, clause int32) {
	name, source := x.childOf(clause, kIdentifier), x.child(clause, x.g.source)
	if name < 0 || source < 0 {
		return
	}
	im := x.addImport(source, n, string(x.t.Text(name)))
	x.entry(x.Make(opImported, x.word(name), im, x.Make(opName, x.internText("export="), -1, -1)))
}

// importAlias reads import x = a.b.
func (x *extractor) importAlias(n int32) {
	name := x.childOf(n, kIdentifier)
	if name < 0 {
		return
	}
	what := int32(-1)
	for c := x.nodes[name].Next; c < x.nodes[n].Next; c = x.nodes[c].Next {
		if k := x.kind(c); k == kNestedIdentifier || k == kIdentifier {
			what = x.entityName(c)
		}
	}
	word := x.word(name)
	if x.bound[word].value > 0 && x.namespace {
		d := x.define(index.KindVariable, name, n, n, x.doc.take(x, x.nodes[n].Start))
		x.defs[d].Value = what
		x.settle(word, d, false)
		return
	}
	x.entry(x.Make(opAlias, word, what, -1))
}

// exportStatement reads every form of export.
func (x *extractor) exportStatement(n int32) {
	if !x.namespace {
		x.module.flags |= modES
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kDecorator {
			x.decorator(c)
		}
	}
	if decl := x.child(n, x.g.declaration); decl >= 0 {
		x.exportedDeclaration(n, decl)
		return
	}
	if source := x.child(n, x.g.source); source >= 0 {
		x.reexport(n, source)
		return
	}
	if clause := x.childOf(n, kExportClause); clause >= 0 {
		x.exportList(clause)
		return
	}
	if value := x.child(n, x.g.value); value >= 0 {
		x.exportDefault(n, value)
		return
	}
	if value := x.firstNamed(n); value >= 0 && x.has(n, "=") {
		x.entry(x.Make(opExported, x.internText("export="), x.exportedValue(n, value), x.enclosing()))
	}
}

// enclosing is the declared module or namespace that an export stands in, -1
// for the file itself.
func (x *extractor) enclosing() int32 {
	if x.namespace {
		return x.in
	}
	return -1
}

func (x *extractor) exportedDeclaration(n, decl int32) {
	first := len(x.defs)
	x.exporting(n, decl)
	if !x.has(n, "default") || x.namespace {
		return
	}
	for d := first; d < len(x.defs); d++ {
		if x.defs[d].Parent == x.in && x.defNode[d] == decl {
			x.entry(x.Make(opExported, x.internText("default"), x.Make(opDef, -1, int32(d), -1), -1))
			return
		}
	}
}

// exportDefault reads export default of an expression. What has no name of its
// own gets the Def "default".
func (x *extractor) exportDefault(n, value int32) {
	x.entry(x.Make(opExported, x.internText("default"), x.exportedValue(n, value), x.enclosing()))
}

func (x *extractor) exportedValue(n, value int32) int32 {
	if k := x.kind(value); k == kIdentifier || k == kMember {
		if k == kIdentifier {
			x.module.public[x.word(value)] = true
		}
		return x.expr(value, -1)
	}
	keyword := x.keyword(n, "default")
	if keyword < 0 || x.inside {
		return x.expr(value, -1)
	}
	d := x.namelessDef(keyword, n, value)
	x.defs[d].Visibility = index.Public
	return x.Make(opDef, -1, d, -1)
}

// keyword returns n's first unnamed child with this text, or -1.
func (x *extractor) keyword(n int32, text string) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() && string(x.t.Text(c)) == text {
			return c
		}
	}
	return -1
}

// reexport reads export … from "m".
func (x *extractor) reexport(n, source int32) {
	im := x.addImport(source, n, "_")
	if clause := x.childOf(n, kExportClause); clause >= 0 {
		for c, end := clause+1, x.nodes[clause].Next; c < end; c = x.nodes[c].Next {
			if x.kind(c) == kExportSpecifier {
				x.reexportName(im, c)
			}
		}
		return
	}
	if ns := x.childOf(n, kNamespaceExport); ns >= 0 {
		if name := x.firstNamed(ns); name >= 0 {
			x.f.Imports[im].Symbols, x.f.Imports[im].Aliases = []string{"*"}, []string{x.exportName(name)}
			x.entry(x.Make(opReexport, x.internText(x.exportName(name)), im, x.Make(opName, x.internText("*"), -1, -1)))
		}
		return
	}
	x.f.Imports[im].Alias = "*"
	x.entry(x.Make(opStar, -1, im, -1))
}

func (x *extractor) reexportName(im, n int32) {
	name, alias := x.child(n, x.g.name), x.child(n, x.g.alias)
	if name < 0 {
		return
	}
	what, as := x.exportName(name), name
	if alias >= 0 {
		as = alias
	}
	imp := &x.f.Imports[im]
	imp.Symbols, imp.Aliases = append(imp.Symbols, what), append(imp.Aliases, x.exportName(as))
	e := x.Make(opReexport, x.internText(x.exportName(as)), im, x.Make(opName, x.internText(what), -1, -1))
	x.entry(e)
	if x.kind(name) == kString {
		return
	}
	x.site(name, x.word(name), index.RefImport, e, -1)
	if alias >= 0 && x.kind(alias) != kString {
		x.site(alias, x.word(alias), index.RefImport, e, -1)
	}
}

// exportList reads export { a, b as c }.
func (x *extractor) exportList(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		name, alias := x.child(c, x.g.name), x.child(c, x.g.alias)
		if x.kind(c) != kExportSpecifier || name < 0 {
			continue
		}
		as := name
		if alias >= 0 {
			as = alias
		}
		word := x.word(name)
		x.module.public[word] = true
		e := x.meaning(word, false)
		if x.Exprs[e].Op != opDef {
			e = x.meaning(word, true)
		}
		x.entry(x.Make(opExported, x.internText(x.exportName(as)), e, x.enclosing()))
		x.site(name, word, index.RefImport, e, -1)
		if alias >= 0 && x.kind(alias) != kString {
			x.site(alias, x.word(alias), index.RefImport, e, -1)
		}
	}
}

// dynamicImport returns the namespace of import("m") or require("m"), noting
// the import; a path that is no literal is not known here.
func (x *extractor) dynamicImport(call, args int32, promise int32) int32 {
	if !x.literalPath(args) {
		return -1
	}
	source := x.firstNamed(args)
	x.addImport(source, call, "_")
	return x.Make(opImport, x.internText(x.stringValue(source)), promise, -1)
}
