package python

import (
	"fmt"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A shape is what a signature accepts, without self or cls.
type shape struct {
	positional []index.Param
	keyword    []index.Param // keyword-only
	rest       bool          // *args
	others     bool          // **kwargs
}

func shapeOf(s index.Symbol) shape {
	var out shape
	for i, p := range s.Signature.Params {
		switch {
		case i == 0 && slices.Contains([]string{"self", "cls", "mcs", "metacls"}, p.Name):
		case p.Variadic && p.Keyword:
			out.others = true
		case p.Variadic:
			out.rest = true
		case p.Keyword:
			out.keyword = append(out.keyword, p)
		default:
			out.positional = append(out.positional, p)
		}
	}
	return out
}

// accepts reports whether an argument may be given by the name.
func (s *shape) accepts(name string) bool {
	named := func(p index.Param) bool { return p.Name == name }
	return s.others || slices.ContainsFunc(s.positional, named) || slices.ContainsFunc(s.keyword, named)
}

// fits reports whether every call that base accepts is accepted by impl, the
// rule of substitution that PEP 544 states for protocols. A parameter that has
// another name breaks calls that name it, and no other: that is not known here.
func fits(base, impl index.Symbol) (ok, known bool, reason string) {
	b, m := shapeOf(base), shapeOf(impl)
	if reason := m.lacks(&b); reason != "" {
		return false, true, reason
	}
	if reason := m.demands(&b); reason != "" {
		return false, true, reason
	}
	for i, p := range b.positional {
		if i < len(m.positional) && m.positional[i].Name != p.Name && !m.accepts(p.Name) && p.Name[:1] != "_" {
			return false, false, fmt.Sprintf("it calls the parameter %s %s, so that a call by that name fails", p.Name, m.positional[i].Name)
		}
	}
	return true, true, ""
}

// lacks says what calls of base may give and the shape does not take.
func (s *shape) lacks(base *shape) string {
	for i, p := range base.positional {
		if i >= len(s.positional) && !s.rest {
			return "it does not take " + p.Name
		}
	}
	for _, p := range base.keyword {
		if !s.accepts(p.Name) {
			return "it does not take " + p.Name + " by name"
		}
	}
	switch {
	case base.rest && !s.rest:
		return "it does not take any number of arguments"
	case base.others && !s.others:
		return "it does not take any keyword"
	}
	return ""
}

// demands says what the shape requires and calls of base may leave out.
func (s *shape) demands(base *shape) string {
	for i, p := range s.positional {
		switch {
		case p.Optional:
		case i >= len(base.positional) && !slices.ContainsFunc(base.keyword, func(k index.Param) bool { return k.Name == p.Name && !k.Optional }):
			return "it requires " + p.Name
		case i < len(base.positional) && base.positional[i].Optional:
			return "it requires " + p.Name + ", which may be left out"
		}
	}
	for _, p := range s.keyword {
		if !p.Optional && !slices.ContainsFunc(slices.Concat(base.keyword, base.positional), func(k index.Param) bool { return k.Name == p.Name && !k.Optional }) {
			return "it requires " + p.Name
		}
	}
	return ""
}
