package ecmascript

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A documented is what a comment above a JavaScript function says of types: an
// Expr for each parameter by name, and for the result "".
type documented map[string]int32

// docTag finds @param {T} name, @returns {T} and @type {T}; types with braces of
// their own are left alone.
var docTag = regexp.MustCompile(`@(param|arg|argument|returns?|type)\s*\{([^{}\n]+)\}(?:\s*\[?([\w$]+))?`)

// docName is a type that can be read without a grammar: a name, perhaps with
// the name of what it holds.
var docName = regexp.MustCompile(`^[!?]?([A-Za-z_$][\w$]*)(?:\.?<([A-Za-z_$][\w$]*)>)?(\[\])?=?$`)

// documentedTypes reads what the comment of d says of a function's types.
func (x *extractor) documentedTypes(d int32) documented {
	if !x.script() || x.defs[d].Doc.End == 0 {
		return nil
	}
	text := x.src[x.defs[d].Doc.Start:x.defs[d].Doc.End]
	if !bytes.Contains(text, []byte("@")) {
		return nil
	}
	out := documented{}
	for _, m := range docTag.FindAllSubmatch(text, -1) {
		switch tag := string(m[1]); {
		case strings.HasPrefix(tag, "return"):
			out[""] = x.documentedType(string(m[2]))
		case tag != "type":
			out[string(m[3])] = x.documentedType(string(m[2]))
		}
	}
	return out
}

// documentedVariable is the type that a comment gives to a variable, or -1.
func (x *extractor) documentedVariable(doc index.Range) int32 {
	if !x.script() || doc.End == 0 {
		return -1
	}
	for _, m := range docTag.FindAllSubmatch(x.src[doc.Start:doc.End], -1) {
		if string(m[1]) == "type" {
			return x.documentedType(string(m[2]))
		}
	}
	return -1
}

// documentedType is a type as a comment writes it, -1 for one that is not simple.
func (x *extractor) documentedType(text string) int32 {
	m := docName.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return -1
	}
	e := x.documentedName(m[1])
	if m[2] != "" {
		from := len(x.Stack)
		x.Push(x.documentedName(m[2]))
		e = x.MakeList(opInst, -1, e, -1, from)
	}
	if m[3] != "" {
		e = x.Make(opArrayOf, -1, e, -1)
	}
	return e
}

func (x *extractor) documentedName(name string) int32 {
	switch name {
	case "string", "number", "boolean", "bigint", "symbol", "void", "null", "undefined", "any", "unknown", "object", "never":
		return x.basic(name)
	}
	return x.meaning(x.internText(name), true)
}
