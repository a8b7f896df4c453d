package changeset

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// takesAnything returns the canonical name of the function that a changed
// function is handed to as a value, if the parameter there takes values of any
// type: the call then compiles whatever the signature becomes. "" otherwise.
func (v *derivation) takesAnything(c contract, r index.Ref) string {
	if r.Kind == index.RefCall || c.remove || c.rename != "" {
		return ""
	}
	var call *index.Ref
	for _, o := range v.snap.RefsIn(r.Span.File) {
		inside := o.Kind == index.RefCall && o.Args != nil && o.Args.Start <= r.Span.Start && r.Span.End <= o.Args.End
		if inside && (call == nil || o.Args.Start > call.Args.Start) {
			call = &o
		}
	}
	if call == nil || call.Status != index.Static || len(call.Targets) == 0 {
		return ""
	}
	callee, ok := v.snap.Symbol(call.Targets[0])
	params := callee.Signature.Params
	if !ok || len(params) == 0 {
		return ""
	}
	at := v.position(r, call.Args.Start)
	if last := len(params) - 1; at > last && params[last].Variadic {
		at = last
	}
	if at < 0 || at >= len(params) || !universal(params[at].Type) {
		return ""
	}
	return callee.Canonical
}

// position counts the arguments before a reference in the list that starts at
// an offset; -1 if the source cannot be read.
func (v *derivation) position(r index.Ref, start int) int {
	src, err := v.snap.Source(r.Span.File)
	lang := v.snap.Language(r.Span.File)
	if err != nil || lang == nil || lang.Tokens == nil || r.Span.Start > len(src) {
		return -1
	}
	depth, n := 0, 0
	for _, t := range lang.Tokens(src[start:r.Span.Start]) {
		if t.Kind == index.TokenString || t.Kind == index.TokenComment {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

// universal reports whether a type, as written, takes values of any type.
func universal(typ string) bool {
	switch strings.ReplaceAll(typ, " ", "") {
	case "any", "interface{}", "object", "Object", "unknown", "Any":
		return true
	}
	return false
}
