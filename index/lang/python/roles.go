package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A role is what the query says of a node: in the low bits what it defines, an
// index.Kind, and above them what else it is.
type role uint16

const (
	roleKind   role = 1<<4 - 1
	roleImport role = 1 << (iota + 3)
	roleCall
	roleAssertion
	roleSkip
	roleDebug
	roleString
	roleComment
)

// roleOf returns what a capture name says, 0 for a part.
func roleOf(capture string) role {
	switch capture {
	case "definition.function":
		return role(index.KindFunction)
	case "definition.class":
		return role(index.KindClass)
	case "definition.type":
		return role(index.KindType)
	case "import":
		return roleImport
	case "reference.call":
		return roleCall
	case "mark.assertion":
		return roleAssertion
	case "mark.skip":
		return roleSkip
	case "mark.debug":
		return roleDebug
	case "mark.string":
		return roleString
	case "mark.comment":
		return roleComment
	}
	return 0
}

// rolesOf returns the role of each capture of lang's query.
func rolesOf(lang *syntax.Language) []role {
	roles := make([]role, len(lang.Captures()))
	for i, name := range lang.Captures() {
		if !strings.HasPrefix(name, "_") {
			roles[i] = roleOf(name)
		}
	}
	return roles
}

// assignRoles writes down the roles of all nodes, and lists comments and strings.
func (x *extractor) assignRoles() {
	if cap(x.roles) < len(x.nodes) {
		x.roles = make([]role, len(x.nodes), len(x.nodes)+len(x.nodes)/2)
	} else {
		x.roles = x.roles[:len(x.nodes)]
		clear(x.roles)
	}
	for _, m := range x.t.Matches {
		for _, c := range x.t.MatchCaptures(m) {
			r := x.g.roles[c.Name]
			if r&roleComment != 0 {
				x.comments = append(x.comments, c.Node)
			}
			if r&roleString != 0 {
				x.strings = append(x.strings, c.Node)
			}
			x.roles[c.Node] |= r
		}
	}
}

// defines returns what kind of definition the query sees at n.
func (x *extractor) defines(n int32) index.Kind { return index.Kind(x.roles[n] & roleKind) }
