package golang

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A meaning is what a plain name stands for in a file.
type meaning struct {
	object   *object
	imported *imported
	// outside is the outside package that a dot import may take the name from.
	outside string
	// doubt says why the package of a dot import is not certain, "" if it is.
	doubt       string
	predeclared bool
}

// scope looks a plain name up: in the file's imports, the package, its dot
// imports, and among the predeclared names. Go forbids a name in both of the
// first two; with both, the package has the name in another build.
func (e *eval) scope(name string) meaning {
	o := e.find(e.f.pkg, name)
	i, certain := e.importNamed(name)
	switch {
	case i >= 0 && (o == nil || certain && !e.declares(o)):
		return meaning{imported: &e.f.imports[i]}
	case o != nil:
		return meaning{object: o}
	}
	outside := ""
	for i := range e.facts.Imports {
		if e.facts.Imports[i].Alias != "." {
			continue
		}
		im := &e.f.imports[i]
		for _, p := range im.pkgs {
			if o := e.find(p, name); o != nil && token.IsExported(name) {
				return meaning{object: o, doubt: im.doubt()}
			}
		}
		if len(im.pkgs) == 0 && outside == "" {
			outside = im.outside
		}
	}
	if isPredeclared(name) {
		return meaning{predeclared: true}
	}
	if outside != "" && token.IsExported(name) {
		return meaning{outside: outside}
	}
	if i := e.importLike(name); i >= 0 {
		return meaning{imported: &e.f.imports[i]}
	}
	return meaning{}
}

// find returns a package-level name that this file can see, nil if there is none.
func (e *eval) find(p *pkg, name string) *object {
	p.load(e.l)
	o := p.find(name)
	if o == nil || len(e.l.pick(o.targets, e.file).targets) == 0 {
		return nil
	}
	return o
}

// declares reports whether this file itself declares the object.
func (e *eval) declares(o *object) bool {
	return slices.ContainsFunc(o.targets, func(t index.Target) bool { return t.File == e.file })
}

// importNamed returns the index of the import that a file knows under name, or
// -1; certain is false when the package's name is a guess.
func (e *eval) importNamed(name string) (at int, certain bool) {
	for i := range e.facts.Imports {
		im := &e.facts.Imports[i]
		switch im.Alias {
		case "":
			if pkgs := e.f.imports[i].pkgs; len(pkgs) > 0 {
				if pkgs[0].name == name {
					return i, true
				}
			} else if guessName(im.Path) == name {
				return i, !strings.Contains(im.Path, ".")
			}
		case name:
			return i, true
		}
	}
	return -1, false
}

// importLike returns the index of an outside import whose path contains name
// in its last two elements: its package's name is not known for certain.
func (e *eval) importLike(name string) int {
	for i := range e.facts.Imports {
		im := &e.facts.Imports[i]
		if im.Alias != "" || len(e.f.imports[i].pkgs) > 0 {
			continue
		}
		last := path.Base(im.Path)
		if strings.Contains(last, name) || strings.Contains(path.Base(path.Dir(im.Path)), name) && strings.HasPrefix(last, "v") {
			return i
		}
	}
	return -1
}

// guessName returns the name that a package of that import path most likely
// has: its last element without a major version.
func guessName(importPath string) string {
	base := path.Base(importPath)
	if isVersion(base) && path.Dir(importPath) != "." {
		base = path.Base(path.Dir(importPath))
	}
	if name, version, ok := strings.Cut(base, ".v"); ok && isVersion("v"+version) { // gopkg.in/yaml.v3
		base = name
	}
	return base
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// named evaluates a plain name.
func (e *eval) named(name string) operand {
	b := e.scope(name)
	switch {
	case b.object != nil:
		return e.objectOperand(b.object)
	case b.imported != nil:
		return operand{mode: modePackage, pkg: b.imported}
	case b.outside != "":
		return operand{mode: modeOutside, path: b.outside, name: name}
	case b.predeclared:
		return e.predeclared(name)
	}
	return operand{}
}

// objectOperand returns what a package-level name stands for, seen from this file.
func (e *eval) objectOperand(o *object) operand {
	t := e.l.pick(o.targets, e.file).targets[0]
	d := &e.l.files[t.File].facts.Defs[t.Def]
	op := operand{mode: modeValue, t: e.l.typeOf(t, e.cycle)}
	if isType(d.Kind) {
		op.mode = modeType
	}
	op.decl, op.generic = t, d.Flags&index.DefGeneric != 0
	return op.known()
}

func (e *eval) predeclared(name string) operand {
	switch name {
	case "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
		"panic", "print", "println", "real", "recover":
		return operand{mode: modeBuiltin, name: name}
	case "true", "false":
		return valueOf(e.l.types.basic("bool"))
	case "iota":
		return valueOf(e.l.types.basic("int"))
	case "nil":
		return operand{}
	case "byte":
		name = "uint8"
	case "rune":
		name = "int32"
	}
	return typeOperand(e.l.types.basic(name))
}

// isPredeclared reports whether the language declares name in the universe block.
func isPredeclared(name string) bool {
	switch name {
	case "any", "append", "bool", "byte", "cap", "clear", "close", "comparable", "complex", "complex128", "complex64", "copy",
		"delete", "error", "false", "float32", "float64", "imag", "int", "int16", "int32", "int64", "int8", "iota", "len",
		"make", "max", "min", "new", "nil", "panic", "print", "println", "real", "recover", "rune", "string", "true", "uint",
		"uint16", "uint32", "uint64", "uint8", "uintptr":
		return true
	}
	return false
}

func isType(k index.Kind) bool {
	switch k {
	case index.KindClass, index.KindInterface, index.KindType, index.KindEnum:
		return true
	}
	return false
}
