package ecmascript

// libraryCall is the result of a call of the standard library, where it follows
// from what it is called on or given.
func (e *eval) libraryCall(c *called) (*typ, bool) {
	if c.base == nil {
		return e.globalCall(c)
	}
	switch c.base.form {
	case formOutside:
		if c.base.name == moduleES {
			return e.staticCall(c)
		}
		return nil, false
	case formTuple:
		return e.arrayCall(c, unionOf(c.base.list...))
	case formBasic, formText:
		if libraryOf(c.base) == "String" {
			return e.stringCall(c)
		}
		return nil, false
	case formUnion:
		if e.sequence(c.base) {
			return e.arrayCall(c, e.element(c.base, 0))
		}
		return nil, false
	case formLib:
	default:
		return nil, false
	}
	switch c.base.name {
	case "Array":
		return e.arrayCall(c, e.element(c.base, 0))
	case "Map", "WeakMap":
		return e.mapCall(c)
	case "Set", "WeakSet":
		return e.setCall(c)
	case "Promise":
		return e.promiseCall(c)
	case "WeakRef":
		return e.element(c.base, 0), c.name == "deref"
	}
	return nil, false
}

// sequence reports whether a type is a union of arrays.
func (e *eval) sequence(t *typ) bool {
	for _, m := range t.members() {
		if m == nil || !isSequence(m) {
			return false
		}
	}
	return true
}

func (e *eval) arg(c *called, i int) *typ {
	if i >= len(c.args) {
		return nil
	}
	return e.value(c.s, c.args[i])
}

func (e *eval) arrayCall(c *called, el *typ) (*typ, bool) {
	switch c.name {
	case "at", "pop", "shift", "find", "findLast":
		return e.guardedElement(c, el), true
	case "filter":
		return lib("Array", e.guardedElement(c, el)), true
	case "slice", "splice", "reverse", "sort", "toSorted", "toReversed", "toSpliced", "with", "fill", "copyWithin":
		return lib("Array", el), true
	case "concat":
		all := []*typ{el}
		for i := range c.args {
			a := e.arg(c, i)
			if inner := e.element(a, 0); inner != nil && a.form != formBasic {
				a = inner
			}
			all = append(all, a)
		}
		return lib("Array", unionOf(all...)), true
	case "map":
		return lib("Array", e.callbackResult(c)), true
	case "flatMap":
		r := e.callbackResult(c)
		if inner := e.element(r, 0); inner != nil && r.form != formBasic {
			r = inner
		}
		return lib("Array", r), true
	case "flat":
		if inner := e.element(el, 0); inner != nil {
			return lib("Array", inner), true
		}
		return lib("Array", el), true
	case "reduce", "reduceRight":
		switch {
		case len(c.types) > 0:
			return c.types[0], true
		case len(c.args) > 1:
			return e.arg(c, 1), true
		}
		return el, true
	case "values":
		return lib("Iterable", el), true
	case "entries":
		return lib("Iterable", &typ{form: formTuple, list: []*typ{basicType("number"), el}}), true
	case "join", "toString":
		return basicType("string"), true
	case "indexOf", "findIndex", "push", "unshift", "lastIndexOf", "findLastIndex":
		return basicType("number"), true
	case "includes", "some", "every":
		return basicType("boolean"), true
	}
	return nil, false
}

// guardedElement is an element that a callback lets through: what it says of its
// parameter, if it is a type predicate.
func (e *eval) guardedElement(c *called, el *typ) *typ {
	if len(c.types) > 0 {
		return c.types[0]
	}
	if t := e.arg(c, 0); t != nil {
		if sigs := e.signatures(t, false); len(sigs) > 0 {
			if p := e.predicate(&sigs[0], sigs[0].sc); p != nil {
				return e.narrowTo(el, p, true)
			}
		}
	}
	return el
}

func (e *eval) callbackResult(c *called) *typ {
	if len(c.types) > 0 {
		return c.types[0]
	}
	return e.resultOf(e.arg(c, 0))
}

func (e *eval) mapCall(c *called) (*typ, bool) {
	var k, v *typ
	if len(c.base.list) > 1 {
		k, v = c.base.list[0], c.base.list[1]
	}
	switch c.name {
	case "get":
		return v, true
	case "set":
		return c.base, true
	case "values":
		return lib("Iterable", v), true
	case "keys":
		return lib("Iterable", k), true
	case "entries":
		return lib("Iterable", &typ{form: formTuple, list: []*typ{k, v}}), true
	case "has", "delete":
		return basicType("boolean"), true
	}
	return nil, false
}

func (e *eval) setCall(c *called) (*typ, bool) {
	switch c.name {
	case "add", "union", "difference", "intersection":
		return c.base, true
	case "values", "keys":
		return lib("Iterable", c.base.list...), true
	case "has", "delete":
		return basicType("boolean"), true
	}
	return nil, false
}

func (e *eval) promiseCall(c *called) (*typ, bool) {
	switch c.name {
	case "then":
		if len(c.args) == 0 {
			return c.base, true
		}
		r := e.awaited(e.callbackResult(c), 0)
		return lib("Promise", r), true
	case "catch":
		return lib("Promise", unionOf(e.awaited(c.base, 0), e.awaited(e.callbackResult(c), 0))), true
	case "finally":
		return c.base, true
	}
	return nil, false
}

func (e *eval) stringCall(c *called) (*typ, bool) {
	switch c.name {
	case "split":
		return lib("Array", basicType("string")), true
	case "match", "matchAll":
		return lib("Array", basicType("string")), true
	case "indexOf", "lastIndexOf", "charCodeAt", "search", "localeCompare", "codePointAt":
		return basicType("number"), true
	case "includes", "startsWith", "endsWith":
		return basicType("boolean"), true
	}
	return basicType("string"), true
}

// globalCall is the result of a global function or of a class called without new.
func (e *eval) globalCall(c *called) (*typ, bool) {
	if c.fn == nil || c.fn.form != formOutside {
		return nil, false
	}
	switch {
	case c.fn.name == moduleES:
		switch c.name {
		case "String":
			return basicType("string"), true
		case "Number", "parseInt", "parseFloat":
			return basicType("number"), true
		case "Boolean":
			return basicType("boolean"), true
		case "Array":
			return lib("Array", c.types...), true
		}
	case c.fn.name == moduleDOM && c.name == "structuredClone":
		return e.arg(c, 0), true
	}
	return nil, false
}

// staticCall is the result of a function such as Object.keys or Promise.all. The
// object it is a member of is told by the name alone: those of ECMA-262 differ.
func (e *eval) staticCall(c *called) (*typ, bool) {
	switch c.name {
	case "keys", "getOwnPropertyNames":
		return lib("Array", basicType("string")), true
	case "values":
		return lib("Array", e.valuesOf(e.arg(c, 0))), true
	case "entries":
		return lib("Array", &typ{form: formTuple, list: []*typ{basicType("string"), e.valuesOf(e.arg(c, 0))}}), true
	case "freeze", "seal", "preventExtensions", "defineProperty", "defineProperties", "setPrototypeOf":
		return e.arg(c, 0), true
	case "assign":
		var all []*typ
		for i := len(c.args) - 1; i >= 0; i-- {
			all = append(all, e.arg(c, i))
		}
		return both(all), true
	case "from":
		if len(c.args) > 1 {
			return lib("Array", e.resultOf(e.arg(c, 1))), true
		}
		if len(c.types) > 0 {
			return lib("Array", c.types[0]), true
		}
		return lib("Array", e.element(e.arg(c, 0), 0)), true
	case "of":
		return lib("Array", e.arg(c, 0)), true
	case "resolve":
		if len(c.types) > 0 {
			return lib("Promise", c.types[0]), true
		}
		return lib("Promise", e.awaited(e.arg(c, 0), 0)), true
	case "all":
		return lib("Promise", e.allOf(e.arg(c, 0))), true
	case "race", "any":
		return lib("Promise", e.awaited(e.element(e.arg(c, 0), 0), 0)), true
	case "fromEntries":
		pair := e.element(e.arg(c, 0), 0)
		return &typ{form: formRecord, list: []*typ{basicType("string"), e.itemAt(pair, 1)}}, true
	case "parse", "create", "getPrototypeOf":
		return &typ{form: formAny}, true
	case "stringify":
		return basicType("string"), true
	case "isArray", "isInteger", "isFinite", "isNaN", "is":
		return basicType("boolean"), true
	}
	return nil, false
}

func (e *eval) allOf(t *typ) *typ {
	if t == nil {
		return nil
	}
	if t.form == formTuple {
		all := make([]*typ, len(t.list))
		for i, m := range t.list {
			all[i] = e.awaited(m, 0)
		}
		return &typ{form: formTuple, list: all}
	}
	return lib("Array", e.awaited(e.element(t, 0), 0))
}

// libraryNew is the result of new for a class of the standard library.
func (e *eval) libraryNew(c *called) (*typ, bool) {
	if c.fn == nil || c.fn.form != formOutside || c.fn.name != moduleES || c.base != nil {
		return nil, false
	}
	switch c.name {
	case "Map", "WeakMap":
		if len(c.types) == 0 {
			pair := e.element(e.arg(c, 0), 0)
			return lib("Map", e.itemAt(pair, 0), e.itemAt(pair, 1)), true
		}
		return lib("Map", c.types...), true
	case "Set", "WeakSet":
		if len(c.types) == 0 {
			return lib("Set", e.element(e.arg(c, 0), 0)), true
		}
		return lib("Set", c.types...), true
	case "Array":
		return lib("Array", c.types...), true
	case "WeakRef":
		if len(c.types) == 0 {
			return lib("WeakRef", e.arg(c, 0)), true
		}
		return lib("WeakRef", c.types...), true
	case "Promise":
		if len(c.types) == 0 {
			return lib("Promise", nil), true
		}
		return lib("Promise", c.types...), true
	case "Proxy":
		return e.arg(c, 0), true
	}
	return nil, false
}

// libraryArgument is what a function of the standard library expects: the
// parameters of callbacks, as a function type whose list is these.
func (e *eval) libraryArgument(c *called, i int) (*typ, bool) {
	if c.base == nil {
		return nil, false
	}
	number := basicType("number")
	if c.base.form == formOutside && c.base.name == moduleES {
		if c.name == "from" && i == 1 {
			return callback(e.element(e.arg(c, 0), 0), number), true
		}
		return nil, false
	}
	if !isSequence(c.base) && !(c.base.form == formUnion && e.sequence(c.base)) && c.base.form != formLib {
		return nil, false
	}
	el := e.element(c.base, 0)
	if c.base.form == formLib && c.base.name == "Map" {
		switch {
		case c.name == "forEach" && len(c.base.list) > 1:
			return callback(c.base.list[1], c.base.list[0], c.base), true
		case c.name == "set" && i < len(c.base.list):
			return c.base.list[i], true
		}
		return nil, true
	}
	switch c.name {
	case "map", "filter", "find", "findIndex", "findLast", "findLastIndex", "some", "every", "flatMap":
		return callback(el, number, c.base), true
	case "forEach":
		if c.base.form == formLib && c.base.name == "Set" {
			return callback(el, el, c.base), true
		}
		return callback(el, number, c.base), true
	case "sort", "toSorted":
		return callback(el, el), true
	case "reduce", "reduceRight":
		if i == 1 {
			if len(c.types) > 0 {
				return c.types[0], true
			}
			return nil, true
		}
		acc := el
		switch {
		case len(c.types) > 0:
			acc = c.types[0]
		case len(c.args) > 1:
			acc = e.arg(c, 1)
		}
		return callback(acc, el, number, c.base), true
	case "push", "unshift", "includes", "indexOf", "add", "has", "delete", "fill":
		return el, true
	case "then":
		if c.base.name == "Promise" {
			return callback(e.awaited(c.base, 0)), true
		}
	}
	return nil, true
}

// callback is a function type with these parameters and a result that is not known.
func callback(params ...*typ) *typ { return &typ{form: formCallback, list: params} }
