package ecmascript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A property is one that an object parameter takes apart.
type property struct {
	name     string
	optional bool // it has a default, or its type says so
	typ      string
}

func isPattern(p index.Param) bool { return strings.HasPrefix(p.Name, "{") }

// isObjectType reports whether a type is written out as an object's.
func isObjectType(typ string) bool { return strings.HasPrefix(typ, "{") && strings.HasSuffix(typ, "}") }

// objectOf returns the properties that a parameter takes, by its pattern and by
// its type where that is written out; rest says that it takes any other too, and
// named is the type's name where it is not written out.
func objectOf(p index.Param) (props []property, rest bool, named string) {
	typ := strings.TrimSpace(p.Type)
	literal := isObjectType(typ)
	byName := map[string]property{}
	if literal {
		for _, member := range split(strings.Trim(typ[1:len(typ)-1], " ;,"), ';', ',', '\n') {
			name, of, _ := strings.Cut(member, ":")
			name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "readonly "))
			optional := strings.HasSuffix(name, "?")
			if name = strings.Trim(name, `?"' `); name != "" {
				byName[name] = property{name, optional, strings.Join(strings.Fields(of), " ")}
				props = append(props, byName[name])
			}
		}
	} else {
		named = typ
	}
	if !isPattern(p) {
		return props, false, named
	}
	for _, part := range split(strings.TrimSuffix(strings.TrimPrefix(p.Name, "{"), "}"), ',') {
		part = strings.TrimSpace(part)
		if strings.HasPrefix(part, "...") {
			rest = true
			continue
		}
		name, _, _ := strings.Cut(part, ":")
		name, _, _ = strings.Cut(name, "=")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, typed := byName[name]; !typed && !literal {
			props = append(props, property{name: name, optional: len(split(part, '=')) > 1})
		}
	}
	return props, rest, named
}

// pattern judges an object parameter whose properties changed. names are those
// that the use passes, nil when they are not to be seen.
func pattern(before, after index.Param, names []string) (ok, known bool, reason string) {
	b, _, bNamed := objectOf(before)
	a, rest, aNamed := objectOf(after)
	if !isPattern(before) && !isPattern(after) && (len(b) == 0 || len(a) == 0) || before.Name == after.Name && before.Type == after.Type {
		return true, true, ""
	}
	if bNamed != aNamed {
		return true, false, fmt.Sprintf("the type of the object changed from %s to %s", orInferred(bNamed), orInferred(aNamed))
	}
	if aNamed != "" && len(names) == 0 {
		return true, true, "" // what the type demands is judged where the type is
	}
	for _, p := range a {
		old := slices.IndexFunc(b, func(q property) bool { return q.name == p.name })
		switch {
		case old >= 0 && (p.optional || !b[old].optional) && (p.typ == b[old].typ || contains(terms(p.typ), terms(b[old].typ))):
		case p.optional && old < 0, slices.Contains(names, p.name) && old < 0 && p.typ == "":
		case old >= 0 && p.typ != b[old].typ:
			return true, false, fmt.Sprintf("the type of property %s changed from %s to %s", p.name, orInferred(b[old].typ), orInferred(p.typ))
		case slices.Contains(names, p.name):
		case names != nil:
			return false, true, fmt.Sprintf("property %s is needed and not passed", p.name)
		default:
			return false, false, fmt.Sprintf("the object needs property %s; whether the call passes it is not to be seen here", p.name)
		}
	}
	for _, p := range b {
		if rest || slices.ContainsFunc(a, func(q property) bool { return q.name == p.name }) {
			continue
		}
		switch {
		case slices.Contains(names, p.name):
			return false, true, fmt.Sprintf("property %s is passed and no longer taken", p.name)
		case names == nil:
			return true, false, fmt.Sprintf("property %s is no longer taken; whether the call passes it is not to be seen here", p.name)
		}
	}
	return true, true, ""
}

// properties judges a JSX element: its attributes are the properties of the
// first parameter.
func properties(before, after []index.Param, args *index.Args) (ok, known bool, reason string) {
	names := args.Names
	if names == nil {
		names = []string{}
	}
	if args.Spread {
		names = nil // more may come with the spread
	}
	switch {
	case len(after) == 0 && len(before) > 0 && len(args.Names) > 0:
		return false, true, "the component takes no properties any more"
	case len(after) == 0, len(before) == 0:
		return true, len(before) == len(after), "the component's properties changed"
	}
	return pattern(before[0], after[0], names)
}

// split cuts a text at the separators that stand outside of brackets and quotes.
// An arrow's > and a comparison are no brackets.
func split(text string, separators ...byte) []string {
	var out []string
	depth, from := 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0, c == '>' && i > 0 && text[i-1] != '=':
			depth--
		case depth == 0 && slices.Contains(separators, c) && !(c == '=' && i+1 < len(text) && text[i+1] == '>'):
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}
