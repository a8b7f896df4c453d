package golang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// contract compares what users of two declarations rely on: types, with what
// their aliases stand for, and not the names of parameters, which are given by
// position. There is no Wider: whoever has the function's type notices any change.
func contract(before, after index.Declared) index.Contract {
	sameType := func(x, y string) bool {
		return squeeze(x) == squeeze(y) || plainType(before, x) == plainType(after, y)
	}
	same := func(x, y []index.Param) bool {
		return slices.EqualFunc(x, y, func(p, q index.Param) bool { return p.Variadic == q.Variadic && sameType(p.Type, q.Type) })
	}
	a, b := before.Signature, after.Signature
	if same(a.Params, b.Params) && same(a.Results, b.Results) && same(a.TypeParams, b.TypeParams) && sameType(a.Type, b.Type) && a.Receiver == b.Receiver &&
		(before.Kind != index.KindField || untagged(a.Text) == untagged(b.Text)) {
		return index.Same
	}
	return index.Broken
}

// untagged is a field's declaration without its tag.
func untagged(text string) string {
	text, _, _ = strings.Cut(text, "`")
	return squeeze(text)
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

var (
	// innerNames finds the name of a parameter before its type in the type of a function.
	innerNames = regexp.MustCompile(`([(,]\s*)(\w+) ([\w*\[])`)
	typeName   = regexp.MustCompile(`[\w.]+`)
)

// plainType writes a type without the names that are merely aliases in its
// package, and without the names of parameters of parameters.
func plainType(d index.Declared, text string) string {
	text = typeName.ReplaceAllStringFunc(text, func(name string) string {
		if s, ok := d.Alias(name); ok {
			if _, of, alias := strings.Cut(s.Signature.Text, " = "); alias {
				return squeeze(of)
			}
		}
		return name
	})
	text = innerNames.ReplaceAllStringFunc(text, func(m string) string {
		parts := innerNames.FindStringSubmatch(m)
		if slices.Contains([]string{"chan", "func", "map", "struct", "interface"}, parts[2]) {
			return m
		}
		return parts[1] + parts[3]
	})
	return squeeze(text)
}
