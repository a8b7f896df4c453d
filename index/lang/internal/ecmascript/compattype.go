package ecmascript

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// compatibleClass judges a class: its members are symbols of their own; what is
// left are how it is constructed, its type parameters and what it extends.
func compatibleClass(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	if !isAbstract(before) && isAbstract(after) && use.Kind == index.RefCall {
		return false, true, after.Name + " became abstract, so that nothing can construct it"
	}
	b, a := before.Signature, after.Signature
	if use.Kind == index.RefCall && use.Args != nil && (len(b.Params) > 0 || len(a.Params) > 0) {
		if reason := shape(b.Params, a.Params, use); reason != "" {
			return false, true, reason
		}
		if ok, known, reason := parameters(b.Params, a.Params, use); reason != "" {
			return ok, known, reason
		}
	}
	if ok, known, reason := compatibleGeneric(before, after, use); reason != "" {
		return ok, known, reason
	}
	if bh, ah := heritage(b.Text), heritage(a.Text); bh != ah {
		return true, false, fmt.Sprintf("what the class extends or implements changed from %q to %q", bh, ah)
	}
	switch {
	case before.Fingerprint == after.Fingerprint, use.Kind == index.RefCall, use.Kind == index.RefRead:
		return true, true, ""
	case use.Kind == index.RefEmbed:
		return true, false, "the members of the class changed: what extends it may override or need them"
	}
	return true, true, ""
}

func isAbstract(s index.Symbol) bool { return modified(s.Signature.Text, s.Name, "abstract") }

// heritage is what follows the name and type parameters of a class.
func heritage(text string) string {
	for _, word := range []string{" extends ", " implements "} {
		if i := strings.Index(text, word); i >= 0 {
			return strings.Join(strings.Fields(strings.TrimRight(text[i:], "{ ")), " ")
		}
	}
	return ""
}

// compatibleGeneric judges the type parameters. How many a use gives is not to be
// seen; one that gave none can do without those that have a default.
func compatibleGeneric(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	needs := func(s index.Symbol) int {
		n := 0
		for _, p := range s.Signature.TypeParams {
			if p.Default == "" {
				n++
			}
		}
		return n
	}
	b, a := before.Signature.TypeParams, after.Signature.TypeParams
	isType := typeUse(use) || use.Kind == index.RefEmbed
	switch {
	case len(b) == 0 && needs(after) > 0 && isType:
		return false, true, fmt.Sprintf("%s needs %d type arguments where it took none", after.Name, needs(after))
	case len(b) > len(a) && needs(before) > len(a) && isType:
		return false, true, fmt.Sprintf("%s takes %d type arguments where it needed %d", after.Name, len(a), needs(before))
	case needs(after) > len(b) && isType:
		return false, true, fmt.Sprintf("%s needs %d type arguments where it took %d", after.Name, needs(after), len(b))
	case len(a) < len(b) || needs(after) > needs(before):
		return true, false, fmt.Sprintf("%s has %d type parameters where it had %d", after.Name, len(a), len(b))
	}
	for i := range b {
		if b[i].Type != a[i].Type {
			return true, false, fmt.Sprintf("the bound of type parameter %s changed from %s to %s", a[i].Name, typeOf(b[i]), typeOf(a[i]))
		}
	}
	return true, true, ""
}

func compatibleValue(before, after index.Symbol, use index.Ref) (ok, known bool, reason string) {
	readOnly := func(s index.Symbol) bool { return modified(s.Signature.Text, s.Name, "readonly") }
	if use.Kind == index.RefWrite && !readOnly(before) && readOnly(after) {
		return false, true, after.Name + " became readonly"
	}
	optional := func(s index.Symbol) bool { return strings.Contains(s.Signature.Text, s.Name+"?") }
	if optional(before) != optional(after) && before.Kind == index.KindField {
		if optional(after) {
			return use.Kind == index.RefKey || use.Kind == index.RefWrite, use.Kind == index.RefKey || use.Kind == index.RefWrite, optionalReason(after, use)
		}
		return true, use.Kind == index.RefKey || use.Kind == index.RefRead, ""
	}
	b, a := valueType(before), valueType(after)
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

func optionalReason(after index.Symbol, use index.Ref) string {
	if use.Kind == index.RefKey || use.Kind == index.RefWrite {
		return ""
	}
	return after.Name + " became optional: it may be undefined where it is read"
}

// valueType is the declared type of a field, variable or constant, "" where it
// is inferred.
func valueType(s index.Symbol) string {
	typ := s.Signature.Type
	if typ == "" {
		_, rest, _ := strings.Cut(s.Signature.Text, s.Name)
		rest, annotated := strings.CutPrefix(strings.TrimLeft(rest, "?! "), ":")
		if !annotated {
			return ""
		}
		typ = split(rest, '=', ';')[0]
	}
	return strings.Join(strings.Fields(typ), " ")
}

// compatibleType judges uses of an interface, type or enum. Members are symbols
// of their own; what is left is what makes or fulfils one.
func compatibleType(before, after index.Symbol) (ok, known bool, reason string) {
	if before.Fingerprint == after.Fingerprint {
		return true, true, ""
	}
	if ok, known, reason := compatibleGeneric(before, after, index.Ref{Kind: index.RefType}); reason != "" {
		return ok, known, reason
	}
	switch before.Kind {
	case index.KindType:
		return true, false, "what the type stands for changed"
	case index.KindEnum:
		return true, false, "the members of the enum changed: a switch over it may lack one"
	}
	return true, false, "the members of the interface changed: what is made of it, or implements it, must have them all"
}
