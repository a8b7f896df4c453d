package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// importStatement reads an import: what it binds, and a reference for each part
// of the path and each name.
func (x *extractor) importStatement(n int32) {
	r := index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}
	switch x.kind(n) {
	case kImportStatement:
		x.each(n, func(c int32) { x.importModule(c, r) })
	case kImportFromStatement:
		x.importFrom(n, r)
	case kFutureImportStatement:
		im := index.Import{Path: "__future__", Range: r}
		x.each(n, func(c int32) { im.Symbols, im.Aliases = append(im.Symbols, x.text(c)), append(im.Aliases, x.text(c)) })
		x.addImport(n, im)
	}
}

func (x *extractor) addImport(n int32, im index.Import) int32 {
	x.f.Imports = append(x.f.Imports, im)
	x.mark(index.MarkImport, n, im.Path, "", 0)
	if top, _, _ := strings.Cut(im.Path, "."); top == "pytest" {
		x.pytest = true
	}
	return int32(len(x.f.Imports) - 1)
}

// importModule reads one "a.b as c" of an import statement.
func (x *extractor) importModule(n int32, r index.Range) {
	path, alias := n, int32(-1)
	if x.kind(n) == kAliasedImport {
		path, alias = x.child(n, x.g.name), x.child(n, x.g.alias)
	}
	if path < 0 || x.kind(path) != kDottedName {
		return
	}
	im := index.Import{Path: x.dottedText(path), Range: r}
	if alias >= 0 {
		im.Alias = x.text(alias)
	}
	at := x.addImport(n, im)
	x.components(path, at)
	bound := alias
	if bound < 0 {
		bound = x.first(path)
	}
	if bound >= 0 {
		x.bindImport(bound, x.Make(opImport, -1, at, -1))
	}
}

// dottedText returns a dotted name without white space.
func (x *extractor) dottedText(n int32) string {
	var parts []string
	x.each(n, func(c int32) { parts = append(parts, x.text(c)) })
	return strings.Join(parts, ".")
}

// components records a reference for each part of a dotted path.
func (x *extractor) components(path, at int32) {
	i := int32(0)
	x.each(path, func(c int32) {
		i++
		x.site(c, x.word(c), index.RefImport, x.Make(opComponent, -1, at, i), -1)
	})
}

func (x *extractor) importFrom(n int32, r index.Range) {
	module := x.child(n, x.g.moduleName)
	if module < 0 {
		return
	}
	path := module
	im := index.Import{Range: r}
	if x.kind(module) == kRelativeImport {
		path = -1
		x.each(module, func(c int32) {
			if x.kind(c) == kDottedName {
				path = c
			} else {
				im.Path = strings.ReplaceAll(x.text(c), " ", "")
			}
		})
	}
	if path >= 0 {
		im.Path += x.dottedText(path)
	}
	type named struct{ symbol, bound int32 }
	var all []named
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kWildcardImport {
			im.Alias = "*"
		}
		if x.nodes[c].Field != x.g.name {
			continue
		}
		symbol, alias := c, int32(-1)
		if x.kind(c) == kAliasedImport {
			symbol, alias = x.child(c, x.g.name), x.child(c, x.g.alias)
		}
		if symbol >= 0 {
			symbol = x.first(symbol)
		}
		if symbol < 0 {
			continue
		}
		if alias < 0 {
			alias = symbol
		}
		all = append(all, named{symbol, alias})
		im.Symbols, im.Aliases = append(im.Symbols, x.text(symbol)), append(im.Aliases, x.text(alias))
	}
	at := x.addImport(n, im)
	if path >= 0 {
		x.components(path, at)
	}
	for i, s := range all {
		e := x.Make(opImport, -1, at, int32(i))
		x.site(s.symbol, x.word(s.symbol), index.RefImport, e, -1)
		x.bindImport(s.bound, e)
	}
}

// bindImport binds a name in a function. What a module or class imports linking
// reads off Facts.Imports.
func (x *extractor) bindImport(n, e int32) {
	f := x.function()
	if f.kind == frameModule || f.kind == frameClass {
		return
	}
	word := x.word(n)
	if b := x.binding(word); b.frame == f && !f.vars[b.at].outer {
		x.set(f, &f.vars[b.at], e)
	}
}

// importedNames calls f with each name that an import binds.
func (x *extractor) importedNames(n int32, f func(word int32)) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Field != x.g.name {
			continue
		}
		name := c
		if x.kind(c) == kAliasedImport {
			name = x.child(c, x.g.alias)
		} else {
			name = x.first(c)
		}
		if name >= 0 {
			f(x.word(name))
		}
	}
}
