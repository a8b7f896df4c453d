package python

import "strings"

// outsideResult returns what calling something declared outside returns.
func (e *eval) outsideResult(f *typ, args []*typ, names map[string]*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	last := lastPart(f.name)
	if f.self != nil {
		return e.methodResult(f.self, last, args)
	}
	switch f.path {
	case builtinsModule:
		return e.builtinResult(f.name, args)
	case "typing", "typing_extensions":
		if t, ok := typingResult(last, args, names); ok {
			return t
		}
	case "copy":
		return arg(0)
	case "functools":
		switch last {
		case "partial":
			return &typ{form: formCall, args: []*typ{e.result(arg(0), nil, nil)}}
		case "wraps", "update_wrapper":
			return f
		}
	case "dataclasses":
		return e.dataclassResult(last, args, names)
	case "contextlib":
		switch last {
		case "closing", "nullcontext", "aclosing":
			return outInst("contextlib", "AbstractContextManager", arg(0))
		}
	case "weakref":
		switch last {
		case "proxy":
			return arg(0)
		case "ref":
			return &typ{form: formCall, args: []*typ{arg(0)}}
		}
	case "itertools":
		if last == "chain" {
			return outInst("typing", "Iterator", e.elementsOf(args))
		}
	case "asyncio":
		if last == "run" || last == "wait_for" {
			return e.await(arg(0))
		}
	}
	if first := strings.TrimLeft(last, "_"); first != "" && first[0] >= 'A' && first[0] <= 'Z' || isStd(f.path) && isStdClass(last) {
		inst := outInst(f.path, last)
		if yieldsFirst(last) && len(args) > 0 && !isMapping(last) {
			inst.args = []*typ{e.element(arg(0), "__iter__", "__next__")}
		}
		return inst
	}
	return &typ{form: formOpaque, path: f.path}
}

// typingResult returns what a function of typing makes; ok is false for any
// other name, and true with nil for a cast to what is not known.
func typingResult(name string, args []*typ, names map[string]*typ) (t *typ, ok bool) {
	switch name {
	case "cast":
		if len(args) > 0 {
			t = instance(args[0])
		}
		return t, true
	case "TypeVar", "ParamSpec", "TypeVarTuple":
		return &typ{form: formVar, args: []*typ{instance(names["bound"])}}, true
	case "NewType":
		if len(args) > 1 {
			if t = instance(args[1]); t != nil {
				return typeOfType(t), true
			}
		}
	}
	return nil, false
}

// isStdClass reports whether a name that begins with a small letter is a class.
func isStdClass(name string) bool {
	switch name {
	case "deque", "defaultdict", "datetime", "date", "time", "timedelta", "timezone", "count", "cycle", "array", "local", "object":
		return true
	}
	return false
}

func (e *eval) dataclassResult(name string, args []*typ, names map[string]*typ) *typ {
	switch name {
	case "field":
		if f := names["default_factory"]; f != nil {
			return e.result(f, nil, nil)
		}
		return names["default"]
	case "replace":
		if len(args) > 0 {
			return args[0]
		}
	}
	return &typ{form: formOpaque, path: "dataclasses"}
}

// elementsOf returns what iterating over one of several values yields.
func (e *eval) elementsOf(args []*typ) *typ {
	var out []*typ
	for _, a := range args {
		out = append(out, e.element(a, "__iter__", "__next__"))
	}
	return unionOf(out)
}

// builtinResult returns what a builtin returns.
func (e *eval) builtinResult(name string, args []*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	element := func(i int) *typ { return e.element(arg(i), "__iter__", "__next__") }
	switch name {
	case "list", "set", "frozenset", "sorted":
		if name == "sorted" {
			name = "list"
		}
		return builtin(name, element(0))
	case "tuple":
		if t := arg(0); t != nil && t.form == formTuple {
			return t
		}
		return builtin("tuple", element(0))
	case "dict":
		if t := arg(0); t != nil && t.form == formOutInst && isMapping(t.name) {
			return builtin("dict", t.args...)
		}
		return builtin("dict", nil, nil)
	case "iter", "reversed":
		return outInst("typing", "Iterator", element(0))
	case "next":
		return e.next(arg(0))
	case "min", "max":
		if len(args) == 1 {
			return element(0)
		}
		return unionOf(args)
	case "enumerate":
		return outInst("typing", "Iterator", &typ{form: formTuple, args: []*typ{builtin("int"), element(0)}})
	case "zip":
		t := &typ{form: formTuple}
		for i := range args {
			t.args = append(t.args, element(i))
		}
		return outInst("typing", "Iterator", t)
	case "map":
		return outInst("typing", "Iterator", e.result(arg(0), nil, nil))
	case "filter":
		return outInst("typing", "Iterator", element(1))
	case "type":
		if len(args) == 1 {
			return classOf(arg(0))
		}
		return nil
	}
	return plainResult(name)
}

// plainResult returns what a builtin returns whatever it is given.
func plainResult(name string) *typ {
	switch name {
	case "len", "abs", "hash", "id", "ord", "round":
		return builtin("int")
	case "repr", "chr", "hex", "oct", "bin", "ascii", "format", "input", "raw_input", "unichr", "unicode", "basestring":
		return builtin("str")
	case "isinstance", "issubclass", "callable", "hasattr", "any", "all":
		return builtin("bool")
	case "print", "setattr", "delattr":
		return noneType()
	case "open":
		return outInst("io", "TextIOWrapper", builtin("str"))
	case "xrange":
		return builtin("range")
	}
	if isBuiltinClass(name) || name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return builtin(name)
	}
	return nil
}

// methodResult returns what a method of an instance of an outside class returns.
func (e *eval) methodResult(self *typ, name string, args []*typ) *typ {
	if self.form == formTuple {
		return builtin("int")
	}
	if self.path == builtinsModule && (self.name == "str" || self.name == "bytes") {
		return textResult(self.name, name)
	}
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	if isMapping(self.name) {
		switch name {
		case "items":
			return outInst("typing", "Iterable", &typ{form: formTuple, args: []*typ{self.arg(0), self.arg(1)}})
		case "values":
			return outInst("typing", "Iterable", self.arg(1))
		case "keys":
			return outInst("typing", "Iterable", self.arg(0))
		case "get", "pop", "setdefault":
			if len(args) > 1 && self.arg(1) != nil {
				return unionOf([]*typ{self.arg(1), arg(1)})
			}
			return self.arg(1)
		case "copy":
			return self
		case "popitem":
			return &typ{form: formTuple, args: []*typ{self.arg(0), self.arg(1)}}
		case "update", "clear":
			return noneType()
		}
	}
	if yieldsFirst(self.name) {
		switch name {
		case "pop", "popleft", "__next__", "__getitem__", "get", "get_nowait":
			return self.arg(0)
		case "copy", "union", "difference", "intersection", "__iter__":
			return self
		case "append", "extend", "insert", "remove", "clear", "sort", "reverse", "add", "discard", "update", "appendleft":
			return noneType()
		case "index", "count":
			return builtin("int")
		}
		return nil
	}
	return &typ{form: formOpaque, path: self.path}
}

func textResult(text, name string) *typ {
	switch name {
	case "split", "rsplit", "splitlines":
		return builtin("list", builtin(text))
	case "partition", "rpartition":
		return &typ{form: formTuple, args: []*typ{builtin(text), builtin(text), builtin(text)}}
	case "encode":
		return builtin("bytes")
	case "decode":
		return builtin("str")
	case "find", "index", "count", "rfind", "rindex":
		return builtin("int")
	case "format", "join", "strip", "lower", "upper", "replace", "lstrip", "rstrip", "title", "capitalize", "ljust", "rjust", "zfill", "center",
		"translate", "format_map", "removeprefix", "removesuffix", "expandtabs", "casefold", "swapcase":
		return builtin(text)
	}
	if strings.HasPrefix(name, "is") || strings.HasSuffix(name, "swith") {
		return builtin("bool")
	}
	return nil
}
