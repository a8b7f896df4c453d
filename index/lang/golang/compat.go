package golang

import (
	"fmt"

	"github.com/plumbkit/plumb/index"
)

// compatible reports whether use, written for before, still fits after.
//
// Calls are judged by arity: how many values a call passes is known from its
// arguments, or, where those are another call's results, from before, which
// they fitted. Whether a changed type still takes an argument, or whether a
// caller can do without a result that is gone, is not to be seen from the
// reference; then known is false and reason says what to look at.
func compatible(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	if after.ID == "" && after.Name == "" {
		return false, true, "the definition is gone"
	}
	if before.Name != after.Name && use.Kind != index.RefString {
		return false, true, fmt.Sprintf("the name changed from %s to %s", before.Name, after.Name)
	}
	if before.Kind != after.Kind {
		return changedKind(before, after, use)
	}
	switch before.Kind {
	case index.KindFunction, index.KindMethod:
		return compatibleFunction(before, after, use)
	case index.KindField, index.KindVariable, index.KindConstant:
		return compatibleValue(before, after)
	case index.KindClass, index.KindInterface, index.KindType:
		return compatibleType(before, after, use)
	}
	return true, false, "uses of such a definition cannot be judged"
}

// changedKind judges a definition that became one of another kind.
func changedKind(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	reason = fmt.Sprintf("%s changed from a %s to a %s", before.Name, before.Kind, after.Kind)
	isType := func(k index.Kind) bool {
		return k == index.KindClass || k == index.KindInterface || k == index.KindType
	}
	switch {
	case isType(before.Kind) && isType(after.Kind):
		return false, use.Kind == index.RefKey, reason
	case isType(before.Kind) != isType(after.Kind) && (use.Kind == index.RefType || use.Kind == index.RefEmbed || use.Kind == index.RefKey):
		return false, true, reason
	case after.Kind == index.KindConstant && use.Kind == index.RefWrite:
		return false, true, reason
	case before.Kind == index.KindVariable && after.Kind == index.KindConstant && use.Kind == index.RefRead:
		return true, false, reason
	}
	return false, false, reason
}

func compatibleFunction(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	b, a := before.Signature, after.Signature
	if len(b.TypeParams) != len(a.TypeParams) && before.Kind == index.KindFunction {
		return false, false, fmt.Sprintf("%s has %d type parameters where it had %d", after.Name, len(a.TypeParams), len(b.TypeParams))
	}
	params, results := changedParams(b.Params, a.Params), changedResults(b.Results, a.Results)
	if use.Kind == index.RefString {
		return true, true, ""
	}
	if use.Args == nil || use.Kind != index.RefCall {
		return compatibleValueUse(before, params, results, b, a)
	}
	if reason := arity(b.Params, a.Params, use.Args); reason != "" {
		return false, true, reason
	}
	switch {
	case params != "":
		return true, false, params
	case results != "":
		return true, false, results
	case before.Signature.Receiver != after.Signature.Receiver:
		return true, false, fmt.Sprintf("the receiver changed from %s to %s", before.Signature.Receiver, after.Signature.Receiver)
	}
	return true, true, ""
}

// compatibleValueUse judges a function that is named but not called there: any
// change of its type reaches whatever the value is given to, which the reference
// does not show. A registry that takes any value takes the new type too.
func compatibleValueUse(before index.Symbol, params, results string, b, a index.Signature) (ok, known bool, reason string) {
	what := "used as a value"
	if before.Kind == index.KindMethod {
		what = "used as a method value, or satisfies an interface"
	}
	switch {
	case len(b.Params) != len(a.Params) || len(b.Results) != len(a.Results) || isVariadic(b.Params) != isVariadic(a.Params):
		return false, false, fmt.Sprintf("%s is %s and its type changed; whether what takes it still does is not to be seen here", before.Name, what)
	case params != "":
		return false, false, params + "; it is " + what
	case results != "":
		return false, false, results + "; it is " + what
	}
	return true, true, ""
}

// arity returns why a call with args does not fit after, "" if it does or that
// cannot be known.
func arity(before, after []index.Param, args *index.Args) string {
	count, spreads := values(before, args)
	least, variadic := len(after), isVariadic(after)
	if variadic {
		least--
	}
	switch {
	case spreads && !variadic:
		return "the call spreads a slice, and no parameter is variadic any more"
	case spreads && count != len(after):
		return fmt.Sprintf("the call passes %d arguments and a slice spread as the last; %d parameters are declared", count, len(after))
	case spreads || count < 0:
		return ""
	case count < least:
		return fmt.Sprintf("the call passes %d values; at least %d are needed", count, least)
	case count > len(after) && !variadic:
		return fmt.Sprintf("the call passes %d values; %d are taken", count, len(after))
	}
	return ""
}

// values returns how many values a call that fitted before passes, -1 if that
// is not known, and whether the last is a slice spread over a variadic parameter.
func values(before []index.Param, args *index.Args) (count int, spreads bool) {
	switch {
	case !args.Spread:
		return args.Count, false
	case !isVariadic(before):
		return len(before), false // f(g()) with several results
	case args.Count == len(before) && args.Count > 1:
		return args.Count, true
	}
	return -1, false
}

func isVariadic(params []index.Param) bool {
	return len(params) > 0 && params[len(params)-1].Variadic
}

// changedParams says which parameter's type changed.
func changedParams(before, after []index.Param) string {
	for i := range min(len(before), len(after)) {
		if before[i].Type != after[i].Type || before[i].Variadic != after[i].Variadic {
			return fmt.Sprintf("type of parameter %s changed from %s to %s", label(after[i], i), typeOf(before[i]), typeOf(after[i]))
		}
	}
	return ""
}

func changedResults(before, after []index.Param) string {
	if len(before) != len(after) {
		return fmt.Sprintf("it returns %d values where it returned %d", len(after), len(before))
	}
	for i := range before {
		if before[i].Type != after[i].Type {
			return fmt.Sprintf("type of result %s changed from %s to %s", label(after[i], i), before[i].Type, after[i].Type)
		}
	}
	return ""
}

func label(p index.Param, i int) string {
	if p.Name != "" && p.Name != "_" {
		return p.Name
	}
	return fmt.Sprint(i + 1)
}

func typeOf(p index.Param) string {
	if p.Variadic {
		return "..." + p.Type
	}
	return p.Type
}

func compatibleValue(before, after index.Symbol) (ok, known bool, reason string) {
	b, a := declaredType(before), declaredType(after)
	switch {
	case b != a && b != "" && a != "":
		return true, false, fmt.Sprintf("the type changed from %s to %s", b, a)
	case b == a && b != "":
		return true, true, ""
	case before.Fingerprint != "" && before.Fingerprint == after.Fingerprint:
		return true, true, ""
	}
	return true, false, "the value, and with it perhaps the type, changed"
}

// compatibleType judges uses of a type. Fields and methods are symbols of their
// own; what is left are the type parameters, the underlying type and, for an
// interface, the methods that implementations need.
func compatibleType(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	if n, was := len(after.Signature.TypeParams), len(before.Signature.TypeParams); n != was {
		return false, true, fmt.Sprintf("%s has %d type parameters where it had %d", after.Name, n, was)
	}
	if b, a := declaredType(before), declaredType(after); before.Kind == index.KindType && b != a {
		return true, false, fmt.Sprintf("the underlying type changed from %s to %s", b, a)
	}
	if before.Fingerprint == after.Fingerprint {
		return true, true, ""
	}
	switch {
	case use.Kind == index.RefType && before.Kind == index.KindClass:
		return true, true, ""
	case before.Kind == index.KindInterface:
		return true, false, "the interface's methods changed: what implements it must have them all"
	}
	return true, false, "the type's members changed"
}
