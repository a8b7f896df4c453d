package python

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// oneThing reports whether two definitions of one name in one scope are one thing: a
// name is one variable of its scope, so that overloads, the definitions of several
// branches, and a stub file's are. What reads, writes and deletes a property stays
// apart, and so do functions that are registered and given no name.
func oneThing(a, b index.Symbol) bool {
	switch {
	case isClass(a.Kind):
		return isClass(b.Kind)
	case !isFunction(a.Kind) || !isFunction(b.Kind) || a.Name == "_":
		return false
	case isAccessor(a) || isAccessor(b):
		return slices.Equal(decorators(a), decorators(b))
	}
	return true
}

func isAccessor(s index.Symbol) bool { return isProperty(s) || isDecorated(s, "getter", "deleter") }
