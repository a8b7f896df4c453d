package ecmascript

import (
	"slices"
	"strconv"

	"github.com/plumbkit/plumb/index"
)

// libraryType is a type that TypeScript's standard library declares, with arguments.
func (e *eval) libraryType(name, module string, args []*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch name {
	case "Partial", "Required", "Readonly", "NonNullable", "NoInfer":
		return arg(0)
	case "Pick", "Omit":
		kind := "pick"
		if name == "Omit" {
			kind = "omit"
		}
		return &typ{form: formPick, name: kind, list: []*typ{arg(0), arg(1)}}
	case "Record":
		return &typ{form: formRecord, list: []*typ{arg(0), arg(1)}}
	case "Extract", "Exclude":
		return e.filter(arg(0), arg(1), name == "Extract")
	case "ReturnType":
		return e.resultOf(arg(0))
	case "Awaited":
		return e.awaited(arg(0), 0)
	case "InstanceType":
		return e.instanceOf(arg(0), nil)
	case "Parameters", "ConstructorParameters":
		return e.parametersOf(arg(0), name != "Parameters")
	case "String", "Number", "Boolean", "Symbol", "BigInt":
		return lib(name)
	case "Object", "Function", "ThisType", "PropertyKey":
		return &typ{form: formAny}
	case "ReadonlyArray", "ConcatArray":
		return lib("Array", args...)
	case "ReadonlyMap":
		return lib("Map", args...)
	case "ReadonlySet":
		return lib("Set", args...)
	case "PromiseLike":
		return lib("Promise", args...)
	case "Uppercase", "Lowercase", "Capitalize", "Uncapitalize":
		return basicType("string")
	case "Array", "Promise", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Iterable", "IterableIterator", "Iterator", "Generator",
		"AsyncIterable", "AsyncIterableIterator", "AsyncGenerator", "ArrayLike", "RegExp", "Date", "Error", "IteratorResult",
		"ArrayIterator", "MapIterator", "SetIterator", "PromiseSettledResult", "PromiseFulfilledResult":
		return lib(name, args...)
	}
	return outsideType(module)
}

func (e *eval) parametersOf(t *typ, made bool) *typ {
	sigs := e.signatures(t, made)
	if made {
		sigs = append(sigs, e.constructors(t, nil)...)
	}
	if len(sigs) == 0 {
		return nil
	}
	sig := &sigs[0]
	f := e.at(sig.sc.file)
	var all []*typ
	for i := range int(f.Exprs[sig.fn].A) {
		all = append(all, e.parameter(sig, i, sig.sc))
	}
	return &typ{form: formTuple, list: all}
}

// filter keeps the members of a union that fit a type, or those that do not.
func (e *eval) filter(t, by *typ, keep bool) *typ {
	if t == nil {
		return nil
	}
	var all []*typ
	for _, m := range t.members() {
		if a := e.fits(m, by, 0); a == perhaps || (a == yes) == keep {
			all = append(all, m)
		}
	}
	return unionOf(all...)
}

// awaited is what await gives of a value.
func (e *eval) awaited(t *typ, depth int) *typ {
	if t == nil || depth > 8 {
		return t
	}
	switch t.form {
	case formLib:
		if t.name == "Promise" {
			if len(t.list) == 0 {
				return nil
			}
			return e.awaited(t.list[0], depth+1)
		}
	case formUnion:
		all := make([]*typ, len(t.list))
		for i, m := range t.list {
			all[i] = e.awaited(m, depth+1)
		}
		return unionOf(all...)
	case formNamed:
		if up := e.thenable(t); up != nil {
			return up
		}
	}
	return t
}

// thenable is what a class that extends Promise resolves to.
func (e *eval) thenable(t *typ) *typ {
	for _, b := range e.bases(t) {
		if b != nil && b.form == formLib && b.name == "Promise" && len(b.list) > 0 {
			return b.list[0]
		}
	}
	return nil
}

// element is what iterating over a value gives, or an array holds.
func (e *eval) element(t *typ, depth int) *typ {
	if t == nil || depth > 8 {
		return nil
	}
	switch t.form {
	case formAny, formOutside:
		return t
	case formTuple:
		return unionOf(t.list...)
	case formUnion, formBoth:
		var all []*typ
		for _, m := range t.list {
			if el := e.element(m, depth+1); el != nil {
				all = append(all, el)
			}
		}
		if len(all) == 0 {
			return nil
		}
		return unionOf(all...)
	case formBasic:
		if t.name == "string" {
			return t
		}
	case formText:
		return basicType("string")
	case formParam:
		return e.element(e.constraint(t), depth+1)
	case formLib:
		if t.name == "Map" && len(t.list) > 1 {
			return &typ{form: formTuple, list: t.list[:2]}
		}
		if len(t.list) > 0 {
			return t.list[0]
		}
	case formNamed:
		for _, b := range e.bases(t) {
			if el := e.element(b, depth+1); el != nil {
				return el
			}
		}
		if k := e.keyed(t); k.what == findKeyed {
			return e.memberType(k)
		}
	case formMapped: // of an array or tuple
		f := e.at(t.sc.file)
		return e.typ(t.sc, f.Exprs[t.expr].B)
	}
	return nil
}

// itemAt is what stands at a place of an array or tuple.
func (e *eval) itemAt(t *typ, i int) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formTuple:
		if i < len(t.list) {
			return t.list[i]
		}
		return nil
	case formUnion:
		var all []*typ
		for _, m := range t.list {
			if m != nil && m.form != formBasic {
				all = append(all, e.itemAt(m, i))
			}
		}
		if len(all) == 0 {
			return nil
		}
		return unionOf(all...)
	}
	return e.element(t, 0)
}

// indexed is t[key].
func (e *eval) indexed(t, key *typ) *typ {
	if t == nil {
		return nil
	}
	if key != nil && key.form == formUnion && len(key.list) <= 40 {
		var all []*typ
		for _, k := range key.list {
			if k != nil && k.form == formText {
				all = append(all, e.indexed(t, k))
			}
		}
		if len(all) > 0 {
			return unionOf(all...)
		}
	}
	switch t.form {
	case formAny, formOutside:
		return t
	case formTuple, formLib:
		if t.form == formLib && t.name != "Array" && t.name != "ArrayLike" {
			return nil
		}
		if key != nil && key.form == formText {
			if i, err := strconv.Atoi(key.name); err == nil {
				return e.itemAt(t, i)
			}
		}
		return e.element(t, 0)
	case formUnion:
		var all []*typ
		for _, m := range t.list {
			all = append(all, e.indexed(m, key))
		}
		return unionOf(all...)
	}
	if key != nil && key.form == formText && key.name != "" {
		return e.memberType(e.selectMember(t, key.name, t))
	}
	return e.valuesOf(t)
}

// valuesOf is what any of a type's members can be.
func (e *eval) valuesOf(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formRecord:
		return t.list[1]
	case formMapped:
		f := e.at(t.sc.file)
		return e.typ(t.sc, f.Exprs[t.expr].B)
	case formTuple, formLib:
		return e.element(t, 0)
	case formAny, formOutside:
		return t
	case formNamed:
		if k := e.keyed(t); k.what == findKeyed {
			return e.memberType(k)
		}
	case formStatic:
		if t.ent.is(index.KindEnum) {
			return &typ{form: formNamed, ent: t.ent}
		}
	}
	names := e.memberNames(t, 0)
	if len(names) == 0 || len(names) > 40 {
		if f := e.selectMember(t, "\x00", t); f.what == findKeyed {
			return e.memberType(f)
		}
		return nil
	}
	var all []*typ
	for _, name := range names {
		all = append(all, e.memberType(e.selectMember(t, name, t)))
	}
	return unionOf(all...)
}

// keysOf is keyof t.
func (e *eval) keysOf(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formRecord:
		return t.list[0]
	case formMapped:
		f := e.at(t.sc.file)
		return e.typ(t.sc, f.Exprs[t.expr].A)
	}
	names := e.memberNames(t, 0)
	if len(names) == 0 || len(names) > maxUnion {
		return basicType("string")
	}
	all := make([]*typ, len(names))
	for i, name := range names {
		all[i] = &typ{form: formText, name: name}
	}
	return unionOf(all...)
}

// memberNames returns the names of a type's members as far as they are known.
func (e *eval) memberNames(t *typ, depth int) (out []string) {
	if t == nil || depth > 8 {
		return nil
	}
	switch t.form {
	case formNamed:
		return e.namedNames(t, depth)
	case formObject:
		return e.objectNames(t, depth)
	case formBoth:
		for _, m := range t.list {
			for _, name := range e.memberNames(m, depth+1) {
				out = appendName(out, name)
			}
		}
	case formUnion:
		if len(t.list) > 0 {
			return e.memberNames(t.list[0], depth+1)
		}
	case formMapped, formRecord:
		for _, k := range e.keysOf(t).members() {
			if k != nil && k.form == formText {
				out = appendName(out, k.name)
			}
		}
	case formPick:
		for _, name := range e.memberNames(t.list[0], depth+1) {
			if e.hasKey(t.list[1], name) == (t.name == "pick") {
				out = appendName(out, name)
			}
		}
	case formStatic:
		return e.staticNames(t)
	case formModule:
		f := e.l.load(t.sc.file)
		for name := range f.top {
			out = append(out, name)
		}
		slices.Sort(out)
	case formParam:
		return e.memberNames(e.constraint(t), depth+1)
	}
	return out
}

// namedNames are the names of the members of a class or interface and its bases.
func (e *eval) namedNames(t *typ, depth int) (out []string) {
	for _, d := range t.ent.defs {
		f := e.l.load(d.File)
		for _, k := range f.kids[d.Def] {
			if m := &f.facts.Defs[k]; m.Flags&flagStatic == 0 && m.Kind != index.KindConstructor {
				out = appendName(out, f.facts.Names[m.Name])
			}
		}
	}
	for _, b := range e.bases(t) {
		for _, name := range e.memberNames(b, depth+1) {
			out = appendName(out, name)
		}
	}
	return out
}

// objectNames are the names of the properties of an object, those of what is
// spread in it included.
func (e *eval) objectNames(t *typ, depth int) (out []string) {
	f := e.at(t.sc.file)
	for _, v := range e.list(f, &f.Exprs[t.expr]) {
		switch {
		case v < 0:
		case f.Exprs[v].Op == opProperty:
			out = appendName(out, f.Names[f.Defs[f.Exprs[v].A].Name])
		case f.Exprs[v].Op == opSpread:
			for _, name := range e.memberNames(e.value(t.sc, f.Exprs[v].A), depth+1) {
				out = appendName(out, name)
			}
		}
	}
	return out
}

func (e *eval) staticNames(t *typ) (out []string) {
	for _, d := range t.ent.defs {
		f := e.l.load(d.File)
		def := &f.facts.Defs[d.Def]
		for _, k := range f.kids[d.Def] {
			if m := &f.facts.Defs[k]; def.Kind == index.KindEnum || def.Kind == index.KindPackage || m.Flags&flagStatic != 0 {
				out = appendName(out, f.facts.Names[m.Name])
			}
		}
	}
	return out
}

func appendName(to []string, name string) []string {
	if len(to) >= 200 || slices.Contains(to, name) {
		return to
	}
	return append(to, name)
}

// hasKey reports whether a type of keys has a name.
func (e *eval) hasKey(keys *typ, name string) bool {
	for _, k := range keys.members() {
		if k != nil && (k.form == formText && k.name == name || k.form == formBasic && k.name == "string") {
			return true
		}
	}
	return false
}
