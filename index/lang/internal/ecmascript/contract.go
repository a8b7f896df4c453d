package ecmascript

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// contract compares what callers and readers of two declarations rely on: types
// where both declare one, and not the names of parameters, which are given by
// position. A type that another definition stands for is taken as written.
func contract(before, after index.Declared) index.Contract {
	a, b := before.Signature, after.Signature
	out := min(paramLists(a.Params, b.Params), results(a.Results, b.Results), typeParamLists(a.TypeParams, b.TypeParams))
	switch before.Kind {
	case index.KindField, index.KindMethod:
		if optional(before.Symbol) != optional(after.Symbol) {
			return index.Broken
		}
	}
	if t, u := union(a.Type), union(b.Type); len(t) > 0 && len(u) > 0 && !slices.Equal(t, u) {
		return index.Broken
	}
	return out
}

// optional reports whether a member is declared with "?".
func optional(s index.Symbol) bool {
	_, rest, ok := strings.Cut(s.Signature.Text, s.Name)
	return ok && strings.HasPrefix(strings.TrimSpace(rest), "?")
}

// paramLists compares two parameter lists by position.
func paramLists(before, after []index.Param) index.Contract {
	out := index.Same
	for i, p := range before {
		if i >= len(after) {
			return index.Broken
		}
		q := after[i]
		switch {
		case p.Variadic != q.Variadic && !q.Variadic, p.Optional && !q.Optional && !q.Variadic:
			return index.Broken
		case p.Optional != q.Optional || p.Variadic != q.Variadic:
			out = min(out, index.Wider)
		}
		if p.Default != "" && q.Default != "" && squeezed(p.Default) != squeezed(q.Default) {
			return index.Broken
		}
		if !p.Variadic && q.Variadic {
			continue // it takes the elements now
		}
		if out = min(out, wider(p.Type, q.Type)); out == index.Broken {
			return out
		}
	}
	for _, q := range after[min(len(before), len(after)):] {
		if !q.Optional && !q.Variadic {
			return index.Broken
		}
		out = min(out, index.Wider)
	}
	return out
}

// results compares what is given: a part of what there was asks no more of callers.
func results(before, after []index.Param) index.Contract {
	if len(before) == 0 || len(after) == 0 {
		return index.Same
	}
	return wider(after[0].Type, before[0].Type)
}

// typeParamLists compares type parameters: one more has to have a default.
func typeParamLists(before, after []index.Param) index.Contract {
	out := index.Same
	for i, p := range before {
		if i >= len(after) {
			return index.Broken
		}
		out = min(out, wider(p.Type, after[i].Type))
	}
	for _, q := range after[min(len(before), len(after)):] {
		if !q.Optional && q.Default == "" {
			return index.Broken
		}
		out = min(out, index.Wider)
	}
	return out
}

// wider compares the types of a parameter: a union that has all that there was
// takes more. What no type is written for is not compared.
func wider(before, after string) index.Contract {
	a, b := union(before), union(after)
	switch {
	case len(a) == 0 || len(b) == 0 || slices.Equal(a, b):
		return index.Same
	case slices.Contains(b, "any") || slices.Contains(b, "unknown") || !slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) }):
		return index.Wider
	}
	return index.Broken
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// union are the members of a type, in order.
func union(text string) []string {
	text = strings.TrimPrefix(strings.TrimPrefix(squeezed(text), ":"), "|")
	if text == "" {
		return nil
	}
	if strings.Contains(text, "=>") {
		return []string{text} // the members behind the arrow are those of its result
	}
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '(', '{', '<':
			depth++
		case ']', ')', '}', '>':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	out = append(out, text[from:])
	slices.Sort(out)
	return slices.Compact(out)
}
