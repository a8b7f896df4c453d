package ecmascript

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// compatible reports whether use, written for before, still fits after.
//
// Calls are judged by how many arguments they pass and by what stands at their
// places. Whether a changed type still takes an argument, and whether a caller
// can live with a changed result, is not to be seen from the reference; then
// known is false and reason says what to look at. JavaScript lets a call pass too
// few or too many arguments: too few leave a parameter undefined, which is
// broken; too many are ignored, which somebody has to look at.
func compatible(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	switch {
	case after.ID == "" && after.Name == "":
		return false, true, "the definition is gone"
	case use.Kind == index.RefString:
		return before.Name == after.Name, true, renamed(before, after)
	case before.Visibility == index.Public && after.Visibility != index.Public && use.Span.File != before.Span.File && before.Parent == after.Parent && before.Kind != index.KindField:
		return false, true, after.Name + " is no longer exported"
	case before.Name != after.Name && !(use.Name != "" && use.Name != before.Name && use.Kind != index.RefImport):
		return false, true, renamed(before, after)
	case use.Kind == index.RefImport:
		return true, true, ""
	case before.Kind != after.Kind:
		return changedKind(before, after, use)
	}
	switch before.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor:
		return compatibleFunction(before, after, use)
	case index.KindClass:
		return compatibleClass(before, after, use)
	case index.KindField, index.KindVariable, index.KindConstant, index.KindEnumMember:
		return compatibleValue(before, after, use)
	case index.KindInterface, index.KindType, index.KindEnum:
		return compatibleType(before, after)
	}
	return true, false, "uses of such a definition cannot be judged"
}

func renamed(before, after index.Symbol) string {
	if before.Name == after.Name {
		return ""
	}
	return fmt.Sprintf("the name changed from %s to %s", before.Name, after.Name)
}

// typeUse reports whether a reference needs a type, not a value.
func typeUse(use index.Ref) bool { return use.Kind == index.RefType }

// changedKind judges a definition that became one of another kind.
func changedKind(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	reason = fmt.Sprintf("%s changed from a %s to a %s", before.Name, before.Kind, after.Kind)
	isType := func(k index.Kind) bool {
		return k == index.KindClass || k == index.KindInterface || k == index.KindType || k == index.KindEnum
	}
	isValue := func(k index.Kind) bool { return k != index.KindInterface && k != index.KindType }
	switch {
	case typeUse(use) && isType(before.Kind) && !isType(after.Kind):
		return false, true, reason
	case !typeUse(use) && use.Kind != index.RefEmbed && isValue(before.Kind) && !isValue(after.Kind):
		return false, true, reason
	case typeUse(use) && isType(before.Kind) && isType(after.Kind):
		return true, false, reason
	case after.Kind == index.KindConstant && use.Kind == index.RefWrite:
		return false, true, reason
	case use.Kind == index.RefCall && before.Kind == index.KindFunction && after.Kind == index.KindClass:
		return false, true, reason + ", which needs new"
	case before.Kind == index.KindConstant && after.Kind == index.KindVariable, before.Kind == index.KindVariable && after.Kind == index.KindConstant:
		return true, true, ""
	}
	return false, false, reason
}

func compatibleFunction(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	if ok, known, reason = changedModifiers(before, after); reason != "" {
		return ok, known, reason
	}
	b, a := before.Signature, after.Signature
	results := changedResults(b, a)
	if use.Kind != index.RefCall || use.Args == nil {
		return compatibleValueUse(before, b, a, results)
	}
	if reason := shape(b.Params, a.Params, use); reason != "" {
		return false, !overloaded(before), overloads(before, reason)
	}
	if isElement(use) {
		ok, known, reason = properties(b.Params, a.Params, use.Args)
	} else {
		ok, known, reason = parameters(b.Params, a.Params, use)
	}
	if reason != "" || results == "" {
		return ok, known, reason
	}
	return true, false, results
}

// isElement reports whether a use is a JSX element, whose arguments are the
// attributes of its tag; the range of the tag holds the name.
func isElement(use index.Ref) bool { return use.Args.Start < use.Span.Start }

// overloaded reports whether a function is declared without a body: a call that
// does not fit it may fit another declaration of the same name.
func overloaded(s index.Symbol) bool {
	return s.Kind != index.KindConstructor && s.Parent == "" && s.Body >= s.Span.End && s.Span.End > 0
}

func overloads(s index.Symbol, reason string) string {
	if overloaded(s) {
		return reason + ", unless it means another overload"
	}
	return reason
}

// changedModifiers judges what stands before a function's name.
func changedModifiers(before, after index.Symbol) (ok, known bool, reason string) {
	for _, word := range []string{"async", "static", "get", "set", "*"} {
		b, a := modified(before.Signature.Text, before.Name, word), modified(after.Signature.Text, after.Name, word)
		if b == a {
			continue
		}
		verb := map[bool]string{true: "became", false: "is no longer"}[a]
		switch word {
		case "async":
			return true, false, fmt.Sprintf("%s %s async: what it returns changes with it", after.Name, verb)
		case "*":
			return true, false, fmt.Sprintf("%s %s a generator: what it returns changes with it", after.Name, verb)
		case "static":
			return false, true, fmt.Sprintf("%s %s static: it is reached in another way", after.Name, verb)
		}
		return false, true, fmt.Sprintf("%s %s an accessor: it is used without a call", after.Name, verb)
	}
	return true, true, ""
}

// modified reports whether a word stands before the name in a declaration.
func modified(text, name, word string) bool {
	head, _, found := strings.Cut(text, name)
	if !found || strings.ContainsAny(head, "({=") {
		head = ""
	}
	if word == "async" && !strings.Contains(head, "async") { // const f = async (…)
		_, value, _ := strings.Cut(text, "=")
		head = strings.TrimSpace(value)
		return strings.HasPrefix(head, "async ") || strings.HasPrefix(head, "async(")
	}
	if word == "*" {
		return strings.Contains(head, "*")
	}
	return slices.Contains(strings.Fields(head), word)
}

// compatibleValueUse judges a function that is named but not called there: what
// takes it may pass any number of arguments.
func compatibleValueUse(before index.Symbol, b, a index.Signature, results string) (ok, known bool, reason string) {
	const value = "; it is used as a value, and what calls it is not to be seen here"
	if len(b.Params) != len(a.Params) || required(b.Params) != required(a.Params) {
		return false, false, before.Name + " takes other parameters" + value
	}
	for i := range b.Params {
		if _, moved := movedTo(b.Params, a.Params, i); moved || b.Params[i].Variadic != a.Params[i].Variadic {
			return false, false, before.Name + " takes other parameters" + value
		}
	}
	if types := changedTypes(b.Params, a.Params, len(a.Params)); types != "" {
		return false, false, types + value
	}
	if results != "" {
		return false, false, results + value
	}
	return true, true, ""
}

// required is how many arguments a call has to pass: up to the last parameter
// without default that is neither optional nor a rest.
func required(params []index.Param) int {
	for i := len(params); i > 0; i-- {
		if p := params[i-1]; !p.Optional && !p.Variadic && p.Default == "" {
			return i
		}
	}
	return 0
}

func isVariadic(params []index.Param) bool {
	return len(params) > 0 && params[len(params)-1].Variadic
}

// shape returns why the number of arguments, or the places that they stand at,
// do not fit after while they fitted before, "" if they do.
func shape(before, after []index.Param, use index.Ref) string {
	args := use.Args
	if isElement(use) {
		return ""
	}
	for i := 0; i < min(args.Count, len(before)); i++ {
		if to, moved := movedTo(before, after, i); moved {
			return fmt.Sprintf("parameter %s moved from place %d to %d", before[i].Name, i+1, to+1)
		}
		if i < len(after) && after[i].Name != before[i].Name {
			if from := slices.IndexFunc(before, func(p index.Param) bool { return p.Name == after[i].Name }); from >= 0 {
				return fmt.Sprintf("argument %d is now taken as %s, which stood at place %d", i+1, after[i].Name, from+1)
			}
		}
	}
	switch {
	case args.Spread:
		return ""
	case args.Count < required(after) && args.Count >= required(before):
		p := after[args.Count]
		return fmt.Sprintf("the call passes %s; parameter %s, which has no default, is left without", count(args.Count), label(p, args.Count))
	case args.Count < required(after) && !isScript(use.Span.File) && required(after) != required(before):
		return fmt.Sprintf("the call passes %s; at least %d are needed", count(args.Count), required(after))
	case args.Count > len(after) && !isVariadic(after) && !isScript(use.Span.File) && args.Count <= takes(before):
		return fmt.Sprintf("the call passes %s; %d are taken", count(args.Count), len(after))
	}
	return ""
}

func count(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// takes is how many arguments a function takes at most.
func takes(params []index.Param) int {
	if isVariadic(params) {
		return 1 << 30
	}
	return len(params)
}

// movedTo returns where the i-th parameter before stands after, if by its name
// it is one that stood there and now stands elsewhere.
func movedTo(before, after []index.Param, i int) (int, bool) {
	name := before[i].Name
	if name == "" || i < len(after) && after[i].Name == name {
		return i, false
	}
	for j, p := range after {
		if p.Name == name && !strings.HasPrefix(name, "{") {
			return j, true
		}
	}
	return i, false
}

// isScript reports whether a file is JavaScript, where no call passes too many
// arguments to be run.
func isScript(file string) bool {
	switch path.Ext(file) {
	case ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// parameters judges a call whose number of arguments fits.
func parameters(before, after []index.Param, use index.Ref) (ok, known bool, reason string) {
	args := use.Args
	switch {
	case args.Spread && (takes(before) != takes(after) || required(before) != required(after)):
		return true, false, "the call spreads its arguments over parameters that changed in number"
	case args.Count > len(after) && !isVariadic(after) && args.Count <= takes(before):
		return true, false, fmt.Sprintf("the call passes %s; %d are taken and the rest is ignored", count(args.Count), len(after))
	}
	passed := args.Count
	if args.Spread {
		passed = len(after)
	}
	for i := 0; i < min(passed, len(before), len(after)); i++ {
		if before[i].Variadic != after[i].Variadic {
			return true, false, fmt.Sprintf("parameter %s takes the rest of the arguments as one, or no longer does", label(after[i], i))
		}
		if ok, known, reason := pattern(before[i], after[i], nil); reason != "" {
			return ok, known, reason
		}
	}
	if types := changedTypes(before, after, passed); types != "" {
		return true, false, types
	}
	return true, true, ""
}

// changedTypes says which of the first n parameters has another type, "" if each
// takes at least what it took.
func changedTypes(before, after []index.Param, n int) string {
	for i := range min(n, len(before), len(after)) {
		b, a := before[i], after[i]
		if b.Type == a.Type || a.Type == "any" || a.Type == "unknown" || isPattern(b) && isPattern(a) || isObjectType(b.Type) && isObjectType(a.Type) {
			continue
		}
		if b.Type != "" && contains(terms(a.Type), terms(b.Type)) {
			continue
		}
		return fmt.Sprintf("the type of parameter %s changed from %s to %s", label(a, i), typeOf(b), typeOf(a))
	}
	return ""
}

func contains(all, some []string) bool {
	for _, s := range some {
		if !slices.Contains(all, s) {
			return false
		}
	}
	return true
}

// terms are those of a union type, white space aside.
func terms(typ string) []string {
	var out []string
	for _, t := range split(typ, '|') {
		if t = strings.Join(strings.Fields(t), " "); t != "" {
			out = append(out, t)
		}
	}
	return out
}

func changedResults(b, a index.Signature) string {
	text := func(s index.Signature) string {
		if len(s.Results) == 0 {
			return ""
		}
		return strings.Join(strings.Fields(s.Results[0].Type), " ")
	}
	if text(b) == text(a) {
		return ""
	}
	return fmt.Sprintf("what it returns changed from %s to %s", orInferred(text(b)), orInferred(text(a)))
}

func orInferred(typ string) string {
	if typ == "" {
		return "an inferred type"
	}
	return typ
}

func label(p index.Param, i int) string {
	if p.Name != "" {
		return p.Name
	}
	return fmt.Sprint(i + 1)
}

func typeOf(p index.Param) string {
	switch {
	case p.Type == "":
		return "none"
	case p.Variadic:
		return "..." + p.Type
	}
	return p.Type
}
