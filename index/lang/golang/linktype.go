package golang

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/index"
)

// A form is what kind of type a typ is.
type form uint8

const (
	formUnknown   form = iota // stands in a memo for what is known not to be known
	formBasic                 // name: predeclared; any, error and comparable included
	formNamed                 // object with args
	formLocal                 // def: a type declared in a function body
	formPointer               // elem
	formSlice                 // elem
	formArray                 // elem
	formMap                   // key, elem
	formChan                  // elem
	formFunc                  // list: n parameters, then results
	formTuple                 // list: the values of a call
	formStruct                // literal: its fields are the Defs of def.File in [n, expr) with the Parent def.Def; list: embedded types
	formInterface             // literal: its methods likewise; list: embedded types and terms
	formParam                 // type parameter: def.File, expr (its index into Params)
	formUnion                 // list
	formOutside               // name declared by the outside package path, with args in list
	formOpaque                // some type that the outside package path chose; it may be made of list
)

// A typ is a type. Types are interned: equal types of one linker are one pointer.
type typ struct {
	shape
	id uint32

	pointer atomic.Pointer[typ] // to this type
	slice   atomic.Pointer[typ] // of this type
	// under is the underlying type or, of a type parameter, its constraint.
	under atomic.Pointer[typ]
}

// A shape is what makes a type the one it is.
type shape struct {
	form      form
	variadic  bool
	n         int32
	expr      int32
	def       index.Target
	object    *object
	elem, key *typ
	list      []*typ
	// env holds type parameters and what to put in their place, in turn, where
	// the members of a literal are still those of a generic declaration.
	env  []*typ
	name string
	path string
}

// typeKey identifies a type by its parts' ids.
type typeKey struct {
	form     form
	variadic bool
	n, expr  int32
	def      index.Target
	object   *object
	elem     uint32
	key      uint32
	list     string
	env      string
	name     string
	path     string
}

// interner keeps one typ for each type. Ids are given in order of arrival and
// decide nothing but equality.
type interner struct {
	mu    sync.RWMutex
	known map[typeKey]*typ
}

// intern returns the one type of that shape.
func (in *interner) intern(t shape) *typ {
	k := typeKey{form: t.form, variadic: t.variadic, n: t.n, expr: t.expr, def: t.def, object: t.object, name: t.name, path: t.path}
	if t.elem != nil {
		k.elem = t.elem.id
	}
	if t.key != nil {
		k.key = t.key.id
	}
	k.list, k.env = idsOf(t.list), idsOf(t.env)
	in.mu.RLock()
	known := in.known[k]
	in.mu.RUnlock()
	if known != nil {
		return known
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if known := in.known[k]; known != nil {
		return known
	}
	if in.known == nil {
		in.known = map[typeKey]*typ{}
	}
	n := &typ{shape: t, id: uint32(len(in.known) + 1)}
	in.known[k] = n
	return n
}

func idsOf(list []*typ) string {
	if len(list) == 0 {
		return ""
	}
	b := make([]byte, 0, 64)
	for _, e := range list {
		id := idOf(e)
		b = append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(b)
}

func idOf(t *typ) uint32 {
	if t == nil {
		return 0
	}
	return t.id
}

// noted returns what to put into a memo for t, and real what was put there.
func (in *interner) noted(t *typ) *typ {
	if t == nil {
		return in.intern(shape{form: formUnknown})
	}
	return t
}

func (t *typ) real() *typ {
	if t.form == formUnknown {
		return nil
	}
	return t
}

func (in *interner) basic(name string) *typ { return in.intern(shape{form: formBasic, name: name}) }

// pointerTo returns *t, and nil for nil.
func (in *interner) pointerTo(t *typ) *typ { return in.wrap(formPointer, t) }

// sliceOf returns []t, and nil for nil.
func (in *interner) sliceOf(t *typ) *typ { return in.wrap(formSlice, t) }

func (in *interner) wrap(f form, t *typ) *typ {
	if t == nil {
		return nil
	}
	var memo *atomic.Pointer[typ]
	switch f {
	case formPointer:
		memo = &t.pointer
	case formSlice:
		memo = &t.slice
	default:
		return in.intern(shape{form: f, elem: t})
	}
	if p := memo.Load(); p != nil {
		return p
	}
	p := in.intern(shape{form: f, elem: t})
	memo.Store(p)
	return p
}

// tupleOf returns a tuple of any length, nil for none.
func (in *interner) tupleOf(list []*typ) *typ {
	if len(list) == 0 {
		return nil
	}
	return in.intern(shape{form: formTuple, list: list})
}

// tuple returns the type of a call with these results; of one it is that one's.
func (in *interner) tuple(list []*typ) *typ {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return in.tupleOf(list)
}

// outside returns the type path.name of an outside package.
func (in *interner) outside(path, name string, args []*typ) *typ {
	return in.intern(shape{form: formOutside, path: path, name: name, list: args})
}

// opaque returns a type that the outside package path chose, knowing from.
func (in *interner) opaque(path string, from []*typ) *typ {
	return in.intern(shape{form: formOpaque, path: path, list: from})
}

// params returns the parameters of a function type, results its results.
func (t *typ) params() []*typ  { return t.list[:t.n] }
func (t *typ) results() []*typ { return t.list[t.n:] }

// deref strips one pointer.
func (t *typ) deref() *typ {
	if t != nil && t.form == formPointer {
		return t.elem
	}
	return t
}

// maxParts bounds what an opaque type is said to be made of.
const maxParts = 4

// parts appends the types of the repository, and the type parameters, that t is made of.
func parts(list []*typ, t *typ) []*typ {
	if t == nil || len(list) >= maxParts {
		return list
	}
	switch t.form {
	case formNamed, formLocal, formParam, formStruct, formInterface:
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
		if t.form != formNamed {
			return list
		}
	}
	list = parts(parts(list, t.elem), t.key)
	for _, e := range t.list {
		list = parts(list, e)
	}
	return list
}
