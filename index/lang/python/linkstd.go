package python

import (
	_ "embed"
	"strings"
	"sync"
)

// stdlibText lists the top-level modules of the standard library: Python 3.11's
// sys.stdlib_module_names without private ones, modules that were removed before
// or added after, and those that Python 2 named otherwise.
//
//go:embed stdlib.txt
var stdlibText string

// builtinText lists what the builtins module declares, in Python 3.11 and 2.7.
//
//go:embed builtins.txt
var builtinText string

var stdlib = sync.OnceValue(func() map[string]bool { return wordSet(stdlibText) })

var builtins = sync.OnceValue(func() map[string]bool { return wordSet(builtinText) })

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

const builtinsModule = "builtins"

// isStd reports whether a dotted module path is of the standard library.
func isStd(path string) bool {
	top, _, _ := strings.Cut(path, ".")
	return top == builtinsModule || stdlib()[top]
}

// passesThrough reports whether functions of a module of the standard library
// hand out what they were given, so that nothing is known of their results.
func passesThrough(path string) bool {
	top, _, _ := strings.Cut(path, ".")
	switch top {
	case "copy", "functools", "contextlib", "typing", "importlib", "weakref", "itertools", "operator", "collections", "pickle", "json", "queue",
		"asyncio", "concurrent", "multiprocessing", "threading", "types", "heapq", "random", "unittest", "builtins", "contextvars", "dataclasses",
		"inspect", "sys", "gc", "marshal", "shelve", "runpy", "pkgutil", "ast", "argparse", "optparse", "doctest", "enum", "abc", "string",
		"configparser", "logging", "xml", "sqlite3", "http", "socketserver", "wsgiref", "email", "code", "codeop", "trace", "cmd", "select", "selectors",
		"signal", "atexit", "bisect", "statistics", "graphlib", "copyreg", "tkinter", "pdb", "distutils", "pickletools", "imp":
		return true
	}
	return false
}

// yieldsFirst reports whether iterating over an instance of a class of the
// standard library yields its first type argument.
func yieldsFirst(name string) bool {
	switch name {
	case "list", "set", "frozenset", "deque", "Iterable", "Iterator", "Sequence", "MutableSequence", "Collection", "AbstractSet", "Set",
		"MutableSet", "Generator", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "dict", "Mapping", "MutableMapping", "OrderedDict",
		"defaultdict", "Counter", "ChainMap", "KeysView", "ValuesView", "Container", "Reversible", "UserList", "WeakSet", "Awaitable", "type",
		"mappingproxy", "WeakValueDictionary", "WeakKeyDictionary", "UserDict", "ItemsView", "Queue":
		return true
	}
	return false
}

// isMapping reports whether a class of the standard library maps its first type
// argument to its second.
func isMapping(name string) bool {
	switch name {
	case "dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "ChainMap", "WeakValueDictionary", "WeakKeyDictionary", "UserDict":
		return true
	}
	return false
}

// containerOf returns the class behind one of typing's capitalized aliases.
func containerOf(name string) string {
	switch name {
	case "List", "Dict", "Set", "FrozenSet", "Tuple", "Type", "Deque":
		return strings.ToLower(name)
	case "DefaultDict":
		return "defaultdict"
	}
	return name
}

// builtinMembers returns the names of a builtin class's members: a name that is
// not among them is not found on it. nil where they are not listed.
func builtinMembers(class string) map[string]bool {
	switch class {
	case "str":
		return strMembers()
	case "bytes", "bytearray":
		return bytesMembers()
	case "int", "bool":
		return intMembers()
	case "float", "complex":
		return floatMembers()
	}
	return nil
}

var strMembers = sync.OnceValue(func() map[string]bool {
	return wordSet(`capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit
isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace
rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill`)
})

var bytesMembers = sync.OnceValue(func() map[string]bool {
	return wordSet(`capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit islower isspace istitle
isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines
startswith strip swapcase title translate upper zfill append extend insert pop remove reverse clear copy`)
})

var intMembers = sync.OnceValue(func() map[string]bool {
	return wordSet(`as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes is_integer`)
})

var floatMembers = sync.OnceValue(func() map[string]bool {
	return wordSet(`as_integer_ratio conjugate fromhex hex imag is_integer real`)
})

// isBuiltinClass reports whether a builtin that begins with a small letter is a class.
func isBuiltinClass(name string) bool {
	switch name {
	case "str", "int", "float", "bool", "bytes", "bytearray", "complex", "dict", "list", "set", "frozenset", "tuple", "object", "range",
		"slice", "memoryview", "property", "staticmethod", "classmethod", "unicode", "long", "basestring", "file":
		return true
	}
	return false
}

// hasNoMembers reports whether a class outside the repository declares nothing
// that could stand before a member of another base.
func hasNoMembers(path, name string) bool {
	switch name {
	case "object", "Generic", "Protocol", "ABC", "NamedTuple", "TypedDict", "Exception", "BaseException":
		return isStd(path) || path == "typing_extensions"
	}
	return path == builtinsModule && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Warning")) && name != "OSError" &&
		!strings.HasPrefix(name, "Unicode")
}

// isTypingModule reports whether a module declares the forms of type annotations.
func isTypingModule(path string) bool {
	switch path {
	case "typing", "typing_extensions", "collections.abc", "collections", "builtins", "types", "contextlib", "_typeshed", "queue", "asyncio", "re", "os",
		"weakref", "subprocess":
		return true
	}
	return false
}
