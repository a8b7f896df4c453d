package python

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// compatible reports whether use, written for before, still fits after.
//
// Calls are judged as the interpreter binds arguments: by position, by keyword
// and by default. Whether a method is called on an instance or on its class the
// reference does not say: it is what the call fitted before. Types are not
// checked when a program runs; where one changed, known is false and reason says
// what to look at.
func compatible(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	if after.ID == "" && after.Name == "" {
		return false, true, "the definition is gone"
	}
	if before.Name != after.Name && use.Kind != index.RefString {
		return false, true, fmt.Sprintf("the name changed from %s to %s", before.Name, after.Name)
	}
	if isFunction(before.Kind) != isFunction(after.Kind) || isClass(before.Kind) != isClass(after.Kind) {
		return changedKind(before, after, use)
	}
	switch {
	case isFunction(before.Kind):
		return compatibleFunction(before, after, use)
	case isClass(before.Kind):
		return compatibleClass(before, after, use)
	}
	return compatibleValue(before, after)
}

func isFunction(k index.Kind) bool {
	return k == index.KindFunction || k == index.KindMethod || k == index.KindConstructor
}

func isClass(k index.Kind) bool {
	return k == index.KindClass || k == index.KindInterface || k == index.KindEnum
}

// changedKind judges a definition that became one of another kind. A property
// reads as a field does.
func changedKind(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	reason = fmt.Sprintf("%s changed from a %s to a %s", before.Name, before.Kind, after.Kind)
	switch {
	case use.Kind == index.RefString, use.Kind == index.RefImport:
		return true, true, ""
	case isFunction(after.Kind) && isProperty(after) && !isFunction(before.Kind) && use.Kind == index.RefRead:
		return true, false, reason
	case use.Kind == index.RefEmbed:
		return false, true, reason
	case isFunction(after.Kind) && use.Kind == index.RefRead:
		return false, true, reason + ": it has to be called now"
	}
	return false, false, reason
}

func compatibleFunction(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	switch {
	case use.Kind == index.RefString, use.Kind == index.RefImport:
		return true, true, ""
	case isProperty(before) != isProperty(after):
		if isProperty(after) && use.Kind != index.RefCall || isProperty(before) && use.Kind == index.RefCall {
			return false, false, fmt.Sprintf("%s became or ceased to be a property", after.Name)
		}
		return false, true, fmt.Sprintf("%s became or ceased to be a property", after.Name)
	case isProperty(before):
		return judgeResult(before, after)
	case use.Kind != index.RefCall || use.Args == nil:
		return compatibleReference(before, after)
	}
	if ok, known, reason = judgeCall(before, after, use.Args); !ok && known && isDecorated(before, "overload") {
		return false, false, reason + ", unless it means another overload"
	}
	if !ok || !known {
		return ok, known, reason
	}
	if isAsync(before) != isAsync(after) {
		return false, false, fmt.Sprintf("%s became or ceased to be a coroutine function; whether its result is awaited is not to be seen here", after.Name)
	}
	if reason := changedDefault(before, after, use.Args); reason != "" {
		return true, false, reason
	}
	if reason := changedTypes(before, after); reason != "" {
		return true, false, reason
	}
	return judgeResult(before, after)
}

// compatibleReference judges a function that is named but not called there:
// whoever gets it calls it in a way that is not seen.
func compatibleReference(before, after index.Symbol) (ok, known bool, reason string) {
	b, a := before.Signature.Params, after.Signature.Params
	if len(a) != len(b) {
		return false, false, fmt.Sprintf("%s is used as a value and its parameters changed; how it is called is not to be seen here", before.Name)
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Keyword != b[i].Keyword || a[i].Variadic != b[i].Variadic || a[i].Optional != b[i].Optional {
			return false, false, fmt.Sprintf("%s is used as a value and its parameter %s changed; how it is called is not to be seen here", before.Name, a[i].Name)
		}
	}
	return judgeResult(before, after)
}

func judgeResult(before, after index.Symbol) (ok, known bool, reason string) {
	b, a := resultType(before), resultType(after)
	if b != a {
		return true, false, fmt.Sprintf("the type of the result changed from %s to %s", orNone(b), orNone(a))
	}
	return true, true, ""
}

func resultType(s index.Symbol) string {
	if len(s.Signature.Results) == 0 {
		return ""
	}
	return s.Signature.Results[0].Type
}

func orNone(s string) string {
	if s == "" {
		return "undeclared"
	}
	return s
}

// changedTypes says which parameter's declared type changed.
func changedTypes(before, after index.Symbol) string {
	types := map[string]string{}
	for _, p := range before.Signature.Params {
		types[p.Name] = p.Type
	}
	for _, p := range after.Signature.Params {
		if was, ok := types[p.Name]; ok && was != p.Type && p.Type != "" {
			return fmt.Sprintf("the type of parameter %s changed from %s to %s", p.Name, orNone(was), p.Type)
		}
	}
	return ""
}

// compatibleClass judges uses of a class. Its members are symbols of their own,
// and so is its constructor, unless a decorator makes it of the fields.
func compatibleClass(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	b, a := before.Signature.Text, after.Signature.Text
	switch {
	case before.Fingerprint == after.Fingerprint && b == a:
		return true, true, ""
	case use.Kind == index.RefCall && (strings.Contains(a, "dataclass") || strings.Contains(a, "define") || strings.Contains(a, "NamedTuple")):
		return true, false, "the fields that its constructor takes may have changed"
	case use.Kind == index.RefEmbed:
		return true, false, "the base class changed: what overrides or uses its members may no longer fit"
	case b != a:
		return true, false, "its bases or decorators changed"
	}
	return true, true, ""
}

func compatibleValue(before, after index.Symbol) (ok, known bool, reason string) {
	b, a := declaredType(before), declaredType(after)
	switch {
	case b != a && a != "":
		return true, false, fmt.Sprintf("the type changed from %s to %s", orNone(b), a)
	case before.Fingerprint != "" && before.Fingerprint == after.Fingerprint:
		return true, true, ""
	}
	return true, false, "the value, and with it perhaps the type, changed"
}

// declaredType returns the annotation of a field or variable, "" without one.
func declaredType(s index.Symbol) string {
	if s.Signature.Type != "" {
		return s.Signature.Type
	}
	target, rest, ok := strings.Cut(s.Signature.Text, ":")
	if !ok || strings.ContainsAny(target, "=([{\"'") {
		return ""
	}
	typ, _, _ := strings.Cut(rest, "=")
	return strings.TrimSpace(typ)
}

// decorators returns the last names of what stands before def or class.
func decorators(s index.Symbol) []string {
	var out []string
	text := s.Signature.Text
	for strings.HasPrefix(text, "@") {
		end := strings.IndexAny(text, " (")
		if end < 0 {
			end = len(text)
		}
		name := text[1:end]
		out = append(out, name[strings.LastIndexByte(name, '.')+1:])
		next := strings.Index(text[1:], " @")
		if next < 0 {
			break
		}
		text = text[next+2:]
	}
	return out
}

func isDecorated(s index.Symbol, names ...string) bool {
	for _, d := range decorators(s) {
		for _, name := range names {
			if d == name {
				return true
			}
		}
	}
	return false
}

func isProperty(s index.Symbol) bool {
	return isDecorated(s, "property", "cached_property", "abstractproperty", "lazy_property", "reify", "classproperty", "setter", "hybrid_property")
}

func isAsync(s index.Symbol) bool {
	return strings.HasPrefix(s.Signature.Text, "async ") || strings.Contains(s.Signature.Text, " async def "+s.Name)
}
