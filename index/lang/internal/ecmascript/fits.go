package ecmascript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// fits reports whether impl, which overrides or implements base, can be called as
// base is. A method may take fewer arguments than its base passes; it must not
// require more, and what it takes and gives has to be of base's types as far as
// they are written.
func fits(base, impl index.Symbol) (ok, known bool, reason string) {
	if base.Kind != index.KindMethod || impl.Kind != index.KindMethod {
		return true, false, ""
	}
	b, m := base.Signature.Params, impl.Signature.Params
	if n := required(b); required(m) > n {
		return false, true, "it requires " + label(m[n], n) + ", which " + mayBeMissing(b, n)
	}
	if reason := otherTypes(b, m); reason != "" {
		return false, false, reason
	}
	return givesAs(base, impl)
}

func mayBeMissing(base []index.Param, n int) string {
	if n < len(base) {
		return "may be left out"
	}
	return "nobody passes"
}

// otherTypes says which parameter is of a type that base's is not.
func otherTypes(b, m []index.Param) string {
	for i := range min(len(b), len(m)) {
		was, is := b[i].Type, m[i].Type
		if was == "" || is == "" || b[i].Variadic != m[i].Variadic || isPattern(b[i]) || isPattern(m[i]) ||
			slices.Contains([]string{"any", "unknown"}, is) || was == "any" || contains(terms(is), terms(was)) {
			continue
		}
		return fmt.Sprintf("its parameter %s is of type %s, not %s", label(m[i], i), is, was)
	}
	return ""
}

// givesAs judges the result, where both declare one.
func givesAs(base, impl index.Symbol) (ok, known bool, reason string) {
	if len(base.Signature.Results) == 0 || len(impl.Signature.Results) == 0 {
		return true, true, ""
	}
	was, is := base.Signature.Results[0].Type, impl.Signature.Results[0].Type
	open := []string{"", "any", "unknown", "void"}
	if slices.Contains(open, strings.TrimSpace(was)) || slices.Contains([]string{"", "any", "never"}, strings.TrimSpace(is)) || contains(terms(was), terms(is)) {
		return true, true, ""
	}
	return false, false, fmt.Sprintf("it gives %s, not %s", is, was)
}
