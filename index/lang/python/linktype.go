package python

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A form says what a typ is.
type form uint8

const (
	formInst    form = iota + 1 // an instance of the class t with type arguments args
	formClass                   // the class t itself, or with args one of its parametrizations
	formFunc                    // the function t, bound to self if that is set
	formModule                  // a module
	formOutside                 // something that the outside module path declares, named name below it; self: what it is a member of
	formOutInst                 // an instance of the outside class name of path, with type arguments args
	formOpaque                  // a value that code of the outside module path made
	formUnion                   // one of args
	formNone                    // None
	formTuple                   // a tuple of args
	formType                    // in place of a class: what denotes the type args[0]
	formVar                     // the type variable name; args[0] its bound, if it has one
	formCall                    // something callable that returns args[0]
	formSuper                   // super() in the class t; self: the receiver
	formPending                 // being evaluated
)

// A typ is what is known of a value. nil is not known. Types are immutable.
type typ struct {
	form       form
	t          index.Target
	args       []*typ
	self       *typ
	path, name string
	mod        *module
	doubt      string // why it is not certain, "" if it is
}

// doubtful returns t with a doubt.
func doubtful(t *typ, doubt string) *typ {
	if t == nil || doubt == "" || t.doubt != "" || t.form == formPending {
		return t
	}
	c := *t
	c.doubt = doubt
	return &c
}

// pendingType stands for what is being evaluated: it adds nothing to a union.
func pendingType() *typ { return &typ{form: formPending} }

func isPending(t *typ) bool { return t != nil && t.form == formPending }

func noneType() *typ { return &typ{form: formNone} }

func outInst(path, name string, args ...*typ) *typ {
	return &typ{form: formOutInst, path: path, name: name, args: args}
}

func builtin(name string, args ...*typ) *typ { return outInst(builtinsModule, name, args...) }

func typeOfType(t *typ) *typ {
	if t == nil {
		return nil
	}
	return &typ{form: formType, args: []*typ{t}}
}

// maxParts is how many types a union holds; with more it is not known.
const maxParts = 32

// unionOf returns the union of types: nil if one is not known.
func unionOf(parts []*typ) *typ {
	var out []*typ
	waiting := false
	for _, p := range parts {
		switch {
		case p == nil:
			return nil
		case p.form == formPending:
			waiting = true
		case p.form == formUnion:
			for _, q := range p.args {
				out = addPart(out, q)
			}
		default:
			out = addPart(out, p)
		}
	}
	switch {
	case len(out) == 0 && waiting:
		return pendingType()
	case len(out) == 0 || len(out) > maxParts:
		return nil
	case len(out) == 1:
		return out[0]
	}
	return &typ{form: formUnion, args: out}
}

func addPart(parts []*typ, t *typ) []*typ {
	if slices.ContainsFunc(parts, func(p *typ) bool { return sameType(p, t, 0) }) {
		return parts
	}
	return append(parts, t)
}

// sameType reports whether two types are the same, down to a depth.
func sameType(a, b *typ, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || depth > 8 {
		return false
	}
	if a.form != b.form || a.t != b.t || a.path != b.path || a.name != b.name || a.mod != b.mod || len(a.args) != len(b.args) ||
		!sameType(a.self, b.self, depth+1) {
		return false
	}
	for i := range a.args {
		if !sameType(a.args[i], b.args[i], depth+1) {
			return false
		}
	}
	return true
}

// parts returns the types that t can be, None left out.
func (t *typ) parts() []*typ {
	switch {
	case t == nil || t.form == formNone:
		return nil
	case t.form != formUnion:
		return []*typ{t}
	}
	var out []*typ
	for _, p := range t.args {
		if p != nil && p.form != formNone {
			out = append(out, p)
		}
	}
	return out
}

// arg returns the i-th type argument, nil if it is not known.
func (t *typ) arg(i int) *typ {
	if t == nil || i >= len(t.args) {
		return nil
	}
	return t.args[i]
}

// instance returns the type of the values that t denotes where a type stands.
func instance(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formClass:
		return &typ{form: formInst, t: t.t, args: t.args, doubt: t.doubt}
	case formType:
		return doubtful(t.args[0], t.doubt)
	case formOutside:
		return outsideInstance(t)
	case formNone, formVar, formPending:
		return t
	case formTuple:
		return nil
	case formUnion:
		var out []*typ
		for _, p := range t.args {
			out = append(out, instance(p))
		}
		return unionOf(out)
	}
	return nil
}

// outsideInstance returns the type that an outside name denotes as an annotation.
func outsideInstance(t *typ) *typ {
	name := lastPart(t.name)
	if isTypingModule(t.path) {
		switch name {
		case "Any", "Optional", "Union", "ClassVar", "Final", "Literal", "Annotated", "TypeAlias", "NoReturn", "Never", "Concatenate":
			return nil
		case "Self":
			return &typ{form: formVar, name: "Self"}
		case "Callable":
			return &typ{form: formCall, args: []*typ{nil}}
		case "Text", "AnyStr", "LiteralString":
			return builtin("str")
		case "NoneType":
			return noneType()
		}
		name = containerOf(name)
		if name == "tuple" || name == "type" {
			return builtin(name)
		}
	}
	return outInst(t.path, name)
}

func lastPart(dotted string) string {
	for i := len(dotted) - 1; i >= 0; i-- {
		if dotted[i] == '.' {
			return dotted[i+1:]
		}
	}
	return dotted
}

// classOf returns the class of the values of type t, as type(x) does.
func classOf(t *typ) *typ {
	if t == nil {
		return nil
	}
	switch t.form {
	case formInst:
		return &typ{form: formClass, t: t.t, args: t.args}
	case formOutInst:
		return &typ{form: formOutside, path: t.path, name: t.name}
	}
	return typeOfType(t)
}

// A binds maps type variables to what they stand for.
type binds map[string]*typ

// replace puts what type variables stand for in their places.
func (b binds) replace(t *typ) *typ { return b.replaceIn(t, 0) }

func (b binds) replaceIn(t *typ, depth int) *typ {
	if t == nil || len(b) == 0 || depth > 12 {
		return t
	}
	if t.form == formVar {
		if to, ok := b[t.name]; ok {
			return to
		}
		return t
	}
	if len(t.args) == 0 || t.form == formFunc {
		return t
	}
	changed := false
	args := make([]*typ, len(t.args))
	for i, a := range t.args {
		args[i] = b.replaceIn(a, depth+1)
		changed = changed || args[i] != a
	}
	if !changed {
		return t
	}
	if t.form == formUnion {
		return unionOf(args)
	}
	c := *t
	c.args = args
	return &c
}

// match finds what the type variables in param stand for when arg is passed.
func (b binds) match(param, arg *typ, depth int) {
	if param == nil || arg == nil || depth > 6 {
		return
	}
	switch param.form {
	case formVar:
		if _, ok := b[param.name]; !ok && arg.form != formPending {
			b[param.name] = arg
		}
		return
	case formUnion:
		for _, p := range param.args {
			if p != nil && p.form == formVar {
				rest := []*typ{}
				for _, a := range arg.parts() {
					if !slices.ContainsFunc(param.args, func(q *typ) bool { return sameType(q, a, 0) }) {
						rest = append(rest, a)
					}
				}
				if len(rest) > 0 {
					b.match(p, unionOf(rest), depth+1)
				}
			}
		}
		return
	case formType:
		b.match(param.args[0], instance(arg), depth+1)
		return
	case formCall:
		if arg.form == formCall {
			b.match(param.arg(0), arg.arg(0), depth+1)
		}
		return
	}
	if (arg.form == param.form || arg.form == formInst) && len(arg.args) == len(param.args) {
		for i := range param.args {
			b.match(param.args[i], arg.args[i], depth+1)
		}
	}
}
