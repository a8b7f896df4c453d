package python

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// contract compares what callers and readers of two declarations rely on. A
// parameter's name counts, because callers may give it by name, unless it stands
// before "/" or begins with an underscore; its default counts, and its type where
// both declare one. What a function gives counts by its declared type alone.
func contract(before, after index.Declared) index.Contract {
	a, b := before.Signature, after.Signature
	out := parameters(a.Params, b.Params)
	out = min(out, results(a.Results, b.Results))
	if t, u := squeezed(a.Type), squeezed(b.Type); t != u && t != "" && u != "" {
		out = min(out, index.Broken)
	}
	return out
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// parameters compares two parameter lists.
func parameters(before, after []index.Param) index.Contract {
	out := index.Same
	used := make([]bool, len(after))
	for i, p := range before {
		j := counterpart(before, after, i)
		if j < 0 {
			return index.Broken
		}
		used[j] = true
		q := after[j]
		switch {
		case p.Variadic != q.Variadic, p.Optional && !q.Optional && !q.Variadic, !p.Keyword && q.Keyword && !p.Variadic:
			return index.Broken
		case p.Optional && q.Optional && squeezed(p.Default) != squeezed(q.Default):
			return index.Broken
		case p.Optional != q.Optional, p.Keyword && !q.Keyword:
			out = index.Wider
		}
		switch wider(p.Type, q.Type) {
		case index.Broken:
			return index.Broken
		case index.Wider:
			out = index.Wider
		}
	}
	for j, q := range after {
		if used[j] {
			continue
		}
		if !q.Optional && !q.Variadic || !q.Keyword && !q.Variadic && slices.Contains(used[j:], true) && positionalFollows(after[j:], used[j:]) {
			return index.Broken
		}
		out = index.Wider
	}
	return out
}

// positionalFollows reports whether a parameter that was there, and may be given
// by position, comes behind the first of these.
func positionalFollows(rest []index.Param, used []bool) bool {
	for i := 1; i < len(rest); i++ {
		if used[i] && !rest[i].Keyword && !rest[i].Variadic {
			return true
		}
	}
	return false
}

// counterpart is the parameter that the i-th has become, -1 without one: the one
// in its place where it may be given by position, else the one of its name.
func counterpart(before, after []index.Param, i int) int {
	p := before[i]
	if p.Variadic {
		return slices.IndexFunc(after, func(q index.Param) bool { return q.Variadic && q.Keyword == p.Keyword })
	}
	named := slices.IndexFunc(after, func(q index.Param) bool { return q.Name == p.Name })
	if p.Keyword {
		return named
	}
	switch {
	case i < len(after) && after[i].Name == p.Name:
		return i
	case i < len(after) && strings.HasPrefix(p.Name, "_") && !after[i].Keyword && !after[i].Variadic:
		return i
	}
	return -1
}

// wider compares the types of a parameter: a union that has all that there was
// takes more.
func wider(before, after string) index.Contract {
	a, b := union(before), union(after)
	switch {
	case len(a) == 0 || len(b) == 0 || slices.Equal(a, b):
		return index.Same
	case slices.Contains(b, "Any") || slices.Contains(b, "object") || !slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) }):
		return index.Wider
	}
	return index.Broken
}

// results compares what is given: a part of what there was asks no more of callers.
func results(before, after []index.Param) index.Contract {
	if len(before) == 0 || len(after) == 0 || before[0].Type == "" || after[0].Type == "" {
		return index.Same
	}
	return wider(after[0].Type, before[0].Type)
}

// union are the members of a type, in order: "int | None", "Optional[int]" and
// "Union[int, None]" read alike.
func union(text string) []string {
	text = strings.Trim(squeezed(text), "\"'")
	if text == "" {
		return nil
	}
	for _, prefix := range []string{"typing.", "t.", "te."} {
		text = strings.ReplaceAll(text, prefix, "")
	}
	if inner, ok := strings.CutPrefix(text, "Optional["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]") + "|None"
	}
	separator := byte('|')
	if inner, ok := strings.CutPrefix(text, "Union["); ok && strings.HasSuffix(inner, "]") {
		text, separator = strings.TrimSuffix(inner, "]"), ','
	}
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case separator:
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
