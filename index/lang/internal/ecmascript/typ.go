package ecmascript

import "slices"

// A form is what a type is.
type form uint8

const (
	formAny      form = iota + 1 // any, unknown or object: it says nothing of members
	formBasic                    // name: string, number, boolean, bigint, symbol
	formText                     // name: a literal, or a member of an enum
	formEmpty                    // null, undefined, void or never
	formOutside                  // name: the module it comes from
	formNamed                    // an instance of the class or interface ent, list: its type arguments
	formStatic                   // the value that ent declares: a class, enum, namespace or function
	formModule                   // the namespace of the module sc.file
	formObject                   // an object literal or type: expr in sc
	formFunc                     // a function: expr in sc
	formMaker                    // a constructor type: expr, an opConstruct, in sc
	formUnion                    // one of list
	formBoth                     // all of list
	formTuple                    // list
	formLib                      // name: a type of the standard library with arguments list; ent adds to it
	formParam                    // a type parameter: expr in sc
	formMapped                   // expr, an opMapped, in sc
	formPick                     // list[0] with the members that list[1] names only, or without them for the name "omit"
	formRecord                   // list: key, value
	formCallback                 // what a library function calls: list: parameters
)

// A typ is a type. It is immutable; nil is a type that is not known.
type typ struct {
	form form
	name string
	ent  *entity
	sc   scope
	expr int32
	list []*typ
	soft bool // see softened
}

// A scope is where an expression is evaluated: in a file, with arguments for
// type parameters, and with what this is.
type scope struct {
	file int32
	env  *env
	this *typ
}

// plain reports whether nothing but the file decides what an expression means.
func (s scope) plain() bool { return s.env == nil && s.this == nil }

// An env gives type parameters their arguments.
type env struct {
	file, number int32
	t            *typ
	next         *env
}

func (v *env) find(file, number int32) (*typ, bool) {
	for n := 0; v != nil && n < maxEnv; v, n = v.next, n+1 {
		if v.file == file && v.number == number {
			return v.t, true
		}
	}
	return nil, false
}

// maxEnv is how many arguments of enclosing generics are looked through.
const maxEnv = 200

func basicType(name string) *typ  { return &typ{form: formBasic, name: name} }
func outsideType(mod string) *typ { return &typ{form: formOutside, name: mod} }
func lib(name string, list ...*typ) *typ {
	return &typ{form: formLib, name: name, list: list}
}

// maxUnion is how many members a union has; what lies behind is not known.
const maxUnion = 60

// unionOf joins types. What is empty is left out; a type that is not known stays
// as one.
func unionOf(list ...*typ) *typ {
	var out []*typ
	unknown := false
	var add func(list []*typ)
	add = func(list []*typ) {
		for _, t := range list {
			switch {
			case t == nil:
				unknown = true
			case t.form == formEmpty:
			case t.form == formUnion:
				add(t.list)
			case len(out) < maxUnion && !slices.ContainsFunc(out, func(o *typ) bool { return same(o, t, 0) }):
				out = append(out, t)
			}
		}
	}
	add(list)
	switch {
	case len(out) == 0 && unknown:
		return nil
	case len(out) == 0:
		return &typ{form: formEmpty}
	case unknown:
		return &typ{form: formUnion, list: append(out, nil)}
	case len(out) == 1:
		return out[0]
	}
	return &typ{form: formUnion, list: out}
}

// same reports whether two types are one, as far as it is plain to see.
func same(a, b *typ, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || depth > 6 || a.form != b.form || a.name != b.name || a.expr != b.expr || a.sc.file != b.sc.file ||
		len(a.list) != len(b.list) || a.ent != b.ent && (a.ent == nil || b.ent == nil || a.ent.defs[0] != b.ent.defs[0]) {
		return false
	}
	for i := range a.list {
		if !same(a.list[i], b.list[i], depth+1) {
			return false
		}
	}
	switch a.form {
	case formObject, formFunc, formMapped, formMaker:
		return sameEnv(a.sc.env, b.sc.env, depth)
	}
	return true
}

func sameEnv(a, b *env, depth int) bool {
	for n := 0; a != b; a, b, n = a.next, b.next, n+1 {
		if a == nil || b == nil || n > maxEnv || a.file != b.file || a.number != b.number || !same(a.t, b.t, depth+1) {
			return false
		}
	}
	return true
}

// members returns the members of a union, or the type alone.
func (t *typ) members() []*typ {
	if t != nil && t.form == formUnion {
		return t.list
	}
	return []*typ{t}
}
